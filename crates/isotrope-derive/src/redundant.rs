//! Constraints on positions that follow from others: set aside, but not forgotten.
//!
//! Rows that depend on others leave the multipliers undetermined. What is certain is the reaction AᵀΛ; of
//! all multipliers with the same reaction those of least norm are reported. A row is set aside only
//! if it is proved to follow from the rows that stay:
//!
//! 1. φ_r = Σ c_k φ_k with numbers c_k, or
//! 2. φ_r = Σ g_k φ_k with polynomials g_k: φ_r is in the ideal of the others. Then dφ_r = Σ g_k dφ_k holds
//!    where the constraints do, though not elsewhere. A linkage with one rod too many is of this kind.
//!
//! Candidates are the rows that depend on those before them at the initial position.

use std::collections::BTreeMap;

use isotrope_algebra::calculus::{SparseRows, collect};
use isotrope_algebra::evaluate::{Fidelity, FieldPlan, evaluate_balls};
use isotrope_algebra::ideal::{F4, Ideal};
use isotrope_algebra::linear::{sparse_nullspace, sparse_rank};
use isotrope_algebra::modular::{self, Random};
use isotrope_algebra::normal::{Zero, is_zero};
use isotrope_algebra::{
    Ball, Budget, ExprId, Monomial, OutOfBudget, Polynomial, Pool, Precision, Rational,
};
use isotrope_model::{Initial, Parameter, Place};
use rustc_hash::FxHashMap;

use super::multipliers::Saddle;
use super::{ConstraintRows, Symbols, Written};

/// A constraint on positions that follows from others.
#[derive(Debug, Clone)]
pub struct Redundant {
    /// Its name.
    pub name: String,
    /// Its place in the model file.
    pub place: Place,
    /// Left side minus right side.
    pub expression: ExprId,
    /// Its row of `A`.
    pub row: Vec<(u32, ExprId)>,
    /// `A v + b`.
    pub velocity_level: ExprId,
    /// The constraints it follows from.
    pub follows_from: Vec<String>,
    /// The numbers c with φ = Σ c_k φ_k, one for each row that stays; none if it takes functions.
    pub coefficients: Option<Vec<Rational>>,
}

/// Where a model begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beginning<'m> {
    pub parameters: &'m [Parameter],
    pub initial: &'m Initial,
}

const PRIME: u64 = FieldPlan::PRIME;
const TRIES: usize = 64;
/// Bits of the initial position.
const BITS: u32 = 192;
/// Constraints up to this many are tried as generators of an ideal.
const GENERATORS: usize = 10;
/// What one ideal may cost.
const IDEAL_BUDGET: u64 = 2_000_000;
/// What the engine may spend on each of its bases: machine arithmetic, far cheaper than that of the budget above.
const BASIS_OPERATIONS: u64 = 50_000_000;
/// Numerators and denominators above this are not those of a number c.
const SMALL: u64 = 1 << 20;

/// Sets the constraints aside that are proved to follow from those before them.
pub(super) fn set_aside(
    pool: &mut Pool,
    symbols: &Symbols,
    mut rows: ConstraintRows,
    beginning: Beginning<'_>,
    budget: &mut Budget,
) -> Result<ConstraintRows, OutOfBudget> {
    let positions = rows.written.iter().filter(|&&written| written == Written::Position).count();
    if positions < 2 {
        return Ok(rows);
    }
    let candidates = dependent_at_the_start(pool, symbols, &rows, beginning, budget)?;
    if candidates.is_empty() {
        return Ok(rows);
    }
    let mut combinations = number_combinations(pool, symbols, &rows, budget)?;
    let mut found: Vec<(usize, Vec<usize>, Option<Vec<Rational>>)> = Vec::new();
    for row in candidates {
        let stays: Vec<usize> = (0..row)
            .filter(|k| rows.written[*k] == Written::Position)
            .filter(|k| found.iter().all(|(other, ..)| other != k))
            .collect();
        let constant = combinations.remove(&row);
        let constant = constant.filter(|c| {
            c.keys().all(|k| stays.contains(k)) && vanishes(pool, &rows, row, c, budget)
        });
        if let Some(c) = constant {
            found.push((row, c.keys().copied().collect(), Some(dense(&c, rows.len()))));
        } else if let Some(partners) = in_the_ideal(pool, symbols, &rows, row, stays, beginning)? {
            found.push((row, partners, None));
        }
    }
    let kept: Vec<usize> =
        (0..rows.len()).filter(|k| found.iter().all(|(row, ..)| row != k)).collect();
    let redundant = found.into_iter().map(|(row, partners, coefficients)| Redundant {
        name: rows.names[row].clone(),
        place: rows.places[row],
        expression: rows.expressions[row],
        row: rows.matrix[row].clone(),
        velocity_level: rows.velocity_level[row],
        follows_from: partners.iter().map(|&k| rows.names[k].clone()).collect(),
        coefficients: coefficients.map(|c| kept.iter().map(|&k| c[k].clone()).collect()),
    });
    let redundant = redundant.collect();
    rows = rows.selected(&kept);
    rows.redundant = redundant;
    Ok(rows)
}

