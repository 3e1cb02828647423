//! Gaussian elimination with row pivots: P A = L U.

use super::matrix::DenseMatrix;

/// How the pivot of a column is chosen, and what is too small to be one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pivots {
    /// The largest entry. At most `smallest` times the largest entry of the matrix counts as zero.
    Largest {
        /// Relative to the matrix.
        smallest: f64,
    },
    /// The entry that is largest relative to its row in the given matrix: multiples of equations do
    /// not matter. At most `smallest` times its row counts as zero.
    LargestInItsRow {
        /// Relative to the row.
        smallest: f64,
    },
}

/// Why there is no factorisation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoPivot {
    /// The matrix is singular, as far as can be told.
    #[error("no pivot in column {column}: the matrix is singular")]
    Singular {
        /// Counted from 0.
        column: usize,
    },
    /// Something is not a number.
    #[error("the pivot of column {column} is not finite")]
    NotFinite {
        /// Counted from 0.
        column: usize,
    },
}

/// P A = L U for a square matrix A.
#[derive(Debug, Clone)]
pub struct TriangularFactorisation {
    /// U on and above the diagonal; below it L, whose diagonal is 1.
    factors: DenseMatrix,
    /// Row k of P A is row `order[k]` of A.
    order: Vec<usize>,
    /// Is P an odd permutation?
    odd: bool,
}

impl TriangularFactorisation {
    /// Factors a square matrix.
    pub fn new(mut matrix: DenseMatrix, pivots: Pivots) -> Result<Self, NoPivot> {
        let n = matrix.rows();
        let (mut weights, smallest) = match pivots {
            Pivots::Largest { smallest } => (vec![1.0; n], smallest * matrix.size()),
            Pivots::LargestInItsRow { smallest } => (row_sizes(&matrix), smallest),
        };
        let mut order: Vec<usize> = (0..n).collect();
        let mut odd = false;
        for k in 0..n {
            let relative = |i: usize| matrix.get(i, k).abs() / weights[i];
            let last_of_the_largest =
                (k..n).max_by(|&i, &j| relative(i).total_cmp(&relative(j))).unwrap_or(k);
            let size = relative(last_of_the_largest);
            // A row of zeros is 0/0 beside itself.
            if size <= smallest || weights[last_of_the_largest] == 0.0 {
                return Err(NoPivot::Singular { column: k });
            }
            if !size.is_finite() {
                return Err(NoPivot::NotFinite { column: k });
            }
            if last_of_the_largest != k {
                matrix.swap_rows(k, last_of_the_largest);
                weights.swap(k, last_of_the_largest);
                order.swap(k, last_of_the_largest);
                odd = !odd;
            }
            eliminate(&mut matrix, k);
        }
        Ok(Self { factors: matrix, order, odd })
    }

    /// x with A x = right; `None` if it is not finite.
    #[must_use]
    pub fn solve(&self, right: &[f64]) -> Option<Vec<f64>> {
        let n = self.order.len();
        let mut x: Vec<f64> = self.order.iter().map(|&row| right[row]).collect();
        for k in 0..n {
            let known = x[k];
            subtract_multiples(&mut x[k + 1..], known, &self.factors.column(k)[k + 1..]);
        }
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|k| self.factors.get(i, k) * x[k]).sum();
            x[i] = (x[i] - known) / self.factors.get(i, i);
        }
        x.iter().all(|entry| entry.is_finite()).then_some(x)
    }

    /// det A.
    #[must_use]
    pub fn determinant(&self) -> f64 {
        let sign = if self.odd { -1.0 } else { 1.0 };
        (0..self.order.len()).fold(sign, |product, k| product * self.factors.get(k, k))
    }
}

impl DenseMatrix {
    /// X with A X = right for a square A; `None` if a pivot is at most `smallest` times the largest
    /// entry, or X is not finite.
    #[must_use]
    pub fn solve(&self, right: &Self, smallest: f64) -> Option<Self> {
        let factored =
            TriangularFactorisation::new(self.clone(), Pivots::Largest { smallest }).ok()?;
        let columns = (0..right.columns()).map(|column| factored.solve(right.column(column)));
        Some(Self::from_columns(self.rows(), &columns.collect::<Option<Vec<_>>>()?))
    }

    /// The same for one right side.
    #[must_use]
    pub fn solve_vector(&self, right: &[f64], smallest: f64) -> Option<Vec<f64>> {
        TriangularFactorisation::new(self.clone(), Pivots::Largest { smallest }).ok()?.solve(right)
    }

    /// The determinant of a square matrix; zero only if a pivot is exactly zero.
    #[must_use]
    pub fn determinant(&self) -> f64 {
        match TriangularFactorisation::new(self.clone(), Pivots::Largest { smallest: 0.0 }) {
            Ok(factored) => factored.determinant(),
            Err(NoPivot::Singular { .. }) => 0.0,
            Err(NoPivot::NotFinite { .. }) => f64::NAN,
        }
    }
}

fn row_sizes(matrix: &DenseMatrix) -> Vec<f64> {
    let size = |i: usize| (0..matrix.columns()).map(|j| matrix.get(i, j).abs()).fold(0.0, f64::max);
    (0..matrix.rows()).map(size).collect()
}

/// Subtracts multiples of row k from those below it; the factors stay in column k.
fn eliminate(matrix: &mut DenseMatrix, k: usize) {
    let n = matrix.rows();
    let (before, after) = matrix.entries.split_at_mut((k + 1) * n);
    let (pivot, factors) = (before[k * n + k], &mut before[k * n + k + 1..]);
    factors.iter_mut().for_each(|factor| *factor /= pivot);
    for column in after.chunks_exact_mut(n) {
        let (above, below) = column.split_at_mut(k + 1);
        subtract_multiples(below, above[k], factors);
    }
}

/// x − value · factors. Nothing is subtracted where a factor is zero, whatever the value is.
fn subtract_multiples(x: &mut [f64], value: f64, factors: &[f64]) {
    for (x, &factor) in x.iter_mut().zip(factors) {
        if factor != 0.0 {
            *x -= factor * value;
        }
    }
}
