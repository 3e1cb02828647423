//! Functions of the states as polynomials over the field of the parameters.
//!
//! The generators of a normal form (symbols, sines, roots, …) fall into those that depend on a
//! state and those that do not. The first are the variables of the polynomials, the second
//! generate the field of coefficients. Terms keep one numbering for both.

use std::collections::BTreeMap;

use isotrope_algebra::normal::{AngleSplitting, Fraction, Generators};
use isotrope_algebra::{
    Budget, ExprId, Monomial, Polynomial, PolynomialOver, Pool, Rational, RationalFunction,
};

use super::PortError;

/// The most monomials of an ansatz.
const MONOMIALS: usize = 1000;

/// The generators of some functions.
pub(super) struct Ring {
    generators: Generators,
    /// For each generator: does it depend on a state?
    varies: Vec<bool>,
}

impl Ring {
    /// The functions as reduced fractions of polynomials in common generators.
    pub fn new(
        pool: &mut Pool,
        states: &[ExprId],
        functions: &[ExprId],
        budget: &mut Budget,
    ) -> Result<(Self, Vec<Fraction>), PortError> {
        let mut generators = Generators::new(pool, functions, AngleSplitting::Split, budget)?;
        let found = generators.fractions(pool, functions, budget)?.ok_or(PortError::Undefined)?;
        let mut reduced = Vec::with_capacity(found.len());
        for fraction in &found {
            reduced.push(generators.reduce(fraction, budget)?);
        }
        let list = generators.expressions().to_vec();
        let varies = list.iter().map(|&g| pool.depends_on(g, states)).collect();
        Ok((Self { generators, varies }, reduced))
    }

    /// The generators that depend on states, by their numbers.
    pub fn variables(&self) -> Vec<usize> {
        (0..self.varies.len()).filter(|&v| self.varies[v]).collect()
    }

    /// The number of generators.
    pub fn size(&self) -> usize {
        self.varies.len()
    }

    /// Are there relations between generators that do not vary, such as roots?
    pub fn relates_parameters(&self) -> bool {
        self.generators.rules().iter().any(|rule| !self.varies[rule.variable()])
    }

    /// What a generator stands for.
    pub fn expression_of(&self, variable: usize) -> ExprId {
        self.generators.expressions()[variable]
    }

    /// Rewrites with the relations between generators.
    pub fn reduce(&self, p: &Polynomial, budget: &mut Budget) -> Result<Polynomial, PortError> {
        Ok(p.reduce(self.generators.rules(), budget)?)
    }

    /// The relations `variable^power - replacement` between generators that vary.
    pub fn relations(&self, budget: &mut Budget) -> Result<Vec<Polynomial>, PortError> {
        let mut list = Vec::new();
        for rule in self.generators.rules().iter().filter(|rule| self.varies[rule.variable()]) {
            let power =
                Polynomial::term(Monomial::power(rule.variable(), rule.power()), Rational::ONE);
            list.push(power.sub(rule.replacement(), budget)?);
        }
        Ok(list)
    }

    /// The coefficient of every monomial in the variables: a polynomial in the parameters.
    pub fn split(&self, p: &Polynomial) -> BTreeMap<Monomial, Polynomial> {
        let mut groups: BTreeMap<Monomial, Vec<(Monomial, Rational)>> = BTreeMap::new();
        for (monomial, coefficient) in p.terms() {
            let exponents = monomial.exponents();
            let pick = |kind: bool| {
                let list = exponents.iter().zip(&self.varies);
                let list: Vec<u16> =
                    list.map(|(&e, &varies)| if varies == kind { e } else { 0 }).collect();
                Monomial::from_exponents(&list)
            };
            groups.entry(pick(true)).or_default().push((pick(false), coefficient.clone()));
        }
        groups.into_iter().map(|(m, terms)| (m, Polynomial::from_terms(terms))).collect()
    }

    /// The polynomial over the field of the parameters.
    pub fn over_parameters(
        &self,
        p: &Polynomial,
        budget: &mut Budget,
    ) -> Result<PolynomialOver<RationalFunction>, PortError> {
        let terms = self.split(p).into_iter().map(|(m, c)| (m, RationalFunction::from(c)));
        Ok(PolynomialOver::sum_of_terms(terms, budget)?)
    }

    /// All monomials of degrees up to `degree` in the given variables that no relation rewrites,
    /// lower degrees first.
    pub fn monomials(&self, variables: &[usize], degree: u32) -> Result<Vec<Monomial>, PortError> {
        let mut all = vec![Monomial::one()];
        let mut layer = vec![(0usize, Monomial::one())];
        for _ in 0..degree {
            let mut next = Vec::new();
            for (first, monomial) in &layer {
                for (place, &variable) in variables.iter().enumerate().skip(*first) {
                    let exponent = monomial.exponent(variable) + 1;
                    let rules = self.generators.rules();
                    if rules.iter().any(|r| r.variable() == variable && r.power() <= exponent) {
                        continue;
                    }
                    next.push((place, monomial.with_exponent(variable, exponent)));
                }
                if all.len() + next.len() > MONOMIALS {
                    return Err(PortError::TooLarge { limit: MONOMIALS });
                }
            }
            all.extend(next.iter().map(|(_, monomial)| monomial.clone()));
            layer = next;
        }
        Ok(all)
    }

    /// The expression of a polynomial.
    pub fn expression(&self, pool: &mut Pool, p: &Polynomial) -> ExprId {
        self.generators.polynomial_to_expression(pool, p)
    }

    /// The expression of a quotient.
    pub fn quotient(&self, pool: &mut Pool, f: &RationalFunction) -> ExprId {
        let fraction =
            Fraction { numerator: f.numerator().clone(), denominator: f.denominator().clone() };
        self.generators.to_expression(pool, &fraction)
    }

    /// `sum c_k m_k` as an expression.
    pub fn combination(&self, pool: &mut Pool, terms: &[(RationalFunction, Monomial)]) -> ExprId {
        let list: Vec<ExprId> = terms
            .iter()
            .map(|(c, m)| {
                let monomial = self.expression(pool, &Polynomial::term(m.clone(), Rational::ONE));
                let coefficient = self.quotient(pool, c);
                pool.mul(coefficient, monomial)
            })
            .collect();
        pool.sum(&list)
    }
}
