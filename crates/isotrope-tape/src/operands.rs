//! Operands of an operation, and its meaning in any arithmetic.

use super::{Op, ValueId};
use crate::math::Arithmetic;

/// The operands of one operation, at most three.
#[derive(Debug, Clone, Copy)]
pub struct Operands {
    values: [ValueId; 3],
    count: usize,
}

impl std::ops::Deref for Operands {
    type Target = [ValueId];

    fn deref(&self) -> &[ValueId] {
        &self.values[..self.count]
    }
}

impl Op {
    /// The values that the operation uses, in the order in which they are written.
    #[inline]
    #[must_use]
    pub fn operands(self) -> Operands {
        let nothing = ValueId(0);
        let (values, count) = match self {
            Self::Constant(_)
            | Self::State(_)
            | Self::Parameter(_)
            | Self::Variable(_)
            | Self::Final(_) => ([nothing; 3], 0),
            Self::Sqrt(a)
            | Self::Neg(a)
            | Self::Abs(a)
            | Self::ShiftLeft(a, _)
            | Self::ShiftRight(a, _)
            | Self::Call(_, a) => ([a, nothing, nothing], 1),
            Self::Add(a, b)
            | Self::Sub(a, b)
            | Self::Mul(a, b)
            | Self::Div(a, b)
            | Self::Max(a, b)
            | Self::Min(a, b)
            | Self::And(a, b)
            | Self::Or(a, b)
            | Self::Xor(a, b)
            | Self::AddInteger(a, b)
            | Self::Less(a, b)
            | Self::LessEqual(a, b)
            | Self::Call2(_, a, b)
            | Self::Guarded { argument: a, fast: b, .. } => ([a, b, nothing], 2),
            Self::Fma(a, b, c)
            | Self::Fms(a, b, c)
            | Self::Fnma(a, b, c)
            | Self::Select(a, b, c) => ([a, b, c], 3),
        };
        Operands { values, count }
    }

    /// The operands whose rates the rate of the result depends on: words of bits have none, and the fast way of a
    /// guarded function is the function.
    #[must_use]
    pub fn moving_operands(self) -> Operands {
        let nothing = ValueId(0);
        match self {
            Self::Guarded { argument, .. } => {
                Operands { values: [argument, nothing, nothing], count: 1 }
            }
            Self::Select(_, a, b) => Operands { values: [a, b, nothing], count: 2 },
            Self::And(..)
            | Self::Or(..)
            | Self::Xor(..)
            | Self::ShiftLeft(..)
            | Self::ShiftRight(..)
            | Self::AddInteger(..)
            | Self::Less(..)
            | Self::LessEqual(..) => Operands { values: [nothing; 3], count: 0 },
            op => op.operands(),
        }
    }

    /// The same operation on other operands.
    #[must_use]
    pub fn map(self, mut to: impl FnMut(ValueId) -> ValueId) -> Self {
        match self {
            Self::Constant(_)
            | Self::State(_)
            | Self::Parameter(_)
            | Self::Variable(_)
            | Self::Final(_) => self,
            Self::Sqrt(a) => Self::Sqrt(to(a)),
            Self::Neg(a) => Self::Neg(to(a)),
            Self::Abs(a) => Self::Abs(to(a)),
            Self::ShiftLeft(a, count) => Self::ShiftLeft(to(a), count),
            Self::ShiftRight(a, count) => Self::ShiftRight(to(a), count),
            Self::Call(function, a) => Self::Call(function, to(a)),
            Self::Add(a, b) => Self::Add(to(a), to(b)),
            Self::Sub(a, b) => Self::Sub(to(a), to(b)),
            Self::Mul(a, b) => Self::Mul(to(a), to(b)),
            Self::Div(a, b) => Self::Div(to(a), to(b)),
            Self::Max(a, b) => Self::Max(to(a), to(b)),
            Self::Min(a, b) => Self::Min(to(a), to(b)),
            Self::And(a, b) => Self::And(to(a), to(b)),
            Self::Or(a, b) => Self::Or(to(a), to(b)),
            Self::Xor(a, b) => Self::Xor(to(a), to(b)),
            Self::AddInteger(a, b) => Self::AddInteger(to(a), to(b)),
            Self::Less(a, b) => Self::Less(to(a), to(b)),
            Self::LessEqual(a, b) => Self::LessEqual(to(a), to(b)),
            Self::Call2(function, a, b) => Self::Call2(function, to(a), to(b)),
            Self::Guarded { function, argument, fast, bound } => {
                Self::Guarded { function, argument: to(argument), fast: to(fast), bound }
            }
            Self::Fma(a, b, c) => Self::Fma(to(a), to(b), to(c)),
            Self::Fms(a, b, c) => Self::Fms(to(a), to(b), to(c)),
            Self::Fnma(a, b, c) => Self::Fnma(to(a), to(b), to(c)),
            Self::Select(mask, a, b) => Self::Select(to(mask), to(a), to(b)),
        }
    }

    /// Performs the operation in an arithmetic: on numbers it computes, on a tape it records.
    /// `None` for numbers from outside (state, parameters, variables).
    #[inline]
    pub fn perform<A: Arithmetic>(
        self,
        arithmetic: &mut A,
        value: impl Fn(ValueId) -> A::Value,
    ) -> Option<A::Value> {
        Some(match self {
            Self::State(_) | Self::Parameter(_) | Self::Variable(_) | Self::Final(_) => {
                return None;
            }
            Self::Constant(bits) => arithmetic.bits(bits),
            Self::Add(a, b) => arithmetic.add(value(a), value(b)),
            Self::Sub(a, b) => arithmetic.sub(value(a), value(b)),
            Self::Mul(a, b) => arithmetic.mul(value(a), value(b)),
            Self::Div(a, b) => arithmetic.div(value(a), value(b)),
            Self::Fma(a, b, c) => arithmetic.fma(value(a), value(b), value(c)),
            Self::Fms(a, b, c) => arithmetic.fms(value(a), value(b), value(c)),
            Self::Fnma(a, b, c) => arithmetic.fnma(value(a), value(b), value(c)),
            Self::Sqrt(a) => arithmetic.sqrt(value(a)),
            Self::Neg(a) => arithmetic.neg(value(a)),
            Self::Abs(a) => arithmetic.abs(value(a)),
            Self::Max(a, b) => arithmetic.max(value(a), value(b)),
            Self::Min(a, b) => arithmetic.min(value(a), value(b)),
            Self::And(a, b) => arithmetic.and(value(a), value(b)),
            Self::Or(a, b) => arithmetic.or(value(a), value(b)),
            Self::Xor(a, b) => arithmetic.xor(value(a), value(b)),
            Self::ShiftLeft(a, count) => arithmetic.shift_left(value(a), count),
            Self::ShiftRight(a, count) => arithmetic.shift_right(value(a), count),
            Self::AddInteger(a, b) => arithmetic.add_integer(value(a), value(b)),
            Self::Less(a, b) => arithmetic.less(value(a), value(b)),
            Self::LessEqual(a, b) => arithmetic.less_equal(value(a), value(b)),
            Self::Select(mask, a, b) => arithmetic.select(value(mask), value(a), value(b)),
            Self::Call(function, a) => arithmetic.call(function, value(a)),
            Self::Call2(function, a, b) => arithmetic.call2(function, value(a), value(b)),
            Self::Guarded { function, argument, fast, bound } => {
                arithmetic.guarded(function, value(argument), value(fast), f64::from_bits(bound))
            }
        })
    }
}
