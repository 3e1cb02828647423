//! Products of powers.

use isotrope_algebra::{ExprId, Rational};

use super::factors::{Denominator, Factor, FactorId};
use super::plan::{Part, Planner};
use super::{Slot, Step};
use crate::math::Arithmetic;
use crate::{BinaryFunction, Builder, ValueId};

/// A power, by what is computed.
#[derive(Debug, Clone, Copy)]
enum Power {
    /// An integer power by repeated squaring.
    Integer(Slot, u32),
    /// An odd integer power of the square root.
    Root(Slot, u32),
    /// Any power by its function.
    General(Slot, Slot),
}

/// `above / below`.
#[derive(Debug, Clone, Default)]
pub(super) struct Product {
    above: Vec<Power>,
    below: Vec<Power>,
}

impl Power {
    fn record(self, builder: &mut Builder, values: &[ValueId]) -> ValueId {
        let value = |slot: Slot| values[slot.0 as usize];
        match self {
            Self::Integer(slot, n) => integer_power(builder, value(slot), n),
            // x^(3/2) = x √x is better than (√x)³.
            Self::Root(slot, n) => {
                let root = builder.sqrt(value(slot));
                if n == 1 {
                    return root;
                }
                let power = integer_power(builder, value(slot), n / 2);
                builder.mul(power, root)
            }
            Self::General(base, exponent) => {
                builder.call2(BinaryFunction::Pow, value(base), value(exponent))
            }
        }
    }
}

/// `value^n`, n > 0, by repeated squaring.
fn integer_power(builder: &mut Builder, value: ValueId, mut n: u32) -> ValueId {
    let (mut power, mut result) = (value, None);
    loop {
        if n & 1 == 1 {
            result = Some(match result {
                None => power,
                Some(result) => builder.mul(result, power),
            });
        }
        n >>= 1;
        match result {
            Some(result) if n == 0 => return result,
            _ => power = builder.mul(power, power),
        }
    }
}

/// A product under construction, with a factor of its value that is left to the sums above.
#[derive(Debug, Clone, Default)]
pub(super) struct ScaledProduct {
    product: Product,
    factor: Option<Rational>,
}

impl ScaledProduct {
    /// Plans the part of a product that contains symbols.
    pub(super) fn plan(planner: &mut Planner<'_>, id: ExprId) -> Self {
        let mut product = Self::default();
        for factor in planner.factors.of(id) {
            product.multiply(planner, factor);
        }
        product
    }

    /// The step, and what its value is to be multiplied by.
    pub(super) fn into_step(self) -> (Step, Option<Rational>) {
        (Step::Product(self.product), self.factor.filter(|factor| *factor != Rational::from(1)))
    }

    fn multiply(&mut self, planner: &mut Planner<'_>, id: FactorId) {
        match planner.factors.get(id).clone() {
            Factor::Power(base, halves) => {
                let power = self.power(planner, base, halves, false);
                self.product.above.push(power);
            }
            Factor::General(base, exponent) => {
                let base = planner.known(base);
                let exponent = match planner.pool.as_number(exponent).map(Rational::to_f64) {
                    Some(number) => planner.push(Step::Constant(number)),
                    None => planner.known(exponent),
                };
                self.product.above.push(Power::General(base, exponent));
            }
            Factor::Reciprocal(denominator, power) if planner.factors.is_single(id) => {
                self.divide(planner, &denominator, power);
            }
            Factor::Reciprocal(denominator, power) => {
                let slot = planner.shared(id, |planner| {
                    let mut reciprocal = Self::default();
                    reciprocal.divide(planner, &denominator, 1);
                    reciprocal
                });
                self.take(planner, slot, power, false);
                self.product.above.push(Power::Integer(slot, power));
            }
            Factor::Pair(a, b) => {
                let slot = planner.shared(id, |planner| {
                    let mut pair = Self::default();
                    pair.multiply(planner, a);
                    pair.multiply(planner, b);
                    pair
                });
                self.take(planner, slot, 1, false);
                self.product.above.push(Power::Integer(slot, 1));
            }
        }
    }

