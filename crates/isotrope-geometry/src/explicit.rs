//! Frames by formulas: the kernel of the forms over the field of functions.

use isotrope_algebra::linear::{LinearError, Matrix, nullspace};
use isotrope_algebra::normal::size;
use isotrope_algebra::{Budget, ExprId, Pool};

use crate::VectorField;
use crate::form::normalise_sign;
use crate::work::{primitive, simplified};

/// A frame of the kernel of `forms` without denominators, and what must not vanish.
pub(crate) fn explicit_frame(
    pool: &mut Pool,
    coordinates: &[ExprId],
    forms: &[Vec<ExprId>],
    budget: &mut Budget,
) -> Result<(Vec<VectorField>, Vec<ExprId>), LinearError> {
    let dimension = coordinates.len();
    // As short as they get, so that l (sin² + cos²) is seen to be the constant l.
    let forms: Vec<Vec<ExprId>> = forms
        .iter()
        .map(|form| form.iter().map(|&entry| simplified(pool, entry, budget)).collect())
        .collect();
    let order = elimination_order(pool, dimension, &forms, Some(coordinates));
    let permuted: Vec<Vec<ExprId>> =
        forms.iter().map(|form| order.iter().map(|&column| form[column]).collect()).collect();
    let space = nullspace(pool, &Matrix::from_rows(dimension, &permuted), budget)?;
    if space.basis.len() + forms.len() != dimension {
        let rank = dimension.saturating_sub(space.basis.len());
        return Err(LinearError::Singular { rank });
    }
    let mut frame = Vec::with_capacity(space.basis.len());
    for vector in space.basis {
        let vector = primitive(pool, vector, budget);
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
/// that excludes no point and multiplies nothing; then those where it has a constant, which excludes no point
/// either and is a common factor of no field; then the shortest.
pub(crate) fn elimination_order(
    pool: &Pool,
    columns: usize,
    rows: &[Vec<ExprId>],
    coordinates: Option<&[ExprId]>,
) -> Vec<usize> {
    let filled = |column: usize| rows.iter().filter(|row| !row[column].is_zero()).count();
    let is_number = |id: ExprId| !id.is_zero() && pool.as_number(id).is_some();
    let mut by_filling: Vec<usize> = (0..columns).filter(|&column| filled(column) > 0).collect();
    by_filling.sort_by_key(|&column| filled(column));
    let mut used = vec![false; rows.len()];
    let mut order = Vec::with_capacity(columns);
    for &column in &by_filling {
        if let Some(a) = (0..rows.len()).find(|&a| !used[a] && is_number(rows[a][column])) {
            used[a] = true;
            order.push(column);
        }
    }
    if let Some(coordinates) = coordinates {
        let is_constant = |id: ExprId| !id.is_zero() && !pool.depends_on(id, coordinates);
        for column in
            by_filling.into_iter().filter(|column| !order.contains(column)).collect::<Vec<_>>()
        {
            if let Some(a) = (0..rows.len()).find(|&a| !used[a] && is_constant(rows[a][column])) {
                used[a] = true;
                order.push(column);
            }
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
    use crate::testing::{budget, field, row, symbols};
    use isotrope_algebra::calculus::substitute;

    #[test]
    fn a_number_is_the_best_pivot() {
        // dz - x dy: eliminating y would divide by x.
        let mut pool = Pool::new();
        let q = symbols(&mut pool, &["x", "y", "z"]);
        let forms = [row(&mut pool, &["0", "-x", "1"])];
        let (frame, conditions) = explicit_frame(&mut pool, &q, &forms, &mut budget()).unwrap();
        let fields = [field(&mut pool, &["1", "0", "0"]), field(&mut pool, &["0", "1", "x"])];
        assert_eq!(frame, fields);
        assert!(conditions.is_empty());
    }

    #[test]
    fn a_constant_is_better_than_what_can_vanish() {
        // A unicycle with a trailer: eliminated by theta and phi the field would vanish where both are in line.
        let mut pool = Pool::new();
        let q = symbols(&mut pool, &["x", "y", "theta", "phi"]);
        let across = "d*sin(phi)^2 + d*cos(phi)^2";
        let forms = [
            row(&mut pool, &["sin(theta)", "-cos(theta)", "0", "0"]),
            row(&mut pool, &["sin(phi)", "-cos(phi)", "0", across]),
        ];
        let (frame, _) = explicit_frame(&mut pool, &q, &forms, &mut budget()).unwrap();
        let turn = field(&mut pool, &["0", "0", "1", "0"]);
        assert_eq!((frame.len(), &frame[0]), (2, &turn));
        // At theta = phi = 0 it drives along x.
        let straight = q.iter().map(|&q| (q, ExprId::ZERO)).collect();
        let there = substitute(&mut pool, &frame[1].components, &straight, &mut budget()).unwrap();
        assert_eq!(there, row(&mut pool, &["d", "0", "0", "0"]));
    }

    #[test]
    fn each_form_gets_its_own_number() {
        let mut pool = Pool::new();
        let q = symbols(&mut pool, &["x", "y", "z", "w"]);
        let forms = [row(&mut pool, &["1", "0", "x", "1"]), row(&mut pool, &["1", "y", "0", "0"])];
        let order = elimination_order(&pool, 4, &forms, Some(&q));
        assert_eq!(order[..2], [3, 0]);
        let (_, conditions) = explicit_frame(&mut pool, &q, &forms, &mut budget()).unwrap();
        assert!(conditions.is_empty());
    }
}
