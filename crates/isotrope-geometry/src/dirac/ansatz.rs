//! Linear equations for the coefficients of polynomial ansatzes.

use std::collections::BTreeMap;

use isotrope_algebra::linear::{Budgeted, LinearError, PivotAt, SparseEchelon};
use isotrope_algebra::normal::{AngleSplitting, Fraction, Generators};
use isotrope_algebra::polynomial::{Field, RationalFunction};
use isotrope_algebra::{Budget, ExprId, Monomial, Node, OrInternal, OutOfBudget, Polynomial, Pool};

/// The most monomials of an ansatz.
pub(super) const MONOMIALS: usize = 400;

/// The product of powers of the coordinates.
pub(super) fn power_product(pool: &mut Pool, base: &[ExprId], exponents: &[u32]) -> ExprId {
    let powers: Vec<ExprId> =
        base.iter().zip(exponents).map(|(&x, &e)| pool.powi(x, e.into())).collect();
    pool.product(&powers)
}

/// A solution by its nonzero coefficients.
pub(super) type Solution = BTreeMap<usize, ExprId>;

/// The solutions of linear equations for the coefficients of an ansatz.
#[derive(Debug)]
pub(super) struct Solutions {
    /// A basis: free of the coordinates, rational in the parameters. The lowest unknown of each
    /// has the coefficient 1.
    pub basis: Vec<Solution>,
    /// Are these all? Not if a parameter stands under a root or in a function: coefficients with
    /// it were not looked for.
    pub all: bool,
}

/// The constants `c` for which `sum_k c_k rates[r][k]` vanishes identically in the coordinates for
/// every row `r`.
pub(super) fn solutions(
    pool: &mut Pool,
    base: &[ExprId],
    rates: &[Vec<ExprId>],
    unknowns: usize,
    budget: &mut Budget,
) -> Result<Solutions, LinearError> {
    let entries: Vec<ExprId> = rates.iter().flatten().copied().collect();
    let mut generators = Generators::new(pool, &entries, AngleSplitting::Split, budget)?;
    let mut rows: Vec<Vec<Polynomial>> = Vec::with_capacity(rates.len());
    for list in rates {
        rows.push(numerators(pool, &mut generators, list, budget)?);
    }
    let constant: Vec<bool> =
        generators.expressions().iter().map(|&x| !pool.depends_on(x, base)).collect();
    let is_plain = |at: usize| {
        // π is transcendental: as good as a parameter.
        let plain = |&x: &ExprId| pool.name_of(x).is_some() || matches!(pool.node(x), Node::Pi);
        generators.expressions().get(at).is_some_and(plain)
            && generators.rules().iter().all(|rule| rule.variable() != at)
    };
    let parameter: Vec<bool> =
        constant.iter().enumerate().map(|(at, constant)| *constant && is_plain(at)).collect();
    let mut equations: Vec<BTreeMap<usize, Polynomial>> = Vec::new();
    for row in &rows {
        equations.extend(by_monomials(row, &parameter, budget)?);
    }
    let basis = if parameter.contains(&true) {
        let equations = over_field(&equations, |f| RationalFunction::from(f.clone()));
        let solved = nullspace(equations, unknowns, budget)?;
        let expression = |function: RationalFunction| {
            let (numerator, denominator) = (function.numerator(), function.denominator());
            let numerator = generators.polynomial_to_expression(pool, numerator);
            let denominator = generators.polynomial_to_expression(pool, denominator);
            pool.div(numerator, denominator)
        };
        map_values(solved, expression)
    } else {
        let equations = over_field(&equations, |f| {
            f.as_constant().or_noticed("without parameters the coefficients are numbers")
        });
        map_values(nullspace(equations, unknowns, budget)?, |value| pool.number(value))
    };
    Ok(Solutions { basis, all: constant == parameter })
}

/// The functions of a row times their common denominator.
fn numerators(
    pool: &mut Pool,
    generators: &mut Generators,
    list: &[ExprId],
    budget: &mut Budget,
) -> Result<Vec<Polynomial>, LinearError> {
    let fractions = generators.fractions(pool, list, budget)?.ok_or(LinearError::Undefined)?;
    let (numerators, _) = Fraction::over_common_denominator(&fractions, budget)?;
    let mut row = Vec::with_capacity(numerators.len());
    for numerator in &numerators {
        row.push(numerator.reduce(generators.rules(), budget)?);
    }
    Ok(row)
}

