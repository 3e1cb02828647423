//! The engine that is used: F4 of the `groebner` crate, watched.

mod reconstruct;
#[cfg(test)]
mod tests;
mod watched;

use groebner::{Fp, MonomialOrder as Order, groebner_basis_f4};

use super::engine::{BasisEngine, BasisRequest, Coefficients, EngineError, VariableOrder};
use crate::{Budget, Monomial, Polynomial, Rational};
use reconstruct::{Image, reconstructed};
use watched::{Watched, watch};

/// The F4 algorithm: directly modulo a prime, from the images of many primes over the rationals.
///
/// It ends soon after the [`Stop`](crate::Stop) of its thread is set, and once it has spent its operations:
/// multiplications of residues, estimated from above by the sizes of the matrices.
#[derive(Debug, Clone, Copy)]
pub struct F4 {
    operations: u64,
    piece: usize,
}

/// Multiplications between two looks at the flag, at most, unless a single row takes more.
const PIECE: usize = 20_000_000;

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
        let value = i64::try_from(residue).map_err(|_| EngineError::Failed {
            reason: "a prime beyond 2^63".into(),
        })?;
        Ok((monomial, Rational::integer(value)))
    };
    let terms = element.into_iter().map(term).collect::<Result<Vec<_>, EngineError>>()?;
    Ok(Polynomial::from_terms(terms))
}

impl BasisRequest<'_> {
    /// The reduced basis modulo a prime.
    fn image(
        &self,
        prime: u64,
        piece: usize,
        budget: &mut Budget,
    ) -> Result<Image, EngineError> {
        let mut system = self.residues(prime)?;
        system.retain(|g| !g.is_zero());
        if system.is_empty() {
            return Ok(Vec::new());
        }
        let basis = watch(budget, piece, || groebner_basis_f4(system, true))?;
        let basis = basis.map_err(|error| EngineError::Failed { reason: error.to_string() })?;
        basis.iter().map(image).collect()
    }

    fn residues(&self, prime: u64) -> Result<Vec<groebner::Polynomial<Watched>>, EngineError> {
        let order = match self.order {
            VariableOrder::Graded => Order::GRevLex,
            VariableOrder::Eliminating(first) => {
                Order::elimination(first, self.variables.saturating_sub(first))
            }
        };
        self.polynomials
            .iter()
            .map(|polynomial| {
                let terms = polynomial
                    .terms()
                    .iter()
                    .map(|(monomial, value)| {
                        let exponents: Vec<u32> = (0..self.variables)
                            .map(|index| u32::from(monomial.exponent(index)))
                            .collect();
                        let value = value.modulo(prime).ok_or(EngineError::BadPrime { prime })?;
                        Ok((groebner::Monomial::new(exponents), Watched(Fp::new(value, prime))))
                    })
                    .collect::<Result<Vec<_>, EngineError>>()?;
                Ok(groebner::Polynomial::new(terms, self.variables, order.clone()))
            })
            .collect()
    }
}

fn image(polynomial: &groebner::Polynomial<Watched>) -> Result<Vec<(Monomial, u64)>, EngineError> {
    let term = |(monomial, value): &(groebner::Monomial, Watched)| {
        let exponents = monomial
            .exps()
            .iter()
            .map(|&e| u16::try_from(e))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|_| EngineError::Failed { reason: "a degree beyond 65535".into() })?;
        Ok((Monomial::from_exponents(&exponents), value.0.value()))
    };
    polynomial.terms.iter().map(term).collect()
}
