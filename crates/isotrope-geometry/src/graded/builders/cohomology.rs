//! Cohomology of finite-dimensional Lie algebras.

use isotrope_algebra::linear::{Budgeted, PivotAt, SparseEchelon, SparseRow};
use isotrope_algebra::{Budget, OutOfBudget, Rational};

use crate::graded::{GradedAlgebra, GradedError, GradedField, Monomial, Polynomials};

type Row = SparseRow<u128, Rational>;

/// The Betti numbers of the complex of functions of odd coordinates with a differential of
/// degree 1, all coordinates being of degree 1: the cohomology of a Lie algebra with its
/// Chevalley–Eilenberg differential. `None` if the square of `q` is not zero.
pub fn betti_numbers(
    algebra: &mut GradedAlgebra<Polynomials>,
    q: &GradedField<Rational>,
) -> Result<Option<Vec<usize>>, GradedError> {
    let size = algebra.coordinates().len();
    if algebra.square(q)?.components().iter().any(|component| !component.is_empty()) {
        return Ok(None);
    }
    let empty = algebra.coordinates().one();
    // The rank of d from degree k to k + 1; nothing comes from degree -1.
    let mut ranks = vec![0];
    let mut counts = Vec::with_capacity(size + 1);
    for degree in 0..=size {
        let mut rows = Vec::new();
        for odd in subsets(size, degree) {
            algebra.budget.spend(1, "computing cohomology")?;
            let monomial = Monomial { odd, even: empty.even.clone() };
            let form = algebra.from_terms([(monomial, Rational::ONE)])?;
            let image = algebra.apply(q, &form)?;
            rows.push(image.terms().iter().map(|(m, c)| (m.odd, c.clone())).collect());
        }
        counts.push(rows.len());
        ranks.push(rank(rows, &mut algebra.budget)?);
    }
    Ok(Some((0..=size).map(|k| counts[k] - ranks[k + 1] - ranks[k]).collect()))
}

/// The sets of `count` out of `size` coordinates, as masks in ascending order (Gosper's hack).
fn subsets(size: usize, count: usize) -> impl Iterator<Item = u128> {
    let first = if count == 0 { 0 } else { u128::MAX >> (128 - count.min(128)) };
    let limit = if size >= 128 { u128::MAX } else { (1 << size) - 1 };
    std::iter::successors((count <= size).then_some(first), move |&mask| {
        if mask == 0 {
            return None;
        }
        let low = mask & mask.wrapping_neg();
        let ripple = mask.checked_add(low)?;
        let next = (((ripple ^ mask) >> 2) / low) | ripple;
        (next <= limit).then_some(next)
    })
}

/// What an entry of a row costs: fractions grow.
const ENTRY: u64 = 8;

/// The rank over the rationals.
fn rank(rows: Vec<Row>, budget: &mut Budget) -> Result<usize, OutOfBudget> {
    let mut field = Budgeted::new(budget, ENTRY, "computing cohomology");
    let mut echelon = SparseEchelon::new(PivotAt::First);
    for row in rows {
        echelon.insert(&mut field, row)?;
    }
    Ok(echelon.rank())
}
