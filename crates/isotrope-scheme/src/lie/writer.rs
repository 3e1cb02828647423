//! Writes the equations of a step on a group.

use isotrope_algebra::calculus::{SparseRows, Substitution, substitute};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool, Rational};

use crate::stages::Digits;
use crate::{
    After, Definition, DiscretiseError, Equations, Memory, StepBound, Unknown, UnknownKind,
};
use isotrope_derive::{GroupMechanics, Symbols, System, Written as Kind};
use isotrope_derive::{Saddle, reactions};

/// A place where the mechanics is evaluated: a configuration by its numbers and the entries of its
/// matrices, and a time.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub numbers: Vec<ExprId>,
    /// What stands for symbols of the system here.
    map: Vec<(ExprId, ExprId)>,
}

/// The equations so far.
pub(crate) struct Writer<'s> {
    pub symbols: &'s Symbols,
    pub mechanics: &'s GroupMechanics,
    pub pool: Pool,
    pub budget: &'s mut Budget,
    pub h: ExprId,
    /// How irrational coefficients are written.
    pub digits: Digits,
    pub residual: Vec<ExprId>,
    pub evaluations: u32,
    velocities: Vec<Unknown>,
    impulses: Vec<Unknown>,
    definitions: Vec<Vec<Definition>>,
    memory: Vec<Memory>,
    after: After,
    bounds: Vec<StepBound>,
    /// Entries of matrices that the equations contain.
    used: Vec<ExprId>,
    /// The momenta depend on the configuration or the time.
    pub varying: bool,
}

/// (2π/2)²: a turn by more than half a turn in one step could be one the other way round.
const HALF_TURN_SQUARED: (i64, i64) = (98_696, 10_000);

impl<'s> Writer<'s> {
    pub(crate) fn new(
        system: &'s System,
        mechanics: &'s GroupMechanics,
        step: &Rational,
        budget: &'s mut Budget,
    ) -> Result<Self, DiscretiseError> {
        let mut pool = system.model.pool.clone();
        let h = pool.number(step.clone());
        let (symbols, dynamics, rows) = (&system.symbols, &mechanics.dynamics, &mechanics.rows);
        if !dynamics.mass_is_velocity_free(&pool, symbols) {
            return Err(DiscretiseError::NotApplicable {
                reason: "the Lagrangian is not quadratic in the velocities",
            });
        }
        if rows.written.contains(&Kind::Chetaev) {
            return Err(DiscretiseError::NotApplicable {
                reason: "a constraint is nonlinear in the velocities",
            });
        }
        let mut all = mechanics.torque.clone();
        all.extend(dynamics.momenta.iter().chain(&dynamics.forces).chain(&rows.velocity_level));
        all.extend(mechanics.eliminated.acceleration.iter().chain([&dynamics.explicit_time]));
        let below = pool.reachable(&all);
        let entries = mechanics.entries.iter().map(|entry| entry.0);
        let used = entries.filter(|entry| below.binary_search(entry).is_ok()).collect();
        let below = pool.reachable(&dynamics.momenta);
        let mut moving = mechanics.drift.iter().map(|rate| &rate.0).chain(&mechanics.numbers);
        let varying = moving.any(|symbol| below.binary_search(symbol).is_ok());
        Ok(Self {
            symbols,
            mechanics,
            pool,
            budget,
            h,
            digits: Digits::Double,
            residual: Vec::new(),
            evaluations: 1,
            velocities: Vec::new(),
            impulses: Vec::new(),
            definitions: Vec::new(),
            memory: Vec::new(),
            after: After::empty(),
            bounds: Vec::new(),
            used,
            varying,
        })
    }

    pub(crate) fn finish(self) -> Equations {
        let impulses = self.impulses.len();
        let mut unknowns = self.velocities;
        unknowns.extend(self.impulses);
        Equations {
            pool: self.pool,
            definitions: self.definitions,
            unknowns,
            impulses,
            residual: self.residual,
            fixed_point: None,
            after: self.after,
            pair: None,
            duration: None,
            memory: self.memory,
            sizes: Vec::new(),
            before_the_start: Vec::new(),
            evaluations: self.evaluations,
            defects: Vec::new(),
            bounds: self.bounds,
        }
    }

    /// The dimension of the group.
    pub(super) fn dimension(&self) -> usize {
        self.symbols.velocity.len()
    }

    fn fresh(&mut self, name: &str) -> ExprId {
        let mut name = name.to_owned();
        while self.pool.find_symbol(&name).is_some() {
            name.push('_');
        }
        self.pool.symbol(&name)
    }

