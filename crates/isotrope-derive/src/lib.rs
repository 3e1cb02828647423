//! The continuous system: everything a model says about its motion, derived exactly.
//!
//! One file is one step. [`derive`] calls these, in this order:
//!
//! | file | step |
//! |---|---|
//! | `group.rs` | Lagrangians on Lie groups: a road of its own |
//! | `state.rs` | x' = f(x, t) from a bracket, equations or ports: structure, Jacobi identity, balance of power, Casimir functions |
//! | `descriptor.rs`, `manifold.rs` | E x' = (J − R) z + g u: constraints, index, underlying equations; what vanishes where constraints hold |
//! | `legendre.rs` | L from H where possible |
//! | `magnetic.rs` | a closed 2-form B, its primitive θ, the force i_v B, and the equations of L − θ beside the others |
//! | `phase_space.rs` | Hamilton's equations as a Poisson system with the state (q, p) |
//! | `dynamics.rs` | momenta, mass matrix, energy, impressed forces, residual |
//! | `constraints.rs` | rows A v + b, and what they demand of accelerations |
//! | `degenerate.rs`, `polarisation.rs` | L = ϑ(q)·v − H(q): the form dϑ, velocities as functions of positions; which half of the coordinates carries the velocities |
//! | `redundant.rs` | rows on positions that are proved to follow from others, by numbers or in their ideal, set aside; multipliers of least norm |
//! | `singular/` | a singular Hessian: the constraint algorithm on the phase space (q, p), and the motion there |
//! | `regularity.rs` | independent rows, inertia on ker A; names of what is wrong |
//! | `multipliers.rs` | elimination by M⁻¹ (block by block) and the Schur complement A M⁻¹ Aᵀ, by the whole saddle matrix, or as a solve node |
//!
//! `analysis.rs` has a function for each further question: [`classify`] (kinds of constraints,
//! Frobenius, flags), [`conserve`] (energy, momenta, lost momenta, momentum equations; affine point
//! symmetries, guessed modulo the prime and verified), [`dirac`] (D_Δ), [`reduce`] (invariant
//! frames, quasi-velocities, reduced equations), [`hamiltonian`]. `check/` judges initial data with
//! balls and repairs them.

mod analysis;
pub mod check;
mod conserved;
mod constraints;
mod degenerate;
mod descriptor;
mod distribution;
mod dynamics;
mod error;
mod first_integrals;
mod group;
mod kind;
mod legendre;
mod magnetic;
mod manifold;
mod multipliers;
mod naming;

mod phase_space;
mod polarisation;
mod reduction;
mod redundant;
mod regularity;
mod singular;
mod state;
mod symmetry;
mod system;

pub use analysis::{Analysis, analyse, classify, conserve, dirac, hamiltonian, reduce, watched};
pub use conserved::{Conservation, Conserved, Law, LostMomentum, MomentumEquation};
pub use constraints::{ConstraintRows, Written};
pub use degenerate::Degenerate;
pub use descriptor::{Descriptor, StateConstraint, efforts_of};
pub use distribution::{ConstraintKind, DistributionReport};
pub use dynamics::{Dynamics, Symbols};
pub use error::DeriveError;
pub use first_integrals::states::with_logarithms;
pub use first_integrals::{Generator, Integrals, Searched};
pub use group::GroupMechanics;
pub use kind::{HamiltonianField, Kind, LagrangianMechanics, Mechanics, OnStates, Solved};
pub use legendre::Hamiltonian;
pub use magnetic::{Magnetic, MagneticPrimitive};
pub use multipliers::{Eliminated, Saddle, reactions};
pub use polarisation::{NotPolarised, Polarisation};
pub use reduction::Reduction;
pub use redundant::{Redundant, least_norm};
pub use singular::{
    BranchEnd, ChainConstraint, ChainMultiplier, Classes, ConstraintChain, GaugeFixed, NotReduced,
    OtherBranch, ReducedChain, ReducedMotion,
};
pub use state::{InputSignal, StateSpace, Structure};
pub use symmetry::PointSymmetry;
pub use system::{System, derive, derive_unsolved, residual};
