//! Why an object could not be examined.

use isotrope_algebra::OutOfBudget;
use isotrope_algebra::linear::LinearError;
use isotrope_algebra::syntax::Span;
use isotrope_geometry::graded::{GradedError, ReadGradedReason};

use super::file::GeometryCode;

/// Why an object could not be examined.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GeometryError {
    /// A graded expression cannot be read.
    #[error("{reason}")]
    Read {
        /// Where in the file.
        span: Span,
        /// Why.
        reason: ReadGradedReason,
    },
    /// A graded computation is impossible.
    #[error("{error}")]
    Graded {
        /// Where in the file.
        span: Span,
        /// Why.
        error: GradedError,
    },
    /// The forms of a distribution are dependent.
    #[error("{given} forms have rank only {rank}")]
    Dependent {
        /// Where in the file.
        span: Span,
        /// How many forms there are.
        given: usize,
        /// Their rank.
        rank: usize,
    },
    /// A structure that is not the same after a circle.
    #[error("the structure is not periodic in {name}")]
    NotPeriodic {
        /// Where in the file the period stands.
        span: Span,
        /// The coordinate.
        name: String,
    },
    /// Points that do not lie over the points of the target of a map.
    #[error("this is not a section: over a point of the target, {name} is {value}")]
    Section {
        /// Where in the file.
        span: Span,
        /// The coordinate of the target.
        name: String,
        /// What the map makes of the section.
        value: String,
    },
    /// A linear problem has no answer.
    #[error(transparent)]
    Linear(LinearError),
    /// A model has no such structure.
    #[error("{message}")]
    Model {
        /// Why.
        message: &'static str,
        /// A way out.
        hint: &'static str,
    },
    /// A model on a Lie group.
    #[error(
        "the configurations of the model are a Lie group, and its structure is computed in coordinates only"
    )]
    Group,
    /// It took too long.
    #[error(transparent)]
    OutOfBudget(OutOfBudget),
}

impl GeometryError {
    /// Its code.
    pub fn code(&self) -> GeometryCode {
        match self {
            Self::Read { reason, .. } => match reason {
                ReadGradedReason::UnknownName(_) => GeometryCode::UnknownName,
                ReadGradedReason::Undefined => GeometryCode::Undefined,
                ReadGradedReason::NotAllowed => GeometryCode::Syntax,
                ReadGradedReason::Graded(error) => graded_code(error),
                _ => GeometryCode::NotScalar,
            },
            Self::Graded { error, .. } => graded_code(error),
            Self::Dependent { .. } => GeometryCode::Dependent,
            Self::Linear(LinearError::Undefined) => GeometryCode::Undefined,
            Self::NotPeriodic { .. } => GeometryCode::NotPeriodic,
            Self::Section { .. } => GeometryCode::Section,
            Self::Model { .. } | Self::Group => GeometryCode::Object,
            Self::Linear(_) | Self::OutOfBudget(_) => GeometryCode::TooLarge,
        }
    }

    /// Where in the file it belongs, if it does.
    pub fn span(&self) -> Option<Span> {
        match self {
            Self::Read { span, .. }
            | Self::Graded { span, .. }
            | Self::Dependent { span, .. }
            | Self::NotPeriodic { span, .. }
            | Self::Section { span, .. } => Some(*span),
            _ => None,
        }
    }

    /// A way out.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Model { hint, .. } => hint,
            Self::Group => {
                "write the model in coordinates, with [lagrangian]; `isotrope derive` says what holds on the group"
            }
            Self::OutOfBudget(_) | Self::Linear(LinearError::OutOfBudget(_)) => {
                "choose fewer coordinates or shorter coefficients"
            }
            _ => self.code().advice(),
        }
    }
}

fn graded_code(error: &GradedError) -> GeometryCode {
    match error {
        GradedError::Inhomogeneous { .. }
        | GradedError::MixedDegrees { .. }
        | GradedError::NotConjugate { .. } => GeometryCode::Degree,
        GradedError::NotAntisymmetric { .. } | GradedError::RepeatedPair { .. } => {
            GeometryCode::Pair
        }
        GradedError::Linear(LinearError::Undefined) => GeometryCode::Undefined,
        GradedError::NoCoordinate { .. } | GradedError::Shape { .. } => GeometryCode::MissingPart,
        GradedError::TooManyOdd { .. }
        | GradedError::Exponent
        | GradedError::TooManyTerms
        | GradedError::Linear(_)
        | GradedError::OutOfBudget(_) => GeometryCode::TooLarge,
    }
}

impl From<LinearError> for GeometryError {
    fn from(error: LinearError) -> Self {
        match error {
            LinearError::OutOfBudget(stop) => Self::OutOfBudget(stop),
            other => Self::Linear(other),
        }
    }
}

impl From<OutOfBudget> for GeometryError {
    fn from(stop: OutOfBudget) -> Self {
        Self::OutOfBudget(stop)
    }
}