/// One equation for every monomial in what is not a parameter.
fn by_monomials(
    row: &[Polynomial],
    parameter: &[bool],
    budget: &mut Budget,
) -> Result<Vec<BTreeMap<usize, Polynomial>>, OutOfBudget> {
    let is_parameter = |variable: usize| parameter.get(variable).copied().unwrap_or(false);
    let mut by_monomial: BTreeMap<Monomial, BTreeMap<usize, Polynomial>> = BTreeMap::new();
    for (unknown, polynomial) in row.iter().enumerate() {
        for (monomial, value) in polynomial.terms() {
            let (mut outer, mut inner) = (monomial.clone(), monomial.clone());
            for variable in monomial.variables() {
                let drop = if is_parameter(variable) { &mut outer } else { &mut inner };
                *drop = drop.with_exponent(variable, 0);
            }
            let term = Polynomial::term(inner, value.clone());
            let place = by_monomial.entry(outer).or_default().entry(unknown).or_default();
            *place = place.add(&term, budget)?;
        }
    }
    Ok(by_monomial.into_values().collect())
}

fn over_field<F>(
    equations: &[BTreeMap<usize, Polynomial>],
    field: impl Fn(&Polynomial) -> F,
) -> Vec<BTreeMap<usize, F>> {
    let row =
        |row: &BTreeMap<usize, Polynomial>| row.iter().map(|(&at, f)| (at, field(f))).collect();
    equations.iter().map(row).collect()
}

fn map_values<F>(
    solutions: Vec<BTreeMap<usize, F>>,
    mut expression: impl FnMut(F) -> ExprId,
) -> Vec<Solution> {
    let mut all = Vec::with_capacity(solutions.len());
    for solution in solutions {
        all.push(solution.into_iter().map(|(at, value)| (at, expression(value))).collect());
    }
    all
}

/// The exponents of all monomials of degrees from 1 to `degree`, lower degrees first.
pub(super) fn monomials(variables: usize, degree: u32) -> Vec<Vec<u32>> {
    let mut layer = vec![vec![0; variables]];
    let mut all = Vec::new();
    for _ in 0..degree {
        let mut next = Vec::new();
        for exponents in &layer {
            // Each monomial once: only at or behind the last variable that occurs.
            let last = exponents.iter().rposition(|e| *e > 0).unwrap_or(0);
            for variable in last..variables {
                let mut longer = exponents.clone();
                longer[variable] += 1;
                next.push(longer);
            }
            if next.len() > MONOMIALS {
                break;
            }
        }
        all.extend(next.iter().cloned());
        layer = next;
        if all.len() > MONOMIALS {
            break;
        }
    }
    all
}

/// The exponents of all monomials of one degree; `None` if there are more than `most`.
pub(super) fn monomials_of_degree(
    variables: usize,
    degree: u32,
    most: usize,
) -> Option<Vec<Vec<u32>>> {
    let mut layer = vec![vec![0; variables]];
    for _ in 0..degree {
        // Each monomial once: only at or behind the last variable that occurs.
        let mut next = Vec::new();
        for exponents in &layer {
            let last = exponents.iter().rposition(|e| *e > 0).unwrap_or(0);
            for variable in last..variables {
                let mut longer = exponents.clone();
                longer[variable] += 1;
                next.push(longer);
            }
        }
        if next.len() > most {
            return None;
        }
        layer = next;
    }
    Some(layer)
}

/// A basis of the solutions of homogeneous equations over a field.
fn nullspace<F: Field>(
    equations: Vec<BTreeMap<usize, F>>,
    unknowns: usize,
    budget: &mut Budget,
) -> Result<Vec<BTreeMap<usize, F>>, OutOfBudget> {
    let mut field = Budgeted::new(budget, 1, "solving for the coefficients of an ansatz");
    // Pivots at the highest unknown: solutions then have low leading terms.
    let mut echelon = SparseEchelon::new(PivotAt::Last);
    for row in equations {
        echelon.insert(&mut field, row)?;
    }
    let free = (0..unknowns).filter(|&unknown| !echelon.has_pivot(unknown));
    free.map(|free| echelon.annihilated(&mut field, free)).collect()
}

/// Exponents of some of the coordinates as exponents of all of them.
pub(super) fn spread(places: &[usize], exponents: &[u32], coordinates: usize) -> Vec<u32> {
    let mut all = vec![0; coordinates];
    places.iter().zip(exponents).for_each(|(&i, &exponent)| all[i] = exponent);
    all
}
