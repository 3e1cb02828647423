//! Keys and coefficients of the inner loops of multiplication and division.
//!
//! Graded reverse lexicographic order compares the partial sums `e0+...+ek` of the
//! exponents, from the longest to the shortest. Packed into one machine word in that order
//! they compare and add like the monomials themselves.

use std::hash::Hash;

use dashu_int::IBig;

use super::monomial::Monomial;
use super::{Field, PolynomialOver};
use crate::{Budget, OutOfBudget, Rational};

/// How the partial sums of a set of monomials are laid out in a word.
pub(super) struct Packing {
    /// `(variable, shift)` for every variable that occurs, ascending.
    fields: Vec<(usize, u32)>,
    pub bits: u32,
}

impl Packing {
    /// For monomials of at most the given degree whose exponent of variable `i` is at most
    /// `bounds[i]`.
    pub fn new(bounds: &[u16], degree: u64) -> Self {
        let (mut fields, mut bits, mut sum) = (Vec::new(), 0, 0u64);
        for (index, &bound) in bounds.iter().enumerate().filter(|(_, bound)| **bound > 0) {
            sum += u64::from(bound);
            fields.push((index, bits));
            bits += u64::BITS - sum.min(degree).leading_zeros();
        }
        Self { fields, bits }
    }
}

/// A monomial as the inner loops see it: ordered, hashable and quick to multiply.
pub(super) trait Key: Clone + Ord + Hash {
    fn pack(packing: &Packing, monomial: &Monomial) -> Self;
    fn unpack(&self, packing: &Packing) -> Monomial;
    fn times(&self, other: &Self) -> Self;
}

macro_rules! packed_key {
    ($($word:ty)*) => {$(
        impl Key for $word {
            fn pack(packing: &Packing, monomial: &Monomial) -> Self {
                let (mut key, mut sum) = (0, 0);
                for &(index, shift) in &packing.fields {
                    sum += <$word>::from(monomial.exponent(index));
                    key |= sum << shift;
                }
                key
            }
            fn unpack(&self, packing: &Packing) -> Monomial {
                let length = packing.fields.last().map_or(0, |(index, _)| index + 1);
                let mut exponents = smallvec::SmallVec::<[u16; 12]>::from_elem(0, length);
                let mut before = 0;
                for (position, &(index, shift)) in packing.fields.iter().enumerate() {
                    let next = packing.fields.get(position + 1).map_or(packing.bits, |f| f.1);
                    let mask = ((1 as $word) << (next - shift)) - 1;
                    let sum = (self >> shift) & mask;
                    exponents[index] = (sum - before) as u16;
                    before = sum;
                }
                Monomial::from_exponents(&exponents)
            }
            fn times(&self, other: &Self) -> Self {
                self + other
            }
        }
    )*};
}
packed_key!(u64 u128);

impl Key for Monomial {
    fn pack(_: &Packing, monomial: &Monomial) -> Self {
        monomial.clone()
    }
    fn unpack(&self, _: &Packing) -> Monomial {
        self.clone()
    }
    fn times(&self, other: &Self) -> Self {
        self.mul_bounded(other)
    }
}

/// Why an inner loop stopped.
pub(super) enum Stop {
    Budget(OutOfBudget),
    /// The coefficients do not fit the machine integers; take the wider road.
    Overflow,
}

impl From<OutOfBudget> for Stop {
    fn from(error: OutOfBudget) -> Self {
        Self::Budget(error)
    }
}

/// A coefficient as the inner loops see it.
pub(super) trait Accumulate: Clone {
    fn vanishes(&self) -> bool;
    fn product(a: &Self, b: &Self, budget: &mut Budget) -> Result<Self, Stop>;
    fn opposite(&self) -> Self;
    fn accumulate(&mut self, a: &Self, b: &Self, budget: &mut Budget) -> Result<(), Stop>;
    /// The quotient, if there is one in the ring.
    fn quotient(&self, divisor: &Self, budget: &mut Budget) -> Result<Option<Self>, Stop>;
}