/// Numbers by row.
type Combination = BTreeMap<usize, Rational>;

fn dense(combination: &Combination, length: usize) -> Vec<Rational> {
    (0..length).map(|k| combination.get(&k).cloned().unwrap_or_default()).collect()
}

/// Rows on positions that, at the initial position, are combinations of rows on positions before them, as far as
/// enclosures can tell.
fn dependent_at_the_start(
    pool: &Pool,
    symbols: &Symbols,
    rows: &ConstraintRows,
    beginning: Beginning<'_>,
    budget: &mut Budget,
) -> Result<Vec<usize>, OutOfBudget> {
    let precision = Precision::new(BITS);
    let mut known: FxHashMap<ExprId, Ball> = FxHashMap::default();
    for parameter in beginning.parameters {
        let Ok(mut value) = evaluate_balls(pool, &[parameter.exact], &known, precision) else {
            return Ok(Vec::new());
        };
        known.extend(value.pop().map(|value| (parameter.symbol, value)));
    }
    let Ok(start) = evaluate_balls(pool, &beginning.initial.position, &known, precision) else {
        return Ok(Vec::new());
    };
    known.extend(symbols.position.iter().copied().zip(start));
    known.insert(symbols.time, Ball::zero(precision));
    let on_positions: Vec<usize> =
        (0..rows.len()).filter(|&k| rows.written[k] == Written::Position).collect();
    let entries: Vec<ExprId> =
        on_positions.iter().flat_map(|&k| rows.matrix[k].iter().map(|entry| entry.1)).collect();
    let Ok(values) = evaluate_balls(pool, &entries, &known, precision) else {
        return Ok(Vec::new());
    };
    let mut last: BTreeMap<u32, usize> = BTreeMap::new();
    for &row in &on_positions {
        last.extend(rows.matrix[row].iter().map(|&(column, _)| (column, row)));
    }
    let mut values = values.into_iter();
    let mut pivots: Vec<(u32, BTreeMap<u32, Ball>)> = Vec::new();
    let mut dependent = Vec::new();
    for row in on_positions {
        let entries = rows.matrix[row].iter().zip(values.by_ref());
        let mut entries: BTreeMap<u32, Ball> =
            entries.map(|(&(column, _), value)| (column, value)).collect();
        for (column, pivot) in &pivots {
            let Some(entry) = entries.remove(column).filter(|entry| !entry.is_zero()) else {
                continue;
            };
            budget.spend(pivot.len() as u64, "looking for redundant constraints")?;
            let Ok(factor) = entry.div(&pivot[column]) else { return Ok(Vec::new()) };
            for (&k, value) in pivot.iter().filter(|(k, _)| *k != column) {
                let Ok(product) = factor.mul(value) else { return Ok(Vec::new()) };
                let zero = || Ball::zero(precision);
                let sum = entries.entry(k).or_insert_with(zero);
                *sum = sum.sub(&product);
            }
        }
        // What may be zero counts as zero here: candidates need a proof anyway, and chains stay sparse.
        // A column that rows further down do not have fills none of them.
        entries.retain(|_, entry| entry.excludes_zero());
        match entries.keys().copied().min_by_key(|column| last.get(column)) {
            Some(column) => pivots.push((column, entries)),
            None => dependent.push(row),
        }
    }
    Ok(dependent)
}

