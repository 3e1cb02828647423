//! Exact numbers: rationals of any size, real algebraic numbers, and rigorous balls.

mod algebraic;
mod ball;
pub mod field;
mod rational;

pub use algebraic::{AlgebraicError, AlgebraicNumber};
pub use ball::{Ball, EvaluationError, Precision};
pub use rational::{ParseRationalError, Rational};
