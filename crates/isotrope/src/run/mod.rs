//! What `isotrope run` reads and prints besides the report of a run.

mod constant;
mod ensemble;
mod method;
mod methods;
mod pictures;

pub(crate) use constant::constant;
pub(crate) use ensemble::{to_json as ensemble_to_json, to_text as ensemble_to_text};
pub(crate) use method::method;
pub(crate) use methods::{methods, suggested};
pub(crate) use pictures::{Drawing, Drawings, Kept};
