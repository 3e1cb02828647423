//! Geometric objects from files and models, and what is computed of them.
//!
//! [`file`] reads geometry files, [`examine`] computes the properties of the object:
//! isotropy, rank, Courant tensor, Casimir functions and kernel of the Dirac structure that it
//! is or has; the homological vector field and its square; cohomology. A mechanical model has
//! the structure `D_Delta` of its constraints ([`examine_model`]).

mod dirac;
mod error;
mod examine;
pub mod file;
mod graded;
mod report;

pub use error::GeometryError;
pub(crate) use examine::homological_of_bivector;
pub use examine::{examine, examine_model};
pub use report::{
    DiracReport, FunctionReport, GeometryReport, GradedExpression, GradedTerm, HomologicalReport,
    ObjectKind, Scope, TextOf, TwoClassReport,
};
