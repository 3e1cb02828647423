//! Where quantities live: variables, what relates them, and random points of a prime field.

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::evaluate::{Fidelity, FieldPlan, Gaussian};
use isotrope_algebra::linear::{Echelon, LinearError, Matrix, Residues, solve};
use isotrope_algebra::modular::{self, Random};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};
use rustc_hash::FxHashMap;

use super::linear::PRIME;
use crate::{ConstraintRows, Symbols};

/// Positions and velocities, entries of rotations and angular velocities, or states alone.
#[derive(Debug, Clone)]
pub(crate) struct Space {
    /// Positions, states, entries of rotations.
    pub base: Vec<ExprId>,
    /// Velocities or momenta.
    pub fibre: Vec<ExprId>,
    /// The time.
    pub time: ExprId,
    /// A v + b = 0: rows of A on the fibre.
    pub rows: Vec<Vec<(u32, ExprId)>>,
    /// b.
    pub offset: Vec<ExprId>,
    /// Entries of rotations as functions of free numbers.
    pub turned: Vec<(ExprId, ExprId)>,
    /// What vanishes: constraints on positions and velocities, relations between entries of rotations.
    pub relations: Vec<ExprId>,
}

/// Values at a random point.
pub(crate) struct Point {
    /// Those of the symbols.
    pub symbols: FxHashMap<ExprId, u64>,
    /// Those of the outputs.
    pub outputs: Vec<Gaussian>,
}

impl Point {
    /// The values of some symbols.
    pub fn of(&self, symbols: &[ExprId]) -> Vec<u64> {
        symbols.iter().map(|symbol| self.symbols.get(symbol).copied().unwrap_or(0)).collect()
    }
}

/// Expressions that are evaluated at points of a space.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    plan: FieldPlan,
    /// Outputs of the space itself.
    own: usize,
    /// Free numbers of rotations.
    free: Vec<ExprId>,
    /// Symbols that are no variables.
    pub parameters: Vec<ExprId>,
}

impl Space {
    /// Positions and velocities with constraints.
    pub fn of_positions(symbols: &Symbols, rows: &ConstraintRows) -> Self {
        let positions = rows.expressions.iter().zip(&rows.written);
        let positions = positions.filter(|(_, w)| **w == crate::Written::Position);
        let mut relations = rows.velocity_level.clone();
        relations.extend(positions.map(|(&phi, _)| phi));
        Self {
            base: symbols.position.clone(),
            fibre: symbols.velocity.clone(),
            time: symbols.time,
            rows: rows.matrix.clone(),
            offset: rows.offset.clone(),
            turned: Vec::new(),
            relations,
        }
    }

    /// States, or positions that determine their velocities.
    pub fn of_states(base: &[ExprId], time: ExprId) -> Self {
        Self {
            base: base.to_vec(),
            fibre: Vec::new(),
            time,
            rows: Vec::new(),
            offset: Vec::new(),
            turned: Vec::new(),
            relations: Vec::new(),
        }
    }

    /// Base, then fibre.
    pub fn variables(&self) -> Vec<ExprId> {
        self.base.iter().chain(&self.fibre).copied().collect()
    }

    /// Prepares the evaluation of expressions; none where they have no values.
    pub fn plan(&self, pool: &mut Pool, outputs: &[ExprId], budget: &mut Budget) -> Option<Plan> {
        let mut all: Vec<ExprId> = self.turned.iter().map(|pair| pair.1).collect();
        all.extend(self.rows.iter().flatten().map(|entry| entry.1));
        all.extend(&self.offset);
        let own = all.len();
        all.extend(outputs);
        let free: Vec<ExprId> = self.turned.iter().map(|pair| pair.1).collect();
        let free = pool.symbols_in(&free);
        let mut parameters = pool.symbols_in(&all);
        parameters.retain(|id| {
            !self.base.contains(id)
                && !self.fibre.contains(id)
                && !free.contains(id)
                && *id != self.time
        });
        let plan = FieldPlan::new(pool, &all, Fidelity::Generic, budget).ok()?;
        Some(Plan { plan, own, free, parameters })
    }

    /// Solves A v + b = 0 for some of the velocities.
    fn make_admissible(
        &self,
        values: &[Gaussian],
        symbols: &mut FxHashMap<ExprId, u64>,
    ) -> Option<()> {
        let field = &mut Residues(PRIME);
        let n = self.fibre.len();
        let mut space = Echelon::new(n + 1);
        let mut entries = values.iter().map(|value| (value[1] == 0).then_some(value[0]));
        let mut rows = Vec::with_capacity(self.rows.len());
        for columns in &self.rows {
            let mut row = vec![0; n + 1];
            for &(column, _) in columns {
                row[column as usize] = entries.next()??;
            }
            rows.push(row);
        }
        for mut row in rows {
            row[n] = entries.next()??;
            let Ok(_) = space.insert(field, row);
        }
        let Ok(reduced) = space.reduced(field);
        for row in reduced {
            let pivot = row.iter().position(|&value| value != 0).filter(|&pivot| pivot < n)?;
            let mut sum = row[n];
            for (entry, velocity) in row.iter().zip(&self.fibre).skip(pivot + 1) {
                let velocity = symbols.get(velocity).copied()?;
                sum = modular::add(sum, modular::mul(*entry, velocity, PRIME), PRIME);
            }
            symbols.insert(self.fibre[pivot], modular::sub(0, sum, PRIME));
        }
        Some(())
    }

