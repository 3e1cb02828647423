//! Machine code by Cranelift, for machines that `x86` is not made for.
//!
//! ```text
//! Program ─function▶ Cranelift's intermediate form ─executable▶ Code
//! ```
//!
//! [`compile()`] turns a program into one function that makes many steps. Each operation of the
//! tape becomes the one instruction that has its meaning (`operations`); Cranelift folds and moves
//! instructions, but rewrites no arithmetic, so nothing here decides a bit.

mod calls;
mod compile;
mod executable;
mod function;
mod live;
mod machine;
mod operations;
mod variables;

#[cfg(test)]
pub(crate) mod tests;

pub use crate::compiled::{Outcome, RunError};
pub use compile::{Code, CompileError, compile};
