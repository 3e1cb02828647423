//! Long decimals recognised as exact numbers.

use dashu_base::{Abs, BitTest};
use dashu_int::IBig;
use isotrope_algebra::number::AlgebraicNumber;
use isotrope_algebra::number::field::{FieldElement, NumberField};
use isotrope_algebra::univariate::IntegerPolynomial;
use isotrope_algebra::{Budget, OutOfBudget, Precision, Rational};

use super::fixed::{FixedPoint, Scale};
use super::lattice::relation;
use super::polish::Polished;

/// A rational number to which the value is as close as its places allow, and which is too simple
/// to be so by chance.
pub(super) fn rational(value: &FixedPoint, polished: &Polished) -> Option<Rational> {
    let exact = polished.scale.to_rational(value);
    let error = Rational::from_big(IBig::ONE, (IBig::ONE << polished.places).try_into().ok()?)?;
    // Convergents p_k/q_k of the continued fraction.
    let (mut p, mut last_p) = (IBig::ONE, IBig::ZERO);
    let (mut q, mut last_q) = (IBig::ZERO, IBig::ONE);
    let mut rest = exact.clone();
    loop {
        let whole = rest.floor();
        (p, last_p) = (&whole * &p + last_p, p);
        (q, last_q) = (&whole * &q + last_q, q);
        // By chance a convergent is good to 2 log₂ q places.
        if 3 * q.bit_len() > polished.places {
            return None;
        }
        let convergent = Rational::from_big(p.clone(), (&q).abs().try_into().ok()?)?;
        if (&exact - &convergent).abs() <= error {
            return Some(convergent);
        }
        rest = (&rest - &Rational::from(whole)).recip()?;
    }
}

/// The value, to the places that are certain, as integers for a relation.
fn certain(value: &FixedPoint, polished: &Polished) -> IBig {
    &value.0 >> (polished.scale.places - polished.places)
}

/// An algebraic number of degree 2 to `max_degree` that is as close as the places allow.
pub(super) fn algebraic(
    value: &FixedPoint,
    polished: &Polished,
    max_degree: usize,
    budget: &mut Budget,
) -> Result<Option<AlgebraicNumber>, OutOfBudget> {
    let scale = polished.scale;
    let exact = scale.to_rational(value);
    let mut powers = vec![scale.one(), value.clone()];
    // A relation between more powers than needed is a multiple of the minimal polynomial, so not
    // every degree has to be tried; fewer powers show larger coefficients.
    let doubled = std::iter::successors(Some(2), |degree| Some(2 * degree));
    for degree in doubled.take_while(|&degree| degree < max_degree).chain([max_degree]) {
        while powers.len() <= degree {
            powers.push(scale.mul(&powers[powers.len() - 1], value));
        }
        let integers: Vec<IBig> = powers.iter().map(|x| certain(x, polished)).collect();
        let Some(found) = relation(&integers, polished.places, budget)? else { continue };
        let polynomial = IntegerPolynomial::new(found);
        for root in AlgebraicNumber::roots(&polynomial, budget)? {
            let (low, high) = root.bounds(polished.places as i64 / 2);
            let margin = &(&high - &low) + &(&high - &low);
            if exact >= &low - &margin && exact <= &high + &margin {
                return Ok(Some(root));
            }
        }
    }
    Ok(None)
}

/// The element Σ c_i θ^i of a field, with θ its generator, that the value seems to be.
pub(super) fn in_field(
    value: &FixedPoint,
    field: &NumberField,
    polished: &Polished,
    budget: &mut Budget,
) -> Result<Option<FieldElement>, OutOfBudget> {
    let Some(generator) = enclosed(field.generator(), polished.scale) else { return Ok(None) };
    let scale = polished.scale;
    let mut values = vec![value.clone(), scale.one()];
    for _ in 1..field.degree() {
        let last = values.last().map_or_else(|| scale.one(), |last| scale.mul(last, &generator));
        values.push(last);
    }
    let integers: Vec<IBig> = values.iter().map(|x| certain(x, polished)).collect();
    let Some(found) = relation(&integers, polished.places, budget)? else { return Ok(None) };
    let Some(divisor) = Rational::from(-&found[0]).recip() else { return Ok(None) };
    let coefficients = found[1..].iter().map(|c| &Rational::from(c.clone()) * &divisor).collect();
    Ok(Some(field.element(coefficients)))
}

/// An algebraic number to all places of the scale.
fn enclosed(number: &AlgebraicNumber, scale: Scale) -> Option<FixedPoint> {
    let precision = Precision::new(u32::try_from(scale.places + 32).ok()?);
    let (low, _) = number.enclosure(precision).bounds()?;
    Some(scale.rational(&low))
}
