//! `construct`: how an answer is presented.

pub mod explain;
mod json;
mod text;

pub use json::{ConstructionRecord, to_json};
pub use text::to_text;
