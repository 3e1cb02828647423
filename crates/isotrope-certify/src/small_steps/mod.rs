//! What one step does, seen in numbers of hundreds of bits.
//!
//! A step h = 2^-24 is so small that a defect c hᵐ (1 + O(h)) shows its exponent to five digits
//! when it is compared with that of 16 h, and numbers are so long that h¹⁵ is still far from
//! rounding. So any method that can take a step gets its exponents, and gets them on any system: no
//! series of its own has to be written. A defect that is zero to working precision is called zero:
//! its exponent is larger than any that a method of the program has.

mod certificate;
mod defect;
mod equations;
mod exponents;
mod fingerprint;
mod flow;
mod form;
mod group_problems;
mod local;
mod mechanics;
mod problems;
mod state_problems;
mod state_space;
mod stepper;
mod table;
mod trivialised;
mod units;
mod vectors;

use isotrope_algebra::evaluate::EvaluateError;
use isotrope_algebra::{Ball, EvaluationError, OutOfBudget, Precision};

pub use certificate::certify_scheme;
pub use defect::{ModifiedDefect, modified_defect};
pub(crate) use fingerprint::absorb_scheme;
pub use local::{LocalOrders, ProblemSizes, local_orders, local_orders_in};
pub use stepper::LocalMethod;

use isotrope_methods::composition::CompositionError;
use isotrope_methods::table::TableProblem;
use isotrope_scheme::DiscretiseError;

/// How small steps are.
#[derive(Debug, Clone, Copy)]
struct Resolution {
    /// The smaller of two steps is 2^-`step`.
    step: i64,
    /// The exact solution is known on [0, 2^-`window`].
    window: i64,
    /// Nodes besides the first of its polynomial; their number times `window` is its accuracy.
    nodes: usize,
    /// How far the ratio of two defects may be from a power of h.
    tolerance: f64,
}

/// Most methods.
const FINE: Resolution = Resolution { step: 24, window: 16, nodes: 20, tolerance: 1.0 / 64.0 };
/// Methods of high order, whose errors would be lost below the exact solution.
const COARSE: Resolution = Resolution { step: 12, window: 7, nodes: 46, tolerance: 1.0 / 4.0 };

/// The bits of all numbers.
const BITS: u32 = 576;

/// What is interrupted when a stop is requested.
const DOING: &str = "making very small steps";

fn precision() -> Precision {
    Precision::new(BITS)
}

/// The step 2^-`bits`, in units of the time of the motion.
fn small_step(bits: i64) -> Result<Ball, EvaluationError> {
    Ball::one(precision()).shift(-bits)
}

/// Why there are no exponents.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SmallStepError {
    /// The method does not make sense for the system.
    #[error("{reason}")]
    NotApplicable {
        /// Why.
        reason: &'static str,
    },
    /// Newton's method found no step.
    #[error("the equations of a very small step have no solution near their guess")]
    Newton,
    /// No exact solution.
    #[error("the exact solution near the start could not be computed")]
    Flow,
    /// No state on the constraints.
    #[error("no state that satisfies the constraints was found near the initial values")]
    Start,
    /// A defect is not a power of h.
    #[error("the {what} does not behave like a power of the step")]
    Exponent {
        /// Which.
        what: &'static str,
    },
    /// A function has no value.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    /// A number is out of bounds.
    #[error(transparent)]
    Number(#[from] EvaluationError),
    /// The coefficients of a table.
    #[error(transparent)]
    Table(#[from] TableProblem),
    /// The coefficients of a composition.
    #[error(transparent)]
    Composition(#[from] CompositionError),
    /// The budget ran out.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
}

impl From<DiscretiseError> for SmallStepError {
    fn from(error: DiscretiseError) -> Self {
        match error {
            DiscretiseError::NotApplicable { reason } => Self::NotApplicable { reason },
            DiscretiseError::OutOfBudget(stop) => Self::OutOfBudget(stop),
            DiscretiseError::Table(problem) => Self::Table(problem),
            DiscretiseError::Composition(error) => Self::Composition(error),
            DiscretiseError::Internal(internal) => Self::OutOfBudget(internal.into()),
        }
    }
}