    /// An expression with velocities that the constraints admit, and entries of rotations as functions of free numbers.
    pub fn restricted(
        &self,
        pool: &mut Pool,
        expression: ExprId,
        budget: &mut Budget,
    ) -> Result<Option<ExprId>, OutOfBudget> {
        let mut expression = expression;
        if !self.rows.is_empty() {
            let Some(pivots) = self.pivots(pool, budget) else { return Ok(None) };
            let free: Vec<usize> =
                (0..self.fibre.len()).filter(|column| !pivots.contains(column)).collect();
            let count = self.rows.len();
            let mut matrix = Matrix::zero(count, count);
            let mut right = Vec::with_capacity(count);
            for (k, row) in self.rows.iter().enumerate() {
                let mut terms = vec![self.offset[k]];
                for &(column, value) in row {
                    let column = column as usize;
                    match pivots.iter().position(|&pivot| pivot == column) {
                        Some(place) => matrix.set(k, place, value),
                        None if free.contains(&column) => {
                            terms.push(pool.mul(value, self.fibre[column]));
                        }
                        None => {}
                    }
                }
                let sum = pool.sum(&terms);
                right.push(pool.neg(sum));
            }
            let solved = match solve(pool, &matrix, &right, budget) {
                Ok(solved) => solved.solution,
                Err(LinearError::OutOfBudget(stop)) => return Err(stop),
                Err(_) => return Ok(None),
            };
            let map: Substitution =
                pivots.iter().map(|&pivot| self.fibre[pivot]).zip(solved).collect();
            expression = substitute(pool, &[expression], &map, budget)?[0];
        }
        Ok(Some(expression))
    }

    /// The same with entries of rotations as functions of free numbers.
    pub fn turned(
        &self,
        pool: &mut Pool,
        expression: ExprId,
        budget: &mut Budget,
    ) -> Result<ExprId, OutOfBudget> {
        let map: Substitution = self.turned.iter().copied().collect();
        Ok(substitute(pool, &[expression], &map, budget)?[0])
    }

    /// Columns of velocities that the constraints determine.
    fn pivots(&self, pool: &mut Pool, budget: &mut Budget) -> Option<Vec<usize>> {
        let entries: Vec<ExprId> = self.rows.iter().flatten().map(|entry| entry.1).collect();
        let plan = self.plan(pool, &entries, budget)?;
        let random = &mut Random::new(0x9171);
        let point = plan.point(self, pool, random, None)?;
        let mut values = point.outputs.into_iter();
        let field = &mut Residues(PRIME);
        // Short entries first: their inverses are short.
        let mut order: Vec<usize> = (0..self.fibre.len()).collect();
        let constant = |column: &usize| {
            let mut own = self.rows.iter().flatten().filter(|entry| entry.0 as usize == *column);
            !own.all(|entry| pool.as_number(entry.1).is_some())
        };
        order.sort_by_key(constant);
        let mut space = Echelon::new(order.len());
        for row in &self.rows {
            let mut dense = vec![0; order.len()];
            for &(column, _) in row {
                let place = order.iter().position(|&k| k == column as usize)?;
                dense[place] = values.next()?[0];
            }
            let Ok(_) = space.insert(field, dense);
        }
        let Ok(reduced) = space.reduced(field);
        let pivots = reduced.iter().filter_map(|row| row.iter().position(|&value| value != 0));
        let pivots: Vec<usize> = pivots.map(|place| order[place]).collect();
        (pivots.len() == self.rows.len()).then_some(pivots)
    }
}

impl Plan {
    /// Values at a random point; random parameters, too, unless some are given. None where the point is singular.
    pub fn point(
        &self,
        space: &Space,
        pool: &Pool,
        random: &mut Random,
        parameters: Option<&[u64]>,
    ) -> Option<Point> {
        (0..super::linear::TRIES).find_map(|_| {
            let mut symbols: FxHashMap<ExprId, u64> = FxHashMap::default();
            for (k, &symbol) in self.parameters.iter().enumerate() {
                let value = match parameters {
                    Some(values) => *values.get(k)?,
                    None => 1 + random.below(PRIME - 1),
                };
                symbols.insert(symbol, value);
            }
            let variables = space.base.iter().chain(&space.fibre).chain([&space.time]);
            for &symbol in variables.chain(&self.free) {
                symbols.insert(symbol, 1 + random.below(PRIME - 1));
            }
            // The same angles in all evaluations.
            let seed = random.next_u64();
            let evaluate = |symbols: &FxHashMap<ExprId, u64>| {
                self.plan.evaluate_with_roots(pool, &mut Random::new(seed), symbols)
            };
            if !space.turned.is_empty() {
                let values = evaluate(&symbols)?;
                for (&(entry, _), value) in space.turned.iter().zip(values) {
                    symbols.insert(entry, (value[1] == 0).then_some(value[0])?);
                }
            }
            if !space.rows.is_empty() {
                let values = evaluate(&symbols)?;
                space.make_admissible(&values[space.turned.len()..self.own], &mut symbols)?;
            }
            let outputs = evaluate(&symbols)?.split_off(self.own);
            Some(Point { symbols, outputs })
        })
    }
}
