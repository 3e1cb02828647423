//! Known tables, one for each group of a problem.

use isotrope_algebra::modular::Random;
use isotrope_algebra::number::field::FieldError;
use isotrope_algebra::{Budget, Rational};
use isotrope_certify::CertifyError;
use isotrope_methods::classes::{Condition, PrimeField, Residue, Scalars};
use isotrope_methods::table::TableProblem;
use isotrope_methods::trees::Trees;

use super::parts::Parts;
use crate::ask::Asked;
use crate::construction::Construction;

/// More combinations are not tried.
const MOST: usize = 40_000;
/// Of those that pass in the prime field, the most that are built exactly.
const BUILT: usize = 12;

/// Tries the tables of the catalogue with the wanted stages, one for each group, and hands those that meet all conditions
/// to the construction. Was there one?
pub(crate) fn known(
    asked: &Asked,
    construction: &mut Construction,
    budget: &mut Budget,
) -> Result<bool, CertifyError> {
    let mut random = Random::new(0x6b1d_3c5a);
    let parts = Parts::new(asked.wanted.stages, &mut random, budget)?;
    let Some(field) = &parts.field else { return Ok(false) };
    let question = &asked.question;
    let family = question.unknowns.family();
    let groups = family.colours().len();
    let count = u32::try_from(groups).ok().and_then(|groups| parts.len().checked_pow(groups));
    let Some(count) = count.filter(|count| (1..=MOST).contains(count)) else { return Ok(false) };
    let used: Vec<bool> =
        question.unknowns.tables().matrices.iter().map(|matrix| !matrix.is_empty()).collect();
    let mut passed = Vec::new();
    for number in 0..count {
        budget.spend(question.trees.len() as u64, "trying combinations of tables")?;
        let numbers: Vec<usize> = (0..groups)
            .scan(number, |rest, _| {
                let part = *rest % parts.len();
                *rest /= parts.len();
                Some(part)
            })
            .collect();
        let weights = weights(&question.trees, &parts, &numbers, field);
        let ordered = (1..=question.order).all(|order| {
            question.trees.of_order(order).all(|tree| {
                field.rational(&question.trees.inverse_gamma(tree)).as_ref()
                    == Some(&weights[tree.index()])
            })
        });
        let mut conditions = question.structure.iter().flat_map(|level| &level.conditions);
        if ordered && conditions.all(|condition| holds(condition, &weights, field)) {
            // Fewer entries above the diagonal first: they cost least.
            let above = numbers.iter().map(|&part| above(parts.part(part).0, field)).sum::<usize>();
            passed.push((above, numbers));
        }
    }
    passed.sort();
    let mut found = false;
    for (_, numbers) in passed.into_iter().take(BUILT) {
        match parts.tables(&numbers, &used, budget) {
            Ok(tables) => {
                found |= construction.adopt(&tables, budget).map_err(TableProblem::from)?
            }
            Err(TableProblem::Field(
                FieldError::DegreeLimit { .. } | FieldError::OutOfReach { .. },
            )) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(found)
}

/// Entries on and above the diagonal that are not zero.
fn above(matrix: &[Vec<Residue>], field: &PrimeField) -> usize {
    let zero = field.zero();
    let rows = matrix.iter().enumerate();
    rows.map(|(i, row)| row.iter().skip(i).filter(|entry| **entry != zero).count()).sum()
}

/// w(t) of every tree.
fn weights(trees: &Trees, parts: &Parts, numbers: &[usize], field: &PrimeField) -> Vec<Residue> {
    let dot = |x: &[Residue], y: &[Residue]| field.sum_of_products(x.len(), |k| (&x[k], &y[k]));
    let one = field.rational(&Rational::ONE).unwrap_or_else(|| field.zero());
    let mut branches: Vec<Vec<Residue>> = Vec::with_capacity(trees.len());
    let mut weights = Vec::with_capacity(trees.len());
    for tree in trees.ids() {
        let (matrix, list) = parts.part(numbers[trees.colour(tree)]);
        let mut stages = vec![one; list.len()];
        for child in trees.children(tree) {
            for (stage, factor) in stages.iter_mut().zip(&branches[child.index()]) {
                *stage = Scalars::mul(field, stage, factor);
            }
        }
        weights.push(dot(list, &stages));
        branches.push(matrix.iter().map(|row| dot(row, &stages)).collect());
    }
    weights
}

fn holds(condition: &Condition, weights: &[Residue], field: &PrimeField) -> bool {
    let sum = condition.terms.iter().try_fold(field.zero(), |sum, (forest, coefficient)| {
        let product = forest.trees().iter().fold(field.rational(coefficient)?, |product, tree| {
            Scalars::mul(field, &product, &weights[tree.index()])
        });
        Some(Scalars::add(field, &sum, &product))
    });
    sum == Some(field.zero())
}
