//! Tests of the derivation: formulas on paper, identities, reference trajectories.

mod derivation;
mod groups;
mod reference;
mod support;
