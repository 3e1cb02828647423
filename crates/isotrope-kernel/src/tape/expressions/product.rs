//! Products of powers.

use isotrope_algebra::{ExprId, Rational};

use super::factors::{Denominator, Factor, FactorId};
use super::plan::{Part, Planner};
use super::{Slot, Step};
use crate::math::Arithmetic;
use crate::tape::{Builder, Function, ValueId};

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
    fn halves(slot: Slot, halves: u32) -> Self {
        if halves.is_multiple_of(2) {
            Self::Integer(slot, halves / 2)
        } else {
            Self::Root(slot, halves)
        }
    }

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
                builder.call2(Function::Pow, value(base), value(exponent))
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

impl Product {
    /// Plans the part of a product that contains symbols.
    pub(super) fn plan(planner: &mut Planner<'_>, id: ExprId) -> Step {
        let mut product = Self::default();
        for factor in planner.factors.of(id) {
            product.multiply(planner, factor);
        }
        Step::Product(product)
    }

    fn multiply(&mut self, planner: &mut Planner<'_>, id: FactorId) {
        match planner.factors.get(id).clone() {
            Factor::Power(base, halves) => {
                self.above.push(Power::halves(planner.known(base, Part::Whole), halves));
            }
            Factor::General(base, exponent) => {
                let base = planner.known(base, Part::Whole);
                let exponent = match planner.pool.as_number(exponent).map(Rational::to_f64) {
                    Some(number) => planner.push(Step::Constant(number)),
                    None => planner.known(exponent, Part::Whole),
                };
                self.above.push(Power::General(base, exponent));
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
                self.above.push(Power::Integer(slot, power));
            }
            Factor::Pair(a, b) => {
                let slot = planner.shared(id, |planner| {
                    let mut pair = Self::default();
                    pair.multiply(planner, a);
                    pair.multiply(planner, b);
                    pair
                });
                self.above.push(Power::Integer(slot, 1));
            }
        }
    }

    fn divide(&mut self, planner: &Planner<'_>, denominator: &Denominator, power: u32) {
        for &(base, halves) in denominator {
            self.below.push(Power::halves(planner.known(base, Part::Whole), halves * power));
        }
    }

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
    parts.sort_by_key(|&value| (builder.ready(value), value));
    parts.into_iter().reduce(|product, value| builder.mul(product, value))
}
