//! Tests of the derivation: formulas on paper, identities, reference trajectories.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod complete;
mod degenerate;
mod derivation;
mod descriptor;
mod first_integrals;
mod groups;
mod integrals;
mod reference;
mod singular;
mod state;
mod support;
mod trailers;
mod vehicles;
