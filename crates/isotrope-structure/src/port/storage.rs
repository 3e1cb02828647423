//! Quadratic energies: storage functions with diagonal dissipation and Lyapunov's equation.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use isotrope_algebra::calculus::gradient;
use isotrope_algebra::linear::Matrix;
use isotrope_algebra::normal::{Fraction, simplify, size};
use isotrope_algebra::{Budget, ExprId, Monomial, Pool, Rational, RationalFunction};

use super::echelon::{Echelon, Row};
use super::energies::Candidate;
use super::positive_real::{PositiveReal, positive_real};
use super::ring::Ring;
use super::sign::definite;
use super::{Origin, PortError, Problem};

/// The most states for the equations with a full matrix.
const FULL: usize = 5;

fn plain(
    pool: &mut Pool,
    problem: &Problem,
    budget: &mut Budget,
) -> Result<Option<Ring>, PortError> {
    let mut given = problem.drift.clone();
    given.extend_from_slice(&problem.states);
    let (ring, fractions) = Ring::new(pool, &problem.states, &given, budget)?;
    let (_, denominator) = Fraction::over_common_denominator(&fractions, budget)?;
    let whole = ring.split(&denominator).keys().all(Monomial::is_one);
    let states = ring.variables().iter().all(|&v| problem.states.contains(&ring.expression_of(v)));
    Ok((whole && states).then_some(ring))
}

/// `H = sum w_i x_i^2/2 + l_i x_i` whose rate has squares, linear terms and a constant only.
/// Lorenz' shifted energy, currents and voltages of circuits, momenta of rigid bodies.
pub(super) fn storage(
    pool: &mut Pool,
    problem: &Problem,
    budget: &mut Budget,
) -> Result<Vec<Candidate>, PortError> {
    let found = with_rates(pool, problem, Some(2), budget)?;
    // Pure higher powers next: R gains entries that vary.
    if found.is_empty() { with_rates(pool, problem, None, budget) } else { Ok(found) }
}

/// Those whose rate has pure powers up to a degree.
fn with_rates(
    pool: &mut Pool,
    problem: &Problem,
    highest: Option<usize>,
    budget: &mut Budget,
) -> Result<Vec<Candidate>, PortError> {
    if plain(pool, problem, budget)?.is_none() {
        return Ok(Vec::new());
    }
    let n = problem.states.len();
    // Columns: w_1, …, w_n, l_1, …, l_n; the rate of each basis function.
    let mut rates: Vec<ExprId> = Vec::with_capacity(2 * n);
    for (&x, &f) in problem.states.iter().zip(&problem.drift) {
        rates.push(pool.mul(x, f));
    }
    rates.extend_from_slice(&problem.drift);
    let (ring, fractions) = Ring::new(pool, &problem.states, &rates, budget)?;
    let (numerators, _) = Fraction::over_common_denominator(&fractions, budget)?;
    let mut rows: BTreeMap<Monomial, Row> = BTreeMap::new();
    for (column, p) in numerators.iter().enumerate() {
        for (monomial, value) in ring.split(p) {
            let low = highest.is_none_or(|degree| monomial.degree() <= degree as u64);
            let square = low && monomial.variables().count() <= 1;
            if !square {
                rows.entry(monomial).or_default().insert(column, RationalFunction::from(value));
            }
        }
    }
    // Weights before linear terms: these stay zero where they can.
    let preference = (0..2 * n).map(|column| u32::from(column < n)).collect();
    let mut echelon = Echelon::new(preference);
    echelon.insert_all(rows.into_values(), budget)?;
    let mut found: Vec<Vec<RationalFunction>> = Vec::new();
    let mut equal = echelon.clone();
    let ones = (0..n).map(|column| {
        Row::from([(column, RationalFunction::one()), (2 * n, RationalFunction::one())])
    });
    if equal.insert_all(ones, budget)? {
        found.push(equal.solution());
    }
    let directions = echelon.directions();
    let mut sum = vec![RationalFunction::zero(); 2 * n];
    for direction in &directions {
        if direction[..n].iter().all(RationalFunction::is_zero) {
            continue;
        }
        for (total, part) in sum.iter_mut().zip(direction) {
            *total = total.add(part, budget)?;
        }
        found.push(direction.clone());
    }
    found.push(sum);
    let positive = |pool: &mut Pool, vector: &[RationalFunction]| -> Option<Vec<ExprId>> {
        let weights: Vec<ExprId> = vector.iter().map(|value| ring.quotient(pool, value)).collect();
        let sign = |&w: &ExprId| problem.values.sign(pool, w) == Some(Ordering::Greater);
        weights[..n].iter().all(sign).then_some(weights)
    };
    let mut members: Vec<Vec<ExprId>> =
        found.iter().filter_map(|vector| positive(pool, vector)).collect();
    if members.is_empty() {
        // The cone of positive weights may lie between the directions.
        for vector in mixtures(&directions, n, budget)? {
            members.extend(positive(pool, &vector));
            if !members.is_empty() {
                break;
            }
        }
    }
    let mut list: Vec<Candidate> = Vec::new();
    for weights in members {
        let weights = shortest(pool, problem, &weights, budget)?;
        let half = Rational::half();
        let mut terms = Vec::new();
        for (i, &x) in problem.states.iter().enumerate() {
            let square = pool.powi(x, 2);
            let square = pool.mul(weights[i], square);
            terms.push(pool.scale(&half, square));
            terms.push(pool.mul(weights[n + i], x));
        }
        let hamiltonian = pool.sum(&terms);
        list.push(Candidate { hamiltonian, origin: Origin::Storage });
    }
    Ok(list)
}

