//! Port-Hamiltonian forms, systems joined at their ports, geometry files, states.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod connect;
mod geometry;
mod port;
mod states;
#[expect(dead_code, reason = "shared with the tests of the derivation")]
#[path = "../../../isotrope-derive/tests/derive/support.rs"]
mod support;
