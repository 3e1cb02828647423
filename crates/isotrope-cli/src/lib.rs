//! The command `isotrope`: arguments in, answers of the facade out.
//!
//! Nothing is computed here. A subcommand turns its arguments into a request, hands it to the crate
//! `isotrope` and shows the answer, or what was wrong with the question.
#![warn(missing_docs)]

pub mod cache;
pub mod cli;
mod closed;
pub mod commands;
pub mod diagnostics;
pub mod engine;
pub mod exit;
pub mod names;
mod pictures;
mod progress;
mod signals;
mod surroundings;
