//! The nullspace by elimination with full pivots.

use super::matrix::DenseMatrix;

impl DenseMatrix {
    /// A basis of the nullspace as columns, each with a 1 at a free column, and these free columns.
    /// Pivots are the largest entries left; those of at most `smallest` times the largest count as
    /// zero.
    #[must_use]
    pub fn nullspace(&self, smallest: f64) -> (Self, Vec<usize>) {
        let (m, n) = (self.rows(), self.columns());
        let mut a = self.clone();
        let smallest = smallest * self.size();
        let mut pivots: Vec<usize> = Vec::new();
        for k in 0..m {
            let mut best = (k, 0, 0.0);
            for i in k..m {
                for j in (0..n).filter(|j| !pivots.contains(j)) {
                    // Later columns stay free where sizes are equal: the first choice is kept.
                    if a.get(i, j).abs() > best.2 {
                        best = (i, j, a.get(i, j).abs());
                    }
                }
            }
            let (row, column, size) = best;
            if size <= smallest {
                break;
            }
            a.swap_rows(k, row);
            let pivot = a.get(k, column);
            (0..n).for_each(|j| a.set(k, j, a.get(k, j) / pivot));
            for i in (0..m).filter(|&i| i != k) {
                let factor = a.get(i, column);
                (0..n).for_each(|j| a.set(i, j, a.get(i, j) - factor * a.get(k, j)));
            }
            pivots.push(column);
        }
        let free: Vec<usize> = (0..n).filter(|j| !pivots.contains(j)).collect();
        let mut basis = Self::zero(n, free.len());
        for (k, &column) in free.iter().enumerate() {
            basis.set(column, k, 1.0);
            for (row, &pivot) in pivots.iter().enumerate() {
                basis.set(pivot, k, -a.get(row, column));
            }
        }
        (basis, free)
    }
}
