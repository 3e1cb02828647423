//! Exact numbers: rationals of any size, real algebraic numbers, and rigorous balls.

mod algebraic;
mod ball;
mod rational;

pub use algebraic::{AlgebraicError, AlgebraicNumber};
pub use ball::{Ball, EvaluationError, Precision};
pub use rational::{ParseRationalError, Rational};
