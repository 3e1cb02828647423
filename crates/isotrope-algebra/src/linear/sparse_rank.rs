//! Rank of sparse matrices over a prime field.

use std::collections::{BTreeMap, BTreeSet};

use super::field::Residues;
use super::sparse_echelon::{PivotAt, SparseEchelon};
use crate::{Stop, modular};

/// The rank of a sparse matrix over a prime field, and what depends on what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SparseRank {
    /// The rank.
    pub rank: usize,
    /// Rows that are combinations of the rows before them.
    pub dependent_rows: Vec<usize>,
    /// Columns without a pivot.
    pub free_columns: Vec<usize>,
}

/// The rank of the rows of (column, value) pairs over the field with `prime` elements.
///
/// At a random point the rank over the field equals the generic rank of a matrix of
/// functions, except with a probability of about (degree / prime); it is never larger.
pub fn sparse_rank(rows: &[Vec<(u32, u64)>], columns: usize, prime: u64) -> SparseRank {
    let (echelon, dependent_rows) = eliminate(rows, &mut Residues(prime));
    let free_columns = (0..columns).filter(|&c| !echelon.has_pivot(c as u32)).collect();
    SparseRank { rank: echelon.rank(), dependent_rows, free_columns }
}

/// The rank alone, in an order that keeps sparse matrices sparse: always the column with the
/// fewest entries, and in it the shortest row (Markowitz).
pub fn rank_by_markowitz(rows: &[Vec<(u32, u64)>], prime: u64) -> usize {
    let mut rows: Vec<Row> = rows
        .iter()
        .map(|row| row.iter().filter(|entry| entry.1 % prime != 0).copied().collect())
        .collect();
    let mut members: BTreeMap<u32, BTreeSet<usize>> = BTreeMap::new();
    for (index, row) in rows.iter().enumerate() {
        for &column in row.keys() {
            members.entry(column).or_default().insert(index);
        }
    }
    let mut queue: BTreeSet<(usize, u32)> =
        members.iter().map(|(&column, rows)| (rows.len(), column)).collect();
    let mut rank = 0;
    while let Some((count, column)) = queue.pop_first() {
        // Once this thread was asked to stop, nobody looks at the rank.
        if Stop::requested() {
            break;
        }
        let Some(inside) = members.remove(&column).filter(|inside| inside.len() == count) else {
            continue;
        };
        let Some(&pivot) = inside.iter().min_by_key(|&&row| (rows[row].len(), row)) else {
            continue;
        };
        rank += 1;
        let mut pivot_row = std::mem::take(&mut rows[pivot]);
        let Some(inverse) = modular::inverse(pivot_row[&column], prime) else { continue };
        pivot_row.values_mut().for_each(|v| *v = modular::mul(*v, inverse, prime));
        let mut touched: BTreeSet<u32> = pivot_row.keys().copied().collect();
        touched.remove(&column);
        let mut requeue = |column: u32,
                           members: &mut BTreeMap<u32, BTreeSet<usize>>,
                           change: &mut dyn FnMut(&mut BTreeSet<usize>)| {
            if let Some(inside) = members.get_mut(&column) {
                queue.remove(&(inside.len(), column));
                change(inside);
                queue.insert((inside.len(), column));
            }
        };
        for &other in &touched {
            requeue(other, &mut members, &mut |inside| {
                inside.remove(&pivot);
            });
        }
        for &row in inside.iter().filter(|&&row| row != pivot) {
            let factor = rows[row][&column];
            subtract(&mut rows[row], &pivot_row, factor, prime);
            for &other in &touched {
                let present = rows[row].contains_key(&other);
                requeue(other, &mut members, &mut |inside| {
                    if present {
                        inside.insert(row);
                    } else {
                        inside.remove(&row);
                    }
                });
            }
        }
    }
    rank
}

type Row = BTreeMap<u32, u64>;

/// The echelon form of the rows, and those that vanished.
fn eliminate(
    rows: &[Vec<(u32, u64)>],
    field: &mut Residues,
) -> (SparseEchelon<u32, u64>, Vec<usize>) {
    let mut echelon = SparseEchelon::new(PivotAt::First);
    let mut dependent = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        if Stop::requested() {
            break;
        }
        let residues = row.iter().map(|&(column, value)| (column, value % field.0));
        let row = residues.filter(|entry| entry.1 != 0).collect();
        let Ok(new) = echelon.insert(field, row);
        if !new {
            dependent.push(index);
        }
    }
    (echelon, dependent)
}

fn subtract(row: &mut Row, pivot: &Row, factor: u64, prime: u64) {
    for (&column, &value) in pivot {
        let part = modular::mul(factor, value, prime);
        let entry = row.entry(column).or_insert(0);
        *entry = modular::sub(*entry, part, prime);
        if *entry == 0 {
            row.remove(&column);
        }
    }
}

/// A basis of the nullspace over the field: one vector per free column, with 1 there.
pub fn sparse_nullspace(rows: &[Vec<(u32, u64)>], columns: usize, prime: u64) -> Vec<Vec<u64>> {
    let field = &mut Residues(prime);
    let (echelon, _) = eliminate(rows, field);
    let free = (0..columns as u32).filter(|&column| !echelon.has_pivot(column));
    free.map(|free| {
        let Ok(entries) = echelon.annihilated(field, free);
        let mut vector = vec![0; columns];
        for (column, value) in entries {
            vector[column as usize] = value;
        }
        vector
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::modular::PRIME;
    use proptest::prelude::*;

    fn any_matrix() -> impl Strategy<Value = Vec<Vec<u64>>> {
        proptest::collection::vec(proptest::collection::vec(0u64..3, 5), 1..6)
    }

    proptest! {
        #[test]
        fn rank_plus_nullity_is_the_number_of_columns(matrix in any_matrix()) {
            let rows: Vec<Vec<(u32, u64)>> = matrix
                .iter()
                .map(|row| row.iter().enumerate().map(|(k, &v)| (k as u32, v)).collect())
                .collect();
            let rank = sparse_rank(&rows, 5, PRIME);
            let kernel = sparse_nullspace(&rows, 5, PRIME);
            prop_assert_eq!(rank.rank + kernel.len(), 5);
            prop_assert_eq!(rank_by_markowitz(&rows, PRIME), rank.rank);
            prop_assert_eq!(rank.rank + rank.dependent_rows.len(), rows.len());
            for vector in &kernel {
                for row in &matrix {
                    let value = row.iter().zip(vector).fold(0, |sum, (&a, &x)| {
                        modular::add(sum, modular::mul(a, x, PRIME), PRIME)
                    });
                    prop_assert_eq!(value, 0);
                }
            }
        }
    }
}
