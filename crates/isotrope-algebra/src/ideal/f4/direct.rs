//! The crate's own functions, for processes that may be killed.

use std::str::FromStr;

use groebner::{Fp, groebner_basis_f4, groebner_basis_f4_rational};
use num_bigint::BigInt;
use num_rational::BigRational;

use super::{exponents, failed};
use crate::ideal::{BasisEngine, BasisRequest, Coefficients, EngineError};
use crate::{Monomial, OrInternal, Polynomial, Rational};

/// The F4 algorithm in one go: nothing but its end, or that of its process, ends it.
///
/// Over the rationals the crate repeats what it learned from the first prime for four others at a time, which is
/// up to four times as fast as [`F4`](super::F4) where coefficients are long.
#[derive(Debug, Clone, Copy, Default)]
pub struct DirectF4;

impl BasisEngine for DirectF4 {
    fn basis(&self, request: &BasisRequest<'_>) -> Result<Vec<Polynomial>, EngineError> {
        if request.polynomials.is_empty() {
            return Ok(Vec::new());
        }
        match request.coefficients {
            Coefficients::Rational => {
                let system = request.translated(|c| Ok(big(c)))?;
                let basis = groebner_basis_f4_rational(system, false).map_err(failed)?;
                basis.iter().map(|g| back(g, ours)).collect()
            }
            Coefficients::Modulo(prime) => {
                let system = request.residues(prime)?;
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

fn back<F: groebner::Field>(
    polynomial: &groebner::Polynomial<F>,
    coefficient: impl Fn(&F) -> Option<Rational>,
) -> Result<Polynomial, EngineError> {
    let term = |(monomial, value): &(groebner::Monomial, F)| {
        let value = coefficient(value).ok_or_else(|| failed("a number could not be translated"))?;
        Ok((Monomial::from_exponents(&exponents(monomial)?), value))
    };
    let terms = polynomial.terms.iter().map(term).collect::<Result<Vec<_>, EngineError>>()?;
    Ok(Polynomial::from_terms(terms))
}
