//! Small dense matrices of doubles: Householder's factorisation with column pivoting.

/// A matrix by columns.
#[derive(Debug, Clone)]
pub(super) struct Matrix {
    rows: usize,
    columns: usize,
    entries: Vec<f64>,
}

impl Matrix {
    /// Zero.
    pub fn zero(rows: usize, columns: usize) -> Self {
        Self { rows, columns, entries: vec![0.0; rows * columns] }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// An entry, to be changed.
    pub fn entry(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.entries[column * self.rows + row]
    }

    /// A column.
    pub fn column(&self, column: usize) -> &[f64] {
        &self.entries[column * self.rows..(column + 1) * self.rows]
    }

    /// The transposed matrix.
    pub fn transposed(&self) -> Self {
        let mut result = Self::zero(self.columns, self.rows);
        for column in 0..self.columns {
            for (row, value) in self.column(column).iter().enumerate() {
                *result.entry(column, row) = *value;
            }
        }
        result
    }

    /// The matrix with `factor` times the identity below it.
    pub fn above_multiple_of_identity(&self, factor: f64) -> Self {
        let mut result = Self::zero(self.rows + self.columns, self.columns);
        for column in 0..self.columns {
            let start = column * result.rows;
            result.entries[start..start + self.rows].copy_from_slice(self.column(column));
            *result.entry(self.rows + column, column) = factor;
        }
        result
    }

    /// The matrix times a vector.
    pub fn times(&self, vector: &[f64]) -> Vec<f64> {
        let mut result = vec![0.0; self.rows];
        for (column, &factor) in vector.iter().enumerate() {
            add_multiple(&mut result, factor, self.column(column));
        }
        result
    }

    /// The product with a matrix.
    pub fn times_matrix(&self, other: &Self) -> Self {
        let columns = (0..other.columns).flat_map(|column| self.times(other.column(column)));
        Self { rows: self.rows, columns: other.columns, entries: columns.collect() }
    }
}

/// x·y.
pub(super) fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// |x|.
pub(super) fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

fn add_multiple(x: &mut [f64], factor: f64, y: &[f64]) {
    for (x, y) in x.iter_mut().zip(y) {
        *x += factor * y;
    }
}

/// A P = Q R, the diagonal of R descending in size.
#[derive(Debug, Clone)]
pub(super) struct Factorisation {
    /// R above the diagonal; on it and below, the vectors u of the reflections 1 − u uᵀ.
    factors: Matrix,
    diagonal: Vec<f64>,
    /// Column k of A P is column `order[k]` of A.
    order: Vec<usize>,
}

impl Factorisation {
    /// Factors a matrix (Golub and Van Loan, Matrix Computations, 5.4.2).
    pub fn new(mut matrix: Matrix) -> Self {
        let steps = matrix.rows.min(matrix.columns);
        let mut order: Vec<usize> = (0..matrix.columns).collect();
        let mut diagonal = Vec::with_capacity(steps);
        let rows = matrix.rows;
        for step in 0..steps {
            let tail = |column: usize| {
                let column = &matrix.column(column)[step..];
                dot(column, column)
            };
            // The first of the longest, so that the choice is the same everywhere.
            let (mut pivot, mut longest) = (step, tail(step));
            for column in step + 1..matrix.columns {
                let length = tail(column);
                if length > longest {
                    (pivot, longest) = (column, length);
                }
            }
            order.swap(step, pivot);
            for row in 0..rows {
                matrix.entries.swap(step * rows + row, pivot * rows + row);
            }
            let (before, after) = matrix.entries.split_at_mut((step + 1) * rows);
            let vector = &mut before[step * rows + step..];
            diagonal.push(reflection(vector, longest.sqrt()));
            for column in after.chunks_exact_mut(rows) {
                reflect(&mut column[step..], vector);
            }
        }
        Self { factors: matrix, diagonal, order }
    }

    /// How many diagonal entries are above `threshold` times the first.
    pub fn rank(&self, threshold: f64) -> usize {
        let first = self.diagonal.first().map_or(0.0, |x| x.abs());
        self.diagonal.iter().take_while(|x| x.abs() > threshold * first && x.abs() > 0.0).count()
    }

    /// The least-squares solution of A x = right with the columns of a rank only, the other
    /// components zero.
    pub fn solve(&self, right: &[f64], rank: usize) -> Vec<f64> {
        let mut right = right.to_vec();
        for step in 0..self.diagonal.len() {
            reflect(&mut right[step..], &self.factors.column(step)[step..]);
        }
        let mut solution = vec![0.0; self.factors.columns];
        let mut top = right[..rank].to_vec();
        for step in (0..rank).rev() {
            let value = top[step] / self.diagonal[step];
            solution[self.order[step]] = value;
            add_multiple(&mut top[..step], -value, &self.factors.column(step)[..step]);
        }
        solution
    }

    /// Orthonormal vectors on which the transposed matrix vanishes: the last columns of Q.
    pub fn complement(&self, rank: usize) -> Matrix {
        let rows = self.factors.rows;
        let mut basis = Matrix::zero(rows, rows - rank);
        for (column, vector) in basis.entries.chunks_exact_mut(rows.max(1)).enumerate() {
            vector[rank + column] = 1.0;
            for step in (0..self.diagonal.len()).rev() {
                reflect(&mut vector[step..], &self.factors.column(step)[step..]);
            }
        }
        basis
    }
}

/// Turns x into the u of the reflection that sends it to a multiple of e₁, and gives that
/// multiple.
fn reflection(x: &mut [f64], length: f64) -> f64 {
    let Some(first) = x.first_mut() else { return 0.0 };
    if length == 0.0 {
        x.fill(0.0);
        return 0.0;
    }
    let image = if *first > 0.0 { -length } else { length };
    *first -= image;
    // |x − image e₁|² = 2 length (length + |x₁|), and |u|² = 2.
    let scale = (length * first.abs()).sqrt();
    for entry in x.iter_mut() {
        *entry /= scale;
    }
    image
}

/// x − u (u·x).
fn reflect(x: &mut [f64], u: &[f64]) {
    let factor = dot(u, x);
    add_multiple(x, -factor, u);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A matrix of rank 2 with 4 rows and 3 columns: the third is the sum of the others.
    fn deficient() -> Matrix {
        let mut matrix = Matrix::zero(4, 3);
        for row in 0..4 {
            let (x, y) = (1.0 + row as f64, (row * row) as f64 - 2.0);
            *matrix.entry(row, 0) = x;
            *matrix.entry(row, 1) = y;
            *matrix.entry(row, 2) = x + y;
        }
        matrix
    }

    #[test]
    fn least_squares_residuals_are_orthogonal_to_the_columns() {
        let matrix = deficient();
        let right = [1.0, -2.0, 0.5, 3.0];
        let factored = Factorisation::new(matrix.clone());
        assert_eq!(factored.rank(1e-12), 2);
        let image = matrix.times(&factored.solve(&right, 2));
        let residual: Vec<f64> = right.iter().zip(&image).map(|(x, y)| x - y).collect();
        assert!((0..3).all(|column| dot(matrix.column(column), &residual).abs() < 1e-13));
    }

    #[test]
    fn the_complement_is_orthonormal_and_the_matrix_vanishes_on_it() {
        let matrix = deficient();
        let factored = Factorisation::new(matrix.transposed());
        let kernel = factored.complement(factored.rank(1e-12));
        assert_eq!((kernel.rows(), kernel.columns()), (3, 1));
        assert!((norm(kernel.column(0)) - 1.0).abs() < 1e-14);
        assert!(norm(&matrix.times(kernel.column(0))) < 1e-14);
    }
}
