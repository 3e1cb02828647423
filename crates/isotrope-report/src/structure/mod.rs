//! What `geometry` prints: one document with three renderers, and JSON.

mod contents;
pub(crate) mod json;

pub use contents::document;
pub use json::{GeometryRecord, to_json};

use isotrope_algebra::Pool;
use isotrope_structure::geometry::GeometryReport;
use isotrope_study::structure::StructureReport;

use crate::{Format, to_html, to_latex, to_text};

/// The name of an object and what its author says about it.
#[derive(Debug, Clone)]
pub struct Heading {
    /// The name.
    pub name: String,
    /// The description.
    pub description: Option<String>,
}

/// Writes what is known of a geometric object, and of trajectories of a model.
pub fn write(
    pool: &mut Pool,
    heading: &Heading,
    report: &GeometryReport,
    trajectories: Option<&StructureReport>,
    format: Format,
) -> String {
    if format == Format::Json {
        return format!("{:#}\n", to_json(pool, heading, report, trajectories));
    }
    let document = document(pool, heading, report, trajectories);
    match format {
        Format::Latex => to_latex(&document, pool),
        Format::Html => to_html(&document, pool),
        Format::Text { width } => to_text(&document, pool, width),
        Format::Json => String::new(),
    }
}
