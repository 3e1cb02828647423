//! Shares of a budget, so that one hard expression cannot spend what all the others need.

use isotrope_algebra::normal::{self, Zero};
use isotrope_algebra::{Budget, ExprId, Pool};

/// The part of what is left that one simplification may spend.
const SIMPLIFYING: u64 = 16;
/// The part of what is left that one zero test may spend.
const TESTING: u64 = 4;

/// Runs `work` with one `share`-th of what is left of the budget.
pub(crate) fn with_share<T>(
    budget: &mut Budget,
    share: u64,
    work: impl FnOnce(&mut Budget) -> T,
) -> T {
    let allowance = budget.left() / share;
    let mut part = Budget::new(allowance);
    let result = work(&mut part);
    // Never more than what is left, so this cannot fail.
    budget.spend(part.spent().min(allowance), "working on a share").ok();
    result
}

/// An equal, hopefully shorter expression.
pub(crate) fn simplified(pool: &mut Pool, expression: ExprId, budget: &mut Budget) -> ExprId {
    with_share(budget, SIMPLIFYING, |part| normal::simplify(pool, expression, part))
}

/// The vector without factors that its entries have in common, if they are found.
pub(crate) fn primitive(pool: &mut Pool, vector: Vec<ExprId>, budget: &mut Budget) -> Vec<ExprId> {
    let found =
        with_share(budget, SIMPLIFYING, |part| normal::without_common_factors(pool, &vector, part));
    match found {
        Ok(Some(shorter)) => shorter,
        _ => vector,
    }
}

/// Conditions `f ≠ 0` in their shortest form, if it is found.
pub(crate) fn tidied(pool: &mut Pool, conditions: Vec<ExprId>, budget: &mut Budget) -> Vec<ExprId> {
    match with_share(budget, TESTING, |part| normal::distinct_zeros(pool, &conditions, part)) {
        Ok(shorter) => shorter,
        Err(_) => {
            let mut seen = Vec::with_capacity(conditions.len());
            for condition in conditions {
                if !seen.contains(&condition) {
                    seen.push(condition);
                }
            }
            seen
        }
    }
}

/// Is the expression identically zero?
pub(crate) fn zero_test(pool: &mut Pool, expression: ExprId, budget: &mut Budget) -> Zero {
    with_share(budget, TESTING, |part| normal::is_zero(pool, expression, part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_never_overdraws_the_budget() {
        let mut budget = Budget::new(100);
        with_share(&mut budget, 4, |part| part.spend(1000, "testing").ok());
        assert_eq!(budget.spent(), 25);
    }
}
