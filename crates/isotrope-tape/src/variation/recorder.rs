//! A program recorded once more, with rates.

use std::ops::Range;

use super::jet::{Jet, Rules};
use super::slots::wanted;
use super::{Directions, Iteration};
use crate::math::Arithmetic as _;
use crate::{Builder, Op, Passes, Program, ProgramError, ValueId, VariableId};

/// The rates of a contraction have settled when a round changes them by less, relative to their
/// size.
const SETTLED: f64 = 1e-12;
/// Rounds for the rates, after those for the values.
const MORE_ROUNDS: u32 = 100;

/// A program that makes the step of another one and carries rates along: see
/// [the module](crate::variation) for where they are.
pub fn differentiate(program: &Program, directions: &Directions) -> Result<Program, ProgramError> {
    // Nothing is fused: what was fused is written so, and what was not has its reasons.
    let passes = Passes { fuse: false, ..Passes::ALL };
    let state = directions.state_size(program.state);
    let parameters = directions.parameter_size(program.parameters);
    let stores = program.stores.iter().filter(|(slot, _)| directions.slots.contains(slot));
    let nothing = Unknown { value: ValueId(0), jet: Jet::default() };
    let mut recorder = Recorder {
        program,
        directions,
        wanted: wanted(program, stores.map(|&(_, id)| id)),
        builder: Builder::with_passes(state, parameters, passes),
        known: vec![nothing; program.ops.len()],
    };
    recorder.record()?;
    recorder.builder.finish()
}

/// A value with its rates.
#[derive(Debug, Clone)]
struct Unknown {
    value: ValueId,
    jet: Jet,
}

struct Recorder<'p> {
    program: &'p Program,
    directions: &'p Directions,
    wanted: Vec<bool>,
    builder: Builder,
    /// By the numbers of the old program.
    known: Vec<Unknown>,
}

