//! Frames by formulas: the kernel of the forms over the field of functions.

use isotrope_algebra::linear::{LinearError, Matrix, nullspace};
use isotrope_algebra::normal::size;
use isotrope_algebra::{Budget, ExprId, Pool};

use crate::VectorField;
use crate::form::normalise_sign;
use crate::work::simplified;

/// A frame of the kernel of `forms` without denominators, and what must not vanish.
pub(crate) fn explicit_frame(
    pool: &mut Pool,
    dimension: usize,
    forms: &[Vec<ExprId>],
    budget: &mut Budget,
) -> Result<(Vec<VectorField>, Vec<ExprId>), LinearError> {
    let order = elimination_order(pool, dimension, forms);
    let permuted: Vec<Vec<ExprId>> =
        forms.iter().map(|form| order.iter().map(|&column| form[column]).collect()).collect();
    let space = nullspace(pool, &Matrix::from_rows(dimension, &permuted), budget)?;
    if space.basis.len() + forms.len() != dimension {
        let rank = dimension.saturating_sub(space.basis.len());
        return Err(LinearError::Singular { rank });
    }
    let mut frame = Vec::with_capacity(space.basis.len());
    for vector in space.basis {
        let mut components = vec![ExprId::ZERO; dimension];
        for (&column, &entry) in order.iter().zip(&vector) {
            components[column] = simplified(pool, entry, budget);
        }
        normalise_sign(pool, &mut components);
        let last = components.iter().rposition(|entry| !entry.is_zero());
        frame.push((last, VectorField::new(components)));
    }
    // In the order of the coordinates, whatever the order of elimination was.
    frame.sort_by_key(|entry| entry.0);
    Ok((frame.into_iter().map(|entry| entry.1).collect(), space.conditions))
}

/// The columns in the order of elimination: first those where a row has a number, a pivot
/// that excludes no point and multiplies nothing; then the shortest.
pub(crate) fn elimination_order(pool: &Pool, columns: usize, rows: &[Vec<ExprId>]) -> Vec<usize> {
    let filled = |column: usize| rows.iter().filter(|row| !row[column].is_zero()).count();
    let is_number = |id: ExprId| !id.is_zero() && pool.as_number(id).is_some();
    let mut by_filling: Vec<usize> = (0..columns).filter(|&column| filled(column) > 0).collect();
    by_filling.sort_by_key(|&column| filled(column));
    let mut used = vec![false; rows.len()];
    let mut order = Vec::with_capacity(columns);
    for column in by_filling {
        if let Some(a) = (0..rows.len()).find(|&a| !used[a] && is_number(rows[a][column])) {
            used[a] = true;
            order.push(column);
        }
    }
    let mut rest: Vec<usize> = (0..columns).filter(|column| !order.contains(column)).collect();
    rest.sort_by_cached_key(|&column| {
        let sizes = rows.iter().map(|row| row[column]).filter(|entry| !entry.is_zero());
        let total = sizes.map(|entry| size(pool, entry)).fold(0, u64::saturating_add);
        // An empty column is not a pivot, and its place does not matter.
        (total, column)
    });
    order.extend(rest);
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{budget, field, row};

    #[test]
    fn a_number_is_the_best_pivot() {
        // dz - x dy: eliminating y would divide by x.
        let mut pool = Pool::new();
        let forms = [row(&mut pool, &["0", "-x", "1"])];
        let (frame, conditions) = explicit_frame(&mut pool, 3, &forms, &mut budget()).unwrap();
        let fields = [field(&mut pool, &["1", "0", "0"]), field(&mut pool, &["0", "1", "x"])];
        assert_eq!(frame, fields);
        assert!(conditions.is_empty());
    }

    #[test]
    fn each_form_gets_its_own_number() {
        let mut pool = Pool::new();
        let forms = [row(&mut pool, &["1", "0", "x", "1"]), row(&mut pool, &["1", "y", "0", "0"])];
        let order = elimination_order(&pool, 4, &forms);
        assert_eq!(order[..2], [3, 0]);
        let (_, conditions) = explicit_frame(&mut pool, 4, &forms, &mut budget()).unwrap();
        assert!(conditions.is_empty());
    }
}
