//! Constant J − R and an energy that is not known: x' = (J − R) ∇H exactly if W f is a gradient, W = (J − R)⁻¹. That W Df is
//! symmetric is linear in W, and R ⪰ 0 exactly if the symmetric part of W is negative semidefinite.

use std::collections::BTreeMap;

use isotrope_algebra::calculus::gradient;
use isotrope_algebra::linear::{Matrix, determinant};
use isotrope_algebra::normal::{Fraction, Zero, is_zero, simplify};
use isotrope_algebra::{Budget, ExprId, Monomial, Pool, Rational, RationalFunction};

use super::echelon::{Echelon, Row};
use super::energies::Candidate;
use super::primitive::primitive;
use super::ring::Ring;
use super::sign::semidefinite;
use super::{Origin, PortError, Problem};

/// States, at most.
const STATES: usize = 6;
/// Families of matrices with more free numbers are not searched.
const FREE: usize = 4;
/// Energies, at most.
const MOST: usize = 3;

/// Energies of constant structures: those with R ⪰ 0 at the values of the file first, else any.
pub(super) fn constant_structure(
    pool: &mut Pool,
    problem: &Problem,
    budget: &mut Budget,
) -> Result<Vec<Candidate>, PortError> {
    let n = problem.states.len();
    if !(2..=STATES).contains(&n) {
        return Ok(Vec::new());
    }
    let directions = symmetric_products(pool, problem, budget)?;
    if directions.is_empty() || directions.len() > FREE {
        return Ok(Vec::new());
    }
    let (mut passive, mut others) = (Vec::new(), Vec::new());
    for matrix in members(pool, &directions, budget)? {
        let determinant = determinant(pool, &matrix, budget)?;
        if is_zero(pool, determinant, budget) != Zero::No {
            continue;
        }
        let lost = symmetric_part(pool, &matrix, -1);
        let verdict = semidefinite(pool, &problem.states, &lost, &problem.values, budget)?;
        let list = if verdict.holds() { &mut passive } else { &mut others };
        list.push(matrix);
        if passive.len() == MOST {
            break;
        }
    }
    let chosen = if passive.is_empty() { others } else { passive };
    let mut list = Vec::new();
    for matrix in chosen.into_iter().take(MOST) {
        let form = matrix.apply(pool, &problem.drift);
        if let Some(hamiltonian) = primitive(pool, &problem.states, &form, budget)? {
            list.push(Candidate { hamiltonian, origin: Origin::Constant });
        }
    }
    Ok(list)
}

/// A basis of the constant matrices W with W Df symmetric.
fn symmetric_products(
    pool: &mut Pool,
    problem: &Problem,
    budget: &mut Budget,
) -> Result<Vec<Matrix>, PortError> {
    let n = problem.states.len();
    let mut slopes = Vec::with_capacity(n * n);
    for &rate in &problem.drift {
        slopes.extend(gradient(pool, rate, &problem.states, budget)?);
    }
    // Of linear systems everything is known by Lyapunov's equation.
    if slopes.iter().all(|&slope| !pool.depends_on(slope, &problem.states)) {
        return Ok(Vec::new());
    }
    let (ring, fractions) = Ring::new(pool, &problem.states, &slopes, budget)?;
    let (numerators, _) = Fraction::over_common_denominator(&fractions, budget)?;
    let split: Vec<_> = numerators.iter().map(|slope| ring.split(slope)).collect();
    // Entries of the skew part are kept free first.
    let mut echelon = Echelon::new((0..n * n).map(|k| u32::from(k / n == k % n)).collect());
    for i in 0..n {
        for j in i + 1..n {
            // Σ_k W_ik ∂_j f_k − W_jk ∂_i f_k.
            let mut rows: BTreeMap<Monomial, Row> = BTreeMap::new();
            for k in 0..n {
                for (row, column, sign) in [(i, j, 1), (j, i, -1)] {
                    for (monomial, value) in &split[k * n + column] {
                        let value = value.scale(&Rational::integer(sign), budget)?;
                        let value = RationalFunction::from(value);
                        let entry = rows.entry(monomial.clone()).or_default();
                        let sum = entry.remove(&(row * n + k)).unwrap_or_default();
                        entry.insert(row * n + k, sum.add(&value, budget)?);
                    }
                }
            }
            for row in rows.values_mut() {
                row.retain(|_, value| !value.is_zero());
            }
            echelon.insert_all(rows.into_values(), budget)?;
        }
    }
    let directions = echelon.directions();
    let matrix = |vector: Vec<RationalFunction>| {
        let entries: Vec<ExprId> = vector.iter().map(|value| ring.quotient(pool, value)).collect();
        let rows: Vec<Vec<ExprId>> = entries.chunks(n).map(<[ExprId]>::to_vec).collect();
        Matrix::from_rows(n, &rows)
    };
    Ok(directions.into_iter().map(matrix).collect())
}

