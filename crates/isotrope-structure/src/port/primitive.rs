//! Functions with given derivatives.

use std::collections::BTreeMap;

use isotrope_algebra::calculus::gradient;
use isotrope_algebra::ideal::factors;
use isotrope_algebra::normal::{Fraction, Zero, is_zero, simplify};
use isotrope_algebra::{
    Budget, ExprId, Function, Monomial, OrInternal, Polynomial, Pool, Rational, RationalFunction,
};

use super::PortError;
use super::echelon::{Echelon, Row};
use super::ring::Ring;

/// The integral along rays, `sum_i x_i w_i(s x) ds` from 0 to 1: if the form is closed, its
/// primitive; otherwise its exact part. Polynomial forms only.
pub(super) fn along_rays(
    pool: &mut Pool,
    states: &[ExprId],
    form: &[ExprId],
    budget: &mut Budget,
) -> Result<Option<ExprId>, PortError> {
    let (ring, fractions) = Ring::new(pool, states, form, budget)?;
    if !ring.variables().iter().all(|&v| states.contains(&ring.expression_of(v))) {
        return Ok(None);
    }
    let mut terms = Vec::new();
    for (&state, fraction) in states.iter().zip(&fractions) {
        let down = ring.split(&fraction.denominator);
        if !down.keys().all(Monomial::is_one) {
            return Ok(None);
        }
        let denominator = ring.expression(pool, &fraction.denominator);
        for (monomial, coefficient) in ring.split(&fraction.numerator) {
            let length = i64::try_from(monomial.degree()).unwrap_or(i64::MAX - 1) + 1;
            let weight = Rational::new(1, length).or_noticed("lengths are positive");
            let up = ring.expression(pool, &coefficient);
            let power = ring.expression(pool, &Polynomial::term(monomial, weight));
            let term = pool.product(&[up, power, state]);
            terms.push(pool.div(term, denominator));
        }
    }
    let sum = pool.sum(&terms);
    Ok(Some(simplify(pool, sum, budget)))
}

/// A function whose derivatives are the components of the form, if there is one among
/// polynomials in its generators, over the factors of its denominators, and their logarithms.
pub(super) fn primitive(
    pool: &mut Pool,
    states: &[ExprId],
    form: &[ExprId],
    budget: &mut Budget,
) -> Result<Option<ExprId>, PortError> {
    if let Some(found) = along_rays(pool, states, form, budget)? {
        let slopes = gradient(pool, found, states, budget)?;
        for (slope, &entry) in slopes.into_iter().zip(form) {
            let difference = pool.sub(slope, entry);
            if is_zero(pool, difference, budget) != Zero::Yes {
                return Ok(None);
            }
        }
        return Ok(Some(found));
    }
    let basis = basis(pool, states, form, budget)?;
    let mut all: Vec<ExprId> = form.to_vec();
    for &function in &basis {
        all.extend(gradient(pool, function, states, budget)?);
    }
    let (ring, fractions) = Ring::new(pool, states, &all, budget)?;
    let n = states.len();
    let mut echelon = Echelon::new(vec![0; basis.len()]);
    for i in 0..n {
        // The form first, then the derivatives of the basis in direction i.
        let parts: Vec<_> = fractions.iter().skip(i).step_by(n).cloned().collect();
        let (numerators, _) = Fraction::over_common_denominator(&parts, budget)?;
        let mut rows: BTreeMap<Monomial, Row> = BTreeMap::new();
        for (place, p) in numerators.iter().enumerate() {
            let column = if place == 0 { basis.len() } else { place - 1 };
            for (monomial, value) in ring.split(&ring.reduce(p, budget)?) {
                rows.entry(monomial).or_default().insert(column, RationalFunction::from(value));
            }
        }
        if !echelon.insert_all(rows.into_values(), budget)? {
            return Ok(None);
        }
    }
    let terms: Vec<ExprId> = echelon
        .solution()
        .iter()
        .zip(&basis)
        .filter(|(value, _)| !value.is_zero())
        .map(|(value, &function)| {
            let coefficient = ring.quotient(pool, value);
            pool.mul(coefficient, function)
        })
        .collect();
    Ok(Some(pool.sum(&terms)))
}

fn basis(
    pool: &mut Pool,
    states: &[ExprId],
    form: &[ExprId],
    budget: &mut Budget,
) -> Result<Vec<ExprId>, PortError> {
    let mut given = form.to_vec();
    given.extend_from_slice(states);
    let (ring, fractions) = Ring::new(pool, states, &given, budget)?;
    let (numerators, denominator) =
        Fraction::over_common_denominator(&fractions[..form.len()], budget)?;
    let variables = ring.variables();
    let of = |p: &Polynomial| ring.split(p).keys().map(Monomial::degree).max().unwrap_or(0);
    let up = numerators.iter().map(of).max().unwrap_or(0);
    let whole = up.saturating_sub(of(&denominator)) + 1;
    let degree = |value: u64| u32::try_from(value).unwrap_or(u32::MAX).min(6);
    let mut list = Vec::new();
    for monomial in ring.monomials(&variables, degree(whole))? {
        if !monomial.is_one() {
            list.push(ring.expression(pool, &Polynomial::term(monomial, Rational::ONE)));
        }
    }
    for factor in factors(&denominator, budget)? {
        let p = factor.polynomial;
        if ring.split(&p).keys().all(Monomial::is_one) {
            continue;
        }
        let base = ring.expression(pool, &p);
        list.push(pool.call(Function::Log, base));
        let mut power = 1;
        let mut rest = denominator.checked_div_exact(&p, budget)?;
        while let Some(next) = rest.filter(|_| power <= 4) {
            for monomial in ring.monomials(&variables, degree(whole.max(1)).min(2))? {
                let top = ring.expression(pool, &Polynomial::term(monomial, Rational::ONE));
                let bottom = pool.powi(base, -power);
                list.push(pool.mul(top, bottom));
            }
            power += 1;
            rest = next.checked_div_exact(&p, budget)?;
        }
    }
    list.dedup();
    Ok(list)
}
