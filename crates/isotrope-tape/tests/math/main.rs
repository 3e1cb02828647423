//! The table of functions, measured against arithmetic of many digits.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stdout, reason = "the errors are worth seeing with --nocapture")]

mod accuracy;
mod hard;
mod operations;
mod relations;
mod special;
mod support;
