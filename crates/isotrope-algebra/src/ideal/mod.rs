//! Ideals of polynomials with rational coefficients: bases, dimension, membership, components,
//! real points.
//!
//! Gröbner bases are computed by a [`BasisEngine`]; the engine is not trusted. [`Ideal::new`]
//! verifies its basis over the rationals (see [`Ideal`] for the proof), and reports where
//! that is out of reach.
//!
//! Tests have a second road, a short Buchberger algorithm (`buchberger.rs`). Frequent questions
//! that need no proof are answered modulo one prime (`modulo.rs`). Components are split by factors
//! (`factors.rs`, `component.rs`); real points are elements of number fields, found by a linear
//! form that separates them (`points.rs`).
//!
//! ```
//! use isotrope_algebra::{Budget, Polynomial};
//! use isotrope_algebra::ideal::{F4, Ideal};
//! let budget = &mut Budget::new(1_000_000);
//! let (x, y) = (Polynomial::variable(0), Polynomial::variable(1));
//! let circle = x.mul(&x, budget)?.add(&y.mul(&y, budget)?, budget)?.sub(&Polynomial::one(), budget)?;
//! let line = x.sub(&y, budget)?;
//! let points = Ideal::new(vec![circle.clone(), line], 2, &F4::new(1_000_000), budget)?;
//! assert_eq!((points.dimension(), points.is_exact()), (Some(0), true));
//! assert_eq!(points.real_points(&F4::new(1_000_000), budget)?.len(), 2);
//! let circle = Ideal::new(vec![circle], 2, &F4::new(1_000_000), budget)?;
//! assert_eq!(circle.dimension(), Some(1));
//! # Ok::<(), isotrope_algebra::ideal::IdealError>(())
//! ```

mod buchberger;
mod component;
mod dimension;
mod engine;
mod f4;
mod factors;
mod modulo;
mod points;
mod proof;
mod quotient;
mod residues;
#[cfg(test)]
mod tests;

pub use component::{Component, Decomposition};
pub use engine::{BasisEngine, BasisRequest, Coefficients, EngineError, VariableOrder};
pub use f4::{DirectF4, F4};
pub use factors::{Factor, factors};
pub use modulo::ModularIdeal;
pub use points::RealPoint;

use crate::number::field::FieldError;
use crate::{Budget, MonomialOrder, OutOfBudget, Polynomial, modular};

/// Why something about an ideal could not be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum IdealError {
    /// The engine found no basis.
    #[error(transparent)]
    Engine(EngineError),
    /// The budget ran out.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
    /// Coordinates of points could not be written down.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// Points were asked of an ideal that has infinitely many, or too many.
    #[error("the ideal has infinitely many points, or more than {limit}")]
    TooManyPoints {
        /// The largest number of points (over the complex numbers) that are computed.
        limit: usize,
    },
}

impl From<EngineError> for IdealError {
    /// Interrupted is interrupted, whoever noticed; operations of an engine are another matter than those of the
    /// caller.
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::OutOfBudget(spent) if spent.interrupted || spent.internal.is_some() => {
                Self::OutOfBudget(spent)
            }
            other => Self::Engine(other),
        }
    }
}

/// An ideal of Q\[x0, …, x(n-1)\] with its reduced basis in graded reverse lexicographic order.
///
/// The basis G of the generators F is *exact* if these were checked, which is a proof:
///
/// 1. every S-polynomial of G reduces to zero modulo G over Q, so G is a basis of (G);
/// 2. every generator reduces to zero, so (F) ⊂ (G);
/// 3. modulo a prime p that divides no denominator, the basis of F mod p has the leading
///    monomials of G.
///
/// The order is by degree first, so leading monomials count the polynomials of degree at most d
/// in an ideal. An ideal has at least as many modulo nothing as its generators have modulo p:
/// by 3, (F) has at least as many as (G), and by 2 at most, so (F) = (G).
#[derive(Debug, Clone)]
pub struct Ideal {
    variables: usize,
    generators: Vec<Polynomial>,
    basis: Vec<Polynomial>,
    exact: bool,
}

