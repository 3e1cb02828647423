//! Resultants and discriminants by subresultant remainder sequences.
//!
//! (Brown and Traub 1971; Cohen, A Course in Computational Algebraic Number Theory, 3.3.)

use super::sparse::Polynomial;
use crate::{Budget, OrInternal, OutOfBudget};

/// A polynomial in one variable with polynomial coefficients, constant term first, no
/// leading zeros.
pub(super) type Univariate = Vec<Polynomial>;

pub(super) fn univariate(polynomial: &Polynomial, variable: usize) -> Univariate {
    let mut list = Vec::new();
    for (exponent, coefficient) in polynomial.coefficients_in(variable) {
        let slot = usize::from(exponent);
        if slot >= list.len() {
            list.resize(slot + 1, Polynomial::zero());
        }
        list[slot] = coefficient;
    }
    list
}

fn trim(list: &mut Univariate) {
    while list.last().is_some_and(Polynomial::is_zero) {
        list.pop();
    }
}

/// The remainder of `lc(b)^(deg a - deg b + 1) a` by `b`; `b` is not zero.
fn pseudo_remainder(
    mut a: Univariate,
    b: &[Polynomial],
    budget: &mut Budget,
) -> Result<Univariate, OutOfBudget> {
    let Some((leading, lower)) = b.split_last() else { return Ok(a) };
    let mut missing = (a.len() + 1).saturating_sub(b.len());
    while a.len() >= b.len() {
        let Some(top) = a.pop() else { break };
        let shift = a.len() - lower.len();
        for (index, value) in a.iter_mut().enumerate() {
            *value = value.mul(leading, budget)?;
            if index >= shift {
                *value = value.sub(&top.mul(&lower[index - shift], budget)?, budget)?;
            }
        }
        missing -= 1;
        trim(&mut a);
    }
    if missing > 0 && !leading.is_one() {
        let factor = leading.powi(u32::try_from(missing).unwrap_or(u32::MAX), budget)?;
        for value in &mut a {
            *value = value.mul(&factor, budget)?;
        }
    }
    Ok(a)
}

fn exact(a: &Polynomial, b: &Polynomial, budget: &mut Budget) -> Result<Polynomial, OutOfBudget> {
    // Subresultant theory says that the division is exact.
    a.div_exact(b, budget)
}

/// One subresultant remainder sequence in progress.
struct Sequence {
    a: Univariate,
    b: Univariate,
    g: Polynomial,
    h: Polynomial,
    negative: bool,
}

impl Sequence {
    fn new(a: Univariate, b: Univariate) -> Self {
        let (one, negative) = (Polynomial::one(), a.len() < b.len() && odd(&a) && odd(&b));
        let (a, b) = if a.len() < b.len() { (b, a) } else { (a, b) };
        Self { a, b, g: one.clone(), h: one, negative }
    }

    fn step(&mut self, budget: &mut Budget) -> Result<(), OutOfBudget> {
        self.negative ^= odd(&self.a) && odd(&self.b);
        let delta = power(self.a.len() - self.b.len());
        let mut remainder = pseudo_remainder(std::mem::take(&mut self.a), &self.b, budget)?;
        let divisor = self.g.mul(&self.h.powi(delta, budget)?, budget)?;
        for value in &mut remainder {
            *value = exact(value, &divisor, budget)?;
        }
        self.a = std::mem::replace(&mut self.b, remainder);
        self.g = self.a.last().cloned().or_internal("a divisor has a leading coefficient")?;
        self.h = power_quotient(&self.g, delta, &self.h, budget)?;
        Ok(())
    }
}

/// Is the degree odd?
fn odd(list: &Univariate) -> bool {
    list.len().is_multiple_of(2)
}

