//! Proofs: a point in a number field at which polynomials vanish, exactly.

use isotrope_algebra::number::field::{FieldElement, FieldError, NumberField};
use isotrope_algebra::polynomial::Polynomial;
use isotrope_algebra::{Budget, OutOfBudget, Rational};

use super::polish::Polished;
use super::recognise;
use crate::construct::SymbolicTables;
use crate::methods::table::Coefficients;

/// A point with coordinates in one number field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExactPoint {
    /// The field.
    pub field: NumberField,
    /// By variable.
    pub values: Vec<FieldElement>,
}

/// Why a numerical solution is not proved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unproved {
    /// No simple values of coordinates were found that leave finitely many solutions.
    #[error(
        "it lies on a set of solutions of dimension {dimension}, and no simple point was found"
    )]
    NotIsolated {
        /// The dimension that is left.
        dimension: usize,
    },
    /// Newton's method does not converge: a multiple solution, or none.
    #[error("it could not be computed to more digits: a multiple solution, or none")]
    NotSimple,
    /// A coordinate is no number of a small degree and height.
    #[error("coordinate {variable} was not recognised as an algebraic number")]
    NotRecognised {
        /// The variable.
        variable: usize,
    },
    /// The coordinates do not fit one field.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// The recognised numbers are no solution.
    #[error("polynomial {polynomial} does not vanish at the numbers that were recognised")]
    Refuted {
        /// The first polynomial that does not vanish.
        polynomial: usize,
    },
}

/// Recognises all coordinates, in one field.
pub(super) fn recognise(
    polished: &Polished,
    fixed: &[Option<Rational>],
    max_degree: usize,
    budget: &mut Budget,
) -> Result<ExactPoint, Unproved> {
    let mut field = NumberField::rationals();
    let mut values: Vec<FieldElement> = Vec::with_capacity(fixed.len());
    for (variable, (value, fixed)) in polished.point.iter().zip(fixed).enumerate() {
        let simple = match fixed {
            Some(exact) => Some(exact.clone()),
            None => recognise::rational(value, polished),
        };
        if let Some(simple) = simple {
            values.push(simple.into());
            continue;
        }
        if !field.is_rationals()
            && let Some(element) =
                recognise::in_field(value, &field, polished, budget).map_err(FieldError::from)?
        {
            values.push(element);
            continue;
        }
        let number = recognise::algebraic(value, polished, max_degree, budget)
            .map_err(FieldError::from)?
            .ok_or(Unproved::NotRecognised { variable })?;
        let extension = field.adjoin(&number, budget)?;
        values = values.iter().map(|known| extension.embed(known)).collect();
        values.push(extension.element.clone());
        field = extension.field;
    }
    Ok(ExactPoint { field, values })
}

impl ExactPoint {
    /// The first polynomial that does not vanish at the point.
    pub fn first_nonzero(
        &self,
        polynomials: &[Polynomial],
        budget: &mut Budget,
    ) -> Result<Option<usize>, OutOfBudget> {
        for (number, polynomial) in polynomials.iter().enumerate() {
            if !self.evaluate(polynomial, budget)?.is_zero() {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// The tables with the unknowns replaced by the coordinates: of the (q,v,p) family, or of any
    /// with fewer colours, where the last one stands for the others.
    pub fn coefficients(
        &self,
        tables: &SymbolicTables,
        budget: &mut Budget,
    ) -> Result<Coefficients<FieldElement>, OutOfBudget> {
        let mut vector = |entries: Option<&Vec<Polynomial>>| {
            let entries = entries.map(Vec::as_slice).unwrap_or_default();
            entries.iter().map(|entry| self.evaluate(entry, budget)).collect::<Result<Vec<_>, _>>()
        };
        let last = tables.weights.len().saturating_sub(1);
        let b = vector(tables.weights.first())?;
        let bbar = vector(tables.weights.get(last.min(1)))?;
        let btil = vector(tables.weights.get(last.min(2)))?;
        let mut matrix = |rows: Option<&Vec<Vec<Polynomial>>>| {
            rows.into_iter().flatten().map(|row| vector(Some(row))).collect::<Result<Vec<_>, _>>()
        };
        let a = matrix(tables.matrices.first())?;
        let abar = matrix(tables.matrices.get(last.min(1)))?;
        Ok(Coefficients { a, abar, b, bbar, btil })
    }

    /// The exact value of a polynomial at the point.
    pub fn evaluate(
        &self,
        polynomial: &Polynomial,
        budget: &mut Budget,
    ) -> Result<FieldElement, OutOfBudget> {
        let degree = self.field.degree() as u64;
        let mut sum = FieldElement::zero();
        'terms: for (monomial, coefficient) in polynomial.terms() {
            budget.spend(degree * degree * monomial.degree().max(1), "proving a solution")?;
            let mut product = FieldElement::from(coefficient.clone());
            for variable in monomial.variables() {
                // Tables have many zeros.
                let Some(value) = self.values.get(variable).filter(|value| !value.is_zero()) else {
                    continue 'terms;
                };
                for _ in 0..monomial.exponent(variable) {
                    product = self.field.mul(&product, value);
                }
            }
            sum = self.field.add(&sum, &product);
        }
        Ok(sum)
    }
}
