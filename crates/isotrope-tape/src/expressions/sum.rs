//! Linear combinations.

use isotrope_algebra::{ExprId, Node, Pairs, Rational};

use super::constant::{Constant, rounded};
use super::plan::{Part, Planner};
use super::{ExpressionError, Slot, Step};
use crate::math::Arithmetic;
use crate::{Builder, Op, ValueId};

/// `constant + sum of coefficient times term`.
#[derive(Debug, Clone)]
pub(super) struct Sum {
    constant: Option<f64>,
    terms: Vec<(Slot, f64)>,
}

impl Sum {
    /// The step, and what its value is to be multiplied by.
    pub(super) fn plan(
        planner: &mut Planner<'_>,
        pairs: Pairs<'_>,
    ) -> Result<(Step, Option<Rational>), ExpressionError> {
        let pool = planner.pool;
        let content = content(planner, pairs);
        let mut constants: Vec<Constant> = Vec::new();
        let mut terms = Vec::with_capacity(pairs.len());
        for (term, coefficient) in pairs.iter() {
            let factors = planner.constant_factors(term);
            let mut slot = Slot(0);
            let mut pending = None;
            if planner.is_variable(term) {
                slot = planner.unscaled(term, Part::Body);
                pending = planner.pending(slot).cloned();
                let free = is_unit(coefficient) || pending.is_none();
                if free && factors.is_empty() && content.is_none() {
                    // A sum takes it as it is; a factor would cost a multiplication.
                    let coefficient = planner.number(coefficient);
                    terms.push((planner.complete(slot), coefficient));
                    continue;
                }
            }
            let Some(number) = pool.as_number(coefficient) else { continue };
            let mut number = match &content {
                Some((_, inverse)) => number * inverse,
                None => number.clone(),
            };
            if planner.is_variable(term) {
                if let Some(pending) = pending {
                    number = &number * &pending;
                }
                let coefficient = Constant { rational: Some(number), powers: factors };
                terms.push((slot, rounded(pool, &[coefficient])?));
            } else {
                let power = (term != ExprId::ONE).then_some((term, ExprId::ONE));
                let constant = Constant { rational: None, powers: power.into_iter().collect() };
                constants.push(constant.scaled(&number));
            }
        }
        let constant = match constants[..] {
            [] => None,
            _ => Some(rounded(pool, &constants)?),
        };
        let content = content.map(|(content, _)| content);
        Ok(match terms[..] {
            [(slot, coefficient)] if constant.is_none() => {
                let content = content.map_or(1.0, |content| content.to_f64());
                (Step::Scaled(coefficient * content, slot), None)
            }
            _ => (Step::Sum(Self { constant, terms }), content),
        })
    }

    pub(super) fn record(&self, builder: &mut Builder, values: &[ValueId]) -> ValueId {
        let value_of = |slot: Slot| values[slot.0 as usize];
        let mut terms: Vec<(ValueId, f64)> =
            self.terms.iter().map(|&(slot, c)| (value_of(slot), c)).collect();
        let mut scale = 1.0;
        let mut constant = self.constant;
        // A sum that only subtracts is the negative of one that adds.
        if constant.is_none_or(|c| c < 0.0) && terms.iter().all(|&(_, c)| c < 0.0) {
            terms.iter_mut().for_each(|(_, c)| *c = -*c);
            constant = constant.map(|c| -c);
            scale = -scale;
        }
        // What is there early is added first: the last addition waits for the last term only.
        terms.sort_by_key(|&(value, _)| builder.ready(value));
        let mut sum = match constant {
            Some(constant) => builder.constant(constant),
            None => {
                let (value, coefficient) = terms.remove(first_term(builder, &terms));
                scaled(builder, coefficient, value)
            }
        };
        for (value, coefficient) in terms {
            let part = scaled(builder, coefficient.abs(), value);
            sum = if coefficient < 0.0 { builder.sub(sum, part) } else { builder.add(sum, part) };
        }
        scaled(builder, scale, sum)
    }
}