fn power(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// `g^delta h^(1 - delta)`.
fn power_quotient(
    g: &Polynomial,
    delta: u32,
    h: &Polynomial,
    budget: &mut Budget,
) -> Result<Polynomial, OutOfBudget> {
    match delta {
        0 => Ok(h.clone()),
        1 => Ok(g.clone()),
        _ => exact(&g.powi(delta, budget)?, &h.powi(delta - 1, budget)?, budget),
    }
}

/// The last nonzero subresultant remainder: a multiple of the gcd by a factor free of the
/// variable. Neither side is zero.
pub(super) fn last_remainder(
    a: Univariate,
    b: Univariate,
    budget: &mut Budget,
) -> Result<Univariate, OutOfBudget> {
    let mut sequence = Sequence::new(a, b);
    while sequence.b.len() > 1 {
        sequence.step(budget)?;
    }
    Ok(if sequence.b.is_empty() { sequence.a } else { sequence.b })
}

impl Polynomial {
    /// The resultant with respect to a variable: the determinant of the Sylvester matrix.
    pub fn resultant(
        &self,
        other: &Self,
        variable: usize,
        budget: &mut Budget,
    ) -> Result<Self, OutOfBudget> {
        if self.is_zero() || other.is_zero() {
            return Ok(Self::zero());
        }
        let mut sequence = Sequence::new(univariate(self, variable), univariate(other, variable));
        while sequence.b.len() > 1 {
            sequence.step(budget)?;
        }
        let Some(last) = sequence.b.first() else { return Ok(Self::zero()) };
        let degree = power(sequence.a.len() - 1);
        let value = match degree {
            0 => Self::one(),
            _ => power_quotient(last, degree, &sequence.h, budget)?,
        };
        Ok(if sequence.negative { value.negate() } else { value })
    }

    /// The discriminant with respect to a variable: `(-1)^(n(n-1)/2) res(f, f') / lc(f)`
    /// for degree `n`; 1 for degree 1 and 0 for degree 0.
    pub fn discriminant(&self, variable: usize, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        let degree = u64::from(self.degree_in(variable));
        let derivative = self.derivative(variable, budget)?;
        let resultant = self.resultant(&derivative, variable, budget)?;
        let value = exact(&resultant, &self.leading_coefficient_in(variable), budget);
        let value = if resultant.is_zero() { Self::zero() } else { value? };
        let negative = (degree * degree.saturating_sub(1) / 2) % 2 == 1;
        Ok(if negative { value.negate() } else { value })
    }
}

#[cfg(test)]
mod tests {
    use super::super::strategies::{any_polynomial, unlimited};
    use super::*;
    use crate::Rational;
    use proptest::prelude::*;

    fn poly(coefficients: &[i64]) -> Polynomial {
        Polynomial::from_terms(
            (0u16..)
                .zip(coefficients)
                .map(|(e, &c)| (super::super::Monomial::power(0, e), Rational::integer(c))),
        )
    }

    #[test]
    fn discriminants_of_the_general_quadratic_and_the_depressed_cubic() {
        let budget = &mut unlimited();
        let [x, a, b, c] = [0, 1, 2, 3].map(Polynomial::variable);
        let quadratic = a.mul(&x, budget).unwrap().add(&b, budget).unwrap();
        let quadratic = quadratic.mul(&x, budget).unwrap().add(&c, budget).unwrap();
        let discriminant = quadratic.discriminant(0, budget).unwrap();
        assert_eq!(discriminant.to_string(), "x2^2 - 4*x1*x3");
        let cubic = x.powi(3, budget).unwrap().add(&a.mul(&x, budget).unwrap(), budget).unwrap();
        let cubic = cubic.add(&b, budget).unwrap();
        assert_eq!(cubic.discriminant(0, budget).unwrap().to_string(), "-4*x1^3 - 27*x2^2");
    }

    #[test]
    fn resultants_of_numbers_follow_the_product_of_root_differences() {
        let budget = &mut unlimited();
        // (x-1)(x-2) and (x-3)(x+4): (1-3)(1+4)(2-3)(2+4) = 60.
        let (f, g) = (poly(&[2, -3, 1]), poly(&[-12, 1, 1]));
        assert_eq!(f.resultant(&g, 0, budget).unwrap(), Polynomial::integer(60));
        // Odd times odd degree changes sign with the order: (x-1) and (x-3).
        let (f, g) = (poly(&[-1, 1]), poly(&[-3, 1]));
        assert_eq!(f.resultant(&g, 0, budget).unwrap(), Polynomial::integer(-2));
        assert_eq!(g.resultant(&f, 0, budget).unwrap(), Polynomial::integer(2));
        // (x-1)(x-2)(x-3) = x^3-6x^2+11x-6 with x-5: (1-5)(2-5)(3-5) = -24.
        let (f, g) = (poly(&[-6, 11, -6, 1]), poly(&[-5, 1]));
        assert_eq!(f.resultant(&g, 0, budget).unwrap(), Polynomial::integer(-24));
        assert_eq!(g.resultant(&f, 0, budget).unwrap(), Polynomial::integer(24));
        let five = Polynomial::integer(5);
        assert_eq!(f.resultant(&five, 0, budget).unwrap(), Polynomial::integer(125));
        assert_eq!(five.resultant(&f, 0, budget).unwrap(), Polynomial::integer(125));
    }

    proptest! {
        #[test]
        fn the_resultant_is_multiplicative_and_antisymmetric(
            f in any_polynomial(3, 3, 4), g in any_polynomial(3, 2, 3), h in any_polynomial(3, 2, 3)
        ) {
            let budget = &mut unlimited();
            let left = f.resultant(&g.mul(&h, budget).unwrap(), 0, budget).unwrap();
            let p = f.resultant(&g, 0, budget).unwrap();
            let q = f.resultant(&h, 0, budget).unwrap();
            if !f.is_zero() {
                prop_assert_eq!(left, p.mul(&q, budget).unwrap());
            }
            let swapped = g.resultant(&f, 0, budget).unwrap();
            let odd = f.degree_in(0) % 2 == 1 && g.degree_in(0) % 2 == 1;
            prop_assert_eq!(p, if odd { swapped.negate() } else { swapped });
        }
    }
}
