//! Square-free decomposition (Yun, 1976), one variable after the other.

use super::gcd::{gcd, has_square_free_images};
use super::sparse::Polynomial;
use crate::{Budget, OrInternal, OutOfBudget, Rational};

/// `unit * prod factor^multiplicity` with square-free, pairwise coprime primitive factors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SquareFree {
    /// The rational factor (zero for the zero polynomial).
    pub unit: Rational,
    /// Factors with distinct multiplicities, ascending in multiplicity.
    pub factors: Vec<(Polynomial, u32)>,
}

impl SquareFree {
    /// The product of the factors, each once.
    pub fn radical(&self, budget: &mut Budget) -> Result<Polynomial, OutOfBudget> {
        let mut product = Polynomial::one();
        for (factor, _) in &self.factors {
            product = product.mul(factor, budget)?;
        }
        Ok(product)
    }
}

fn quotient(
    a: &Polynomial,
    b: &Polynomial,
    budget: &mut Budget,
) -> Result<Polynomial, OutOfBudget> {
    // Only divisors that a gcd has produced get here.
    a.div_exact(b, budget)
}

impl Polynomial {
    /// Was it seen that no factor is repeated? A repeated factor has one of the variables, at least squared; where
    /// the leading coefficient in it does not vanish the image at a point modulo a prime has a repeated factor, too.
    pub(crate) fn is_seen_square_free(&self) -> bool {
        let degrees = self.degrees();
        let squared = degrees.iter().enumerate().filter(|(_, degree)| **degree > 1);
        let squared: Vec<usize> = squared.map(|(variable, _)| variable).collect();
        squared.is_empty() || has_square_free_images(self, &degrees, &squared)
    }

    /// The square-free decomposition.
    pub fn square_free(&self, budget: &mut Budget) -> Result<SquareFree, OutOfBudget> {
        let unit = self.content();
        let mut by_multiplicity: Vec<Polynomial> = Vec::new();
        let mut record = |factor: &Polynomial, multiplicity: usize, budget: &mut Budget| {
            if by_multiplicity.len() <= multiplicity {
                by_multiplicity.resize(multiplicity + 1, Polynomial::one());
            }
            by_multiplicity[multiplicity] = by_multiplicity[multiplicity].mul(factor, budget)?;
            Ok::<(), OutOfBudget>(())
        };
        let monomial = self.monomial_content();
        for variable in monomial.variables() {
            let multiplicity = monomial.exponent(variable).into();
            record(&Polynomial::variable(variable), multiplicity, budget)?;
        }
        let rest = self.checked_div_monomial(&monomial).or_internal("the content divides")?;
        let mut rest = rest.primitive_part();
        while let Some(&variable) = rest.variables().first() {
            if rest.is_seen_square_free() {
                record(&rest.primitive_part(), 1, budget)?;
                break;
            }
            let content = rest.content_in(variable, budget)?;
            let primitive = quotient(&rest, &content, budget)?;
            let derivative = primitive.derivative(variable, budget)?;
            let repeated = gcd(&primitive, &derivative, budget)?;
            let mut simple = quotient(&primitive, &repeated, budget)?;
            let mut slope = quotient(&derivative, &repeated, budget)?;
            let mut multiplicity = 1;
            loop {
                let defect = slope.sub(&simple.derivative(variable, budget)?, budget)?;
                if defect.is_zero() {
                    break;
                }
                let factor = gcd(&simple, &defect, budget)?;
                record(&factor, multiplicity, budget)?;
                simple = quotient(&simple, &factor, budget)?;
                slope = quotient(&defect, &factor, budget)?;
                multiplicity += 1;
            }
            record(&simple.primitive_part(), multiplicity, budget)?;
            rest = content;
        }
        let factors = (0u32..).zip(by_multiplicity).filter(|(_, f)| !f.is_one());
        let factors = factors.map(|(multiplicity, f)| (f.primitive_part(), multiplicity)).collect();
        Ok(SquareFree { unit, factors })
    }
}

#[cfg(test)]
mod tests {
    use super::super::strategies::{any_polynomial, unlimited};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_factors_multiply_back_and_are_square_free_and_coprime(
            f in any_polynomial(3, 2, 3), g in any_polynomial(3, 2, 3), h in any_polynomial(3, 1, 3)
        ) {
            let budget = &mut unlimited();
            let product = g.powi(2, budget).unwrap().mul(&f, budget).unwrap();
            let product = product.mul(&h.powi(3, budget).unwrap(), budget).unwrap();
            let decomposition = product.square_free(budget).unwrap();
            let mut back = Polynomial::constant(decomposition.unit.clone());
            for (factor, multiplicity) in &decomposition.factors {
                back = back.mul(&factor.powi(*multiplicity, budget).unwrap(), budget).unwrap();
                let mut common = factor.clone();
                for variable in factor.variables() {
                    let derivative = factor.derivative(variable, budget).unwrap();
                    common = gcd(&common, &derivative, budget).unwrap();
                }
                prop_assert!(common.is_one());
                for (other, m) in &decomposition.factors {
                    prop_assert!(m == multiplicity || gcd(factor, other, budget).unwrap().is_one());
                }
            }
            prop_assert_eq!(back, product);
        }
    }
}