/// Members of a family: its directions and sums of two of them, and of each pair the one for which the symmetric part has
/// the largest determinant, where that is of degree two in the factor.
fn members(
    pool: &mut Pool,
    directions: &[Matrix],
    budget: &mut Budget,
) -> Result<Vec<Matrix>, PortError> {
    let signs = [-1, 1].map(|sign| pool.integer(sign));
    let (mut best, mut others) = (Vec::new(), Vec::new());
    for (a, first) in directions.iter().enumerate() {
        for sign in signs {
            others.push(combined(pool, &[(sign, first)]));
        }
        for (b, second) in directions.iter().enumerate().filter(|(b, _)| *b != a) {
            for sign in signs {
                best.extend(largest(pool, (sign, first), second, budget)?);
                for other in signs.into_iter().filter(|_| a < b) {
                    others.push(combined(pool, &[(sign, first), (other, second)]));
                }
            }
        }
    }
    best.extend(others);
    Ok(best)
}

/// sign·first + t second with the t where det(sym) has its maximum or minimum, if it is of degree two in t.
fn largest(
    pool: &mut Pool,
    (sign, first): (ExprId, &Matrix),
    second: &Matrix,
    budget: &mut Budget,
) -> Result<Option<Matrix>, PortError> {
    // Three values of a polynomial of degree two.
    let mut values = Vec::new();
    for t in [-1, 0, 1, 2] {
        let t = pool.integer(t);
        let matrix = combined(pool, &[(sign, first), (t, second)]);
        let symmetric = symmetric_part(pool, &matrix, 1);
        values.push(determinant(pool, &symmetric, budget)?);
    }
    let [before, at, after, check] = values[..] else { return Ok(None) };
    // f = at + (after − before)/2 t + (after + before − 2 at)/2 t².
    let mut sum = |terms: &[(i64, ExprId)]| {
        let terms: Vec<(Rational, ExprId)> =
            terms.iter().map(|&(c, id)| (Rational::integer(c), id)).collect();
        pool.linear_combination(&terms)
    };
    let slope = sum(&[(1, after), (-1, before)]);
    let bend = sum(&[(1, after), (1, before), (-2, at)]);
    let defect = sum(&[(1, check), (-3, after), (3, at), (-1, before)]);
    let quadratic =
        is_zero(pool, defect, budget) == Zero::Yes && is_zero(pool, bend, budget) == Zero::No;
    if !quadratic {
        return Ok(None);
    }
    let quotient = pool.div(slope, bend);
    let t = pool.scale(&Rational::new(-1, 2).unwrap_or_default(), quotient);
    let t = simplify(pool, t, budget);
    Ok((!t.is_zero()).then(|| combined(pool, &[(sign, first), (t, second)])))
}

/// Σ c M.
fn combined(pool: &mut Pool, parts: &[(ExprId, &Matrix)]) -> Matrix {
    let (rows, columns) = (parts[0].1.rows(), parts[0].1.columns());
    let mut sum = Matrix::zero(rows, columns);
    for i in 0..rows {
        for j in 0..columns {
            let terms: Vec<ExprId> =
                parts.iter().map(|(c, matrix)| pool.mul(*c, matrix.get(i, j))).collect();
            let value = pool.sum(&terms);
            sum.set(i, j, value);
        }
    }
    sum
}

/// sign (M + Mᵀ).
fn symmetric_part(pool: &mut Pool, matrix: &Matrix, sign: i64) -> Matrix {
    let sign = pool.integer(sign);
    let transposed = matrix.transposed();
    combined(pool, &[(sign, matrix), (sign, &transposed)])
}
