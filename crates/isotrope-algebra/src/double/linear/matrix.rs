//! Matrices of doubles.

/// A matrix, stored by columns.
#[derive(Debug, Clone, PartialEq)]
pub struct DenseMatrix {
    rows: usize,
    columns: usize,
    pub(super) entries: Vec<f64>,
}

impl DenseMatrix {
    /// Zero.
    #[must_use]
    pub fn zero(rows: usize, columns: usize) -> Self {
        Self { rows, columns, entries: vec![0.0; rows * columns] }
    }

    /// From its entries row by row, of which there must be `rows · columns`; more are left alone.
    #[must_use]
    pub fn from_rows(rows: usize, columns: usize, entries: &[f64]) -> Self {
        let by_columns =
            (0..columns).flat_map(|j| (0..rows).map(move |i| entries[i * columns + j]));
        Self { rows, columns, entries: by_columns.collect() }
    }

    /// From columns that have `rows` entries each.
    #[must_use]
    pub fn from_columns(rows: usize, columns: &[Vec<f64>]) -> Self {
        let entries = columns.iter().flat_map(|column| column[..rows].iter().copied());
        Self { rows, columns: columns.len(), entries: entries.collect() }
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// An entry.
    #[must_use]
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.entries[column * self.rows + row]
    }

    /// Changes an entry.
    pub fn set(&mut self, row: usize, column: usize, value: f64) {
        self.entries[column * self.rows + row] = value;
    }

    /// Adds to an entry.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.entries[column * self.rows + row] += value;
    }

    /// A column.
    #[must_use]
    pub fn column(&self, column: usize) -> &[f64] {
        &self.entries[column * self.rows..(column + 1) * self.rows]
    }

    /// The transposed matrix.
    #[must_use]
    pub fn transposed(&self) -> Self {
        let mut result = Self::zero(self.columns, self.rows);
        for column in 0..self.columns {
            for (row, &value) in self.column(column).iter().enumerate() {
                result.set(column, row, value);
            }
        }
        result
    }

    /// The matrix times a vector.
    #[must_use]
    pub fn apply(&self, vector: &[f64]) -> Vec<f64> {
        // −0 is what adds nothing: a sum of negative zeros stays one.
        let mut result = vec![-0.0; self.rows];
        for (column, &factor) in vector.iter().enumerate() {
            add_multiple(&mut result, factor, self.column(column));
        }
        result
    }

    /// The product with a matrix.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        let columns = (0..other.columns).flat_map(|column| self.apply(other.column(column)));
        Self { rows: self.rows, columns: other.columns, entries: columns.collect() }
    }

    /// The sum with a multiple of another matrix.
    #[must_use]
    pub fn plus(&self, factor: f64, other: &Self) -> Self {
        let entries = self.entries.iter().zip(&other.entries).map(|(a, b)| a + factor * b);
        Self { entries: entries.collect(), ..*self }
    }

    /// A multiple.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        Self { entries: self.entries.iter().map(|a| factor * a).collect(), ..*self }
    }

    /// (A + Aᵀ)/2 and (A − Aᵀ)/2.
    #[must_use]
    pub fn parts(&self) -> (Self, Self) {
        let half = self.scaled(0.5);
        let other = half.transposed();
        (half.plus(1.0, &other), half.plus(-1.0, &other))
    }

    /// The matrix with `factor` times the identity below it.
    #[must_use]
    pub fn above_multiple_of_identity(&self, factor: f64) -> Self {
        let mut result = Self::zero(self.rows + self.columns, self.columns);
        for column in 0..self.columns {
            let start = column * result.rows;
            result.entries[start..start + self.rows].copy_from_slice(self.column(column));
            result.set(self.rows + column, column, factor);
        }
        result
    }

    /// The size of the largest entry.
    #[must_use]
    pub fn size(&self) -> f64 {
        self.entries.iter().fold(0.0, |size, entry| f64::max(size, entry.abs()))
    }

    /// Are all entries finite?
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.entries.iter().all(|entry| entry.is_finite())
    }

    pub(super) fn swap_rows(&mut self, i: usize, j: usize) {
        if i != j {
            self.entries.chunks_exact_mut(self.rows).for_each(|column| column.swap(i, j));
        }
    }

    pub(super) fn swap_columns(&mut self, i: usize, j: usize) {
        if i != j {
            (0..self.rows).for_each(|k| self.entries.swap(i * self.rows + k, j * self.rows + k));
        }
    }
}

/// x·y.
#[must_use]
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// |x|.
#[must_use]
pub fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

/// Adds `factor` times y to x.
pub(super) fn add_multiple(x: &mut [f64], factor: f64, y: &[f64]) {
    for (x, y) in x.iter_mut().zip(y) {
        *x += factor * y;
    }
}