    /// Symbols for expressions that are used more than once.
    pub(super) fn define(&mut self, name: &str, values: &[ExprId]) -> Vec<ExprId> {
        let group: Vec<Definition> = values
            .iter()
            .enumerate()
            .map(|(k, &value)| Definition {
                symbol: self.fresh(&format!("{name}{}", k + 1)),
                value,
            })
            .collect();
        let symbols = group.iter().map(|definition| definition.symbol).collect();
        self.definitions.push(group);
        symbols
    }

    /// Unknown components of the algebra.
    pub(super) fn unknown_velocities(&mut self, mark: &str, guesses: &[ExprId]) -> Vec<ExprId> {
        let names = self.symbols.names.clone();
        let pairs = guesses.iter().zip(names).enumerate();
        pairs
            .map(|(i, (&guess, name))| {
                let symbol = self.fresh(&format!("{name}{mark}"));
                self.velocities.push(Unknown { symbol, kind: UnknownKind::Velocity(i), guess });
                symbol
            })
            .collect()
    }

    /// Unknown impulses of the constraints.
    pub(super) fn unknown_impulses(&mut self, mark: &str, guesses: &[ExprId]) -> Vec<ExprId> {
        let names = self.mechanics.rows.names.clone();
        let pairs = guesses.iter().zip(names);
        pairs
            .map(|(&guess, name)| {
                let symbol = self.fresh(&format!("Λ_{name}{mark}"));
                self.impulses.push(Unknown { symbol, kind: UnknownKind::Impulse, guess });
                symbol
            })
            .collect()
    }

    /// A number carried along, with its first and its next value.
    pub(super) fn remember(&mut self, name: &str, start: ExprId) -> ExprId {
        let symbol = self.fresh(name);
        self.memory.push(Memory { symbol, start, next: symbol, shown: None });
        symbol
    }

    /// The next value of a number carried along.
    pub(super) fn keep(&mut self, symbol: ExprId, next: ExprId) {
        if let Some(memory) = self.memory.iter_mut().find(|memory| memory.symbol == symbol) {
            memory.next = next;
        }
    }

    /// Where the step begins.
    pub(super) fn here(&mut self) -> Place {
        let numbers = self.mechanics.numbers.clone();
        let time = self.symbols.time;
        self.entries_at("_0", numbers, time)
    }

    /// The configuration with these numbers, which get symbols.
    pub(super) fn place(&mut self, mark: &str, numbers: &[ExprId], time: ExprId) -> Place {
        let names = self.mechanics.number_names.clone();
        let group: Vec<Definition> = numbers
            .iter()
            .zip(names)
            .map(|(&value, name)| Definition {
                symbol: self.fresh(&format!("{name}{mark}")),
                value,
            })
            .collect();
        let numbers = group.iter().map(|definition| definition.symbol).collect();
        self.definitions.push(group);
        self.entries_at(mark, numbers, time)
    }

    fn entries_at(&mut self, mark: &str, numbers: Vec<ExprId>, time: ExprId) -> Place {
        let mechanics = self.mechanics;
        let mut map: Vec<(ExprId, ExprId)> =
            mechanics.numbers.iter().copied().zip(numbers.iter().copied()).collect();
        if !self.used.is_empty() {
            let at: Substitution = map.iter().copied().collect();
            let used: Vec<(ExprId, ExprId)> = mechanics
                .entries
                .iter()
                .filter(|entry| self.used.contains(&entry.0))
                .copied()
                .collect();
            let values: Vec<ExprId> = used.iter().map(|entry| entry.1).collect();
            // Polynomials of four numbers: no budget is needed for them.
            let values = substitute(&mut self.pool, &values, &at, &mut Budget::new(1 << 20))
                .unwrap_or(values);
            let names = format!("R{mark}_");
            let symbols = self.define(&names, &values);
            map.extend(used.iter().map(|entry| entry.0).zip(symbols));
        }
        map.push((self.symbols.time, time));
        map.retain(|(from, to)| from != to);
        Place { numbers, map }
    }

    /// Expressions of the system at a place, with velocities there.
    pub(super) fn at(
        &mut self,
        place: &Place,
        xi: &[ExprId],
        expressions: &[ExprId],
    ) -> Result<Vec<ExprId>, OutOfBudget> {
        let mut map: Substitution = place.map.iter().copied().collect();
        map.extend(self.symbols.velocity.iter().copied().zip(xi.iter().copied()));
        map.retain(|from, to| from != to);
        substitute(&mut self.pool, expressions, &map, self.budget)
    }

