//! How algebraic numbers are written.

use std::fmt;

use dashu_base::{Signed, UnsignedAbs};
use dashu_int::{IBig, UBig};

use super::AlgebraicNumber;
use crate::{OrInternal, Rational};

/// Square factors are looked for up to this size; larger ones stay under the root.
const TRIAL_DIVISORS: u32 = 10_000;

impl fmt::Display for AlgebraicNumber {
    /// `1/2+sqrt(3)/6` for quadratic numbers, `2^(1/3)` for roots of rationals, otherwise
    /// `root(63*x^4-70*x^2+15,3)`: the real roots are counted from one, ascending.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(value) = self.as_rational() {
            return write!(f, "{value}");
        }
        if self.degree() == 2 {
            return self.write_quadratic(f);
        }
        let coefficients = self.minimal.coefficients();
        let last = coefficients.len().saturating_sub(1);
        let pure = coefficients.iter().take(last).skip(1).all(IBig::is_zero);
        if pure
            && let Some(radicand) = Rational::from(-self.minimal.coefficient(0))
                .checked_div(&Rational::from(self.minimal.leading()))
        {
            let sign = if self.is_negative() { "-" } else { "" };
            let radicand = radicand.abs();
            return if radicand.is_integer() {
                write!(f, "{sign}{radicand}^(1/{last})")
            } else {
                write!(f, "{sign}({radicand})^(1/{last})")
            };
        }
        let polynomial = self.minimal.to_string().replace(' ', "");
        write!(f, "root({polynomial},{})", self.root_number())
    }
}

impl fmt::Debug for AlgebraicNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl AlgebraicNumber {
    /// `-b/(2 a) + sqrt(b^2 - 4 a c)/(2 a)`, the square part of the discriminant taken out.
    fn write_quadratic(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [c, b, a] = [0, 1, 2].map(|power| self.minimal.coefficient(power));
        let discriminant = IBig::from(b.sqr()) - IBig::from(4) * &a * c;
        let (outside, inside) = split_square(discriminant.unsigned_abs());
        let twice: UBig = a.unsigned_abs() << 1;
        let rational = Rational::from_big(-b, twice.clone())
            .or_noticed("a polynomial of degree two has a square");
        let factor = Rational::from_big(outside.into(), twice)
            .or_noticed("a polynomial of degree two has a square");
        if !rational.is_zero() {
            write!(f, "{rational}")?;
        }
        match (self.index == 0, rational.is_zero()) {
            (true, _) => f.write_str("-")?,
            (false, true) => {}
            (false, false) => f.write_str("+")?,
        }
        let (n, d) = (factor.numerator(), factor.denominator());
        if !n.is_one() {
            write!(f, "{n}*")?;
        }
        write!(f, "sqrt({inside})")?;
        if !d.is_one() {
            write!(f, "/{d}")?;
        }
        debug_assert!(!factor.numerator().is_negative());
        Ok(())
    }
}

/// `value = outside^2 * inside`, with the small square factors (and a whole square) outside.
pub(in crate::number) fn split_square(mut value: UBig) -> (UBig, UBig) {
    let mut outside = UBig::ONE;
    let mut kept = UBig::ONE;
    let mut divisor = 2u32;
    while divisor <= TRIAL_DIVISORS && UBig::from(divisor) * UBig::from(divisor) <= value {
        let d = UBig::from(divisor);
        let mut count = 0;
        while (&value % &d).is_zero() {
            value /= &d;
            count += 1;
        }
        outside *= d.pow(count / 2);
        if count % 2 == 1 {
            kept *= d;
        }
        divisor += if divisor == 2 { 1 } else { 2 };
    }
    let root = value.nth_root(2);
    if root.sqr() == value { (outside * root, kept) } else { (outside, kept * value) }
}
