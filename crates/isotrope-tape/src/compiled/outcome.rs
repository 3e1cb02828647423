//! How a run of compiled code ends.

use super::{Report, status};
use crate::Program;
use crate::interpret::{End, Scratch, step};

/// Why compiled code was not run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// State or parameters have another length than the program says, times lanes.
    #[error("{what} has {found} numbers instead of {expected}")]
    Length {
        /// Which of them.
        what: &'static str,
        /// How long it is.
        found: usize,
        /// How long it should be.
        expected: usize,
    },
}

/// How a run of compiled code ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Steps made in all lanes; the state is the one after them.
    pub steps: u64,
    /// Rounds of iterations, with those of a step that failed. Lanes iterate together: a round
    /// counts once, whether one lane needs it or all.
    pub iterations: u64,
    /// Why the run ended; of the lanes that failed, the first.
    pub end: End,
    /// Lanes whose next step fails, as bits.
    pub failed: u32,
}

/// Are state and parameters as long as the program says, for this many lanes?
pub(crate) fn check_lengths(
    program: &Program,
    lanes: usize,
    state: &[f64],
    parameters: &[f64],
) -> Result<(), RunError> {
    let check = |what, found: usize, numbers: u32| {
        let expected = numbers as usize * lanes;
        if found == expected { Ok(()) } else { Err(RunError::Length { what, found, expected }) }
    };
    check("the state", state.len(), program.state)?;
    check("the vector of parameters", parameters.len(), program.parameters)
}

/// The outcome of a run that left this state. Which lanes fail, and how, is not in the report: the
/// interpreter makes the same step to find out.
pub(crate) fn conclude(
    program: &Program,
    lanes: usize,
    (state, parameters): (&[f64], &[f64]),
    (status, report): (u64, Report),
) -> Outcome {
    let Report { steps, iterations } = report;
    let mut outcome = Outcome { steps, iterations, end: End::Completed, failed: 0 };
    if status == u64::from(status::COMPLETED) {
        return outcome;
    }
    outcome.end = End::NotConverged;
    let mut scratch = Scratch::new(program);
    for lane in (0..lanes).rev() {
        let pick = |all: &[f64]| all.iter().skip(lane).step_by(lanes).copied().collect();
        let (mut state, parameters): (Vec<f64>, Vec<f64>) = (pick(state), pick(parameters));
        let made = step(program, &mut state, &parameters, &mut scratch);
        if !made.is_complete() {
            outcome.failed |= 1 << lane;
            outcome.end = match made.non_finite {
                Some(store) => End::NonFinite { slot: program.stores[store as usize].0 },
                None => End::NotConverged,
            };
        }
    }
    outcome
}