    fn divide(&mut self, planner: &mut Planner<'_>, denominator: &Denominator, power: u32) {
        for &(base, halves) in denominator {
            let power = self.power(planner, base, halves * power, true);
            self.product.below.push(power);
        }
    }

    /// A power of a base; what is pending there is taken over, unless there is a root of it.
    fn power(
        &mut self,
        planner: &mut Planner<'_>,
        base: ExprId,
        halves: u32,
        below: bool,
    ) -> Power {
        if halves.is_multiple_of(2) {
            let slot = planner.unscaled(base, Part::Whole);
            self.take(planner, slot, halves / 2, below);
            Power::Integer(slot, halves / 2)
        } else {
            Power::Root(planner.known(base), halves)
        }
    }

    /// Takes over what is pending for a step.
    fn take(&mut self, planner: &Planner<'_>, slot: Slot, power: u32, below: bool) {
        let Some(pending) = planner.pending(slot) else { return };
        let pending = if below { pending.recip() } else { Some(pending.clone()) };
        // Nothing pending is zero.
        let pending = pending.unwrap_or_else(|| Rational::from(1));
        let factor = self.factor.get_or_insert_with(|| Rational::from(1));
        for _ in 0..power {
            *factor = &*factor * &pending;
        }
    }
}

impl Product {
    pub(super) fn record(&self, builder: &mut Builder, values: &[ValueId]) -> ValueId {
        let above = multiplied(builder, values, &self.above);
        let below = multiplied(builder, values, &self.below);
        match (above, below) {
            (Some(above), Some(below)) => builder.div(above, below),
            (None, Some(below)) => {
                let one = builder.constant(1.0);
                builder.div(one, below)
            }
            (Some(above), None) => above,
            (None, None) => builder.constant(1.0),
        }
    }
}

/// The product of factors, early ones first.
fn multiplied(builder: &mut Builder, values: &[ValueId], powers: &[Power]) -> Option<ValueId> {
    let mut parts: Vec<ValueId> =
        powers.iter().map(|power| power.record(builder, values)).collect();
    if parts.len() < MANY {
        parts.sort_by_key(|&value| (builder.ready(value), value));
        return multiplied_in_order(builder, &parts);
    }
    parts.sort_by_key(|&value| (builder.available(value), value));
    let together = parts.chunk_by(|&a, &b| builder.available(a) == builder.available(b));
    let together: Vec<Vec<ValueId>> = together.map(<[ValueId]>::to_vec).collect();
    let blocks: Vec<ValueId> =
        together.iter().filter_map(|values| multiplied_in_blocks(builder, values)).collect();
    multiplied_in_order(builder, &blocks)
}

/// So many factors are multiplied in blocks.
const MANY: usize = 16;

fn multiplied_in_order(builder: &mut Builder, values: &[ValueId]) -> Option<ValueId> {
    values.iter().copied().reduce(|a, b| builder.mul(a, b))
}

/// The product of sorted values, in halves by the leading binary digit in which they differ: long products that have
/// most factors in common, such as derivatives of a product, share their blocks, and each has few of its own.
fn multiplied_in_blocks(builder: &mut Builder, values: &[ValueId]) -> Option<ValueId> {
    let (&[first, ..], &[.., last]) = (values, values) else { return None };
    let differ = first.0 ^ last.0;
    if differ == 0 {
        return multiplied_in_order(builder, values);
    }
    // At most one digit less each time.
    let digit = 1 << differ.ilog2();
    let (low, high) = values.split_at(values.partition_point(|value| value.0 & digit == 0));
    let (low, high) = (multiplied_in_blocks(builder, low)?, multiplied_in_blocks(builder, high)?);
    Some(builder.mul(low, high))
}
