//! Runs and what is learnt from them.
//!
//! ```text
//! CSV ─ensemble▶ Ensemble
//! RunReport ─report▶ JSON, text
//! System, methods ─compare▶ Comparison ─▶ JSON, text, CSV, LaTeX
//! System ─recommend▶ Recommendation
//! System, methods ─convergence▶ Convergence ─▶ JSON, text
//! System ─stability▶ StabilityReport
//! System, method ─flow▶ FlowReport
//! System, methods ─structure▶ StructureReport
//! rows, errors ─pictures▶ Chart
//! System ─scene▶ Scene
//! ```
//!
//! Nothing here prints or opens a file: texts are returned, rows go to the sink of the caller.
#![warn(missing_docs)]

mod canonical;
mod clock;
pub mod compare;
pub mod convergence;
pub mod drift;
pub mod ensemble;
mod evaluated;
pub mod flow;
pub mod in_columns;
pub mod modified;
pub mod parallel;
pub mod pictures;
pub mod recommend;
pub mod report;
pub mod run;
pub mod scene;
pub mod stability;
pub mod structure;

pub use isotrope_kernel::integrate::{Sink, SinkError};
