//! Polynomials whose coefficients are rational functions of parameters.
//!
//! The variables of the coefficients and those of the polynomial are counted separately;
//! for a gcd both move into one polynomial over the rationals, parameters first.

use super::gcd::gcd;
use super::monomial::Monomial;
use super::rational_function::{RationalFunction, lcm};
use super::sparse::{Polynomial, PolynomialOver, exponent_overflow};
use crate::{Budget, OutOfBudget, Rational};

impl PolynomialOver<RationalFunction> {
    /// One past the largest parameter index in the coefficients.
    fn parameter_count(&self) -> usize {
        let length = |f: &Polynomial| f.degrees().len();
        let counts =
            self.terms().iter().map(|(_, c)| length(c.numerator()).max(length(c.denominator())));
        counts.max().unwrap_or(0)
    }

    /// The least common denominator `d` of the coefficients, and `d self` as a polynomial
    /// over the rationals in which variable `i` has the index `parameters + i`.
    pub fn clear_denominators(
        &self,
        parameters: usize,
        budget: &mut Budget,
    ) -> Result<(Polynomial, Polynomial), OutOfBudget> {
        let mut denominator = Polynomial::one();
        for (_, coefficient) in self.terms() {
            denominator = lcm(&denominator, coefficient.denominator(), budget)?;
        }
        let mut terms = Vec::new();
        for (monomial, coefficient) in self.terms() {
            let mut exponents = vec![0; parameters];
            exponents.extend_from_slice(monomial.exponents());
            let shifted = Monomial::from_exponents(&exponents);
            let rest = denominator.div_exact(coefficient.denominator(), budget)?;
            let cleared = coefficient.numerator().mul(&rest, budget)?;
            for (m, c) in cleared.into_terms() {
                let product = m.checked_mul(&shifted).ok_or_else(|| exponent_overflow(budget))?;
                terms.push((product, c));
            }
        }
        Ok((denominator, Polynomial::sum_of_terms(terms, budget)?))
    }

    /// Reads the variables below `parameters` as parameters and renumbers the others from 0.
    pub fn from_joint(
        polynomial: &Polynomial,
        parameters: usize,
        budget: &mut Budget,
    ) -> Result<Self, OutOfBudget> {
        let mut groups: hashbrown::HashMap<Monomial, Vec<(Monomial, Rational)>> =
            hashbrown::HashMap::new();
        for (monomial, coefficient) in polynomial.terms() {
            let exponents = monomial.exponents();
            let (below, above) = exponents.split_at(parameters.min(exponents.len()));
            let group = groups.entry(Monomial::from_exponents(above)).or_default();
            group.push((Monomial::from_exponents(below), coefficient.clone()));
        }
        let terms = groups.into_iter().map(|(monomial, list)| {
            (monomial, RationalFunction::from(Polynomial::from_terms(list)))
        });
        Self::sum_of_terms(terms, budget)
    }

    /// The monic greatest common divisor over the field of the parameters.
    pub fn gcd(&self, other: &Self, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        let parameters = self.parameter_count().max(other.parameter_count());
        let (_, a) = self.clear_denominators(parameters, budget)?;
        let (_, b) = other.clear_denominators(parameters, budget)?;
        Self::from_joint(&gcd(&a, &b, budget)?, parameters, budget)?.monic(budget)
    }
}

#[cfg(test)]
mod tests {
    use super::super::MonomialOrder;
    use super::super::strategies::{any_over_parameters, unlimited};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn clearing_denominators_and_reading_back_is_the_identity(f in any_over_parameters()) {
            let budget = &mut unlimited();
            let (denominator, joint) = f.clear_denominators(2, budget).unwrap();
            let back = PolynomialOver::from_joint(&joint, 2, budget).unwrap();
            let scaled = f.scale(&RationalFunction::from(denominator), budget).unwrap();
            prop_assert_eq!(back, scaled);
        }

        #[test]
        fn a_common_factor_with_parameters_is_found(
            f in any_over_parameters(), g in any_over_parameters(), h in any_over_parameters()
        ) {
            let budget = &mut unlimited();
            let (a, b) = (f.mul(&h, budget).unwrap(), g.mul(&h, budget).unwrap());
            let common = a.gcd(&b, budget).unwrap();
            let expected = f.gcd(&g, budget).unwrap().mul(&h, budget).unwrap();
            prop_assert_eq!(common, expected.monic(budget).unwrap());
        }

        #[test]
        fn division_by_a_list_adds_up(
            f in any_over_parameters(), g in any_over_parameters(), h in any_over_parameters()
        ) {
            let budget = &mut unlimited();
            let product = f.mul(&g, budget).unwrap();
            if !g.is_zero() {
                prop_assert_eq!(product.checked_div_exact(&g, budget).unwrap(), Some(f.clone()));
            }
            let divisors = [g, h];
            let order = MonomialOrder::Lex;
            let (quotients, remainder) = f.div_rem_by_all(&divisors, order, budget).unwrap();
            let mut sum = remainder;
            for (quotient, divisor) in quotients.iter().zip(&divisors) {
                sum = sum.add(&quotient.mul(divisor, budget).unwrap(), budget).unwrap();
            }
            prop_assert_eq!(sum, f);
        }
    }
}
