//! Vector fields, distributions, flags and Dirac structures: the geometry of constraints.
//!
//! Velocity constraints `A(q) q' = 0` are one-forms `alpha^a = A^a_i dq^i`; what they allow is
//! the distribution `D = ker alpha`. This crate answers, by exact computation, the questions
//! that decide how a system may be treated:
//!
//! * [`frobenius`]: do the constraints integrate to constraints on positions? If not, which
//!   bracket of allowed motions leaves the distribution?
//! * [`flag`]: what do the allowed motions generate, step by step, and which combinations of
//!   the constraints integrate although the whole set does not?
//! * [`DiracStructure`]: the almost Dirac structure `D_Delta` on `T*Q` that the constraints
//!   induce, and Dirac structures of bivectors, 2-forms and generators: isotropy, rank,
//!   Courant tensor, images, gauge transforms, composition, Casimir functions.
//! * [`graded`] and [`calculus`]: functions, fields and brackets on graded manifolds, and with
//!   them the calculus of forms and multivectors.
//!
//! Symbols that are not coordinates are parameters: their derivative is zero. Constraints that
//! depend on time live on the extended space with coordinates `(q, t)`, see
//! [`Distribution::extended`].
//!
//! All answers hold at a generic point, and say where that excludes something. "Zero" is
//! decided by normal forms and "not zero" by exact values at random points, so both are
//! proofs; what neither decides is reported as undecided, never guessed.
//!
//! The blade of the Chaplygin sleigh, `sin(theta) x' - cos(theta) y' = 0`: driving and turning
//! generate sliding sideways, so no constraint on positions is hidden in it.
//!
//! ```
//! use isotrope_algebra::{Budget, ExprId, Pool, syntax::parse_expression};
//! use isotrope_geometry::{Distribution, Involutivity, flag, frobenius};
//!
//! let mut pool = Pool::new();
//! let mut budget = Budget::new(1_000_000);
//! let coordinates = ["x", "y", "theta"].map(|name| pool.symbol(name));
//! let blade = ["sin(theta)", "-cos(theta)", "0"]
//!     .map(|text| parse_expression(&mut pool, text).unwrap())
//!     .to_vec();
//! let sleigh = Distribution::from_forms(&mut pool, &coordinates, &[blade], &mut budget)?;
//!
//! let Involutivity::NotIntegrable(obstruction) = frobenius(&mut pool, &sleigh, &mut budget)?
//! else {
//!     panic!("a blade is not a rail");
//! };
//! // alpha([drive, turn]) = 1: the bracket of the two allowed motions is not allowed.
//! assert_eq!((obstruction.first, obstruction.second), (0, 1));
//! assert_eq!(obstruction.value, ExprId::ONE);
//!
//! let flag = flag(&mut pool, &sleigh, &mut budget)?;
//! assert_eq!(flag.growth_vector, [2, 3]);
//! assert!(flag.bracket_generating && flag.proved);
//! # Ok::<(), isotrope_algebra::linear::LinearError>(())
//! ```
#![warn(missing_docs)]

pub mod calculus;
mod dirac;
mod distribution;
mod explicit;
mod exterior;
mod flag;
mod form;
mod frobenius;
mod generic_rank;
pub mod graded;
pub mod group;
#[cfg(test)]
mod testing;
mod tower;
mod two_form;
mod unevaluated;
mod vector_field;
mod work;

pub use dirac::{
    BasicTwoClass, Casimirs, Circle, CourantComponent, CourantTensor, DiracStructure, Generator,
    HorizontalPrimitive, Kernel, LeafDimension, RankAndDrops,
};
pub use distribution::Distribution;
pub use flag::{Flag, flag};
pub use form::annihilates;
pub use frobenius::{Involutivity, Obstruction, frobenius};
pub use generic_rank::generic_rank;
pub use two_form::{PrimitiveRoad, TwoForm, Unclosed, divisors};
pub use vector_field::{VectorField, apply_field, lie_bracket};
