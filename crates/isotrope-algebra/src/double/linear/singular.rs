//! Least squares by singular values.

use super::matrix::{DenseMatrix, dot, norm};

/// The shortest x that makes |A x − right| least. Singular values of at most `cut` times the largest
/// count as zero. One-sided rotations of Jacobi (Golub and Van Loan, Matrix Computations, 8.6): columns
/// become orthogonal.
#[must_use]
pub fn shortest_least_squares(matrix: &DenseMatrix, right: &[f64], cut: f64) -> Vec<f64> {
    let n = matrix.columns();
    let mut a: Vec<Vec<f64>> = (0..n).map(|k| matrix.column(k).to_vec()).collect();
    let mut v: Vec<Vec<f64>> =
        (0..n).map(|k| (0..n).map(|i| f64::from(i == k)).collect()).collect();
    for _ in 0..60 {
        let mut turned = false;
        for p in 0..n {
            for q in p + 1..n {
                let (pp, qq, pq) = (dot(&a[p], &a[p]), dot(&a[q], &a[q]), dot(&a[p], &a[q]));
                if pq.abs() <= 1e-15 * (pp * qq).sqrt() {
                    continue;
                }
                turned = true;
                let zeta = (qq - pp) / (2.0 * pq);
                let tangent = 1.0_f64.copysign(zeta) / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
                let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
                let sine = cosine * tangent;
                for list in [&mut a, &mut v] {
                    for i in 0..list[p].len() {
                        let (x, y) = (list[p][i], list[q][i]);
                        list[p][i] = cosine * x - sine * y;
                        list[q][i] = sine * x + cosine * y;
                    }
                }
            }
        }
        if !turned {
            break;
        }
    }
    let largest = a.iter().map(|column| norm(column)).fold(0.0, f64::max);
    let mut x = vec![0.0; n];
    for (column, direction) in a.iter().zip(&v) {
        let value = norm(column);
        if value > cut * largest {
            let factor = dot(column, right) / (value * value);
            x.iter_mut().zip(direction).for_each(|(x, d)| *x += factor * d);
        }
    }
    x
}