impl Recorder<'_> {
    fn still(&self) -> Jet {
        Jet::still(self.directions.count, self.directions.pairs.len())
    }

    fn record(&mut self) -> Result<(), ProgramError> {
        let program = self.program;
        let (before, iterate) = (program.before as usize, program.iterate as usize);
        self.execute(0..before, &[])?;
        let unknowns = if program.variables.is_empty() {
            Vec::new()
        } else if self.directions.iteration == Iteration::Newton && program.residual.is_some() {
            self.newton(before..iterate)?
        } else {
            self.contraction(before..iterate)?
        };
        self.execute(iterate..program.ops.len(), &unknowns)?;
        let directions = self.directions;
        for &(slot, id) in &program.stores {
            let Unknown { value, jet } = self.known[id.0 as usize].clone();
            self.builder.store(slot, value);
            let Some(index) = directions.slots.iter().position(|&s| s == slot) else { continue };
            let rates = (0..directions.count)
                .map(|k| directions.rate(program.state, k, index))
                .zip(jet.first)
                .chain(
                    (0..directions.pairs.len())
                        .map(|k| directions.second(program.state, k, index))
                        .zip(jet.second),
                );
            for (slot, rate) in rates.collect::<Vec<_>>() {
                let rate = rate.unwrap_or_else(|| self.builder.constant(0.0));
                self.builder.store(slot, rate);
            }
        }
        Ok(())
    }

    /// The variables of the program, as they start.
    fn variables(&mut self) -> Vec<VariableId> {
        let program = self.program;
        let starts = program.variables.iter().map(|v| self.known[v.start.0 as usize].value);
        starts.collect::<Vec<_>>().into_iter().map(|start| self.builder.variable(start)).collect()
    }

    /// The iteration as it is; rates of the unknowns from rounds at the solution.
    fn newton(&mut self, region: Range<usize>) -> Result<Vec<Unknown>, ProgramError> {
        let program = self.program;
        let variables = self.variables();
        let still = self.still();
        let current = |builder: &mut Builder, variable| Unknown {
            value: builder.current(variable),
            jet: still.clone(),
        };
        let list: Vec<Unknown> =
            variables.iter().map(|&variable| current(&mut self.builder, variable)).collect();
        let wanted = std::mem::replace(&mut self.wanted, vec![false; program.ops.len()]);
        self.execute(region.clone(), &list)?;
        self.wanted = wanted;
        for (&variable, old) in variables.iter().zip(&program.variables) {
            let next = self.known[old.next.0 as usize].value;
            self.builder.set_next(variable, next);
        }
        if let Some((residual, tolerance)) = program.residual {
            let value = |id: ValueId| self.known[id.0 as usize].value;
            let (residual, tolerance) = (value(residual), value(tolerance));
            self.builder.iterate_until(residual, tolerance, program.max_iterations);
        }
        // Values that only outlive the last round are not unknowns: nothing in a round reads them.
        let mut is_read = vec![false; variables.len()];
        for op in &program.ops {
            if let Op::Variable(k) = *op {
                is_read[k as usize] = true;
            }
        }
        let mut solution: Vec<Unknown> = variables
            .iter()
            .map(|&variable| Unknown { value: self.builder.last(variable), jet: self.still() })
            .collect();
        // First derivatives need one round, second ones another; values that are not unknowns, one
        // with all that is known.
        let orders = if self.directions.pairs.is_empty() { 1 } else { 2 };
        for round in 0..=orders {
            if round == orders && is_read.iter().all(|&read| read) {
                break;
            }
            self.execute(region.clone(), &solution)?;
            for (k, old) in program.variables.iter().enumerate() {
                let jet = self.known[old.next.0 as usize].jet.clone();
                match (is_read[k], round) {
                    (true, 0) => solution[k].jet.first = jet.first,
                    (true, 1) if orders == 2 => solution[k].jet.second = jet.second,
                    (false, _) if round == orders => solution[k].jet = jet,
                    _ => {}
                }
            }
        }
        Ok(solution)
    }

    /// Rates in the loop, as unknowns beside those of the program.
    fn contraction(&mut self, region: Range<usize>) -> Result<Vec<Unknown>, ProgramError> {
        let program = self.program;
        let variables = self.variables();
        let zero = self.builder.constant(0.0);
        let exact = program.residual.is_none();
        let mut rates: Vec<Vec<VariableId>> = Vec::with_capacity(variables.len());
        for old in &program.variables {
            let jet = self.known[old.start.0 as usize].jet.clone();
            let starts = jet.first.into_iter().chain(jet.second);
            // With a fixed number of rounds, what comes out depends on the guess.
            let starts = starts.map(|rate| rate.filter(|_| exact).unwrap_or(zero));
            rates.push(starts.map(|start| self.builder.variable(start)).collect());
        }
        let reading = |builder: &mut Builder, read: fn(&mut Builder, VariableId) -> ValueId| {
            let list = variables.iter().zip(&rates).map(|(&variable, rates)| {
                let mut all =
                    rates.iter().map(|&rate| Some(read(builder, rate))).collect::<Vec<_>>();
                let second = all.split_off(self.directions.count);
                Unknown { value: read(builder, variable), jet: Jet { first: all, second } }
            });
            list.collect::<Vec<_>>()
        };
        let current = reading(&mut self.builder, Builder::current);
        let last = reading(&mut self.builder, Builder::last);
        self.execute(region, &current)?;
        let (mut change, mut size) = (zero, zero);
        for (((&variable, rates), old), now) in
            variables.iter().zip(&rates).zip(&program.variables).zip(&current)
        {
            let Unknown { value, jet } = self.known[old.next.0 as usize].clone();
            self.builder.set_next(variable, value);
            let next = jet.first.into_iter().chain(jet.second);
            let now = now.jet.first.iter().chain(&now.jet.second);
            for ((&rate, next), now) in rates.iter().zip(next).zip(now) {
                let next = next.unwrap_or(zero);
                self.builder.set_next(rate, next);
                let Some(now) = *now else { continue };
                let difference = self.builder.sub(next, now);
                let (difference, next) = (self.builder.abs(difference), self.builder.abs(next));
                change = self.builder.add(change, difference);
                size = self.builder.add(size, next);
            }
        }
        let Some((residual, tolerance)) = program.residual else {
            self.builder.iterate_times(program.max_iterations);
            return Ok(last);
        };
        // Until both have settled.
        let value = |id: ValueId| self.known[id.0 as usize].value;
        let (residual, tolerance) = (value(residual), value(tolerance));
        let builder = &mut self.builder;
        let (one, half, part) =
            (builder.constant(1.0), builder.constant(0.5), builder.constant(SETTLED));
        let allowed = builder.mul(part, size);
        let rates_settled = builder.less_equal(change, allowed);
        let values_settled = builder.less_equal(residual, tolerance);
        let open = builder.select(rates_settled, zero, one);
        let open = builder.select(values_settled, open, one);
        builder.iterate_until(open, half, program.max_iterations.saturating_add(MORE_ROUNDS));
        Ok(last)
    }

    fn execute(&mut self, region: Range<usize>, unknowns: &[Unknown]) -> Result<(), ProgramError> {
        for at in region {
            let op = self.program.ops[at];
            self.known[at] = match op {
                Op::State(slot) => {
                    Unknown { value: self.builder.state(slot), jet: self.given(slot) }
                }
                Op::Parameter(slot) => {
                    Unknown { value: self.builder.parameter(slot), jet: self.moved(slot) }
                }
                Op::Variable(k) | Op::Final(k) => unknowns[k as usize].clone(),
                _ => {
                    let known = &self.known;
                    let value = op.perform(&mut self.builder, |id| known[id.0 as usize].value);
                    let value = value.unwrap_or(ValueId(0));
                    let jet = if self.wanted[at] { self.jet(op, value)? } else { self.still() };
                    Unknown { value, jet }
                }
            };
        }
        Ok(())
    }

    /// The rates of a number of the state.
    fn given(&mut self, slot: u32) -> Jet {
        let (directions, state) = (self.directions, self.program.state);
        let mut jet = self.still();
        if let Some(index) = directions.slots.iter().position(|&s| s == slot) {
            for (k, rate) in jet.first.iter_mut().enumerate() {
                *rate = Some(self.builder.state(directions.rate(state, k, index)));
            }
            for (k, rate) in jet.second.iter_mut().enumerate() {
                *rate = Some(self.builder.state(directions.second(state, k, index)));
            }
        }
        jet
    }

    /// The rates of a parameter.
    fn moved(&mut self, slot: u32) -> Jet {
        let (directions, parameters) = (self.directions, self.program.parameters);
        let mut jet = self.still();
        if let Some(index) = directions.parameters.iter().position(|&s| s == slot) {
            for (k, rate) in jet.first.iter_mut().enumerate() {
                let slot = directions.parameter_rate(parameters, k, index);
                *rate = Some(self.builder.parameter(slot));
            }
        }
        jet
    }

    /// The rates of the result of an operation, which is `z`.
    fn jet(&mut self, op: Op, z: ValueId) -> Result<Jet, ProgramError> {
        let known = &self.known;
        if op.operands().iter().all(|id| known[id.0 as usize].jet.is_still()) {
            return Ok(self.still());
        }
        let of = |id: ValueId| {
            let Unknown { value, jet } = &known[id.0 as usize];
            (*value, jet)
        };
        let mut rules = Rules { builder: &mut self.builder, pairs: &self.directions.pairs };
        Ok(match op {
            Op::Add(a, b) => of(a).1.join(of(b).1, |a, b| rules.add(a, b)),
            Op::Sub(a, b) => of(a).1.join(of(b).1, |a, b| rules.sub(a, b)),
            Op::Mul(a, b) => rules.product(of(a), of(b)),
            Op::Fma(a, b, c) => {
                let product = rules.product(of(a), of(b));
                product.join(of(c).1, |a, b| rules.add(a, b))
            }
            Op::Fms(a, b, c) => {
                let product = rules.product(of(a), of(b));
                product.join(of(c).1, |a, b| rules.sub(a, b))
            }
            Op::Fnma(a, b, c) => {
                let product = rules.product(of(a), of(b));
                of(c).1.join(&product, |a, b| rules.sub(a, b))
            }
            Op::Div(a, b) => rules.quotient(z, of(a).1, of(b)),
            Op::Sqrt(a) => rules.root(z, of(a).1),
            Op::Neg(a) => of(a).1.map(|rate| rules.builder.neg(rate)),
            Op::Abs(a) => {
                let (x, jet) = of(a);
                jet.map(|rate| {
                    let opposite = rules.builder.neg(rate);
                    rules.builder.select(x, opposite, rate)
                })
            }
            Op::Max(a, b) | Op::Min(a, b) => {
                let (x, y) = (of(a).0, of(b).0);
                let first = match op {
                    Op::Max(..) => rules.builder.less(y, x),
                    _ => rules.builder.less(x, y),
                };
                chosen(&mut rules, first, of(a).1, of(b).1)
            }
            Op::Select(mask, a, b) => chosen(&mut rules, of(mask).0, of(a).1, of(b).1),
            Op::Call(function, a) | Op::Guarded { function, argument: a, .. } => {
                let (x, jet) = of(a);
                rules.function(function, x, z, jet)?
            }
            Op::Call2(function, a, b) => rules.function2(function, of(a), of(b), z),
            // Words of bits are parts of expansions of functions, whose rates come from the
            // functions themselves; the others have no operands.
            Op::Constant(_)
            | Op::State(_)
            | Op::Parameter(_)
            | Op::Variable(_)
            | Op::Final(_)
            | Op::And(..)
            | Op::Or(..)
            | Op::Xor(..)
            | Op::ShiftLeft(..)
            | Op::ShiftRight(..)
            | Op::AddInteger(..)
            | Op::Less(..)
            | Op::LessEqual(..) => Jet::still(self.directions.count, self.directions.pairs.len()),
        })
    }
}

/// The rates of one of two values.
fn chosen(rules: &mut Rules<'_>, mask: ValueId, a: &Jet, b: &Jet) -> Jet {
    let zero = rules.builder.constant(0.0);
    a.join(b, |a, b| match (a, b) {
        (None, None) => None,
        (a, b) => Some(rules.builder.select(mask, a.unwrap_or(zero), b.unwrap_or(zero))),
    })
}
