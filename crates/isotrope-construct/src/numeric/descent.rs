//! From a start to a nearby zero of a system: Levenberg's and Marquardt's method.

use isotrope_algebra::double::linear::{DenseMatrix, OrthogonalFactorisation, norm};
use isotrope_algebra::{Budget, OutOfBudget};

use super::compiled::{CompiledSystem, Values};

/// When to stop.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Values below this, relative to their rounding, are zeros.
    pub tolerance: f64,
    /// Steps.
    pub iterations: usize,
    /// Points with a larger coordinate are given up.
    pub bound: f64,
}

/// Diagonal entries of a factorisation below this fraction of the largest count as zero.
const RANK_THRESHOLD: f64 = 1e-7;

/// The damping never vanishes: where zeros are not isolated the slopes are singular. Its square
/// is far below the rounding of a step across.
const LEAST_DAMPING: f64 = 1e-10;
/// Beyond this damping no step is left.
const LARGEST_DAMPING: f64 = 1e12;
/// Steps that gain less than this fraction, and how many of them in a row are borne.
const LITTLE: f64 = 1e-3;
const PATIENCE: usize = 8;

/// A point at which all polynomials vanish, in doubles.
#[derive(Debug, Clone)]
pub(super) struct Zero {
    pub point: Vec<f64>,
    /// The largest |value|.
    pub residual: f64,
}

/// The rank of the slopes at a zero, and the directions in which they vanish.
#[derive(Debug, Clone)]
pub(super) struct Tangent {
    /// One orthonormal column a direction; rows belong to the free variables.
    pub basis: DenseMatrix,
}

impl Tangent {
    /// At a point, with these variables free.
    pub fn at(
        system: &CompiledSystem,
        point: &[f64],
        free: &[usize],
        budget: &mut Budget,
    ) -> Result<Self, OutOfBudget> {
        let (_, slopes) = system.values_and_slopes(point, free);
        spend(system, &slopes, budget)?;
        let factored = OrthogonalFactorisation::new(slopes.transposed());
        let rank = factored.rank(RANK_THRESHOLD);
        Ok(Self { basis: factored.complement(rank) })
    }

    /// The local dimension of the zeros, if they are smooth here; never less than it.
    pub fn dimension(&self) -> usize {
        self.basis.columns()
    }

    /// How fast the free variable number `k` moves along the zeros, at most 1.
    pub fn speed(&self, k: usize) -> f64 {
        let squares = (0..self.basis.columns()).map(|column| self.basis.column(column)[k].powi(2));
        squares.sum::<f64>().sqrt()
    }
}

/// What a step costs, in hundreds of operations.
fn spend(
    system: &CompiledSystem,
    slopes: &DenseMatrix,
    budget: &mut Budget,
) -> Result<(), OutOfBudget> {
    let (rows, columns) = (slopes.rows() as u64, slopes.columns() as u64);
    let dense = rows.saturating_add(columns).saturating_mul(columns * columns);
    budget.spend(1 + (dense + system.cost()) / 100, "solving conditions numerically")
}

/// Goes down from `start`, moving the free variables only. `None`: there is no zero near.
pub(super) fn descend(
    system: &CompiledSystem,
    start: &[f64],
    free: &[usize],
    limits: Limits,
    budget: &mut Budget,
) -> Result<Option<Zero>, OutOfBudget> {
    let mut point = start.to_vec();
    let mut damping = 1.0;
    let mut dull = 0;
    let (mut values, mut slopes) = system.values_and_slopes(&point, free);
    for _ in 0..limits.iterations {
        if values.relative <= limits.tolerance {
            break;
        }
        let square = values.square();
        // Damping in proportion to the residual converges quadratically to sets of zeros, too
        // (Fan and Yuan, Computing 74, 2005).
        let root = (damping * square.sqrt()).max(LEAST_DAMPING);
        spend(system, &slopes, budget)?;
        let step = damped_step(&slopes, &values, root);
        let candidate = moved(&point, free, &step);
        if !candidate.iter().all(|x| x.abs() <= limits.bound) {
            return Ok(None);
        }
        let (next, next_slopes) = system.values_and_slopes(&candidate, free);
        let linear: f64 = slopes
            .apply(&step)
            .iter()
            .zip(&values.residuals)
            .map(|(change, value)| (value + change).powi(2))
            .sum();
        let gain = (square - next.square()) / (square - linear);
        if gain > 1e-4 {
            dull = if next.square() > (1.0 - LITTLE) * square { dull + 1 } else { 0 };
            (point, values, slopes) = (candidate, next, next_slopes);
            if gain > 0.75 {
                damping = (damping / 4.0).max(1e-3);
            } else if gain < 0.25 {
                damping *= 4.0;
            }
        } else {
            damping *= 4.0;
        }
        if damping > LARGEST_DAMPING || dull > PATIENCE {
            break;
        }
    }
    if values.relative > limits.tolerance {
        return Ok(None);
    }
    // Rounding allows more than the tolerance asks for.
    let step = damped_step(&slopes, &values, LEAST_DAMPING);
    let candidate = moved(&point, free, &step);
    let next = system.values(&candidate);
    if next.square() < values.square() {
        (point, values) = (candidate, next);
    }
    Ok(Some(Zero { residual: values.largest(), point }))
}

/// The least |value + slopes·step|² + root² |step|².
fn damped_step(slopes: &DenseMatrix, values: &Values, root: f64) -> Vec<f64> {
    let mut right: Vec<f64> = values.residuals.iter().map(|x| -x).collect();
    right.resize(slopes.rows() + slopes.columns(), 0.0);
    let factored = OrthogonalFactorisation::new(slopes.above_multiple_of_identity(root));
    factored.solve(&right, slopes.columns())
}

/// The point with the free variables moved.
pub(super) fn moved(point: &[f64], free: &[usize], step: &[f64]) -> Vec<f64> {
    let mut result = point.to_vec();
    for (&variable, change) in free.iter().zip(step) {
        result[variable] += change;
    }
    result
}

/// The distance of two points.
pub(super) fn distance(x: &[f64], y: &[f64]) -> f64 {
    norm(&x.iter().zip(y).map(|(x, y)| x - y).collect::<Vec<_>>())
}
