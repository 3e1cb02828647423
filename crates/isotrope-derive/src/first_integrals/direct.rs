//! Integrals that are polynomials in the velocities, whether a symmetry of L belongs to them or not.
//!
//! I = Σ c_k b_k with b_k = v^α q^β and b_k = q^β g, where g are functions of positions that occur in the accelerations:
//! dI/dt = 0 along the motion is linear in c. Degree two in v and two in q contains all Killing tensors of flat metrics,
//! so the Runge-Lenz vector and the integrals of separable systems; terms without velocities go up to degree four.

use isotrope_algebra::calculus::directional_derivative;
use isotrope_algebra::evaluate::{Fidelity, FieldPlan, Gaussian};
use isotrope_algebra::modular::{self, Random};
use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};
use rustc_hash::FxHashMap;

use super::linear::{Linear, PRIME, TRIES, halves, plus, times};
use super::occurring::occurring;
use super::parameters::{monomial, monomials};
use super::{Found, independent};
use crate::Symbols;
use crate::conserved::{Conserved, Law, Parts, rate_along_flow, simplify_small};

/// Up to this many coordinates.
const SEARCHED: usize = 4;
/// The degree in velocities.
const DEGREE: u32 = 2;
/// The degree in positions of what stands with velocities.
const IN_POSITIONS: u32 = 2;
/// The degree in positions of what stands without.
const ALONE: u32 = 4;

/// A function of the ansatz: v^α q^β, times a function that occurs.
#[derive(Debug, Clone)]
struct Term {
    velocity: Vec<u32>,
    position: Vec<u32>,
    occurring: Option<usize>,
}

struct Conditions {
    terms: Vec<Term>,
    occurring: Vec<ExprId>,
    plan: FieldPlan,
    position: Vec<ExprId>,
    velocity: Vec<ExprId>,
    parameters: Vec<ExprId>,
    random: Random,
}

/// Polynomials of degree two in the velocities that are conserved, beside what is known. They are sought where nothing
/// constrains the motion and nothing depends on time.
pub(super) fn integrals(
    pool: &mut Pool,
    parts: Parts<'_>,
    known: &[Conserved],
    budget: &mut Budget,
) -> Found {
    let Parts { symbols, rows, eliminated, first_order, .. } = parts;
    let small = symbols.dimension() <= SEARCHED && symbols.dimension() > 1;
    if !small || !rows.is_empty() || first_order.is_some() {
        return Ok(Vec::new());
    }
    if eliminated.acceleration.iter().any(|&a| pool.depends_on(a, &[symbols.time])) {
        return Ok(Vec::new());
    }
    let Some(mut conditions) = Conditions::new(pool, parts, budget)? else { return Ok(Vec::new()) };
    let mut solutions = conditions.solutions(pool, budget)?;
    solutions.sort_by_key(|solution| solution.columns.len());
    let mut expressions = Vec::new();
    for solution in &solutions {
        if let Some(coefficients) = conditions.coefficients(pool, solution, budget)? {
            let terms: Vec<ExprId> = solution
                .columns
                .iter()
                .zip(coefficients)
                .map(|(&column, c)| conditions.written(pool, symbols, column, c))
                .collect();
            let sum = pool.sum(&terms);
            expressions.push(simplify_small(pool, sum));
        }
    }
    let new = independent(pool, parts, known, &expressions, budget)?;
    let mut found = Vec::new();
    for (expression, _) in expressions.into_iter().zip(new).filter(|pair| pair.1) {
        let proof = rate_along_flow(pool, parts, expression, ExprId::ZERO, budget);
        // Here the rate is the only proof.
        if proof == Zero::Yes {
            found.push(Conserved {
                name: "integral".to_owned(),
                expression,
                why: "a polynomial of degree two in the velocities whose rate vanishes".to_owned(),
                proof,
                strict: false,
                law: Law::Direct,
                generator: None,
            });
        }
    }
    Ok(found)
}

