//! Dense matrices of expressions.

use crate::pool::{ExprId, Pool};

/// A dense matrix of expressions, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    entries: Vec<ExprId>,
}

impl Matrix {
    /// The zero matrix.
    pub fn zero(rows: usize, columns: usize) -> Self {
        Self { rows, columns, entries: vec![ExprId::ZERO; rows * columns] }
    }

    /// From rows of equal length; short rows are filled with zeros.
    pub fn from_rows(columns: usize, rows: &[Vec<ExprId>]) -> Self {
        let mut matrix = Self::zero(rows.len(), columns);
        for (i, row) in rows.iter().enumerate() {
            for (j, &entry) in row.iter().take(columns).enumerate() {
                matrix.set(i, j, entry);
            }
        }
        matrix
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The entry in row `i`, column `j`.
    pub fn get(&self, i: usize, j: usize) -> ExprId {
        self.entries[i * self.columns + j]
    }

    /// Replaces the entry in row `i`, column `j`.
    pub fn set(&mut self, i: usize, j: usize, value: ExprId) {
        self.entries[i * self.columns + j] = value;
    }

    /// Row `i`.
    pub fn row(&self, i: usize) -> &[ExprId] {
        &self.entries[i * self.columns..(i + 1) * self.columns]
    }

    /// All entries, row by row.
    pub fn entries(&self) -> &[ExprId] {
        &self.entries
    }

    /// The transposed matrix.
    #[must_use]
    pub fn transposed(&self) -> Self {
        let mut result = Self::zero(self.columns, self.rows);
        for i in 0..self.rows {
            for j in 0..self.columns {
                result.set(j, i, self.get(i, j));
            }
        }
        result
    }

    /// The product with a matrix that has as many rows as this one has columns.
    #[must_use]
    pub fn times(&self, pool: &mut Pool, other: &Self) -> Self {
        let mut result = Self::zero(self.rows, other.columns);
        for i in 0..self.rows {
            for j in 0..other.columns {
                let terms: Vec<_> =
                    (0..self.columns).map(|k| pool.mul(self.get(i, k), other.get(k, j))).collect();
                result.set(i, j, pool.sum(&terms));
            }
        }
        result
    }

    /// The product with a vector.
    pub fn apply(&self, pool: &mut Pool, vector: &[ExprId]) -> Vec<ExprId> {
        (0..self.rows)
            .map(|i| {
                let terms: Vec<_> =
                    self.row(i).iter().zip(vector).map(|(&a, &x)| pool.mul(a, x)).collect();
                pool.sum(&terms)
            })
            .collect()
    }
}
