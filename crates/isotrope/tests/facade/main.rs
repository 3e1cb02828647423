//! The facade: requests and their answers.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod construct;
mod grouped;
mod orders;
mod promises;
mod same_bits;
mod scene;
mod solar;
mod stop;
