//! The expression grammar: text → flat syntax tree → pool.
//!
//! ```text
//! expression := sum                               equation := sum [ "=" sum ]
//! sum        := product (("+" | "-") product)*
//! product    := unary (("*" | "/") unary)*        no implicit products: 2*x, never 2x
//! unary      := ("-" | "+") unary | power         -x^2 is -(x^2)
//! power      := operand [("^" | "**") unary]      right-associative
//! operand    := number | reference | call | "(" sum ")"
//! reference  := name [ "[" index ("," index)* "]" ] "'"*
//! call       := function "(" sum ("," sum)* ")"
//!             | "sum" "(" name "," index "," index "," sum ")"
//!             | "dot" "(" reference ")"
//!             | "solve" "(" matrix "," list "," integer ")"
//! ```
//!
//! Nothing here recurses: the parser keeps its own stack, the tree is stored in
//! postfix order, and lowering is a stack machine over it that jumps back at the end
//! of a `sum`. Depth and size are limited by [`ParseLimits`], so a hostile text is an
//! error, never an overflow.

mod error;
mod function;
mod lexer;
mod lower;
mod machine;
mod nearest;
mod parser;
mod symbols;
mod tree;

pub use error::{LowerError, LowerErrorKind, SyntaxError, SyntaxErrorKind, SyntaxErrors};
pub use function::{Callee, is_reserved, reserved_names};
pub use lexer::{is_name, is_name_character, is_name_start};
pub use lower::{LowerLimits, Reference, Resolution, Resolver, lower};
pub use machine::{Machine, Progress};
pub use nearest::{edit_distance, nearest};
pub use parser::{Grammar, ParseLimits, parse};
pub use symbols::{ReadError, parse_expression};
pub use tree::{Kind, NameId, NodeId, SyntaxNode, Tree};

/// A range of bytes in the text that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// From byte offsets; offsets past 4 GB saturate.
    pub fn new(start: usize, end: usize) -> Self {
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Self { start: clamp(start), end: clamp(end) }
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// As a range for slicing.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The same span moved right by `offset` bytes.
    #[must_use]
    pub fn shifted(self, offset: u32) -> Self {
        Self { start: self.start.saturating_add(offset), end: self.end.saturating_add(offset) }
    }
}

#[cfg(test)]
mod tests;
