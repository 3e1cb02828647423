//! Orthonormal vectors, one after the other, by Gram and Schmidt.

use super::matrix::{dot, norm};

/// Orthonormal vectors of one length.
#[derive(Debug, Clone, Default)]
pub struct OrthonormalBasis {
    vectors: Vec<Vec<f64>>,
}

impl OrthonormalBasis {
    /// Without a vector.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Of the span of independent vectors; `None` if they depend on each other or are not finite.
    #[must_use]
    pub fn of_span(vectors: &[Vec<f64>]) -> Option<Self> {
        let mut basis = Self::new();
        vectors.iter().all(|vector| basis.extend(vector.clone(), 0.0)).then_some(basis)
    }

    /// Of what is orthogonal to all rows, which have `size` entries each. Of a row that depends on those
    /// before it, at most `smallest` times its length is left.
    #[must_use]
    pub fn orthogonal_to(
        rows: impl IntoIterator<Item = Vec<f64>>,
        size: usize,
        smallest: f64,
    ) -> Self {
        let mut basis = Self::new();
        for row in rows {
            basis.extend(row, smallest);
        }
        let rows = basis.vectors.len();
        while basis.vectors.len() < size {
            // The unit vector that sticks out most.
            let outside = |i: usize| 1.0 - basis.vectors.iter().map(|b| b[i] * b[i]).sum::<f64>();
            let Some(best) = (0..size).max_by(|&i, &j| outside(i).total_cmp(&outside(j))) else {
                break;
            };
            let mut vector = vec![0.0; size];
            vector[best] = 1.0;
            if !basis.extend(vector, 0.0) {
                break;
            }
        }
        Self { vectors: basis.vectors.split_off(rows) }
    }

    /// Adds what is new in a vector, unless that is at most `smallest` times its length or not finite.
    /// Was it added?
    pub fn extend(&mut self, mut vector: Vec<f64>, smallest: f64) -> bool {
        let before = norm(&vector);
        // Twice, against rounding (Giraud, Langou, Rozložník, Comput. Math. Appl. 50 (2005), 1069-1075).
        for _ in 0..2 {
            for known in &self.vectors {
                let product = dot(known, &vector);
                vector.iter_mut().zip(known).for_each(|(x, y)| *x -= product * y);
            }
        }
        let length = norm(&vector);
        let is_new = length > smallest * before && length.is_finite();
        if is_new {
            vector.iter_mut().for_each(|x| *x /= length);
            self.vectors.push(vector);
        }
        is_new
    }

    /// The vectors.
    #[must_use]
    pub fn vectors(&self) -> &[Vec<f64>] {
        &self.vectors
    }

    /// The vectors, given away.
    #[must_use]
    pub fn into_vectors(self) -> Vec<Vec<f64>> {
        self.vectors
    }
}
