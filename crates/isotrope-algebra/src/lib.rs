//! Exact algebra for isotrope.
#![warn(missing_docs)]

mod budget;
pub mod modular;
pub mod number;

pub use budget::{Budget, OutOfBudget};
pub use number::Rational;
