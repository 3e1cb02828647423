//! Conditions over the rationals: substitution of an order, exact row reduction.

use std::collections::BTreeMap;

use isotrope_algebra::linear::{Budgeted, PivotAt, SparseEchelon, SparseRow};
use isotrope_algebra::{Budget, OutOfBudget, Rational};

use crate::trees::Trees;

use super::forests::column_key;
use super::{Condition, Forest};

const DOING: &str = "reducing conditions";

/// A row by ascending columns, without zeros.
type Row = SparseRow<usize, Rational>;

/// The reduced echelon basis of the row space, pivots (one) ascending.
fn reduce(rows: Vec<Row>, budget: &mut Budget) -> Result<Vec<Row>, OutOfBudget> {
    let mut field = Budgeted::new(budget, 1, DOING);
    let mut echelon = SparseEchelon::new(PivotAt::First);
    for row in rows {
        echelon.insert(&mut field, row)?;
    }
    Ok(echelon.reduced(&mut field)?.into_values().collect())
}

/// Substitutes w(t) = 1/γ(t) for all trees of order at most `known` and reduces.
pub fn substitute(
    trees: &Trees,
    conditions: &[Condition],
    known: usize,
    budget: &mut Budget,
) -> Result<Vec<Condition>, OutOfBudget> {
    let mut columns: BTreeMap<_, (usize, Forest)> = BTreeMap::new();
    let substituted: Vec<Vec<(Forest, Rational)>> = conditions
        .iter()
        .map(|condition| {
            condition.terms.iter().map(|(f, x)| substitute_monomial(trees, f, x, known)).collect()
        })
        .collect();
    for (forest, _) in substituted.iter().flatten() {
        columns.entry(column_key(trees, forest)).or_insert_with(|| (0, forest.clone()));
    }
    let mut index: BTreeMap<Forest, usize> = BTreeMap::new();
    for (number, (column, forest)) in columns.values_mut().enumerate() {
        *column = number;
        index.insert(forest.clone(), number);
    }
    let rows = substituted
        .iter()
        .map(|terms| {
            let mut row = Row::new();
            for (forest, coefficient) in terms {
                let Some(&column) = index.get(forest) else { continue };
                let entry = row.entry(column).or_default();
                *entry = &*entry + coefficient;
                if entry.is_zero() {
                    row.remove(&column);
                }
            }
            row
        })
        .collect();
    let names: Vec<Forest> = columns.into_values().map(|(_, forest)| forest).collect();
    let reduced = reduce(rows, budget)?;
    Ok(reduced
        .into_iter()
        .map(|row| Condition {
            terms: row
                .into_iter()
                .filter_map(|(column, value)| Some((names.get(column)?.clone(), value)))
                .collect(),
        })
        .collect())
}

fn substitute_monomial(
    trees: &Trees,
    forest: &Forest,
    coefficient: &Rational,
    known: usize,
) -> (Forest, Rational) {
    let mut value = coefficient.clone();
    let mut rest = Vec::new();
    for &tree in forest.trees() {
        if trees.order(tree) > known {
            rest.push(tree);
        } else if let Some(inverse) = trees.gamma(tree).recip() {
            value = &value * &inverse;
        }
    }
    (Forest::new(rest), value)
}
