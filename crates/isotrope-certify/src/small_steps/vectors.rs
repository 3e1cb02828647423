//! Vectors and small dense systems of balls.

use isotrope_algebra::{Ball, EvaluationError};

use super::precision;

/// Of balls.
pub(super) type Vector = Vec<Ball>;

/// Zero.
pub(super) fn zero() -> Ball {
    Ball::zero(precision())
}

/// The centres, as exact numbers: for iterations that correct their own errors.
pub(super) fn midpoints(x: &[Ball]) -> Vector {
    x.iter().map(Ball::midpoint).collect()
}

/// x + factor y.
pub(super) fn moved(x: &[Ball], factor: &Ball, y: &[Ball]) -> Result<Vector, EvaluationError> {
    x.iter().zip(y).map(|(x, y)| Ok(x.add(&factor.mul(y)?))).collect()
}

/// x − y.
pub(super) fn difference(x: &[Ball], y: &[Ball]) -> Vector {
    x.iter().zip(y).map(|(x, y)| x.sub(y)).collect()
}

/// The largest entry in size, of the centres.
pub(super) fn size(x: &[Ball]) -> Ball {
    x.iter()
        .map(|x| x.midpoint().abs())
        .fold(zero(), |largest, x| if largest.is_less_than(&x) { x } else { largest })
}

/// Is every entry at most 2^`exponent` in size, but for its radius?
pub(super) fn is_below(x: &[Ball], exponent: i64) -> bool {
    let Ok(bound) = Ball::one(precision()).shift(exponent) else { return false };
    !bound.is_less_than(&size(x))
}

/// Solves a dense system by elimination with partial pivoting, on centres.
pub(super) fn solve(mut matrix: Vec<Vector>, mut right: Vector) -> Result<Vector, EvaluationError> {
    let n = right.len();
    for column in 0..n {
        let pivot = (column..n)
            .max_by(|&a, &b| {
                let size = |row: usize| matrix[row][column].to_f64().abs();
                size(a).total_cmp(&size(b)).then(b.cmp(&a))
            })
            .unwrap_or(column);
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let inverse = matrix[column][column].midpoint().recip()?;
        let (above, below) = matrix.split_at_mut(column + 1);
        let Some(row) = above.last() else { continue };
        let (solved, open) = right.split_at_mut(column + 1);
        let Some(side) = solved.last() else { continue };
        for (line, other) in below.iter_mut().zip(open) {
            if line[column].is_zero() {
                continue;
            }
            let factor = line[column].mul(&inverse)?.midpoint();
            for (entry, pivot) in line.iter_mut().zip(row).skip(column + 1) {
                if !pivot.is_zero() {
                    *entry = entry.sub(&factor.mul(pivot)?).midpoint();
                }
            }
            *other = other.sub(&factor.mul(side)?).midpoint();
        }
    }
    for row in (0..n).rev() {
        let mut value = right[row].clone();
        for column in row + 1..n {
            if !matrix[row][column].is_zero() {
                value = value.sub(&matrix[row][column].mul(&right[column])?);
            }
        }
        right[row] = value.midpoint().div(&matrix[row][row].midpoint())?.midpoint();
    }
    Ok(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solution_solves() {
        let ball = |x: i64| Ball::integer(x, precision());
        let matrix: Vec<Vector> = [[0, 2, 1], [3, -1, 4], [5, 7, -2]]
            .iter()
            .map(|row| row.iter().map(|&x| ball(x)).collect())
            .collect();
        let right = vec![ball(4), ball(1), ball(-3)];
        let x = solve(matrix.clone(), right.clone()).unwrap();
        for (row, right) in matrix.iter().zip(right) {
            let sum = row.iter().zip(&x).fold(right.neg(), |s, (a, x)| s.add(&a.mul(x).unwrap()));
            assert!(is_below(&[sum], -500));
        }
    }
}
