//! What the items of a plan compute.

use super::encode::{Arithmetic, Bitwise, Comparison, Fused, Mask};
use crate::Function;
use crate::compiled::Called;

/// What an item computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    /// Two operands, rounded.
    Arithmetic(Arithmetic),
    /// Three operands, rounded once.
    Fused(Fused),
    /// Square root.
    SquareRoot,
    /// Two operands, bit by bit or as integers.
    Bitwise(Bitwise),
    /// One operand.
    ShiftLeft(u8),
    /// One operand.
    ShiftRight(u8),
    /// Two operands; the result is a mask in a vector register.
    Compare(Comparison),
    /// Two operands; the result is only in a mask register.
    CompareMask(Comparison, Mask),
    /// Mask, then the value if it is set, then the other.
    Select,
    /// The same with a mask register; two operands.
    SelectMask(Mask),
    /// A function of one argument or two.
    Call(Called),
    /// Argument and fast value; the bound is an entry of the table, as is the mask of the sign.
    Guarded {
        /// The function for arguments beyond the bound.
        function: Function,
        /// The entry of the bound (twice its bits in scalar code, which compares integers).
        bound: u32,
        /// The entry of the bits without the sign.
        magnitude: u32,
    },
    /// Residual and tolerance: has the iteration ended?
    Test {
        /// Which copy.
        copy: u8,
    },
    /// The variable and its next value: lanes that have ended keep the variable.
    Freeze {
        /// Which copy.
        copy: u8,
    },
}

impl Operation {
    /// May the first two operands be exchanged?
    pub(super) fn commutes(self) -> bool {
        use Arithmetic as A;
        matches!(self, Self::Arithmetic(A::Add | A::Multiply) | Self::Bitwise(_) | Self::Fused(_))
    }
}
