//! W2: the Chaplygin sleigh on an incline.

use isotrope_tape::math::{Numbers, sincos};

use super::c::Compiler;
use super::code::Case;
use super::pendulum::GRAVITY;
use super::stepping::{change, measure};
use super::{BenchError, Row};

const MODEL: &str = include_str!("../../../models/sleigh_incline.toml");
const SOURCE: &str = include_str!("../c/sleigh.c");

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
    let case = Case {
        model: MODEL,
        set: &[],
        initial: &INITIAL,
        method: "gauss-2",
        step: (1, 10_000),
        tolerance: 1e-13,
    };
    let reference = compiler.and_then(|it| it.build(&[("sleigh.c", SOURCE)], &[], String::new()));
    let about = "sleigh on an incline, gauss-2, h = 1/10000, 1e5 steps: a step; energy error";
    let (name, error) = ("W2".to_owned(), change(energy));
    tell(measure(name, &case, STEPS, reference.as_ref(), error, about.to_owned())?);
    Ok(())
}
