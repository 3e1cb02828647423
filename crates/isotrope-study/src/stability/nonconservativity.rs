//! The degree of nonconservativity: how many constraints make a system conservative.
//!
//! The skew part of K is a 2-form ω = Σ αᵢ ∧ βᵢ with as many terms as half its rank, and this is the
//! least number of constraints under which the restricted stiffness is symmetric; αᵢ = 0 are such
//! constraints (Lerbet, Challamel, Nicot, Darve: Kinematical structural stability, 2016).

use isotrope_algebra::linear::{Matrix, rank};
use isotrope_algebra::normal::{Zero, is_zero, simplify};
use isotrope_algebra::{Budget, ExprId, print};

use super::exact::Exact;
use super::reduce::Reduced;
use super::report::{Entry, Nonconservativity};

/// Operations for one zero test or one simplification.
const SIMPLIFY: u64 = 2_000_000;

/// Exactly, for a generic value of the parameter.
pub(super) fn exactly(exact: &mut Exact, names: &[String]) -> Option<Nonconservativity> {
    let stiffness = exact.stiffness.clone();
    let mut form = exact.part(&stiffness, -1);
    let n = form.rows();
    let degree = rank(&mut exact.pool, &form, &mut Budget::new(SIMPLIFY)).ok()?.rank / 2;
    let pool = &mut exact.pool;
    let mut rows = Vec::new();
    while rows.len() < degree {
        let (i, j) = pairs(n).find(|&(i, j)| {
            is_zero(pool, form.get(i, j), &mut Budget::new(SIMPLIFY)) == Zero::No
        })?;
        let (alpha, beta, weight) = (form.row(i).to_vec(), form.row(j).to_vec(), form.get(i, j));
        let mut rest = Matrix::zero(n, n);
        for (k, l) in all(n) {
            let wedge = [pool.mul(alpha[k], beta[l]), pool.mul(beta[k], alpha[l])];
            let wedge = pool.sub(wedge[0], wedge[1]);
            let quotient = pool.div(wedge, weight);
            let entry = pool.sub(form.get(k, l), quotient);
            rest.set(k, l, simplify(pool, entry, &mut Budget::new(SIMPLIFY)));
        }
        form = rest;
        let scale = alpha.iter().copied().find(|entry| !entry.is_zero())?;
        let row: Vec<ExprId> = alpha
            .iter()
            .map(|&entry| {
                let entry = pool.div(entry, scale);
                simplify(pool, entry, &mut Budget::new(SIMPLIFY))
            })
            .collect();
        let texts = row.iter().map(|&id| print::to_text(pool, id, &mut Budget::new(SIMPLIFY)).ok());
        rows.push(texts.map(|text| text.map(Entry::Exact)).collect::<Option<Vec<_>>>()?);
    }
    Some(Nonconservativity::new(rows, names))
}

/// Terms of a 2-form below this part of the stiffness are rounding, in units in which masses are 1.
const ROUNDING: f64 = 1e-10;

/// In numbers, at one value of the parameter.
pub(super) fn numerically(reduced: &Reduced, names: &[String]) -> Nonconservativity {
    let (stiffness, weights) = reduced.weighted_stiffness();
    let (_, mut form) = stiffness.parts();
    let n = form.rows();
    let smallest = ROUNDING * stiffness.size();
    let mut rows = Vec::new();
    loop {
        let size = |&(i, j): &(usize, usize)| form.get(i, j).abs();
        let Some((i, j)) = pairs(n).max_by(|a, b| size(a).total_cmp(&size(b))) else { break };
        let weight = form.get(i, j);
        if weight.abs() <= smallest {
            break;
        }
        let row = |i: usize| (0..n).map(|k| form.get(i, k)).collect::<Vec<f64>>();
        let (alpha, beta) = (row(i), row(j));
        for (k, l) in all(n) {
            let wedge = alpha[k] * beta[l] - beta[k] * alpha[l];
            form.set(k, l, form.get(k, l) - wedge / weight);
        }
        rows.push(weights.constraint(&alpha, ROUNDING));
    }
    Nonconservativity::new(rows, names)
}

fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |i| (i + 1..n).map(move |j| (i, j)))
}

fn all(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |i| (0..n).map(move |j| (i, j)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotrope_algebra::double::linear::DenseMatrix;

    /// With masses 1.
    fn reduced(stiffness: DenseMatrix) -> Reduced {
        let n = stiffness.rows();
        let entries: Vec<f64> = all(n).map(|(i, j)| f64::from(i == j)).collect();
        let mass = DenseMatrix::from_rows(n, n, &entries);
        Reduced { damping: DenseMatrix::zero(n, n), mass, stiffness }
    }

    #[test]
    fn the_restricted_stiffness_is_symmetric() {
        // A skew part of rank 4 in five dimensions.
        let n = 5;
        let entry = |i: usize, j: usize| ((5 * i * i * i + 7 * j + i * i * j) % 13) as f64 - 4.0;
        let entries: Vec<f64> = all(n).map(|(i, j)| entry(i, j)).collect();
        let stiffness = DenseMatrix::from_rows(n, n, &entries);
        let names: Vec<String> = (0..n).map(|i| format!("x{i}")).collect();
        let found = numerically(&reduced(stiffness.clone()), &names);
        assert_eq!(found.degree, 2);
        let rows: Vec<f64> = found
            .rows
            .iter()
            .flatten()
            .map(|entry| match entry {
                Entry::Number(x) => *x,
                Entry::Exact(_) => f64::NAN,
            })
            .collect();
        let (basis, _) = DenseMatrix::from_rows(2, n, &rows).nullspace(1e-12);
        let restricted = basis.transposed().times(&stiffness).times(&basis);
        assert_eq!(restricted.rows(), 3);
        assert!(restricted.parts().1.size() < 1e-12, "{restricted:?}");
        assert_eq!(numerically(&reduced(stiffness.parts().0), &names).degree, 0);
    }
}
