//! `[equations]` whose right-hand sides contain accelerations, or whose left-hand sides are expressions: linear
//! in the highest rates, which are solved for exactly.
//!
//! Published models couple their equations through accelerations (a wake oscillator q'' + … = A y'' behind a
//! cylinder y'' + y = …). What follows by substitution alone is substituted; only what remains is a linear system.

use isotrope_algebra::calculus::{CollectError, Substitution, collect, substitute};
use isotrope_algebra::evaluate::{Fidelity, FieldPlan};
use isotrope_algebra::linear::{Matrix, solve, sparse_rank};
use isotrope_algebra::modular::Random;
use isotrope_algebra::normal::simplify;
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};
use rustc_hash::FxHashMap;

use crate::diagnostics::Place;

/// Systems up to this size are solved by formulas, if those stay short; larger ones stay systems.
const MOST_BY_FORMULAS: usize = 6;
/// Operations that such formulas may take.
const FORMULAS: u64 = 200_000;
/// Operations for everything else.
const WORK: u64 = 20_000_000;
/// Random points at which a matrix is singular before it counts as singular.
const POINTS: usize = 4;

/// An equation that vanishes where it holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Residual {
    pub(super) value: ExprId,
    pub(super) place: Place,
}

/// Equations for rates.
#[derive(Debug)]
pub(super) struct Coupled<'c> {
    /// The symbols of the rates.
    pub(super) unknowns: &'c [ExprId],
    /// For each rate the equation that has it alone on its left-hand side.
    pub(super) explicit: &'c [Option<(ExprId, Place)>],
    /// The other equations.
    pub(super) implicit: &'c [Residual],
    /// The values of the parameters.
    pub(super) parameters: &'c Substitution,
}

/// Why rates do not follow from their equations.
#[derive(Debug)]
pub(super) enum Unsolved {
    /// An equation is not linear in them.
    NotLinear(Place),
    /// The matrix of their coefficients is singular: its rank, the rates concerned, and an equation.
    Singular { rank: usize, rates: Vec<usize>, place: Place },
    /// Too large.
    OutOfBudget(OutOfBudget),
}

impl From<OutOfBudget> for Unsolved {
    fn from(error: OutOfBudget) -> Self {
        Self::OutOfBudget(error)
    }
}

