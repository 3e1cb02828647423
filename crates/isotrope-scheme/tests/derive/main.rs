//! Tests of the derivation: formulas on paper, identities, reference trajectories.

mod degenerate;
mod derivation;
mod discrete;
mod reference;
mod support;
