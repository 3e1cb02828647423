//! Model files: what they mean, and what is refused.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stdout, reason = "the times are worth seeing with --nocapture")]

mod errors;
mod hostile;
mod meaning;
mod models;
mod shipped;
