//! Homological vector fields and functions from classical data, and back.

mod algebroid;
mod bv;
mod cohomology;
mod courant;
mod poisson;
mod recovery;

pub use algebroid::{LieAlgebroid, chevalley_eilenberg, de_rham, lie_algebroid};
pub use bv::{GaugeTheory, bv_action, bv_coordinates};
pub use cohomology::betti_numbers;
pub use courant::{Courant, courant_coordinates};
pub use poisson::{bivector_function, poisson_field, schouten_bracket, shifted_cotangent};
pub use recovery::{anchor_and_bracket, contraction};