impl Accumulate for i128 {
    fn vanishes(&self) -> bool {
        *self == 0
    }
    fn product(a: &Self, b: &Self, _: &mut Budget) -> Result<Self, Stop> {
        // The common case, a product of two 64-bit numbers, needs no check.
        match (i64::try_from(*a), i64::try_from(*b)) {
            (Ok(a), Ok(b)) => Ok(Self::from(a) * Self::from(b)),
            _ => a.checked_mul(*b).filter(|c| *c != Self::MIN).ok_or(Stop::Overflow),
        }
    }
    fn opposite(&self) -> Self {
        -self
    }
    fn accumulate(&mut self, a: &Self, b: &Self, budget: &mut Budget) -> Result<(), Stop> {
        let sum = self.checked_add(Self::product(a, b, budget)?);
        *self = sum.filter(|c| *c != Self::MIN).ok_or(Stop::Overflow)?;
        Ok(())
    }
    fn quotient(&self, divisor: &Self, _: &mut Budget) -> Result<Option<Self>, Stop> {
        if let (Ok(a), Ok(b)) = (i64::try_from(*self), i64::try_from(*divisor))
            && a != i64::MIN
        {
            return Ok((a % b == 0).then(|| Self::from(a / b)));
        }
        Ok((self % divisor == 0).then(|| self / divisor))
    }
}

impl Accumulate for IBig {
    fn vanishes(&self) -> bool {
        self.is_zero()
    }
    fn product(a: &Self, b: &Self, budget: &mut Budget) -> Result<Self, Stop> {
        budget.spend(1, "multiplying large coefficients")?;
        Ok(a * b)
    }
    fn opposite(&self) -> Self {
        -self
    }
    fn accumulate(&mut self, a: &Self, b: &Self, budget: &mut Budget) -> Result<(), Stop> {
        *self += Self::product(a, b, budget)?;
        Ok(())
    }
    fn quotient(&self, divisor: &Self, budget: &mut Budget) -> Result<Option<Self>, Stop> {
        budget.spend(1, "dividing large coefficients")?;
        let quotient = self / divisor;
        Ok((&quotient * divisor == *self).then_some(quotient))
    }
}

impl<F: Field> Accumulate for F {
    fn vanishes(&self) -> bool {
        self.is_zero()
    }
    fn product(a: &Self, b: &Self, budget: &mut Budget) -> Result<Self, Stop> {
        Ok(a.times(b, budget)?)
    }
    fn opposite(&self) -> Self {
        self.negate()
    }
    fn accumulate(&mut self, a: &Self, b: &Self, budget: &mut Budget) -> Result<(), Stop> {
        let product = a.times(b, budget)?;
        *self = self.plus(&product, budget)?;
        Ok(())
    }
    fn quotient(&self, divisor: &Self, budget: &mut Budget) -> Result<Option<Self>, Stop> {
        match divisor.reciprocal() {
            Some(inverse) => Ok(Some(self.times(&inverse, budget)?)),
            None => Ok(None),
        }
    }
}

/// The coefficients of a polynomial over the rationals as coprime integers times `content`.
pub(super) struct Integers {
    pub content: Rational,
    values: Vec<Rational>,
}

impl Integers {
    /// `None` where the field is not the rationals.
    pub fn of<F: Field>(polynomial: &PolynomialOver<F>) -> Option<Self> {
        let mut content = Rational::ZERO;
        for (_, coefficient) in polynomial.terms() {
            let value = coefficient.as_rational()?;
            if !(content.is_one() && value.is_integer()) {
                content = content.gcd(value);
            }
        }
        let values = polynomial.terms().iter().filter_map(|(_, c)| c.as_rational());
        let values = match content.recip() {
            Some(inverse) if !inverse.is_one() => values.map(|v| v * &inverse).collect(),
            _ => values.cloned().collect(),
        };
        Some(Self { content, values })
    }

    pub fn wide(&self) -> Option<Vec<i128>> {
        self.values.iter().map(|v| v.as_integer().map(i128::from)).collect()
    }

    pub fn big(&self) -> Vec<IBig> {
        self.values.iter().map(Rational::numerator).collect()
    }
}

/// A rational from a wide integer and a factor.
pub(super) fn scaled(value: i128, factor: &Rational) -> Rational {
    let value = match i64::try_from(value) {
        Ok(small) => Rational::integer(small),
        Err(_) => Rational::from(IBig::from(value)),
    };
    if factor.is_one() { value } else { &value * factor }
}
