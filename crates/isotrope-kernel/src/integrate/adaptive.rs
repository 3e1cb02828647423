//! Steps whose length follows from an estimate of their error.
//!
//! A "step" is the distance of two rows, read off the polynomial of a step of the solution, so
//! monitors, writers and ensembles see no difference. The steps of the solution are programs of
//! their own, driven by a loop that chooses their lengths and keeps its memory in the state.

use super::dip::dip;
use super::switching::Switching;
use crate::stepper::{AdaptivePrograms, AdaptiveSlots};
use isotrope_tape::BinaryFunction;
use isotrope_tape::backend::{Backend, Machine, MachineError};
use isotrope_tape::interpret::Scratch;

/// The programs, ready to run.
#[derive(Debug)]
pub(super) struct Adaptive {
    first: Machine,
    attempt: Machine,
    dense: Machine,
    again: Option<Machine>,
    watch: Option<Machine>,
    slots: AdaptiveSlots,
    /// The longest step.
    longest: f64,
    /// The first step, where it was asked for.
    first_length: Option<f64>,
    evaluations: [u32; 3],
}

/// What an integration lends to its steps.
pub(super) struct Memory<'m, 's> {
    /// The state with the numbers of a step in progress.
    pub extended: &'m mut Vec<f64>,
    pub scratch: &'m mut Scratch,
    /// Where steps have to end.
    pub switching: Option<&'m mut Switching<'s>>,
}

/// What adaptive steps took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effort {
    /// Steps that were made.
    pub accepted: u64,
    /// Steps whose error was too large.
    pub rejected: u64,
    /// Evaluations of the field.
    pub evaluations: u64,
}

/// A row that was not reached.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Missed {
    /// No step is short enough to have finite values.
    NonFinite,
    /// Too many steps, or too short ones.
    Limit {
        /// The error of the last step, relative to what is allowed.
        error: f64,
        /// In words.
        reason: String,
    },
}

/// Steps that one row may take, those that were rejected included.
const MOST_STEPS: u64 = 100_000;
/// The longest step, in rows.
const LONGEST: f64 = 1000.0;
/// A step becomes at most six times longer and three times shorter.
const GROWTH: f64 = 6.0;
const SHRINKAGE: f64 = 0.333;
const SAFETY: f64 = 0.9;
/// The error estimate has order 8 in the step. What the error of the step before counts (a PI
/// controller; Gustafsson 1991) makes step lengths smoother.
const ORDER: f64 = 8.0;
const BEFORE: f64 = 0.04;
/// An error below this is no reason for a shorter step later.
const SMALLEST_ERROR: f64 = 1e-4;

impl Adaptive {
    pub(super) fn new(
        programs: &AdaptivePrograms,
        row: f64,
        backend: Backend,
    ) -> Result<Self, MachineError> {
        Ok(Self {
            first: Machine::new(&programs.first, Backend::Interpreter)?,
            attempt: Machine::new(&programs.attempt, backend)?,
            dense: Machine::new(&programs.dense, backend)?,
            again: match &programs.again {
                Some(again) => Some(Machine::new(again, Backend::Interpreter)?),
                None => None,
            },
            watch: match &programs.watch {
                Some(watch) => Some(Machine::new(watch, backend)?),
                None => None,
            },
            slots: programs.slots,
            longest: programs.lengths.longest.unwrap_or(LONGEST * row.abs()),
            first_length: programs.lengths.first,
            evaluations: programs.evaluations,
        })
    }

    /// Operations of a step.
    pub(super) fn operations(&self) -> u64 {
        self.attempt.program().ops.len() as u64
    }