impl Conditions {
    fn new(
        pool: &mut Pool,
        parts: Parts<'_>,
        budget: &mut Budget,
    ) -> Result<Option<Self>, OutOfBudget> {
        let Parts { symbols, eliminated, .. } = parts;
        let n = symbols.dimension();
        let acceleration = &eliminated.acceleration;
        let occurring = occurring(pool, symbols, acceleration);
        let rates = directional_derivative(pool, &occurring, &symbols.drift(), budget)?;
        let mut terms = Vec::new();
        for k in 0..occurring.len() {
            for position in monomials(n, IN_POSITIONS) {
                terms.push(Term { velocity: vec![0; n], position, occurring: Some(k) });
            }
        }
        for velocity in monomials(n, DEGREE) {
            let degree =
                if velocity.iter().all(|&power| power == 0) { ALONE } else { IN_POSITIONS };
            for position in monomials(n, degree) {
                terms.push(Term { velocity: velocity.clone(), position, occurring: None });
            }
        }
        // A constant says nothing. The highest degrees in velocities, and there the lowest in positions, come last.
        let degree = |powers: &[u32]| powers.iter().sum::<u32>();
        terms.retain(|term| {
            term.occurring.is_some() || degree(&term.velocity) + degree(&term.position) > 0
        });
        terms.sort_by_key(|term| {
            (degree(&term.velocity), std::cmp::Reverse(degree(&term.position)))
        });
        let mut outputs = acceleration.clone();
        outputs.extend(&occurring);
        outputs.extend(rates);
        let mut parameters = pool.symbols_in(&outputs);
        parameters.retain(|id| !symbols.position.contains(id) && !symbols.velocity.contains(id));
        let Ok(plan) = FieldPlan::new(pool, &outputs, Fidelity::Generic, budget) else {
            return Ok(None);
        };
        let (position, velocity) = (symbols.position.clone(), symbols.velocity.clone());
        let random = Random::new(0xd1e);
        Ok(Some(Self { terms, occurring, plan, position, velocity, parameters, random }))
    }

    fn written(
        &self,
        pool: &mut Pool,
        symbols: &Symbols,
        column: usize,
        coefficient: ExprId,
    ) -> ExprId {
        let term = &self.terms[column];
        let mut factors = vec![coefficient];
        factors.extend(term.occurring.map(|k| self.occurring[k]));
        for (list, powers) in
            [(&symbols.velocity, &term.velocity), (&symbols.position, &term.position)]
        {
            for (&symbol, &power) in list.iter().zip(powers) {
                factors.push(pool.powi(symbol, power.into()));
            }
        }
        pool.product(&factors)
    }
}

impl Linear for Conditions {
    fn columns(&self) -> usize {
        self.terms.len()
    }

    fn parameters(&self) -> &[ExprId] {
        &self.parameters
    }

    fn random(&mut self) -> &mut Random {
        &mut self.random
    }

    fn conditions(
        &mut self,
        pool: &Pool,
        columns: &[usize],
        parameters: &[u64],
    ) -> Option<Vec<Vec<u64>>> {
        let n = self.position.len();
        (0..TRIES).find_map(|_| {
            let mut fixed: FxHashMap<ExprId, u64> =
                self.parameters.iter().copied().zip(parameters.iter().copied()).collect();
            let mut draw = |symbols: &[ExprId], random: &mut Random| -> Vec<u64> {
                let values: Vec<u64> = symbols.iter().map(|_| random.below(PRIME)).collect();
                fixed.extend(symbols.iter().copied().zip(values.iter().copied()));
                values
            };
            let q = draw(&self.position, &mut self.random);
            let v = draw(&self.velocity, &mut self.random);
            let values = self.plan.evaluate_with_roots(pool, &mut self.random, &fixed)?;
            let (acceleration, others) = values.split_at(n);
            let (functions, rates) = others.split_at(self.occurring.len());
            let row = columns.iter().map(|&column| {
                let term = &self.terms[column];
                let (alpha, beta) = (monomial(&v, &term.velocity), monomial(&q, &term.position));
                // d/dt (v^α q^β g)
                let with_q = times([slope(&q, &term.position, &v), 0], alpha);
                let turning = (0..n).fold([0, 0], |sum, i| {
                    let partial = times(acceleration[i], partial(&v, &term.velocity, i));
                    plus(sum, times(partial, beta))
                });
                let of_powers = plus(with_q, turning);
                match term.occurring {
                    None => of_powers,
                    Some(k) => plus(
                        product(functions[k], of_powers),
                        times(rates[k], modular::mul(alpha, beta, PRIME)),
                    ),
                }
            });
            Some(halves(&[row.collect()]))
        })
    }
}

/// ∂ x^powers / `∂x_i`.
fn partial(x: &[u64], powers: &[u32], i: usize) -> u64 {
    let mut lower = powers.to_vec();
    match lower[i] {
        0 => 0,
        power => {
            lower[i] -= 1;
            modular::mul(monomial(x, &lower), power.into(), PRIME)
        }
    }
}

/// The derivative of `x^powers` along v.
fn slope(x: &[u64], powers: &[u32], v: &[u64]) -> u64 {
    (0..x.len()).fold(0, |sum, i| {
        let part = modular::mul(partial(x, powers, i), v[i], PRIME);
        modular::add(sum, part, PRIME)
    })
}

fn product([a, b]: Gaussian, [c, d]: Gaussian) -> Gaussian {
    let times = |x, y| modular::mul(x, y, PRIME);
    [modular::sub(times(a, c), times(b, d), PRIME), modular::add(times(a, d), times(b, c), PRIME)]
}
