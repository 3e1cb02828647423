//! The continuous system: everything a model says about its motion, derived exactly.

mod conserved;
mod constraints;
mod degenerate;
mod distribution;
mod dynamics;
mod error;
mod group;
mod legendre;
mod magnetic;
pub(crate) mod multipliers;
mod naming;
mod polarisation;
mod reduction;
pub(crate) mod redundant;
mod regularity;
mod state;
mod symmetry;
mod system;

pub use conserved::{Conservation, Conserved, LostMomentum, MomentumEquation};
pub use constraints::{ConstraintRows, Written};
pub use degenerate::Degenerate;
pub use distribution::{ConstraintKind, DistributionReport};
pub use dynamics::{Dynamics, Symbols};
pub use error::DeriveError;
pub use group::GroupMechanics;
pub use legendre::Hamiltonian;
pub use magnetic::{Magnetic, MagneticPrimitive};
pub use multipliers::Eliminated;
pub use polarisation::{NotPolarised, Polarisation};
pub use reduction::Reduction;
pub use redundant::Redundant;
pub use state::{InputSignal, StateSpace, Structure};
pub use symmetry::PointSymmetry;
pub(crate) use system::derive_unsolved;
pub use system::{Analysis, HamiltonianField, Mechanics, System, analyse, derive, residual};
