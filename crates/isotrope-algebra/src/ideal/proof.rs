//! The proof that a basis is one of the generators, over the rationals.

use super::engine::BasisEngine;
use super::{Ideal, IdealError, leading, modular_basis};
use crate::{Budget, Monomial, OrInternal, OutOfBudget, Polynomial};

/// Operations for reductions over the rationals before the proof is given up.
const PROOF_BUDGET: u64 = 60_000_000;

/// The three checks of [`Ideal`]. `false`: one of them was out of reach, or failed.
pub(super) fn is_proved(
    ideal: &Ideal,
    engine: &dyn BasisEngine,
    budget: &mut Budget,
) -> Result<bool, IdealError> {
    let mut own = Budget::new(budget.left().min(PROOF_BUDGET));
    let checked = generators_reduce(ideal, &mut own)
        .and_then(|fine| Ok(fine && pairs_reduce(&ideal.basis, &mut own)?));
    budget.spend(own.spent().min(budget.left()), "proving a basis")?;
    match checked {
        Ok(true) => {}
        Ok(false) | Err(OutOfBudget { .. }) => return Ok(false),
    }
    if ideal.generators.is_empty() {
        return Ok(ideal.basis.is_empty());
    }
    let (_, modulo) = modular_basis(&ideal.generators, ideal.variables, engine)?;
    let mut leads: Vec<Monomial> = modulo.iter().map(leading).collect();
    leads.sort();
    Ok(leads == ideal.basis.iter().map(leading).collect::<Vec<_>>())
}

fn generators_reduce(ideal: &Ideal, budget: &mut Budget) -> Result<bool, OutOfBudget> {
    for generator in &ideal.generators {
        if !ideal.contains(generator, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Buchberger's criterion. A pair is skipped if its leading monomials have no common variable,
/// or if a third leading monomial divides their least common multiple and both pairs with it
/// come earlier.
fn pairs_reduce(basis: &[Polynomial], budget: &mut Budget) -> Result<bool, OutOfBudget> {
    let leads: Vec<Monomial> = basis.iter().map(leading).collect();
    for j in 0..basis.len() {
        for i in 0..j {
            budget.spend(1, "proving a basis")?;
            let lcm = leads[i].lcm(&leads[j]);
            if leads[i].gcd(&leads[j]).is_one() {
                continue;
            }
            let chained = (0..basis.len()).any(|k| {
                k != i
                    && k != j
                    && leads[k].divides(&lcm)
                    && before(&leads, (i, k), (i, j))
                    && before(&leads, (k, j), (i, j))
            });
            if chained {
                continue;
            }
            let pair = s_polynomial(&basis[i], &basis[j], budget)?;
            let order = crate::MonomialOrder::GradedReverseLex;
            if !pair.normal_form(basis, order, budget)?.is_zero() {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// A total order of pairs: by least common multiple, then by indices.
fn before(leads: &[Monomial], one: (usize, usize), other: (usize, usize)) -> bool {
    let key = |(i, j): (usize, usize)| (leads[i].lcm(&leads[j]), i.max(j), i.min(j));
    key(one) < key(other)
}

/// The combination of two polynomials in which the leading terms cancel.
pub(super) fn s_polynomial(
    one: &Polynomial,
    other: &Polynomial,
    budget: &mut Budget,
) -> Result<Polynomial, OutOfBudget> {
    let (Some((m, a)), Some((n, b))) = (one.leading_term(), other.leading_term()) else {
        return Ok(Polynomial::zero());
    };
    let lcm = m.lcm(n);
    let shift = |lead: &Monomial| lcm.checked_div(lead).or_internal("a lcm is a multiple of both");
    let left = one.mul_term(&shift(m)?, &a.inverse()?, budget)?;
    let right = other.mul_term(&shift(n)?, &b.inverse()?, budget)?;
    left.sub(&right, budget)
}
