//! Why there is no modified equation to print.

use isotrope_algebra::OutOfBudget;
use isotrope_certify::CertifyError;
use isotrope_certify::modified::ModifiedError;
use isotrope_methods::table::TableProblem;
use isotrope_model::codes::ModifiedCode;

use super::LARGEST_ORDER;

/// Why there is no modified equation to print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModifiedProblem {
    /// An order that is zero or too large.
    Order {
        /// The order.
        order: usize,
    },
    /// A scheme that is written as equations.
    Equations {
        /// Its name.
        name: String,
        /// The family it belongs to.
        family: &'static str,
    },
    /// A method that chooses its steps.
    OwnSteps,
    /// A composition whose coefficients are not known as numbers of a field.
    Composition {
        /// Its name.
        name: String,
    },
    /// The system has no field in positions and velocities.
    NoLagrangian,
    /// The system is given by H, and its steps are in (q, p).
    InMomenta,
    /// The coefficients of the method could not be computed with.
    Table(CertifyError),
    /// The computation grew too large.
    OutOfBudget(OutOfBudget),
}

impl std::fmt::Display for ModifiedProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for ModifiedProblem {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Table(error) => Some(error),
            Self::OutOfBudget(error) => Some(error),
            _ => None,
        }
    }
}

impl ModifiedProblem {
    /// Its stable code.
    pub fn code(&self) -> ModifiedCode {
        match self {
            Self::Equations { .. } | Self::OwnSteps => ModifiedCode::NoSeries,
            Self::Composition { .. } => ModifiedCode::Composition,
            Self::Order { .. } => ModifiedCode::Order,
            Self::NoLagrangian | Self::InMomenta => ModifiedCode::NoLagrangian,
            Self::Table(_) => ModifiedCode::Coefficients,
            Self::OutOfBudget(_) => ModifiedCode::OutOfBudget,
        }
    }

    /// The reason.
    pub fn message(&self) -> String {
        match self {
            Self::Order { order: 0 } => "the equation itself has order 1".to_owned(),
            Self::Order { order } => format!("order {order} is beyond {LARGEST_ORDER}"),
            Self::Equations { name, family: "multistep" } => format!(
                "a step of `{name}` depends on earlier steps: it is not a map whose series in h could be \
                 a flow"
            ),
            Self::Equations { name, family: "energy" } => format!(
                "the mean of the forces in `{name}` is not a Runge–Kutta step: trees with these weights \
                 are not listed here"
            ),
            Self::Equations { name, .. } => format!(
                "`{name}` has reactions or projections of its own: its step is not a series in the \
                 derivatives of the equations with eliminated multipliers"
            ),
            Self::OwnSteps => {
                "`dop853` chooses its steps: there is no h to write equations with".to_owned()
            }
            Self::Composition { name } => format!(
                "the coefficients of `{name}` are solutions of a system of equations, known to any \
                 number of digits but not as numbers of a field"
            ),
            Self::NoLagrangian => {
                "the model has a Hamiltonian without a formula for the velocities".to_owned()
            }
            Self::InMomenta => {
                "the model is given by H with a mass matrix that varies: its steps are in (q, p), and \
                 modified equations are those of steps in (q, v)"
                    .to_owned()
            }
            Self::Table(error) => format!("the method cannot be computed with: {error}"),
            Self::OutOfBudget(error) => error.to_string(),
        }
    }

    /// The way out.
    pub fn hint(&self) -> String {
        match self {
            Self::Equations { family: "constrained-variational", .. } => {
                "`sv` is the same map on constraints of degree two; all Runge–Kutta tables work, see \
                 `isotrope methods`"
            }
            Self::Equations { family: "multistep" | "projection", .. } => {
                "choose a Runge–Kutta table, such as rk4 or gauss-2; `isotrope methods` lists them"
            }
            Self::Equations { .. } => {
                "choose a Runge–Kutta table, such as midpoint or sv; `isotrope methods` lists them"
            }
            Self::OwnSteps => "`dormand-prince` is a table with steps of one length",
            Self::Composition { .. } => "choose yoshida-4, or verlet, which it is composed of",
            Self::Order { .. } => return format!("choose an order from 1 to {LARGEST_ORDER}"),
            Self::NoLagrangian | Self::InMomenta => "leave out the model, or give a Lagrangian",
            Self::Table(_) => "write the coefficients with fewer different roots",
            Self::OutOfBudget(_) => "choose a smaller order",
        }
        .to_owned()
    }
}

impl From<OutOfBudget> for ModifiedProblem {
    fn from(error: OutOfBudget) -> Self {
        Self::OutOfBudget(error)
    }
}

impl From<CertifyError> for ModifiedProblem {
    fn from(error: CertifyError) -> Self {
        match error {
            CertifyError::OutOfBudget(error) => Self::OutOfBudget(error),
            other => Self::Table(other),
        }
    }
}

impl From<TableProblem> for ModifiedProblem {
    fn from(error: TableProblem) -> Self {
        CertifyError::from(error).into()
    }
}

impl From<ModifiedError> for ModifiedProblem {
    fn from(error: ModifiedError) -> Self {
        match error {
            ModifiedError::NoLagrangian => Self::NoLagrangian,
            ModifiedError::OutOfBudget(error) => Self::OutOfBudget(error),
        }
    }
}
