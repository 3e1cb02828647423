//! Systems in the plane: `f = mu J0 dH` exactly if `d(J0^-1 f / mu) = 0`, that is
//! `f . dmu = mu div f`. This is linear in mu, and its polynomial solutions are products of
//! Darboux polynomials P with `f . dP = K P`, whose cofactors satisfy `sum l K = div f`.

use std::collections::BTreeMap;

use isotrope_algebra::calculus::{derivative, gradient};
use isotrope_algebra::ideal::factors;
use isotrope_algebra::normal::{Fraction, simplify};
use isotrope_algebra::print::to_text;
use isotrope_algebra::{Budget, ExprId, Monomial, Polynomial, Pool, Rational, RationalFunction};

use super::echelon::{Echelon, Row};
use super::energies::Candidate;
use super::integrals::cleared;
use super::primitive::primitive;
use super::ring::Ring;
use super::{Origin, PortError, Problem};

/// Multipliers beyond this many are not integrated.
const MULTIPLIERS: usize = 3;

/// Energies of a system of two states from polynomial multipliers.
pub(super) fn planar(
    pool: &mut Pool,
    problem: &Problem,
    notes: &mut Vec<String>,
    budget: &mut Budget,
) -> Result<Vec<Candidate>, PortError> {
    let ([x, y], [f, g]) = (problem.states.as_slice(), problem.drift.as_slice()) else {
        return Ok(Vec::new());
    };
    let (ring, fractions) = Ring::new(pool, &problem.states, &[*f, *g, *x, *y], budget)?;
    let (numerators, denominator) = Fraction::over_common_denominator(&fractions[..2], budget)?;
    let whole = ring.split(&denominator).keys().all(Monomial::is_one);
    let plain = ring.variables().iter().all(|&v| problem.states.contains(&ring.expression_of(v)));
    if !whole || !plain {
        return Ok(Vec::new());
    }
    let of = |p: &Polynomial| ring.split(p).keys().map(Monomial::degree).max().unwrap_or(0);
    let degree = numerators.iter().map(of).max().unwrap_or(0) + 1;
    let degree = u32::try_from(degree).unwrap_or(u32::MAX).min(6);
    let mut list = Vec::new();
    for mu in multipliers(pool, problem, degree, budget)?.into_iter().take(MULTIPLIERS) {
        let back = pool.neg(*g);
        let form = [pool.div(back, mu), pool.div(*f, mu)];
        if let Some(hamiltonian) = primitive(pool, &problem.states, &form, budget)? {
            notes.extend(darboux(pool, problem, mu, budget)?);
            list.push(Candidate { hamiltonian, origin: Origin::Multiplier });
        }
    }
    Ok(list)
}

/// Polynomials `mu` with `f . dmu = mu div f`.
fn multipliers(
    pool: &mut Pool,
    problem: &Problem,
    degree: u32,
    budget: &mut Budget,
) -> Result<Vec<ExprId>, PortError> {
    let (ring, _) = Ring::new(pool, &problem.states, &problem.states.clone(), budget)?;
    let monomials: Vec<ExprId> = ring
        .monomials(&ring.variables(), degree)?
        .into_iter()
        .map(|m| ring.expression(pool, &Polynomial::term(m, Rational::ONE)))
        .collect();
    let mut divergence = Vec::new();
    for (&x, &f) in problem.states.iter().zip(&problem.drift) {
        divergence.push(derivative(pool, f, x, budget)?);
    }
    let divergence = pool.sum(&divergence);
    let mut rates = Vec::with_capacity(monomials.len());
    for &m in &monomials {
        let rate = along(pool, problem, m, budget)?;
        let growth = pool.mul(m, divergence);
        rates.push(pool.sub(rate, growth));
    }
    let (ring, fractions) = Ring::new(pool, &problem.states, &rates, budget)?;
    let (numerators, _) = Fraction::over_common_denominator(&fractions, budget)?;
    let mut rows: BTreeMap<Monomial, Row> = BTreeMap::new();
    for (column, p) in numerators.iter().enumerate() {
        for (monomial, value) in ring.split(p) {
            rows.entry(monomial).or_default().insert(column, RationalFunction::from(value));
        }
    }
    let last = u32::try_from(monomials.len()).unwrap_or(u32::MAX);
    let mut echelon = Echelon::new((0..last).rev().collect());
    echelon.insert_all(rows.into_values(), budget)?;
    let mut list = Vec::new();
    for direction in echelon.directions() {
        let terms: Vec<ExprId> = cleared(&direction, budget)?
            .iter()
            .zip(&monomials)
            .map(|(p, &m)| {
                let coefficient = ring.expression(pool, p);
                pool.mul(coefficient, m)
            })
            .collect();
        list.push(pool.sum(&terms));
    }
    Ok(list)
}

/// `f . dP`.
fn along(
    pool: &mut Pool,
    problem: &Problem,
    function: ExprId,
    budget: &mut Budget,
) -> Result<ExprId, PortError> {
    let slopes = gradient(pool, function, &problem.states, budget)?;
    let terms: Vec<ExprId> =
        slopes.iter().zip(&problem.drift).map(|(&s, &f)| pool.mul(s, f)).collect();
    Ok(pool.sum(&terms))
}

/// The factors of a multiplier with their cofactors and exponents.
fn darboux(
    pool: &mut Pool,
    problem: &Problem,
    mu: ExprId,
    budget: &mut Budget,
) -> Result<Option<String>, PortError> {
    let (ring, fractions) = Ring::new(pool, &problem.states, &[mu], budget)?;
    let whole = &fractions[0].numerator;
    let mut parts = Vec::new();
    for factor in factors(whole, budget)? {
        let p = factor.polynomial;
        if ring.split(&p).keys().all(Monomial::is_one) {
            continue;
        }
        let mut exponent = 0;
        let mut rest = whole.clone();
        while let Some(next) = rest.checked_div_exact(&p, budget)? {
            exponent += 1;
            rest = next;
        }
        let polynomial = ring.expression(pool, &p);
        let rate = along(pool, problem, polynomial, budget)?;
        let cofactor = pool.div(rate, polynomial);
        let cofactor = simplify(pool, cofactor, budget);
        parts.push(format!(
            "{} with the cofactor {} and the exponent {exponent}",
            to_text(pool, polynomial, budget)?,
            to_text(pool, cofactor, budget)?,
        ));
    }
    Ok((!parts.is_empty()).then(|| format!("Darboux polynomials: {}", parts.join("; "))))
}
