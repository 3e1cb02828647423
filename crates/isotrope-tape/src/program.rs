//! Programs: what every back end executes.

use isotrope_algebra::{BinaryFunction, Function};

use crate::ExpressionError;

/// The number of a value; operands always have smaller numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub u32);

/// One operation on 64-bit words. Arithmetic is IEEE double, rounded to nearest, each operation
/// rounded once; comparisons give masks of all ones or all zeros (false if an operand is NaN).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Op {
    /// A constant, by its bits.
    Constant(u64),
    /// A number of the state at the beginning of the step.
    State(u32),
    /// A number that is the same in all steps.
    Parameter(u32),
    /// A variable of the iteration, as the current round finds it. Only in the region `iterate`.
    Variable(u32),
    /// A variable after the last round (its `next` there). Only in the region `after`.
    Final(u32),
    /// `a + b`.
    Add(ValueId, ValueId),
    /// `a - b`.
    Sub(ValueId, ValueId),
    /// `a b`.
    Mul(ValueId, ValueId),
    /// `a / b`.
    Div(ValueId, ValueId),
    /// `a b + c`, rounded once.
    Fma(ValueId, ValueId, ValueId),
    /// `a b - c`, rounded once.
    Fms(ValueId, ValueId, ValueId),
    /// `c - a b`, rounded once.
    Fnma(ValueId, ValueId, ValueId),
    /// Square root.
    Sqrt(ValueId),
    /// Sign bit flipped.
    Neg(ValueId),
    /// Sign bit cleared.
    Abs(ValueId),
    /// `if a > b { a } else { b }` (that is `b` if one is NaN, as the machine's instruction).
    Max(ValueId, ValueId),
    /// `if a < b { a } else { b }`.
    Min(ValueId, ValueId),
    /// Bits of both.
    And(ValueId, ValueId),
    /// Bits of either.
    Or(ValueId, ValueId),
    /// Bits that differ.
    Xor(ValueId, ValueId),
    /// Bits shifted left.
    ShiftLeft(ValueId, u8),
    /// Bits shifted right, zeros shifted in.
    ShiftRight(ValueId, u8),
    /// Sum as 64-bit integers, wrapping.
    AddInteger(ValueId, ValueId),
    /// `a < b`.
    Less(ValueId, ValueId),
    /// `a <= b`.
    LessEqual(ValueId, ValueId),
    /// `mask ? a : b`; the mask is the sign bit of the first operand.
    Select(ValueId, ValueId, ValueId),
    /// A function of the table that is called; every back end calls the same code.
    Call(Function, ValueId),
    /// A function of two arguments that is called.
    Call2(BinaryFunction, ValueId, ValueId),
    /// `|argument| <= bound ? fast : function(argument)`, bound given by its bits: the expansion in
    /// the tape serves arguments of ordinary size, the call the others (and NaN).
    Guarded {
        /// The function.
        function: Function,
        /// Its argument.
        argument: ValueId,
        /// The value where the expansion holds.
        fast: ValueId,
        /// Bits of the bound.
        bound: u64,
    },
}

/// A variable of the iteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable {
    /// Its value before the first round; a value of the region `before`.
    pub start: ValueId,
    /// Its value for the next round.
    pub next: ValueId,
}

/// One step: operations in three regions (`before`, then `iterate` once or more, then `after`).
///
/// The iteration is do-while: after each round the variables take their `next` values; it ends
/// when `residual <= tolerance` in that round, or after `max_iterations` rounds. A program
/// without variables has an empty region `iterate`. At the end of the step `stores` replaces
/// numbers of the state; all values are computed before the first is stored.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Program {
    /// All operations.
    pub ops: Vec<Op>,
    /// Operations below this number are in the region `before`.
    pub before: u32,
    /// Operations from `before` to this number are in the region `iterate`.
    pub iterate: u32,
    /// Numbers in the state.
    pub state: u32,
    /// Numbers that stay the same.
    pub parameters: u32,
    /// Variables of the iteration.
    pub variables: Vec<Variable>,
    /// When the iteration ends: a value of `iterate`, and one of `before`.
    pub residual: Option<(ValueId, ValueId)>,
    /// Rounds after which the iteration gives up.
    pub max_iterations: u32,
    /// New numbers of the state: slot and value.
    pub stores: Vec<(u32, ValueId)>,
}

/// What is wrong with a program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProgramError {
    /// An operand that is not there yet.
    #[error("operation {at} uses value {operand}, which is not computed before it")]
    Operand {
        /// The operation.
        at: u32,
        /// Its operand.
        operand: u32,
    },
    /// An operation that its region does not have, or a number beyond its range.
    #[error("operation {at} is not allowed where it stands")]
    Place {
        /// The operation.
        at: u32,
    },
    /// A function whose derivative has no program.
    #[error("the derivative of {function} cannot be written as operations: {reason}")]
    Derivative {
        /// The function.
        function: Function,
        /// What is in the way.
        reason: ExpressionError,
    },
    /// Variables, residual, stores or region ends that do not fit.
    #[error("the {what} of the program do not fit its operations")]
    Shape {
        /// Which part.
        what: &'static str,
    },
}
