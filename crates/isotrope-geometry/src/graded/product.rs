//! Sums of products under construction.
//!
//! The terms of a function are sorted by their odd part first. A product therefore goes block
//! by block: one sign for a pair of blocks, and below it a product of ordinary polynomials that
//! is gathered by hashing the packed exponents.

use std::collections::BTreeMap;

use hashbrown::HashMap;
use isotrope_algebra::Budget;
use rustc_hash::FxBuildHasher;

use super::coordinates::{Monomial, koszul_sign};
use super::{Coefficients, Element, Exponents, GradedError};

type Block<S> = HashMap<Exponents, S, FxBuildHasher>;

/// The most products of odd coordinates in one function: a limit of memory.
const MOST_BLOCKS: usize = 1 << 20;
/// The most terms that are gathered at once.
const MOST_TERMS: usize = 1 << 22;

/// A sum of terms and products, gathered by monomial.
pub(super) struct Accumulator<C: Coefficients> {
    blocks: BTreeMap<u128, Block<C::Sum>>,
    /// How many terms have been entered.
    terms: usize,
}

impl<C: Coefficients> Accumulator<C> {
    pub(super) fn new() -> Self {
        Self { blocks: BTreeMap::new(), terms: 0 }
    }

    /// Adds a term, or subtracts it.
    pub(super) fn add_term(
        &mut self,
        coefficients: &mut C,
        monomial: Monomial,
        value: &C::Value,
        negative: bool,
        budget: &mut Budget,
    ) -> Result<(), GradedError> {
        budget.spend(1, "adding graded functions")?;
        let sum = self.blocks.entry(monomial.odd).or_default().entry(monomial.even).or_default();
        Ok(coefficients.add_value(sum, value, negative, budget)?)
    }

    /// Adds a product, or subtracts it.
    pub(super) fn add_product(
        &mut self,
        coefficients: &mut C,
        f: &Element<C::Value>,
        g: &Element<C::Value>,
        negative: bool,
        budget: &mut Budget,
    ) -> Result<(), GradedError> {
        let block = |a: &(Monomial, C::Value), b: &(Monomial, C::Value)| a.0.odd == b.0.odd;
        for left in f.terms.chunk_by(block) {
            for right in g.terms.chunk_by(block) {
                let (a, b) = (left[0].0.odd, right[0].0.odd);
                let Some(sign) = koszul_sign(a, b) else { continue };
                let negative = negative != sign;
                budget.spend((left.len() * right.len()) as u64, "multiplying graded functions")?;
                let sums = self.blocks.entry(a | b).or_default();
                let before = sums.len();
                for (m, x) in left {
                    for (n, y) in right {
                        let even = m.even.times(&n.even).ok_or(GradedError::Exponent)?;
                        let sum = sums.entry(even).or_default();
                        coefficients.add_product(sum, x, y, negative, budget)?;
                    }
                }
                self.terms += sums.len() - before;
                if self.terms > MOST_TERMS || self.blocks.len() > MOST_BLOCKS {
                    return Err(GradedError::TooManyTerms);
                }
            }
        }
        Ok(())
    }

    /// The sum in ascending order, without what is zero at first sight.
    pub(super) fn finish(
        self,
        coefficients: &mut C,
        budget: &mut Budget,
    ) -> Result<Element<C::Value>, GradedError> {
        let mut terms = Vec::new();
        for (odd, block) in self.blocks {
            let mut sums: Vec<(Exponents, C::Sum)> = block.into_iter().collect();
            sums.sort_unstable_by(|a, b| a.0.cmp(&b.0));
            for (even, sum) in sums {
                if let Some(value) = coefficients.total(sum, budget)? {
                    terms.push((Monomial { odd, even }, value));
                }
            }
        }
        Ok(Element { terms })
    }
}