impl Ideal {
    /// The ideal of these polynomials in `variables` variables.
    pub fn new(
        generators: Vec<Polynomial>,
        variables: usize,
        engine: &dyn BasisEngine,
        budget: &mut Budget,
    ) -> Result<Self, IdealError> {
        let generators: Vec<Polynomial> =
            generators.into_iter().filter(|g| !g.is_zero()).map(|g| g.primitive_part()).collect();
        let request = BasisRequest {
            polynomials: &generators,
            variables,
            order: VariableOrder::Graded,
            coefficients: Coefficients::Rational,
        };
        let mut basis = engine.basis(&request)?;
        basis.sort_by_key(leading);
        let mut ideal = Self { variables, generators, basis, exact: false };
        ideal.exact = proof::is_proved(&ideal, engine, budget)?;
        Ok(ideal)
    }

    /// The number of variables.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// The polynomials it was made of.
    pub fn generators(&self) -> &[Polynomial] {
        &self.generators
    }

    /// The reduced basis, by ascending leading monomials; `[1]` if there is no common zero.
    pub fn basis(&self) -> &[Polynomial] {
        &self.basis
    }

    /// Was the basis proved over the rationals? Otherwise it agrees modulo several primes.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// Is there a common zero over the complex numbers?
    pub fn is_consistent(&self) -> bool {
        !self.basis.iter().any(|g| g.is_constant() && !g.is_zero())
    }

    /// The remainder modulo the basis.
    pub fn normal_form(
        &self,
        polynomial: &Polynomial,
        budget: &mut Budget,
    ) -> Result<Polynomial, OutOfBudget> {
        polynomial.normal_form(&self.basis, MonomialOrder::GradedReverseLex, budget)
    }

    /// Does the ideal contain the polynomial?
    pub fn contains(
        &self,
        polynomial: &Polynomial,
        budget: &mut Budget,
    ) -> Result<bool, OutOfBudget> {
        Ok(self.normal_form(polynomial, budget)?.is_zero())
    }

    /// The ideal with further generators.
    pub fn extended(
        &self,
        further: impl IntoIterator<Item = Polynomial>,
        engine: &dyn BasisEngine,
        budget: &mut Budget,
    ) -> Result<Self, IdealError> {
        let generators = self.basis.iter().cloned().chain(further).collect();
        Self::new(generators, self.variables, engine, budget)
    }

    /// Does the polynomial vanish on all common zeros (over the complex numbers)? It does if and
    /// only if 1 is in the ideal with 1 - t f added (Rabinowitsch); decided modulo a prime, so a
    /// "yes" is a proof and a "no" wrong only for unlucky primes.
    pub fn vanishes_on_zeros(
        &self,
        polynomial: &Polynomial,
        engine: &dyn BasisEngine,
        budget: &mut Budget,
    ) -> Result<bool, IdealError> {
        if self.contains(polynomial, budget)? {
            return Ok(true);
        }
        let extra = Polynomial::variable(self.variables);
        let inverse = Polynomial::one().sub(&extra.mul(polynomial, budget)?, budget)?;
        let mut generators = self.basis.clone();
        generators.push(inverse);
        Ok(!ModularIdeal::new(&generators, self.variables + 1, engine)?.is_consistent())
    }
}

/// A basis modulo the first prime that divides no denominator, and the prime.
fn modular_basis(
    generators: &[Polynomial],
    variables: usize,
    engine: &dyn BasisEngine,
) -> Result<(u64, Vec<Polynomial>), IdealError> {
    for prime in modular::primes_below(1 << 31).take(PRIMES) {
        let request = BasisRequest {
            polynomials: generators,
            variables,
            order: VariableOrder::Graded,
            coefficients: Coefficients::Modulo(prime),
        };
        match engine.basis(&request) {
            Err(EngineError::BadPrime { .. }) => {}
            other => return Ok((prime, other?)),
        }
    }
    Err(EngineError::Failed { reason: "no prime is good for the coefficients".into() }.into())
}

/// Primes that are tried.
const PRIMES: usize = 8;

/// The leading monomial; that of zero is 1, but no basis has it.
fn leading(polynomial: &Polynomial) -> crate::Monomial {
    polynomial.leading_term().map(|(m, _)| m.clone()).unwrap_or_default()
}
