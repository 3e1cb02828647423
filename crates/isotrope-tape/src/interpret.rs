//! The reference: a program executed one operation after the other.
//!
//! ```
//! use isotrope_tape::interpret::{Scratch, run};
//! use isotrope_tape::math::Arithmetic;
//! use isotrope_tape::Builder;
//! // x <- x / 2, a hundred times.
//! let mut builder = Builder::new(1, 0);
//! let x = builder.state(0);
//! let half = builder.constant(0.5);
//! let next = builder.mul(half, x);
//! builder.store(0, next);
//! let program = builder.finish()?;
//! let mut state = [1.0];
//! let outcome = run(&program, &mut state, &[], 100, &mut Scratch::new(&program));
//! assert!(outcome.is_complete());
//! assert_eq!(state[0], 0.5f64.powi(100));
//! # Ok::<(), isotrope_tape::ProgramError>(())
//! ```

use crate::math::Numbers;
use crate::{Op, Program, ValueId};

/// Memory for the values of one step, made once and used for all steps.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    values: Vec<f64>,
    variables: Vec<f64>,
    next: Vec<f64>,
    saved: Vec<f64>,
}

impl Scratch {
    /// Memory for a program.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let mut scratch = Self::default();
        scratch.fit(program);
        scratch
    }

    /// Memory for a state.
    pub(crate) fn saved(&mut self) -> &mut Vec<f64> {
        &mut self.saved
    }

    /// Nothing is allocated if the memory was made for this program.
    fn fit(&mut self, program: &Program) {
        self.values.resize(program.ops.len(), 0.0);
        self.variables.resize(program.variables.len(), 0.0);
        self.next.resize(program.variables.len(), 0.0);
    }
}

/// How one step went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepOutcome {
    /// Rounds of the iteration; 0 for a program without one.
    pub iterations: u32,
    /// Did the residual fall to the tolerance?
    pub converged: bool,
    /// The first store (its position in [`Program::stores`]) whose value is an infinity or NaN.
    pub non_finite: Option<u32>,
}

impl StepOutcome {
    /// Was the step made? Otherwise the state is what it was.
    #[must_use]
    pub fn is_complete(self) -> bool {
        self.converged && self.non_finite.is_none()
    }
}

/// How many steps went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunOutcome {
    /// Steps made; the state is the one after them.
    pub steps: u64,
    /// Rounds of all iterations, with those of a step that failed.
    pub iterations: u64,
    /// Why the run ended.
    pub end: End,
}

impl RunOutcome {
    /// Were all steps made?
    #[must_use]
    pub fn is_complete(self) -> bool {
        self.end == End::Completed
    }
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// All steps were made.
    Completed,
    /// The iteration of the next step did not converge.
    NotConverged,
    /// The next step gave an infinity or NaN.
    NonFinite {
        /// The number of the state.
        slot: u32,
    },
}

/// Makes one step. A step that does not converge, or whose result is not finite, leaves the state
/// as it was.
///
/// The program must be valid ([`Program::validate`]), `state` and `parameters` as long as it says.
pub fn step(
    program: &Program,
    state: &mut [f64],
    parameters: &[f64],
    scratch: &mut Scratch,
) -> StepOutcome {
    scratch.fit(program);
    let (before, iterate) = (program.before as usize, program.iterate as usize);
    execute(program, 0..before, state, parameters, scratch);
    for (variable, slot) in program.variables.iter().zip(&mut scratch.variables) {
        *slot = scratch.values[variable.start.0 as usize];
    }
    let (mut iterations, mut converged) = (0, program.residual.is_none());
    if !program.variables.is_empty() {
        loop {
            execute(program, before..iterate, state, parameters, scratch);
            // All at once: the next value of one may be the current value of another.
            for (variable, slot) in program.variables.iter().zip(&mut scratch.next) {
                *slot = scratch.values[variable.next.0 as usize];
            }
            std::mem::swap(&mut scratch.variables, &mut scratch.next);
            iterations += 1;
            if let Some((residual, tolerance)) = program.residual {
                let value = |id: ValueId| scratch.values[id.0 as usize];
                converged = value(residual) <= value(tolerance);
                if converged {
                    break;
                }
            }
            if iterations >= program.max_iterations {
                break;
            }
        }
    }
    if !converged {
        return StepOutcome { iterations, converged, non_finite: None };
    }
    execute(program, iterate..program.ops.len(), state, parameters, scratch);
    let value = |id: ValueId| scratch.values[id.0 as usize];
    let non_finite = program.stores.iter().position(|&(_, id)| !value(id).is_finite());
    if non_finite.is_none() {
        for &(slot, id) in &program.stores {
            state[slot as usize] = value(id);
        }
    }
    StepOutcome { iterations, converged, non_finite: non_finite.map(|k| k as u32) }
}

/// Makes up to `steps` steps; ends at the first that is not complete.
pub fn run(
    program: &Program,
    state: &mut [f64],
    parameters: &[f64],
    steps: u64,
    scratch: &mut Scratch,
) -> RunOutcome {
    let mut outcome = RunOutcome { steps: 0, iterations: 0, end: End::Completed };
    while outcome.steps < steps {
        let made = step(program, state, parameters, scratch);
        outcome.iterations += u64::from(made.iterations);
        if !made.converged {
            outcome.end = End::NotConverged;
            break;
        }
        if let Some(k) = made.non_finite {
            outcome.end = End::NonFinite { slot: program.stores[k as usize].0 };
            break;
        }
        outcome.steps += 1;
    }
    outcome
}

/// Executes the operations of one region.
fn execute(
    program: &Program,
    region: std::ops::Range<usize>,
    state: &[f64],
    parameters: &[f64],
    scratch: &mut Scratch,
) {
    let Scratch { values, variables, .. } = scratch;
    for at in region {
        let value = |id: ValueId| values[id.0 as usize];
        values[at] = match program.ops[at] {
            Op::State(slot) => state[slot as usize],
            Op::Parameter(slot) => parameters[slot as usize],
            Op::Variable(k) | Op::Final(k) => variables[k as usize],
            // The others need nothing from outside.
            op => op.perform(&mut Numbers, value).unwrap_or(f64::NAN),
        };
    }
}
