//! Lifting a factorisation modulo a prime to one modulo a high power of it.

use dashu_int::IBig;

use super::IntegerPolynomial;
use super::prime_field::PrimePolynomial;
use crate::{Budget, OutOfBudget};

/// Monic factors modulo `modulus`, whose product times the leading coefficient is the polynomial.
pub(super) struct LiftedFactors {
    pub(super) factors: Vec<IntegerPolynomial>,
    pub(super) modulus: IBig,
}

/// Lifts the monic factors modulo a prime until the modulus exceeds `bound`.
///
/// Quadratic lifting, one factor split off at a time
/// (von zur Gathen, Gerhard, *Modern Computer Algebra*, algorithm 15.10).
pub(super) fn lift(
    polynomial: &IntegerPolynomial,
    factors: &[PrimePolynomial],
    bound: &IBig,
    budget: &mut Budget,
) -> Result<LiftedFactors, OutOfBudget> {
    let prime = factors.first().map_or(2, |factor| factor.prime);
    let mut lifted = Vec::with_capacity(factors.len());
    let mut rest = polynomial.clone();
    let mut rest_factors = factors;
    let mut modulus = IBig::from(prime);
    while modulus <= *bound {
        modulus = &modulus * &modulus;
    }
    while let [first, others @ ..] = rest_factors {
        if others.is_empty() {
            lifted.push(monic(&rest, &modulus));
            break;
        }
        let lead = super::prime_field::residue(&rest.leading(), prime);
        let cofactor = others
            .iter()
            .fold(PrimePolynomial::constant(lead, prime), |product, factor| product.mul(factor));
        let (head, tail) = split(&rest, &cofactor, first, &modulus, budget)?;
        lifted.push(head);
        rest = tail;
        rest_factors = others;
    }
    Ok(LiftedFactors { factors: lifted, modulus })
}

/// Lifts `f = g h` (`h` monic) and returns `(h, g)` modulo `target`.
fn split(
    f: &IntegerPolynomial,
    g: &PrimePolynomial,
    h: &PrimePolynomial,
    target: &IBig,
    budget: &mut Budget,
) -> Result<(IntegerPolynomial, IntegerPolynomial), OutOfBudget> {
    let Some((s, t)) = g.bezout(h) else {
        // The factors of a square-free polynomial are coprime.
        return Ok((h.lift(), g.lift()));
    };
    let mut modulus = IBig::from(g.prime);
    let (mut g, mut h, mut s, mut t) = (g.lift(), h.lift(), s.lift(), t.lift());
    let one = IntegerPolynomial::one();
    while modulus < *target {
        budget.spend(8 * (f.len() * f.len()) as u64, "lifting factors")?;
        modulus = &modulus * &modulus;
        let m = &modulus;
        let e = reduce(&f.sub(&g.mul(&h)), m);
        let (q, r) = div_rem_monic(&reduce(&s.mul(&e), m), &h, m);
        let next_g = reduce(&g.add(&t.mul(&e)).add(&q.mul(&g)), m);
        let next_h = reduce(&h.add(&r), m);
        let b = reduce(&s.mul(&next_g).add(&t.mul(&next_h)).sub(&one), m);
        let (c, d) = div_rem_monic(&reduce(&s.mul(&b), m), &next_h, m);
        s = reduce(&s.sub(&d), m);
        t = reduce(&t.sub(&t.mul(&b)).sub(&c.mul(&next_g)), m);
        (g, h) = (next_g, next_h);
    }
    Ok((h, g))
}

/// Coefficients in `[0, modulus)`.
pub(super) fn reduce(polynomial: &IntegerPolynomial, modulus: &IBig) -> IntegerPolynomial {
    let residue = |c: &IBig| {
        let rest = c % modulus;
        if rest < IBig::ZERO { rest + modulus } else { rest }
    };
    IntegerPolynomial::new(polynomial.coefficients().iter().map(residue).collect())
}

fn div_rem_monic(
    dividend: &IntegerPolynomial,
    divisor: &IntegerPolynomial,
    modulus: &IBig,
) -> (IntegerPolynomial, IntegerPolynomial) {
    let Some(steps) = (dividend.len() + 1).checked_sub(divisor.len()) else {
        return (IntegerPolynomial::zero(), dividend.clone());
    };
    let mut rest = dividend.clone().into_coefficients();
    let mut quotient = vec![IBig::ZERO; steps];
    for k in (0..steps).rev() {
        let Some(top) = rest.get(k + divisor.len() - 1) else { continue };
        let q = top % modulus;
        if q.is_zero() {
            continue;
        }
        for (j, d) in divisor.coefficients().iter().enumerate() {
            rest[k + j] -= &q * d;
        }
        quotient[k] = q;
    }
    let quotient = reduce(&IntegerPolynomial::new(quotient), modulus);
    (quotient, reduce(&IntegerPolynomial::new(rest), modulus))
}

/// Divided by the leading coefficient modulo `modulus`.
fn monic(polynomial: &IntegerPolynomial, modulus: &IBig) -> IntegerPolynomial {
    let inverse = inverse(&polynomial.leading(), modulus);
    reduce(&polynomial.scale(&inverse), modulus)
}

/// The inverse of a unit (by the extended Euclidean algorithm).
fn inverse(value: &IBig, modulus: &IBig) -> IBig {
    let (mut r0, mut r1) = (modulus.clone(), value % modulus);
    let (mut t0, mut t1) = (IBig::ZERO, IBig::ONE);
    while !r1.is_zero() {
        let q = &r0 / &r1;
        let r = &r0 - &q * &r1;
        (r0, r1) = (r1, r);
        let t = &t0 - &q * &t1;
        (t0, t1) = (t1, t);
    }
    if r0 < IBig::ZERO { -t0 } else { t0 }
}
