//! Systems joined at their ports, geometry files, states.

mod connect;
mod geometry;
mod states;
#[expect(dead_code, reason = "shared with the tests of the derivation")]
#[path = "../../../isotrope-derive/tests/derive/support.rs"]
mod support;