    /// Makes steps until one has gone beyond a time, with a polynomial that contains it.
    pub(super) fn reach(
        &self,
        time: f64,
        direction: f64,
        state: &mut [f64],
        parameters: &[f64],
        memory: Memory<'_, '_>,
        effort: &mut Effort,
    ) -> Result<(), Missed> {
        let Memory { extended, scratch, mut switching } = memory;
        let slots = self.slots;
        let at = |slot: u32| slot as usize;
        if (state[at(slots.now())] - time) * direction >= 0.0 && state[at(slots.length())] != 0.0 {
            return Ok(());
        }
        let size = state.len();
        extended.clear();
        extended.extend_from_slice(state);
        extended.resize(size + slots.extra(), 0.0);
        if extended[at(slots.next())] == 0.0 {
            let row = direction * (time - extended[at(slots.now())]).abs();
            let surroundings = (parameters, &mut *scratch);
            self.resume(row, extended, surroundings, switching.as_deref_mut(), effort)?;
            self.begin(direction, extended, parameters, scratch)?;
            effort.evaluations += u64::from(self.evaluations[0]);
        }
        let mut attempts = 0;
        while (extended[at(slots.now())] - time) * direction < 0.0 {
            let Some(switching) = switching.as_deref_mut() else {
                self.step(time, direction, extended, parameters, scratch, effort, &mut attempts)?;
                continue;
            };
            let end = self.approach(extended, switching);
            self.step(time, direction, extended, parameters, scratch, effort, &mut attempts)?;
            // A step that was made to end at a switching time, and was not made shorter since.
            let now = extended[at(slots.now())];
            if end.is_some_and(|end| (end - now).abs() <= f64::EPSILON * end.abs().max(now.abs())) {
                extended[at(slots.now())] = end.unwrap_or(now);
                let step = extended[at(slots.next())];
                self.resume(step, extended, (parameters, &mut *scratch), Some(switching), effort)?;
                self.begin(direction, extended, parameters, scratch)?;
                extended[at(slots.error_before())] = 1.0;
                effort.evaluations += u64::from(self.evaluations[0]);
            }
        }
        state.copy_from_slice(&extended[..size]);
        Ok(())
    }

    /// Makes the next step end at a switching time that it would cross, or in the middle before one that it would nearly
    /// reach; the time it is to end at.
    fn approach(&self, extended: &mut [f64], switching: &mut Switching<'_>) -> Option<f64> {
        let slots = self.slots;
        let (now, step) = (extended[slots.now() as usize], extended[slots.next() as usize]);
        let smooth = switching.around(now, step);
        let (first, last) = slots.smooth();
        (extended[first as usize], extended[last as usize]) = smooth.inside(step);
        let end = smooth.end(step);
        let left = end - now;
        if step.abs() >= left.abs() {
            extended[slots.next() as usize] = left;
            return Some(end);
        }
        if 2.0 * step.abs() > left.abs() {
            extended[slots.next() as usize] = 0.5 * left;
        }
        None
    }

    /// How far a step goes until something that switches by the state seems to have passed through zero and back, which
    /// no stage may have seen.
    fn missed(
        &self,
        step: f64,
        extended: &mut [f64],
        parameters: &[f64],
        scratch: &mut Scratch,
    ) -> Option<f64> {
        let watch = self.watch.as_ref()?;
        if !watch.run(extended, parameters, 1, scratch).is_complete() {
            return None;
        }
        let parts = (0..self.slots.watched).filter_map(|k| {
            let first = self.slots.watched(k) as usize;
            let &[before, rate, after, last] = extended.get(first..first + 4)? else { return None };
            dip([before, after], [rate * step, last * step])
        });
        parts.reduce(f64::min).map(|part| part * step)
    }

    /// The rates where steps start again, on the side of a switching time to which they go.
    fn resume(
        &self,
        step: f64,
        extended: &mut [f64],
        (parameters, scratch): (&[f64], &mut Scratch),
        switching: Option<&mut Switching<'_>>,
        effort: &mut Effort,
    ) -> Result<(), Missed> {
        let (Some(again), Some(switching)) = (&self.again, switching) else { return Ok(()) };
        let now = extended[self.slots.now() as usize];
        let (first, last) = self.slots.smooth();
        let smooth = switching.around(now, step);
        (extended[first as usize], extended[last as usize]) = smooth.inside(step);
        effort.evaluations += 1;
        match again.run(extended, parameters, 1, scratch).is_complete() {
            true => Ok(()),
            false => Err(Missed::NonFinite),
        }
    }

