//! Why there is nothing to say about the stability of a model.

use isotrope_algebra::OutOfBudget;
use isotrope_model::codes::StabilityCode;

/// A refusal of the study of stability.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StabilityError {
    /// `--vary` is not `NAME=LOW..HIGH`.
    #[error("`{text}` is not a parameter with a range")]
    BadRange {
        /// What was given.
        text: String,
    },
    /// The range is empty or reversed.
    #[error("the range {low}..{high} of `{name}` is not in ascending order")]
    EmptyRange {
        /// The parameter.
        name: String,
        /// Its lower end.
        low: String,
        /// Its upper end.
        high: String,
    },
    /// No parameter of this name.
    #[error("the model has no parameter `{name}`")]
    UnknownParameter {
        /// The name.
        name: String,
        /// The names there are.
        known: Vec<String>,
        /// The one that was probably meant.
        near: Option<String>,
    },
    /// The parameter decides how many coordinates or terms there are.
    #[error("the parameter `{name}` decides how many coordinates or terms the model has")]
    StructuralParameter {
        /// The parameter.
        name: String,
    },
    /// A guess that is not `NAME=VALUE` for a coordinate.
    #[error("the guess `{text}` is not a coordinate with a number")]
    BadGuess {
        /// What was given.
        text: String,
        /// The names of the coordinates.
        known: Vec<String>,
    },
    /// Neither a Lagrangian with masses nor a Hamiltonian.
    #[error("the system has neither a Lagrangian with masses nor a Hamiltonian in coordinates")]
    Hamiltonian,
    /// Time occurs in the equations.
    #[error("time occurs in the equations of motion: there is no equilibrium to study")]
    TimeDependent,
    /// Constraints on velocities.
    #[error(
        "the constraint `{name}` is on velocities: equilibria are not isolated, they fill families \
         of as many dimensions as there are such constraints"
    )]
    VelocityConstraint {
        /// The constraint.
        name: String,
    },
    /// Newton's method found nothing.
    #[error("Newton's method finds no equilibrium from the guess: {reason}")]
    NoEquilibrium {
        /// What happened.
        reason: String,
    },
    /// Newton's matrix is singular.
    #[error(
        "the equations of equilibrium are singular at {place}: equilibria are not isolated there, \
         or the guess is a bad one"
    )]
    SingularEquilibrium {
        /// Where.
        place: String,
    },
    /// The linearisation has no finite values.
    #[error("the equations of motion cannot be linearised: {reason}")]
    NotSmooth {
        /// What happened.
        reason: String,
    },
    /// The mass matrix is singular at the equilibrium.
    #[error("the mass matrix is singular at the equilibrium")]
    SingularMass,
    /// Too few or too many points.
    #[error("{points} points are not between 2 and {most}")]
    Points {
        /// What was asked for.
        points: usize,
        /// What is possible.
        most: usize,
    },
    /// The computation grew too large.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
}

impl StabilityError {
    /// The stable code.
    pub fn code(&self) -> StabilityCode {
        match self {
            Self::BadRange { .. } => StabilityCode::BadRange,
            Self::EmptyRange { .. } => StabilityCode::EmptyRange,
            Self::UnknownParameter { .. } => StabilityCode::UnknownParameter,
            Self::StructuralParameter { .. } => StabilityCode::StructuralParameter,
            Self::BadGuess { .. } => StabilityCode::BadGuess,
            Self::Hamiltonian => StabilityCode::Hamiltonian,
            Self::TimeDependent => StabilityCode::TimeDependent,
            Self::VelocityConstraint { .. } => StabilityCode::VelocityConstraint,
            Self::NoEquilibrium { .. } => StabilityCode::NoEquilibrium,
            Self::SingularEquilibrium { .. } => StabilityCode::SingularEquilibrium,
            Self::NotSmooth { .. } => StabilityCode::NotSmooth,
            Self::SingularMass => StabilityCode::SingularMass,
            Self::Points { .. } => StabilityCode::Points,
            Self::OutOfBudget(_) => StabilityCode::OutOfBudget,
        }
    }

    /// A way out.
    pub fn hint(&self) -> String {
        let list = |known: &[String]| -> String {
            let names: Vec<String> = known.iter().take(12).map(|n| format!("`{n}`")).collect();
            names.join(", ")
        };
        match self {
            Self::BadRange { .. } => "write NAME=LOW..HIGH, such as --vary P=0..3".to_owned(),
            Self::EmptyRange { .. } => "put the smaller number first".to_owned(),
            Self::UnknownParameter { near: Some(near), .. } => format!("did you mean `{near}`?"),
            Self::UnknownParameter { known, .. } if known.is_empty() => {
                "it has none: give it one under [parameters]".to_owned()
            }
            Self::UnknownParameter { known, .. } => format!("it has {}", list(known)),
            Self::StructuralParameter { .. } => {
                "study the values one at a time: --set N=3, and vary another parameter".to_owned()
            }
            Self::BadGuess { known, .. } => {
                format!("write NAME=VALUE, such as --guess x=0.1, for one of {}", list(known))
            }
            Self::Hamiltonian => "write the model with a Lagrangian or a Hamiltonian".to_owned(),
            Self::TimeDependent => {
                "only autonomous systems are studied: remove t, or hold the drive still".to_owned()
            }
            Self::VelocityConstraint { .. } => {
                "write constraints that integrate as constraints on positions; `isotrope derive` \
                 tells which do"
                    .to_owned()
            }
            Self::NoEquilibrium { .. } | Self::SingularEquilibrium { .. } => {
                "give another place to start from: --guess NAME=VALUE for some coordinates"
                    .to_owned()
            }
            Self::NotSmooth { .. } => {
                "remove what has no derivative at rest, such as dry friction".to_owned()
            }
            Self::SingularMass => "study another range of the parameter".to_owned(),
            Self::Points { .. } => "leave --points out, or take a few hundred".to_owned(),
            Self::OutOfBudget(_) => "take a smaller system".to_owned(),
        }
    }
}
