//! What is refused, and how: every code of `isotrope::codes` is shown, by a bad model or by a command, and
//! explained in docs/errors.md.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[macro_use]
#[path = "../skipped.rs"]
mod skipped;

mod bad_models;
mod command;
mod commands;
mod monsters;
mod page;
