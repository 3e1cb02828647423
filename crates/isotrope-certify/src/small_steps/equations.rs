//! Steps of schemes that are written as equations: Newton's method in balls.

use isotrope_algebra::evaluate::BallProgram;
use isotrope_algebra::{Ball, Budget, ExprId, Stop};

use super::mechanics::{Mechanics, Place};
use super::stepper::{Measured, State};
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
    unknowns: usize,
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
            unknowns: equations.unknowns.len(),
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

    fn inputs(&self, mechanics: &Mechanics, state: &State, h: &Ball) -> Vector {
        let mut inputs: Vector =
            mechanics.parameters.iter().map(|(_, value)| value.clone()).collect();
        inputs.extend([h.clone(), state.place.t.clone()]);
        inputs.extend(state.place.q.iter().chain(&state.place.v).chain(&state.p).cloned());
        inputs.extend(state.memory.iter().cloned());
        inputs
    }

    pub(super) fn start(
        &self,
        mechanics: &Mechanics,
        state: &State,
        h: &Ball,
    ) -> Result<Vector, SmallStepError> {
        Ok(midpoints(&self.starts.run(&self.inputs(mechanics, state, h))?))
    }

    pub(super) fn step(
        &self,
        mechanics: &Mechanics,
        state: &State,
        h: &Ball,
    ) -> Result<(State, Measured), SmallStepError> {
        let mut inputs = self.inputs(mechanics, state, h);
        let mut unknowns = midpoints(&self.guesses.run(&inputs)?);
        let carried = inputs.len();
        inputs.extend(unknowns.iter().cloned());
        // The correction after this one would be its square, or less than rounding.
        let close = (LOST - i64::from(precision().bits())) / 2 - 30;
        let mut settled = self.unknowns == 0;
        for _ in 0..ROUNDS {
            if settled {
                break;
            }
            Stop::check(DOING)?;
            let mut values = midpoints(&self.newton.run(&inputs)?);
            let entries = values.split_off(self.unknowns);
            let mut matrix = vec![vec![Ball::zero(precision()); self.unknowns]; self.unknowns];
            for (&(i, j), value) in self.pattern.iter().zip(entries) {
                matrix[i][j] = value;
            }
            let way = solve(matrix, values)?;
            unknowns = midpoints(&difference(&unknowns, &way));
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
        let (q, v, p) = (take(positions), take(n), take(n));
        let work = state.work.add(&take(1).pop().unwrap_or_else(super::vectors::zero)).midpoint();
        let memory = take(self.memory);
        let place = Place { t: state.place.t.add(h).midpoint(), q, v };
        let next = State { place, p, memory, work };
        let measured = if self.staggered {
            let (q, v, p) = (take(positions), take(n), take(n));
            let t = take(1).pop().unwrap_or_else(super::vectors::zero);
            let work = take(1).pop().unwrap_or_else(super::vectors::zero);
            Measured { place: Place { t, q, v }, p, work: state.work.add(&work) }
        } else {
            Measured { place: next.place.clone(), p: next.p.clone(), work: next.work.clone() }
        };
        Ok((next, measured))
    }
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
