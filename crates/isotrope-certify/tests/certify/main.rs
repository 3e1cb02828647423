//! Certificates: what is computed of methods, by two roads each.
#![expect(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod linear_theory;
mod local;
mod mutations;
mod on_groups;
mod published;
mod registry;
mod state_space;
mod stored;
mod support;
mod symmetry;
