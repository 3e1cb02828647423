//! Tests of the classes of systems: series, problems, defects, structure conditions.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod conditions;
mod defects;
mod form;
mod reference;
mod series;
mod support;
