//! Small dense matrices of numbers, row by row.

/// A square or rectangular matrix of numbers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Dense {
    pub rows: usize,
    pub columns: usize,
    entries: Vec<f64>,
}

impl Dense {
    pub fn zero(rows: usize, columns: usize) -> Self {
        Self { rows, columns, entries: vec![0.0; rows * columns] }
    }

    /// From its entries, row by row.
    pub fn from_entries(rows: usize, columns: usize, entries: &[f64]) -> Self {
        Self { rows, columns, entries: entries.iter().copied().take(rows * columns).collect() }
    }

    pub fn get(&self, i: usize, j: usize) -> f64 {
        self.entries[i * self.columns + j]
    }

    pub fn set(&mut self, i: usize, j: usize, value: f64) {
        self.entries[i * self.columns + j] = value;
    }

    pub fn transposed(&self) -> Self {
        let mut result = Self::zero(self.columns, self.rows);
        for i in 0..self.rows {
            for j in 0..self.columns {
                result.set(j, i, self.get(i, j));
            }
        }
        result
    }

    pub fn times(&self, other: &Self) -> Self {
        let mut result = Self::zero(self.rows, other.columns);
        for i in 0..self.rows {
            for j in 0..other.columns {
                let sum = (0..self.columns).map(|k| self.get(i, k) * other.get(k, j)).sum();
                result.set(i, j, sum);
            }
        }
        result
    }

    pub fn apply(&self, vector: &[f64]) -> Vec<f64> {
        (0..self.rows)
            .map(|i| (0..self.columns).map(|j| self.get(i, j) * vector[j]).sum())
            .collect()
    }

    /// The sum of one matrix and a multiple of another.
    pub fn plus(&self, factor: f64, other: &Self) -> Self {
        let entries = self.entries.iter().zip(&other.entries).map(|(a, b)| a + factor * b);
        Self { entries: entries.collect(), ..*self }
    }

    pub fn scaled(&self, factor: f64) -> Self {
        Self { entries: self.entries.iter().map(|a| factor * a).collect(), ..*self }
    }

    /// (S + Sᵀ)/2 and (S − Sᵀ)/2.
    pub fn parts(&self) -> (Self, Self) {
        let half = self.scaled(0.5);
        let other = half.transposed();
        (half.plus(1.0, &other), half.plus(-1.0, &other))
    }

    /// The largest entry.
    pub fn size(&self) -> f64 {
        self.entries.iter().fold(0.0, |size, entry| f64::max(size, entry.abs()))
    }

    pub fn is_finite(&self) -> bool {
        self.entries.iter().all(|entry| entry.is_finite())
    }

    /// Solves `self X = right` by elimination with row pivots; `None` if a pivot is smaller than
    /// `tolerance` times the largest entry.
    pub fn solve(&self, right: &Self, tolerance: f64) -> Option<Self> {
        let (n, m) = (self.rows, right.columns);
        let (mut a, mut b) = (self.clone(), right.clone());
        let smallest = tolerance * self.size();
        for k in 0..n {
            let pivot = (k..n).max_by(|&i, &j| a.get(i, k).abs().total_cmp(&a.get(j, k).abs()))?;
            if a.get(pivot, k).abs() <= smallest || !a.get(pivot, k).is_finite() {
                return None;
            }
            a.swap_rows(k, pivot);
            b.swap_rows(k, pivot);
            for i in k + 1..n {
                let factor = a.get(i, k) / a.get(k, k);
                if factor == 0.0 {
                    continue;
                }
                for j in k..n {
                    a.set(i, j, a.get(i, j) - factor * a.get(k, j));
                }
                for j in 0..m {
                    b.set(i, j, b.get(i, j) - factor * b.get(k, j));
                }
            }
        }
        for j in 0..m {
            for i in (0..n).rev() {
                let known: f64 = (i + 1..n).map(|k| a.get(i, k) * b.get(k, j)).sum();
                b.set(i, j, (b.get(i, j) - known) / a.get(i, i));
            }
        }
        b.is_finite().then_some(b)
    }

    /// Solves for one right side.
    pub fn solve_vector(&self, right: &[f64], tolerance: f64) -> Option<Vec<f64>> {
        Some(self.solve(&Self::from_entries(right.len(), 1, right), tolerance)?.entries)
    }

    /// The sign and size of the determinant.
    pub fn determinant(&self) -> f64 {
        let n = self.rows;
        let mut a = self.clone();
        let mut value = 1.0;
        for k in 0..n {
            let largest = (k..n).max_by(|&i, &j| a.get(i, k).abs().total_cmp(&a.get(j, k).abs()));
            let Some(pivot) = largest.filter(|&i| a.get(i, k) != 0.0) else { return 0.0 };
            if pivot != k {
                a.swap_rows(k, pivot);
                value = -value;
            }
            value *= a.get(k, k);
            for i in k + 1..n {
                let factor = a.get(i, k) / a.get(k, k);
                for j in k..n {
                    a.set(i, j, a.get(i, j) - factor * a.get(k, j));
                }
            }
        }
        value
    }

    /// A basis of the nullspace as columns, each with a 1 at a free column, and these free columns.
    /// Pivots are the largest entries left; those below `tolerance` times the largest count as zero.
    pub fn nullspace(&self, tolerance: f64) -> (Self, Vec<usize>) {
        let (m, n) = (self.rows, self.columns);
        let mut a = self.clone();
        let smallest = tolerance * self.size();
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

    fn swap_rows(&mut self, i: usize, j: usize) {
        if i != j {
            (0..self.columns)
                .for_each(|k| self.entries.swap(i * self.columns + k, j * self.columns + k));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solving_undoes_multiplying() {
        let a = Dense::from_entries(3, 3, &[0.0, 2.0, 1.0, 1.0, 1.0, 1.0, 4.0, -1.0, 3.0]);
        let x = vec![1.0, -2.0, 0.5];
        let found = a.solve_vector(&a.apply(&x), 1e-14).unwrap();
        assert!(found.iter().zip(&x).all(|(a, b)| (a - b).abs() < 1e-14), "{found:?}");
        // By the rule of Sarrus: 0*(3+1) - 2*(3-4) + 1*(-1-4) = -3.
        assert!((a.determinant() + 3.0).abs() < 1e-14);
        let singular = Dense::from_entries(2, 2, &[1.0, 2.0, 2.0, 4.0]);
        assert!(singular.solve_vector(&[1.0, 1.0], 1e-12).is_none());
        assert_eq!(singular.determinant(), 0.0);
    }

    #[test]
    fn the_nullspace_is_annihilated_and_has_the_right_dimension() {
        let a = Dense::from_entries(2, 4, &[0.0, 2.0, 0.0, 0.0, 0.0, -2.0, 1.0, 2.0]);
        let (basis, free) = a.nullspace(1e-12);
        assert_eq!((basis.columns, free.len()), (2, 2));
        assert!(a.times(&basis).size() < 1e-15);
    }
}
