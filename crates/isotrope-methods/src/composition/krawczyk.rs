//! Newton's method in balls, and Krawczyk's proof that there is exactly one solution.

use isotrope_algebra::{Ball, EvaluationError, Precision, Rational};

use super::words::Jet;

pub(super) enum Verification {
    /// Balls that contain exactly one solution.
    Unique(Vec<Ball>),
    NotProved,
}

type Residual<'r> = dyn Fn(&[Ball]) -> Result<Vec<Jet>, EvaluationError> + 'r;

/// Bits beyond those asked for; they absorb the cancellation in the residual.
const GUARD: u32 = 96;
const NEWTON_STEPS: usize = 40;

/// Improves `start` and encloses the solution to `precision`.
pub(super) fn solve(
    start: &[Rational],
    precision: Precision,
    residual: &Residual<'_>,
) -> Result<Verification, EvaluationError> {
    let working = Precision::new(precision.bits().saturating_add(GUARD));
    let goal = -i64::from(precision.bits()) - 16;
    let mut point: Vec<Ball> = start.iter().map(|x| Ball::from_rational(x, working)).collect();
    let mut small = false;
    for _ in 0..NEWTON_STEPS {
        let jets = residual(&point)?;
        let Some(inverse) = inverse(&jets)? else { return Ok(Verification::NotProved) };
        let correction = multiply(&inverse, &jets)?;
        point = point.iter().zip(&correction).map(|(x, d)| x.sub(d).midpoint()).collect();
        let reached = |d: &Ball| d.abs().is_less_than(&power_of_two(goal, working));
        // One step more than needed: convergence is quadratic.
        if std::mem::replace(&mut small, correction.iter().all(reached)) {
            break;
        }
    }
    let jets = residual(&point)?;
    let Some(inverse) = inverse(&jets)? else { return Ok(Verification::NotProved) };
    let inverse: Vec<Vec<Ball>> =
        inverse.iter().map(|row| row.iter().map(Ball::midpoint).collect()).collect();
    // K(X) = y − C F(y) + (1 − C F'(X)) (X − y) must lie inside X.
    let radius = power_of_two(goal, working);
    let around = radius.neg().hull(&radius);
    let cube: Vec<Ball> = point.iter().map(|y| y.add(&around)).collect();
    let newton = multiply(&inverse, &jets)?;
    let slopes = residual(&cube)?;
    let size = point.len();
    for (i, step) in newton.iter().enumerate() {
        let mut image = step.neg();
        for k in 0..size {
            let mut entry = Ball::integer(i64::from(i == k), working);
            for (j, slope) in slopes.iter().enumerate() {
                let derivative = slope.gradient.get(k).cloned().unwrap_or(Ball::zero(working));
                entry = entry.sub(&inverse[i][j].mul(&derivative)?);
            }
            image = image.add(&entry.mul(&around)?);
        }
        if !image.abs().is_less_than(&radius) {
            return Ok(Verification::NotProved);
        }
    }
    Ok(Verification::Unique(cube))
}

fn power_of_two(exponent: i64, precision: Precision) -> Ball {
    // 2^exponent is exact in every precision; the shift cannot overflow for exponents this small.
    Ball::one(precision).shift(exponent).unwrap_or(Ball::zero(precision))
}

/// C F.
fn multiply(matrix: &[Vec<Ball>], jets: &[Jet]) -> Result<Vec<Ball>, EvaluationError> {
    matrix
        .iter()
        .map(|row| {
            let mut sum = row.first().map(|x| Ball::zero(x.precision()));
            for (entry, jet) in row.iter().zip(jets) {
                let term = entry.mul(&jet.value)?;
                sum = sum.map(|sum| sum.add(&term));
            }
            sum.ok_or(EvaluationError::DivisionByZero)
        })
        .collect()
}

/// The inverse of the Jacobian by elimination with the largest pivots; `None` if it may be singular.
fn inverse(jets: &[Jet]) -> Result<Option<Vec<Vec<Ball>>>, EvaluationError> {
    let size = jets.len();
    let mut rows: Vec<Vec<Ball>> = Vec::with_capacity(size);
    for (i, jet) in jets.iter().enumerate() {
        let precision = jet.value.precision();
        let mut row: Vec<Ball> = (0..size)
            .map(|j| jet.gradient.get(j).map_or(Ball::zero(precision), Ball::midpoint))
            .collect();
        row.extend((0..size).map(|j| Ball::integer(i64::from(i == j), precision)));
        rows.push(row);
    }
    for column in 0..size {
        let larger = |a: &usize, b: &usize| {
            let size = |i: usize| rows[i][column].abs();
            size(*a).compare(&size(*b)).unwrap_or(std::cmp::Ordering::Equal)
        };
        let Some(pivot) = (column..size).max_by(larger) else { return Ok(None) };
        rows.swap(column, pivot);
        if rows[column][column].contains_zero() {
            return Ok(None);
        }
        let scale = rows[column][column].recip()?;
        let mut scaled = Vec::with_capacity(2 * size);
        for entry in &rows[column] {
            scaled.push(entry.mul(&scale)?);
        }
        for (i, row) in rows.iter_mut().enumerate() {
            if i == column {
                continue;
            }
            let factor = row[column].clone();
            for (entry, pivot) in row.iter_mut().zip(&scaled) {
                *entry = entry.sub(&factor.mul(pivot)?);
            }
        }
        rows[column] = scaled;
    }
    Ok(Some(rows.into_iter().map(|row| row[size..].to_vec()).collect()))
}
