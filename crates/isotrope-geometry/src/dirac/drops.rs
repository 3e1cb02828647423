//! Where the rank of a family of generators drops.

use isotrope_algebra::evaluate::Fidelity;
use isotrope_algebra::linear::{LinearError, Matrix, determinant};
use isotrope_algebra::normal::{AngleSplitting, Generators};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Polynomial, Pool, Rational, ideal};

use super::{DiracStructure, Generator};
use crate::generic_rank::{generic_rank, independent_rows};
use crate::work::{simplified, with_share};

/// The part of the budget that Gram's determinant may spend.
const GRAM: u64 = 4;

/// The rank of a family of generators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankAndDrops {
    /// At generic points.
    pub rank: usize,
    /// False if an entry was taken for zero on the evidence of random points.
    pub proved: bool,
    /// At real points the rank drops only where one of these vanishes.
    pub drops: Vec<ExprId>,
    /// Where the fields that were chosen in a distribution are dependent.
    pub frame: Vec<ExprId>,
}

impl DiracStructure {
    /// The generic rank, and functions such that at real points the rank drops only where one
    /// of them vanishes. If the generators are independent these are the factors of Gram's
    /// determinant `det(G G^T)`, the sum of the squares of the maximal minors, and the rank drops
    /// exactly where it vanishes; if that is too long, the pivots of an elimination.
    pub fn rank_and_drops(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<RankAndDrops, LinearError> {
        let found = self.rank(pool, budget)?;
        let mut answer = RankAndDrops {
            rank: found.rank,
            proved: found.proved,
            drops: found.conditions,
            frame: Vec::new(),
        };
        if found.rank == self.generators.len() && !answer.drops.is_empty() {
            if self.is_graph() {
                answer.drops.clear();
            } else if let Ok(gram) = with_share(budget, GRAM, |part| self.gram_factors(pool, part))
            {
                answer.drops = gram;
            }
        }
        Ok(answer)
    }

    /// The rank at one random point. If all generators are independent there, they are generically.
    pub fn rank_at_a_point(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<RankAndDrops, LinearError> {
        let rows: Vec<Vec<ExprId>> = self
            .generators
            .iter()
            .map(|g| g.vector.iter().chain(&g.covector).copied().collect())
            .collect();
        let exact = independent_rows(pool, &rows, Fidelity::Exact, budget)?;
        let proved = exact.as_ref().is_some_and(|found| found.len() == rows.len());
        let rank = match exact {
            Some(found) => found.len(),
            None => generic_rank(pool, &rows, budget)?,
        };
        Ok(RankAndDrops { rank, proved, drops: Vec::new(), frame: Vec::new() })
    }

    /// Are the vectors, or the covectors, the coordinate ones? Then the rank drops nowhere.
    fn is_graph(&self) -> bool {
        let size = self.base.len();
        let identity = |part: fn(&Generator) -> &Vec<ExprId>| {
            self.generators.len() == size
                && self.generators.iter().enumerate().all(|(i, generator)| {
                    let entry = |j: usize| part(generator).get(j).copied().unwrap_or(ExprId::ZERO);
                    (0..size).all(|j| entry(j) == if i == j { ExprId::ONE } else { ExprId::ZERO })
                })
        };
        identity(|g| &g.vector) || identity(|g| &g.covector)
    }

    /// What the coefficients divide by: where one of these vanishes nothing is said.
    pub fn excluded(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<Vec<ExprId>, OutOfBudget> {
        let entries: Vec<ExprId> = self
            .generators
            .iter()
            .flat_map(|g| g.vector.iter().chain(&g.covector).copied())
            .filter(|entry| pool.as_number(*entry).is_none())
            .collect();
        let mut generators = Generators::new(pool, &entries, AngleSplitting::Whole, budget)?;
        let Some(fractions) = generators.fractions(pool, &entries, budget)? else {
            return Ok(Vec::new());
        };
        let mut list: Vec<ExprId> = Vec::new();
        for fraction in &fractions {
            let fraction = fraction.cancelled(budget)?;
            for factor in factors(pool, &generators, &fraction.denominator, budget)? {
                if !list.contains(&factor) {
                    list.push(factor);
                }
            }
        }
        Ok(list)
    }

    /// The same for a structure `(Delta, W)`: its rank drops exactly where the forms that
    /// annihilate the distribution, the generators without a vector, become dependent. Where else the
    /// fields of the frame are dependent is a matter of the frame and not of the structure.
    pub fn rank_and_drops_of_forms(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<RankAndDrops, LinearError> {
        let mut answer = self.rank_and_drops(pool, budget)?;
        let forms = self.generators.iter().filter(|g| g.vector.iter().all(|entry| entry.is_zero()));
        let generators: Vec<_> = forms.cloned().collect();
        if answer.drops.is_empty() || answer.rank < self.generators.len() {
            return Ok(answer);
        }
        let forms = Self { base: self.base.clone(), generators };
        if let Ok(drops) = with_share(budget, GRAM, |part| forms.gram_factors(pool, part)) {
            let all = std::mem::replace(&mut answer.drops, drops);
            answer.frame = all.into_iter().filter(|own| !answer.drops.contains(own)).collect();
        }
        Ok(answer)
    }

    fn gram_factors(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<Vec<ExprId>, LinearError> {
        if self.generators.is_empty() {
            return Ok(Vec::new());
        }
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
        if pool.as_number(value).is_some() {
            return Ok(Vec::new());
        }
        let mut generators = Generators::new(pool, &[value], AngleSplitting::Whole, budget)?;
        let Some(fractions) = generators.fractions(pool, &[value], budget)? else {
            return Ok(vec![value]);
        };
        let fraction = generators.reduce(&fractions[0], budget)?;
        Ok(factors(pool, &generators, &fraction.numerator, budget)?)
    }
}

/// The factors of a polynomial that can vanish at real points, each once.
fn factors(
    pool: &mut Pool,
    generators: &Generators,
    polynomial: &Polynomial,
    budget: &mut Budget,
) -> Result<Vec<ExprId>, OutOfBudget> {
    let mut list = Vec::new();
    for factor in ideal::factors(polynomial, budget)? {
        if !is_positive(&factor.polynomial) {
            let expression = generators.polynomial_to_expression(pool, &factor.polynomial);
            list.push(simplified(pool, expression, budget));
        }
    }
    Ok(list)
}

/// Is it a positive number plus positive multiples of squares, or the opposite of that?
fn is_positive(polynomial: &Polynomial) -> bool {
    let same_sign =
        |a: bool| polynomial.terms().iter().all(|(_, value)| (value > &Rational::ZERO) == a);
    let squares = polynomial
        .terms()
        .iter()
        .all(|(monomial, _)| monomial.exponents().iter().all(|exponent| exponent % 2 == 0));
    let constant = polynomial.terms().iter().any(|(monomial, _)| monomial.is_one());
    squares && constant && (same_sign(true) || same_sign(false))
}
