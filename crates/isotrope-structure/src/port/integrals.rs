//! Polynomial first integrals: `f . dH = 0`, linear in the coefficients of H.
//!
//! With one integral its powers are integrals, too. What is looked for are generators: integrals
//! that are not polynomials in those of lower degree. At every degree the number of integrals is
//! bounded from above at random values of the parameters in a prime field, where the rank can
//! only be smaller; if the products of known integrals are as many, there is nothing new.

use std::collections::BTreeMap;

use isotrope_algebra::calculus::{Substitution, gradient, substitute};
use isotrope_algebra::evaluate::FieldPlan;
use isotrope_algebra::linear::{Matrix, rank, sparse_rank};
use isotrope_algebra::modular::Random;
use isotrope_algebra::normal::{Fraction, simplify};
use isotrope_algebra::{
    Budget, ExprId, Function, Monomial, Node, Polynomial, Pool, Rational, RationalFunction,
    Smoothness,
};

use super::echelon::{Echelon, Row};
use super::ring::Ring;
use super::{PortError, Problem};

/// The most monomials that are tried.
const MONOMIALS: usize = 220;
/// The most products of known integrals that are formed in one degree.
const PRODUCTS: usize = 200;

/// A first integral that is not a polynomial in those of lower degree.
#[derive(Debug, Clone)]
pub(super) struct Integral {
    pub function: ExprId,
    pub degree: u32,
}

/// The integrals through a degree.
#[derive(Debug, Clone, Default)]
pub(super) struct Integrals {
    pub generators: Vec<Integral>,
    /// The search is complete through this degree.
    pub degree: u32,
    /// One less than there are states are functionally independent: there can be no more.
    pub complete: bool,
    /// The budget ended before the degree that was asked for.
    pub stopped: bool,
}

/// The first integrals through `degree`, lower degrees first.
pub(super) fn first_integrals(
    pool: &mut Pool,
    problem: &Problem,
    degree: u32,
    budget: &mut Budget,
) -> Result<Integrals, PortError> {
    let mut found = Integrals::default();
    for bound in 1..=degree {
        let more = match of_degree(pool, problem, &found.generators, bound, budget) {
            Ok(Some(more)) => more,
            Ok(None) => break,
            Err(PortError::TooLarge { .. }) => break,
            Err(PortError::OutOfBudget(_)) if bound > 1 => {
                found.stopped = true;
                break;
            }
            Err(error) => return Err(error),
        };
        found.degree = bound;
        let any = !more.is_empty();
        found
            .generators
            .extend(more.into_iter().map(|function| Integral { function, degree: bound }));
        if any && independent(pool, problem, &found.generators, budget)? + 1 >= problem.states.len()
        {
            found.complete = true;
            break;
        }
    }
    Ok(found)
}

/// How many of the integrals are functionally independent, at least: the rank of their
/// derivatives at a point.
fn independent(
    pool: &mut Pool,
    problem: &Problem,
    generators: &[Integral],
    budget: &mut Budget,
) -> Result<usize, PortError> {
    let n = problem.states.len();
    let mut random = Random::new(11);
    let mut jacobian = Matrix::zero(generators.len(), n);
    for (row, integral) in generators.iter().enumerate() {
        let slopes = gradient(pool, integral.function, &problem.states, budget)?;
        for (column, slope) in slopes.into_iter().enumerate() {
            jacobian.set(row, column, slope);
        }
    }
    let symbols = pool.symbols_in(jacobian.entries());
    let point: Substitution = symbols
        .into_iter()
        .map(|s| {
            let value = i64::try_from(2 + random.below(97)).unwrap_or(2);
            (s, pool.integer(value))
        })
        .collect();
    let entries = substitute(pool, jacobian.entries(), &point, budget)?;
    if entries.contains(&ExprId::UNDEFINED) {
        return Ok(0);
    }
    let rows: Vec<Vec<ExprId>> = entries.chunks(n).map(<[ExprId]>::to_vec).collect();
    Ok(rank(pool, &Matrix::from_rows(n, &rows), budget)?.rank)
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
    // Steps have the derivative zero and are not conserved when their argument changes its sign.
    let smooth = |v: &usize| {
        let nodes = pool.reachable(&[ring.expression_of(*v)]);
        let jumps = |f: Function| f.smoothness() == Smoothness::Jumps;
        !nodes.into_iter().any(|id| matches!(pool.node(id), Node::Call(f, _) if jumps(f)))
    };
    let variables: Vec<usize> = ring.variables().into_iter().filter(smooth).collect();
    let list = ring.monomials(&variables, degree)?;
    let power = |m: Monomial| Polynomial::term(m, Rational::ONE);
    Ok(list.into_iter().filter(|m| !m.is_one()).map(|m| ring.expression(pool, &power(m))).collect())
}

