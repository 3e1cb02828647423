//! Quotients of polynomials in lowest terms.

use super::field::Field;
use super::gcd::{gcd, gcd_with_cofactors};
use super::sparse::Polynomial;
use crate::{Budget, OutOfBudget, Rational};

/// A rational function over the rationals: coprime numerator and denominator, the
/// denominator with coprime integer coefficients and a positive leading one. This form is
/// unique, so equality is structural.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RationalFunction {
    numerator: Polynomial,
    denominator: Polynomial,
}

impl RationalFunction {
    /// Zero.
    pub fn zero() -> Self {
        Self::from(Polynomial::zero())
    }

    /// One.
    pub fn one() -> Self {
        Self::from(Polynomial::one())
    }

    /// A constant.
    pub fn constant(value: Rational) -> Self {
        Self::from(Polynomial::constant(value))
    }

    /// The variable with the given index.
    pub fn variable(index: usize) -> Self {
        Self::from(Polynomial::variable(index))
    }

    /// `numerator / denominator` in lowest terms; `None` when the denominator is zero.
    pub fn new(
        numerator: Polynomial,
        denominator: Polynomial,
        budget: &mut Budget,
    ) -> Result<Option<Self>, OutOfBudget> {
        if denominator.is_zero() {
            return Ok(None);
        }
        let parts = gcd_with_cofactors(&numerator, &denominator, budget)?;
        Ok(Some(Self::from_coprime(parts.first, parts.second)))
    }

    /// Moves the content of a nonzero denominator to a numerator coprime to it.
    fn from_coprime(numerator: Polynomial, denominator: Polynomial) -> Self {
        if numerator.is_zero() {
            return Self::zero();
        }
        match denominator.content().recip() {
            Some(inverse) if !inverse.is_one() => Self {
                numerator: numerator.map_coefficients(|c| c * &inverse),
                denominator: denominator.map_coefficients(|c| c * &inverse),
            },
            _ => Self { numerator, denominator },
        }
    }

    /// The numerator (carries sign and rational content).
    pub fn numerator(&self) -> &Polynomial {
        &self.numerator
    }

    /// The denominator (coprime integer coefficients, positive leading one).
    pub fn denominator(&self) -> &Polynomial {
        &self.denominator
    }

    /// Is it zero?
    pub fn is_zero(&self) -> bool {
        self.numerator.is_zero()
    }

    /// The polynomial, if it is one.
    pub fn as_polynomial(&self) -> Option<&Polynomial> {
        self.denominator.is_one().then_some(&self.numerator)
    }

    /// The value, if it is free of variables.
    pub fn as_constant(&self) -> Option<Rational> {
        self.as_polynomial()?.as_constant()
    }

    /// The opposite.
    #[must_use]
    pub fn negate(&self) -> Self {
        Self { numerator: self.numerator.negate(), denominator: self.denominator.clone() }
    }

    /// The sum (Henrici's way: the gcds are those of the denominators).
    pub fn add(&self, other: &Self, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        if self.denominator == other.denominator {
            let sum = self.numerator.add(&other.numerator, budget)?;
            if self.denominator.is_one() {
                return Ok(Self::from(sum));
            }
            let parts = gcd_with_cofactors(&sum, &self.denominator, budget)?;
            return Ok(Self::from_coprime(parts.first, parts.second));
        }
        let denominators = gcd_with_cofactors(&self.denominator, &other.denominator, budget)?;
        let left = self.numerator.mul(&denominators.second, budget)?;
        let right = other.numerator.mul(&denominators.first, budget)?;
        let sum = left.add(&right, budget)?;
        // Only factors of the common part of the denominators can cancel.
        let parts = gcd_with_cofactors(&sum, &denominators.gcd, budget)?;
        let denominator = denominators.first.mul(&denominators.second, budget)?;
        Ok(Self::from_coprime(parts.first, denominator.mul(&parts.second, budget)?))
    }

    /// The difference.
    pub fn sub(&self, other: &Self, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        self.add(&other.negate(), budget)
    }

    /// The product.
    pub fn mul(&self, other: &Self, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        if self.is_zero() || other.is_zero() {
            return Ok(Self::zero());
        }
        let one_way = gcd_with_cofactors(&self.numerator, &other.denominator, budget)?;
        let other_way = gcd_with_cofactors(&other.numerator, &self.denominator, budget)?;
        let numerator = one_way.first.mul(&other_way.first, budget)?;
        Ok(Self::from_coprime(numerator, one_way.second.mul(&other_way.second, budget)?))
    }

