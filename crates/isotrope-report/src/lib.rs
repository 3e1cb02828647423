//! Reports: derivations, certificates, studies as text, JSON, LaTeX and HTML.
//!
//! A derivation is one [`Document`] with one walk (`render.rs`) for three renderers, and JSON; the
//! page of a study is a [`ReportPage`]. Nothing here reads or writes files: texts are returned.
//!
//! A report is first a [`Document`] of words and formulas, filled by `sections/`, then text, LaTeX
//! or HTML; JSON is written beside it from the same data. Long repeated parts get names
//! (`shared.rs`), long lines break where a reader would break them (`wrap.rs`), and long lists say
//! how many entries they left out.
#![warn(missing_docs)]

mod bodies;
pub mod check;
mod comparison;
pub mod conditions;
pub mod construct;
mod contents;
mod discrete;
mod document;
mod elimination;
pub mod ensemble;
mod html;
mod json;
mod latex;
pub mod methods;
pub mod modified;
mod page;
pub mod port;
mod render;
pub(crate) mod sections;
mod shared;
mod shell;
pub mod structure;
mod text;
pub mod trees;

pub use comparison::{PageSource, comparison_page};
pub use contents::document;
pub use discrete::{
    DiscreteMomentum, DiscreteRecord, DiscreteReport, NotMeasured, StructurePart, discretisation,
};
pub use document::{
    Basis, Block, Combination, Document, Equation, Fact, Formula, Inline, Section, Sign, Term,
};
pub use html::{Sections, sections, to_html};
pub(crate) use html::{displayed, sides};
pub use json::{DerivationRecord, Named, to_json, value};
pub use latex::to_latex;
pub(crate) use page::STYLE as PAGE_STYLE;
pub use page::{Align, Cell, Column, ReportPage, Table, Tone};
pub(crate) use shell::Shell;
pub use text::to_text;

pub(crate) use document::is_sum;
pub(crate) use latex::PREAMBLE;

use isotrope_derive::{Analysis, System};

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