    fn rows_at(&mut self, place: &Place, rows: &SparseRows) -> Result<SparseRows, OutOfBudget> {
        let entries: Vec<ExprId> = rows.iter().flatten().map(|entry| entry.1).collect();
        let still = self.symbols.velocity.clone();
        let mut values = self.at(place, &still, &entries)?.into_iter();
        Ok(rows
            .iter()
            .map(|row| row.iter().zip(values.by_ref()).map(|(&(j, _), v)| (j, v)).collect())
            .collect())
    }

    /// ∂_g L + F.
    pub(super) fn driving(
        &mut self,
        place: &Place,
        xi: &[ExprId],
    ) -> Result<Vec<ExprId>, OutOfBudget> {
        let forces = self.mechanics.dynamics.forces.clone();
        let torque = self.mechanics.torque.iter().zip(forces);
        let sums: Vec<ExprId> = torque.map(|(&t, f)| self.pool.add(t, f)).collect();
        self.at(place, xi, &sums)
    }

    /// A ξ + b.
    pub(super) fn rates(
        &mut self,
        place: &Place,
        xi: &[ExprId],
    ) -> Result<Vec<ExprId>, OutOfBudget> {
        let level = self.mechanics.rows.velocity_level.clone();
        self.at(place, xi, &level)
    }

    /// AᵀΛ.
    fn reaction(&mut self, place: &Place, impulses: &[ExprId]) -> Result<Vec<ExprId>, OutOfBudget> {
        let rows = self.rows_at(place, &self.mechanics.rows.matrix)?;
        Ok(reactions(&mut self.pool, self.symbols.velocity.len(), &rows, impulses))
    }

    /// p + AᵀΛ at a place.
    pub(super) fn kicked(
        &mut self,
        place: &Place,
        momenta: &[ExprId],
        impulses: &[ExprId],
    ) -> Result<Vec<ExprId>, OutOfBudget> {
        let reaction = self.reaction(place, impulses)?;
        Ok(momenta.iter().zip(reaction).map(|(&p, r)| self.pool.add(p, r)).collect())
    }

    /// Solves M v + c = p + AᵀΛ, A v + b = 0 at a place.
    pub(super) fn velocities(
        &mut self,
        place: &Place,
        momenta: &[ExprId],
    ) -> Result<(Vec<ExprId>, Vec<ExprId>), OutOfBudget> {
        let rows = &self.mechanics.rows;
        self.solved(place, momenta, (&rows.matrix, &rows.offset))
    }

    /// Solves M v + c = p at a place.
    pub(super) fn free_velocities(
        &mut self,
        place: &Place,
        momenta: &[ExprId],
    ) -> Result<Vec<ExprId>, OutOfBudget> {
        Ok(self.solved(place, momenta, (&Vec::new(), &[]))?.0)
    }

    fn solved(
        &mut self,
        place: &Place,
        momenta: &[ExprId],
        (matrix, offset): (&SparseRows, &[ExprId]),
    ) -> Result<(Vec<ExprId>, Vec<ExprId>), OutOfBudget> {
        let mechanics = self.mechanics;
        let mass = self.rows_at(place, &mechanics.dynamics.mass)?;
        let matrix = self.rows_at(place, matrix)?;
        let rest = vec![ExprId::ZERO; momenta.len()];
        let constant = self.at(place, &rest, &mechanics.dynamics.momenta)?;
        let offset = self.at(place, &rest, offset)?;
        let impressed: Vec<ExprId> =
            momenta.iter().zip(&constant).map(|(&p, &c)| self.pool.sub(p, c)).collect();
        let saddle = Saddle {
            mass: &mass,
            constraints: &matrix,
            reactions: &matrix,
            impressed: &impressed,
            curvature: &offset,
        };
        Ok(saddle.solve(&mut self.pool))
    }

    /// The work −Λ·b of reactions AᵀΛ at a place: A ξ = −b there.
    pub(super) fn reaction_work(
        &mut self,
        place: &Place,
        impulses: &[ExprId],
    ) -> Result<ExprId, OutOfBudget> {
        let still = self.symbols.velocity.clone();
        let offset = self.at(place, &still, &self.mechanics.rows.offset)?;
        let parts: Vec<ExprId> =
            impulses.iter().zip(offset).map(|(&lambda, b)| self.pool.mul(lambda, b)).collect();
        let sum = self.pool.sum(&parts);
        Ok(self.pool.neg(sum))
    }

