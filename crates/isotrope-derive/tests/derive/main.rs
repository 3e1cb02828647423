//! Tests of the derivation: formulas on paper, identities, reference trajectories.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod degenerate;
mod derivation;
mod descriptor;
mod groups;
mod noether;
mod reference;
mod state;
mod support;
mod trailers;
