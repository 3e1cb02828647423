//! Conditions over the rationals: substitution of an order, exact row reduction.

use std::collections::BTreeMap;

use isotrope_algebra::{Budget, OutOfBudget, Rational};

use crate::trees::Trees;

use super::forests::column_key;
use super::{Condition, Forest};

const DOING: &str = "reducing conditions";

/// A row by ascending columns, without zeros.
type Row = BTreeMap<usize, Rational>;

/// The reduced echelon basis of the row space, pivots (one) ascending.
fn reduce(rows: Vec<Row>, budget: &mut Budget) -> Result<Vec<Row>, OutOfBudget> {
    let mut basis: BTreeMap<usize, Row> = BTreeMap::new();
    for mut row in rows {
        let mut from = 0;
        while let Some((&column, value)) = row.range(from..).next() {
            let value = value.clone();
            from = column + 1;
            if let Some(known) = basis.get(&column) {
                subtract_multiple(&mut row, known, &value, budget)?;
            }
        }
        let Some((&pivot, value)) = row.iter().next() else { continue };
        let inverse = value.recip().unwrap_or_default();
        for entry in row.values_mut() {
            *entry = &*entry * &inverse;
        }
        for known in basis.values_mut() {
            if let Some(value) = known.get(&pivot).cloned() {
                subtract_multiple(known, &row, &value, budget)?;
            }
        }
        basis.insert(pivot, row);
    }
    Ok(basis.into_values().collect())
}

fn subtract_multiple(
    row: &mut Row,
    pivot_row: &Row,
    factor: &Rational,
    budget: &mut Budget,
) -> Result<(), OutOfBudget> {
    budget.spend(pivot_row.len() as u64, DOING)?;
    for (column, value) in pivot_row {
        let entry = row.entry(*column).or_default();
        *entry = &*entry - &(factor * value);
        if entry.is_zero() {
            row.remove(column);
        }
    }
    Ok(())
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
