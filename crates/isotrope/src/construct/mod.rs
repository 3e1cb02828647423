//! `isotrope construct`: the question, the answer, and how it is told.

mod answer;
mod ask;
mod engine;
pub mod explain;
mod json;
mod save;
mod text;

pub use answer::{Answer, Certified, CertifiedMethod, Choice, Claims, answer};
pub use ask::{Asked, ConstructError, Source, Wanted, ask};
pub use engine::{LimitedEngine, WORKER, serve};
pub use json::to_json;
pub use save::{is_table, saved};
pub use text::to_text;
