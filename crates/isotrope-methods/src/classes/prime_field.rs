//! The field of integers modulo a prime that is known at run time.

use std::convert::Infallible;

use isotrope_algebra::Rational;
use isotrope_algebra::linear::ExactField;
use isotrope_algebra::modular::{self, Random};

use super::scalars::{Scalars, Vanishing};

/// F_p for an odd prime p below 2^63, in Montgomery's representation x ↦ 2^64 x: a product costs
/// three word multiplications and no division whatever the size of p, and a sum of products is
/// reduced once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrimeField {
    prime: u64,
    /// -1/p modulo 2^64.
    negative_inverse: u64,
    /// 2^64 modulo p: the representative of one.
    one: u64,
    /// 2^128 modulo p: multiplies residues into the representation.
    square: u64,
}

/// An element of a [`PrimeField`]; meaningless in any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Residue(u64);

impl PrimeField {
    /// The field with `prime` elements; `None` unless it is odd, above 2 and below 2^63.
    /// That it is prime is up to the caller.
    pub fn new(prime: u64) -> Option<Self> {
        if prime < 3 || prime.is_multiple_of(2) || prime >> 63 != 0 {
            return None;
        }
        // Newton's iteration for 1/p modulo 2^64 doubles the correct bits, beginning with three.
        let mut inverse = prime;
        for _ in 0..5 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(prime.wrapping_mul(inverse)));
        }
        let one = ((1u128 << 64) % u128::from(prime)) as u64;
        let square = modular::mul(one, one, prime);
        Some(Self { prime, negative_inverse: inverse.wrapping_neg(), one, square })
    }

    /// The number of elements.
    pub fn prime(&self) -> u64 {
        self.prime
    }

    /// The element of an integer.
    pub fn element(&self, residue: u64) -> Residue {
        let residue = residue % self.prime;
        Residue(self.reduce(u128::from(residue) * u128::from(self.square)))
    }

    /// The integer below p that an element stands for.
    pub fn residue(&self, element: Residue) -> u64 {
        self.reduce(u128::from(element.0))
    }

    /// `product / 2^64` modulo p, for a product below 2^64 p.
    #[inline]
    fn reduce(&self, product: u128) -> u64 {
        let multiple = (product as u64).wrapping_mul(self.negative_inverse);
        let quotient = ((product + u128::from(multiple) * u128::from(self.prime)) >> 64) as u64;
        if quotient >= self.prime { quotient - self.prime } else { quotient }
    }
}

impl Scalars for PrimeField {
    type Element = Residue;

    fn zero(&self) -> Residue {
        Residue(0)
    }

    fn one(&self) -> Residue {
        Residue(self.one)
    }

    fn rational(&self, value: &Rational) -> Option<Residue> {
        value.modulo(self.prime).map(|residue| self.element(residue))
    }

    #[inline]
    fn add(&self, x: &Residue, y: &Residue) -> Residue {
        Residue(modular::add(x.0, y.0, self.prime))
    }

    #[inline]
    fn sub(&self, x: &Residue, y: &Residue) -> Residue {
        Residue(modular::sub(x.0, y.0, self.prime))
    }

    #[inline]
    fn mul(&self, x: &Residue, y: &Residue) -> Residue {
        Residue(self.reduce(u128::from(x.0) * u128::from(y.0)))
    }

    fn inverse(&self, x: &Residue) -> Option<Residue> {
        let residue = modular::inverse(self.residue(*x), self.prime)?;
        Some(self.element(residue))
    }

    #[inline]
    fn sum_of_products<'a>(
        &self,
        count: usize,
        mut pair: impl FnMut(usize) -> (&'a Residue, &'a Residue),
    ) -> Residue {
        // Kept below 2^64 p < 2^127, so that the next product (below p^2) cannot overflow.
        let limit = u128::from(self.prime) << 64;
        let mut sum = 0u128;
        for i in 0..count {
            let (x, y) = pair(i);
            sum += u128::from(x.0) * u128::from(y.0);
            if sum >= limit {
                sum -= limit;
            }
        }
        Residue(self.reduce(sum))
    }

    fn random(&self, random: &mut Random) -> Residue {
        Residue(random.below(self.prime))
    }

    #[inline]
    fn is_exactly_zero(&self, x: &Residue) -> bool {
        x.0 == 0
    }

    fn vanishing(&self, x: &Residue) -> Vanishing {
        if x.0 == 0 { Vanishing::Zero } else { Vanishing::NonZero }
    }
}

/// Elimination needs nothing but the field itself.
impl ExactField for &PrimeField {
    type Element = Residue;
    type Stop = Infallible;

    fn zero(&self) -> Residue {
        Scalars::zero(*self)
    }

    fn one(&self) -> Residue {
        Scalars::one(*self)
    }

    #[inline]
    fn is_zero(&self, x: &Residue) -> bool {
        x.0 == 0
    }

    fn negate(&self, x: &Residue) -> Residue {
        self.neg(x)
    }

    fn inverse(&self, x: &Residue) -> Option<Residue> {
        Scalars::inverse(*self, x)
    }

    #[inline]
    fn times(&mut self, x: &Residue, y: &Residue) -> Result<Residue, Infallible> {
        Ok(self.mul(x, y))
    }

    #[inline]
    fn minus_product(
        &mut self,
        x: &Residue,
        factor: &Residue,
        y: &Residue,
    ) -> Result<Residue, Infallible> {
        Ok(self.sub(x, &self.mul(factor, y)))
    }

    #[inline]
    fn spend(&mut self, _: usize) -> Result<(), Infallible> {
        Ok(())
    }
}
