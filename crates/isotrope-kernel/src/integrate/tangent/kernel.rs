//! Small linear algebra: what is orthogonal to given rows.

/// The scalar product of the components that count.
pub(super) fn dot(metric: &[bool], a: &[f64], b: &[f64]) -> f64 {
    let terms = metric.iter().zip(a).zip(b).filter(|((counts, _), _)| **counts);
    terms.map(|((_, x), y)| x * y).sum()
}

/// An orthonormal basis of what is orthogonal to all rows.
pub(super) fn kernel(rows: impl Iterator<Item = Vec<f64>>, size: usize) -> Vec<Vec<f64>> {
    let mut basis: Vec<Vec<f64>> = Vec::new();
    // Twice, against rounding.
    let reduce = |vector: &mut Vec<f64>, basis: &[Vec<f64>]| {
        for _ in 0..2 {
            for known in basis {
                let product: f64 = known.iter().zip(vector.iter()).map(|(x, y)| x * y).sum();
                for (x, y) in vector.iter_mut().zip(known) {
                    *x -= product * y;
                }
            }
        }
        vector.iter().map(|x| x * x).sum::<f64>().sqrt()
    };
    for mut row in rows {
        let before = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        let length = reduce(&mut row, &basis);
        // Redundant rows add nothing.
        if length > 1e-9 * before {
            row.iter_mut().for_each(|x| *x /= length);
            basis.push(row);
        }
    }
    let rows = basis.len();
    while basis.len() < size {
        // The unit vector that sticks out most.
        let outside = |i: usize| 1.0 - basis.iter().map(|b| b[i] * b[i]).sum::<f64>();
        let Some(best) = (0..size).max_by(|&i, &j| outside(i).total_cmp(&outside(j))) else {
            break;
        };
        let mut vector = vec![0.0; size];
        vector[best] = 1.0;
        let length = reduce(&mut vector, &basis);
        vector.iter_mut().for_each(|x| *x /= length);
        basis.push(vector);
    }
    basis.split_off(rows)
}
