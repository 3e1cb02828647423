//! Euclid's algorithm: inverses modulo a polynomial, and common divisors over a number field.

use super::{AlgebraicError, FieldElement, NumberField};
use crate::univariate::IntegerPolynomial;
use crate::{Budget, OutOfBudget, Rational};

fn trim(polynomial: &mut Vec<Rational>) {
    while polynomial.last().is_some_and(Rational::is_zero) {
        polynomial.pop();
    }
}

/// Quotient and remainder of polynomials over the rationals; the divisor is not zero.
fn div_rem(mut rest: Vec<Rational>, divisor: &[Rational]) -> (Vec<Rational>, Vec<Rational>) {
    let Some(inverse) = divisor.last().and_then(Rational::recip) else {
        return (Vec::new(), rest);
    };
    let steps = (rest.len() + 1).saturating_sub(divisor.len());
    let mut quotient = vec![Rational::ZERO; steps];
    for k in (0..steps).rev() {
        let q = &rest[k + divisor.len() - 1] * &inverse;
        for (value, d) in rest[k..].iter_mut().zip(divisor) {
            *value = &*value - &(&q * d);
        }
        quotient[k] = q;
    }
    trim(&mut rest);
    (quotient, rest)
}

/// The inverse of a polynomial modulo an irreducible one; `None` for zero.
pub(super) fn inverse(element: &[Rational], modulus: &IntegerPolynomial) -> Option<Vec<Rational>> {
    let modulus: Vec<Rational> =
        modulus.coefficients().iter().map(|c| Rational::from(c.clone())).collect();
    let (mut r0, mut r1) = (modulus, element.to_vec());
    trim(&mut r1);
    let (mut t0, mut t1) = (Vec::new(), vec![Rational::ONE]);
    while r1.len() > 1 {
        let (quotient, rest) = div_rem(r0, &r1);
        // t0 - quotient t1.
        let mut next: Vec<Rational> = t0;
        next.resize(next.len().max(quotient.len() + t1.len()), Rational::ZERO);
        for (i, q) in quotient.iter().enumerate() {
            for (j, t) in t1.iter().enumerate() {
                next[i + j] = &next[i + j] - &(q * t);
            }
        }
        trim(&mut next);
        (r0, r1) = (r1, rest);
        (t0, t1) = (t1, next);
        // A remainder without its content is a subresultant up to a small factor: the numbers
        // grow linearly, not with the square of the number of steps.
        let content = r1.iter().fold(Rational::ZERO, |content, c| content.gcd(c));
        if let Some(inverse) = content.recip() {
            for value in r1.iter_mut().chain(&mut t1) {
                *value = &*value * &inverse;
            }
        }
    }
    let scale = r1.first()?.recip()?;
    Some(t1.iter().map(|t| t * &scale).collect())
}

/// The monic greatest common divisor of two polynomials over a number field.
pub(super) fn gcd(
    field: &NumberField,
    a: Vec<FieldElement>,
    b: Vec<FieldElement>,
    budget: &mut Budget,
) -> Result<Vec<FieldElement>, OutOfBudget> {
    let (mut a, mut b) = (monic(field, a), monic(field, b));
    while !b.is_empty() {
        // Products of long numbers and, on the way, an inverse whose numbers are longer by the
        // degree of the field; fractions are cancelled in quadratic time.
        let n = field.degree() as u64;
        let bits = a.iter().chain(&b).map(FieldElement::bits).max().unwrap_or(0);
        let words = 1 + bits / 64;
        let effort = words.saturating_add(words.saturating_mul(words) / 8);
        let products = (a.len() * b.len()) as u64 * n * n;
        let operations = (products + n * n * n).saturating_mul(effort);
        budget.spend(operations, "dividing polynomials over a number field")?;
        let steps = (a.len() + 1).saturating_sub(b.len());
        for k in (0..steps).rev() {
            let Some(q) = a.get(k + b.len() - 1).filter(|q| !q.is_zero()).cloned() else {
                continue;
            };
            for (value, d) in a[k..].iter_mut().zip(&b) {
                *value = field.sub(value, &field.mul(&q, d));
            }
        }
        let rest = monic(field, a);
        (a, b) = (b, rest);
    }
    Ok(a)
}

/// Divided by the leading coefficient, without leading zeros.
fn monic(field: &NumberField, mut polynomial: Vec<FieldElement>) -> Vec<FieldElement> {
    while polynomial.last().is_some_and(FieldElement::is_zero) {
        polynomial.pop();
    }
    let inverse: Result<FieldElement, AlgebraicError> =
        polynomial.last().map_or(Ok(FieldElement::one()), |lead| field.inverse(lead));
    if let Ok(inverse) = inverse
        && !inverse.is_one()
    {
        for value in &mut polynomial {
            *value = field.mul(value, &inverse);
        }
    }
    polynomial
}
