//! A workload that makes steps of one model: what W1 to W5 share.

use isotrope_kernel::stepper::Stepper;

use super::c::Reference;
use super::code::Case;
use super::measure::{Clock, by_turns};
use super::native::Code;
use super::{BenchError, Row};

/// Steps of one call: a run that stores or watches something calls this often.
const BLOCK: u64 = 64;

/// Makes steps in blocks.
pub(super) fn advance(
    code: &Code,
    stepper: &Stepper,
    state: &mut [f64],
    steps: u64,
) -> Result<(), BenchError> {
    let mut made = 0;
    while made < steps {
        let next = BLOCK.min(steps - made);
        code.run(state, &stepper.parameters, next)?;
        made += next;
    }
    Ok(())
}

/// Measures steps beside the C program; the accuracy is the largest `error` of a state, given the
/// first one.
pub(super) fn measure(
    name: String,
    case: &Case<'_>,
    steps: u64,
    reference: Option<&Reference>,
    error: impl Fn(&[f64], &[f64]) -> f64,
    about: String,
) -> Result<Row, BenchError> {
    let stepper = case.stepper()?;
    let code = Code::scalar(&stepper.program)?;
    let measured = by_turns(
        Clock::Cpu,
        steps as f64,
        reference,
        || stepper.initial.clone(),
        |state| advance(&code, &stepper, state, steps),
    )?;
    let mut state = stepper.initial.clone();
    let mut largest: f64 = 0.0;
    for _ in 0..steps / BLOCK {
        advance(&code, &stepper, &mut state, BLOCK)?;
        largest = largest.max(error(&stepper.initial, &state));
    }
    Ok(Row {
        name,
        ns: measured.ns,
        clock: Clock::Cpu,
        accuracy: Some(largest),
        c_ns: measured.c_ns,
        total_ms: None,
        about,
    })
}

/// The change of a quantity.
pub(super) fn change(quantity: impl Fn(&[f64]) -> f64) -> impl Fn(&[f64], &[f64]) -> f64 {
    move |first, now| (quantity(now) - quantity(first)).abs()
}
