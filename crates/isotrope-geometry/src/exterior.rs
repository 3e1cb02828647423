//! Exterior derivatives of the constraint forms, and brackets seen by the forms.
//!
//! Cartan's formula `alpha([X,Y]) = X(alpha(Y)) - Y(alpha(X)) - d alpha(X,Y)` gives what the
//! forms see of a bracket without the bracket: for `X`, `Y` in the kernel it is `-d alpha(X,Y)`,
//! and no frame field has to be differentiated.

use std::collections::BTreeMap;

use isotrope_algebra::calculus::jacobian;
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};

use crate::VectorField;
use crate::distribution::Distribution;
use crate::form::contract;
use crate::vector_field::along;
use crate::work::simplified;

const DOING: &str = "bracketing the fields of a distribution";

/// The two-forms `d alpha^a`, as entries `(j, i, W_ji)`, `j < i`, of
/// `d alpha = sum_{j<i} W_ji dq^j ^ dq^i`.
pub(crate) struct ExteriorDerivatives {
    dimension: usize,
    entries: Vec<Vec<(usize, usize, ExprId)>>,
}

/// `i_X d alpha^a`, one covector per form.
pub(crate) type Interior = Vec<Vec<ExprId>>;

impl ExteriorDerivatives {
    /// `W_ji = d_j alpha_i - d_i alpha_j` for every form.
    pub fn new(
        pool: &mut Pool,
        distribution: &Distribution,
        budget: &mut Budget,
    ) -> Result<Self, OutOfBudget> {
        let coordinates = &distribution.coordinates;
        let mut entries = Vec::with_capacity(distribution.forms.len());
        for form in &distribution.forms {
            let rows = jacobian(pool, form, coordinates, budget)?;
            let mut sums: BTreeMap<(usize, usize), ExprId> = BTreeMap::new();
            for (i, row) in rows.iter().enumerate().take(coordinates.len()) {
                for &(j, partial) in row {
                    let j = j as usize;
                    if j == i {
                        continue;
                    }
                    let signed = if j < i { partial } else { pool.neg(partial) };
                    let entry = sums.entry((j.min(i), j.max(i))).or_insert(ExprId::ZERO);
                    *entry = pool.add(*entry, signed);
                }
            }
            let mut nonzero = Vec::with_capacity(sums.len());
            for ((j, i), value) in sums {
                let value = simplified(pool, value, budget);
                if !value.is_zero() {
                    nonzero.push((j, i, value));
                }
            }
            entries.push(nonzero);
        }
        Ok(Self { dimension: coordinates.len(), entries })
    }

    /// `i_X d alpha^a` for every form: `(i_X d alpha)_i = X^j W_ji`.
    pub fn interior(
        &self,
        pool: &mut Pool,
        x: &VectorField,
        budget: &mut Budget,
    ) -> Result<Interior, OutOfBudget> {
        let at = |k: usize| x.components.get(k).copied().unwrap_or(ExprId::ZERO);
        let mut covectors = Vec::with_capacity(self.entries.len());
        for form in &self.entries {
            budget.spend(1 + form.len() as u64, DOING)?;
            let mut terms: Vec<Vec<ExprId>> = vec![Vec::new(); self.dimension];
            for &(j, i, value) in form {
                if !at(j).is_zero() {
                    terms[i].push(pool.mul(value, at(j)));
                }
                if !at(i).is_zero() {
                    let product = pool.mul(value, at(i));
                    terms[j].push(pool.neg(product));
                }
            }
            covectors.push(terms.iter().map(|terms| pool.sum(terms)).collect());
        }
        Ok(covectors)
    }
}

/// A field with what the forms see of it.
pub(crate) struct Seen<'a> {
    pub field: &'a VectorField,
    /// `alpha^a(X)`.
    pub values: &'a [ExprId],
}

/// `alpha^a([X,Y])` for every form, as it comes; `interior` is that of `X`.
pub(crate) fn bracket_values(
    pool: &mut Pool,
    coordinates: &[ExprId],
    x: &Seen<'_>,
    interior: &Interior,
    y: &Seen<'_>,
    budget: &mut Budget,
) -> Result<Vec<ExprId>, OutOfBudget> {
    let forward = along(pool, coordinates, x.field, y.values, budget)?;
    let backward = along(pool, coordinates, y.field, x.values, budget)?;
    let mut values = Vec::with_capacity(interior.len());
    for (a, covector) in interior.iter().enumerate() {
        budget.spend(1 + covector.len() as u64, DOING)?;
        let curvature = contract(pool, covector, &y.field.components);
        let both = pool.add(backward[a], curvature);
        values.push(pool.sub(forward[a], both));
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lie_bracket;
    use crate::testing::{budget, distribution, field};
    use isotrope_algebra::normal::{Zero, is_zero};

    #[test]
    fn cartans_formula_agrees_with_the_bracket() {
        // Two roads: alpha of the computed bracket, and the formula, for fields off the kernel.
        let mut pool = Pool::new();
        let forms: [&[&str]; 2] = [&["y*z", "sin(x)", "1"], &["0", "x^2/z", "exp(y)"]];
        let given = distribution(&mut pool, &["x", "y", "z"], &forms);
        let x = field(&mut pool, &["z", "x*y", "cos(y)"]);
        let y = field(&mut pool, &["1/x", "z^2", "x + y"]);
        let seen = |pool: &mut Pool, v: &VectorField| -> Vec<ExprId> {
            given.forms.iter().map(|form| contract(pool, form, &v.components)).collect()
        };
        let (x_values, y_values) = (seen(&mut pool, &x), seen(&mut pool, &y));
        let exterior = ExteriorDerivatives::new(&mut pool, &given, &mut budget()).unwrap();
        let interior = exterior.interior(&mut pool, &x, &mut budget()).unwrap();
        let (left, right) =
            (Seen { field: &x, values: &x_values }, Seen { field: &y, values: &y_values });
        let q = &given.coordinates;
        let by_formula =
            bracket_values(&mut pool, q, &left, &interior, &right, &mut budget()).unwrap();
        let bracket = lie_bracket(&mut pool, q, &x, &y, &mut budget()).unwrap();
        let by_bracket = seen(&mut pool, &bracket);
        for (a, b) in by_formula.into_iter().zip(by_bracket) {
            let difference = pool.sub(a, b);
            assert_eq!(is_zero(&mut pool, difference, &mut budget()), Zero::Yes);
        }
    }
}
