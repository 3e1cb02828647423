//! The road that always arrives: subresultant remainder sequences.

use super::super::resultant::{last_remainder, univariate};
use super::super::sparse::Polynomial;
use super::primitive_part_in;
use crate::{Budget, OutOfBudget};

/// The gcd of two polynomials that are primitive in the main variable.
pub(super) fn gcd_by_remainders(
    a: &Polynomial,
    b: &Polynomial,
    main: usize,
    budget: &mut Budget,
) -> Result<Polynomial, OutOfBudget> {
    let last = last_remainder(univariate(a, main), univariate(b, main), budget)?;
    if last.len() <= 1 {
        return Ok(Polynomial::one());
    }
    let list: Vec<(u16, Polynomial)> = (0..=u16::MAX).zip(last).collect();
    let multiple = Polynomial::from_coefficients_in(main, &list, budget)?;
    primitive_part_in(&multiple, main, budget)
}
