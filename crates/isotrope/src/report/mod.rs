//! What `derive` prints: one [`Document`] with three renderers, and JSON; and the page of a study,
//! a [`ReportPage`].

mod bodies;
mod comparison;
mod contents;
mod discrete;
mod document;
mod elimination;
mod html;
mod json;
mod latex;
mod page;
pub(crate) mod sections;
mod shared;
mod shell;
mod text;
pub(crate) mod wrap;

pub use comparison::{PageSource, comparison_page};
pub use contents::document;
pub use discrete::{DiscreteMomentum, DiscreteReport, NotMeasured, StructurePart, discretisation};
pub use document::{
    Basis, Block, Combination, Document, Equation, Fact, Formula, Inline, Section, Sign, Term,
};
pub use html::{Sections, sections, to_html};
pub use json::to_json;
pub(crate) use latex::escape as escape_latex;
pub use latex::to_latex;
pub(crate) use page::STYLE as PAGE_STYLE;
pub use page::{Align, Cell, Column, ReportPage, Table, Tone};
pub(crate) use shell::Shell;
pub use text::to_text;

pub(crate) use document::is_sum;
pub(crate) use latex::PREAMBLE;

use isotrope_scheme::derive::{Analysis, System};

/// How a derivation is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For a terminal with this many columns.
    Text {
        /// Columns.
        width: usize,
    },
    /// For programs.
    Json,
    /// A complete document.
    Latex,
    /// A self-contained page.
    Html,
}

/// Writes a derived and analysed system.
pub fn derivation(system: &mut System, analysis: &Analysis, format: Format) -> String {
    if format == Format::Json {
        return format!("{:#}\n", to_json(system, analysis));
    }
    let document = document(system, analysis);
    let pool = &system.model.pool;
    match format {
        Format::Latex => to_latex(&document, pool),
        Format::Html => to_html(&document, pool),
        Format::Text { width } => to_text(&document, pool, width),
        Format::Json => String::new(),
    }
}
