//! Why a workload was not measured.

use isotrope_algebra::OutOfBudget;
use isotrope_kernel::stepper::{FieldError, StepperError};
use isotrope_methods::table::TableProblem;
use isotrope_tape::interpret::End;
use isotrope_tape::{ExpressionError, ProgramError};

/// Why a workload was not measured.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The model of a workload.
    #[error("the model of the workload was refused")]
    Model,
    /// The method of a workload.
    #[error(transparent)]
    Method(#[from] TableProblem),
    /// The derivation took too long.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
    /// The field of the model.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// The stepper.
    #[error(transparent)]
    Stepper(#[from] StepperError),
    /// The formulas.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// The program.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// Code for this machine.
    #[error("no code for this machine: {0}")]
    Code(String),
    /// A thread that ended by itself.
    #[error("a thread ended early")]
    Thread,
    /// A run that did not come to its end.
    #[error("a run ended early: {0:?}")]
    Ended(End),
}