/// Sums of at most three directions of weights with small numbers as factors.
fn mixtures(
    directions: &[Vec<RationalFunction>],
    n: usize,
    budget: &mut Budget,
) -> Result<Vec<Vec<RationalFunction>>, PortError> {
    const LARGEST: i64 = 4;
    let weighing: Vec<&Vec<RationalFunction>> = directions
        .iter()
        .filter(|direction| !direction[..n].iter().all(RationalFunction::is_zero))
        .take(3)
        .collect();
    let mut sums = vec![vec![RationalFunction::zero(); 2 * n]];
    for direction in weighing {
        let mut longer = Vec::with_capacity(sums.len() * LARGEST as usize);
        for sum in &sums {
            let mut total = sum.clone();
            for _ in 0..LARGEST {
                for (total, part) in total.iter_mut().zip(direction) {
                    *total = total.add(part, budget)?;
                }
                longer.push(total.clone());
            }
        }
        sums = longer;
    }
    Ok(sums)
}

/// The multiple of the weights that makes energy and structure short: c H goes with J / c.
fn shortest(
    pool: &mut Pool,
    problem: &Problem,
    weights: &[ExprId],
    budget: &mut Budget,
) -> Result<Vec<ExprId>, PortError> {
    let n = problem.states.len();
    let mut slopes = Vec::new();
    for &f in &problem.drift {
        slopes.push(gradient(pool, f, &problem.states, budget)?);
    }
    let mut scales = vec![ExprId::ONE];
    for &w in &weights[..n] {
        let (ring, fractions) = Ring::new(pool, &[], &[w], budget)?;
        let Fraction { numerator, denominator } = &fractions[0];
        scales.push(ring.expression(pool, numerator));
        scales.push(ring.expression(pool, denominator));
        scales.push(w);
    }
    for k in 0..scales.len() {
        let inverse = pool.powi(scales[k], -1);
        scales.push(inverse);
    }
    let mut best: Option<(u64, Vec<ExprId>)> = None;
    for scale in scales {
        let scaled: Vec<ExprId> = weights
            .iter()
            .map(|&w| {
                let value = pool.mul(w, scale);
                simplify(pool, value, budget)
            })
            .collect();
        let mut cost: u64 = scaled.iter().map(|&w| size(pool, w)).sum();
        for row in &slopes {
            for (&slope, &w) in row.iter().zip(&scaled) {
                let entry = pool.div(slope, w);
                let entry = simplify(pool, entry, budget);
                cost = cost.saturating_add(size(pool, entry));
            }
        }
        // A weight that is negative at the values would turn the sign of the energy.
        let first = scaled.iter().copied().find(|w| !w.is_zero()).unwrap_or(ExprId::ONE);
        let upright = problem.values.sign(pool, first) == Some(Ordering::Greater);
        if upright && best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, scaled));
        }
    }
    Ok(best.map_or_else(|| weights.to_vec(), |(_, scaled)| scaled))
}

