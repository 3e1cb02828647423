//! What can go wrong with a sampled problem.

use isotrope_algebra::OutOfBudget;

/// Why a question about a class has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClassError {
    /// The tables of a method do not have the shape of one with `stages` stages.
    #[error("the coefficients do not form tables with {stages} stages")]
    Shape {
        /// Number of stages, taken from the weights b.
        stages: usize,
    },
    /// Every sampled problem was singular: over a prime field, a sign of a prime too small.
    #[error("{attempts} random problems of the class were all singular")]
    Singular {
        /// How many were tried.
        attempts: usize,
    },
    /// A ball around a coefficient of h^`order` is too wide to say whether it is zero.
    #[error("the precision does not decide whether a coefficient of h^{order} is zero")]
    Precision {
        /// The power of h.
        order: usize,
    },
    /// The class has no such quantity.
    #[error("the class `{class}` has no {part}")]
    NoSuchPart {
        /// The class.
        class: super::Class,
        /// The quantity.
        part: super::Part,
    },
    /// A step of a random method differs from its expansion in trees: the machine is wrong.
    #[error("the expansion in trees disagrees with a step of a random method at h^{order}")]
    Expansion {
        /// The power of h.
        order: usize,
    },
    /// A row of conditions is not the image of a small rational one, or two primes disagree.
    #[error("the conditions at h^{order} could not be reconstructed over the rationals")]
    Reconstruction {
        /// The power of h.
        order: usize,
    },
    /// The budget ran out.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
}
