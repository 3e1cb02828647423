//! Where the rank of a family of generators drops.

use isotrope_algebra::linear::{LinearError, Matrix, determinant};
use isotrope_algebra::normal::{AngleSplitting, Generators};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};

use super::DiracStructure;
use crate::work::{simplified, with_share};

/// The part of the budget that Gram's determinant may spend.
const GRAM: u64 = 4;

impl DiracStructure {
    /// The generic rank, and functions such that at real points the rank drops only where one
    /// of them vanishes. If the generators are independent these are the factors of Gram's
    /// determinant `det(G G^T)`, the sum of the squares of the maximal minors, and the rank drops
    /// exactly where it vanishes; if that is too long, the pivots of an elimination.
    pub fn rank_and_drops(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<(usize, Vec<ExprId>), LinearError> {
        let found = self.rank(pool, budget)?;
        if found.rank < self.generators.len() || found.conditions.is_empty() {
            return Ok((found.rank, found.conditions));
        }
        let gram = with_share(budget, GRAM, |part| self.gram_factors(pool, part));
        Ok((found.rank, gram.unwrap_or(found.conditions)))
    }

    fn gram_factors(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<Vec<ExprId>, LinearError> {
        let rows: Vec<Vec<ExprId>> = self
            .generators
            .iter()
            .map(|generator| {
                let size = self.base.len();
                let mut row = generator.vector.clone();
                row.resize(size, ExprId::ZERO);
                row.extend(&generator.covector);
                row.resize(2 * size, ExprId::ZERO);
                row
            })
            .collect();
        let matrix = Matrix::from_rows(2 * self.base.len(), &rows);
        let mut gram = matrix.times(pool, &matrix.transposed());
        for i in 0..gram.rows() {
            for j in 0..gram.columns() {
                let entry = simplified(pool, gram.get(i, j), budget);
                gram.set(i, j, entry);
            }
        }
        let value = determinant(pool, &gram, budget)?;
        let value = simplified(pool, value, budget);
        Ok(factors(pool, value, budget)?)
    }
}

/// The square-free factors of a function that are not numbers.
fn factors(
    pool: &mut Pool,
    value: ExprId,
    budget: &mut Budget,
) -> Result<Vec<ExprId>, OutOfBudget> {
    if pool.as_number(value).is_some() {
        return Ok(Vec::new());
    }
    let mut generators = Generators::new(pool, &[value], AngleSplitting::Whole, budget)?;
    let Some(fractions) = generators.fractions(pool, &[value], budget)? else {
        return Ok(vec![value]);
    };
    let fraction = generators.reduce(&fractions[0], budget)?;
    let mut list = Vec::new();
    for (factor, _) in fraction.numerator.square_free(budget)?.factors {
        if !factor.is_constant() {
            let expression = generators.polynomial_to_expression(pool, &factor);
            list.push(simplified(pool, expression, budget));
        }
    }
    Ok(list)
}
