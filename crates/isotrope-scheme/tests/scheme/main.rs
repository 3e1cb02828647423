//! Schemes as equations: formulas on paper, symplectic forms, conformal steps.
#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod damped;
mod discrete;
#[expect(dead_code, reason = "shared with the tests of the derivation")]
#[path = "../../../isotrope-derive/tests/derive/support.rs"]
mod support;
