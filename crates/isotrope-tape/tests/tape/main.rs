//! The tape: builder, passes, interpreter, expressions.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod expressions;
mod interpreter;
mod linear;
mod models;
mod passes;
mod pendulum;
mod random;
