//! Steps of schemes that are written as equations: Newton's method in balls.

use isotrope_algebra::evaluate::BallProgram;
use isotrope_algebra::{Ball, Budget, EvaluationError, ExprId, Stop};

use super::mechanics::{Mechanics, Place};
use super::stepper::{Measured, State};
use super::units::{self, Units};
use super::vectors::{Vector, difference, is_below, midpoints, solve};
use super::{BITS, DOING, SmallStepError, precision};
use isotrope_derive::System;
use isotrope_scheme::{Defect, Definition, EquationScheme, Equations, discretise_for_all_steps};

/// Rounds of Newton's method: from a guess that is close, each doubles the number of digits.
const ROUNDS: usize = 24;
/// Bits that ill-conditioned equations (powers of h) may cost.
const LOST: i64 = 110;

/// A scheme on a system.
pub(super) struct EquationSteps {
    /// How many positions and how many velocities there are.
    sizes: (usize, usize),
    /// The units of the unknowns.
    unknowns: Vec<i64>,
    memory: usize,
    /// Functions that it measures itself.
    pub defects: Vec<Defect>,
    /// Is anything remembered that is more than a guess?
    pub history: bool,
    pub staggered: bool,
    starts: BallProgram,
    guesses: BallProgram,
    /// The residual and the entries of its Jacobian.
    newton: BallProgram,
    pattern: Vec<(usize, usize)>,
    /// Positions, velocities, momenta, work, memory and the place where errors are measured.
    after: BallProgram,
}

impl EquationSteps {
    pub(super) fn new(
        system: &System,
        mechanics: &Mechanics,
        scheme: &EquationScheme,
        budget: &mut Budget,
    ) -> Result<Self, SmallStepError> {
        let (mut equations, h) = discretise_for_all_steps(system, scheme, BITS + 64, budget)?;
        let jacobian = equations.jacobian(budget)?;
        let symbols = &system.symbols;
        let mut known: Vec<ExprId> = mechanics.parameters.iter().map(|(s, _)| *s).collect();
        known.extend([h, symbols.time]);
        known.extend(mechanics.position.iter().chain(&symbols.velocity).chain(&symbols.momentum));
        let mut carried = known.clone();
        carried.extend(equations.memory.iter().map(|memory| memory.symbol));
        let mut all = carried.clone();
        all.extend(equations.unknowns.iter().map(|unknown| unknown.symbol));
        let groups = equations.groups_of_the_residual();
        let write = |inputs: &[ExprId], groups: &[Vec<Definition>], outputs: &[ExprId]| {
            let mut program = BallProgram::new(precision());
            inputs.iter().for_each(|&symbol| program.input(symbol));
            for definition in groups.iter().flatten() {
                program.define(&equations.pool, definition.symbol, definition.value)?;
            }
            program.outputs(&equations.pool, outputs)?;
            Ok::<_, SmallStepError>(program)
        };
        let starts: Vec<ExprId> = equations.memory.iter().map(|memory| memory.start).collect();
        let guesses: Vec<ExprId> = equations.unknowns.iter().map(|unknown| unknown.guess).collect();
        let mut residual = equations.residual.clone();
        let mut pattern = Vec::new();
        for (i, row) in jacobian.iter().enumerate() {
            for &(j, value) in row {
                pattern.push((i, j as usize));
                residual.push(value);
            }
        }
        Ok(Self {
            sizes: (mechanics.position.len(), symbols.dimension()),
            unknowns: mechanics.units.unknowns(equations.unknowns.iter().map(|one| one.kind)),
            memory: equations.memory.len(),
            defects: equations.defects.clone(),
            history: has_history(&equations),
            staggered: equations.pair.is_some(),
            starts: write(&known, &equations.before_the_start, &starts)?,
            guesses: write(&carried, &[], &guesses)?,
            newton: write(&all, &equations.definitions[..groups], &residual)?,
            pattern,
            after: write(&all, &equations.definitions, &left_behind(&equations))?,
        })
    }

    /// In the units of the model.
    fn inputs(
        &self,
        mechanics: &Mechanics,
        state: &State,
        h: &Ball,
    ) -> Result<Vector, EvaluationError> {
        let units = &mechanics.units;
        let mut inputs: Vector =
            mechanics.parameters.iter().map(|(_, value)| value.clone()).collect();
        inputs.extend([h.shift(units.time)?, state.place.t.shift(units.time)?]);
        inputs.extend(Units::outwards(&state.place.q, &units.position)?);
        inputs.extend(Units::outwards(&state.place.v, &units.velocity)?);
        inputs.extend(Units::outwards(&state.p, &units.momenta())?);
        inputs.extend(state.memory.iter().cloned());
        Ok(inputs)
    }

    pub(super) fn start(
        &self,
        mechanics: &Mechanics,
        state: &State,
        h: &Ball,
    ) -> Result<Vector, SmallStepError> {
        Ok(midpoints(&self.starts.run(&self.inputs(mechanics, state, h)?)?))
    }

