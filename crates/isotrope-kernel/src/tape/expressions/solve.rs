//! Small linear systems, eliminated in straight-line code.

use isotrope_algebra::System;

use super::plan::Planner;
use super::{ExpressionError, Slot};
use crate::math::Arithmetic;
use crate::tape::{Builder, ValueId};

/// Larger systems are not written out.
pub(super) const LARGEST: usize = 32;

/// A system `A x = b` with the order of its pivots.
///
/// The order is chosen by the pattern of zeros: among the pivots that need the fewest operations
/// (Markowitz), one on the diagonal if there is one; mass matrices have their large numbers there.
#[derive(Debug, Clone)]
pub(super) struct Elimination {
    size: usize,
    entries: Vec<(usize, usize, Slot)>,
    right: Vec<Slot>,
    /// (row, column), in order.
    pivots: Vec<(usize, usize)>,
    /// Is the matrix symmetric, with all pivots on the diagonal? Then half of it is enough.
    symmetric: bool,
}

impl Elimination {
    pub(super) fn plan(
        planner: &mut Planner<'_>,
        system: System<'_>,
    ) -> Result<Self, ExpressionError> {
        let size = system.size();
        if size > LARGEST {
            return Err(ExpressionError::SystemTooLarge { size, limit: LARGEST });
        }
        let entries: Vec<(usize, usize, Slot)> = system
            .entries()
            .map(|(i, j, value)| (i as usize, j as usize, planner.known(value)))
            .collect();
        let right = system.right().map(|value| planner.known(value)).collect();
        let mut pattern = vec![0u32; size];
        for &(i, j, _) in &entries {
            pattern[i] |= 1 << j;
        }
        let pivots = pivots(pattern).ok_or(ExpressionError::SingularSystem { size })?;
        let at = |i: usize, j: usize| {
            entries.iter().find(|entry| (entry.0, entry.1) == (i, j)).map(|entry| entry.2)
        };
        let symmetric = pivots.iter().all(|&(row, column)| row == column)
            && entries.iter().all(|&(i, j, slot)| i <= j || at(j, i) == Some(slot))
            && entries.iter().filter(|entry| entry.0 < entry.1).count()
                == entries.iter().filter(|entry| entry.0 > entry.1).count();
        Ok(Self { size, entries, right, pivots, symmetric })
    }

    /// Records the elimination; gives the solution.
    pub(super) fn record(&self, builder: &mut Builder, values: &[ValueId]) -> Vec<ValueId> {
        let size = self.size;
        let mut matrix: Vec<Option<ValueId>> = vec![None; size * size];
        for &(i, j, slot) in &self.entries {
            matrix[i * size + j] = Some(values[slot.0 as usize]);
        }
        let mut right: Vec<ValueId> =
            self.right.iter().map(|slot| values[slot.0 as usize]).collect();
        let one = builder.constant(1.0);
        let (mut rows, mut columns) = (vec![true; size], vec![true; size]);
        let mut inverses = Vec::with_capacity(size);
        for &(row, column) in &self.pivots {
            (rows[row], columns[column]) = (false, false);
            // The plan has put an entry here.
            let pivot = matrix[row * size + column].unwrap_or(one);
            let inverse = builder.div(one, pivot);
            inverses.push(inverse);
            for i in (0..size).filter(|&i| rows[i]) {
                let Some(entry) = matrix[i * size + column] else { continue };
                let factor = builder.mul(entry, inverse);
                let from = if self.symmetric { i } else { 0 };
                for j in (from..size).filter(|&j| columns[j]) {
                    let Some(above) = matrix[row * size + j] else { continue };
                    let part = builder.mul(factor, above);
                    let updated = match matrix[i * size + j] {
                        Some(old) => builder.sub(old, part),
                        None => builder.neg(part),
                    };
                    matrix[i * size + j] = Some(updated);
                    if self.symmetric {
                        matrix[j * size + i] = Some(updated);
                    }
                }
                let part = builder.mul(factor, right[row]);
                right[i] = builder.sub(right[i], part);
            }
        }
        let mut solution: Vec<Option<ValueId>> = vec![None; size];
        for (&(row, column), &inverse) in self.pivots.iter().zip(&inverses).rev() {
            let mut value = right[row];
            for j in 0..size {
                if let (Some(entry), Some(known)) = (matrix[row * size + j], solution[j]) {
                    let part = builder.mul(entry, known);
                    value = builder.sub(value, part);
                }
            }
            solution[column] = Some(builder.mul(value, inverse));
        }
        solution.into_iter().map(|value| value.unwrap_or(one)).collect()
    }
}

/// The order of pivots for a pattern of nonzero entries (a word for each row), fill included.
fn pivots(mut pattern: Vec<u32>) -> Option<Vec<(usize, usize)>> {
    let size = pattern.len();
    let mut rows: Vec<usize> = (0..size).collect();
    let mut found = Vec::with_capacity(size);
    while !rows.is_empty() {
        let mut best: Option<((bool, u32), usize, usize)> = None;
        for &i in &rows {
            let across = pattern[i].count_ones();
            for j in (0..size).filter(|&j| pattern[i] >> j & 1 == 1) {
                let down = rows.iter().filter(|&&k| pattern[k] >> j & 1 == 1).count() as u32;
                let cost = (i != j, (across - 1) * (down - 1));
                if best.is_none_or(|(known, ..)| cost < known) {
                    best = Some((cost, i, j));
                }
            }
        }
        let (_, row, column) = best?;
        rows.retain(|&i| i != row);
        let fill = pattern[row] & !(1 << column);
        for &i in &rows {
            if pattern[i] >> column & 1 == 1 {
                pattern[i] = (pattern[i] | fill) & !(1 << column);
            }
        }
        found.push((row, column));
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tridiagonal_system_has_no_fill() {
        let size = 12usize;
        let pattern: Vec<u32> =
            (0..size).map(|i| ((0b111 << i) >> 1) & ((1 << size) - 1)).collect();
        let order = pivots(pattern).unwrap();
        assert!(order.iter().all(|(i, j)| i == j));
        // Each pivot is an end of what is left of the chain.
        let mut left: Vec<usize> = (0..size).collect();
        for (i, _) in order {
            let neighbours =
                [i.wrapping_sub(1), i + 1].iter().filter(|&k| left.contains(k)).count();
            assert!(neighbours <= 1);
            left.retain(|&k| k != i);
        }
    }

    #[test]
    fn a_saddle_point_begins_with_the_mass_matrix() {
        // Two masses, one constraint on both: the zero in the corner fills up.
        let order = pivots(vec![0b101, 0b110, 0b011]).unwrap();
        assert_eq!(order, [(0, 0), (1, 1), (2, 2)]);
    }

    #[test]
    fn a_zero_row_is_singular() {
        assert_eq!(pivots(vec![0b11, 0]), None);
        assert_eq!(pivots(vec![0b10, 0b01]).map(|order| order.len()), Some(2));
    }
}
