//! Why nothing could be recovered.

use isotrope_algebra::OutOfBudget;
use isotrope_algebra::linear::LinearError;
use isotrope_geometry::graded::GradedError;
use isotrope_model::codes::PortCode;

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
    /// The model is not a system of equations.
    #[error("the model is not written as equations of its state")]
    NotEquations,
    /// A descriptor system.
    #[error("the model has a matrix E: its equations hold on constraints only")]
    Descriptor,
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
    /// A form that is not there.
    #[error("there is no form {number}: the search found {forms}")]
    NoForm {
        /// The number that was asked for, from 1.
        number: usize,
        /// How many there are.
        forms: usize,
    },
    /// A form that does not exist at the values of the file.
    #[error("form {number} needs {condition}, which the values of the file violate")]
    Violated {
        /// Its number, from 1.
        number: usize,
        /// What it needs.
        condition: String,
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
    pub fn code(&self) -> PortCode {
        match self {
            Self::Undefined => PortCode::Undefined,
            Self::Time { .. } => PortCode::TimeDependent,
            Self::NotAffine { .. } => PortCode::NotAffine,
            Self::Hamiltonian { .. } | Self::Read { .. } => PortCode::Hamiltonian,
            Self::NotEquations | Self::Descriptor => PortCode::NotEquations,
            Self::TooManyStates { .. } | Self::TooLarge { .. } | Self::TooManyTerms { .. } => {
                PortCode::TooLarge
            }
            Self::NoForm { .. } => PortCode::NoSuchForm,
            Self::Violated { .. } => PortCode::Violated,
            Self::Geometry(_) | Self::Linear(_) => PortCode::NotExamined,
            Self::OutOfBudget(_) => PortCode::OutOfBudget,
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
            Self::Descriptor => {
                "`isotrope derive` shows its port-Hamiltonian form; write reduced equations as [equations] to look for others"
            }
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
            Self::NoForm { .. } => {
                "forms are counted from 1; `isotrope port FILE` lists them, with the same --set, --hamiltonian and --degree"
            }
            Self::Violated { .. } => "save another form, or change parameters and initial values",
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