    pub(super) fn step(
        &self,
        mechanics: &Mechanics,
        state: &State,
        h: &Ball,
    ) -> Result<(State, Measured), SmallStepError> {
        let mut inputs = self.inputs(mechanics, state, h)?;
        let count = self.unknowns.len();
        let mut unknowns = midpoints(&self.guesses.run(&inputs)?);
        let carried = inputs.len();
        inputs.extend(unknowns.iter().cloned());
        // The correction after this one would be its square, or less than rounding.
        let close = (LOST - i64::from(precision().bits())) / 2 - 30;
        let mut settled = count == 0;
        for _ in 0..ROUNDS {
            if settled {
                break;
            }
            Stop::check(DOING)?;
            let mut values = midpoints(&self.newton.run(&inputs)?);
            let entries = values.split_off(count);
            let mut matrix = vec![vec![Ball::zero(precision()); count]; count];
            for (&(i, j), value) in self.pattern.iter().zip(entries) {
                matrix[i][j] = value.shift(units::at(&self.unknowns, j))?;
            }
            if !mechanics.units.position.is_empty() {
                balance(&mut matrix, &mut values)?;
            }
            let way = solve(matrix, values)?;
            unknowns = midpoints(&difference(&unknowns, &Units::outwards(&way, &self.unknowns)?));
            inputs.truncate(carried);
            inputs.extend(unknowns.iter().cloned());
            settled = is_below(&way, close);
        }
        if !settled {
            return Err(SmallStepError::Newton);
        }
        let mut values = midpoints(&self.after.run(&inputs)?).into_iter();
        let (positions, n) = self.sizes;
        let mut take = |count: usize| -> Vector { values.by_ref().take(count).collect() };
        let units = &mechanics.units;
        let place = |q: Vector, v: Vector, t: Ball| -> Result<Place, EvaluationError> {
            let q = Units::inwards(&q, &units.position)?;
            Ok(Place { t, q, v: Units::inwards(&v, &units.velocity)? })
        };
        let momenta = |p: Vector| Units::inwards(&p, &units.momenta());
        let done = |work: Option<Ball>| -> Result<Ball, EvaluationError> {
            let work = work.unwrap_or_else(super::vectors::zero).shift(-units.energy)?;
            Ok(state.work.add(&work))
        };
        let (q, v, p) = (take(positions), take(n), take(n));
        let work = done(take(1).pop())?.midpoint();
        let memory = take(self.memory);
        let there = place(q, v, state.place.t.add(h).midpoint())?;
        let next = State { place: there, p: momenta(p)?, memory, work };
        let measured = if self.staggered {
            let (q, v, p) = (take(positions), take(n), take(n));
            let t = take(1).pop().unwrap_or_else(super::vectors::zero);
            let work = done(take(1).pop())?;
            Measured { place: place(q, v, t.shift(-units.time)?)?, p: momenta(p)?, work }
        } else {
            Measured { place: next.place.clone(), p: next.p.clone(), work: next.work.clone() }
        };
        Ok((next, measured))
    }
}

/// Rows whose largest entries are about one.
fn balance(matrix: &mut [Vector], right: &mut [Ball]) -> Result<(), EvaluationError> {
    for (row, right) in matrix.iter_mut().zip(right) {
        let largest = row.iter().map(|x| x.to_f64().abs()).fold(0.0, f64::max);
        let unit = units::exponent(largest);
        *row = row.iter().map(|x| x.shift(-unit)).collect::<Result<_, _>>()?;
        *right = right.shift(-unit)?;
    }
    Ok(())
}

/// What a step leaves behind, in one list.
fn left_behind(equations: &Equations) -> Vec<ExprId> {
    let after = &equations.after;
    let mut list = after.position.clone();
    list.extend(after.velocity.iter().chain(&after.momentum));
    list.push(after.work);
    list.extend(equations.memory.iter().map(|memory| memory.next));
    if let Some(pair) = &equations.pair {
        list.extend(pair.position.iter().chain(&pair.velocity).chain(&pair.momentum));
        list.extend([pair.time, pair.work]);
    }
    list
}

/// Does anything but guesses depend on what is remembered?
fn has_history(equations: &Equations) -> bool {
    let mut roots = equations.residual.clone();
    roots.extend(equations.definitions.iter().flatten().map(|definition| definition.value));
    roots.extend(equations.after.position.iter().chain(&equations.after.velocity));
    roots.extend(equations.after.momentum.iter().chain([&equations.after.work]));
    if let Some(pair) = &equations.pair {
        roots.extend(pair.position.iter().chain(&pair.velocity).chain(&pair.momentum));
        roots.push(pair.work);
    }
    let below = equations.pool.reachable(&roots);
    equations.memory.iter().any(|memory| below.binary_search(&memory.symbol).is_ok())
}
