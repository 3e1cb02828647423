//! Why a scheme has no equations for a system.

use isotrope_algebra::{Internal, OutOfBudget};

use isotrope_methods::composition::CompositionError;
use isotrope_methods::table::TableProblem;

/// Why a scheme has no equations for a system.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DiscretiseError {
    /// The scheme does not make sense for the system.
    #[error("{reason}")]
    NotApplicable {
        /// Why.
        reason: &'static str,
    },
    /// The budget ran out.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
    /// The coefficients of a table could not be computed.
    #[error(transparent)]
    Table(#[from] TableProblem),
    /// The coefficients of a composition could not be computed.
    #[error(transparent)]
    Composition(#[from] CompositionError),
    /// An invariant is violated: a mistake in isotrope.
    #[error("{0}")]
    Internal(#[from] Internal),
}
