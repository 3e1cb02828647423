//! A Hamiltonian as a sum of parts whose flows have formulas.

use isotrope_algebra::calculus::gradient;
use isotrope_algebra::normal::simplify;
use isotrope_algebra::{Budget, ExprId, Node, OutOfBudget, Pool};

use super::exact_flow::exact_flow;

/// What shortening one expression may cost.
const SHORT: u64 = 50_000;
/// Terms of a Hamiltonian.
const MOST_TERMS: usize = 256;
/// Powers of sums up to this one are multiplied out.
const MOST_POWER: i64 = 4;

/// A part of the Hamiltonian with its flow.
pub(super) struct Part {
    hamiltonian: ExprId,
    /// Where the flow takes each coordinate, a function of the coordinates and of τ.
    pub images: Vec<ExprId>,
}

/// What a Hamiltonian was split into.
pub(super) enum Split {
    Parts(Vec<Part>),
    /// A term whose flow has no formula here.
    Unsolved,
}

/// Splits H into as few parts as can be found one after the other.
pub(super) fn split(
    pool: &mut Pool,
    positions: &[ExprId],
    bracket: &[Vec<ExprId>],
    hamiltonian: ExprId,
    tau: ExprId,
    budget: &mut Budget,
) -> Result<Split, OutOfBudget> {
    let mut parts: Vec<Part> = Vec::new();
    let Some(terms) = terms(pool, hamiltonian) else { return Ok(Split::Unsolved) };
    for term in terms {
        let field = field(pool, positions, bracket, term, budget)?;
        if field.iter().all(|rate| rate.is_zero()) {
            // A Casimir function moves nothing.
            continue;
        }
        let mut joined = false;
        for part in &mut parts {
            let sum = pool.add(part.hamiltonian, term);
            let field = self::field(pool, positions, bracket, sum, budget)?;
            if let Some(images) = exact_flow(pool, positions, &field, tau, budget)? {
                *part = Part { hamiltonian: sum, images };
                joined = true;
                break;
            }
        }
        if joined {
            continue;
        }
        match exact_flow(pool, positions, &field, tau, budget)? {
            Some(images) => parts.push(Part { hamiltonian: term, images }),
            None => return Ok(Split::Unsolved),
        }
    }
    Ok(Split::Parts(parts))
}

/// D ∇H.
fn field(
    pool: &mut Pool,
    positions: &[ExprId],
    bracket: &[Vec<ExprId>],
    hamiltonian: ExprId,
    budget: &mut Budget,
) -> Result<Vec<ExprId>, OutOfBudget> {
    let slopes = gradient(pool, hamiltonian, positions, budget)?;
    let rows = bracket.iter().map(|row| {
        let terms: Vec<ExprId> = row
            .iter()
            .zip(&slopes)
            .filter(|(a, b)| !a.is_zero() && !b.is_zero())
            .map(|(&a, &b)| pool.mul(a, b))
            .collect();
        let sum = pool.sum(&terms);
        simplify(pool, sum, &mut Budget::new(SHORT))
    });
    Ok(rows.collect())
}

/// The terms of a sum, with products of sums multiplied out; `None` if there are too many.
fn terms(pool: &mut Pool, expression: ExprId) -> Option<Vec<ExprId>> {
    let mut done = Vec::new();
    let mut open = vec![expression];
    while let Some(next) = open.pop() {
        if done.len() + open.len() > MOST_TERMS {
            return None;
        }
        match once(pool, next) {
            Some(parts) => open.extend(parts.into_iter().rev()),
            None => done.push(next),
        }
    }
    Some(done)
}

/// One step of multiplying out: the terms of a sum, or a product with one of its sums opened.
fn once(pool: &mut Pool, expression: ExprId) -> Option<Vec<ExprId>> {
    match pool.node(expression) {
        Node::Sum(pairs) => {
            let pairs: Vec<(ExprId, ExprId)> = pairs.iter().collect();
            if let [(term, factor)] = pairs[..] {
                let inner = once(pool, term)?;
                return Some(inner.into_iter().map(|part| pool.mul(factor, part)).collect());
            }
            Some(pairs.into_iter().map(|(term, factor)| pool.mul(factor, term)).collect())
        }
        Node::Product(pairs) => {
            let pairs: Vec<(ExprId, ExprId)> = pairs.iter().collect();
            let at = pairs.iter().position(|&(base, exponent)| {
                let power =
                    pool.as_number(exponent).and_then(isotrope_algebra::Rational::as_integer);
                let whole = power.is_some_and(|power| (1..=MOST_POWER).contains(&power));
                whole && matches!(pool.node(base), Node::Sum(_))
            })?;
            let mut rest: Vec<ExprId> = Vec::with_capacity(pairs.len());
            for (k, &(base, exponent)) in pairs.iter().enumerate() {
                let less = if k == at { pool.sub(exponent, ExprId::ONE) } else { exponent };
                rest.push(pool.power(base, less));
            }
            let rest = pool.product(&rest);
            let inner = once(pool, pairs[at].0)?;
            Some(inner.into_iter().map(|part| pool.mul(rest, part)).collect())
        }
        _ => None,
    }
}
