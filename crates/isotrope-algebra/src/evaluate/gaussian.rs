//! Where an expression is evaluated: residues modulo a prime, and numbers a + b i over them.
//!
//! Half of the residues are no squares. An expression with many roots has therefore hardly a point where all of them
//! exist. -1 is no square modulo our primes, so i² = -1 makes a field of p² elements, and there -u has a root where u
//! has none.

use std::convert::Infallible;

use crate::linear::{ExactField, Residues};
use crate::modular;
use crate::number::Rational;

/// a + b i.
pub type Gaussian = [u64; 2];

/// The field of the numbers a + b i over the residues modulo a prime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GaussianField(
    /// The prime: 3 modulo 4.
    pub u64,
);

/// What an evaluation asks of a field.
pub(super) trait Values: ExactField<Element: Copy, Stop = Infallible> + Clone {
    fn residue(&self, value: u64) -> Self::Element;
    fn as_residue(&self, value: Self::Element) -> Option<u64>;
    fn parts(&self, value: Self::Element) -> impl Iterator<Item = u64>;
    fn sum(&self, a: Self::Element, b: Self::Element) -> Self::Element;
    fn product(&self, a: Self::Element, b: Self::Element) -> Self::Element;
    /// b^e for a fraction e, if there is such a root.
    fn root_power(&self, b: Self::Element, e: &Rational) -> Option<Self::Element>;

    fn power(&self, b: Self::Element, n: i64) -> Option<Self::Element> {
        let (mut exponent, mut square, mut result) = (n.unsigned_abs(), b, self.one());
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = self.product(result, square);
            }
            square = self.product(square, square);
            exponent >>= 1;
        }
        if n < 0 { self.inverse(&result) } else { Some(result) }
    }
}

impl Values for Residues {
    fn residue(&self, value: u64) -> u64 {
        value
    }

    fn as_residue(&self, value: u64) -> Option<u64> {
        Some(value)
    }

    fn parts(&self, value: u64) -> impl Iterator<Item = u64> {
        std::iter::once(value)
    }

    fn sum(&self, a: u64, b: u64) -> u64 {
        modular::add(a, b, self.0)
    }

    fn product(&self, a: u64, b: u64) -> u64 {
        modular::mul(a, b, self.0)
    }

    /// Within the squares, a group of prime order, every root exists once.
    fn root_power(&self, b: u64, e: &Rational) -> Option<u64> {
        let order = (self.0 - 1) / 2;
        if b == 0 || modular::pow(b, order, self.0) != 1 {
            return None;
        }
        Some(modular::pow(b, e.modulo(order)?, self.0))
    }
}

impl Values for GaussianField {
    fn residue(&self, value: u64) -> Gaussian {
        [value, 0]
    }

    fn as_residue(&self, value: Gaussian) -> Option<u64> {
        (value[1] == 0).then_some(value[0])
    }

    fn parts(&self, value: Gaussian) -> impl Iterator<Item = u64> {
        value.into_iter()
    }

    fn sum(&self, a: Gaussian, b: Gaussian) -> Gaussian {
        [modular::add(a[0], b[0], self.0), modular::add(a[1], b[1], self.0)]
    }

    fn product(&self, [a, b]: Gaussian, [c, d]: Gaussian) -> Gaussian {
        let p = self.0;
        if b == 0 && d == 0 {
            return [modular::mul(a, c, p), 0];
        }
        let (ac, bd) = (modular::mul(a, c, p), modular::mul(b, d, p));
        let (ad, bc) = (modular::mul(a, d, p), modular::mul(b, c, p));
        [modular::sub(ac, bd, p), modular::add(ad, bc, p)]
    }

