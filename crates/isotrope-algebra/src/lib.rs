//! Exact algebra for isotrope.
#![warn(missing_docs)]

mod angles;
mod budget;
pub mod calculus;
pub mod evaluate;
pub mod linear;
pub mod modular;
pub mod normal;
pub mod number;
pub mod polynomial;
mod pool;
pub mod print;
pub mod syntax;
#[cfg(test)]
mod testing;
pub mod univariate;

pub use budget::{Budget, OutOfBudget};
pub use number::{AlgebraicNumber, Ball, EvaluationError, Precision, Rational};
pub use polynomial::{Monomial, MonomialOrder, Polynomial, PolynomialOver, RationalFunction};
pub use pool::{ExprId, Function, Node, Pairs, Pool, SymbolId, System};
