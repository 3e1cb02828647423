//! Linear conditions known at random points of a prime field, and their solutions with coefficients in parameters.

use isotrope_algebra::evaluate::{FieldPlan, Gaussian};
use isotrope_algebra::linear::{Echelon, Residues};
use isotrope_algebra::modular::{self, Random};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};

use super::parameters::{Fractions, cleared};

pub(super) const PRIME: u64 = FieldPlan::PRIME;
/// Random points, at most, until one is regular.
pub(super) const TRIES: usize = 64;
/// Points that have to say nothing new before the conditions are taken as complete.
pub(super) const REPEATED: usize = 6;
/// Coefficients of a solution that is reconstructed, at most.
pub(super) const SUPPORT: usize = 64;
/// An operation of a budget takes as long as this many multiplications of residues.
pub(super) const CHEAP: usize = 16;

/// Conditions that are linear in unknowns, one column each.
pub(super) trait Linear {
    /// How many unknowns there are. Those that follow from others come first: the last one of a solution is one.
    fn columns(&self) -> usize;

    /// The parameters of the model.
    fn parameters(&self) -> &[ExprId];

    /// Coefficients of a solution that is reconstructed, at most.
    fn support(&self) -> usize {
        SUPPORT
    }

    /// Random numbers for points.
    fn random(&mut self) -> &mut Random;

    /// The conditions on the unknowns in some columns at one random point, for these values of the parameters.
    fn conditions(
        &mut self,
        pool: &Pool,
        columns: &[usize],
        parameters: &[u64],
    ) -> Option<Vec<Vec<u64>>>;

    /// Random values for the parameters.
    fn some_parameters(&mut self) -> Vec<u64> {
        let count = self.parameters().len();
        (0..count).map(|_| 1 + self.random().below(PRIME - 1)).collect()
    }

    /// All solutions for these values of the parameters.
    fn solutions(
        &mut self,
        pool: &Pool,
        parameters: &[u64],
        budget: &mut Budget,
    ) -> Result<Vec<Solution>, OutOfBudget> {
        let columns: Vec<usize> = (0..self.columns()).collect();
        let kernel = kernel(self, pool, &columns, parameters, budget)?;
        let solutions = kernel.into_iter().map(|vector| {
            let columns: Vec<usize> = (0..vector.len()).filter(|&k| vector[k] != 0).collect();
            Solution { values: columns.iter().map(|&k| vector[k]).collect(), columns }
        });
        let most = self.support();
        Ok(solutions.filter(|solution| solution.columns.len() <= most).collect())
    }

    /// The coefficients of a solution as functions of the parameters; none if they are no simple fractions.
    fn coefficients(
        &mut self,
        pool: &mut Pool,
        solution: &Solution,
        budget: &mut Budget,
    ) -> Result<Option<Vec<ExprId>>, OutOfBudget> {
        let fractions = Fractions::new(self.parameters().to_vec());
        let random = &mut self.random().clone();
        let shared: &Pool = pool;
        let solve = |parameters: &[u64], budget: &mut Budget| {
            let kernel = kernel(self, shared, &solution.columns, parameters, budget)?;
            Ok(match kernel.as_slice() {
                [only] if only.last() == Some(&1) => Some(only.clone()),
                _ => None,
            })
        };
        let table = fractions.table(solution.columns.len(), random, solve, budget)?;
        let found = table.and_then(|table| fractions.reconstructed(pool, &table));
        Ok(found.map(|coefficients| cleared(pool, &coefficients, budget)))
    }
}

/// A solution modulo the prime: the columns of the unknowns that occur, and their values.
#[derive(Debug, Clone)]
pub(super) struct Solution {
    pub columns: Vec<usize>,
    pub values: Vec<u64>,
}

/// Vectors of the unknowns in some columns that solve the conditions.
fn kernel<L: Linear + ?Sized>(
    of: &mut L,
    pool: &Pool,
    columns: &[usize],
    parameters: &[u64],
    budget: &mut Budget,
) -> Result<Vec<Vec<u64>>, OutOfBudget> {
    let field = &mut Residues(PRIME);
    let mut space = Echelon::new(columns.len());
    let (mut repeated, mut rank) = (0, 0);
    while repeated < REPEATED && rank < columns.len() {
        let cost = columns.len() * (rank + 8) / CHEAP;
        budget.spend(cost as u64, "searching conserved quantities")?;
        let Some(conditions) = of.conditions(pool, columns, parameters) else {
            return Ok(Vec::new());
        };
        for row in conditions {
            let Ok(_) = space.insert(field, row);
        }
        repeated = if space.rank() > rank { 0 } else { repeated + 1 };
        rank = space.rank();
    }
    let Ok(kernel) = space.nullspace(field);
    Ok(kernel)
}

/// The unknowns are residues: real and imaginary parts of a condition vanish on their own.
pub(super) fn halves(rows: &[Vec<Gaussian>]) -> Vec<Vec<u64>> {
    let halves = rows.iter().flat_map(|row| {
        [0, 1].map(|half| row.iter().map(|value| value[half]).collect::<Vec<u64>>())
    });
    halves.filter(|row| row.iter().any(|&value| value != 0)).collect()
}

pub(super) fn plus(a: Gaussian, b: Gaussian) -> Gaussian {
    [0, 1].map(|k| modular::add(a[k], b[k], PRIME))
}

pub(super) fn less(a: Gaussian, b: Gaussian) -> Gaussian {
    [0, 1].map(|k| modular::sub(a[k], b[k], PRIME))
}

pub(super) fn product([a, b]: Gaussian, [c, d]: Gaussian) -> Gaussian {
    let times = |x, y| modular::mul(x, y, PRIME);
    [modular::sub(times(a, c), times(b, d), PRIME), modular::add(times(a, d), times(b, c), PRIME)]
}

pub(super) fn times(a: Gaussian, factor: u64) -> Gaussian {
    a.map(|part| modular::mul(part, factor, PRIME))
}
