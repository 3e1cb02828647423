//! One-forms, as rows of coefficients.

use isotrope_algebra::linear::LinearError;
use isotrope_algebra::normal::{AngleSplitting, Fraction, Generators, Zero};
use isotrope_algebra::polynomial::{Polynomial, gcd_of_all};
use isotrope_algebra::{Budget, ExprId, Node, Pool};

use crate::VectorField;
use crate::work::{simplified, zero_test};

/// `sum_i a_i b_i`, the value of a form on a vector; zeros cost nothing.
pub(crate) fn contract(pool: &mut Pool, form: &[ExprId], vector: &[ExprId]) -> ExprId {
    let terms: Vec<_> = form
        .iter()
        .zip(vector)
        .filter(|(a, b)| !a.is_zero() && !b.is_zero())
        .map(|(&a, &b)| pool.mul(a, b))
        .collect();
    pool.sum(&terms)
}

/// Does the form vanish on all these fields? The worst answer over the fields.
///
/// A form vanishes on the involutive closure of a distribution exactly if it is a combination
/// of the [`integrable_part`](crate::Flag::integrable_part): this tells whether a constraint
/// integrates.
pub fn annihilates(
    pool: &mut Pool,
    form: &[ExprId],
    fields: &[VectorField],
    budget: &mut Budget,
) -> Zero {
    let mut answer = Zero::Yes;
    for field in fields {
        let value = contract(pool, form, &field.components);
        answer = answer.and(zero_test(pool, value, budget));
        if answer == Zero::No {
            break;
        }
    }
    answer
}

/// The form times a function, such that the coefficients have no denominators and no common
/// factor. Its kernel is the same.
pub(crate) fn without_denominators(
    pool: &mut Pool,
    form: &[ExprId],
    budget: &mut Budget,
) -> Result<Vec<ExprId>, LinearError> {
    let mut generators = Generators::new(pool, form, AngleSplitting::Whole, budget)?;
    let fractions = generators.fractions(pool, form, budget)?.ok_or(LinearError::Undefined)?;
    let mut reduced = Vec::with_capacity(form.len());
    for fraction in &fractions {
        reduced.push(generators.reduce(fraction, budget)?);
    }
    let (numerators, common) = Fraction::over_common_denominator(&reduced, budget)?;
    let nonzero: Vec<_> = numerators.iter().filter(|entry| !entry.is_zero()).cloned().collect();
    let content = if nonzero.is_empty() { Polynomial::one() } else { gcd_of_all(nonzero, budget)? };
    let unchanged = common.is_constant() && content.is_constant();
    let mut cleared = Vec::with_capacity(form.len());
    for (numerator, &given) in numerators.iter().zip(form) {
        let entry = if unchanged {
            given
        } else {
            let quotient = numerator.div_exact(&content, budget)?;
            generators.polynomial_to_expression(pool, &quotient)
        };
        cleared.push(simplified(pool, entry, budget));
    }
    Ok(cleared)
}

/// Of a row and its opposite, the one whose last entry carries no minus sign.
pub(crate) fn normalise_sign(pool: &mut Pool, row: &mut [ExprId]) {
    let negative = row.iter().rfind(|entry| !entry.is_zero()).is_some_and(|&last| {
        let number = match pool.node(last) {
            Node::Sum(pairs) if pairs.len() == 1 => pool.as_number(pairs.get(0).1),
            _ => pool.as_number(last),
        };
        number.is_some_and(|number| number.is_negative())
    });
    if negative {
        row.iter_mut().for_each(|entry| *entry = pool.neg(*entry));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{budget, field, row};

    #[test]
    fn denominators_and_common_factors_go() {
        let mut pool = Pool::new();
        let form = row(&mut pool, &["x/y", "x^2/(y*z)", "0"]);
        let cleared = without_denominators(&mut pool, &form, &mut budget()).unwrap();
        assert_eq!(cleared, row(&mut pool, &["z", "x", "0"]));
        let zero = vec![ExprId::ZERO; 3];
        assert_eq!(without_denominators(&mut pool, &zero, &mut budget()).unwrap(), zero);
    }

    #[test]
    fn a_form_that_needs_no_clearing_stays_as_it_is() {
        let mut pool = Pool::new();
        let form = row(&mut pool, &["sin(a + b)", "(x + 1)^3", "-2"]);
        assert_eq!(without_denominators(&mut pool, &form, &mut budget()).unwrap(), form);
    }

    #[test]
    fn the_last_entry_decides_the_sign() {
        let mut pool = Pool::new();
        for (given, expected) in [(["x", "-1"], ["-x", "1"]), (["1", "-2*x"], ["-1", "2*x"])] {
            let mut form = row(&mut pool, &given);
            normalise_sign(&mut pool, &mut form);
            assert_eq!(form, row(&mut pool, &expected));
        }
        let mut form = row(&mut pool, &["-1", "x - 1", "0"]);
        normalise_sign(&mut pool, &mut form);
        assert_eq!(form, row(&mut pool, &["-1", "x - 1", "0"]));
    }

    #[test]
    fn an_undefined_coefficient_is_refused() {
        let mut pool = Pool::new();
        let found = without_denominators(&mut pool, &[ExprId::UNDEFINED], &mut budget());
        assert_eq!(found, Err(LinearError::Undefined));
    }

    #[test]
    fn a_form_annihilates_what_it_vanishes_on() {
        let mut pool = Pool::new();
        let form = row(&mut pool, &["sin(t)", "-cos(t)"]);
        let along = field(&mut pool, &["cos(t)", "sin(t)"]);
        let across = field(&mut pool, &["sin(t)", "-cos(t)"]);
        let fields = [along, across];
        assert_eq!(annihilates(&mut pool, &form, &fields[..1], &mut budget()), Zero::Yes);
        assert_eq!(annihilates(&mut pool, &form, &fields, &mut budget()), Zero::No);
        assert_eq!(annihilates(&mut pool, &form, &[], &mut budget()), Zero::Yes);
    }
}
