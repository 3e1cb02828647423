//! What an explanation is made of, before it is written in a format.

use isotrope_output::plot::Chart;

use super::formula::{Formula, Line};
use super::sketch::Sketch;

/// A part of the explanation.
pub(super) struct Section {
    /// A short name for links.
    pub id: &'static str,
    /// The heading.
    pub title: &'static str,
    /// What it says.
    pub blocks: Vec<Block>,
}

/// A piece of a section.
pub(super) enum Block {
    /// Running text.
    Paragraph(Vec<Inline>),
    /// A heading below the section's.
    Heading(String),
    /// Equations below each other, aligned at the equals sign.
    Equations(Vec<(Formula, Formula)>),
    /// Formulas that may be long, one below the other.
    Lines(Vec<Line>),
    /// A table with headings.
    Table(Vec<String>, Vec<Vec<Vec<Inline>>>),
    /// Trees with their conditions.
    Trees(Vec<DrawnTree>),
    /// Tableaux side by side.
    Tableaux(Vec<Tableau>),
    /// Labels with what belongs to them.
    Facts(Vec<(String, Vec<Inline>)>),
    /// What is long and not read by everyone.
    Folded(String, Vec<Block>),
    /// A picture with what it shows.
    Picture(String, Box<Chart>),
    /// Text as it is.
    Code(String),
}

/// Words or a formula within a line.
#[derive(Clone)]
pub(super) enum Inline {
    Words(String),
    Math(Formula),
}

/// A tree, drawn, with its condition.
pub(super) struct DrawnTree {
    pub sketch: Sketch,
    /// For the LaTeX package `forest`.
    pub forest: String,
    pub name: Formula,
    pub condition: Formula,
    pub mark: Option<&'static str>,
}

/// A table as books print it.
pub(super) struct Tableau {
    /// The nodes, the sums of the rows.
    pub nodes: Vec<Formula>,
    pub rows: Vec<Vec<Formula>>,
    /// Weights with their letters.
    pub weights: Vec<(Formula, Vec<Formula>)>,
    /// The letter of the matrix.
    pub title: Formula,
}

/// Does not follow from the conditions before it.
pub(super) const NEW: &str = "new";
/// Follows from them.
pub(super) const FOLLOWS: &str = "follows";

/// Words.
pub(super) fn words(text: impl Into<String>) -> Inline {
    Inline::Words(text.into())
}

/// A formula.
pub(super) fn math(formula: Formula) -> Inline {
    Inline::Math(formula)
}

/// A paragraph of words.
pub(super) fn paragraph(text: impl Into<String>) -> Block {
    Block::Paragraph(vec![words(text)])
}

/// `1 condition`, `2 conditions`.
pub(super) fn count(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

/// The mark of a condition of a level, if it is known what is new in it.
pub(super) fn mark(new: Option<&Vec<usize>>, number: usize) -> Option<&'static str> {
    new.map(|new| if new.contains(&number) { NEW } else { FOLLOWS })
}
