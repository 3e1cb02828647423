//! The algebra Q\[x\]/I of an ideal with finitely many zeros: standard monomials, minimal
//! polynomials.

use super::{Ideal, leading};
use crate::univariate::IntegerPolynomial;
use crate::{Budget, Monomial, OutOfBudget, Polynomial, Rational};

impl Ideal {
    /// The monomials that no leading monomial divides, ascending; `None` if there are more than
    /// `limit`.
    pub(super) fn standard_monomials(&self, limit: usize) -> Option<Vec<Monomial>> {
        if !self.is_consistent() {
            return Some(Vec::new());
        }
        let leads: Vec<Monomial> = self.basis().iter().map(leading).collect();
        let mut found = vec![Monomial::one()];
        let mut next = 0;
        while let Some(monomial) = found.get(next).cloned() {
            next += 1;
            let last = monomial.exponents().len().max(1) - 1;
            // Every monomial once: variables are multiplied in ascending order.
            for variable in last..self.variables() {
                let larger = monomial.checked_mul(&Monomial::variable(variable))?;
                if !leads.iter().any(|lead| lead.divides(&larger)) {
                    found.push(larger);
                    if found.len() > limit {
                        return None;
                    }
                }
            }
        }
        found.sort();
        Some(found)
    }

    /// The coordinates of 1, f, f², … modulo the ideal until they are dependent, and the
    /// dependence: the minimal polynomial of multiplication by f.
    pub(super) fn minimal_polynomial(
        &self,
        element: &Polynomial,
        standard: &[Monomial],
        budget: &mut Budget,
    ) -> Result<Powers, OutOfBudget> {
        let mut rows = Relations::default();
        let mut powers = Vec::new();
        let mut power = Polynomial::one();
        loop {
            power = self.normal_form(&power, budget)?;
            let vector: Vec<Rational> = standard.iter().map(|m| power.coefficient(m)).collect();
            powers.push(vector.clone());
            if let Some(relation) = rows.insert(vector, budget)? {
                let polynomial = IntegerPolynomial::from_rationals(&relation).primitive_part();
                return Ok(Powers { polynomial, powers, rows });
            }
            power = power.mul(element, budget)?;
        }
    }
}

/// Powers of an element in the quotient, the last of them dependent on the others.
pub(super) struct Powers {
    pub polynomial: IntegerPolynomial,
    pub powers: Vec<Vec<Rational>>,
    rows: Relations,
}

impl Powers {
    /// A vector as a combination of the powers, if it is one.
    pub fn express(
        &mut self,
        vector: Vec<Rational>,
        budget: &mut Budget,
    ) -> Result<Option<Vec<Rational>>, OutOfBudget> {
        let count = self.powers.len() - 1;
        let Some(relation) = self.rows.probe(vector, budget)? else { return Ok(None) };
        // vector + Σ relation_i power_i = 0.
        let mut answer: Vec<Rational> = relation.iter().take(count).map(|c| -c).collect();
        answer.resize(count, Rational::ZERO);
        Ok(Some(answer))
    }
}

/// Vectors in echelon form, with the combination of the inserted ones that each is.
#[derive(Default)]
struct Relations {
    rows: Vec<(usize, Vec<Rational>, Vec<Rational>)>,
    inserted: usize,
}

impl Relations {
    /// Reduces the vector; the combination starts with one at its own place.
    fn reduce(
        &self,
        mut vector: Vec<Rational>,
        mut combination: Vec<Rational>,
        budget: &mut Budget,
    ) -> Result<(Vec<Rational>, Vec<Rational>), OutOfBudget> {
        for (pivot, row, parts) in &self.rows {
            let factor = vector[*pivot].clone();
            if factor.is_zero() {
                continue;
            }
            budget.spend((row.len() + parts.len()) as u64, "finding a minimal polynomial")?;
            for (x, y) in vector.iter_mut().zip(row) {
                *x = &*x - &(&factor * y);
            }
            for (x, y) in combination.iter_mut().zip(parts) {
                *x = &*x - &(&factor * y);
            }
        }
        Ok((vector, combination))
    }

    /// The coefficients of a vanishing combination of all inserted vectors and this one (last),
    /// if there is one.
    fn insert(
        &mut self,
        vector: Vec<Rational>,
        budget: &mut Budget,
    ) -> Result<Option<Vec<Rational>>, OutOfBudget> {
        let mut unit = vec![Rational::ZERO; self.inserted + 1];
        unit[self.inserted] = Rational::ONE;
        let (vector, combination) = self.reduce(vector, unit, budget)?;
        let Some(pivot) = vector.iter().position(|x| !x.is_zero()) else {
            return Ok(Some(combination));
        };
        self.inserted += 1;
        let inverse = vector[pivot].inverse()?;
        let scale = |list: Vec<Rational>| list.iter().map(|x| x * &inverse).collect();
        self.rows.push((pivot, scale(vector), scale(combination)));
        Ok(None)
    }

    /// The same for a vector that is not kept: coefficients of the inserted ones only.
    fn probe(
        &self,
        vector: Vec<Rational>,
        budget: &mut Budget,
    ) -> Result<Option<Vec<Rational>>, OutOfBudget> {
        let zeros = vec![Rational::ZERO; self.inserted];
        let (vector, combination) = self.reduce(vector, zeros, budget)?;
        Ok(vector.iter().all(Rational::is_zero).then_some(combination))
    }
}
