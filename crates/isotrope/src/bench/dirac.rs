//! W3: a Dirac scheme on the Cartesian pendulum.

use super::c::Compiler;
use super::code::Case;
use super::measure::{Clock, by_turns};
use super::native::Code;
use super::pendulum::{MODEL, START, advance, drift};
use super::{BenchError, Row};

const SOURCE: &str = include_str!("../../benches/c/dirac.c");

/// x² + y².
fn length(state: &[f64]) -> f64 {
    state[0] * state[0] + state[1] * state[1]
}

/// W3.
pub(super) fn rows(
    compiler: Option<&Compiler>,
    tell: &mut dyn FnMut(Row),
) -> Result<(), BenchError> {
    const STEPS: u64 = 1_000_000;
    let method = "dirac-1-position";
    let case = Case {
        model: MODEL,
        set: &[],
        initial: &START,
        method,
        step: (1, 10_000),
        tolerance: 1e-13,
    };
    let stepper = case.stepper()?;
    let code = Code::scalar(&stepper.program)?;
    let reference = compiler.and_then(|it| it.build(&[("dirac.c", SOURCE)], &[], String::new()));
    let measured = by_turns(
        Clock::Cpu,
        STEPS as f64,
        reference.as_ref(),
        || stepper.initial.clone(),
        |state| advance(&code, &stepper, state, STEPS),
    )?;
    tell(Row {
        name: "W3".to_owned(),
        ns: measured.ns,
        clock: Clock::Cpu,
        accuracy: Some(drift(&code, &stepper, STEPS, length)?),
        c_ns: measured.c_ns,
        total_ms: None,
        about: format!("pendulum, {method}, h = 1/10000, 1e6 steps: a step; constraint error"),
    });
    Ok(())
}
