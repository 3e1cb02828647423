//! Answers do not depend on units: the same problem, written with other units of energy and time and with a unit of
//! its own for every coordinate, has the same trajectories, iterations and numbers up to rounding, and the same
//! verdicts.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod change;
mod check;
mod constraints;
mod every_kind;
mod every_method;
mod flow;
mod hamiltonians;
mod kinds;
mod rescaled;
mod small_steps;
mod stability;
mod trajectories;
mod verdicts;
