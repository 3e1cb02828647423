//! Matrices as lists of columns, and least squares by singular values.

/// Columns of the same length.
pub(crate) type Columns = Vec<Vec<f64>>;

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

pub(super) fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// An orthonormal basis of the span, by Gram and Schmidt, twice against rounding.
pub(super) fn orthonormal(columns: &Columns) -> Columns {
    let mut basis: Columns = Vec::with_capacity(columns.len());
    for column in columns {
        let mut vector = column.clone();
        for _ in 0..2 {
            for known in &basis {
                let product = dot(known, &vector);
                vector.iter_mut().zip(known).for_each(|(x, y)| *x -= product * y);
            }
        }
        let length = norm(&vector);
        vector.iter_mut().for_each(|x| *x /= length);
        basis.push(vector);
    }
    basis
}

/// The shortest x that makes |A x − b| least, A given by its columns. Singular values below `cut`
/// times the largest count as nothing. One-sided rotations of Jacobi (Golub and Van Loan, section
/// 8.6): columns become orthogonal.
pub(super) fn least_squares(columns: &Columns, right: &[f64], cut: f64) -> Vec<f64> {
    let n = columns.len();
    let mut a = columns.clone();
    let mut v: Columns = (0..n).map(|k| (0..n).map(|i| f64::from(i == k)).collect()).collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_squares_solve_and_take_the_shortest() {
        // x + 2y = 5: the shortest is (1, 2).
        let x = least_squares(&vec![vec![1.0], vec![2.0]], &[5.0], 1e-9);
        assert!((x[0] - 1.0).abs() < 1e-14 && (x[1] - 2.0).abs() < 1e-14, "{x:?}");
        // A line through three points.
        let x =
            least_squares(&vec![vec![1.0, 1.0, 1.0], vec![0.0, 1.0, 2.0]], &[1.0, 3.0, 5.0], 1e-9);
        assert!((x[0] - 1.0).abs() < 1e-13 && (x[1] - 2.0).abs() < 1e-13, "{x:?}");
    }
}
