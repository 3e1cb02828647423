//! What can be wrong with a problem, apart from its text.

use isotrope_algebra::OutOfBudget;

/// Why equations and structure functions do not make a problem.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProblemError {
    /// A structure function that changes along solutions.
    #[error("`{name}` is not an invariant: its rate is {rate}")]
    NotInvariant {
        /// The function.
        name: String,
        /// Its rate, on the manifold.
        rate: String,
    },
    /// A balance whose supply is not the rate of what is stored.
    #[error(
        "the balance `{name}` does not hold: the rate of the stored energy minus the supply is {difference}"
    )]
    NotBalanced {
        /// The balance.
        name: String,
        /// The rate of the stored quantity minus the supply.
        difference: String,
    },
    /// A function on the manifold whose rate does not vanish there.
    #[error("solutions leave the manifold: the rate of `{name}` is {rate}")]
    NotTangent {
        /// The function.
        name: String,
        /// Its rate, on the manifold.
        rate: String,
    },
    /// It could not be decided whether a function is preserved.
    #[error("it could not be proved that `{name}` is preserved")]
    Undecided {
        /// The function.
        name: String,
    },
    /// The equations of the manifold cannot be solved one after the other.
    #[error("the equations of the manifold cannot be solved one after the other for variables")]
    Manifold,
    /// The right sides depend on time.
    #[error("the equations depend on time")]
    Time,
    /// A model without equations for positions, velocities and momenta.
    #[error("the model has no equations for positions, velocities and momenta")]
    NotMechanical,
    /// The budget ran out.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
}

impl ProblemError {
    /// A way out.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NotInvariant { .. } => {
                "correct the function or the rates; a quantity with a supply goes under [balance], one that is constant on a manifold only needs [manifold]"
            }
            Self::NotBalanced { .. } => {
                "the supply is the rate at which the stored quantity changes along solutions"
            }
            Self::NotTangent { .. } => {
                "add the equations that its derivative demands to [manifold], or correct the rates"
            }
            Self::Undecided { .. } => "write rates and functions in a simpler form",
            Self::Manifold => {
                "write the equations so that each is linear in a variable of its own, or has a constant coefficient at the highest power of one"
            }
            Self::Time => "make time a variable with the rate 1",
            Self::NotMechanical => "give the model by a Lagrangian",
            Self::OutOfBudget(_) => "choose a smaller problem",
        }
    }

    /// The function that is to blame.
    pub fn function(&self) -> Option<&str> {
        match self {
            Self::NotInvariant { name, .. }
            | Self::NotBalanced { name, .. }
            | Self::NotTangent { name, .. }
            | Self::Undecided { name } => Some(name),
            _ => None,
        }
    }
}
