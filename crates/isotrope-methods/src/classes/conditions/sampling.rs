//! Random problems until the row spaces stop growing, with two primes.

use std::collections::BTreeMap;

use isotrope_algebra::linear::Echelon;
use isotrope_algebra::modular::{self, Random};
use isotrope_algebra::{Budget, Rational};

use crate::classes::class::{Class, Part};
use crate::classes::defects::degree;
use crate::classes::error::ClassError;
use crate::classes::prime_field::{PrimeField, Residue};
use crate::classes::problem::{Dimensions, Problem};
use crate::classes::scalars::Scalars;
use crate::trees::Trees;

use super::differentials::Differentials;
use super::forests::forests;
use super::reconstruction::reconstruct;
use super::{Condition, Forest, Sampling, Structure, methods};

/// Two primes just below 2^61: rows are reconstructed with one and confirmed with the other.
const PRIMES: [u64; 2] = [modular::PRIME, (1 << 61) - 31];

/// Problems of every size that must add nothing before the search ends.
const SURPLUS: usize = 3;

/// Problems whose expansion is compared with steps of random methods, for every size.
const CHECKED: usize = 2;

/// Singular problems in a row before the class is given up.
const ATTEMPTS: usize = 8;

/// Row spaces by part and by power of h from 1.
type Spaces = BTreeMap<Part, Vec<Echelon<Residue>>>;

pub(super) struct Sampler<'a> {
    class: Class,
    /// Sizes of the problems, used in turn.
    sizes: &'a [Dimensions],
    structure: Structure,
    trees: &'a Trees,
    /// Monomials by power of h from 1.
    columns: Vec<Vec<Forest>>,
}

pub(super) struct Found {
    pub rows: BTreeMap<Part, Vec<Vec<Condition>>>,
    pub problems: usize,
    pub checks: usize,
    pub failure_probability: Rational,
}

/// Rows of one problem: part, power of h (from 0 for h^1), coefficients.
type Rows = Vec<(Part, usize, Vec<Residue>)>;

impl<'a> Sampler<'a> {
    pub(super) fn new(
        class: Class,
        sizes: &'a [Dimensions],
        structure: Structure,
        trees: &'a Trees,
    ) -> Self {
        let columns =
            (1..=trees.max_order()).map(|order| forests(trees, structure, order)).collect();
        Self { class, sizes, structure, trees, columns }
    }

    fn parts(&self) -> Vec<Part> {
        match self.structure {
            Structure::Form => vec![Part::Form],
            Structure::Submanifold => [Part::Psi, Part::PhiV, Part::PhiQ, Part::All]
                .into_iter()
                .filter(|part| self.class.has(*part))
                .collect(),
        }
    }

    pub(super) fn run(
        &self,
        random: &mut Random,
        budget: &mut Budget,
        progress: &mut dyn FnMut(&Sampling),
    ) -> Result<Found, ClassError> {
        let mut problems = 0;
        let mut checks = 0;
        let mut results: Vec<(PrimeField, Spaces)> = Vec::new();
        for (number, prime) in PRIMES.into_iter().enumerate() {
            let field = PrimeField::new(prime).ok_or(ClassError::Singular { attempts: 0 })?;
            let mut report = |problems, rank| {
                progress(&Sampling { prime: number + 1, problems, rank });
            };
            let search = self.search(&field, random, budget, &mut report)?;
            problems += search.problems;
            checks += search.checks;
            results.push((field, search.spaces));
        }
        let [(field, spaces), (other_field, others)] = results.as_slice() else {
            return Err(ClassError::Singular { attempts: 0 });
        };
        let mut rows = BTreeMap::new();
        for ((part, by_order), others) in spaces.iter().zip(others.values()) {
            let mut list = Vec::new();
            for (at, (space, other)) in by_order.iter().zip(others).enumerate() {
                let columns = &self.columns[at];
                let reconstructed = reconstruct(columns, (field, space), (other_field, other))
                    .ok_or(ClassError::Reconstruction { order: at + 1 })?;
                list.push(reconstructed);
            }
            rows.insert(*part, list);
        }
        let failure_probability = self.failure_probability(spaces, problems);
        Ok(Found { rows, problems, checks, failure_probability })
    }

    /// For a space that is too small some functional vanishes on it, but not on all problems of
    /// some size; on a fresh problem it is zero with probability at most D/p, and on all of the
    /// surplus ones of that size with the power. Either prime would have to miss the same rows
    /// for the reconstruction to succeed; the bound does not count on that.
    fn failure_probability(&self, spaces: &Spaces, problems: usize) -> Rational {
        let degree = self.sizes.iter().map(|d| degree(*d, self.trees.max_order()));
        let one = Rational::from(1);
        let chance = degree
            .max()
            .and_then(|degree| Rational::new(2 * degree, i64::try_from(PRIMES[1]).ok()?))
            .unwrap_or_else(|| one.clone());
        let tries = spaces.values().map(Vec::len).sum::<usize>().saturating_mul(problems);
        let tries = Rational::from(i64::try_from(tries).unwrap_or(i64::MAX));
        let power = (0..SURPLUS).fold(one.clone(), |product, _| &product * &chance);
        (&power * &tries).min(one)
    }

