//! What `port` prints: one document with three renderers, and JSON.

mod contents;
mod json;

pub use contents::document;
pub use json::{PortRecord, to_json};

use isotrope_algebra::{ExprId, Pool};
use isotrope_structure::port::{Condition, Problem, Recovery, Verdict};

use crate::structure::Heading;
use crate::{Format, to_html, to_latex, to_text};

/// What was recovered of which equations.
#[derive(Debug)]
pub struct PortReport<'a> {
    /// Name and description of the model.
    pub heading: Heading,
    /// The equations.
    pub problem: &'a Problem,
    /// What was found.
    pub recovery: &'a Recovery,
    /// When a positive definite quadratic function is kept, for linear systems without velocities
    /// in their forces.
    pub definite_invariant: Option<Verdict>,
}

/// Writes what was recovered.
pub fn write(pool: &mut Pool, report: &PortReport<'_>, format: Format) -> String {
    if format == Format::Json {
        return format!("{:#}\n", to_json(pool, report));
    }
    let document = document(pool, report);
    match format {
        Format::Latex => to_latex(&document, pool),
        Format::Html => to_html(&document, pool),
        Format::Text { width } => to_text(&document, pool, width),
        Format::Json => String::new(),
    }
}

/// `A*m - 1 != 0`.
fn condition(pool: &Pool, condition: &Condition) -> String {
    format!("{} {} 0", text(pool, condition.expression), condition.relation.sign())
}

/// An expression as text that parses back.
fn text(pool: &Pool, id: ExprId) -> String {
    // Whatever was computed within a budget can be printed within one.
    let budget = &mut isotrope_algebra::Budget::new(100_000_000);
    isotrope_algebra::print::to_text(pool, id, budget).unwrap_or_else(|_| "…".to_owned())
}

fn names(pool: &Pool, symbols: &[ExprId]) -> Vec<String> {
    symbols.iter().map(|&x| pool.label(x)).collect()
}

/// `x = 0, y = 1`.
fn point(pool: &Pool, list: &[(ExprId, ExprId)]) -> String {
    let part =
        |&(x, value): &(ExprId, ExprId)| format!("{} = {}", text(pool, x), text(pool, value));
    list.iter().map(part).collect::<Vec<_>>().join(", ")
}
