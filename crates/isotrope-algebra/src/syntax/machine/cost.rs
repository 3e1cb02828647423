//! What lowering costs: powers, long numbers, large results.

use crate::pool::{ExprId, Node, Pool};
use crate::syntax::{LowerErrorKind, LowerLimits};
use crate::{Budget, Rational};

/// Bits of the numbers that a factor contributes to a product: its coefficient and its radicals.
pub(super) fn coefficient_bits(pool: &Pool, factor: ExprId) -> u64 {
    // A bit less each, so that products of small numbers cost little.
    let bits = |id| pool.as_number(id).map_or(0, |number| number.bits().saturating_sub(1));
    let radicals = |id| match pool.node(id) {
        Node::Product(factors) => factors.iter().map(|(base, _)| bits(base)).sum(),
        _ => 0,
    };
    match pool.node(factor) {
        Node::Number(_) => bits(factor),
        Node::Sum(terms) => {
            let (term, coefficient) = terms.get(0);
            bits(coefficient) + if terms.len() == 1 { radicals(term) } else { 0 }
        }
        _ => radicals(factor),
    }
}

/// Refuses powers that would make huge numbers, and charges for roots of numbers,
/// which are factored by trial.
pub(super) fn power(
    pool: &mut Pool,
    base: ExprId,
    exponent: ExprId,
    limits: &LowerLimits,
    budget: &mut Budget,
) -> Result<ExprId, LowerErrorKind> {
    if let Some(number) = pool.as_number(exponent) {
        let size = number.as_small().map(|(n, d)| n.unsigned_abs().max(d.unsigned_abs()));
        let integer = number.is_integer();
        let base_bits = coefficient_bits(pool, base);
        if size.is_none_or(|size| size > limits.exponent.unsigned_abs()) {
            return Err(LowerErrorKind::ExponentTooLarge(limits.exponent));
        }
        let whole = number.as_small().map_or(u64::MAX, |(n, d)| (n / d).unsigned_abs());
        if base_bits.saturating_mul(whole) > limits.number_bits {
            return Err(LowerErrorKind::NumberTooLarge(limits.number_bits));
        }
        if !integer && base_bits > 0 {
            let trials = 1u64 << (base_bits / 2).min(12);
            budget
                .spend(trials / 8, "taking a root")
                .map_err(|stop| LowerErrorKind::TooLarge(stop.limit))?;
        }
    }
    Ok(pool.power(base, exponent))
}

/// Charges for the size of a result and refuses numbers that grew too long.
pub(super) fn charge(
    pool: &Pool,
    value: ExprId,
    grown: u64,
    limits: &LowerLimits,
    budget: &mut Budget,
) -> Result<(), LowerErrorKind> {
    let mut words = 0;
    let mut longest = 0;
    match pool.node(value) {
        Node::Number(number) => longest = number.bits(),
        Node::Sum(pairs) => {
            for (_, coefficient) in pairs.iter() {
                longest = longest.max(pool.as_number(coefficient).map_or(0, Rational::bits));
            }
            words = pairs.len() as u64;
        }
        Node::Product(pairs) => words = pairs.len() as u64,
        _ => {}
    }
    if longest > limits.number_bits {
        return Err(LowerErrorKind::NumberTooLarge(limits.number_bits));
    }
    budget
        .spend(grown + words + longest / 64, "reading an expression")
        .map_err(|stop| LowerErrorKind::TooLarge(stop.limit))
}
