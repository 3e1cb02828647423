//! Greatest common divisors over the rationals.
//!
//! Cheap facts first: contents, variables that only one side has, and the degrees of
//! univariate images, which prove most pairs coprime. What remains is interpolated from
//! images (sparse modular interpolation after Zippel, 1979) and verified by division; a
//! subresultant remainder sequence stands behind it. Every answer is proved: the degree
//! bounds hold for all common divisors, and the result divides both sides.

mod image;
mod interpolation;
mod prime_field;
mod remainder_sequence;

pub(super) use image::has_square_free_images;
use rustc_hash::FxBuildHasher;

use super::monomial::Monomial;
use super::sparse::Polynomial;
use crate::modular::Random;
use crate::{Budget, OrInternal, OutOfBudget, Rational};

/// A greatest common divisor and what is left of both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cofactors {
    /// The greatest common divisor.
    pub gcd: Polynomial,
    /// The first polynomial divided by it.
    pub first: Polynomial,
    /// The second polynomial divided by it.
    pub second: Polynomial,
}

/// The greatest common divisor: coprime integer coefficients, positive leading one.
///
/// `gcd(0, b)` is the primitive part of `b`; a nonzero constant makes it 1.
pub fn gcd(a: &Polynomial, b: &Polynomial, budget: &mut Budget) -> Result<Polynomial, OutOfBudget> {
    if a.is_zero() {
        return Ok(b.primitive_part());
    }
    if b.is_zero() {
        return Ok(a.primitive_part());
    }
    if a.is_constant() || b.is_constant() {
        return Ok(Polynomial::one());
    }
    let (p, q) = (a.monomial_content(), b.monomial_content());
    let common = p.gcd(&q);
    let strip = |f: &Polynomial, content: &Monomial| {
        let stripped = f.checked_div_monomial(content);
        stripped.or_internal("the monomial content divides").map(|f| f.primitive_part())
    };
    let g = primitive_gcd(&strip(a, &p)?, &strip(b, &q)?, budget)?;
    g.mul_term(&common, &Rational::ONE, budget)
}

/// The greatest common divisor with both cofactors; `0/0` counts as 0.
pub fn gcd_with_cofactors(
    a: &Polynomial,
    b: &Polynomial,
    budget: &mut Budget,
) -> Result<Cofactors, OutOfBudget> {
    let gcd = gcd(a, b, budget)?;
    if gcd.is_one() {
        return Ok(Cofactors { gcd, first: a.clone(), second: b.clone() });
    }
    if gcd.is_zero() {
        return Ok(Cofactors { gcd, first: Polynomial::zero(), second: Polynomial::zero() });
    }
    let first = a.div_exact(&gcd, budget)?;
    let second = b.div_exact(&gcd, budget)?;
    Ok(Cofactors { gcd, first, second })
}

/// The greatest common divisor of a list (0 for the empty list).
pub fn gcd_of_all(
    mut list: Vec<Polynomial>,
    budget: &mut Budget,
) -> Result<Polynomial, OutOfBudget> {
    list.sort_by_key(Polynomial::len);
    let mut result = Polynomial::zero();
    for polynomial in &list {
        if result.is_one() {
            break;
        }
        result = gcd(&result, polynomial, budget)?;
    }
    Ok(result)
}

/// The coefficients with respect to the variables *not* kept.
fn parts(polynomial: &Polynomial, keep: &[usize]) -> Vec<Polynomial> {
    let mut index: hashbrown::HashMap<Monomial, usize, FxBuildHasher> =
        hashbrown::HashMap::default();
    let mut groups: Vec<Vec<(Monomial, Rational)>> = Vec::new();
    for (monomial, coefficient) in polynomial.terms() {
        let mut kept = vec![0; monomial.exponents().len()];
        let mut rest = monomial.exponents().to_vec();
        for &variable in keep {
            if let (Some(k), Some(r)) = (kept.get_mut(variable), rest.get_mut(variable)) {
                std::mem::swap(k, r);
            }
        }
        let next = groups.len();
        let slot = *index.entry(Monomial::from_exponents(&rest)).or_insert(next);
        if slot == next {
            groups.push(Vec::new());
        }
        groups[slot].push((Monomial::from_exponents(&kept), coefficient.clone()));
    }
    groups.into_iter().map(Polynomial::from_terms).collect()
}

