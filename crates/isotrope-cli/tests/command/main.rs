//! The command, one file a subcommand: one binary, because each one links the whole program.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

#[macro_use]
#[path = "../../../../tests/skipped.rs"]
mod skipped;

mod canonical;
mod common;

mod compare;
mod conditions;
mod construct;
mod derive;
mod diagnostics;
mod drift;
mod formats;
mod hostile;
mod magnetic;
#[cfg(target_os = "linux")]
mod memory;
mod methods;
mod modified;
mod outside;
mod pictures;
mod port;
mod run;
mod safe;
mod schema;
mod signals;
mod singular;
mod stability;
mod structure;
mod sweep;
mod trees;
