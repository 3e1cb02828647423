//! Rows from normal forms: functions on the manifold are independent monomial by monomial.

use std::collections::BTreeMap;

use isotrope_algebra::normal::Fraction;
use isotrope_algebra::{Budget, ExprId, Monomial, OutOfBudget, Pool, Rational};

use super::differentials::Coefficient;
use crate::problem::NormalForms;
use isotrope_methods::classes::{Condition, Forest};

const DOING: &str = "collecting monomials";

/// The conditions under which Σ W(forest) value(forest) is the zero function on the manifold: the
/// values over a common denominator, one condition for each monomial. `None` if a denominator
/// vanishes.
pub(super) fn rows(
    pool: &mut Pool,
    forms: &mut NormalForms,
    coefficients: &[Coefficient],
    budget: &mut Budget,
) -> Result<Option<Vec<Condition>>, OutOfBudget> {
    let values: Vec<ExprId> = coefficients.iter().map(|c| c.value).collect();
    let Some(fractions) = forms.of(pool, &values, budget)? else { return Ok(None) };
    let (numerators, _) = Fraction::over_common_denominator(&fractions, budget)?;
    let mut by_monomial: BTreeMap<Vec<u16>, Vec<(Forest, Rational)>> = BTreeMap::new();
    for (coefficient, numerator) in coefficients.iter().zip(&numerators) {
        let numerator = forms.reduce(numerator, budget)?;
        budget.spend(numerator.len() as u64, DOING)?;
        for (monomial, value) in numerator.terms() {
            let terms = by_monomial.entry(Monomial::exponents(monomial).to_vec()).or_default();
            terms.push((coefficient.forest.clone(), value.clone()));
        }
    }
    Ok(Some(by_monomial.into_values().map(|terms| Condition { terms }).collect()))
}
