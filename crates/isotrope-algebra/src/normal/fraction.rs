//! Quotients of polynomials, with the common factor removed.

use crate::polynomial::{Polynomial, gcd_with_cofactors};
use crate::{Budget, OutOfBudget};

/// A quotient of polynomials in the generators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fraction {
    /// The numerator.
    pub numerator: Polynomial,
    /// The denominator, never the zero polynomial.
    pub denominator: Polynomial,
}

impl Fraction {
    /// A polynomial over 1.
    pub fn from_polynomial(numerator: Polynomial) -> Self {
        Self { numerator, denominator: Polynomial::one() }
    }

    /// The sum, over the least common denominator.
    pub fn add(&self, other: &Self, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        if self.denominator == other.denominator {
            let numerator = self.numerator.add(&other.numerator, budget)?;
            return Ok(Self { numerator, denominator: self.denominator.clone() });
        }
        let common = gcd_with_cofactors(&self.denominator, &other.denominator, budget)?;
        let left = self.numerator.mul(&common.second, budget)?;
        let right = other.numerator.mul(&common.first, budget)?;
        Ok(Self {
            numerator: left.add(&right, budget)?,
            denominator: self.denominator.mul(&common.second, budget)?,
        })
    }

    /// The product, cross-cancelled.
    pub fn mul(&self, other: &Self, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        let (a, d) = cancel(&self.numerator, &other.denominator, budget)?;
        let (c, b) = cancel(&other.numerator, &self.denominator, budget)?;
        Ok(Self { numerator: a.mul(&c, budget)?, denominator: b.mul(&d, budget)? })
    }

    /// An integer power; `None` for zero to a negative power.
    pub fn powi(&self, exponent: i64, budget: &mut Budget) -> Result<Option<Self>, OutOfBudget> {
        let (n, d) = (&self.numerator, &self.denominator);
        let (n, d) = if exponent < 0 { (d, n) } else { (n, d) };
        if d.is_zero() {
            return Ok(None);
        }
        let Ok(count) = u32::try_from(exponent.unsigned_abs()) else {
            // Far beyond any budget that could hold the result.
            budget.spend(u64::MAX, "raising to a power")?;
            return Ok(None);
        };
        Ok(Some(Self { numerator: n.powi(count, budget)?, denominator: d.powi(count, budget)? }))
    }

    /// Numerators over the least common denominator, and that denominator.
    pub fn over_common_denominator(
        fractions: &[Self],
        budget: &mut Budget,
    ) -> Result<(Vec<Polynomial>, Polynomial), OutOfBudget> {
        let mut common = Polynomial::one();
        for fraction in fractions {
            if fraction.denominator != common {
                let parts = gcd_with_cofactors(&common, &fraction.denominator, budget)?;
                common = common.mul(&parts.second, budget)?;
            }
        }
        let mut numerators = Vec::with_capacity(fractions.len());
        for fraction in fractions {
            let factor = common.div_exact(&fraction.denominator, budget)?;
            numerators.push(fraction.numerator.mul(&factor, budget)?);
        }
        Ok((numerators, common))
    }

    /// Removes the common factor.
    pub fn cancelled(&self, budget: &mut Budget) -> Result<Self, OutOfBudget> {
        let (numerator, denominator) = cancel(&self.numerator, &self.denominator, budget)?;
        Ok(Self { numerator, denominator })
    }
}

fn cancel(
    a: &Polynomial,
    b: &Polynomial,
    budget: &mut Budget,
) -> Result<(Polynomial, Polynomial), OutOfBudget> {
    if b.is_constant() || a.is_zero() {
        return Ok((a.clone(), b.clone()));
    }
    let common = gcd_with_cofactors(a, b, budget)?;
    Ok((common.first, common.second))
}
