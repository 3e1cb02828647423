//! Results do not depend on units: the same problem, written with other units of length, mass and time, and with a
//! unit of its own for every coordinate, has the same trajectories, iterations and verdicts.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod change;
mod trajectories;
mod verdicts;
