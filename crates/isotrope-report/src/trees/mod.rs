//! Lists of coloured trees as text, JSON and LaTeX.

mod gallery;
mod json;
mod latex;
mod text;

pub use json::{TreesRecord, to_json};
pub use latex::to_latex;
pub use text::to_text;
