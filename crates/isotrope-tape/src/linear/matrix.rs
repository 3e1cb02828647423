//! The part of a matrix that is not eliminated yet.

use std::collections::{BTreeMap, BTreeSet};

use super::EliminationError;

/// Rows and columns with their nonzero entries; those that are eliminated are empty.
#[derive(Debug, Clone)]
pub(super) struct Matrix {
    /// Columns of each row, with the numbers if they are measured.
    pub(super) rows: Vec<BTreeMap<u32, f64>>,
    /// Rows of each column.
    pub(super) columns: Vec<BTreeSet<u32>>,
    /// Are there numbers?
    pub(super) measured: bool,
}

impl Matrix {
    pub(super) fn new(
        size: usize,
        pattern: &[(usize, usize)],
        values: Option<&[f64]>,
    ) -> Result<Self, EliminationError> {
        let mut rows = vec![BTreeMap::new(); size];
        let mut columns = vec![BTreeSet::new(); size];
        for (at, &(row, column)) in pattern.iter().enumerate() {
            let value = values.and_then(|values| values.get(at)).copied().unwrap_or(0.0);
            if row >= size
                || column >= size
                || rows[row].insert(column as u32, value).is_some()
                || u32::try_from(size).is_err()
            {
                return Err(EliminationError::Pattern { row, column });
            }
            columns[column].insert(row as u32);
        }
        Ok(Self { rows, columns, measured: values.is_some() })
    }

    /// Is there a mirror image for every entry?
    pub(super) fn has_symmetric_pattern(&self) -> bool {
        let mut rows = self.rows.iter().zip(&self.columns);
        rows.all(|(row, column)| row.len() == column.len() && row.keys().eq(column.iter()))
    }

    pub(super) fn contains(&self, row: u32, column: u32) -> bool {
        self.rows[row as usize].contains_key(&column)
    }

    pub(super) fn value(&self, row: u32, column: u32) -> f64 {
        self.rows[row as usize].get(&column).copied().unwrap_or(0.0)
    }

    /// The multiplications in the matrix that a pivot would cost (Markowitz).
    pub(super) fn cost(&self, row: u32, column: u32) -> u64 {
        let across = self.rows[row as usize].len() as u64;
        let down = self.columns[column as usize].len() as u64;
        across.saturating_sub(1) * down.saturating_sub(1)
    }

    /// The largest number in a column.
    pub(super) fn largest(&self, column: u32) -> f64 {
        let numbers = self.columns[column as usize].iter().map(|&row| self.value(row, column));
        numbers.map(f64::abs).fold(0.0, f64::max)
    }

    /// Eliminates with a pivot: gives the rows below it, and the columns of its row without its
    /// own, which are those that changed.
    pub(super) fn eliminate(&mut self, row: u32, column: u32) -> (Vec<u32>, Vec<u32>) {
        let mut across = std::mem::take(&mut self.rows[row as usize]);
        let mut down = std::mem::take(&mut self.columns[column as usize]);
        let pivot = across.remove(&column).unwrap_or(0.0);
        down.remove(&row);
        for &other in across.keys() {
            self.columns[other as usize].remove(&row);
        }
        for &i in &down {
            let target = &mut self.rows[i as usize];
            let factor = target.remove(&column).unwrap_or(0.0) / pivot;
            for (&j, &number) in &across {
                let entry = target.entry(j).or_insert_with(|| {
                    self.columns[j as usize].insert(i);
                    0.0
                });
                if self.measured {
                    *entry -= factor * number;
                }
            }
        }
        (down.into_iter().collect(), across.into_keys().collect())
    }
}
