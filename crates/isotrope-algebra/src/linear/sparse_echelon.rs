//! Sparse elimination over any field: rows by their nonzero entries, columns of any ordered kind.

use std::collections::BTreeMap;

use super::field::ExactField;

/// A row by its nonzero entries.
pub type SparseRow<K, E> = BTreeMap<K, E>;

/// Where a row has its pivot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PivotAt {
    /// At its first column.
    First,
    /// At its last column: solutions then have low leading terms.
    Last,
}

/// The space of some sparse rows, grown one row at a time: rows in echelon form with pivots one.
#[derive(Debug, Clone)]
pub struct SparseEchelon<K, E> {
    pivot_at: PivotAt,
    rows: BTreeMap<K, SparseRow<K, E>>,
}

impl<K: Ord + Copy, E: Clone> SparseEchelon<K, E> {
    /// No rows yet.
    pub fn new(pivot_at: PivotAt) -> Self {
        Self { pivot_at, rows: BTreeMap::new() }
    }

    /// The number of independent rows.
    pub fn rank(&self) -> usize {
        self.rows.len()
    }

    /// Has a row its pivot at the column?
    pub fn has_pivot(&self, column: K) -> bool {
        self.rows.contains_key(&column)
    }

    /// Adds a row without zeros; was it new?
    pub fn insert<F: ExactField<Element = E>>(
        &mut self,
        field: &mut F,
        mut row: SparseRow<K, E>,
    ) -> Result<bool, F::Stop> {
        loop {
            let first = match self.pivot_at {
                PivotAt::First => row.first_key_value(),
                PivotAt::Last => row.last_key_value(),
            };
            let Some((&column, value)) = first else { return Ok(false) };
            if let Some(pivot) = self.rows.get(&column) {
                let factor = value.clone();
                subtract_multiple(field, &mut row, pivot, &factor)?;
                continue;
            }
            field.spend(row.len())?;
            let Some(inverse) = field.inverse(value) else {
                // Only zero has no inverse.
                row.remove(&column);
                continue;
            };
            for entry in row.values_mut() {
                *entry = field.times(entry, &inverse)?;
            }
            self.rows.insert(column, row);
            return Ok(true);
        }
    }

    /// The reduced rows by their pivots: a canonical basis of the space.
    pub fn reduced<F: ExactField<Element = E>>(
        &self,
        field: &mut F,
    ) -> Result<BTreeMap<K, SparseRow<K, E>>, F::Stop> {
        let mut done: BTreeMap<K, SparseRow<K, E>> = BTreeMap::new();
        // The pivots that a row may contain come first in this order.
        let mut reduce = |(&pivot, row): (&K, &SparseRow<K, E>)| -> Result<(), F::Stop> {
            let mut row = row.clone();
            for (column, known) in &done {
                if let Some(factor) = row.get(column).cloned() {
                    subtract_multiple(field, &mut row, known, &factor)?;
                }
            }
            done.insert(pivot, row);
            Ok(())
        };
        match self.pivot_at {
            PivotAt::First => self.rows.iter().rev().try_for_each(&mut reduce)?,
            PivotAt::Last => self.rows.iter().try_for_each(&mut reduce)?,
        }
        Ok(done)
    }

    /// The vector that all rows annihilate with one at a column without a pivot and zero at all the
    /// others without one, by its nonzero entries.
    pub fn annihilated<F: ExactField<Element = E>>(
        &self,
        field: &mut F,
        free: K,
    ) -> Result<SparseRow<K, E>, F::Stop> {
        let mut vector = BTreeMap::from([(free, field.one())]);
        // The other entries of a row belong to columns that come first in this order.
        let mut solve = |(&column, row): (&K, &SparseRow<K, E>)| -> Result<(), F::Stop> {
            field.spend(row.len())?;
            let mut value = field.zero();
            for (other, entry) in row {
                if let Some(known) = vector.get(other) {
                    value = field.minus_product(&value, entry, known)?;
                }
            }
            if !field.is_zero(&value) {
                vector.insert(column, value);
            }
            Ok(())
        };
        match self.pivot_at {
            PivotAt::First => self.rows.iter().rev().try_for_each(&mut solve)?,
            PivotAt::Last => self.rows.iter().try_for_each(&mut solve)?,
        }
        Ok(vector)
    }
}

fn subtract_multiple<K: Ord + Copy, F: ExactField>(
    field: &mut F,
    row: &mut SparseRow<K, F::Element>,
    pivot: &SparseRow<K, F::Element>,
    factor: &F::Element,
) -> Result<(), F::Stop> {
    field.spend(pivot.len())?;
    for (&column, entry) in pivot {
        let place = row.entry(column).or_insert_with(|| field.zero());
        *place = field.minus_product(place, factor, entry)?;
        if field.is_zero(place) {
            row.remove(&column);
        }
    }
    Ok(())
}