    fn root_power(&self, b: Gaussian, e: &Rational) -> Option<Gaussian> {
        let (p, residues) = (self.0, Residues(self.0));
        let u = self.as_residue(b)?;
        if let Some(value) = residues.root_power(u, e) {
            return Some(self.residue(value));
        }
        // (-1)^e (-u)^e, and e = n/d with an odd d, or d = 2 d' with an odd d': i^n up to a sign that every power of
        // one root shares.
        let opposite = residues.root_power(modular::sub(0, u, p), e)?;
        let (n, d) = e.as_small()?;
        let turns = match (d % 2, d % 4) {
            (1, _) => 2 * n.rem_euclid(2),
            (_, 2) => (n.rem_euclid(4) * (d / 2).rem_euclid(4)).rem_euclid(4),
            _ => return None,
        };
        let minus = modular::sub(0, opposite, p);
        Some(match turns {
            0 => [opposite, 0],
            1 => [0, opposite],
            2 => [minus, 0],
            _ => [0, minus],
        })
    }
}

impl ExactField for GaussianField {
    type Element = Gaussian;
    type Stop = Infallible;

    fn zero(&self) -> Gaussian {
        [0, 0]
    }

    fn one(&self) -> Gaussian {
        [1, 0]
    }

    fn is_zero(&self, x: &Gaussian) -> bool {
        *x == [0, 0]
    }

    fn negate(&self, x: &Gaussian) -> Gaussian {
        x.map(|part| modular::sub(0, part, self.0))
    }

    /// (a - b i)/(a² + b²): the norm of a number is not zero.
    fn inverse(&self, &[a, b]: &Gaussian) -> Option<Gaussian> {
        let p = self.0;
        let norm = modular::add(modular::mul(a, a, p), modular::mul(b, b, p), p);
        let inverse = modular::inverse(norm, p)?;
        Some([modular::mul(a, inverse, p), modular::mul(modular::sub(0, b, p), inverse, p)])
    }

    fn times(&mut self, x: &Gaussian, y: &Gaussian) -> Result<Gaussian, Infallible> {
        Ok(self.product(*x, *y))
    }

    fn minus_product(
        &mut self,
        x: &Gaussian,
        factor: &Gaussian,
        y: &Gaussian,
    ) -> Result<Gaussian, Infallible> {
        let product = self.product(*factor, *y);
        Ok(self.sum(*x, self.negate(&product)))
    }

    fn spend(&mut self, _: usize) -> Result<(), Infallible> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::FieldPlan;
    use crate::modular::Random;

    /// b^(1/2), b^(3/2) and b^(-1/2) are powers of one root, b^(1/3) is a third one, for squares and for others.
    #[test]
    fn powers_of_roots_belong_together() {
        let field = GaussianField(FieldPlan::PRIME);
        let random = &mut Random::new(3);
        let power = |b, n, d| field.root_power(b, &Rational::new(n, d).unwrap()).unwrap();
        let mut imaginary = 0;
        for _ in 0..40 {
            let b = [1 + random.below(field.0 - 1), 0];
            let root = power(b, 1, 2);
            imaginary += usize::from(root[1] != 0);
            assert_eq!(field.product(root, root), b);
            assert_eq!(power(b, 3, 2), field.product(root, b));
            assert_eq!(field.product(power(b, -1, 2), root), [1, 0]);
            assert_eq!(field.product(power(b, -3, 2), power(b, 3, 2)), [1, 0]);
            assert_eq!(field.power(power(b, 1, 3), 3), Some(b));
            assert_eq!(field.power(power(b, 1, 6), 6), Some(b));
        }
        assert!((5..35).contains(&imaginary), "{imaginary} of 40");
    }

    #[test]
    fn numbers_have_inverses() {
        let field = GaussianField(FieldPlan::SECOND_PRIME);
        let random = &mut Random::new(4);
        for _ in 0..20 {
            let x = [random.below(field.0), random.below(field.0)];
            let inverse = field.inverse(&x).unwrap();
            assert_eq!(field.product(x, inverse), [1, 0]);
        }
        assert_eq!(field.inverse(&[0, 0]), None);
    }
}
