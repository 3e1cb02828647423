//! Answers do not depend on units: a model written twice, the second time in other units of energy and time and with
//! a unit of its own for every coordinate, has the same numbers after rescaling, up to rounding, and the same verdicts.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod check;
mod flow;
mod rescaled;
mod stability;
