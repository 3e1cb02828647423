//! The continuous system: everything a model says about its motion, derived exactly.

mod analysis;
pub mod check;
mod conserved;
mod constraints;
mod degenerate;
mod descriptor;
mod distribution;
mod dynamics;
mod error;
mod group;
mod legendre;
mod magnetic;
mod manifold;
mod multipliers;
mod naming;
mod polarisation;
mod reduction;
mod redundant;
mod regularity;
mod state;
mod symmetry;
mod system;

pub use analysis::{
    Analysis, analyse, classify, conserve, dirac, hamiltonian, hamiltonian_in, reduce,
};
pub use conserved::{Conservation, Conserved, LostMomentum, MomentumEquation};
pub use constraints::{ConstraintRows, Written};
pub use degenerate::Degenerate;
pub use descriptor::{Descriptor, StateConstraint, efforts_of};
pub use distribution::{ConstraintKind, DistributionReport};
pub use dynamics::{Dynamics, Symbols};
pub use error::DeriveError;
pub use group::GroupMechanics;
pub use legendre::Hamiltonian;
pub use magnetic::{Magnetic, MagneticPrimitive};
pub use multipliers::{Eliminated, Saddle, reactions};
pub use polarisation::{NotPolarised, Polarisation};
pub use reduction::Reduction;
pub use redundant::{Redundant, least_norm};
pub use state::{InputSignal, StateSpace, Structure};
pub use symmetry::PointSymmetry;
pub use system::{HamiltonianField, Mechanics, System, derive, derive_unsolved, residual};
