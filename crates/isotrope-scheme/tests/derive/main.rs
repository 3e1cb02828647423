//! Tests of the derivation: formulas on paper, identities, reference trajectories.

mod degenerate;
mod derivation;
mod reference;
mod support;
