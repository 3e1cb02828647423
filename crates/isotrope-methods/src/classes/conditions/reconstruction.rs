//! From row spaces over two prime fields to rational rows.

use isotrope_algebra::linear::Echelon;
use isotrope_algebra::{Rational, modular};

use crate::classes::prime_field::{PrimeField, Residue};
use crate::classes::scalars::Scalars;

use super::{Condition, Forest};

/// The rational rows whose images both spaces are: reconstructed with one prime, confirmed with
/// the other.
pub fn reconstruct(
    columns: &[Forest],
    (mut field, space): (&PrimeField, &Echelon<Residue>),
    (mut other_field, other): (&PrimeField, &Echelon<Residue>),
) -> Option<Vec<Condition>> {
    let Ok(rows) = space.reduced(&mut field);
    let Ok(others) = other.reduced(&mut other_field);
    if rows.len() != others.len() {
        return None;
    }
    let mut conditions = Vec::with_capacity(rows.len());
    for (row, other) in rows.iter().zip(&others) {
        let mut terms = Vec::new();
        for ((forest, entry), other) in columns.iter().zip(row).zip(other) {
            let residue = field.residue(*entry);
            let (numerator, denominator) =
                modular::rational_reconstruction(residue, field.prime())?;
            let value = Rational::new(numerator, denominator)?;
            if other_field.rational(&value)? != *other {
                return None;
            }
            if !value.is_zero() {
                terms.push((forest.clone(), value));
            }
        }
        conditions.push(Condition { terms });
    }
    Some(conditions)
}
