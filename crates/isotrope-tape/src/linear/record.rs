//! Recording an elimination.

use super::Elimination;
use crate::math::Arithmetic;
use crate::{Builder, ValueId};

/// A recorded elimination.
#[derive(Debug, Clone)]
pub struct Solved {
    /// The solution.
    pub solution: Vec<ValueId>,
    /// If asked for: the smallest over the pivots of |pivot| / (largest |number| in what is left of
    /// its column), at most 1, with rows in units of their sizes. An order of pivots that is bad for the numbers of the moment shows
    /// here; one that is impossible (a pivot is zero) makes the solution infinite or NaN.
    pub smallest: Option<ValueId>,
    /// The eliminated matrix, for further right-hand sides.
    pub factors: Factors,
}

/// A matrix after its elimination.
#[derive(Debug, Clone)]
pub struct Factors {
    /// Entries in the order of [`Elimination::columns`].
    matrix: Vec<Option<ValueId>>,
    /// One over each pivot.
    inverses: Vec<ValueId>,
    /// What a row below a pivot is multiplied with, in the order of [`Elimination::below`].
    factors: Vec<ValueId>,
}

/// Rows whose sizes differ by less are compared as they are.
const ALIKE: std::ops::RangeInclusive<f64> = 1e-2..=1e2;

/// The size of one row in units of another.
fn ratio(rows: Option<&[f64]>, one: u32, other: u32) -> f64 {
    let size = |row: u32| rows.and_then(|rows| rows.get(row as usize)).copied().unwrap_or(1.0);
    let ratio = size(one) / size(other);
    if ratio.is_normal() { ratio } else { 1.0 }
}

impl Elimination {
    /// Records the solution of `A x = right` for the entries of `A`, in the order of the pattern,
    /// and, if `watch` has the sizes of its rows, what tells whether the pivots are good.
    pub fn record(
        &self,
        builder: &mut Builder,
        entries: &[ValueId],
        right: &[ValueId],
        watch: Option<&[f64]>,
    ) -> Solved {
        let one = builder.constant(1.0);
        let mut factors = Factors {
            matrix: vec![None; self.columns.len()],
            inverses: Vec::with_capacity(self.size),
            factors: Vec::with_capacity(self.below.len()),
        };
        for (position, &entry) in self.input.iter().zip(entries) {
            if let Some(position) = *position {
                factors.matrix[position as usize] = Some(entry);
            }
        }
        let mut right = right.to_vec();
        let mut eliminated = vec![false; self.size];
        // Positions and columns of the row of the pivot.
        let mut across: Vec<(usize, u32)> = Vec::new();
        let mut growth = watch.map(|_| one);
        for (pivot, range) in self.steps() {
            eliminated[pivot.column as usize] = true;
            let below = &self.below[range];
            across.clear();
            if self.symmetric {
                let position = |&column: &u32| Some((self.position(pivot.row, column)?, column));
                across.extend(below.iter().filter_map(position));
            } else {
                let left = self.row(pivot.row).map(|at| (at, self.columns[at]));
                across.extend(left.filter(|&(_, column)| !eliminated[column as usize]));
            }
            // The plan has put an entry here.
            let number = self.entry(&factors, pivot.row, pivot.column).unwrap_or(one);
            let inverse = builder.div(one, number);
            factors.inverses.push(inverse);
            for (k, &i) in below.iter().enumerate() {
                let entry = self.entry(&factors, i, pivot.column).unwrap_or(one);
                let factor = builder.mul(entry, inverse);
                factors.factors.push(factor);
                growth = growth.map(|growth| {
                    let mut size = builder.abs(factor);
                    let ratio = ratio(watch, pivot.row, i);
                    if !ALIKE.contains(&ratio) {
                        let ratio = builder.constant(ratio);
                        size = builder.mul(ratio, size);
                    }
                    builder.max(size, growth)
                });
                // Rows below a symmetric pivot are the columns across it.
                let from = if self.symmetric { k } else { 0 };
                for &(position, j) in &across[from..] {
                    let Some(above) = factors.matrix[position] else { continue };
                    let Some(target) = self.position(i, j) else { continue };
                    let part = builder.mul(factor, above);
                    let updated = match factors.matrix[target] {
                        Some(old) => builder.sub(old, part),
                        None => builder.neg(part),
                    };
                    factors.matrix[target] = Some(updated);
                }
                forward(builder, &mut right, pivot.row, i, factor);
            }
        }
        let smallest = growth.map(|growth| builder.div(one, growth));
        let solution = self.back(builder, &factors, &right);
        Solved { solution, smallest, factors }
    }

    /// Records the solution for another right-hand side.
    pub fn record_again(
        &self,
        builder: &mut Builder,
        factors: &Factors,
        right: &[ValueId],
    ) -> Vec<ValueId> {
        let mut right = right.to_vec();
        for (pivot, range) in self.steps() {
            for (&i, &factor) in self.below[range.clone()].iter().zip(&factors.factors[range]) {
                forward(builder, &mut right, pivot.row, i, factor);
            }
        }
        self.back(builder, factors, &right)
    }

    fn entry(&self, factors: &Factors, row: u32, column: u32) -> Option<ValueId> {
        factors.matrix[self.position(row, column)?]
    }

    /// From the last pivot to the first.
    fn back(&self, builder: &mut Builder, factors: &Factors, right: &[ValueId]) -> Vec<ValueId> {
        let mut solution: Vec<Option<ValueId>> = vec![None; self.size];
        for ((pivot, range), &inverse) in self.steps().zip(&factors.inverses).rev() {
            let mut value = right[pivot.row as usize];
            let mut subtract = |position: usize, column: u32| {
                if let (Some(entry), Some(known)) =
                    (factors.matrix[position], solution[column as usize])
                {
                    let part = builder.mul(entry, known);
                    value = builder.sub(value, part);
                }
            };
            if self.symmetric {
                for &column in &self.below[range] {
                    if let Some(position) = self.position(pivot.row, column) {
                        subtract(position, column);
                    }
                }
            } else {
                for position in self.row(pivot.row) {
                    subtract(position, self.columns[position]);
                }
            }
            solution[pivot.column as usize] = Some(builder.mul(value, inverse));
        }
        // A pivot for every column: there are no others.
        solution.into_iter().flatten().collect()
    }
}

/// `right[i] -= factor · right[row]`.
fn forward(builder: &mut Builder, right: &mut [ValueId], row: u32, i: u32, factor: ValueId) {
    let part = builder.mul(factor, right[row as usize]);
    right[i as usize] = builder.sub(right[i as usize], part);
}
