//! Tests of the derivation: formulas on paper, identities, reference trajectories.

mod degenerate;
mod derivation;
mod descriptor;
mod groups;
mod reference;
mod state;
mod support;
