//! Files of trajectories, and charts.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod plot;
mod writers;