    /// `1/self`; `None` for zero.
    pub fn recip(&self) -> Option<Self> {
        (!self.is_zero())
            .then(|| Self::from_coprime(self.denominator.clone(), self.numerator.clone()))
    }

    /// The quotient; `None` when the divisor is zero.
    pub fn checked_div(
        &self,
        divisor: &Self,
        budget: &mut Budget,
    ) -> Result<Option<Self>, OutOfBudget> {
        match divisor.recip() {
            Some(inverse) => self.mul(&inverse, budget).map(Some),
            None => Ok(None),
        }
    }

    /// `self^exponent`; `None` for a negative power of zero.
    pub fn powi(&self, exponent: i32, budget: &mut Budget) -> Result<Option<Self>, OutOfBudget> {
        let count = exponent.unsigned_abs();
        let power = Self {
            numerator: self.numerator.powi(count, budget)?,
            denominator: self.denominator.powi(count, budget)?,
        };
        Ok(if exponent < 0 { power.recip() } else { Some(power) })
    }

    /// The partial derivative.
    pub fn derivative(&self, variable: usize, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        let numerator = self.numerator.derivative(variable, budget)?;
        if self.denominator.degree_in(variable) == 0 {
            let parts = gcd_with_cofactors(&numerator, &self.denominator, budget)?;
            return Ok(Self::from_coprime(parts.first, parts.second));
        }
        // With d = g s, d' = g t: (n/d)' = (n' s - n t) / (d s).
        let slope = self.denominator.derivative(variable, budget)?;
        let parts = gcd_with_cofactors(&self.denominator, &slope, budget)?;
        let left = numerator.mul(&parts.first, budget)?;
        let right = self.numerator.mul(&parts.second, budget)?;
        let denominator = self.denominator.mul(&parts.first, budget)?;
        let reduced = gcd_with_cofactors(&left.sub(&right, budget)?, &denominator, budget)?;
        Ok(Self::from_coprime(reduced.first, reduced.second))
    }

    /// The value at a point; `None` at a pole. Variables beyond its end are taken as zero.
    pub fn evaluate(
        &self,
        point: &[Rational],
        budget: &mut Budget,
    ) -> Result<Option<Rational>, OutOfBudget> {
        let denominator = self.denominator.evaluate(point, budget)?;
        Ok(self.numerator.evaluate(point, budget)?.checked_div(&denominator))
    }

    /// The value modulo a prime (below 2^63); `None` at a pole or when the prime divides a
    /// denominator of a coefficient.
    pub fn evaluate_modulo(&self, point: &[u64], prime: u64) -> Option<u64> {
        let numerator = self.numerator.evaluate_modulo(point, prime)?;
        let denominator = self.denominator.evaluate_modulo(point, prime)?;
        let inverse = crate::modular::inverse(denominator, prime)?;
        Some(crate::modular::mul(numerator, inverse, prime))
    }

    /// Replaces a variable by a rational function; `None` when a denominator vanishes.
    pub fn substitute(
        &self,
        variable: usize,
        replacement: &Self,
        budget: &mut Budget,
    ) -> Result<Option<Self>, OutOfBudget> {
        let at = |f: &Polynomial, budget: &mut Budget| {
            let coefficients = f.coefficients_in(variable);
            let mut result = Self::zero();
            for (position, (exponent, coefficient)) in coefficients.iter().enumerate() {
                result = result.add(&Self::from(coefficient.clone()), budget)?;
                let next = coefficients.get(position + 1).map_or(0, |(next, _)| *next);
                for _ in next..*exponent {
                    result = result.mul(replacement, budget)?;
                }
            }
            Ok::<_, OutOfBudget>(result)
        };
        at(&self.numerator, budget)?.checked_div(&at(&self.denominator, budget)?, budget)
    }
}

/// The least common multiple, with the normalisation of [`gcd`] (0 if either is 0).
pub(super) fn lcm(
    a: &Polynomial,
    b: &Polynomial,
    budget: &mut Budget,
) -> Result<Polynomial, OutOfBudget> {
    let common = gcd(a, b, budget)?;
    if common.is_zero() {
        return Ok(common);
    }
    let rest = b.div_exact(&common, budget)?;
    Ok(a.mul(&rest, budget)?.primitive_part())
}

