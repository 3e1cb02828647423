//! Frames whose components are unevaluated solutions of linear systems.
//!
//! Explicit formulas for the kernel of many coupled forms grow exponentially; solutions that
//! stay nodes do not. With pivot columns `P` and one free column `f` the frame field is
//! `e_f - A_P^-1 A_f`.

use isotrope_algebra::evaluate::Fidelity;
use isotrope_algebra::linear::LinearError;
use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};

use crate::VectorField;
use crate::generic_rank::independent_rows;
use crate::work::zero_test;

const DOING: &str = "solving for the frame of a distribution";

/// A frame of the kernel of `forms`, and the determinant that must not vanish.
/// `stop` is returned if that determinant cannot be proved to be nonzero.
pub(crate) fn unevaluated_frame(
    pool: &mut Pool,
    dimension: usize,
    forms: &[Vec<ExprId>],
    stop: OutOfBudget,
    budget: &mut Budget,
) -> Result<(Vec<VectorField>, ExprId), LinearError> {
    let exact = independent_rows(pool, forms, Fidelity::Exact, budget)?;
    let proved = exact.is_some();
    let pivots = match exact {
        Some(pivots) => pivots,
        None => independent_rows(pool, forms, Fidelity::Generic, budget)?
            .ok_or(LinearError::OutOfBudget(stop.clone()))?,
    };
    if pivots.len() < forms.len() {
        return Err(LinearError::Singular { rank: pivots.len() });
    }
    let columns: Vec<usize> = pivots.iter().map(|pivot| pivot.1).collect();
    let determinant = determinant_as_graph(pool, forms, &columns, budget)?;
    if !proved && zero_test(pool, determinant, budget) != Zero::No {
        return Err(stop.into());
    }
    let mut entries = Vec::new();
    for (a, form) in forms.iter().enumerate() {
        for (k, &column) in columns.iter().enumerate() {
            if !form[column].is_zero() {
                entries.push((a as u32, k as u32, form[column]));
            }
        }
    }
    let mut frame = Vec::with_capacity(dimension - columns.len());
    for free in (0..dimension).filter(|column| !columns.contains(column)) {
        budget.spend((entries.len() + dimension) as u64, DOING)?;
        let right: Vec<ExprId> = forms.iter().map(|form| pool.neg(form[free])).collect();
        let solution = pool.solve_node(&entries, &right);
        let mut components = vec![ExprId::ZERO; dimension];
        components[free] = ExprId::ONE;
        for (&column, value) in columns.iter().zip(solution) {
            components[column] = value;
        }
        frame.push(VectorField::new(components));
    }
    Ok((frame, determinant))
}

/// The determinant of some columns, up to sign, as a product of Gaussian pivots that are not
/// multiplied out: of polynomial size as a graph, whatever it is as a formula. The columns
/// are pivots in the order of the rows, so none of the divisors is zero.
pub(crate) fn determinant_as_graph(
    pool: &mut Pool,
    forms: &[Vec<ExprId>],
    columns: &[usize],
    budget: &mut Budget,
) -> Result<ExprId, OutOfBudget> {
    let mut rows: Vec<Vec<ExprId>> =
        forms.iter().map(|form| columns.iter().map(|&column| form[column]).collect()).collect();
    let size = rows.len();
    let mut pivots = Vec::with_capacity(size);
    for k in 0..size {
        let pivot_row = rows[k].clone();
        pivots.push(pivot_row[k]);
        for row in rows.iter_mut().skip(k + 1) {
            if row[k].is_zero() {
                continue;
            }
            budget.spend(size as u64, DOING)?;
            let factor = pool.div(row[k], pivot_row[k]);
            for j in k + 1..size {
                if !pivot_row[j].is_zero() {
                    let taken = pool.mul(factor, pivot_row[j]);
                    row[j] = pool.sub(row[j], taken);
                }
            }
        }
    }
    Ok(pool.product(&pivots))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{budget, row};
    use isotrope_algebra::linear::{Matrix, determinant};
    use isotrope_algebra::normal::is_zero;

    fn stop() -> OutOfBudget {
        OutOfBudget::spent(0, "testing")
    }

    #[test]
    fn the_unevaluated_frame_is_annihilated_by_the_forms() {
        let mut pool = Pool::new();
        let forms =
            [row(&mut pool, &["x", "y", "z", "0"]), row(&mut pool, &["cos(x)", "1", "0", "w"])];
        let (frame, _) = unevaluated_frame(&mut pool, 4, &forms, stop(), &mut budget()).unwrap();
        assert_eq!(frame.len(), 2);
        for field in &frame {
            for form in &forms {
                let value = crate::form::contract(&mut pool, form, &field.components);
                // The normal form takes solutions for unknowns: zero at random points is all.
                assert!(is_zero(&mut pool, value, &mut budget()).is_plausible());
            }
        }
    }

    #[test]
    fn the_graph_of_the_determinant_is_the_determinant() {
        let mut pool = Pool::new();
        let rows = [
            row(&mut pool, &["a", "b", "1"]),
            row(&mut pool, &["c", "0", "a"]),
            row(&mut pool, &["0", "1", "sin(d)"]),
        ];
        let graph = determinant_as_graph(&mut pool, &rows, &[0, 1, 2], &mut budget()).unwrap();
        let matrix = Matrix::from_rows(3, &rows);
        let value = determinant(&mut pool, &matrix, &mut budget()).unwrap();
        let difference = pool.sub(graph, value);
        assert_eq!(is_zero(&mut pool, difference, &mut budget()), Zero::Yes);
    }

    #[test]
    fn dependent_forms_are_refused_here_too() {
        let mut pool = Pool::new();
        let forms = [row(&mut pool, &["x", "y", "0"]), row(&mut pool, &["x^2", "x*y", "0"])];
        let found = unevaluated_frame(&mut pool, 3, &forms, stop(), &mut budget());
        assert_eq!(found.unwrap_err(), LinearError::Singular { rank: 1 });
    }
}
