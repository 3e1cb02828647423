//! What engines for Gröbner bases are asked, and what they answer.

use crate::{OutOfBudget, Polynomial};

/// The order of monomials.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VariableOrder {
    /// Graded reverse lexicographic.
    Graded,
    /// This many leading variables before the rest, each graded reverse lexicographic: the part
    /// of a basis without the first ones is a basis of the ideal of their relations.
    Eliminating(usize),
}

/// Where the coefficients are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coefficients {
    /// Rational numbers.
    Rational,
    /// Residues modulo a prime; answers have integer coefficients from 0 to p - 1.
    Modulo(u64),
}

/// What an engine is asked.
#[derive(Debug, Clone, Copy)]
pub struct BasisRequest<'p> {
    /// Generators, none of them zero.
    pub polynomials: &'p [Polynomial],
    /// The number of variables.
    pub variables: usize,
    /// The order of monomials.
    pub order: VariableOrder,
    /// Where the coefficients are.
    pub coefficients: Coefficients,
}

/// Why there is no basis.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The prime divides a denominator.
    #[error("{prime} divides a denominator")]
    BadPrime {
        /// The prime.
        prime: u64,
    },
    /// It took longer than allowed.
    #[error("no basis was found within {seconds} s")]
    TimeLimit {
        /// The time that was allowed.
        seconds: u64,
    },
    /// It took more operations than allowed, or was interrupted.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
    /// The engine gave up.
    #[error("no basis was found: {reason}")]
    Failed {
        /// What it said.
        reason: String,
    },
}

impl EngineError {
    /// Was the basis too much for the limits of the engine? Another engine, or the same with other limits, may
    /// find it; what was interrupted is no such case.
    pub fn is_out_of_reach(&self) -> bool {
        match self {
            Self::TimeLimit { .. } => true,
            Self::OutOfBudget(OutOfBudget { interrupted, internal, .. }) => {
                !interrupted && internal.is_none()
            }
            Self::BadPrime { .. } | Self::Failed { .. } => false,
        }
    }
}

/// Something that computes reduced Gröbner bases. What it answers is checked by
/// [`Ideal::new`](super::Ideal::new); an engine may give up.
pub trait BasisEngine {
    /// The reduced basis; empty for the zero ideal.
    fn basis(&self, request: &BasisRequest<'_>) -> Result<Vec<Polynomial>, EngineError>;

    /// Is there time left for more bases?
    fn has_time(&self) -> bool {
        true
    }
}
