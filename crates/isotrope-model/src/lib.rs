//! Model files: a TOML text becomes a typed, exact [`Model`], or a list of everything
//! that is wrong with it, each error with a place, a reason and a way out.
//!
//! This crate is the boundary to hostile input: whatever the bytes are, [`parse_model`]
//! answers within fixed limits of time and memory and never panics.
//!
//! Bytes are checked (size, UTF-8, control characters, number of entries) before the TOML reader
//! sees them. TOML errors are found one after the other by blanking the offending line and reading
//! again, so all are reported and spans stay right. Text keeps a map back to its place in the file,
//! through escapes (`text.rs`). Names are resolved into a scope; definitions and parameters are
//! lowered on demand by a stack machine that can wait for another expression (`work.rs`), so
//! circles are found and nothing recurses. All limits are in `limits.rs`.
#![warn(missing_docs)]

mod build;
pub mod codes;
mod components;
mod diagnostics;
pub mod document;
mod expression;
mod family;
pub mod file_errors;
pub mod files;
mod group;
mod initial;
mod key;
mod limits;
mod magnetic;
mod model;
mod open;
mod parameters;
mod read;
mod resolve;
mod scene;
mod schema;
mod scope;
mod state;
mod systems;
mod text;
mod units;
mod work;

pub use build::parse_model;
pub use codes::{Code, ModelCode};
pub use diagnostics::{Label, ModelError, Place, Source};
pub use group::{GroupKind, LieGroup};
pub use isotrope_algebra::syntax::Span;
pub use model::{
    AdaptiveDefaults, Constraint, Coordinate, GaugeCondition, Initial, MagneticEntry, MagneticForm,
    Model, OwnDiscreteLagrangian, Parameter, RunDefaults, SystemKind, TimeRate,
};
pub use scene::{SceneBody, SceneModel};
pub use schema::schema;
pub use state::{DescriptorModel, Effort, Input, MatrixEntry, Output, StateKind, StateModel};
pub use systems::{SINGULAR, SystemTable};
pub use text::Text;
pub use units::Units;

/// The texts a model is made of: the file and the command-line arguments that change it.
#[derive(Debug, Clone, Default)]
pub struct ModelText<'a> {
    /// The name of the file, for messages and as a fallback for the name of the model.
    pub name: &'a str,
    /// The bytes of the file.
    pub bytes: &'a [u8],
    /// Arguments of `--set`, each `name=value`.
    pub set: Vec<&'a str>,
    /// Arguments of `--initial`, each `x=value`, `x'=value` or `p_x=value`.
    pub initial: Vec<&'a str>,
}

impl<'a> ModelText<'a> {
    /// A file without overrides.
    pub fn new(name: &'a str, bytes: &'a [u8]) -> Self {
        Self { name, bytes, ..Self::default() }
    }
}
