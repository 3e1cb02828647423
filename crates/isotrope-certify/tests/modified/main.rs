//! Tests of backward error analysis: coefficients, equations of models, Hamiltonians, defects.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod coefficients;
mod models;
mod support;
