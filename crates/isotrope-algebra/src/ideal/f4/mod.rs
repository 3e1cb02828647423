//! The engines that are used: F4 of the `groebner` crate, watched, or on its own in a process that may be killed.

mod direct;
mod reconstruct;
#[cfg(test)]
mod tests;
mod watched;

use groebner::{Fp, MonomialOrder as Order, groebner_basis_f4};

use super::engine::{BasisEngine, BasisRequest, Coefficients, EngineError, VariableOrder};
use crate::{Budget, Monomial, Polynomial, Rational};
use reconstruct::{Image, reconstructed};
use watched::{Watched, watch};

pub use direct::DirectF4;

/// The F4 algorithm: directly modulo a prime, from the images of many primes over the rationals.
///
/// It ends soon after the [`Stop`](crate::Stop) of its thread is set, and once it has spent its operations:
/// multiplications of residues, estimated from above by the sizes of the matrices. [`DirectF4`] is faster and does
/// neither.
#[derive(Debug, Clone, Copy)]
pub struct F4 {
    operations: u64,
    piece: usize,
}

/// Multiplications between two looks at the flag, at most, unless a single row takes more.
const PIECE: usize = 40_000_000;

impl F4 {
    /// Each basis may take this many operations; about 10⁹ take a second.
    #[must_use]
    pub fn new(operations: u64) -> Self {
        Self { operations, piece: PIECE }
    }

    /// However long it takes.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::new(u64::MAX)
    }
}

impl BasisEngine for F4 {
    fn has_time(&self) -> bool {
        !crate::Stop::requested()
    }

    fn basis(&self, request: &BasisRequest<'_>) -> Result<Vec<Polynomial>, EngineError> {
        if request.polynomials.is_empty() {
            return Ok(Vec::new());
        }
        let budget = &mut Budget::new(self.operations);
        match request.coefficients {
            Coefficients::Rational => {
                reconstructed(|prime, budget| request.image(prime, self.piece, budget), budget)
            }
            Coefficients::Modulo(prime) => {
                let image = request.image(prime, self.piece, budget)?;
                image.into_iter().map(integers).collect()
            }
        }
    }
}

/// Residues as integers from 0 to p - 1.
fn integers(element: Vec<(Monomial, u64)>) -> Result<Polynomial, EngineError> {
    let term = |(monomial, residue)| {
        let value = i64::try_from(residue).map_err(failed)?;
        Ok((monomial, Rational::integer(value)))
    };
    let terms = element.into_iter().map(term).collect::<Result<Vec<_>, EngineError>>()?;
    Ok(Polynomial::from_terms(terms))
}

impl BasisRequest<'_> {
    /// The reduced basis modulo a prime.
    fn image(&self, prime: u64, piece: usize, budget: &mut Budget) -> Result<Image, EngineError> {
        let system = self.residues(prime)?;
        if system.is_empty() {
            return Ok(Vec::new());
        }
        let system = system.into_iter().map(|g| g.map(|&c| Watched(c))).collect();
        let basis = watch(budget, piece, || groebner_basis_f4(system, true))?.map_err(failed)?;
        let term = |(monomial, value): &(groebner::Monomial, Watched)| {
            Ok((Monomial::from_exponents(&exponents(monomial)?), value.0.value()))
        };
        basis.iter().map(|g| g.terms.iter().map(term).collect()).collect()
    }

    /// The generators modulo a prime, without those that vanish.
    fn residues(&self, prime: u64) -> Result<Vec<groebner::Polynomial<Fp>>, EngineError> {
        let residue = |c: &Rational| c.modulo(prime).map(|value| Fp::new(value, prime));
        let mut system = self.translated(|c| residue(c).ok_or(EngineError::BadPrime { prime }))?;
        system.retain(|g| !g.is_zero());
        Ok(system)
    }

    fn translated<F: groebner::Field>(
        &self,
        coefficient: impl Fn(&Rational) -> Result<F, EngineError>,
    ) -> Result<Vec<groebner::Polynomial<F>>, EngineError> {
        let order = match self.order {
            VariableOrder::Graded => Order::GRevLex,
            VariableOrder::Eliminating(first) => {
                Order::elimination(first, self.variables.saturating_sub(first))
            }
        };
        let term = |(monomial, value): &(Monomial, Rational)| {
            let exponent = |index| u32::from(monomial.exponent(index));
            let exponents: Vec<u32> = (0..self.variables).map(exponent).collect();
            Ok((groebner::Monomial::new(exponents), coefficient(value)?))
        };
        let element = |polynomial: &Polynomial| {
            let terms = polynomial.terms().iter().map(term);
            let terms = terms.collect::<Result<Vec<_>, EngineError>>()?;
            Ok(groebner::Polynomial::new(terms, self.variables, order.clone()))
        };
        self.polynomials.iter().map(element).collect()
    }
}

/// Exponents of the crate's monomials as ours.
fn exponents(monomial: &groebner::Monomial) -> Result<Vec<u16>, EngineError> {
    monomial.exps().iter().map(|&e| u16::try_from(e).map_err(failed)).collect()
}

fn failed(reason: impl ToString) -> EngineError {
    EngineError::Failed { reason: reason.to_string() }
}
