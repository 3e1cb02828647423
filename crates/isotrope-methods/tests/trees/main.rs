//! Tests of the coloured trees: counts, reference data, and the theorems they stand for.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod counts;
mod exact_solution;
mod groups;
mod names;
mod quantities;
mod support;
mod weights;
