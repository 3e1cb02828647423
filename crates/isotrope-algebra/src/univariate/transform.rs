//! Values and changes of variable.

use std::cmp::Ordering;

use dashu_base::Signed;
use dashu_int::{IBig, UBig};

use super::IntegerPolynomial;
use crate::{OrInternal, Rational};

impl IntegerPolynomial {
    /// The value at a rational point.
    pub fn evaluate(&self, at: &Rational) -> Rational {
        let Some(degree) = self.degree() else { return Rational::ZERO };
        let denominator = at.denominator().pow(degree);
        Rational::from_big(self.scaled_value(at), denominator)
            .or_noticed("a denominator is not zero")
    }

    /// The sign of the value at a rational point, as an ordering against zero.
    pub fn sign_at(&self, at: &Rational) -> Ordering {
        sign(&self.scaled_value(at))
    }

    /// `denominator^degree * self(at)`, without fractions.
    fn scaled_value(&self, at: &Rational) -> IBig {
        let (n, d) = (at.numerator(), IBig::from(at.denominator()));
        let mut value = IBig::ZERO;
        let mut power = IBig::ONE;
        for c in self.coefficients().iter().rev() {
            value = value * &n + c * &power;
            power *= &d;
        }
        value
    }

    /// The sign of the value just right of a rational point (of a square-free polynomial).
    pub(super) fn sign_right_of(&self, at: &Rational) -> Ordering {
        match self.sign_at(at) {
            Ordering::Equal => self.derivative().sign_at(at),
            sign => sign,
        }
    }

    /// `self(x + 1)`.
    #[must_use]
    pub(super) fn shift_by_one(&self) -> Self {
        let mut c = self.clone().into_coefficients();
        let n = c.len();
        for start in (0..n).rev() {
            for i in start..n.saturating_sub(1) {
                let next = c[i + 1].clone();
                c[i] += next;
            }
        }
        Self::new(c)
    }

    /// `self(x * 2^power) * 2^m` with the least `m` that keeps the coefficients integers.
    #[must_use]
    pub(super) fn stretch(&self, power: i64) -> Self {
        let top = self.degree().unwrap_or(0);
        let shift = |i: usize| {
            let steps = if power >= 0 { i } else { top - i };
            power.unsigned_abs() as usize * steps
        };
        let scaled = self.coefficients().iter().enumerate().map(|(i, c)| c << shift(i));
        Self::new(scaled.collect())
    }

    /// `x^degree self(1/x)`; roots become their inverses (a root zero is lost).
    #[must_use]
    pub fn reverse(&self) -> Self {
        Self::new(self.coefficients().iter().rev().cloned().collect())
    }

    /// `self(-x)`; roots change sign.
    #[must_use]
    pub fn reflect(&self) -> Self {
        let terms = self.coefficients().iter().enumerate();
        Self::new(terms.map(|(i, c)| if i % 2 == 1 { -c } else { c.clone() }).collect())
    }

    /// The primitive polynomial whose roots are `factor` times those of `self`
    /// (`factor` not zero).
    #[must_use]
    pub fn scale_roots(&self, factor: &Rational) -> Self {
        // x -> x / factor: coefficient i times denominator^i numerator^(degree - i).
        let (n, d) = (factor.numerator(), IBig::from(factor.denominator()));
        let mut c = self.clone().into_coefficients();
        let mut power = IBig::ONE;
        for value in &mut c {
            *value *= &power;
            power *= &d;
        }
        power = IBig::ONE;
        for value in c.iter_mut().rev() {
            *value *= &power;
            power *= &n;
        }
        Self::new(c).primitive_part()
    }

    /// The primitive polynomial whose roots are those of `self` plus `shift`.
    #[must_use]
    pub fn shift_roots(&self, shift: &Rational) -> Self {
        // Horner at x - n/d, scaled by d^degree.
        let linear = Self::new(vec![-shift.numerator(), shift.denominator().into()]);
        let d = IBig::from(shift.denominator());
        let mut result = Self::zero();
        let mut power = IBig::ONE;
        for c in self.coefficients().iter().rev() {
            result = result.mul(&linear).add(&Self::new(vec![c * &power]));
            power *= &d;
        }
        result.primitive_part()
    }

    /// `self(x^power)`; for `power > 0`.
    #[must_use]
    pub fn substitute_power(&self, power: usize) -> Self {
        let Some(degree) = self.degree() else { return Self::zero() };
        let mut spread = vec![IBig::ZERO; degree * power + 1];
        for (i, c) in self.coefficients().iter().enumerate() {
            spread[i * power] += c;
        }
        Self::new(spread)
    }

    /// The number of sign changes in the coefficients (zeros skipped).
    pub fn sign_variations(&self) -> usize {
        let mut last = Ordering::Equal;
        let mut count = 0;
        for c in self.coefficients() {
            let now = sign(c);
            if now == Ordering::Equal {
                continue;
            }
            count += usize::from(last != Ordering::Equal && last != now);
            last = now;
        }
        count
    }

    /// The Legendre polynomial of the degree, made primitive.
    pub fn legendre(degree: usize) -> Self {
        // (k + 1) P_{k+1} = (2 k + 1) x P_k - k P_{k-1}; scaled by k! to stay integer.
        let (mut previous, mut current) = (Self::zero(), Self::one());
        for k in 0..degree {
            let odd = current.mul(&Self::x()).scale(&IBig::from(2 * k + 1));
            let next = odd.sub(&previous.scale(&IBig::from(k * k)));
            (previous, current) = (current, next);
        }
        current.primitive_part()
    }
}

pub(super) fn sign(value: &IBig) -> Ordering {
    if value.is_zero() {
        Ordering::Equal
    } else if value.is_negative() {
        Ordering::Less
    } else {
        Ordering::Greater
    }
}

/// The least common multiple of two positive integers.
pub(super) fn least_common_multiple(a: &UBig, b: &UBig) -> UBig {
    use dashu_base::Gcd;
    let g = a.gcd(b);
    if g.is_zero() { UBig::ZERO } else { a / g * b }
}

#[cfg(test)]
mod tests {
    use super::super::polynomial::tests::any_polynomial;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn changes_of_variable_move_the_roots(
            a in any_polynomial(5), n in -9i64..9, d in 1i64..6, f in 1i64..9, e in 1i64..6
        ) {
            let root = Rational::new(n, d).unwrap();
            let factor = Rational::new(-f, e).unwrap();
            let p = a.mul(&IntegerPolynomial::with_root(&root));
            prop_assert_eq!(p.sign_at(&root), Ordering::Equal);
            prop_assert_eq!(p.scale_roots(&factor).sign_at(&(&root * &factor)), Ordering::Equal);
            prop_assert_eq!(p.shift_roots(&factor).sign_at(&(&root + &factor)), Ordering::Equal);
            prop_assert_eq!(p.reflect().sign_at(&-&root), Ordering::Equal);
            prop_assert_eq!(p.shift_by_one().sign_at(&(&root - &Rational::ONE)), Ordering::Equal);
            if let Some(inverse) = root.recip() {
                prop_assert_eq!(p.reverse().sign_at(&inverse), Ordering::Equal);
            }
            let half = p.stretch(-1);
            prop_assert_eq!(half.sign_at(&(&root * &Rational::integer(2))), Ordering::Equal);
        }
    }

    #[test]
    fn legendre_polynomials_of_low_degree() {
        assert_eq!(IntegerPolynomial::legendre(2).to_string(), "3*x^2 - 1");
        assert_eq!(IntegerPolynomial::legendre(5).to_string(), "63*x^5 - 70*x^3 + 15*x");
    }
}
