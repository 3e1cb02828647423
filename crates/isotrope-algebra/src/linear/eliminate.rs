//! Fraction-free elimination of polynomial rows.

use super::Matrix;
use crate::normal::{AngleSplitting, Fraction, Generators, Zero, is_zero};
use crate::polynomial::{Polynomial, gcd, gcd_of_all, gcd_with_cofactors};
use crate::pool::{ExprId, Pool};
use crate::{Budget, OutOfBudget};

/// Polynomial rows under elimination.
pub(super) struct Elimination {
    pub generators: Generators,
    pub rows: Vec<Vec<Polynomial>>,
    /// (row, column) of the pivots found so far.
    pub pivots: Vec<(usize, usize)>,
    /// What was assumed not to vanish.
    pub conditions: Vec<Polynomial>,
    /// determinant(original) = scale * determinant(rows), kept while eliminating.
    pub scale: Fraction,
    /// Some pivot candidate was taken for zero without a proof.
    pub unproved: bool,
}

impl Elimination {
    /// Clears the denominators of every row. `None` if an entry is undefined.
    pub fn new(
        pool: &mut Pool,
        matrix: &Matrix,
        budget: &mut Budget,
    ) -> Result<Option<Self>, OutOfBudget> {
        let mut generators =
            Generators::new(pool, matrix.entries(), AngleSplitting::Whole, budget)?;
        let Some(fractions) = generators.fractions(pool, matrix.entries(), budget)? else {
            return Ok(None);
        };
        let mut conditions = Vec::new();
        let mut scale = Fraction::from_polynomial(Polynomial::one());
        let mut rows = Vec::with_capacity(matrix.rows());
        for i in 0..matrix.rows() {
            let entries = &fractions[i * matrix.columns()..(i + 1) * matrix.columns()];
            let mut reduced = Vec::with_capacity(entries.len());
            for entry in entries {
                reduced.push(generators.reduce(entry, budget)?);
            }
            let (row, common) = Fraction::over_common_denominator(&reduced, budget)?;
            if !common.is_constant() {
                conditions.push(common.clone());
            }
            let inverse = Fraction { numerator: Polynomial::one(), denominator: common };
            scale = scale.mul(&inverse, budget)?;
            rows.push(row);
        }
        Ok(Some(Self { generators, rows, pivots: Vec::new(), conditions, scale, unproved: false }))
    }

    /// Brings the first `columns` columns to reduced echelon form (up to row factors).
    pub fn run(
        &mut self,
        pool: &mut Pool,
        columns: usize,
        budget: &mut Budget,
    ) -> Result<(), OutOfBudget> {
        let mut next = 0;
        for column in 0..columns {
            let Some(row) = self.choose_pivot(pool, next, column, budget)? else { continue };
            if row != next {
                self.rows.swap(row, next);
                self.scale.numerator = self.scale.numerator.negate();
            }
            let pivot = self.rows[next][column].clone();
            if !pivot.is_constant() {
                self.conditions.push(pivot.clone());
            }
            for i in 0..self.rows.len() {
                if i != next && !self.rows[i][column].is_zero() {
                    self.clear(pool, i, next, column, budget)?;
                }
            }
            self.pivots.push((next, column));
            next += 1;
            if next == self.rows.len() {
                break;
            }
        }
        Ok(())
    }

    /// The simplest entry of a column that is certainly not zero.
    fn choose_pivot(
        &mut self,
        pool: &mut Pool,
        from: usize,
        column: usize,
        budget: &mut Budget,
    ) -> Result<Option<usize>, OutOfBudget> {
        let mut candidates: Vec<usize> =
            (from..self.rows.len()).filter(|&i| !self.rows[i][column].is_zero()).collect();
        candidates.sort_by_key(|&i| (self.rows[i][column].len(), self.rows[i][column].degree(), i));
        for i in candidates {
            let entry = self.rows[i][column].clone();
            if self.is_nonzero(pool, &entry, budget) {
                return Ok(Some(i));
            }
            self.rows[i][column] = Polynomial::zero();
        }
        Ok(None)
    }

    fn is_nonzero(&mut self, pool: &mut Pool, entry: &Polynomial, budget: &mut Budget) -> bool {
        if entry.is_constant() {
            return true;
        }
        let expression = self.generators.polynomial_to_expression(pool, entry);
        match is_zero(pool, expression, budget) {
            Zero::No => true,
            Zero::Yes => false,
            Zero::Unknown { .. } => {
                self.unproved = true;
                false
            }
        }
    }

    /// Clears one entry by a multiple of the pivot row and divides the row by its content.
    fn clear(
        &mut self,
        pool: &mut Pool,
        i: usize,
        pivot_row: usize,
        column: usize,
        budget: &mut Budget,
    ) -> Result<(), OutOfBudget> {
        let cofactors =
            gcd_with_cofactors(&self.rows[pivot_row][column], &self.rows[i][column], budget)?;
        let (up, across) = (cofactors.first, cofactors.second);
        for k in 0..self.rows[i].len() {
            let kept = self.rows[i][k].mul(&up, budget)?;
            let taken = self.rows[pivot_row][k].mul(&across, budget)?;
            self.rows[i][k] = kept.sub(&taken, budget)?.reduce(self.generators.rules(), budget)?;
        }
        self.rows[i][column] = Polynomial::zero();
        let nonzero: Vec<_> = self.rows[i].iter().filter(|p| !p.is_zero()).cloned().collect();
        let content =
            if nonzero.is_empty() { Polynomial::one() } else { gcd_of_all(nonzero, budget)? };
        // A content that is zero in disguise (angles are kept whole here) makes a zero row.
        if !content.is_constant() && !self.is_nonzero(pool, &content, budget) {
            self.rows[i].fill(Polynomial::zero());
            return Ok(());
        }
        if !content.is_one() {
            for entry in &mut self.rows[i] {
                *entry = entry.div_exact(&content, budget)?;
            }
            if !content.is_constant() {
                self.conditions.push(content.clone());
            }
        }
        let factor = Fraction { numerator: content, denominator: up };
        self.scale = self.scale.mul(&factor, budget)?;
        Ok(())
    }

    /// `numerator / denominator` as a short expression.
    pub fn quotient(
        &self,
        pool: &mut Pool,
        numerator: &Polynomial,
        denominator: &Polynomial,
        budget: &mut Budget,
    ) -> Result<ExprId, OutOfBudget> {
        let fraction = Fraction { numerator: numerator.clone(), denominator: denominator.clone() };
        let reduced = self.generators.reduce(&fraction.cancelled(budget)?, budget)?;
        Ok(self.generators.to_expression(pool, &reduced))
    }

    /// The side conditions as distinct expressions, factors of earlier ones left out.
    pub fn condition_expressions(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<Vec<ExprId>, OutOfBudget> {
        let mut kept: Vec<Polynomial> = Vec::new();
        for condition in &self.conditions {
            let mut rest = condition.primitive_part();
            for known in &kept {
                loop {
                    let common = gcd(&rest, known, budget)?;
                    if common.is_constant() {
                        break;
                    }
                    rest = rest.div_exact(&common, budget)?;
                }
            }
            if !rest.is_constant() {
                kept.push(rest);
            }
        }
        Ok(kept.iter().map(|p| self.generators.polynomial_to_expression(pool, p)).collect())
    }
}
