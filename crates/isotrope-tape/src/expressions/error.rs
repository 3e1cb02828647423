//! Why expressions have no program.

use isotrope_algebra::OutOfBudget;
use isotrope_algebra::evaluate::EvaluateError;

use crate::EliminationError;

/// Why expressions could not be compiled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExpressionError {
    /// A part is `undefined` (1/0, log 0, ...).
    #[error("the expression is undefined")]
    Undefined,
    /// A symbol without a value.
    #[error("`{name}` has no value on the tape")]
    UnknownSymbol {
        /// Its name.
        name: String,
    },
    /// A constant part without a real value.
    #[error("a constant part has no real value: {reason}")]
    Constant {
        /// What happened when it was evaluated.
        reason: EvaluateError,
    },
    /// Preparing the expressions took too long.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
    /// A linear system that is too large to be written out, or singular.
    #[error(transparent)]
    System(#[from] EliminationError),
}
