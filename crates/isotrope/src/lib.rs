//! From a Lagrangian to its exact equations, their geometry, and integrators that keep it.
//!
//! This is the one way in: every front end (the command, a Python package, a page, a sweep)
//! turns what it is asked into a request, gets an [`Answer`] or a [`Failure`], and shows it. Defaults,
//! lists of methods, columns, budgets and refusals live here, once.
//!
//! ```text
//! bytes ─Model::parse▶ Model ─derive▶ System ─┬─check, geometry, port──────────────────▶ Answer
//!                                             ├─run, compare, convergence, drift, flow─▶ Answer
//!                                             └─report▶ text, …     ─scene▶ Scene
//! Methods, construct, conditions_of_*, trees, modified ────────────────────────────────▶ Answer
//! ```
//!
//! Nothing here prints or opens a file. Files are read through [`Files`], which the
//! caller brings in a [`Host`] together with a flag to stop, a watcher of progress,
//! and limits. Whatever is derived from a [`System`] is derived when something asks for it.
//!
//! ```
//! use isotrope::{Host, Model, Overrides, RunRequest};
//!
//! let file = br#"
//!     name = "pendulum"
//!     coordinates = ["x", "y"]
//!     parameters = { m = 1, l = 1, g = 9.81 }
//!     lagrangian.L = "m/2*(x'^2 + y'^2) - m*g*y"
//!     constraints.rod = "x^2 + y^2 = l^2"
//!     initial.position = { x = "l", y = 0 }
//!     initial.velocity = { x = 0, y = 0 }
//! "#;
//! let model = Model::parse("pendulum.toml", file, &Overrides::default())?;
//! let mut system = model.derive(&Host::new())?;
//!
//! // The multiplier is the force in the rod.
//! let derivation = system.derivation()?;
//! assert_eq!(derivation["multipliers"]["rod"], "m*(g*y - x'^2 - y'^2)/(2*(x^2 + y^2))");
//!
//! let request = RunRequest {
//!     method: Some("rattle".into()),
//!     step: Some("1/100".into()),
//!     time: Some("1".into()),
//!     ..RunRequest::default()
//! };
//! let report = system.run(&request)?;
//! assert_eq!(report.steps_done, 100);
//! assert!(report.errors.constraint_position_max.unwrap() < 1e-12);
//! # Ok::<(), isotrope::Failure>(())
//! ```
#![warn(missing_docs)]

mod answer;
mod asked;
mod constant;
mod construction;
mod explain;
mod expression;
mod failure;
mod host;
mod methods;
mod model;
#[cfg(feature = "files")]
mod rows;
mod schema;
mod structure;
mod studies;
mod system;
mod templates;

pub use answer::Answer;
pub use asked::{Reply, STUDIES, request};
pub use constant::constant_of;
pub use construction::{
    Conditions, ConditionsRequest, ConstructRequest, Construction, MODIFIED_ORDER, StructurePart,
    Structured, TreeFamily, TreesAnswer, TreesRequest, conditions_of_class, conditions_of_groups,
    conditions_of_model, construct, modified, trees,
};
pub use explain::{Explanation, ExplanationRecord, explain};
pub use expression::{Expression, Formula};
pub use failure::{Diagnostic, Failure, Label, Place, Refusal, SourceText};
pub use host::{Alarm, Bases, Cache, Event, Host, InThisProcess, Limits, NoCache, shares};
pub use isotrope_algebra::Stop;
pub use isotrope_model::codes::{self, Code};
pub use isotrope_output::apart::Apart;
#[cfg(feature = "files")]
pub use isotrope_output::files::Disk;
pub use isotrope_output::files::{FileError, FileIdentity, Files, NoFiles};
pub use isotrope_report::Format;
pub use isotrope_report::value;
pub use isotrope_study::compare::SortKey;
pub use isotrope_study::scene::{Posture, Scene, SceneBox, ScenePoint, SceneSource};
pub use methods::{Certificate, Certificates, Certification, Methods};
pub use model::{Model, ModelText, Overrides};
#[cfg(feature = "files")]
pub use rows::save_rows;
pub use schema::{answer_schema, answers, schema, schema_of};
pub use structure::{
    CheckAnswer, CheckRequest, DeriveRequest, Discretisation, GeometryAnswer, GeometryRequest,
    PortAnswer, PortRequest, component, connected, geometry,
};
pub use studies::{
    AdaptiveRequest, Asked, Backend, CompareRequest, ConvergenceRequest, Derivatives, DriftRequest,
    EnsembleAnswer, FlowAnswer, FlowCheck, FlowRequest, Members, Observed, Ready, RunAnswer,
    RunRequest, StabilityRequest, Stepping, Steps, Told, Watch,
};
pub use system::System;
pub use templates::{Template, file_name};

/// The crates behind the facade, for direct use.
pub mod rooms {
    pub use isotrope_algebra as algebra;
    pub use isotrope_certify as certify;
    pub use isotrope_construct as construct;
    pub use isotrope_derive as derive;
    pub use isotrope_geometry as geometry;
    pub use isotrope_kernel as kernel;
    pub use isotrope_methods as methods;
    pub use isotrope_model as model;
    pub use isotrope_output as output;
    pub use isotrope_report as report;
    pub use isotrope_scheme as scheme;
    pub use isotrope_structure as structure;
    pub use isotrope_study as study;
    pub use isotrope_tape as tape;
}

/// The examples of the documentation are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
struct Library;
