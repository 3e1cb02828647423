//! Proofs: a point in a number field at which polynomials vanish, exactly.

use isotrope_algebra::ideal::RealPoint;
use isotrope_algebra::number::field::{FieldElement, FieldError, NumberField};
use isotrope_algebra::polynomial::Polynomial;
use isotrope_algebra::{Budget, OutOfBudget, Rational};

use super::polish::Polished;
use super::recognise;

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
    /// A coordinate is not a number of a small degree and height.
    #[error("coordinate {variable} was not recognised as an algebraic number")]
    NotRecognised {
        /// The variable.
        variable: usize,
    },
    /// The coordinates do not fit one field.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// The recognised numbers are not a solution.
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
) -> Result<RealPoint, Unproved> {
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
    Ok(RealPoint { field, coordinates: values })
}

/// The first polynomial that does not vanish at a point.
pub(super) fn first_nonzero(
    point: &RealPoint,
    polynomials: &[Polynomial],
    budget: &mut Budget,
) -> Result<Option<usize>, OutOfBudget> {
    for (number, polynomial) in polynomials.iter().enumerate() {
        if !point.evaluate(polynomial, budget)?.is_zero() {
            return Ok(Some(number));
        }
    }
    Ok(None)
}