    /// The length of the first step (Hairer, Nørsett and Wanner, II.4).
    fn begin(
        &self,
        direction: f64,
        extended: &mut [f64],
        parameters: &[f64],
        scratch: &mut Scratch,
    ) -> Result<(), Missed> {
        let next = self.slots.next() as usize;
        if let Some(length) = self.first_length {
            extended[next] = direction * length.min(self.longest);
            return Ok(());
        }
        let time = extended[self.slots.time_size() as usize];
        extended[next] = direction;
        if !self.first.run(extended, parameters, 1, scratch).is_complete() {
            // Where the field has no value nearby, a very short step has to find it.
            extended[next] = direction * f64::EPSILON * time;
            return Ok(());
        }
        let (small, size) = (extended[next].abs(), extended[self.slots.compared(0) as usize]);
        // Both derivatives times powers of the time, in what is allowed: a pure number.
        let wanted = if size <= 1e-15 {
            f64::max(1e-6 * time, 1e-3 * small)
        } else {
            time * BinaryFunction::Pow.evaluate(0.01 / size, 1.0 / ORDER)
        };
        let length = f64::min(100.0 * small, wanted).min(self.longest);
        if !(length.is_finite() && length > 0.0) {
            return Err(Missed::NonFinite);
        }
        extended[next] = direction * length;
        Ok(())
    }

    /// One step that is good enough.
    #[expect(clippy::too_many_arguments, reason = "a state, its surroundings and two counters")]
    fn step(
        &self,
        time: f64,
        direction: f64,
        extended: &mut [f64],
        parameters: &[f64],
        scratch: &mut Scratch,
        effort: &mut Effort,
        attempts: &mut u64,
    ) -> Result<(), Missed> {
        let slots = self.slots;
        let at = |slot: u32| slot as usize;
        let mut rejected = false;
        loop {
            let (now, step) = (extended[at(slots.now())], extended[at(slots.next())]);
            *attempts += 1;
            effort.evaluations += u64::from(self.evaluations[1]);
            let finite = self.attempt.run(extended, parameters, 1, scratch).is_complete();
            let error = if finite { self.error(extended, step) } else { f64::INFINITY };
            let raised = BinaryFunction::Pow.evaluate(error, 1.0 / ORDER - 0.2 * BEFORE);
            let before = extended[at(slots.error_before())];
            let missed = if error <= 1.0 && *attempts < MOST_STEPS {
                self.missed(step, extended, parameters, scratch)
            } else {
                None
            };
            if let Some(shorter) = missed {
                rejected = true;
                effort.rejected += 1;
                extended[at(slots.next())] = shorter;
                continue;
            }
            if error <= 1.0 {
                let smoothed = raised / BinaryFunction::Pow.evaluate(before, BEFORE);
                let factor = (SAFETY / smoothed).clamp(SHRINKAGE, GROWTH);
                // Not longer right after a step that was too long.
                let factor = if rejected { f64::min(factor, 1.0) } else { factor };
                let reached = now + step;
                if (reached - time) * direction >= 0.0 {
                    if !self.dense.run(extended, parameters, 1, scratch).is_complete() {
                        return Err(Missed::NonFinite);
                    }
                    effort.evaluations += u64::from(self.evaluations[2]);
                }
                for i in 0..slots.components {
                    extended[at(slots.solution(i))] = extended[at(slots.new_solution(i))];
                    extended[at(slots.rate(i))] = extended[at(slots.new_rate(i))];
                }
                extended[at(slots.now())] = reached;
                extended[at(slots.error_before())] = f64::max(error, SMALLEST_ERROR);
                let length = f64::min((step * factor).abs(), self.longest);
                extended[at(slots.next())] = direction * length;
                effort.accepted += 1;
                return Ok(());
            }
            rejected = true;
            effort.rejected += 1;
            // NaN, too: the smallest factor.
            let factor = f64::max(SHRINKAGE, SAFETY / raised);
            let shorter = step * factor;
            if *attempts >= MOST_STEPS || now + 0.1 * shorter == now {
                if !finite {
                    return Err(Missed::NonFinite);
                }
                let reason = if *attempts >= MOST_STEPS {
                    format!(
                        "{MOST_STEPS} steps did not suffice for one row; ask for less accuracy or closer rows"
                    )
                } else {
                    "the steps have become too short for their error: the solution is not smooth here, or the tolerance is below rounding".to_owned()
                };
                return Err(Missed::Limit { error, reason });
            }
            extended[at(slots.next())] = shorter;
        }
    }

    /// |h| e₅² / √(N (e₅² + e₃²/100)), with the estimates relative to what is allowed.
    fn error(&self, extended: &[f64], step: f64) -> f64 {
        let [fifth, third] = [0, 1].map(|k| extended[self.slots.compared(k) as usize]);
        let together = fifth + 0.01 * third;
        if together <= 0.0 {
            return 0.0;
        }
        step.abs() * fifth / (self.slots.counted as f64 * together).sqrt()
    }
}
