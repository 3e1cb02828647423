//! The structure conditions of a class or of one problem as text, JSON and LaTeX.

mod json;
mod latex;
mod problem;
mod text;

pub use json::{ConditionsRecord, problem_to_json, to_json};
pub use latex::to_latex;
pub use problem::{problem_to_latex, problem_to_text};
pub use text::to_text;
