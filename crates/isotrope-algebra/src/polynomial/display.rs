//! Text, for people and for tests.

use std::fmt;

use super::field::Field;
use super::rational_function::RationalFunction;
use super::sparse::PolynomialOver;

impl<F: Field + fmt::Display> fmt::Display for PolynomialOver<F> {
    /// Variables are written `x0, x1, ...`, largest monomial first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return write!(f, "0");
        }
        for (position, (monomial, coefficient)) in self.terms().iter().enumerate() {
            let mut text = coefficient.to_string();
            if text[1..].contains(['+', '-', ' ']) {
                text = format!("({text})");
            }
            let (minus, size) = match text.strip_prefix('-') {
                Some(size) => (true, size),
                None => (false, text.as_str()),
            };
            f.write_str(match (position, minus) {
                (0, true) => "-",
                (0, false) => "",
                (_, true) => " - ",
                (_, false) => " + ",
            })?;
            match (size, monomial.is_one()) {
                (_, true) => write!(f, "{size}")?,
                ("1", false) => write!(f, "{monomial:?}")?,
                (_, false) => write!(f, "{size}*{monomial:?}")?,
            }
        }
        Ok(())
    }
}

impl<F: Field + fmt::Display> fmt::Debug for PolynomialOver<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for RationalFunction {
    /// `numerator` or `(numerator)/(denominator)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator().is_one() {
            write!(f, "{}", self.numerator())
        } else {
            write!(f, "({})/({})", self.numerator(), self.denominator())
        }
    }
}

impl fmt::Debug for RationalFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
