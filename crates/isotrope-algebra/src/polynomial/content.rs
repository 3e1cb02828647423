//! Contents and primitive parts over the rationals.

use super::monomial::Monomial;
use super::sparse::{Polynomial, PolynomialOver};
use super::{Field, gcd_of_all};
use crate::{Budget, OutOfBudget, Rational};

impl<F: Field> PolynomialOver<F> {
    /// The largest monomial that divides every term (1 for zero).
    pub fn monomial_content(&self) -> Monomial {
        let mut terms = self.terms().iter().map(|(m, _)| m);
        let Some(first) = terms.next() else { return Monomial::one() };
        let mut content = first.clone();
        for monomial in terms {
            if content.is_one() {
                break;
            }
            content = content.gcd(monomial);
        }
        content
    }
}

impl Polynomial {
    /// The rational `c` such that `self / c` has coprime integer coefficients and a positive
    /// leading one (0 for zero).
    pub fn content(&self) -> Rational {
        let Some((_, leading)) = self.leading_term() else { return Rational::ZERO };
        let content = self.terms().iter().fold(Rational::ZERO, |c, (_, x)| c.gcd(x));
        if leading.is_negative() { -content } else { content }
    }

    /// `self / self.content()`: coprime integer coefficients, positive leading one.
    #[must_use]
    pub fn primitive_part(&self) -> Self {
        match self.content().recip() {
            Some(inverse) if !inverse.is_one() => self.map_coefficients(|c| c * &inverse),
            _ => self.clone(),
        }
    }

    /// The greatest common divisor of the coefficients as a polynomial in one variable.
    pub fn content_in(&self, variable: usize, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        let coefficients = self.coefficients_in(variable).into_iter().map(|(_, c)| c).collect();
        gcd_of_all(coefficients, budget)
    }
}