/// The matrices of `x' = A x + B u, y = C x`.
pub(super) struct LinearSystem {
    pub a: Matrix,
    pub b: Vec<Vec<ExprId>>,
    pub c: Vec<Vec<ExprId>>,
}

fn constant_gradient(
    pool: &mut Pool,
    problem: &Problem,
    function: ExprId,
    budget: &mut Budget,
) -> Result<Option<Vec<ExprId>>, PortError> {
    let mut row = Vec::new();
    for slope in gradient(pool, function, &problem.states, budget)? {
        let slope = simplify(pool, slope, budget);
        if pool.depends_on(slope, &problem.states) {
            return Ok(None);
        }
        row.push(slope);
    }
    let parts: Vec<ExprId> =
        row.iter().zip(&problem.states).map(|(&slope, &x)| pool.mul(slope, x)).collect();
    let linear = pool.sum(&parts);
    let rest = pool.sub(function, linear);
    Ok(simplify(pool, rest, budget).is_zero().then_some(row))
}

fn linear_system(
    pool: &mut Pool,
    problem: &Problem,
    budget: &mut Budget,
) -> Result<Option<LinearSystem>, PortError> {
    let n = problem.states.len();
    let mut a = Matrix::zero(n, n);
    for (i, &f) in problem.drift.iter().enumerate() {
        let Some(row) = constant_gradient(pool, problem, f, budget)? else { return Ok(None) };
        row.into_iter().enumerate().for_each(|(j, value)| a.set(i, j, value));
    }
    let mut c = Vec::new();
    for &output in &problem.outputs {
        let Some(row) = constant_gradient(pool, problem, output, budget)? else {
            return Ok(None);
        };
        c.push(row);
    }
    let varies = problem.columns.iter().flatten().any(|&e| pool.depends_on(e, &problem.states));
    Ok((!varies).then(|| LinearSystem { a, b: problem.columns.clone(), c }))
}

/// Energies `x Q x / 2` of linear systems: with inputs and as many outputs, `Q B = C^T` and
/// `Q A + A^T Q` not positive; otherwise `A^T Q + Q A = -1`.
pub(super) fn lyapunov(
    pool: &mut Pool,
    problem: &Problem,
    notes: &mut Vec<String>,
    budget: &mut Budget,
) -> Result<Vec<Candidate>, PortError> {
    let n = problem.states.len();
    if n > FULL {
        if !problem.inputs.is_empty() && problem.inputs.len() == problem.outputs.len() {
            let words = "Kalman-Yakubovich-Popov: not tried with more than";
            notes.push(format!("{words} {FULL} states"));
        }
        return Ok(Vec::new());
    }
    let Some(system) = linear_system(pool, problem, budget)? else { return Ok(Vec::new()) };
    let mut list = Vec::new();
    if !system.b.is_empty() && system.b.len() == system.c.len() {
        match positive_real(pool, problem, &system, budget)? {
            PositiveReal::Energy(hamiltonian) => {
                list.push(Candidate { hamiltonian, origin: Origin::PositiveReal });
            }
            PositiveReal::None(reason) => notes.push(format!(
                "Kalman-Yakubovich-Popov: {reason}; not passive with these outputs and a quadratic energy"
            )),
            PositiveReal::Open(reason) => {
                notes.push(format!("Kalman-Yakubovich-Popov: not decided; {reason}"));
            }
        }
    }
    if list.is_empty()
        && let Some(hamiltonian) = stable(pool, problem, &system, budget)?
    {
        list.push(Candidate { hamiltonian, origin: Origin::Lyapunov });
    }
    Ok(list)
}

