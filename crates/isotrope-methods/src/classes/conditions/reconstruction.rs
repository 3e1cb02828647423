//! From row spaces over two prime fields to rational rows.

use isotrope_algebra::{Rational, modular};

use crate::classes::prime_field::PrimeField;
use crate::classes::scalars::Scalars;

use super::echelon::Echelon;
use super::{Condition, Forest};

/// The rational rows whose images both spaces are: reconstructed with one prime, confirmed with
/// the other.
pub fn reconstruct(
    columns: &[Forest],
    (field, space): (&PrimeField, &Echelon),
    (other_field, other): (&PrimeField, &Echelon),
) -> Option<Vec<Condition>> {
    let rows = space.reduced(field);
    let others = other.reduced(other_field);
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
