//! Dense polynomials over the integers: ring operations and exact division.

use std::fmt;

use dashu_base::{BitTest, Gcd, Signed, UnsignedAbs};
use dashu_int::{IBig, UBig};

use crate::Rational;

/// A polynomial in one variable with integer coefficients.
///
/// Coefficients ascend; the last one is not zero, so equality is structural.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct IntegerPolynomial {
    coefficients: Vec<IBig>,
}

impl IntegerPolynomial {
    /// From coefficients of ascending powers.
    pub fn new(mut coefficients: Vec<IBig>) -> Self {
        while coefficients.last().is_some_and(IBig::is_zero) {
            coefficients.pop();
        }
        Self { coefficients }
    }

    /// From small coefficients of ascending powers.
    pub fn from_integers(coefficients: &[i64]) -> Self {
        Self::new(coefficients.iter().map(|&c| c.into()).collect())
    }

    /// The primitive polynomial proportional to one with rational coefficients (ascending).
    pub fn from_rationals(coefficients: &[Rational]) -> Self {
        let common = coefficients.iter().fold(UBig::ONE, |common, c| {
            let d = c.denominator();
            let g = (&common).gcd(&d);
            common / g * d
        });
        let scaled = coefficients
            .iter()
            .map(|c| c.numerator() * IBig::from(&common / c.denominator()))
            .collect();
        Self::new(scaled).primitive_part()
    }

    /// The zero polynomial.
    pub fn zero() -> Self {
        Self::default()
    }

    /// The constant one.
    pub fn one() -> Self {
        Self { coefficients: vec![IBig::ONE] }
    }

    /// The variable.
    pub fn x() -> Self {
        Self::from_integers(&[0, 1])
    }

    /// The linear primitive polynomial with the given root.
    pub fn with_root(root: &Rational) -> Self {
        Self::new(vec![-root.numerator(), root.denominator().into()])
    }

    /// Coefficients of ascending powers, without leading zeros.
    pub fn coefficients(&self) -> &[IBig] {
        &self.coefficients
    }

    pub(super) fn into_coefficients(self) -> Vec<IBig> {
        self.coefficients
    }

    /// The coefficient of `x^power`.
    pub fn coefficient(&self, power: usize) -> IBig {
        self.coefficients.get(power).cloned().unwrap_or(IBig::ZERO)
    }

    /// The degree; `None` for the zero polynomial.
    pub fn degree(&self) -> Option<usize> {
        self.coefficients.len().checked_sub(1)
    }

    /// The number of coefficients: degree plus one, or zero.
    pub(super) fn len(&self) -> usize {
        self.coefficients.len()
    }

    /// Is it the zero polynomial?
    pub fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }

    /// Is it constant (or zero)?
    pub fn is_constant(&self) -> bool {
        self.coefficients.len() <= 1
    }

    /// The leading coefficient (zero for the zero polynomial).
    pub fn leading(&self) -> IBig {
        self.coefficients.last().cloned().unwrap_or(IBig::ZERO)
    }

    /// The largest number of bits of a coefficient.
    pub(super) fn bits(&self) -> usize {
        self.coefficients.iter().map(BitTest::bit_len).max().unwrap_or(0)
    }

    /// The greatest common divisor of the coefficients (zero for the zero polynomial).
    pub fn content(&self) -> UBig {
        let mut content = UBig::ZERO;
        for c in &self.coefficients {
            let size = c.unsigned_abs();
            if content.is_zero() {
                content = size;
            } else if !size.is_zero() {
                content = content.gcd(size);
            }
            if content.is_one() {
                break;
            }
        }
        content
    }

    /// Divided by its content and made to have a positive leading coefficient.
    #[must_use]
    pub fn primitive_part(&self) -> Self {
        let content = self.content();
        if content.is_zero() {
            return Self::zero();
        }
        let mut divisor = IBig::from(content);
        if self.leading().is_negative() {
            divisor = -divisor;
        }
        if divisor.is_one() {
            return self.clone();
        }
        Self { coefficients: self.coefficients.iter().map(|c| c / &divisor).collect() }
    }

    /// `-self`.
    #[must_use]
    pub fn neg(&self) -> Self {
        Self { coefficients: self.coefficients.iter().map(|c| -c).collect() }
    }

    /// `self + other`.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        let (long, short) = if self.len() >= other.len() { (self, other) } else { (other, self) };
        let mut sum = long.coefficients.clone();
        for (a, b) in sum.iter_mut().zip(&short.coefficients) {
            *a += b;
        }
        Self::new(sum)
    }

    /// `self - other`.
    #[must_use]
    pub fn sub(&self, other: &Self) -> Self {
        self.add(&other.neg())
    }

    /// `self * other`.
    #[must_use]
    pub fn mul(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Self::zero();
        }
        let mut product = vec![IBig::ZERO; self.len() + other.len() - 1];
        for (i, a) in self.coefficients.iter().enumerate() {
            if a.is_zero() {
                continue;
            }
            for (j, b) in other.coefficients.iter().enumerate() {
                product[i + j] += a * b;
            }
        }
        Self::new(product)
    }

    /// `factor * self`.
    #[must_use]
    pub fn scale(&self, factor: &IBig) -> Self {
        Self::new(self.coefficients.iter().map(|c| c * factor).collect())
    }

    /// The quotient when `divisor` divides over the integers; otherwise (or for zero) `None`.
    pub fn exact_div(&self, divisor: &Self) -> Option<Self> {
        let lead = divisor.coefficients.last()?;
        if self.is_zero() {
            return Some(Self::zero());
        }
        let steps = (self.len() + 1).checked_sub(divisor.len())?;
        let mut rest = self.coefficients.clone();
        let mut quotient = vec![IBig::ZERO; steps];
        for k in (0..steps).rev() {
            let top = &rest[k + divisor.len() - 1];
            let q = top / lead;
            if &q * lead != *top {
                return None;
            }
            if !q.is_zero() {
                for (j, d) in divisor.coefficients.iter().enumerate() {
                    rest[k + j] -= &q * d;
                }
            }
            quotient[k] = q;
        }
        rest.iter().all(IBig::is_zero).then(|| Self::new(quotient))
    }

    /// The derivative.
    #[must_use]
    pub fn derivative(&self) -> Self {
        let terms = self.coefficients.iter().enumerate().skip(1);
        Self::new(terms.map(|(power, c)| c * IBig::from(power)).collect())
    }
}

