//! Simplifications that keep every bit.
//!
//! Only identities of IEEE arithmetic, signed zeros and infinities included; of a NaN only that it
//! is one is kept. `x + (-0)` is `x`, but `x + 0` is not (for `x = -0`); `x - 0` is `x`, but
//! `0 - x` is not `-x` (for `x = 0`) while `(-0) - x` is; `x - y` is not `-(y - x)` (for `x = y`);
//! signs may leave products and quotients, because rounding is symmetric.

use super::{Builder, Op, ValueId};
use crate::math::{Arithmetic, Numbers};

const ONE: u64 = 1f64.to_bits();
const MINUS_ONE: u64 = (-1f64).to_bits();
const ZERO: u64 = 0f64.to_bits();
const MINUS_ZERO: u64 = (-0f64).to_bits();

impl Builder {
    /// A value with the same bits as the operation, if there is a simpler one.
    pub(super) fn simpler(&mut self, op: Op) -> Option<ValueId> {
        self.folded(op).or_else(|| self.rewritten(op))
    }

    fn constant_bits(&self, value: ValueId) -> Option<u64> {
        match self.op(value) {
            Op::Constant(bits) => Some(bits),
            _ => None,
        }
    }

    fn negated(&self, value: ValueId) -> Option<ValueId> {
        match self.op(value) {
            Op::Neg(inner) => Some(inner),
            _ => None,
        }
    }

    /// The operation done now, on constants, by the code that the interpreter runs.
    fn folded(&mut self, op: Op) -> Option<ValueId> {
        let operands = op.operands();
        if operands.is_empty() || operands.iter().any(|&v| self.constant_bits(v).is_none()) {
            return None;
        }
        let known = |v: ValueId| match self.op(v) {
            Op::Constant(bits) => f64::from_bits(bits),
            _ => f64::NAN,
        };
        let result = op.perform(&mut Numbers, known)?;
        let on_bits = matches!(
            op,
            Op::And(..)
                | Op::Or(..)
                | Op::Xor(..)
                | Op::ShiftLeft(..)
                | Op::ShiftRight(..)
                | Op::AddInteger(..)
                | Op::Less(..)
                | Op::LessEqual(..)
                | Op::Select(..)
                | Op::Neg(_)
                | Op::Abs(_)
        );
        // Which NaN arithmetic gives depends on the machine: that is left to it.
        (on_bits || !result.is_nan()).then(|| self.bits(result.to_bits()))
    }

    fn rewritten(&mut self, op: Op) -> Option<ValueId> {
        match op {
            Op::Add(a, b) => self.rewritten_sum(a, b),
            Op::Sub(a, b) => self.rewritten_difference(a, b),
            Op::Mul(a, b) => self.rewritten_product(a, b).or_else(|| self.rewritten_product(b, a)),
            Op::Div(a, b) => self.rewritten_quotient(a, b),
            Op::Fma(a, b, c) | Op::Fms(a, b, c) | Op::Fnma(a, b, c) => {
                self.rewritten_fused(op, a, b, c).or_else(|| self.rewritten_fused(op, b, a, c))
            }
            Op::Neg(a) => self.negated(a),
            Op::Abs(a) => match self.op(a) {
                Op::Neg(inner) => Some(self.abs(inner)),
                Op::Abs(_) => Some(a),
                _ => None,
            },
            Op::Select(mask, a, b) => match self.constant_bits(mask) {
                _ if a == b => Some(a),
                Some(bits) => Some(if bits >> 63 == 1 { a } else { b }),
                None => None,
            },
            Op::Guarded { function, argument, fast, bound } => {
                let value = f64::from_bits(self.constant_bits(argument)?);
                let inside = value.abs() <= f64::from_bits(bound);
                Some(if inside { fast } else { self.call(function, argument) })
            }
            _ => None,
        }
    }

