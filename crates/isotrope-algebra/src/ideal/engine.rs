//! Engines that compute Gröbner bases, and the one that is used: F4 of the `groebner` crate.

use std::str::FromStr;

use groebner::{Fp, MonomialOrder as Order, groebner_basis_f4, groebner_basis_f4_rational};
use num_bigint::BigInt;
use num_rational::BigRational;

use crate::{Monomial, OrInternal, Polynomial, Rational};

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
    /// The engine gave up.
    #[error("no basis was found: {reason}")]
    Failed {
        /// What it said.
        reason: String,
    },
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

/// The F4 algorithm of the `groebner` crate: directly modulo a prime, from many primes over the
/// rationals.
#[derive(Debug, Clone, Copy, Default)]
pub struct F4;

impl BasisEngine for F4 {
    fn has_time(&self) -> bool {
        !crate::Stop::requested()
    }

    fn basis(&self, request: &BasisRequest<'_>) -> Result<Vec<Polynomial>, EngineError> {
        if request.polynomials.is_empty() {
            return Ok(Vec::new());
        }
        let failed =
            |error: groebner::GroebnerError| EngineError::Failed { reason: error.to_string() };
        match request.coefficients {
            Coefficients::Rational => {
                let system = request.translated(&|c: &Rational| Some(big(c)), failed_number)?;
                let basis = groebner_basis_f4_rational(system, false).map_err(failed)?;
                basis.iter().map(|g| back(g, ours)).collect()
            }
            Coefficients::Modulo(prime) => {
                let residue = |c: &Rational| c.modulo(prime).map(|r| Fp::new(r, prime));
                let system = request.translated(&residue, || EngineError::BadPrime { prime })?;
                let system: Vec<_> = system.into_iter().filter(|g| !g.is_zero()).collect();
                if system.is_empty() {
                    return Ok(Vec::new());
                }
                let basis = groebner_basis_f4(system, true).map_err(failed)?;
                let integer = |c: &Fp| i64::try_from(c.value()).ok().map(Rational::integer);
                basis.iter().map(|g| back(g, integer)).collect()
            }
        }
    }
}

fn failed_number() -> EngineError {
    EngineError::Failed { reason: "a coefficient could not be translated".into() }
}

/// Coefficients go over as text: they are few and short beside the work on them.
fn big(value: &Rational) -> BigRational {
    if let Some((numerator, denominator)) = value.as_small() {
        return BigRational::new_raw(BigInt::from(numerator), BigInt::from(denominator));
    }
    let part = |text: String| BigInt::from_str(&text).ok().or_noticed("digits are an integer");
    BigRational::new_raw(part(value.numerator().to_string()), part(value.denominator().to_string()))
}

fn ours(value: &BigRational) -> Option<Rational> {
    let small = i64::try_from(value.numer()).ok().zip(i64::try_from(value.denom()).ok());
    if let Some((numerator, denominator)) = small {
        return Rational::new(numerator, denominator);
    }
    let numerator = dashu_int::IBig::from_str(&value.numer().to_string()).ok()?;
    let denominator = dashu_int::UBig::from_str(&value.denom().to_string()).ok()?;
    Rational::from_big(numerator, denominator)
}

impl BasisRequest<'_> {
    fn translated<F: groebner::Field>(
        &self,
        coefficient: &dyn Fn(&Rational) -> Option<F>,
        refused: impl Fn() -> EngineError,
    ) -> Result<Vec<groebner::Polynomial<F>>, EngineError> {
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
                        let value = coefficient(value).ok_or_else(&refused)?;
                        Ok((groebner::Monomial::new(exponents), value))
                    })
                    .collect::<Result<Vec<_>, EngineError>>()?;
                Ok(groebner::Polynomial::new(terms, self.variables, order.clone()))
            })
            .collect()
    }
}

fn back<F: groebner::Field>(
    polynomial: &groebner::Polynomial<F>,
    coefficient: impl Fn(&F) -> Option<Rational>,
) -> Result<Polynomial, EngineError> {
    let terms = polynomial
        .terms
        .iter()
        .map(|(monomial, value)| {
            let exponents = monomial
                .exps()
                .iter()
                .map(|&e| u16::try_from(e))
                .collect::<Result<Vec<_>, _>>()
                .map_err(|_| EngineError::Failed { reason: "a degree beyond 65535".into() })?;
            let value = coefficient(value).ok_or_else(failed_number)?;
            Ok((Monomial::from_exponents(&exponents), value))
        })
        .collect::<Result<Vec<_>, EngineError>>()?;
    Ok(Polynomial::from_terms(terms))
}