impl Coupled<'_> {
    /// Each rate as a function of the state.
    pub(super) fn solve(&self, pool: &mut Pool) -> Result<Vec<ExprId>, Unsolved> {
        let mut budget = Budget::new(WORK);
        let mut solved = self.substituted(pool, &mut budget)?;
        let rest: Vec<usize> = (0..self.unknowns.len()).filter(|&i| solved[i].is_none()).collect();
        if !rest.is_empty() || !self.implicit.is_empty() {
            let values = self.by_linear_algebra(pool, &solved, &rest, &mut budget)?;
            for (&i, value) in rest.iter().zip(values) {
                solved[i] = Some(value);
            }
        }
        Ok(solved.into_iter().flatten().collect())
    }

    /// Rates that follow from each other by substitution, in the order in which they do.
    fn substituted(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<Vec<Option<ExprId>>, OutOfBudget> {
        let index: FxHashMap<ExprId, usize> =
            self.unknowns.iter().enumerate().map(|(i, &symbol)| (symbol, i)).collect();
        let count = self.unknowns.len();
        let (mut waits_for, mut wanted_by) = (vec![0usize; count], vec![Vec::new(); count]);
        let mut ready = Vec::new();
        for (i, equation) in self.explicit.iter().enumerate() {
            let Some((value, _)) = equation else { continue };
            for symbol in pool.symbols_in(&[*value]) {
                if let Some(&j) = index.get(&symbol) {
                    waits_for[i] += 1;
                    wanted_by[j].push(i);
                }
            }
            if waits_for[i] == 0 {
                ready.push(i);
            }
        }
        let mut solved = vec![None; count];
        let mut map = Substitution::default();
        while let Some(i) = ready.pop() {
            let Some((value, _)) = self.explicit[i] else { continue };
            let value = match map.is_empty() {
                true => value,
                false => substitute(pool, &[value], &map, budget)?[0],
            };
            solved[i] = Some(value);
            if !wanted_by[i].is_empty() {
                map.insert(self.unknowns[i], value);
            }
            for &j in &wanted_by[i] {
                waits_for[j] -= 1;
                if waits_for[j] == 0 {
                    ready.push(j);
                }
            }
        }
        Ok(solved)
    }

    /// The rates `rest` from A z = b, where the other rates are known.
    fn by_linear_algebra(
        &self,
        pool: &mut Pool,
        solved: &[Option<ExprId>],
        rest: &[usize],
        budget: &mut Budget,
    ) -> Result<Vec<ExprId>, Unsolved> {
        let known: Substitution = self
            .unknowns
            .iter()
            .zip(solved)
            .filter_map(|(&symbol, value)| Some((symbol, (*value)?)))
            .collect();
        let unknowns: Vec<ExprId> = rest.iter().map(|&i| self.unknowns[i]).collect();
        let mut residuals = Vec::with_capacity(rest.len());
        for &i in rest {
            let Some((value, place)) = self.explicit[i] else { continue };
            residuals.push(Residual { value: pool.sub(self.unknowns[i], value), place });
        }
        residuals.extend(self.implicit);
        let values: Vec<ExprId> = residuals.iter().map(|residual| residual.value).collect();
        let values = substitute(pool, &values, &known, budget)?;
        let mut entries = Vec::new();
        let mut right = Vec::with_capacity(values.len());
        for (row, (value, Residual { place, .. })) in values.into_iter().zip(&residuals).enumerate()
        {
            let collected =
                collect(pool, value, &unknowns, budget).map_err(|error| match error {
                    CollectError::NotPolynomial { .. } => Unsolved::NotLinear(*place),
                    CollectError::OutOfBudget(error) => Unsolved::OutOfBudget(error),
                })?;
            let mut constant = ExprId::ZERO;
            for (power, coefficient) in collected {
                match power[..] {
                    [] => constant = pool.neg(coefficient),
                    [(column, 1)] => {
                        let coefficient = simplify(pool, coefficient, budget);
                        if !coefficient.is_zero() {
                            entries.push((row as u32, column, coefficient));
                        }
                    }
                    _ => return Err(Unsolved::NotLinear(*place)),
                }
            }
            right.push(constant);
        }
        let size = unknowns.len();
        let found = self.rank(pool, &entries, residuals.len(), size, budget)?;
        if found.rank < size || residuals.len() != size {
            let row = found.dependent_rows.first().copied().unwrap_or(0);
            let place = residuals.get(row).map_or_else(Place::default, |residual| residual.place);
            return Err(Unsolved::Singular { rank: found.rank, rates: rest.to_vec(), place });
        }
        if size <= MOST_BY_FORMULAS {
            let mut matrix = Matrix::zero(size, size);
            for &(row, column, value) in &entries {
                matrix.set(row as usize, column as usize, value);
            }
            let formulas = &mut Budget::new(FORMULAS);
            if let Ok(found) = solve(pool, &matrix, &right, formulas) {
                return Ok(found.solution.iter().map(|&z| simplify(pool, z, formulas)).collect());
            }
        }
        Ok(pool.solve_node(&entries, &right))
    }

    /// The rank of the coefficients with the values of the parameters, at points where it is largest.
    fn rank(
        &self,
        pool: &mut Pool,
        entries: &[(u32, u32, ExprId)],
        rows: usize,
        columns: usize,
        budget: &mut Budget,
    ) -> Result<isotrope_algebra::linear::SparseRank, Unsolved> {
        let values: Vec<ExprId> = entries.iter().map(|entry| entry.2).collect();
        let values = substitute(pool, &values, self.parameters, budget)?;
        let empty = sparse_rank(&vec![Vec::new(); rows], columns, FieldPlan::PRIME);
        let Ok(plan) = FieldPlan::new(pool, &values, Fidelity::Generic, budget) else {
            return Ok(empty);
        };
        let (mut random, nothing) = (Random::new(0x5ec0), FxHashMap::default());
        let mut best = empty;
        for _ in 0..POINTS {
            let Some(values) = plan.evaluate_somewhere(pool, &mut random, &nothing, 64) else {
                break;
            };
            let mut matrix = vec![Vec::new(); rows];
            for (&(row, column, _), value) in entries.iter().zip(values) {
                if value != 0 {
                    matrix[row as usize].push((column, value));
                }
            }
            let found = sparse_rank(&matrix, columns, FieldPlan::PRIME);
            if found.rank > best.rank {
                best = found;
            }
            if best.rank == columns {
                break;
            }
        }
        Ok(best)
    }
}