    fn rewritten_sum(&mut self, a: ValueId, b: ValueId) -> Option<ValueId> {
        match (self.constant_bits(a), self.constant_bits(b)) {
            (Some(MINUS_ZERO), _) => return Some(b),
            (_, Some(MINUS_ZERO)) => return Some(a),
            _ => {}
        }
        match (self.negated(a), self.negated(b)) {
            (_, Some(b)) => Some(self.sub(a, b)),
            (Some(a), None) => Some(self.sub(b, a)),
            (None, None) => None,
        }
    }

    fn rewritten_difference(&mut self, a: ValueId, b: ValueId) -> Option<ValueId> {
        if self.constant_bits(b) == Some(ZERO) {
            return Some(a);
        }
        if self.constant_bits(a) == Some(MINUS_ZERO) {
            return Some(self.neg(b));
        }
        self.negated(b).map(|b| self.add(a, b))
    }

    /// Rules for `a b` that depend on the first factor.
    fn rewritten_product(&mut self, a: ValueId, b: ValueId) -> Option<ValueId> {
        match self.constant_bits(a) {
            Some(ONE) => return Some(b),
            Some(MINUS_ONE) => return Some(self.neg(b)),
            _ => {}
        }
        let inner = self.negated(a)?;
        Some(match self.constant_bits(b) {
            // The sign of a constant costs nothing.
            Some(_) => {
                let minus = self.neg(b);
                self.mul(inner, minus)
            }
            None => {
                let product = self.mul(inner, b);
                self.neg(product)
            }
        })
    }

    fn rewritten_quotient(&mut self, a: ValueId, b: ValueId) -> Option<ValueId> {
        match self.constant_bits(b) {
            Some(ONE) => return Some(a),
            Some(MINUS_ONE) => return Some(self.neg(a)),
            Some(bits) => {
                let value = f64::from_bits(bits);
                let inverse = 1.0 / value;
                // Powers of two: both roundings see the same real number.
                let power_of_two = bits << 12 == 0 && value.is_normal() && inverse.is_normal();
                if power_of_two {
                    let inverse = self.constant(inverse);
                    return Some(self.mul(a, inverse));
                }
            }
            None => {}
        }
        let (a, b) = match (self.negated(a), self.negated(b)) {
            (None, None) => return None,
            (Some(a), Some(b)) => return Some(self.div(a, b)),
            (Some(a), None) => (a, b),
            (None, Some(b)) => (a, b),
        };
        let quotient = self.div(a, b);
        Some(self.neg(quotient))
    }

    /// Rules for `±a b ± c` that depend on `a` and `c`.
    fn rewritten_fused(&mut self, op: Op, a: ValueId, b: ValueId, c: ValueId) -> Option<ValueId> {
        let (one, minus_one) = match self.constant_bits(a) {
            Some(ONE) => (true, false),
            Some(MINUS_ONE) => (false, true),
            _ => (false, false),
        };
        let constant = self.constant_bits(c);
        let (inner, addend) = (self.negated(a), self.negated(c));
        match op {
            Op::Fma(..) => match (inner, addend) {
                _ if one => Some(self.add(b, c)),
                _ if minus_one => Some(self.sub(c, b)),
                _ if constant == Some(MINUS_ZERO) => Some(self.mul(a, b)),
                (Some(a), _) => Some(self.fnma(a, b, c)),
                (_, Some(c)) => Some(self.fms(a, b, c)),
                _ => None,
            },
            Op::Fms(..) => match (inner, addend) {
                _ if one => Some(self.sub(b, c)),
                _ if constant == Some(ZERO) => Some(self.mul(a, b)),
                (_, Some(c)) => Some(self.fma(a, b, c)),
                _ => None,
            },
            Op::Fnma(..) => match inner {
                _ if one => Some(self.sub(c, b)),
                _ if minus_one => Some(self.add(b, c)),
                _ if constant == Some(MINUS_ZERO) => {
                    let product = self.mul(a, b);
                    Some(self.neg(product))
                }
                Some(a) => Some(self.fma(a, b, c)),
                None => None,
            },
            _ => None,
        }
    }
}
