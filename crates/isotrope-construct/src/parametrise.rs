//! Families of solutions: free entries, and the others as rational functions of them.

use isotrope_algebra::ideal::{
    BasisEngine, BasisRequest, Coefficients, Component, Ideal, IdealError, VariableOrder,
};
use isotrope_algebra::linear::{Budgeted, PivotAt, SparseEchelon, SparseRow};
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
    let mut rows = Vec::with_capacity(linear.len());
    for element in linear {
        let mut row: SparseRow<usize, RationalFunction> = SparseRow::new();
        let mut rest = element.clone();
        for (column, &variable) in bound.iter().enumerate() {
            let coefficient = element.coefficient_in(variable, 1);
            rest = rest.sub(&coefficient.mul(&Polynomial::variable(variable), budget)?, budget)?;
            row.insert(column, quotient(coefficient, budget)?);
        }
        row.insert(width, quotient(rest, budget)?);
        row.retain(|_, value| !value.is_zero());
        rows.push(row);
    }
    let mut field = Budgeted::new(budget, 0, "solving for a family");
    let mut echelon = SparseEchelon::new(PivotAt::First);
    for row in rows {
        echelon.insert(&mut field, row)?;
    }
    // A pivot at the constants would be a relation between the free variables.
    if echelon.rank() < width || echelon.has_pivot(width) {
        return Ok(None);
    }
    let mut solved: Vec<RationalFunction> =
        (0..variables).map(RationalFunction::variable).collect();
    let mut values = echelon.annihilated(&mut field, width)?;
    for (column, &variable) in bound.iter().enumerate() {
        // What is not among the entries is zero.
        solved[variable] = values.remove(&column).unwrap_or_else(RationalFunction::zero);
    }
    Ok(Some(solved))
}

fn quotient(polynomial: Polynomial, budget: &mut Budget) -> Result<RationalFunction, OutOfBudget> {
    Ok(RationalFunction::new(polynomial, Polynomial::one(), budget)?
        .unwrap_or_else(RationalFunction::zero))
}