impl From<Polynomial> for RationalFunction {
    fn from(numerator: Polynomial) -> Self {
        Self { numerator, denominator: Polynomial::one() }
    }
}

impl Default for RationalFunction {
    fn default() -> Self {
        Self::zero()
    }
}

impl Field for RationalFunction {
    fn zero() -> Self {
        Self::zero()
    }
    fn one() -> Self {
        Self::one()
    }
    fn from_rational(value: Rational) -> Self {
        Self::constant(value)
    }
    fn is_zero(&self) -> bool {
        self.is_zero()
    }
    fn is_one(&self) -> bool {
        self.numerator.is_one() && self.denominator.is_one()
    }
    fn negate(&self) -> Self {
        self.negate()
    }
    fn plus(&self, other: &Self, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        self.add(other, budget)
    }
    fn times(&self, other: &Self, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        self.mul(other, budget)
    }
    fn reciprocal(&self) -> Option<Self> {
        self.recip()
    }
}

#[cfg(test)]
mod tests {
    use super::super::strategies::{any_rational_function, unlimited};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rational_functions_are_a_field(
            a in any_rational_function(), b in any_rational_function(), c in any_rational_function()
        ) {
            let budget = &mut unlimited();
            let left = a.mul(&b.add(&c, budget).unwrap(), budget).unwrap();
            let right = a.mul(&b, budget).unwrap();
            let right = right.add(&a.mul(&c, budget).unwrap(), budget).unwrap();
            prop_assert_eq!(left, right);
            prop_assert!(a.sub(&a, budget).unwrap().is_zero());
            if let Some(inverse) = a.recip() {
                prop_assert_eq!(a.mul(&inverse, budget).unwrap(), RationalFunction::one());
            }
            let again = RationalFunction::new(a.numerator.clone(), a.denominator.clone(), budget);
            prop_assert_eq!(again.unwrap().unwrap(), a);
        }

        #[test]
        fn the_derivative_obeys_the_product_and_quotient_rules(
            a in any_rational_function(), b in any_rational_function()
        ) {
            let budget = &mut unlimited();
            let (da, db) = (a.derivative(0, budget).unwrap(), b.derivative(0, budget).unwrap());
            let left = a.mul(&b, budget).unwrap().derivative(0, budget).unwrap();
            let right = da.mul(&b, budget).unwrap();
            let right = right.add(&a.mul(&db, budget).unwrap(), budget).unwrap();
            prop_assert_eq!(left, right);
            if let Some(quotient) = a.checked_div(&b, budget).unwrap() {
                let top = da.mul(&b, budget).unwrap();
                let top = top.sub(&a.mul(&db, budget).unwrap(), budget).unwrap();
                let square = b.powi(2, budget).unwrap().unwrap();
                let right = top.checked_div(&square, budget).unwrap().unwrap();
                prop_assert_eq!(quotient.derivative(0, budget).unwrap(), right);
            }
        }

        #[test]
        fn evaluation_and_substitution_agree_with_arithmetic(
            a in any_rational_function(), b in any_rational_function(), p in -7i64..7, q in -7i64..7
        ) {
            let budget = &mut unlimited();
            let point = [p, q, 3].map(Rational::integer);
            let values = (a.evaluate(&point, budget).unwrap(), b.evaluate(&point, budget).unwrap());
            if let (Some(x), Some(y)) = values {
                let sum = a.add(&b, budget).unwrap().evaluate(&point, budget).unwrap();
                prop_assert_eq!(sum, Some(&x + &y));
                let prime = crate::modular::PRIME;
                let residues: Vec<u64> = point.iter().map(|c| c.modulo(prime).unwrap()).collect();
                prop_assert_eq!(a.evaluate_modulo(&residues, prime), x.modulo(prime));
                // a(b(point), q, 3) by two roads.
                if let Some(composed) = a.substitute(0, &b, budget).unwrap() {
                    let inner = [y, point[1].clone(), point[2].clone()];
                    let outer = a.evaluate(&inner, budget).unwrap();
                    if outer.is_some() {
                        prop_assert_eq!(composed.evaluate(&point, budget).unwrap(), outer);
                    }
                }
            }
        }
    }
}