/// For rows that depend on others at a random point: the numbers of the combination, where it has
/// numbers.
fn number_combinations(
    pool: &mut Pool,
    symbols: &Symbols,
    rows: &ConstraintRows,
    budget: &mut Budget,
) -> Result<BTreeMap<usize, Combination>, OutOfBudget> {
    let entries: Vec<ExprId> = rows.matrix.iter().flatten().map(|entry| entry.1).collect();
    let Ok(plan) = FieldPlan::new(pool, &entries, Fidelity::Generic, budget) else {
        return Ok(BTreeMap::new());
    };
    let mut random = Random::new(0x5eed);
    let Some(values) = plan.evaluate_somewhere(pool, &mut random, &FxHashMap::default(), TRIES)
    else {
        return Ok(BTreeMap::new());
    };
    let mut values = values.into_iter();
    let matrix: Vec<Vec<(u32, u64)>> = rows
        .matrix
        .iter()
        .map(|row| row.iter().zip(values.by_ref()).map(|(&(k, _), value)| (k, value)).collect())
        .collect();
    budget.spend(entries.len() as u64, "looking for redundant constraints")?;
    let dependent = sparse_rank(&matrix, symbols.dimension(), PRIME).dependent_rows;
    let independent: Vec<usize> = (0..rows.len()).filter(|k| !dependent.contains(k)).collect();
    let mut combinations = BTreeMap::new();
    for &row in &dependent {
        let members: Vec<usize> = independent.iter().copied().filter(|&k| k < row).collect();
        let all = members.iter().chain([&row]);
        let mut transposed = vec![Vec::new(); symbols.dimension()];
        for (index, &k) in all.enumerate() {
            for &(column, value) in &matrix[k] {
                transposed[column as usize].push((index as u32, value));
            }
        }
        let kernel = sparse_nullspace(&transposed, members.len() + 1, PRIME);
        let Some(vector) = kernel.into_iter().find(|vector| vector[members.len()] != 0) else {
            continue;
        };
        if let Some(combination) = numbers(&vector, &members) {
            combinations.insert(row, combination);
        }
    }
    Ok(combinations)
}

/// The numbers c with φ_r = Σ c_k φ_k from a vector of the kernel, r last.
fn numbers(vector: &[u64], members: &[usize]) -> Option<Combination> {
    let (last, others) = vector.split_last()?;
    let scale = modular::sub(0, modular::inverse(*last, PRIME)?, PRIME);
    let mut combination = Combination::new();
    for (&value, &k) in others.iter().zip(members).filter(|(value, _)| **value != 0) {
        let value = modular::mul(value, scale, PRIME);
        let (n, d) = modular::rational_reconstruction(value, PRIME)?;
        if n.unsigned_abs() > SMALL || d.unsigned_abs() > SMALL {
            return None;
        }
        combination.insert(k, Rational::new(n, d)?);
    }
    Some(combination)
}

/// Is φ_r = Σ c_k φ_k?
fn vanishes(
    pool: &mut Pool,
    rows: &ConstraintRows,
    row: usize,
    combination: &Combination,
    budget: &mut Budget,
) -> bool {
    let mut terms = vec![(-&Rational::ONE, rows.expressions[row])];
    terms.extend(combination.iter().map(|(&k, c)| (c.clone(), rows.expressions[k])));
    let sum = pool.linear_combination(&terms);
    is_zero(pool, sum, budget) == Zero::Yes
}

/// The rows, as few as can be, in whose ideal a row is; parameters and the time are variables. `None` if it is in
/// none, or if that is not decided.
fn in_the_ideal(
    pool: &mut Pool,
    symbols: &Symbols,
    rows: &ConstraintRows,
    row: usize,
    mut partners: Vec<usize>,
    beginning: Beginning<'_>,
) -> Result<Option<Vec<usize>>, OutOfBudget> {
    if partners.is_empty() || partners.len() > GENERATORS {
        return Ok(None);
    }
    let mut variables = symbols.position.clone();
    variables.extend(beginning.parameters.iter().map(|parameter| parameter.symbol));
    variables.push(symbols.time);
    let mut polynomials: BTreeMap<usize, Polynomial> = BTreeMap::new();
    for &k in partners.iter().chain([&row]) {
        let Some(polynomial) = polynomial(pool, rows.expressions[k], &variables) else {
            return Ok(None);
        };
        polynomials.insert(k, polynomial);
    }
    let contains = |members: &[usize]| -> bool {
        let budget = &mut Budget::new(IDEAL_BUDGET);
        let generators = members.iter().map(|k| polynomials[k].clone()).collect();
        let engine = &F4::new(BASIS_OPERATIONS);
        let Ok(ideal) = Ideal::new(generators, variables.len(), engine, budget) else {
            return false;
        };
        ideal.is_exact()
            && ideal.is_consistent()
            && ideal.contains(&polynomials[&row], budget).unwrap_or(false)
    };
    if !contains(&partners) {
        return Ok(None);
    }
    for k in partners.clone() {
        let fewer: Vec<usize> = partners.iter().copied().filter(|&other| other != k).collect();
        if !fewer.is_empty() && contains(&fewer) {
            partners = fewer;
        }
    }
    Ok(Some(partners))
}

