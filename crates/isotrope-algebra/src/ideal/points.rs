//! The real points of an ideal with finitely many zeros, exactly.

use super::engine::BasisEngine;
use super::{Ideal, IdealError};
use crate::number::field::{FieldElement, NumberField};
use crate::univariate::IntegerPolynomial;
use crate::{AlgebraicNumber, Budget, OutOfBudget, Polynomial, Rational};

/// The most zeros (over the complex numbers, with multiplicity) of an ideal that is solved.
const LIMIT: usize = 200;
/// Linear forms tried before an ideal is given up.
const FORMS: i64 = 12;

/// A common zero with real coordinates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RealPoint {
    /// The field of its coordinates.
    pub field: NumberField,
    /// The coordinates.
    pub coordinates: Vec<FieldElement>,
}

impl RealPoint {
    /// Are all coordinates rational?
    pub fn is_rational(&self) -> bool {
        self.coordinates.iter().all(|x| x.as_rational().is_some())
    }

    /// The value of a polynomial at the point.
    pub fn evaluate(
        &self,
        polynomial: &Polynomial,
        budget: &mut Budget,
    ) -> Result<FieldElement, OutOfBudget> {
        let degree = self.field.degree() as u64;
        let mut sum = FieldElement::zero();
        'terms: for (monomial, coefficient) in polynomial.terms() {
            budget.spend(degree * degree * monomial.degree().max(1), "evaluating at a point")?;
            let mut product = FieldElement::from(coefficient.clone());
            for variable in monomial.variables() {
                let value = self.coordinates.get(variable).filter(|value| !value.is_zero());
                let Some(value) = value else { continue 'terms };
                for _ in 0..monomial.exponent(variable) {
                    product = self.field.mul(&product, value);
                }
            }
            sum = self.field.add(&sum, &product);
        }
        Ok(sum)
    }

    /// The coordinates rounded.
    pub fn to_f64(&self) -> Vec<f64> {
        self.coordinates.iter().map(|x| self.field.to_f64(x).unwrap_or(f64::NAN)).collect()
    }
}

impl Ideal {
    /// The number of zeros over the complex numbers with their multiplicities; `None` if there
    /// are infinitely many, or more than are counted.
    pub fn degree(&self) -> Option<usize> {
        self.standard_monomials(LIMIT).map(|list| list.len())
    }

    /// All common zeros with real coordinates.
    ///
    /// A linear form that separates the zeros generates the quotient algebra of the radical, and
    /// every coordinate is a polynomial in it; the real roots of the irreducible factors of its
    /// minimal polynomial are the real points.
    pub fn real_points(
        &self,
        engine: &dyn BasisEngine,
        budget: &mut Budget,
    ) -> Result<Vec<RealPoint>, IdealError> {
        let too_many = IdealError::TooManyPoints { limit: LIMIT };
        let standard = self.standard_monomials(LIMIT).ok_or(too_many.clone())?;
        if standard.is_empty() {
            return Ok(Vec::new());
        }
        let radical = self.with_square_free_coordinates(engine, budget)?;
        let standard = radical.standard_monomials(LIMIT).ok_or(too_many.clone())?;
        for attempt in 0..FORMS {
            let form = linear_form(radical.variables(), attempt, budget)?;
            let mut powers = radical.minimal_polynomial(&form, &standard, budget)?;
            if powers.polynomial.degree() != Some(standard.len()) {
                continue;
            }
            let mut coordinates = Vec::with_capacity(radical.variables());
            for variable in 0..radical.variables() {
                let element = radical.normal_form(&Polynomial::variable(variable), budget)?;
                let vector = standard.iter().map(|m| element.coefficient(m)).collect();
                match powers.express(vector, budget)? {
                    Some(combination) => coordinates.push(combination),
                    None => break,
                }
            }
            if coordinates.len() == radical.variables() {
                return points(&powers.polynomial, &coordinates, budget);
            }
        }
        Err(too_many)
    }

    /// The radical (Seidenberg): the square-free parts of the minimal polynomials of the
    /// coordinates added.
    fn with_square_free_coordinates(
        &self,
        engine: &dyn BasisEngine,
        budget: &mut Budget,
    ) -> Result<Self, IdealError> {
        let standard =
            self.standard_monomials(LIMIT).ok_or(IdealError::TooManyPoints { limit: LIMIT })?;
        let mut further = Vec::new();
        for variable in 0..self.variables() {
            let x = Polynomial::variable(variable);
            let minimal = self.minimal_polynomial(&x, &standard, budget)?.polynomial;
            let simple = minimal.square_free_part(budget)?;
            if simple.degree() != minimal.degree() {
                further.push(in_variable(&simple, variable));
            }
        }
        if further.is_empty() { Ok(self.clone()) } else { self.extended(further, engine, budget) }
    }
}

/// Σ c^i x_i with c = 0 (one coordinate), 1, -1, 2, -2, …, the coordinate moved with it.
fn linear_form(
    variables: usize,
    attempt: i64,
    budget: &mut Budget,
) -> Result<Polynomial, crate::OutOfBudget> {
    let mut form = Polynomial::zero();
    for variable in 0..variables {
        let index = i64::try_from(variable).unwrap_or(i64::MAX);
        // Small coefficients without a pattern that a symmetric set of points could share.
        let factor = (index * (attempt + 1) + index * index * (attempt + 2)) % 7 - 3;
        let factor = if attempt == 0 && variable == 0 { 5 } else { factor };
        let term = Polynomial::variable(variable).scale(&Rational::integer(factor), budget)?;
        form = form.add(&term, budget)?;
    }
    Ok(form)
}

fn in_variable(polynomial: &IntegerPolynomial, variable: usize) -> Polynomial {
    Polynomial::from_terms(polynomial.coefficients().iter().enumerate().map(|(power, c)| {
        let power = u16::try_from(power).unwrap_or(u16::MAX);
        let value = Rational::from(c.clone());
        (crate::Monomial::power(variable, power), value)
    }))
}

/// One point for every real root.
fn points(
    minimal: &IntegerPolynomial,
    coordinates: &[Vec<Rational>],
    budget: &mut Budget,
) -> Result<Vec<RealPoint>, IdealError> {
    let mut found = Vec::new();
    for root in AlgebraicNumber::roots(minimal, budget)? {
        let extension = NumberField::rationals().adjoin(&root, budget)?;
        let field = extension.field;
        let coordinates =
            coordinates.iter().map(|x| field.evaluate(x, &extension.element)).collect();
        found.push(RealPoint { field, coordinates });
    }
    Ok(found)
}
