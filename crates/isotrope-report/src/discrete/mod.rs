//! What `derive --discrete` prints: a discrete Lagrangian with its equations, its momenta, and the
//! discrete Dirac structures it lives in.

mod dirac;
mod gather;
mod json;
mod sections;

pub use gather::{DiscreteMomentum, DiscreteReport, NotMeasured, StructurePart};
pub use json::DiscreteRecord;

use isotrope_algebra::normal::Zero;
use isotrope_derive::{Analysis, System};

use super::document::Document;
use super::{Format, to_html, to_latex, to_text};

/// Writes a discrete Lagrangian of a system.
pub fn discretisation(
    system: &System,
    analysis: &Analysis,
    report: &mut DiscreteReport,
    format: Format,
) -> String {
    if format == Format::Json {
        return format!("{:#}\n", json::to_json(system, report));
    }
    let document = document(system, analysis, report);
    let pool = &report.action.pool;
    match format {
        Format::Latex => to_latex(&document, pool),
        Format::Html => to_html(&document, pool),
        Format::Text { width } => to_text(&document, pool, width),
        Format::Json => String::new(),
    }
}

fn document(system: &System, analysis: &Analysis, report: &mut DiscreteReport) -> Document {
    let mut parts = vec![
        sections::lagrangian(report),
        sections::legendre(system, report),
        sections::equations_of_motion(system, analysis, report),
        sections::properties(analysis, report),
        sections::step(report),
    ];
    parts.extend(dirac::structures(system, report));
    parts.extend(dirac::first(system, report));
    Document {
        title: format!("{}: {}", system.model.name, report.method),
        description: system.model.description.clone(),
        sections: parts,
    }
}

/// How an answer is called.
fn answer(zero: Zero) -> &'static str {
    match zero {
        Zero::Yes => "yes",
        Zero::No => "no",
        Zero::Unknown { .. } => "not decided",
    }
}
