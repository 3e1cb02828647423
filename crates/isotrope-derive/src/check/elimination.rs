//! Sparse elimination over balls.

use std::collections::{BTreeMap, BTreeSet};

use isotrope_algebra::Ball;

use super::point::precision;

/// The entries of a row by column.
pub(super) type Row = BTreeMap<u32, Ball>;

/// The rank of a matrix of enclosures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RankAnswer {
    /// All pivots exclude zero, and what is left is zero to nearly all digits.
    Certain(usize),
    /// The pivots exclude zero, but something left over could be anything.
    AtLeast(usize),
}

/// A sparse matrix of balls.
#[derive(Debug, Clone)]
pub(super) struct SparseMatrix {
    rows: Vec<Row>,
    columns: usize,
}

/// Enclosures of zero with a radius above 2^this are not taken for zero.
const NEGLIGIBLE: i64 = -100;

impl SparseMatrix {
    pub(super) fn new(rows: Vec<Row>, columns: usize) -> Self {
        Self { rows, columns }
    }

    /// `[M -A^T; A 0]`.
    pub(super) fn saddle(mass: Vec<Row>, matrix: &[Row]) -> Self {
        let n = mass.len();
        let mut rows = mass;
        for (a, row) in matrix.iter().enumerate() {
            for (&column, value) in row {
                rows[column as usize].insert((n + a) as u32, value.neg());
            }
        }
        rows.extend(matrix.iter().cloned());
        Self { rows, columns: n + matrix.len() }
    }

    pub(super) fn rank(self) -> RankAnswer {
        let right = vec![Ball::zero(precision()); self.rows.len()];
        let reduced = self.eliminate(right);
        if reduced.doubtful {
            RankAnswer::AtLeast(reduced.pivots.len())
        } else {
            RankAnswer::Certain(reduced.pivots.len())
        }
    }

    /// The solution of a square system; none if it is (or may be) singular.
    pub(super) fn solve(self, right: Vec<Ball>) -> Option<Vec<Ball>> {
        let size = self.columns;
        let reduced = self.eliminate(right);
        if reduced.pivots.len() != size {
            return None;
        }
        let mut solution = vec![Ball::zero(precision()); size];
        for (column, row, right) in reduced.pivots.iter().rev() {
            let mut value = right.clone();
            for (&k, entry) in row.range(column + 1..) {
                value = value.sub(&entry.mul(&solution[k as usize]).ok()?);
            }
            solution[*column as usize] = value.div(row.get(column)?).ok()?;
        }
        Some(solution)
    }

    /// Column by column: among the rows whose entry is not much smaller than the largest,
    /// the shortest becomes the pivot, so that chains stay sparse.
    fn eliminate(self, mut right: Vec<Ball>) -> Reduced {
        let mut rows = self.rows;
        let mut holders: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); self.columns];
        for (r, row) in rows.iter().enumerate() {
            for &column in row.keys() {
                holders[column as usize].insert(r);
            }
        }
        let mut reduced = Reduced { pivots: Vec::new(), doubtful: false };
        for column in 0..self.columns as u32 {
            let here = std::mem::take(&mut holders[column as usize]);
            let Some(pivot) = choose(&rows, &here, column) else {
                for &r in &here {
                    if let Some(entry) = rows[r].remove(&column) {
                        reduced.doubtful |= !entry.radius_is_below(NEGLIGIBLE);
                    }
                }
                continue;
            };
            let row = std::mem::take(&mut rows[pivot]);
            for &k in row.keys() {
                holders[k as usize].remove(&pivot);
            }
            let side = right[pivot].clone();
            for &r in here.iter().filter(|&&r| r != pivot) {
                let Some(entry) = rows[r].remove(&column) else { continue };
                let Some(factor) = row.get(&column).and_then(|head| entry.div(head).ok()) else {
                    reduced.doubtful = true;
                    continue;
                };
                for (&k, value) in row.range(column + 1..) {
                    let Ok(part) = factor.mul(value) else {
                        reduced.doubtful = true;
                        continue;
                    };
                    let old = rows[r].remove(&k).unwrap_or_else(|| Ball::zero(precision()));
                    rows[r].insert(k, old.sub(&part));
                    holders[k as usize].insert(r);
                }
                match factor.mul(&side) {
                    Ok(part) => right[r] = right[r].sub(&part),
                    Err(_) => reduced.doubtful = true,
                }
            }
            reduced.pivots.push((column, row, side));
        }
        reduced
    }
}

struct Reduced {
    /// (column, row, right-hand side), in the order of elimination.
    pivots: Vec<(u32, Row, Ball)>,
    doubtful: bool,
}

fn choose(rows: &[Row], here: &BTreeSet<usize>, column: u32) -> Option<usize> {
    let candidates: Vec<(usize, f64)> = here
        .iter()
        .filter_map(|&r| {
            let entry = rows[r].get(&column)?;
            entry.excludes_zero().then(|| (r, entry.to_f64().abs()))
        })
        .collect();
    let largest = candidates.iter().map(|c| c.1).fold(0.0, f64::max);
    candidates
        .into_iter()
        .filter(|candidate| candidate.1 >= largest / 64.0)
        .min_by_key(|&(r, _)| (rows[r].len(), r))
        .map(|candidate| candidate.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(entries: &[&[i64]]) -> SparseMatrix {
        let rows = entries
            .iter()
            .map(|row| {
                row.iter()
                    .enumerate()
                    .filter(|(_, value)| **value != 0)
                    .map(|(k, &value)| (k as u32, Ball::integer(value, precision())))
                    .collect()
            })
            .collect();
        SparseMatrix::new(rows, entries[0].len())
    }

    #[test]
    fn rank_counts_independent_rows() {
        assert_eq!(matrix(&[&[1, 2], &[2, 4]]).rank(), RankAnswer::Certain(1));
        assert_eq!(matrix(&[&[0, 2], &[3, 4]]).rank(), RankAnswer::Certain(2));
        assert_eq!(matrix(&[&[0, 0, 7]]).rank(), RankAnswer::Certain(1));
    }

    #[test]
    fn the_solution_solves() {
        let system = matrix(&[&[0, 2, 1], &[1, 0, 1], &[3, 1, 0]]);
        let right = [7, 4, 5].map(|value| Ball::integer(value, precision())).to_vec();
        let solution = system.solve(right).unwrap();
        // x = 1, y = 2, z = 3.
        for (value, expected) in solution.iter().zip([1, 2, 3]) {
            assert!(value.sub(&Ball::integer(expected, precision())).contains_zero());
        }
        assert!(matrix(&[&[1, 2], &[2, 4]]).solve(vec![Ball::one(precision()); 2]).is_none());
    }
}
