//! The tape: straight-line code in single assignment, and a step made of it.
//!
//! A [`Builder`] takes operations as they come, shares equal ones, folds constants and moves each
//! value to the region where it belongs; [`Builder::finish`] gives the [`Program`].

mod builder;
mod expressions;
mod fuse;
mod linear;
mod listing;
mod operands;
mod place;
mod program;
mod schedule;
mod simplify;
mod validate;

pub use builder::{Builder, Passes, VariableId};
pub use expressions::{ExpressionError, Formulas};
pub use linear::{Elimination, EliminationError, Factors, Solved, THRESHOLD};
pub use operands::Operands;
pub use program::{Function, Op, Program, ProgramError, ValueId, Variable};
pub use validate::Region;
