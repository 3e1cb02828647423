//! What `geometry` prints: one document with three renderers, and JSON.

mod contents;
mod json;

pub use contents::document;
pub use json::to_json;

use isotrope_algebra::Pool;
use isotrope_scheme::geometry::GeometryReport;

use crate::report::{Format, to_html, to_latex, to_text};

/// The name of an object and what its author says about it.
#[derive(Debug, Clone)]
pub struct Heading {
    /// The name.
    pub name: String,
    /// The description.
    pub description: Option<String>,
}

/// Writes what is known of a geometric object.
pub fn write(
    pool: &mut Pool,
    heading: &Heading,
    report: &GeometryReport,
    format: Format,
) -> String {
    if format == Format::Json {
        return format!("{:#}\n", to_json(pool, heading, report));
    }
    let document = document(pool, heading, report);
    match format {
        Format::Latex => to_latex(&document, pool),
        Format::Html => to_html(&document, pool),
        Format::Text { width } => to_text(&document, pool, width),
        Format::Json => String::new(),
    }
}
