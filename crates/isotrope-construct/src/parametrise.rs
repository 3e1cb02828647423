//! Families of solutions: free entries, and the others as rational functions of them.

use isotrope_algebra::ideal::{
    BasisEngine, BasisRequest, Coefficients, Component, Ideal, IdealError, VariableOrder,
};
use isotrope_algebra::polynomial::{Polynomial, RationalFunction};
use isotrope_algebra::{Budget, OutOfBudget};

use super::solve::within_reach;

/// A component of the set of solutions.
#[derive(Debug, Clone)]
pub struct SolutionFamily {
    /// Its ideal.
    pub ideal: Ideal,
    /// The dimension.
    pub dimension: usize,
    /// Variables that can be chosen freely at a general point.
    pub free: Vec<usize>,
    /// Every variable as a rational function of the free ones, where they are.
    pub parametrisation: Option<Vec<RationalFunction>>,
}

/// Sets of free variables that are tried.
const SETS: usize = 16;

impl SolutionFamily {
    /// Describes a component.
    pub fn new(
        component: &Component,
        engine: &dyn BasisEngine,
        budget: &mut Budget,
    ) -> Result<Self, IdealError> {
        let ideal = component.ideal.clone();
        let first = ideal.independent_variables();
        let dimension = first.len();
        for free in ideal.independent_sets(SETS) {
            let Some(linear) = linear_part(&ideal, &free, engine)? else { break };
            if let Some(solved) = solve(&ideal, &free, &linear, budget)? {
                return Ok(Self { ideal, dimension, free, parametrisation: Some(solved) });
            }
        }
        Ok(Self { ideal, dimension, free: first, parametrisation: None })
    }
}

/// Elements of the ideal that are of degree at most one in the variables that are not free, from a
/// basis that puts these first.
fn linear_part(
    ideal: &Ideal,
    free: &[usize],
    engine: &dyn BasisEngine,
) -> Result<Option<Vec<Polynomial>>, IdealError> {
    let variables = ideal.variables();
    let bound: Vec<usize> = (0..variables).filter(|v| !free.contains(v)).collect();
    let order: Vec<usize> = bound.iter().chain(free).copied().collect();
    let mut place = vec![0; variables];
    for (new, &old) in order.iter().enumerate() {
        place[old] = new;
    }
    let renamed: Vec<Polynomial> = ideal.basis().iter().map(|g| relabel(g, &place)).collect();
    let request = BasisRequest {
        polynomials: &renamed,
        variables,
        order: VariableOrder::Eliminating(bound.len()),
        coefficients: Coefficients::Rational,
    };
    let Some(basis) = within_reach(engine.basis(&request).map_err(IdealError::from))? else {
        return Ok(None);
    };
    let linear = |g: &Polynomial| {
        g.terms().iter().all(|(monomial, _)| {
            (0..bound.len()).map(|v| u32::from(monomial.exponent(v))).sum::<u32>() <= 1
        })
    };
    let back = basis.iter().filter(|g| linear(g)).map(|g| relabel(g, &order)).collect();
    Ok(Some(back))
}

/// Variable i becomes variable `place[i]`.
fn relabel(polynomial: &Polynomial, place: &[usize]) -> Polynomial {
    Polynomial::from_terms(polynomial.terms().iter().map(|(monomial, coefficient)| {
        let mut exponents = vec![0u16; place.len()];
        for variable in monomial.variables() {
            exponents[place[variable]] = monomial.exponent(variable);
        }
        (isotrope_algebra::Monomial::from_exponents(&exponents), coefficient.clone())
    }))
}

/// Solves elements that are linear in the bound variables for all of them, over the field of
/// rational functions of the free ones.
fn solve(
    ideal: &Ideal,
    free: &[usize],
    linear: &[Polynomial],
    budget: &mut Budget,
) -> Result<Option<Vec<RationalFunction>>, OutOfBudget> {
    let variables = ideal.variables();
    let bound: Vec<usize> = (0..variables).filter(|v| !free.contains(v)).collect();
    let width = bound.len();
    let mut rows: Vec<(usize, Vec<RationalFunction>)> = Vec::new();
    for element in linear {
        let mut row: Vec<RationalFunction> = Vec::with_capacity(width + 1);
        let mut rest = element.clone();
        for &variable in &bound {
            let coefficient = element.coefficient_in(variable, 1);
            rest = rest.sub(&coefficient.mul(&Polynomial::variable(variable), budget)?, budget)?;
            row.push(quotient(coefficient, budget)?);
        }
        row.push(quotient(rest, budget)?);
        for (pivot, other) in &rows {
            let factor = row[*pivot].clone();
            if factor.is_zero() {
                continue;
            }
            for (x, y) in row.iter_mut().zip(other) {
                *x = x.sub(&factor.mul(y, budget)?, budget)?;
            }
        }
        let Some(pivot) = row.iter().take(width).position(|x| !x.is_zero()) else { continue };
        let Some(inverse) = row[pivot].recip() else { continue };
        for x in &mut row {
            *x = x.mul(&inverse, budget)?;
        }
        for (_, other) in &mut rows {
            let factor = other[pivot].clone();
            if factor.is_zero() {
                continue;
            }
            for (x, y) in other.iter_mut().zip(&row) {
                *x = x.sub(&factor.mul(y, budget)?, budget)?;
            }
        }
        rows.push((pivot, row));
    }
    if rows.len() < width {
        return Ok(None);
    }
    let mut solved: Vec<RationalFunction> =
        (0..variables).map(RationalFunction::variable).collect();
    for (pivot, row) in &rows {
        if let (Some(&variable), Some(constant)) = (bound.get(*pivot), row.last()) {
            solved[variable] = constant.negate();
        }
    }
    Ok(Some(solved))
}

fn quotient(polynomial: Polynomial, budget: &mut Budget) -> Result<RationalFunction, OutOfBudget> {
    Ok(RationalFunction::new(polynomial, Polynomial::one(), budget)?
        .unwrap_or_else(RationalFunction::zero))
}