    /// factor (F·ξ − L_t − λ·b), with λ(g, ξ, t) of the field.
    pub(super) fn field_work(
        &mut self,
        place: &Place,
        xi: &[ExprId],
        factor: ExprId,
    ) -> Result<ExprId, OutOfBudget> {
        let work = self.work(place, xi, factor)?;
        if self.mechanics.rows.offset.iter().all(|b| b.is_zero()) {
            return Ok(work);
        }
        let multipliers = self.at(place, xi, &self.mechanics.eliminated.multipliers)?;
        let impulses = self.scaled(factor, &multipliers);
        let reactions = self.reaction_work(place, &impulses)?;
        Ok(self.pool.add(work, reactions))
    }

    /// factor (F·ξ − L_t).
    pub(super) fn work(
        &mut self,
        place: &Place,
        xi: &[ExprId],
        factor: ExprId,
    ) -> Result<ExprId, OutOfBudget> {
        let dynamics = &self.mechanics.dynamics;
        let pairs: Vec<(ExprId, ExprId)> =
            dynamics.forces.iter().copied().zip(self.symbols.velocity.iter().copied()).collect();
        let mut terms: Vec<ExprId> = pairs.into_iter().map(|(f, v)| self.pool.mul(f, v)).collect();
        terms.push(self.pool.neg(dynamics.explicit_time));
        let power = self.pool.sum(&terms);
        let power = self.at(place, xi, &[power])?[0];
        Ok(self.pool.mul(factor, power))
    }

    /// Expressions in the numbers of the state alone: for guesses and first values.
    pub(super) fn before(&mut self, expressions: &[ExprId]) -> Result<Vec<ExprId>, OutOfBudget> {
        let mechanics = self.mechanics;
        mechanics.in_numbers(&mut self.pool, expressions, self.budget)
    }

    /// t + c h.
    pub(super) fn later(&mut self, part: &Rational) -> ExprId {
        let ahead = self.pool.scale(part, self.h);
        self.pool.add(self.symbols.time, ahead)
    }

    /// x + factor y.
    pub(super) fn drifted(&mut self, x: &[ExprId], factor: ExprId, y: &[ExprId]) -> Vec<ExprId> {
        x.iter()
            .zip(y)
            .map(|(&x, &y)| {
                let way = self.pool.mul(factor, y);
                self.pool.add(x, way)
            })
            .collect()
    }

    /// factor x.
    pub(super) fn scaled(&mut self, factor: ExprId, x: &[ExprId]) -> Vec<ExprId> {
        x.iter().map(|&x| self.pool.mul(factor, x)).collect()
    }

    /// Ends the step if a rotation by `turns`, elements of the algebra, is half a turn or more: the
    /// number that is carried along is the root of what is left, and not a number then.
    pub(super) fn bound(&mut self, turns: &[Vec<ExprId>]) {
        let mut roots = Vec::new();
        for part in self.mechanics.group.parts() {
            let spins = part.components.start..part.components.start + part.factor.spins();
            for turn in turns {
                let Some(omega) = turn.get(spins.clone()).filter(|omega| !omega.is_empty()) else {
                    continue;
                };
                let squares: Vec<ExprId> = omega.iter().map(|&w| self.pool.powi(w, 2)).collect();
                let square = self.pool.sum(&squares);
                let limit = self.pool.ratio(HALF_TURN_SQUARED.0, HALF_TURN_SQUARED.1);
                let left = self.pool.sub(limit, square);
                roots.push(self.pool.sqrt(left));
            }
        }
        if roots.is_empty() {
            return;
        }
        let rest = self.pool.sum(&roots);
        self.bounds.push(StepBound {
            memory: self.memory.len(),
            reason: "a body turns by about half a turn in one step, which could as well be a turn the other \
                     way round: take a smaller step",
        });
        let symbol = self.remember("rest_of_half_a_turn", ExprId::ONE);
        self.keep(symbol, rest);
    }

    /// What the step leaves behind.
    pub(super) fn leave(
        &mut self,
        end: &Place,
        velocity: Vec<ExprId>,
        momentum: Vec<ExprId>,
        multipliers: Vec<ExprId>,
        work: ExprId,
    ) {
        self.after = After {
            exchange: None,
            position: end.numbers.clone(),
            velocity,
            momentum,
            multipliers,
            work,
            increments: None,
        };
    }
}
