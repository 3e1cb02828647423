//! Derivatives, values, substitution and coefficients in one variable.

use super::field::Field;
use super::monomial::Monomial;
use super::sparse::{Polynomial, PolynomialOver, exponent_overflow};
use crate::{Budget, OutOfBudget, Rational, modular};

impl<F: Field> PolynomialOver<F> {
    /// The partial derivative.
    pub fn derivative(&self, variable: usize, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        budget.spend(self.len() as u64, "differentiating a polynomial")?;
        let mut terms = Vec::new();
        for (monomial, coefficient) in self.terms() {
            let exponent = monomial.exponent(variable);
            if exponent > 0 {
                let factor = F::from_rational(Rational::integer(exponent.into()));
                let lowered = monomial.with_exponent(variable, exponent - 1);
                terms.push((lowered, coefficient.times(&factor, budget)?));
            }
        }
        // The terms with this variable keep their order when divided by it.
        Ok(Self::from_sorted(terms))
    }

    /// The value at a point; variables beyond its end are taken as zero.
    pub fn evaluate(&self, point: &[F], budget: &mut Budget) -> Result<F, OutOfBudget> {
        let mut powers: Vec<Vec<F>> = point.iter().map(|_| vec![F::one()]).collect();
        let mut sum = F::zero();
        for (monomial, coefficient) in self.terms() {
            if monomial.exponents().len() > point.len() {
                continue;
            }
            let mut value = coefficient.clone();
            for index in monomial.variables() {
                let exponent = usize::from(monomial.exponent(index));
                let table = &mut powers[index];
                while table.len() <= exponent {
                    budget.spend(1, "evaluating a polynomial")?;
                    let next = match table.last() {
                        Some(last) => last.times(&point[index], budget)?,
                        None => F::one(),
                    };
                    table.push(next);
                }
                budget.spend(1, "evaluating a polynomial")?;
                value = value.times(&table[exponent], budget)?;
            }
            sum = sum.plus(&value, budget)?;
        }
        Ok(sum)
    }

    /// Replaces a variable by a polynomial.
    pub fn substitute(
        &self,
        variable: usize,
        replacement: &Self,
        budget: &mut Budget,
    ) -> Result<Self, OutOfBudget> {
        let coefficients = self.coefficients_in(variable);
        let mut result = Self::zero();
        for (position, (exponent, coefficient)) in coefficients.iter().enumerate() {
            result = result.add(coefficient, budget)?;
            let next = coefficients.get(position + 1).map_or(0, |(next, _)| *next);
            for _ in next..*exponent {
                result = result.mul(replacement, budget)?;
            }
        }
        Ok(result)
    }

    /// The nonzero coefficients as a polynomial in one variable, with their exponents,
    /// highest first.
    pub fn coefficients_in(&self, variable: usize) -> Vec<(u16, Self)> {
        let mut groups: Vec<Vec<(Monomial, F)>> = Vec::new();
        for (monomial, coefficient) in self.terms() {
            let exponent = monomial.exponent(variable);
            let slot = usize::from(exponent);
            if slot >= groups.len() {
                groups.resize_with(slot + 1, Vec::new);
            }
            // Terms with equal powers of one variable keep their order without it.
            groups[slot].push((monomial.with_exponent(variable, 0), coefficient.clone()));
        }
        let groups = (0..=u16::MAX).zip(groups).filter(|(_, terms)| !terms.is_empty());
        let mut list: Vec<_> = groups.map(|(e, terms)| (e, Self::from_sorted(terms))).collect();
        list.reverse();
        list
    }

    /// The coefficient of `variable^exponent`.
    pub fn coefficient_in(&self, variable: usize, exponent: u16) -> Self {
        let terms = self.terms().iter().filter(|(m, _)| m.exponent(variable) == exponent);
        Self::from_sorted(terms.map(|(m, c)| (m.with_exponent(variable, 0), c.clone())).collect())
    }

    /// The coefficient of the highest power of a variable.
    pub fn leading_coefficient_in(&self, variable: usize) -> Self {
        self.coefficient_in(variable, self.degree_in(variable))
    }

    /// `sum coefficient variable^exponent`.
    pub fn from_coefficients_in(
        variable: usize,
        coefficients: &[(u16, Self)],
        budget: &mut Budget,
    ) -> Result<Self, OutOfBudget> {
        let mut terms = Vec::new();
        for (exponent, coefficient) in coefficients {
            let power = Monomial::power(variable, *exponent);
            for (m, c) in coefficient.terms() {
                let monomial = m.checked_mul(&power).ok_or_else(|| exponent_overflow(budget))?;
                terms.push((monomial, c.clone()));
            }
        }
        Self::sum_of_terms(terms, budget)
    }
}

impl Polynomial {
    /// The value modulo a prime (below 2^63) at a point of residues; variables beyond its
    /// end are taken as zero. `None` when the prime divides a denominator.
    pub fn evaluate_modulo(&self, point: &[u64], prime: u64) -> Option<u64> {
        let mut sum = 0;
        for (monomial, coefficient) in self.terms() {
            let mut value = coefficient.modulo(prime)?;
            if monomial.exponents().len() > point.len() {
                continue;
            }
            for index in monomial.variables() {
                let power = modular::pow(point[index], monomial.exponent(index).into(), prime);
                value = modular::mul(value, power, prime);
            }
            sum = modular::add(sum, value, prime);
        }
        Some(sum)
    }
}
