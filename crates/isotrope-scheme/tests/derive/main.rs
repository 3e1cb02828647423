//! Tests of the derivation: formulas on paper, identities, reference trajectories.

mod connect;
mod damped;
mod degenerate;
mod derivation;
mod descriptor;
mod discrete;
mod geometry;
mod groups;
mod reference;
mod state;
mod support;
