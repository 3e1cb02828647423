//! What a coefficient has to offer.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Budget, OutOfBudget, Rational};

/// A field of coefficients whose elements have one representation each.
///
/// Sums and products take a budget because elements may grow (rational functions do).
pub trait Field: Clone + Eq + Hash + Debug {
    /// The neutral element of addition.
    fn zero() -> Self;
    /// The neutral element of multiplication.
    fn one() -> Self;
    /// The image of a rational number.
    fn from_rational(value: Rational) -> Self;
    /// The number itself where the field *is* the rationals: opens the road through
    /// machine integers in multiplication and division.
    fn as_rational(&self) -> Option<&Rational> {
        None
    }
    /// Is it zero?
    fn is_zero(&self) -> bool;
    /// Is it one?
    fn is_one(&self) -> bool;
    /// The opposite.
    #[must_use]
    fn negate(&self) -> Self;
    /// The sum.
    fn plus(&self, other: &Self, budget: &mut Budget) -> Result<Self, OutOfBudget>;
    /// The product.
    fn times(&self, other: &Self, budget: &mut Budget) -> Result<Self, OutOfBudget>;
    /// The inverse; `None` for zero.
    fn reciprocal(&self) -> Option<Self>;
}

impl Field for Rational {
    fn zero() -> Self {
        Self::ZERO
    }
    fn one() -> Self {
        Self::ONE
    }
    fn from_rational(value: Rational) -> Self {
        value
    }
    fn as_rational(&self) -> Option<&Rational> {
        Some(self)
    }
    fn is_zero(&self) -> bool {
        Rational::is_zero(self)
    }
    fn is_one(&self) -> bool {
        Rational::is_one(self)
    }
    fn negate(&self) -> Self {
        -self
    }
    fn plus(&self, other: &Self, _: &mut Budget) -> Result<Self, OutOfBudget> {
        Ok(self + other)
    }
    fn times(&self, other: &Self, _: &mut Budget) -> Result<Self, OutOfBudget> {
        Ok(self * other)
    }
    fn reciprocal(&self) -> Option<Self> {
        self.recip()
    }
}
