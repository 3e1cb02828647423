//! Writing a layout out: one loop with its own stack, whatever the format.

use super::layout::{Layout, ShapeId};
use crate::{Budget, OutOfBudget};

/// How tightly a place binds: what stands there with less gets parentheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// Anything may stand here.
    Sum,
    /// A term of a sum.
    Product,
    /// A factor of a product.
    Power,
    /// The base of a power.
    Atom,
}

/// A piece of output, or a shape that is still to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    Static(&'static str),
    Text(String),
    Shape(ShapeId, Level),
}

impl From<&'static str> for Piece {
    fn from(text: &'static str) -> Self {
        Self::Static(text)
    }
}

impl From<String> for Piece {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// An output format.
pub(super) trait Renderer {
    /// What a budget that runs out was spent on.
    const DOING: &'static str;

    /// Writes one shape as pieces, from left to right.
    fn pieces(&self, layout: &Layout, id: ShapeId, level: Level, out: &mut Vec<Piece>);

    /// Writes a name.
    fn name(&self, name: &str) -> String;
}

/// Writes a shape and all below it; every piece and every byte costs.
pub(super) fn render<R: Renderer>(
    renderer: &R,
    layout: &Layout,
    root: ShapeId,
    budget: &mut Budget,
) -> Result<String, OutOfBudget> {
    let mut text = String::new();
    let mut stack = vec![Piece::Shape(root, Level::Sum)];
    let mut pieces = Vec::new();
    while let Some(piece) = stack.pop() {
        match piece {
            Piece::Static(part) => {
                budget.spend(part.len() as u64, R::DOING)?;
                text.push_str(part);
            }
            Piece::Text(part) => {
                budget.spend(part.len() as u64, R::DOING)?;
                text.push_str(&part);
            }
            Piece::Shape(id, level) => {
                renderer.pieces(layout, id, level, &mut pieces);
                budget.spend(pieces.len() as u64, R::DOING)?;
                stack.extend(pieces.drain(..).rev());
            }
        }
    }
    Ok(text)
}

/// Pieces of a list with separators.
pub(super) fn list(
    out: &mut Vec<Piece>,
    items: impl IntoIterator<Item = ShapeId>,
    level: Level,
    separator: &'static str,
) {
    for (position, item) in items.into_iter().enumerate() {
        if position > 0 {
            out.push(Piece::Static(separator));
        }
        out.push(Piece::Shape(item, level));
    }
}

/// Rows of a system's matrix, with `None` for the zeros.
pub(super) fn dense_rows(
    size: usize,
    entries: &[(u32, u32, ShapeId)],
) -> Vec<Vec<Option<ShapeId>>> {
    let mut rows = vec![vec![None; size]; size];
    for &(row, column, value) in entries {
        let place = rows.get_mut(row as usize).and_then(|row| row.get_mut(column as usize));
        if let Some(place) = place {
            *place = Some(value);
        }
    }
    rows
}

/// Systems up to this size are written as a full matrix.
pub(super) const DENSE_SIZE: usize = 6;
