//! Row spaces over a prime field.

use crate::classes::prime_field::{PrimeField, Residue};
use crate::classes::scalars::Scalars;

/// A basis in echelon form, grown one row at a time.
#[derive(Debug, Clone)]
pub struct Echelon {
    columns: usize,
    /// Pivot column and row, with pivot one; in no order.
    rows: Vec<(usize, Vec<Residue>)>,
    /// The row with its pivot at a column.
    by_pivot: Vec<Option<usize>>,
}

impl Echelon {
    /// No rows yet.
    pub fn new(columns: usize) -> Self {
        Self { columns, rows: Vec::new(), by_pivot: vec![None; columns] }
    }

    /// The number of independent rows.
    pub fn rank(&self) -> usize {
        self.rows.len()
    }

    /// Adds a row to the space; was it new?
    pub fn insert(&mut self, field: &PrimeField, mut row: Vec<Residue>) -> bool {
        row.resize(self.columns, field.zero());
        for column in 0..self.columns {
            if field.is_exactly_zero(&row[column]) {
                continue;
            }
            let Some(known) = self.by_pivot[column] else {
                let Some(inverse) = field.inverse(&row[column]) else { continue };
                for entry in &mut row[column..] {
                    *entry = field.mul(entry, &inverse);
                }
                self.by_pivot[column] = Some(self.rows.len());
                self.rows.push((column, row));
                return true;
            };
            subtract_multiple(field, &mut row, &self.rows[known].1, column);
        }
        false
    }

    /// The reduced rows by ascending pivots: a canonical basis of the space.
    pub(crate) fn reduced(&self, field: &PrimeField) -> Vec<Vec<Residue>> {
        let mut done: Vec<(usize, Vec<Residue>)> = Vec::with_capacity(self.rows.len());
        for known in self.by_pivot.iter().rev().flatten() {
            let (pivot, mut row) = self.rows[*known].clone();
            for (other, reduced) in done.iter().rev() {
                if !field.is_exactly_zero(&row[*other]) {
                    subtract_multiple(field, &mut row, reduced, *other);
                }
            }
            done.push((pivot, row));
        }
        done.into_iter().rev().map(|(_, row)| row).collect()
    }
}

/// Clears `column` of a row with a row whose pivot, one, stands there.
fn subtract_multiple(field: &PrimeField, row: &mut [Residue], pivot: &[Residue], column: usize) {
    let factor = row[column];
    for (entry, pivot) in row[column..].iter_mut().zip(&pivot[column..]) {
        if !field.is_exactly_zero(pivot) {
            *entry = field.sub(entry, &field.mul(&factor, pivot));
        }
    }
}
