//! Algebraic stability: two quadratic forms on the stages that must not be negative.

use std::cmp::Ordering;

use isotrope_algebra::number::field::FieldElement;
use isotrope_methods::stages::{Operator, Stages, Weights};
use isotrope_methods::table::{Table, TableProblem};

use super::polynomial::Real;

/// b(x·x) ≥ 0 and 2 b(x·Ax) − b(x)² ≥ 0 for all functions x on the stages (Burrage and Butcher 1979).
pub(super) fn is_algebraically_stable(
    table: &Table,
    real: &mut Real<'_, '_>,
) -> Result<bool, TableProblem> {
    let basis = table.basis();
    let images: Vec<_> =
        basis.iter().map(|x| Stages::apply(table, Operator::Velocity, x)).collect();
    let weight = |x: &[FieldElement]| Stages::pair(table, Weights::Velocity, x);
    let sums: Vec<_> = basis.iter().map(|x| weight(x)).collect();
    let form = |entry: &dyn Fn(usize, usize) -> FieldElement| -> Vec<Vec<FieldElement>> {
        (0..basis.len()).map(|i| (0..basis.len()).map(|j| entry(i, j)).collect()).collect()
    };
    let field = real.field;
    let squares = form(&|i, j| weight(&Stages::multiply(table, &basis[i], &basis[j])));
    if !is_positive(squares, real)? {
        return Ok(false);
    }
    let contraction = form(&|i, j| {
        let one = weight(&Stages::multiply(table, &basis[i], &images[j]));
        let other = weight(&Stages::multiply(table, &basis[j], &images[i]));
        field.sub(&field.add(&one, &other), &field.mul(&sums[i], &sums[j]))
    });
    is_positive(contraction, real)
}

/// Is a symmetric matrix positive semidefinite? By elimination with pivots on the diagonal.
fn is_positive(
    mut form: Vec<Vec<FieldElement>>,
    real: &mut Real<'_, '_>,
) -> Result<bool, TableProblem> {
    let size = form.len();
    let field = real.field;
    for k in 0..size {
        match real.sign(&form[k][k])? {
            Ordering::Less => return Ok(false),
            Ordering::Equal => {
                if form[k][k + 1..].iter().any(|entry| !entry.is_zero()) {
                    return Ok(false);
                }
            }
            Ordering::Greater => {
                real.pay((size - k) * (size - k), &form[k])?;
                let inverse = field.inverse(&form[k][k])?;
                let pivot = form[k].clone();
                for row in &mut form[k + 1..] {
                    let factor = field.mul(&row[k], &inverse);
                    for (entry, above) in row[k..].iter_mut().zip(&pivot[k..]) {
                        *entry = field.sub(entry, &field.mul(&factor, above));
                    }
                }
            }
        }
    }
    Ok(true)
}