/// Products of at least two known integrals of this degree at most; with a single factor the
/// integrals themselves.
fn products(pool: &mut Pool, generators: &[Integral], degree: u32) -> Vec<ExprId> {
    let mut list: Vec<(usize, u32, ExprId)> = vec![(0, 0, ExprId::ONE)];
    let mut next = 0;
    while next < list.len() && list.len() <= PRODUCTS {
        let (first, used, product) = list[next];
        next += 1;
        for (k, integral) in generators.iter().enumerate().skip(first) {
            if used + integral.degree <= degree {
                let longer = pool.mul(product, integral.function);
                list.push((k, used + integral.degree, longer));
            }
        }
    }
    list.into_iter().skip(1).map(|(_, _, product)| product).collect()
}

/// The integrals of this degree that are new; `None` if there are too many monomials.
fn of_degree(
    pool: &mut Pool,
    problem: &Problem,
    generators: &[Integral],
    degree: u32,
    budget: &mut Budget,
) -> Result<Option<Vec<ExprId>>, PortError> {
    let functions = monomials(pool, problem, degree, budget)?;
    if functions.len() > MONOMIALS {
        return Ok(None);
    }
    let count = functions.len();
    let mut all = functions.clone();
    for &function in &functions {
        let slopes = gradient(pool, function, &problem.states, budget)?;
        let terms: Vec<ExprId> =
            slopes.iter().zip(&problem.drift).map(|(&s, &f)| pool.mul(s, f)).collect();
        all.push(pool.sum(&terms));
    }
    all.extend(products(pool, generators, degree));
    let (ring, fractions) = Ring::new(pool, &problem.states, &all, budget)?;
    // Taken modulo the products, an integral keeps its squares if mixed monomials are solved for
    // first; the other way round it may be shorter, as x*y*z for the cube of x + y + z.
    let (basis, products) = (&fractions[..count], &fractions[2 * count..]);
    let mut known = span(&ring, basis, products, true, budget)?;
    let mut other = span(&ring, basis, products, false, budget)?;
    let (numerators, _) = Fraction::over_common_denominator(&fractions[count..2 * count], budget)?;
    let mut rows: BTreeMap<Monomial, Row> = BTreeMap::new();
    for (column, p) in numerators.iter().enumerate() {
        for (monomial, value) in ring.split(&ring.reduce(p, budget)?) {
            rows.entry(monomial).or_default().insert(column, RationalFunction::from(value));
        }
    }
    if let Some(most) = most_integrals(&ring, rows.values(), count, budget)?
        && most <= known.rank()
    {
        return Ok(Some(Vec::new()));
    }
    // Solve for monomials of high degree: what stays free leads the integrals.
    let last = u32::try_from(count).unwrap_or(u32::MAX);
    let mut echelon = Echelon::new((0..last).rev().collect());
    echelon.insert_all(rows.into_values(), budget)?;
    let mut list = Vec::new();
    for direction in echelon.directions() {
        let row: Row =
            direction.into_iter().enumerate().filter(|(_, value)| !value.is_zero()).collect();
        let shorter = other.reduced(row.clone(), budget)?;
        let row = known.reduced(row, budget)?;
        if row.is_empty() {
            continue;
        }
        let mut row = if shorter.len() < row.len() { shorter } else { row };
        let lead = row.values().next_back().filter(|value| value.as_constant().is_some());
        if let Some(inverse) = lead.and_then(RationalFunction::recip) {
            for value in row.values_mut() {
                *value = value.mul(&inverse, budget)?;
            }
        }
        let mut vector = vec![RationalFunction::zero(); count];
        for (&column, value) in &row {
            vector[column] = value.clone();
        }
        let terms: Vec<ExprId> = cleared(&vector, budget)?
            .iter()
            .zip(&functions)
            .filter(|(value, _)| !value.is_zero())
            .map(|(value, &function)| {
                let coefficient = ring.expression(pool, value);
                pool.mul(coefficient, function)
            })
            .collect();
        let sum = pool.sum(&terms);
        list.push(simplify(pool, sum, budget));
        known.insert(row.clone(), budget)?;
        other.insert(row, budget)?;
    }
    Ok(Some(list))
}

