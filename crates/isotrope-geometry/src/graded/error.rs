//! Why a graded computation has no answer.

use isotrope_algebra::OutOfBudget;

/// Why a graded computation has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GradedError {
    /// A component of a vector field has another degree than the field needs.
    #[error(
        "the component along {coordinate} has a term of degree {found}; a field of degree {field} needs {needed} there"
    )]
    Inhomogeneous {
        /// The coordinate.
        coordinate: String,
        /// The degree of the field, from its first component.
        field: i32,
        /// The degree that the component needs.
        needed: i32,
        /// The degree of the term that was found.
        found: i32,
    },
    /// A function whose terms have different degrees.
    #[error("terms of degree {first} and of degree {second} in one function")]
    MixedDegrees {
        /// The degree of the first term.
        first: i32,
        /// Another one.
        second: i32,
    },
    /// The degrees of two conjugate coordinates do not add up to that of the bracket.
    #[error(
        "{position} and {momentum} have degrees {position_degree} and {momentum_degree}, which do not add up to {degree}"
    )]
    NotConjugate {
        /// The coordinate `q`.
        position: String,
        /// The coordinate `p`.
        momentum: String,
        /// The degree of `q`.
        position_degree: i32,
        /// The degree of `p`.
        momentum_degree: i32,
        /// The `n` of the bracket of degree `-n`.
        degree: i32,
    },
    /// A coordinate stands in two places of the pairs of a bracket.
    #[error("{coordinate} occurs twice in the pairs: it has one conjugate coordinate, another one")]
    RepeatedPair {
        /// The coordinate.
        coordinate: String,
    },
    /// More odd coordinates than there are bits.
    #[error("{found} odd coordinates; at most {} are represented", super::Coordinates::MOST_ODD)]
    TooManyOdd {
        /// How many there are.
        found: usize,
    },
    /// An exponent of an even coordinate grew too large.
    #[error("an even coordinate to a power above {}", super::Exponents::LARGEST)]
    Exponent,
    /// A function with too many terms.
    #[error("a function has more than a million terms")]
    TooManyTerms,
    /// There is no coordinate with this number.
    #[error("coordinate number {index} does not exist")]
    NoCoordinate {
        /// The number, from 0.
        index: usize,
    },
    /// A list has the wrong length or a matrix the wrong shape.
    #[error("{what} has {found} entries instead of {needed}")]
    Shape {
        /// The list.
        what: &'static str,
        /// Its length.
        found: usize,
        /// What it should be.
        needed: usize,
    },
    /// A matrix or a list of structure constants is not antisymmetric.
    #[error("{what} is not antisymmetric in its entries {first} and {second}")]
    NotAntisymmetric {
        /// The matrix.
        what: &'static str,
        /// A row, from 1.
        first: usize,
        /// A column, from 1.
        second: usize,
    },
    /// A linear problem has no answer.
    #[error(transparent)]
    Linear(#[from] isotrope_algebra::linear::LinearError),
    /// It took too long.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
}
