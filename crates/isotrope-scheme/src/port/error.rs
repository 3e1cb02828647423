//! Why nothing could be recovered.

use isotrope_algebra::OutOfBudget;
use isotrope_algebra::linear::LinearError;
use isotrope_geometry::graded::GradedError;

use crate::geometry::GeometryError;

/// Why the search for a port-Hamiltonian form could not run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PortError {
    /// An expression is undefined.
    #[error("an expression of the equations is undefined")]
    Undefined,
    /// The equations depend on time.
    #[error("the rate of `{state}` depends on time, and the forms searched for do not")]
    Time {
        /// The state.
        state: String,
    },
    /// Inputs do not occur linearly.
    #[error("the rate of `{state}` is not affine in the input `{input}`")]
    NotAffine {
        /// The state.
        state: String,
        /// The input.
        input: String,
    },
    /// The energy depends on something else than states and parameters.
    #[error("the Hamiltonian depends on `{name}`, which is neither a state nor a parameter")]
    Hamiltonian {
        /// The symbol.
        name: String,
    },
    /// The energy cannot be read.
    #[error("the Hamiltonian cannot be read: {reason}")]
    Read {
        /// Why.
        reason: String,
    },
    /// The model is no system of equations.
    #[error("the model is not written as equations of its state")]
    NotEquations,
    /// Too many states.
    #[error("{states} states are more than the search takes ({limit})")]
    TooManyStates {
        /// How many there are.
        states: usize,
        /// How many there may be.
        limit: usize,
    },
    /// An ansatz is too large.
    #[error("an ansatz has more than {limit} monomials")]
    TooLarge {
        /// How many there may be.
        limit: usize,
    },
    /// An energy is too long.
    #[error("the derivatives of the Hamiltonian have more than {limit} terms")]
    TooManyTerms {
        /// How many there may be.
        limit: usize,
    },
    /// A structure could not be examined.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// A linear problem has no answer.
    #[error(transparent)]
    Linear(LinearError),
    /// It took too long.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
}

impl PortError {
    /// All codes: code, meaning, way out.
    pub const CODES: [(&'static str, &'static str, &'static str); 8] = [
        (
            "ISO-PORT-001",
            "An expression of the equations or of the Hamiltonian is undefined.",
            "Look for a division by zero or the logarithm of zero.",
        ),
        (
            "ISO-PORT-002",
            "A rate depends on time.",
            "Name the function of time under `[inputs]`: it then enters through a port.",
        ),
        (
            "ISO-PORT-003",
            "A rate is not affine in an input.",
            "Make the nonlinear function of the input an input itself.",
        ),
        (
            "ISO-PORT-004",
            "A Hamiltonian that cannot be read, or contains other names than states and parameters.",
            "Write it in the states and parameters of the file.",
        ),
        (
            "ISO-PORT-005",
            "Too many states, an ansatz with too many monomials, or an energy with too many terms.",
            "Take a smaller `--degree`, or give the energy with `--hamiltonian`.",
        ),
        (
            "ISO-PORT-006",
            "The structure of a form cannot be examined.",
            "Write the equations with fewer functions.",
        ),
        (
            "ISO-PORT-007",
            "The search takes too many operations.",
            "Take a smaller `--degree`, give the energy with `--hamiltonian`, or fix parameters with `--set`.",
        ),
        (
            "ISO-PORT-008",
            "The model is not written as equations of its state.",
            "Write it with `[equations]`, `[poisson]` or `[port]`.",
        ),
    ];

    /// Was it only that the search is too long?
    pub(super) fn is_too_long(&self) -> bool {
        matches!(
            self,
            Self::OutOfBudget(_)
                | Self::TooLarge { .. }
                | Self::TooManyTerms { .. }
                | Self::Geometry(
                    GeometryError::OutOfBudget(_)
                        | GeometryError::Graded { error: GradedError::OutOfBudget(_), .. }
                )
        )
    }

    /// Its code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Undefined => "ISO-PORT-001",
            Self::Time { .. } => "ISO-PORT-002",
            Self::NotAffine { .. } => "ISO-PORT-003",
            Self::Hamiltonian { .. } | Self::Read { .. } => "ISO-PORT-004",
            Self::NotEquations => "ISO-PORT-008",
            Self::TooManyStates { .. } | Self::TooLarge { .. } | Self::TooManyTerms { .. } => {
                "ISO-PORT-005"
            }
            Self::Geometry(_) | Self::Linear(_) => "ISO-PORT-006",
            Self::OutOfBudget(_) => "ISO-PORT-007",
        }
    }

    /// A way out.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Undefined => "look for a division by zero or the logarithm of zero",
            Self::Time { .. } => {
                "name the function of time under [inputs]: it then enters through a port"
            }
            Self::NotAffine { .. } => "make the nonlinear function of the input an input itself",
            Self::NotEquations => {
                "write it with [equations], [poisson] or [port]: docs/port.md; the structure of constraints is shown by `isotrope geometry`"
            }
            Self::Hamiltonian { .. } | Self::Read { .. } => {
                "write it in the states and parameters of the file, for example \"(x^2 + v^2)/2\""
            }
            Self::TooManyTerms { .. } => {
                "give an energy of lower degree; powers of sums are expanded"
            }
            Self::TooManyStates { .. } => "give a part of the system with fewer states",
            Self::TooLarge { .. } => "take a smaller --degree, or give the energy: --hamiltonian",
            Self::Geometry(_) | Self::Linear(_) => "write the equations with fewer functions",
            Self::OutOfBudget(_) => {
                "take a smaller --degree, give the energy with --hamiltonian, or fix parameters with --set"
            }
        }
    }
}

impl From<LinearError> for PortError {
    fn from(error: LinearError) -> Self {
        match error {
            LinearError::OutOfBudget(stop) => Self::OutOfBudget(stop),
            LinearError::Undefined => Self::Undefined,
            other => Self::Linear(other),
        }
    }
}