/// The places of a symmetric matrix.
pub(super) fn places(n: usize) -> Vec<(usize, usize)> {
    (0..n).flat_map(|i| (i..n).map(move |j| (i, j))).collect()
}

pub(super) fn field(
    pool: &mut Pool,
    entries: &[ExprId],
    budget: &mut Budget,
) -> Result<(Ring, Vec<RationalFunction>), PortError> {
    let (ring, fractions) = Ring::new(pool, &[], entries, budget)?;
    let mut list = Vec::with_capacity(fractions.len());
    for Fraction { numerator, denominator } in fractions {
        let value = RationalFunction::new(numerator, denominator, budget)?;
        list.push(value.ok_or(PortError::Undefined)?);
    }
    Ok((ring, list))
}

/// `(A^T Q + Q A)_ij` as a row in the unknowns of Q.
pub(super) fn lyapunov_row(
    a: &[RationalFunction],
    n: usize,
    (i, j): (usize, usize),
    budget: &mut Budget,
) -> Result<Row, PortError> {
    let places = places(n);
    let column = |x: usize, y: usize| places.iter().position(|&p| p == (x.min(y), x.max(y)));
    let mut row = Row::new();
    for k in 0..n {
        for (place, value) in [(column(k, j), &a[k * n + i]), (column(i, k), &a[k * n + j])] {
            let Some(place) = place else { continue };
            let entry = row.entry(place).or_default();
            *entry = entry.add(value, budget)?;
        }
    }
    row.retain(|_, value| !value.is_zero());
    Ok(row)
}

pub(super) fn symmetric(
    pool: &mut Pool,
    ring: &Ring,
    n: usize,
    values: &[RationalFunction],
) -> Matrix {
    let mut q = Matrix::zero(n, n);
    for (&(i, j), value) in places(n).iter().zip(values) {
        let value = ring.quotient(pool, value);
        q.set(i, j, value);
        q.set(j, i, value);
    }
    q
}

pub(super) fn quadratic(
    pool: &mut Pool,
    states: &[ExprId],
    q: &Matrix,
    budget: &mut Budget,
) -> ExprId {
    let efforts = q.apply(pool, states);
    let half = Rational::half();
    let terms: Vec<ExprId> = efforts
        .iter()
        .zip(states)
        .map(|(&e, &x)| {
            let product = pool.mul(e, x);
            pool.scale(&half, product)
        })
        .collect();
    let sum = pool.sum(&terms);
    simplify(pool, sum, budget)
}

fn stable(
    pool: &mut Pool,
    problem: &Problem,
    system: &LinearSystem,
    budget: &mut Budget,
) -> Result<Option<ExprId>, PortError> {
    let n = problem.states.len();
    let (ring, a) = field(pool, system.a.entries(), budget)?;
    let mut echelon = Echelon::new(vec![0; places(n).len()]);
    for (i, j) in places(n) {
        let mut row = lyapunov_row(&a, n, (i, j), budget)?;
        if i == j {
            row.insert(places(n).len(), RationalFunction::one().negate());
        }
        if !echelon.insert_all([row], budget)? {
            return Ok(None);
        }
    }
    let q = symmetric(pool, &ring, n, &echelon.solution());
    let holds = definite(pool, &q, &problem.values, budget)?.holds();
    Ok(holds.then(|| quadratic(pool, &problem.states, &q, budget)))
}

/// Half the squared distance from the origin.
pub(super) fn distance(pool: &mut Pool, problem: &Problem) -> ExprId {
    let half = Rational::half();
    let terms: Vec<ExprId> = problem
        .states
        .iter()
        .map(|&x| {
            let square = pool.powi(x, 2);
            pool.scale(&half, square)
        })
        .collect();
    pool.sum(&terms)
}
