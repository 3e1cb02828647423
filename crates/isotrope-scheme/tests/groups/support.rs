//! What the tests share.

use isotrope_scheme::construct::problem::Problem;
use isotrope_scheme::construct::problem::file::{ProblemText, parse_problem};
use isotrope_scheme::methods::classes::Condition;
use isotrope_scheme::methods::trees::Trees;

/// A problem that must be readable.
pub fn problem(file: &str) -> Problem {
    parse_problem(&ProblemText::new("test.toml", file.as_bytes())).unwrap()
}

/// A shipped problem.
pub fn shipped(name: &str) -> Problem {
    let path = format!("{}/../../models/groups/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    problem(&std::fs::read_to_string(path).unwrap())
}

/// Conditions as text.
pub fn texts(trees: &Trees, conditions: &[Condition]) -> Vec<String> {
    conditions.iter().map(|condition| condition.text(trees)).collect()
}