/// `coefficient value`.
pub(super) fn scaled(builder: &mut Builder, coefficient: f64, value: ValueId) -> ValueId {
    if coefficient == 1.0 {
        return value;
    }
    if coefficient == -1.0 {
        return builder.neg(value);
    }
    let coefficient = builder.constant(coefficient);
    builder.mul(coefficient, value)
}

/// Cycles that a better first term may come later.
const PATIENCE: u32 = 12;

/// The best term to begin with: later terms are multiplied and added in one operation, so the first
/// should not need a multiplication.
fn first_term(builder: &Builder, terms: &[(ValueId, f64)]) -> usize {
    let earliest = terms.first().map_or(0, |&(value, _)| builder.ready(value));
    let cost = |&(value, coefficient): &(ValueId, f64)| {
        let late = builder.ready(value) > earliest + PATIENCE;
        let product = matches!(builder.op(value), Op::Mul(..));
        let class = match coefficient {
            1.0 => u8::from(product),
            -1.0 => 4,
            c if c > 0.0 => 2,
            _ => 3,
        };
        (late, class)
    };
    let best = terms.iter().enumerate().min_by_key(|(_, term)| cost(term));
    best.map_or(0, |(k, _)| k)
}

fn is_unit(coefficient: ExprId) -> bool {
    coefficient == ExprId::ONE || coefficient == ExprId::MINUS_ONE
}

/// Coefficients between these powers of two are computed with as they are.
const ORDINARY: std::ops::RangeInclusive<i64> = -128..=128;

/// A power of two that brings coefficients near 1 which are far from it. Sums are made of integers without a common factor
/// where they stand in a power: steps of many digits and lengths of compositions leave hundreds of digits, whose
/// squares and products no double holds. Powers of two change no bit of what is computed.
fn extreme(planner: &Planner<'_>, pairs: Pairs<'_>) -> Option<Rational> {
    let size = |(term, coefficient): (ExprId, ExprId)| {
        let number = planner.pool.as_number(coefficient)?;
        let pending = planner
            .is_variable(term)
            .then(|| planner.pending(planner.unscaled(term, Part::Body)))
            .flatten();
        let bits = number.magnitude()?;
        Some(bits + pending.and_then(Rational::magnitude).unwrap_or(0))
    };
    let largest = pairs.iter().filter_map(size).max()?;
    if ORDINARY.contains(&largest) {
        return None;
    }
    Rational::integer(2).pow(-largest, u64::MAX)
}

/// A common factor of the coefficients with its inverse, if taking it out saves multiplications:
/// `x²/2 + y²/2` is `(x² + y²)/2`. Coefficients of what is not a product cost nothing.
fn content(planner: &Planner<'_>, pairs: Pairs<'_>) -> Option<(Rational, Rational)> {
    let pool = planner.pool;
    if pairs.len() < 2 {
        return None;
    }
    if let Some(power) = extreme(planner, pairs) {
        return Some((power.recip()?, power));
    }
    let mut sizes: Vec<(Rational, usize)> = Vec::new();
    let (mut products, mut units) = (0, 0);
    for (term, coefficient) in pairs.iter() {
        if !matches!(pool.node(term), Node::Product(_)) || !planner.is_variable(term) {
            continue;
        }
        products += 1;
        if is_unit(coefficient) {
            units += 1;
            continue;
        }
        let mut size = pool.as_number(coefficient)?.abs();
        if let Some(pending) = planner.pending(planner.unscaled(term, Part::Body)) {
            size = &size * &pending.abs();
            if size == Rational::from(1) {
                units += 1;
                continue;
            }
        }
        match sizes.iter().position(|(known, _)| *known == size) {
            Some(k) => sizes[k].1 += 1,
            // Many different coefficients have no common one.
            None if sizes.len() < 8 => sizes.push((size, 1)),
            None => {}
        }
    }
    let (size, count) = sizes.into_iter().rev().max_by_key(|(_, count)| *count)?;
    // Multiplications with the factor out, and with the coefficients as they are.
    (products - count + 1 < products - units).then_some(())?;
    let inverse = size.recip()?;
    Some((size, inverse))
}