    fn search(
        &self,
        field: &PrimeField,
        random: &mut Random,
        budget: &mut Budget,
        report: &mut dyn FnMut(usize, usize),
    ) -> Result<Search, ClassError> {
        let sizes = self.sizes;
        let empty = || self.columns.iter().map(|columns| Echelon::new(columns.len())).collect();
        let mut search = Search {
            spaces: self.parts().into_iter().map(|part| (part, empty())).collect(),
            problems: 0,
            checks: 0,
        };
        let mut unchanged = 0;
        let mut singular = 0;
        while unchanged < SURPLUS * sizes.len() {
            let size = sizes[search.problems % sizes.len()];
            let check = search.problems < CHECKED * sizes.len();
            let (rows, checks) = match self.expand(field, size, check, random, budget) {
                Err(ClassError::Singular { .. }) if singular < ATTEMPTS => {
                    singular += 1;
                    continue;
                }
                other => other?,
            };
            singular = 0;
            search.problems += 1;
            search.checks += checks;
            let mut grown = false;
            for (part, at, row) in rows {
                let all = (self.structure == Structure::Submanifold).then_some(Part::All);
                for part in std::iter::once(part).chain(all) {
                    if let Some(spaces) = search.spaces.get_mut(&part) {
                        let cost = (spaces[at].rank() * row.len()) as u64;
                        budget.spend(cost, "reducing conditions")?;
                        let Ok(new) = spaces[at].insert(&mut &*field, row.clone());
                        grown |= new;
                    }
                }
            }
            unchanged = if grown { 0 } else { unchanged + 1 };
            let rank = search.spaces.values().flatten().map(Echelon::rank).sum();
            report(search.problems, rank);
        }
        Ok(search)
    }

    /// The rows of one random problem; if asked, compared with a step of a random method.
    fn expand(
        &self,
        field: &PrimeField,
        size: Dimensions,
        check: bool,
        random: &mut Random,
        budget: &mut Budget,
    ) -> Result<(Rows, usize), ClassError> {
        let singular = ClassError::Singular { attempts: 1 };
        let problem = Problem::sample(field, self.class, size, random).ok_or(singular.clone())?;
        let mut tangents = Vec::new();
        if self.structure == Structure::Form {
            for _ in 0..2 {
                tangents.push(problem.tangent(field, random).ok_or(singular.clone())?);
            }
        }
        let differentials = Differentials::compute(field, &problem, self.trees, &tangents, budget)?;
        let mut rows: Rows = Vec::new();
        for (at, columns) in self.columns.iter().enumerate() {
            match self.structure {
                Structure::Form => {
                    let row =
                        columns.iter().map(|f| differentials.form(f)).collect::<Result<_, _>>()?;
                    rows.push((Part::Form, at, row));
                }
                Structure::Submanifold => {
                    let coefficients = columns
                        .iter()
                        .map(|forest| differentials.structure(forest, budget))
                        .collect::<Result<Vec<_>, _>>()?;
                    let count = |x: &[Residue]| x.len();
                    let Some(first) = coefficients.first() else { continue };
                    for i in 0..count(&first.psi) {
                        rows.push((Part::Psi, at, coefficients.iter().map(|c| c.psi[i]).collect()));
                    }
                    for i in 0..count(&first.phi_v) {
                        let row = coefficients.iter().map(|c| c.phi_v[i]).collect();
                        rows.push((Part::PhiV, at, row));
                    }
                    for i in 0..count(&first.phi_q) {
                        let row = coefficients.iter().map(|c| c.phi_q[i]).collect();
                        rows.push((Part::PhiQ, at, row));
                    }
                }
            }
        }
        self.check_exact_solution(field, &rows)?;
        if !check {
            return Ok((rows, 0));
        }
        let order = self.trees.max_order();
        let table = methods::random_table(field, order + 1, random);
        let weights = methods::weights(field, &table, self.trees);
        let defects = methods::step(field, &problem, &tangents, &table, order)?;
        let mut checks = 0;
        for at in 0..order {
            let values: Vec<Residue> = self.columns[at]
                .iter()
                .map(|forest| methods::monomial(field, forest, &weights))
                .collect();
            let measured = defects.iter().flat_map(|(_, series)| series.iter().map(|s| s[at + 1]));
            let expanded = rows
                .iter()
                .filter(|(_, order, _)| *order == at)
                .map(|(_, _, row)| field.sum_of_products(row.len(), |i| (&row[i], &values[i])));
            for (measured, expanded) in measured.zip(expanded) {
                if measured != expanded {
                    return Err(ClassError::Expansion { order: at + 1 });
                }
                checks += 1;
            }
        }
        Ok((rows, checks))
    }

    /// The exact flow preserves the structure: every row vanishes at w(t) = 1/γ(t).
    fn check_exact_solution(&self, field: &PrimeField, rows: &Rows) -> Result<(), ClassError> {
        let weights = self
            .trees
            .ids()
            .map(|tree| self.trees.gamma(tree).recip().and_then(|x| field.rational(&x)))
            .collect::<Option<Vec<_>>>()
            .ok_or(ClassError::Singular { attempts: 1 })?;
        let values: Vec<Vec<Residue>> = self
            .columns
            .iter()
            .map(|columns| {
                columns.iter().map(|forest| methods::monomial(field, forest, &weights)).collect()
            })
            .collect();
        for (_, at, row) in rows {
            let sum = field.sum_of_products(row.len(), |i| (&row[i], &values[*at][i]));
            if !field.is_exactly_zero(&sum) {
                return Err(ClassError::Expansion { order: at + 1 });
            }
        }
        Ok(())
    }
}

struct Search {
    spaces: Spaces,
    problems: usize,
    checks: usize,
}
