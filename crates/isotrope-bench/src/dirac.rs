//! W3: a Dirac scheme on the Cartesian pendulum.

use super::c::Compiler;
use super::code::Case;
use super::pendulum::{MODEL, START};
use super::stepping::{change, measure};
use super::{BenchError, Row};

const SOURCE: &str = include_str!("../c/dirac.c");

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
    let reference = compiler.and_then(|it| it.build(&[("dirac.c", SOURCE)], &[], String::new()));
    let about = format!("pendulum, {method}, h = 1/10000, 1e6 steps: a step; constraint error");
    let (name, error) = ("W3".to_owned(), change(length));
    tell(measure(name, &case, STEPS, reference.as_ref(), error, about)?);
    Ok(())
}
