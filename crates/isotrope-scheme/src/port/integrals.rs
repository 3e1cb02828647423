//! Polynomial first integrals: `f . dH = 0`, linear in the coefficients of H.

use std::collections::BTreeMap;

use isotrope_algebra::calculus::gradient;
use isotrope_algebra::normal::simplify;
use isotrope_algebra::{Budget, ExprId, Monomial, Polynomial, Pool, Rational, RationalFunction};

use super::echelon::{Echelon, Row};
use super::ring::{Ring, over_common_denominator};
use super::{PortError, Problem};

/// The most monomials that are tried.
const MONOMIALS: usize = 220;

/// The integrals of one degree bound, and the bound.
#[derive(Debug, Clone)]
pub(super) struct Integrals {
    pub functions: Vec<ExprId>,
    pub degree: u32,
}

/// The first integrals of degree at most 2, or else of the first degree that has some, up to
/// `degree`.
pub(super) fn first_integrals(
    pool: &mut Pool,
    problem: &Problem,
    degree: u32,
    budget: &mut Budget,
) -> Result<Integrals, PortError> {
    let mut searched = 0;
    for bound in 2.min(degree)..=degree {
        let monomials = match monomials(pool, problem, bound, budget) {
            Ok(list) if list.len() <= MONOMIALS => list,
            Ok(_) | Err(PortError::TooLarge { .. }) => break,
            Err(error) => return Err(error),
        };
        searched = bound;
        let functions = conserved(pool, problem, &monomials, budget)?;
        if !functions.is_empty() {
            return Ok(Integrals { functions, degree: bound });
        }
    }
    Ok(Integrals { functions: Vec::new(), degree: searched })
}

/// Monomials in the states and in the functions of them that the rates contain.
fn monomials(
    pool: &mut Pool,
    problem: &Problem,
    degree: u32,
    budget: &mut Budget,
) -> Result<Vec<ExprId>, PortError> {
    let mut given = problem.drift.clone();
    given.extend_from_slice(&problem.states);
    let (ring, _) = Ring::new(pool, &problem.states, &given, budget)?;
    let list = ring.monomials(&ring.variables(), degree)?;
    let power = |m: Monomial| Polynomial::term(m, Rational::ONE);
    Ok(list.into_iter().filter(|m| !m.is_one()).map(|m| ring.expression(pool, &power(m))).collect())
}

fn conserved(
    pool: &mut Pool,
    problem: &Problem,
    functions: &[ExprId],
    budget: &mut Budget,
) -> Result<Vec<ExprId>, PortError> {
    let mut rates = Vec::with_capacity(functions.len());
    for &function in functions {
        let slopes = gradient(pool, function, &problem.states, budget)?;
        let terms: Vec<ExprId> =
            slopes.iter().zip(&problem.drift).map(|(&s, &f)| pool.mul(s, f)).collect();
        rates.push(pool.sum(&terms));
    }
    let (ring, fractions) = Ring::new(pool, &problem.states, &rates, budget)?;
    let (numerators, _) = over_common_denominator(&fractions, budget)?;
    let mut rows: BTreeMap<Monomial, Row> = BTreeMap::new();
    for (column, p) in numerators.iter().enumerate() {
        for (monomial, value) in ring.split(&ring.reduce(p, budget)?) {
            rows.entry(monomial).or_default().insert(column, RationalFunction::from(value));
        }
    }
    // Solve for monomials of high degree: what stays free leads the integrals.
    let last = u32::try_from(functions.len()).unwrap_or(u32::MAX);
    let mut echelon = Echelon::new((0..last).rev().collect());
    echelon.insert_all(rows.into_values(), budget)?;
    let mut list = Vec::new();
    for direction in echelon.directions() {
        let direction = cleared(&direction, budget)?;
        let terms: Vec<ExprId> = direction
            .iter()
            .zip(functions)
            .filter(|(value, _)| !value.is_zero())
            .map(|(value, &function)| {
                let coefficient = ring.expression(pool, value);
                pool.mul(coefficient, function)
            })
            .collect();
        let sum = pool.sum(&terms);
        list.push(simplify(pool, sum, budget));
    }
    Ok(list)
}

/// A vector without denominators.
pub(super) fn cleared(
    vector: &[RationalFunction],
    budget: &mut Budget,
) -> Result<Vec<Polynomial>, PortError> {
    let fractions: Vec<_> = vector
        .iter()
        .map(|value| isotrope_algebra::normal::Fraction {
            numerator: value.numerator().clone(),
            denominator: value.denominator().clone(),
        })
        .collect();
    Ok(over_common_denominator(&fractions, budget)?.0)
}
