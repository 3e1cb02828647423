//! Exact numbers: rationals of any size, and real algebraic numbers.

mod rational;

pub use rational::{ParseRationalError, Rational};
