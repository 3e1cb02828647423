//! Programs of a step, and their execution.
//!
//! ```text
//! expressions ─Builder▶ Program ─┬─interpret▶ f64        the reference
//!                                └─x86, cranelift▶ code  the same bits, faster
//!
//! A step has three regions: `before`, `iterate` (a do-while loop with a residual and a tolerance)
//! and `after`. `Formulas` (`expressions/`) prepares expressions of the pool once, with correctly
//! rounded constants, and records them as often as a scheme needs them, once for each stage.
//!
//! `interpret.rs` is the reference. `x86/` is our own emitter with AVX2 and AVX-512 encodings, each
//! tested against a disassembler, for x86-64 with unix. On other machines `cranelift/` makes the
//! code, and in a page there is only the interpreter; where our emitter works, Cranelift is
//! compiled for the tests alone. `compiled/` has what both share: outcomes, the functions that code
//! calls, and random programs on which all have the bits of the interpreter. All unsafe code of the
//! crate is in their two files `executable.rs`, with its argument; pages are never writable and
//! executable at once.
//!
//! ```
//!
//! A [`Program`] is straight-line code in single assignment. A [`Builder`] takes operations as they
//! come, shares equal ones, folds constants and moves each value to the region where it belongs;
//! [`Builder::finish`] gives the [`Program`]. Everything that decides a bit happens here: the order
//! of operations, fused multiply-adds, the expansion of sines and exponentials. Interpreter and
//! machine code only execute it, one IEEE operation for each instruction, so that a trajectory has
//! the same bits on every machine.
#![warn(missing_docs)]

pub mod backend;
mod builder;
// A page has the interpreter alone.
#[cfg(not(target_family = "wasm"))]
pub mod compiled;
// Where there is an own back end, Cranelift is compiled for the tests only.
#[cfg(all(not(target_family = "wasm"), any(test, not(all(target_arch = "x86_64", unix)))))]
pub mod cranelift;
mod expressions;
mod fuse;
pub mod interpret;
mod linear;
mod listing;
mod operands;
mod place;
mod program;
mod schedule;
mod simplify;
#[cfg(test)]
#[macro_use]
#[path = "../../../tests/skipped.rs"]
mod skipped;
mod validate;
pub mod variation;
#[cfg(all(target_arch = "x86_64", unix))]
pub mod x86;

pub use isotrope_algebra::double as math;

pub use builder::{Builder, Passes, VariableId};
pub use expressions::{ExpressionError, Formulas};
pub use isotrope_algebra::{BinaryFunction, Function};
pub use linear::{Elimination, EliminationError, Factors, Solved, THRESHOLD};
pub use operands::Operands;
pub use program::{Op, Program, ProgramError, ValueId, Variable};
pub use validate::Region;
