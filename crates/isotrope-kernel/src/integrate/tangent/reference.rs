//! The reference: rates one operation after the other, executed and not compiled. It shares no line with
//! what it is compared with.

use super::partials::partials;
use isotrope_tape::math::Numbers;
use isotrope_tape::{Op, Program, ValueId};

/// A program, and which of its values need rates: the expansion of a function does not, where the
/// function itself has a derivative.
#[derive(Debug, Clone)]
pub(super) struct Differentiated<'p> {
    program: &'p Program,
    wanted: Vec<bool>,
}

impl<'p> Differentiated<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let mut wanted = vec![false; program.ops.len()];
        let results = program.stores.iter().map(|&(_, id)| id);
        let variables = program.variables.iter().flat_map(|v| [v.start, v.next]);
        for id in results.chain(variables) {
            wanted[id.0 as usize] = true;
        }
        for at in (0..program.ops.len()).rev() {
            if !wanted[at] {
                continue;
            }
            for id in program.ops[at].moving_operands().iter() {
                wanted[id.0 as usize] = true;
            }
        }
        Self { program, wanted }
    }
}

/// Memory for values and their rates in several directions.
#[derive(Debug, Clone, Default)]
pub(super) struct Forward {
    values: Vec<f64>,
    /// Of value i in direction k at i · directions + k.
    rates: Vec<f64>,
    variables: Vec<f64>,
    variable_rates: Vec<f64>,
    next: Vec<f64>,
    next_rates: Vec<f64>,
}

/// A state and its rates: slot i in direction k at i · directions + k.
#[derive(Debug, Clone)]
pub(super) struct Moving {
    pub state: Vec<f64>,
    pub rates: Vec<f64>,
    pub directions: usize,
}

/// The rates of an iteration have settled when a round changes them by less, relative to the
/// largest.
const SETTLED: f64 = 1e-15;
/// Rounds for the rates, after those for the values. Rounding may keep them from settling
/// altogether: then the value they have reached is taken.
const MORE_ROUNDS: u32 = 100;

impl Forward {
    /// Makes a step of the program; `None` leaves everything as it was.
    ///
    /// The unknowns of an iteration are functions of the state by the equations that they solve.
    /// At the solution one round of Newton's method gives their rates exactly, whatever they were
    /// before; those of a fixed-point iteration converge as its values do.
    pub(super) fn step(
        &mut self,
        differentiated: &Differentiated<'_>,
        moving: &mut Moving,
        parameters: &[f64],
    ) -> Option<()> {
        let directions = moving.directions;
        let program = differentiated.program;
        let (before, iterate) = (program.before as usize, program.iterate as usize);
        self.values.resize(program.ops.len(), 0.0);
        self.rates.resize(program.ops.len() * directions, 0.0);
        self.execute(differentiated, 0..before, moving, parameters);
        self.gather(program.variables.iter().map(|variable| variable.start.0), directions);
        std::mem::swap(&mut self.variables, &mut self.next);
        std::mem::swap(&mut self.variable_rates, &mut self.next_rates);
        if !program.variables.is_empty() {
            self.iterate(differentiated, before..iterate, moving, parameters)?;
        }
        self.execute(differentiated, iterate..program.ops.len(), moving, parameters);
        let mut stored = program.stores.iter().map(|&(_, id)| self.values[id.0 as usize]);
        stored.all(f64::is_finite).then_some(())?;
        for &(slot, id) in &program.stores {
            let (slot, id) = (slot as usize, id.0 as usize);
            moving.state[slot] = self.values[id];
            moving.rates[slot * directions..(slot + 1) * directions]
                .copy_from_slice(&self.rates[id * directions..(id + 1) * directions]);
        }
        Some(())
    }

    fn iterate(
        &mut self,
        differentiated: &Differentiated<'_>,
        region: std::ops::Range<usize>,
        moving: &Moving,
        parameters: &[f64],
    ) -> Option<()> {
        let program = differentiated.program;
        let (residual, tolerance) = program.residual?;
        let mut converged = false;
        let mut least = f64::INFINITY;
        for round in 0..program.max_iterations + MORE_ROUNDS {
            self.execute(differentiated, region.clone(), moving, parameters);
            self.gather(program.variables.iter().map(|v| v.next.0), moving.directions);
            let largest = self.next_rates.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            let changes = self.next_rates.iter().zip(&self.variable_rates);
            let change = changes.fold(0.0, |m: f64, (x, y)| m.max((x - y).abs()));
            std::mem::swap(&mut self.variables, &mut self.next);
            std::mem::swap(&mut self.variable_rates, &mut self.next_rates);
            if converged {
                // Below rounding changes no longer fall.
                let still = change >= least && change <= 1e-11 * largest;
                if change <= SETTLED * largest || still {
                    return Some(());
                }
                least = change.min(least);
            }
            let value = |id: ValueId| self.values[id.0 as usize];
            converged |= value(residual) <= value(tolerance);
            if !converged && round >= program.max_iterations {
                return None;
            }
        }
        converged.then_some(())
    }

    /// Values and rates of these operations, as the next ones of the variables.
    fn gather(&mut self, ids: impl Iterator<Item = u32>, directions: usize) {
        self.next.clear();
        self.next_rates.clear();
        for id in ids {
            let id = id as usize;
            self.next.push(self.values[id]);
            self.next_rates.extend_from_slice(&self.rates[id * directions..(id + 1) * directions]);
        }
    }

    fn execute(
        &mut self,
        differentiated: &Differentiated<'_>,
        region: std::ops::Range<usize>,
        moving: &Moving,
        parameters: &[f64],
    ) {
        let Differentiated { program, wanted } = differentiated;
        let directions = moving.directions;
        for at in region {
            let op = program.ops[at];
            let (known, rest) = self.rates.split_at_mut(at * directions);
            let rates = &mut rest[..directions];
            match op {
                Op::State(slot) => {
                    let slot = slot as usize;
                    self.values[at] = moving.state[slot];
                    rates
                        .copy_from_slice(&moving.rates[slot * directions..(slot + 1) * directions]);
                }
                Op::Parameter(slot) => {
                    self.values[at] = parameters[slot as usize];
                    rates.fill(0.0);
                }
                Op::Variable(k) | Op::Final(k) => {
                    let k = k as usize;
                    self.values[at] = self.variables[k];
                    rates.copy_from_slice(
                        &self.variable_rates[k * directions..(k + 1) * directions],
                    );
                }
                _ => {
                    let value = |id: ValueId| self.values[id.0 as usize];
                    let result = op.perform(&mut Numbers, value).unwrap_or(f64::NAN);
                    if !wanted[at] {
                        self.values[at] = result;
                        continue;
                    }
                    let partials = partials(op, value, result);
                    rates.fill(0.0);
                    for (operand, partial) in op.operands().iter().zip(partials) {
                        let first = operand.0 as usize * directions;
                        for (rate, &of) in rates.iter_mut().zip(&known[first..first + directions]) {
                            // Nothing times infinity is nothing: what does not move has no rate.
                            if of != 0.0 && partial != 0.0 {
                                *rate = partial.mul_add(of, *rate);
                            }
                        }
                    }
                    self.values[at] = result;
                }
            }
        }
    }
}
