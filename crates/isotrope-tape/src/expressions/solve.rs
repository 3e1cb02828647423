//! Linear systems of the pool.

use isotrope_algebra::System;
use rustc_hash::FxHashMap;

use super::plan::Planner;
use super::{ExpressionError, Slot, Step};
use crate::{Builder, Elimination, Factors, ValueId};

/// The matrix of one system or several.
#[derive(Debug, Clone)]
pub(super) struct Matrix {
    elimination: Elimination,
    entries: Vec<Slot>,
}

/// Entries of a matrix: row, column and value.
type Entries = Box<[(u32, u32, Slot)]>;

/// All matrices. Derivatives of a solution are solutions with the same matrix.
#[derive(Debug, Default)]
pub(super) struct Matrices {
    list: Vec<Matrix>,
    known: FxHashMap<(usize, Entries), u32>,
}

impl Matrices {
    pub(super) fn into_list(self) -> Vec<Matrix> {
        self.list
    }

    fn find(&mut self, size: usize, entries: Entries) -> Result<u32, ExpressionError> {
        if let Some(&known) = self.known.get(&(size, entries.clone())) {
            return Ok(known);
        }
        let pattern: Vec<(usize, usize)> =
            entries.iter().map(|&(i, j, _)| (i as usize, j as usize)).collect();
        let symmetric = is_symmetric(&entries);
        let limit = Elimination::LIMIT;
        let elimination = Elimination::plan(size, &pattern, symmetric, None, limit)?;
        let slots = entries.iter().map(|&(.., slot)| slot).collect();
        let number = self.list.len() as u32;
        self.list.push(Matrix { elimination, entries: slots });
        self.known.insert((size, entries), number);
        Ok(number)
    }
}

/// Is every entry the same as its mirror image?
fn is_symmetric(entries: &[(u32, u32, Slot)]) -> bool {
    let places: FxHashMap<(u32, u32), Slot> =
        entries.iter().map(|&(i, j, slot)| ((i, j), slot)).collect();
    entries.iter().all(|&(i, j, slot)| places.get(&(j, i)) == Some(&slot))
}

/// Plans the elimination of a system whose entries are planned.
pub(super) fn plan(planner: &mut Planner<'_>, system: System<'_>) -> Result<Step, ExpressionError> {
    let entries = system.entries().map(|(i, j, value)| (i, j, planner.known(value))).collect();
    let right = system.right().map(|value| planner.known(value)).collect();
    let matrix = planner.matrices.find(system.size(), entries)?;
    Ok(Step::System(matrix, right))
}

impl Matrix {
    /// Records the solution for a right-hand side; the first one leaves the factors for others.
    pub(super) fn solve(
        &self,
        builder: &mut Builder,
        values: &[ValueId],
        right: &[Slot],
        factors: &mut Option<Factors>,
    ) -> Vec<ValueId> {
        let pick = |slot: &Slot| values[slot.0 as usize];
        let right: Vec<ValueId> = right.iter().map(pick).collect();
        if let Some(factors) = factors {
            return self.elimination.record_again(builder, factors, &right);
        }
        let entries: Vec<ValueId> = self.entries.iter().map(pick).collect();
        let solved = self.elimination.record(builder, &entries, &right, None);
        *factors = Some(solved.factors);
        solved.solution
    }
}
