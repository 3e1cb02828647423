//! Do the equations determine the motion? Rank of the constraints, inertia on what they allow.

use isotrope_algebra::evaluate::{Fidelity, FieldPlan};
use isotrope_algebra::linear::{rank_by_markowitz, sparse_nullspace, sparse_rank};
use isotrope_algebra::modular::{self, Random};
use isotrope_algebra::normal::{Zero, is_zero};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool, Rational};
use isotrope_model::Place;
use rustc_hash::FxHashMap;

use super::{ConstraintRows, DeriveError, Dynamics, Symbols, Written};

const PRIME: u64 = FieldPlan::PRIME;
const TRIES: usize = 64;

/// Checks that the constraints are independent and that the mass matrix is invertible on
/// their kernel, at a random point; names what is wrong otherwise.
pub(super) fn check(
    pool: &mut Pool,
    symbols: &Symbols,
    dynamics: &Dynamics,
    rows: &ConstraintRows,
    place: Place,
    budget: &mut Budget,
) -> Result<Vec<DeriveError>, OutOfBudget> {
    let n = symbols.dimension();
    let entries: Vec<ExprId> =
        dynamics.mass.iter().chain(&rows.matrix).flatten().map(|entry| entry.1).collect();
    let Ok(plan) = FieldPlan::new(pool, &entries, Fidelity::Generic, budget) else {
        // Nothing can be said at a random point; the elimination will tell.
        return Ok(Vec::new());
    };
    let mut random = Random::new(0x5eed);
    let Some(values) = plan.evaluate_somewhere(pool, &mut random, &FxHashMap::default(), TRIES)
    else {
        return Ok(Vec::new());
    };
    let mut values = values.into_iter();
    let mut take = |row: &Vec<(u32, ExprId)>| -> Vec<(u32, u64)> {
        row.iter().zip(values.by_ref()).map(|(&(column, _), value)| (column, value)).collect()
    };
    let mass: Vec<_> = dynamics.mass.iter().map(&mut take).collect();
    let matrix: Vec<_> = rows.matrix.iter().map(&mut take).collect();
    budget.spend((n + rows.len()) as u64, "checking regularity")?;

    let rank = rank_by_markowitz(&matrix, PRIME);
    if rank < rows.len() {
        let mut errors = Vec::new();
        for row in sparse_rank(&matrix, n, PRIME).dependent_rows {
            errors.push(dependent(pool, symbols, rows, &matrix, row, budget));
        }
        return Ok(errors);
    }
    if rank == n {
        let place = rows.places.last().copied().unwrap_or(place);
        return Ok(vec![DeriveError::NoMotion { constraints: rows.len(), coordinates: n, place }]);
    }
    let saddle = saddle_rows(&mass, &matrix);
    let size = n + rows.len();
    if rank_by_markowitz(&saddle, PRIME) == size {
        return Ok(Vec::new());
    }
    let kernel = sparse_nullspace(&saddle, size, PRIME);
    // On a group velocities are not rates of coordinates, and have no prime.
    let primed = |k: usize| pool.name_of(symbols.velocity[k]).is_some_and(|v| v.ends_with('\''));
    let directions = (0..n)
        .filter(|&k| kernel.iter().any(|vector| vector[k] != 0))
        .map(|k| format!("{}{}", symbols.names[k], if primed(k) { "''" } else { "'" }))
        .collect();
    let below = pool.reachable(&[dynamics.lagrangian]);
    let without_velocity = (0..n)
        .filter(|&k| primed(k) && below.binary_search(&symbols.velocity[k]).is_err())
        .map(|k| symbols.names[k].clone())
        .collect();
    Ok(vec![DeriveError::SingularMassMatrix { directions, without_velocity, place }])
}

/// The rows of `[M -A^T; A 0]`.
fn saddle_rows(mass: &[Vec<(u32, u64)>], matrix: &[Vec<(u32, u64)>]) -> Vec<Vec<(u32, u64)>> {
    let n = mass.len() as u32;
    let mut saddle: Vec<Vec<(u32, u64)>> = mass.to_vec();
    for (a, row) in matrix.iter().enumerate() {
        for &(column, value) in row {
            saddle[column as usize].push((n + a as u32, modular::sub(0, value, PRIME)));
        }
    }
    saddle.extend(matrix.iter().cloned());
    saddle
}

/// Explains why a row depends on the rows before it: redundant, or contradictory.
fn dependent(
    pool: &mut Pool,
    symbols: &Symbols,
    rows: &ConstraintRows,
    matrix: &[Vec<(u32, u64)>],
    row: usize,
    budget: &mut Budget,
) -> DeriveError {
    // Combinations of rows 0..=row that vanish: the nullspace of the transposed rows.
    let columns = matrix.iter().flatten().map(|entry| entry.0 as usize + 1).max().unwrap_or(0);
    let mut transposed = vec![Vec::new(); columns];
    for (index, entries) in matrix.iter().enumerate().take(row + 1) {
        for &(column, value) in entries {
            transposed[column as usize].push((index as u32, value));
        }
    }
    let kernel = sparse_nullspace(&transposed, row + 1, PRIME);
    let combination =
        kernel.into_iter().find(|vector| vector[row] != 0).unwrap_or_else(|| vec![0; row + 1]);
    let partners: Vec<usize> = (0..row).filter(|&k| combination[k] != 0).collect();
    let follows_from = partners.iter().map(|&k| rows.names[k].clone()).collect();
    let (name, place) = (rows.names[row].clone(), rows.places[row]);
    if partners.is_empty() {
        return DeriveError::EmptyConstraint { name, place };
    }
    if contradicts(pool, symbols, rows, &combination, &partners, row, budget) {
        return DeriveError::InconsistentConstraints { name, contradicts: follows_from, place };
    }
    DeriveError::RedundantConstraint { name, follows_from, place }
}

/// Does the combination of the constraints themselves equal something that does not move
/// and is not zero: a number, a parameter, the time?
fn contradicts(
    pool: &mut Pool,
    symbols: &Symbols,
    rows: &ConstraintRows,
    combination: &[u64],
    partners: &[usize],
    row: usize,
    budget: &mut Budget,
) -> bool {
    let all: Vec<usize> = partners.iter().copied().chain([row]).collect();
    let positions = all.iter().all(|&k| rows.written[k] == Written::Position);
    let mut terms = Vec::new();
    for &k in &all {
        let Some((n, d)) = modular::rational_reconstruction(combination[k], PRIME) else {
            return false;
        };
        let Some(coefficient) = Rational::new(n, d) else { return false };
        // A coefficient that is not a small number is a function, not a constant.
        if n.unsigned_abs() > 1 << 20 || d > 1 << 20 {
            return false;
        }
        let side = if positions { rows.expressions[k] } else { rows.velocity_level[k] };
        terms.push((coefficient, side));
    }
    let sum = pool.linear_combination(&terms);
    let constant = isotrope_algebra::normal::simplify(pool, sum, budget);
    let moves =
        |symbol: &ExprId| symbols.position.contains(symbol) || symbols.velocity.contains(symbol);
    !pool.symbols_in(&[constant]).iter().any(moves) && is_zero(pool, constant, budget) == Zero::No
}
