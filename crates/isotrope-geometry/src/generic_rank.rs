//! Generic ranks by evaluation at a random point of a prime field.

use isotrope_algebra::evaluate::{Fidelity, FieldPlan, NotExact};
use isotrope_algebra::linear::LinearError;
use isotrope_algebra::modular::{self, Random};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};

const PRIME: u64 = FieldPlan::PRIME;
const DOING: &str = "computing a generic rank";
/// Points tried before the search is given up. Each independent root exists at
/// every other point only, so this allows for about ten of them.
const TRIES: usize = 4096;

/// The rank of a matrix of functions at a random point.
///
/// For rational, trigonometric and exponential entries it is never more than the generic
/// rank, and less only with a probability of about `degree / 2^61`. Roots and other functions
/// are treated as generic: then it is a guess, to be verified.
pub fn generic_rank(
    pool: &mut Pool,
    rows: &[Vec<ExprId>],
    budget: &mut Budget,
) -> Result<usize, LinearError> {
    match independent_rows(pool, rows, Fidelity::Generic, budget)? {
        Some(rows) => Ok(rows.len()),
        // With many roots in roots hardly any point of the field has them all.
        None => {
            let doing = "looking for a point where all roots exist";
            Err(OutOfBudget::spent(budget.spent(), doing).into())
        }
    }
}

/// The rows that are independent of those before them at a random point, with a pivot column
/// each; `None` if the entries have no evaluation of this fidelity. Elimination in this order
/// with these pivots meets no zero.
/// With [`Fidelity::Exact`] the rows found are proved independent:
/// a minor that is not zero modulo a prime is not zero.
pub(crate) fn independent_rows(
    pool: &mut Pool,
    rows: &[Vec<ExprId>],
    fidelity: Fidelity,
    budget: &mut Budget,
) -> Result<Option<Vec<(usize, usize)>>, LinearError> {
    let entries: Vec<ExprId> = rows.iter().flatten().copied().collect();
    if entries.contains(&ExprId::UNDEFINED) {
        return Err(LinearError::Undefined);
    }
    let before = budget.spent();
    let plan = match FieldPlan::new(pool, &entries, fidelity, budget) {
        Ok(plan) => plan,
        Err(NotExact::Function { .. }) => return Ok(None),
        Err(NotExact::OutOfBudget(stop)) => return Err(stop.into()),
    };
    // Preparing visits every node once, and so does evaluating.
    let visit = budget.spent() - before;
    let mut random = Random::new(0x2005_1969);
    for _ in 0..TRIES {
        budget.spend(visit + 1, DOING)?;
        let Some(values) = plan.evaluate(pool, &mut random, &Default::default()) else {
            continue;
        };
        let mut rest = values.as_slice();
        let mut elimination = Elimination::default();
        let mut independent = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            let (row, after) = rest.split_at(row.len());
            rest = after;
            budget.spend((row.len() * (1 + elimination.rows.len())) as u64, DOING)?;
            if let Some(pivot) = elimination.add(row) {
                independent.push((index, pivot));
            }
        }
        return Ok(Some(independent));
    }
    Ok(None)
}

/// Rows of numbers in echelon form, by pivot column.
#[derive(Default)]
struct Elimination {
    rows: Vec<(usize, Vec<u64>)>,
}

impl Elimination {
    /// Adds a row and returns its pivot column; `None` if it depends on those before.
    fn add(&mut self, row: &[u64]) -> Option<usize> {
        let mut rest = row.to_vec();
        for (pivot, known) in &self.rows {
            let factor = rest.get(*pivot).copied().unwrap_or(0);
            if factor != 0 {
                for (entry, &value) in rest.iter_mut().zip(known) {
                    *entry = modular::sub(*entry, modular::mul(factor, value, PRIME), PRIME);
                }
            }
        }
        let pivot = rest.iter().position(|&entry| entry != 0)?;
        let inverse = modular::inverse(rest[pivot], PRIME)?;
        for entry in &mut rest {
            *entry = modular::mul(*entry, inverse, PRIME);
        }
        self.rows.push((pivot, rest));
        Some(pivot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{budget, row};

    #[test]
    fn dependence_hidden_in_trigonometry_is_seen() {
        let mut pool = Pool::new();
        let rows = [
            row(&mut pool, &["sin(x + y)", "1", "0"]),
            row(&mut pool, &["sin(x)*cos(y) + cos(x)*sin(y)", "1", "0"]),
            row(&mut pool, &["0", "x", "y"]),
        ];
        assert_eq!(generic_rank(&mut pool, &rows, &mut budget()), Ok(2));
        let found = independent_rows(&mut pool, &rows, Fidelity::Exact, &mut budget());
        assert_eq!(found, Ok(Some(vec![(0, 0), (2, 1)])));
    }

    #[test]
    fn roots_have_a_generic_rank_but_no_exact_one() {
        let mut pool = Pool::new();
        let rows = [row(&mut pool, &["sqrt(x)", "sqrt(x*y)"]), row(&mut pool, &["1", "sqrt(y)"])];
        assert_eq!(generic_rank(&mut pool, &rows, &mut budget()), Ok(1));
        let found = independent_rows(&mut pool, &rows, Fidelity::Exact, &mut budget());
        assert_eq!(found, Ok(None));
    }

    #[test]
    fn eight_independent_roots_still_find_a_point() {
        let mut pool = Pool::new();
        let texts: Vec<String> = (0..8).map(|k| format!("sqrt(x[{k}])")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let rows = [row(&mut pool, &texts)];
        assert_eq!(generic_rank(&mut pool, &rows, &mut budget()), Ok(1));
    }

    #[test]
    fn nothing_has_rank_zero_and_undefined_has_none() {
        let mut pool = Pool::new();
        assert_eq!(generic_rank(&mut pool, &[], &mut budget()), Ok(0));
        assert_eq!(generic_rank(&mut pool, &[vec![ExprId::ZERO]], &mut budget()), Ok(0));
        let undefined = [vec![ExprId::UNDEFINED]];
        assert_eq!(generic_rank(&mut pool, &undefined, &mut budget()), Err(LinearError::Undefined));
    }

    #[test]
    fn a_spent_budget_stops_it() {
        let mut pool = Pool::new();
        let rows = [row(&mut pool, &["x", "y"])];
        let found = generic_rank(&mut pool, &rows, &mut Budget::new(1));
        assert!(matches!(found, Err(LinearError::OutOfBudget(_))));
    }
}
