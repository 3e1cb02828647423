//! The sections of a report, one file per subject.

pub(super) mod conservation;
pub(super) mod constraints;
pub(super) mod degenerate;
pub(super) mod geometry;
pub(super) mod group;
pub(crate) mod magnetic;
pub(super) mod mechanics;
pub(super) mod motion;
pub(super) mod reduction;
pub(super) mod singular;
pub(super) mod state;
pub(super) mod system;

use super::document::{Block, Equation, Formula, Inline};

/// Lists up to this length are shown whole.
pub(super) const WHOLE: usize = 12;
/// Of longer lists this many items are shown.
pub(super) const FIRST: usize = 4;

/// How many items of a list of this length are shown.
pub(super) fn shown(length: usize) -> usize {
    if length > WHOLE { FIRST } else { length }
}

/// The equations that are shown of a list, with a line that counts the others.
pub(super) fn equations(
    blocks: &mut Vec<Block>,
    length: usize,
    equation: impl FnMut(usize) -> Equation,
) {
    let count = shown(length);
    blocks.push(Block::Equations((0..count).map(equation).collect()));
    if count < length {
        blocks.push(Block::words(format!("… and {} more", length - count)));
    }
}

/// Words.
pub(super) fn words(text: impl Into<String>) -> Inline {
    Inline::Words(text.into())
}

/// A formula within a line.
pub(super) fn math(formula: impl Into<Formula>) -> Inline {
    Inline::Math(formula.into())
}

/// `1 constraint`, `2 constraints`.
pub(super) fn count(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}
