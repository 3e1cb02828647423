//! W2: the Chaplygin sleigh on an incline.

use isotrope_kernel::math::{Numbers, sincos};

use super::c::Compiler;
use super::code::Case;
use super::measure::{Clock, by_turns};
use super::native::Code;
use super::pendulum::{GRAVITY, advance, drift};
use super::{BenchError, Row};

const MODEL: &str = include_str!("../../../../models/sleigh_incline.toml");
const SOURCE: &str = include_str!("../../benches/c/sleigh.c");

/// u = 1 along the blade, ω = 1/2.
const INITIAL: [&str; 3] = ["x'=cos(pi/6)", "y'=sin(pi/6)", "theta'=1/2"];

/// The energy for masses and lengths 1.
fn energy(state: &[f64]) -> f64 {
    let (y, theta, vx, vy, w) = (state[1], state[2], state[3], state[4], state[5]);
    let (s, c) = sincos(&mut Numbers, theta);
    let (slope, _) = sincos(&mut Numbers, std::f64::consts::PI / 10.0);
    0.5 * (vx * vx + vy * vy) + w * w + w * (vy * c - vx * s) + GRAVITY * slope * (y + s)
}

/// W2.
pub(super) fn rows(
    compiler: Option<&Compiler>,
    tell: &mut dyn FnMut(Row),
) -> Result<(), BenchError> {
    const STEPS: u64 = 100_000;
    let step = (1, 10_000);
    let case = Case {
        model: MODEL,
        set: &[],
        initial: &INITIAL,
        method: "gauss-2",
        step,
        tolerance: 1e-13,
    };
    let stepper = case.stepper()?;
    let code = Code::scalar(&stepper.program)?;
    let reference = compiler.and_then(|it| it.build(&[("sleigh.c", SOURCE)], &[], String::new()));
    let measured = by_turns(
        Clock::Cpu,
        STEPS as f64,
        reference.as_ref(),
        || stepper.initial.clone(),
        |state| advance(&code, &stepper, state, STEPS),
    )?;
    tell(Row {
        name: "W2".to_owned(),
        ns: measured.ns,
        clock: Clock::Cpu,
        accuracy: Some(drift(&code, &stepper, STEPS, energy)?),
        c_ns: measured.c_ns,
        total_ms: None,
        about: "sleigh on an incline, gauss-2, h = 1/10000, 1e5 steps: a step; energy error"
            .to_owned(),
    });
    Ok(())
}
