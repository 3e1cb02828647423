//! Householder's factorisation with column pivoting, which tells the rank.

use super::matrix::{DenseMatrix, add_multiple, dot};

/// A P = Q R, the diagonal of R descending in size.
#[derive(Debug, Clone)]
pub struct OrthogonalFactorisation {
    /// R above the diagonal; on it and below, the vectors u of the reflections 1 − u uᵀ.
    factors: DenseMatrix,
    diagonal: Vec<f64>,
    /// Column k of A P is column `order[k]` of A.
    order: Vec<usize>,
}

impl OrthogonalFactorisation {
    /// Factors a matrix (Golub and Van Loan, Matrix Computations, 5.4.2).
    #[must_use]
    pub fn new(mut matrix: DenseMatrix) -> Self {
        let (rows, columns) = (matrix.rows(), matrix.columns());
        let steps = rows.min(columns);
        let mut order: Vec<usize> = (0..columns).collect();
        let mut diagonal = Vec::with_capacity(steps);
        for step in 0..steps {
            let tail = |column: usize| {
                let column = &matrix.column(column)[step..];
                dot(column, column)
            };
            // The first of the longest, so that the choice is the same everywhere.
            let (mut pivot, mut longest) = (step, tail(step));
            for column in step + 1..columns {
                let length = tail(column);
                if length > longest {
                    (pivot, longest) = (column, length);
                }
            }
            order.swap(step, pivot);
            matrix.swap_columns(step, pivot);
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
    #[must_use]
    pub fn rank(&self, threshold: f64) -> usize {
        let first = self.diagonal.first().map_or(0.0, |x| x.abs());
        self.diagonal.iter().take_while(|x| x.abs() > threshold * first && x.abs() > 0.0).count()
    }

    /// The least-squares solution of A x = right with the first `rank` columns of A P only, the other
    /// components zero.
    #[must_use]
    pub fn solve(&self, right: &[f64], rank: usize) -> Vec<f64> {
        let mut right = right.to_vec();
        for step in 0..self.diagonal.len() {
            reflect(&mut right[step..], &self.factors.column(step)[step..]);
        }
        let mut solution = vec![0.0; self.order.len()];
        let mut top = right[..rank].to_vec();
        for step in (0..rank).rev() {
            let value = top[step] / self.diagonal[step];
            solution[self.order[step]] = value;
            add_multiple(&mut top[..step], -value, &self.factors.column(step)[..step]);
        }
        solution
    }

    /// Orthonormal vectors on which Aᵀ vanishes, for the rank of A: the last columns of Q.
    #[must_use]
    pub fn complement(&self, rank: usize) -> DenseMatrix {
        let rows = self.factors.rows();
        let mut basis = DenseMatrix::zero(rows, rows - rank);
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
