//! Expressions of one block printed together: long repeated parts get names.

use isotrope_algebra::print::{Format, Printer, Sharing};
use isotrope_algebra::{Budget, ExprId, Pool};
use rustc_hash::FxHashMap;

use super::document::{Block, Equation, Formula};

/// A block shares repeated parts when its equations have more nodes than this on average,
/// the first a few more.
const LONG: u64 = 90;
const FIRST: u64 = 130;

/// The printed expressions of a block.
#[derive(Debug, Default)]
pub(super) struct Shared {
    texts: FxHashMap<ExprId, String>,
    /// Names with what they stand for, to be written below the block.
    pub(super) definitions: Vec<(String, String)>,
}

impl Shared {
    /// Prints the expressions of a block of equations; of other blocks, nothing.
    pub(super) fn new(pool: &Pool, block: &Block, format: Format, budget: u64) -> Self {
        let Block::Equations(list) = block else { return Self::default() };
        let mut ids = Vec::new();
        for Equation { left, right, .. } in list {
            collect(left, &mut ids);
            collect(right, &mut ids);
        }
        let printer =
            Printer::new(format).sharing(Sharing::Above(FIRST + LONG * list.len() as u64));
        match printer.print(pool, &ids, &mut Budget::new(budget)) {
            Ok(printed) => Self {
                texts: ids.into_iter().zip(printed.expressions).collect(),
                definitions: printed.definitions,
            },
            // Each expression is then printed, or refused, on its own.
            Err(_) => Self::default(),
        }
    }

    pub(super) fn get(&self, id: ExprId) -> Option<&String> {
        self.texts.get(&id)
    }
}

fn collect(formula: &Formula, ids: &mut Vec<ExprId>) {
    match formula {
        Formula::Expression(id) => ids.push(*id),
        Formula::Combination(combination) => {
            ids.extend(combination.terms.iter().map(|term| term.coefficient));
        }
        Formula::Row(parts) => parts.iter().for_each(|part| collect(part, ids)),
        _ => {}
    }
}
