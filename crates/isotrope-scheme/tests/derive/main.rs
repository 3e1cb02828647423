//! Tests of the derivation: formulas on paper, identities, reference trajectories.

mod derivation;
mod geometry;
mod reference;
mod support;
