//! Machine code for x86-64.
//!
//! ```text
//! Program ─plan▶ items ─allocate▶ actions ─emit▶ bytes ─executable▶ Code
//! ```
//!
//! [`compile()`] turns a program into one function that makes many steps: it lays out the live
//! operations (`plan`), finds registers for values (`allocate`), and writes instructions
//! (`emit`, `encode`). One instruction for each operation of the tape, rounded as the tape says:
//! nothing here decides a bit.

mod allocate;
mod bank;
mod calls;
mod compile;
mod emit;
mod encode;
mod executable;
mod finish;
mod frame;
mod header;
mod lower;
mod masks;
mod operation;
mod place;
mod plan;
mod rounds;
mod target;
mod trace;
mod transfer;
mod uses;

#[cfg(test)]
pub(crate) mod tests;

pub use crate::compiled::{Outcome, RunError};
pub use compile::{Code, CompileError, compile, compile_with_effort};
pub use target::{InstructionSet, Target};