impl fmt::Display for IntegerPolynomial {
    /// Descending powers: `63*x^4 - 70*x^2 + 15`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str("0");
        }
        let mut first = true;
        for (power, c) in self.coefficients.iter().enumerate().rev() {
            if c.is_zero() {
                continue;
            }
            match (first, c.is_negative()) {
                (true, true) => f.write_str("-")?,
                (true, false) => {}
                (false, true) => f.write_str(" - ")?,
                (false, false) => f.write_str(" + ")?,
            }
            first = false;
            let size = c.unsigned_abs();
            match (power, size.is_one()) {
                (0, _) => write!(f, "{size}")?,
                (_, true) => {}
                (_, false) => write!(f, "{size}*")?,
            }
            match power {
                0 => {}
                1 => f.write_str("x")?,
                _ => write!(f, "x^{power}")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for IntegerPolynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Polynomials of low degree with small coefficients.
    pub(in crate::univariate) fn any_polynomial(
        terms: usize,
    ) -> impl Strategy<Value = IntegerPolynomial> {
        prop::collection::vec(-9i64..=9, 0..=terms)
            .prop_map(|c| IntegerPolynomial::from_integers(&c))
    }

    proptest! {
        #[test]
        fn polynomials_are_a_ring(
            a in any_polynomial(6), b in any_polynomial(6), c in any_polynomial(6)
        ) {
            prop_assert_eq!(a.add(&b).add(&c), a.add(&b.add(&c)));
            prop_assert_eq!(a.mul(&b), b.mul(&a));
            prop_assert_eq!(a.mul(&b.add(&c)), a.mul(&b).add(&a.mul(&c)));
            prop_assert!(a.sub(&a).is_zero());
        }

        #[test]
        fn exact_division_undoes_multiplication(a in any_polynomial(6), b in any_polynomial(6)) {
            if b.is_zero() {
                prop_assert_eq!(a.exact_div(&b), None);
            } else {
                prop_assert_eq!(a.mul(&b).exact_div(&b), Some(a.clone()));
                let more = a.mul(&b).add(&IntegerPolynomial::one());
                prop_assert!(more.exact_div(&b).is_none() || b.is_constant());
            }
        }

        #[test]
        fn derivative_is_a_derivation(a in any_polynomial(6), b in any_polynomial(6)) {
            let product_rule = a.derivative().mul(&b).add(&a.mul(&b.derivative()));
            prop_assert_eq!(a.mul(&b).derivative(), product_rule);
        }
    }

    #[test]
    fn text_shows_descending_powers() {
        let p = IntegerPolynomial::from_integers(&[15, 0, -70, 0, 63]);
        assert_eq!(p.to_string(), "63*x^4 - 70*x^2 + 15");
        assert_eq!(IntegerPolynomial::from_integers(&[1, -1]).to_string(), "-x + 1");
        assert_eq!(IntegerPolynomial::zero().to_string(), "0");
    }
}