/// An expression as a polynomial with rational coefficients.
fn polynomial(pool: &mut Pool, expression: ExprId, variables: &[ExprId]) -> Option<Polynomial> {
    let collected = collect(pool, expression, variables, &mut Budget::new(IDEAL_BUDGET)).ok()?;
    let mut terms = Vec::with_capacity(collected.len());
    for (powers, coefficient) in collected {
        let mut exponents = vec![0_u16; variables.len()];
        for (variable, power) in powers {
            *exponents.get_mut(variable as usize)? = u16::try_from(power).ok()?;
        }
        terms.push((Monomial::from_exponents(&exponents), pool.as_number(coefficient)?.clone()));
    }
    Some(Polynomial::from_terms(terms))
}

/// Multipliers of all constraints, the redundant ones last: of all with the reaction of `multipliers`
/// those of least norm. `matrix` has the rows that stay, `aside` the others, at one place.
pub fn least_norm(
    pool: &mut Pool,
    redundant: &[Redundant],
    matrix: &SparseRows,
    aside: &SparseRows,
    multipliers: &[ExprId],
) -> Vec<ExprId> {
    if redundant.is_empty() {
        return multipliers.to_vec();
    }
    let numbers: Option<Vec<&Vec<Rational>>> =
        redundant.iter().map(|row| row.coefficients.as_ref()).collect();
    match numbers {
        Some(numbers) => by_numbers(pool, &numbers, multipliers),
        None => by_rows(pool, matrix, aside, multipliers),
    }
}

/// All rows are B A with B = [1; C]: λ = B w with BᵀB w = λ of the rows that stay.
fn by_numbers(pool: &mut Pool, numbers: &[&Vec<Rational>], multipliers: &[ExprId]) -> Vec<ExprId> {
    let m = multipliers.len();
    let mass: SparseRows = (0..m)
        .map(|i| {
            let entry = |j: usize| -> Rational {
                let one = if i == j { Rational::ONE } else { Rational::ZERO };
                numbers.iter().fold(one, |sum, c| &sum + &(&c[i] * &c[j]))
            };
            let row = (0..m).map(|j| (j as u32, entry(j))).filter(|(_, value)| !value.is_zero());
            row.map(|(j, value)| (j, pool.number(value))).collect()
        })
        .collect();
    let free = Vec::new();
    let saddle = Saddle {
        mass: &mass,
        constraints: &free,
        reactions: &free,
        impressed: multipliers,
        curvature: &[],
    };
    let (mut all, _) = saddle.solve(pool);
    for c in numbers {
        let terms: Vec<(Rational, ExprId)> =
            c.iter().cloned().zip(all[..m].iter().copied()).collect();
        let sum = pool.linear_combination(&terms);
        all.push(sum);
    }
    all
}

/// λ = [G; K] u with (G² + KᵀK) u = G λ, where G = A Aᵀ and K = R Aᵀ for the rows R set aside: the same
/// without C = K G⁻¹.
fn by_rows(
    pool: &mut Pool,
    matrix: &SparseRows,
    aside: &SparseRows,
    multipliers: &[ExprId],
) -> Vec<ExprId> {
    let product = |pool: &mut Pool, x: &[(u32, ExprId)], y: &[(u32, ExprId)]| -> ExprId {
        let mut terms = Vec::new();
        for &(i, a) in x {
            let others = y.iter().filter(|(j, _)| *j == i);
            terms.extend(others.map(|&(_, b)| pool.mul(a, b)));
        }
        pool.sum(&terms)
    };
    let m = matrix.len();
    let all: Vec<Vec<ExprId>> = matrix
        .iter()
        .chain(aside)
        .map(|row| matrix.iter().map(|other| product(pool, row, other)).collect())
        .collect();
    let mut entries = Vec::with_capacity(m * m);
    for i in 0..m {
        for j in 0..m {
            let terms: Vec<ExprId> = all.iter().map(|row| pool.mul(row[i], row[j])).collect();
            entries.push((i as u32, j as u32, pool.sum(&terms)));
        }
    }
    let combined = |pool: &mut Pool, row: &[ExprId], vector: &[ExprId]| -> ExprId {
        let terms: Vec<ExprId> = row.iter().zip(vector).map(|(&x, &y)| pool.mul(x, y)).collect();
        pool.sum(&terms)
    };
    let right: Vec<ExprId> = all[..m].iter().map(|row| combined(pool, row, multipliers)).collect();
    let u = pool.solve_node(&entries, &right);
    all.iter().map(|row| combined(pool, row, &u)).collect()
}