/// The span of the products of known integrals, with mixed monomials solved for first or last.
fn span(
    ring: &Ring,
    basis: &[Fraction],
    products: &[Fraction],
    mixed_first: bool,
    budget: &mut Budget,
) -> Result<Echelon, PortError> {
    let mut places: BTreeMap<&Monomial, usize> = BTreeMap::new();
    let mut preference = Vec::with_capacity(basis.len());
    for (column, fraction) in basis.iter().enumerate() {
        let mut factors = 0;
        if let ([(monomial, coefficient)], true) =
            (fraction.numerator.terms(), fraction.denominator.is_one())
            && coefficient.is_one()
        {
            places.insert(monomial, column);
            factors = monomial.variables().count();
        }
        let factors = u32::try_from(factors).unwrap_or(0);
        preference.push(if mixed_first { u32::MAX - factors } else { factors });
    }
    let mut echelon = Echelon::new(preference);
    'products: for Fraction { numerator, denominator } in products {
        let mut row = Row::new();
        for (monomial, value) in ring.split(&ring.reduce(numerator, budget)?) {
            if monomial.is_one() {
                continue;
            }
            let Some(&column) = places.get(&monomial) else { continue 'products };
            let value = RationalFunction::new(value, denominator.clone(), budget)?;
            row.insert(column, value.ok_or(PortError::Undefined)?);
        }
        echelon.insert(row, budget)?;
    }
    Ok(echelon)
}

/// An upper bound for the number of integrals: at random values of the parameters modulo a
/// prime, where the equations can only lose rank. `None` if parameters are related.
fn most_integrals<'r>(
    ring: &Ring,
    rows: impl Iterator<Item = &'r Row>,
    columns: usize,
    budget: &mut Budget,
) -> Result<Option<usize>, PortError> {
    if ring.relates_parameters() {
        return Ok(None);
    }
    let mut random = Random::new(5);
    let prime = FieldPlan::PRIME;
    let point: Vec<u64> = (0..ring.size()).map(|_| 1 + random.below(prime - 1)).collect();
    let mut list: Vec<Vec<(u32, u64)>> = Vec::new();
    for row in rows {
        budget.spend(row.len() as u64, "counting first integrals")?;
        let mut values = Vec::with_capacity(row.len());
        for (&column, value) in row {
            let Some(value) = value.evaluate_modulo(&point, prime) else { return Ok(None) };
            if value != 0 {
                values.push((u32::try_from(column).unwrap_or(u32::MAX), value));
            }
        }
        list.push(values);
    }
    budget.spend((list.len() * columns) as u64, "counting first integrals")?;
    Ok(Some(columns - sparse_rank(&list, columns, prime).rank))
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
    Ok(Fraction::over_common_denominator(&fractions, budget)?.0)
}