/// For primitive polynomials without monomial content.
fn primitive_gcd(
    a: &Polynomial,
    b: &Polynomial,
    budget: &mut Budget,
) -> Result<Polynomial, OutOfBudget> {
    if a.is_constant() || b.is_constant() {
        return Ok(Polynomial::one());
    }
    if a == b {
        return Ok(a.clone());
    }
    let (p, q) = (a.degrees(), b.degrees());
    let occurs = |degrees: &[u16], v: usize| degrees.get(v).is_some_and(|d| *d > 0);
    let all: Vec<usize> =
        (0..p.len().max(q.len())).filter(|&v| occurs(&p, v) || occurs(&q, v)).collect();
    let shared: Vec<usize> =
        all.iter().copied().filter(|&v| occurs(&p, v) && occurs(&q, v)).collect();
    let mut random = Random::new(0x6763_64ff ^ ((a.len() as u64) << 32) ^ b.len() as u64);
    let bounds = if shared.len() < all.len() {
        vec![0; shared.len()]
    } else {
        image::degree_bounds(a, b, &shared, &mut random, budget)?
    };
    let kept: Vec<usize> = if shared.len() < all.len() {
        shared.clone()
    } else {
        shared.iter().zip(&bounds).filter(|(_, d)| **d > 0).map(|(v, _)| *v).collect()
    };
    if kept.is_empty() {
        return Ok(Polynomial::one());
    }
    if kept.len() < all.len() {
        // The gcd is free of the other variables, so it divides every coefficient.
        let mut list = parts(a, &kept);
        list.extend(parts(b, &kept));
        return gcd_of_all(list, budget);
    }
    for (f, g, degrees) in [(a, b, &p), (b, a, &q)] {
        let full = kept.iter().zip(&bounds).all(|(&v, bound)| degrees[v] == *bound);
        if full && g.checked_div_exact(f, budget)?.is_some() {
            return Ok(f.clone());
        }
    }
    general_gcd(a, b, &kept, &bounds, &mut random, budget)
}

/// Both sides have the same variables and every degree bound is positive.
fn general_gcd(
    a: &Polynomial,
    b: &Polynomial,
    variables: &[usize],
    bounds: &[u16],
    random: &mut Random,
    budget: &mut Budget,
) -> Result<Polynomial, OutOfBudget> {
    // A main variable with a short leading coefficient keeps the interpolated multiple of
    // the gcd close to the gcd itself.
    let cost = |&(variable, bound): &(usize, u16)| {
        let (p, q) = (a.leading_coefficient_in(variable), b.leading_coefficient_in(variable));
        let size = |f: &Polynomial| if f.is_constant() { 0 } else { f.len() };
        (size(&p).min(size(&q)), std::cmp::Reverse(bound))
    };
    let pairs = variables.iter().copied().zip(bounds.iter().copied());
    let Some((main, _)) = pairs.clone().min_by_key(cost) else { return Ok(Polynomial::one()) };
    let (content_a, content_b) = (a.content_in(main, budget)?, b.content_in(main, budget)?);
    let content = gcd(&content_a, &content_b, budget)?;
    let without = |f: &Polynomial, content: &Polynomial, budget: &mut Budget| {
        Ok::<_, OutOfBudget>(f.div_exact(content, budget)?.primitive_part())
    };
    let (a, b) = (without(a, &content_a, budget)?, without(b, &content_b, budget)?);
    let degree_bounds: Vec<(usize, u16)> = pairs.collect();
    let found = interpolation::gcd_by_images(&a, &b, main, &degree_bounds, random, budget)?;
    let divisor = match found {
        Some(divisor) => divisor,
        None => remainder_sequence::gcd_by_remainders(&a, &b, main, budget)?,
    };
    Ok(divisor.mul(&content, budget)?.primitive_part())
}

/// The part of a polynomial that is primitive as a polynomial in one variable.
fn primitive_part_in(
    polynomial: &Polynomial,
    variable: usize,
    budget: &mut Budget,
) -> Result<Polynomial, OutOfBudget> {
    let content = polynomial.content_in(variable, budget)?;
    Ok(polynomial.div_exact(&content, budget)?.primitive_part())
}

#[cfg(test)]
mod tests;
