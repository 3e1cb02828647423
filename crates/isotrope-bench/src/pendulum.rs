//! W1: the Cartesian pendulum; and its error against time.

use super::c::{Compiler, Reference};
use super::code::Case;
use super::measure::{Clock, by_turns};
use super::native::Code;
use super::stepping::{advance, change, measure};
use super::{BenchError, Row};

pub(super) const MODEL: &str = include_str!("../../../models/pendulum.toml");
const SOURCE: &str = include_str!("../c/pendulum.c");
pub(super) const GAUSS: &str = include_str!("../c/gauss.c");

/// At rest.
pub(super) const START: [&str; 2] = ["x=sin(2)", "y=-cos(2)"];

pub(super) const GRAVITY: f64 = 9.81;

/// Gauss methods whose work and precision are compared, with numbers of steps to t = 100.
const PRECISION: [(u32, [u32; 3]); 4] = [
    (2, [10_000, 20_000, 40_000]),
    (4, [1000, 2000, 2500]),
    (6, [625, 800, 1000]),
    (8, [400, 500, 625]),
];

/// The position at t = 100, to all digits.
const AT_100: (f64, f64) = (-0.910_943_389_797_177_4, 0.412_531_381_333_381_3);

fn case<'a>(method: &'a str, step: (u32, u32), tolerance: f64) -> Case<'a> {
    Case { model: MODEL, set: &[], initial: &START, method, step, tolerance }
}

/// The energy for mass 1.
pub(super) fn energy(state: &[f64]) -> f64 {
    let [_, y, vx, vy] = [state[0], state[1], state[2], state[3]];
    0.5 * (vx * vx + vy * vy) + GRAVITY * y
}

/// W1.
pub(super) fn rows(
    compiler: Option<&Compiler>,
    tell: &mut dyn FnMut(Row),
) -> Result<(), BenchError> {
    const STEPS: u64 = 100_000;
    let case = case("gauss-2", (1, 1000), 1e-13);
    let reference = compiler.and_then(|it| it.build(&[("pendulum.c", SOURCE)], &[], String::new()));
    let about = "Cartesian pendulum, gauss-2, h = 1/1000, 1e5 steps: a step; energy error";
    let (name, error) = ("W1".to_owned(), change(energy));
    tell(measure(name, &case, STEPS, reference.as_ref(), error, about.to_owned())?);
    Ok(())
}

/// The error at t = 100 against the time it takes.
pub(super) fn precision(
    compiler: Option<&Compiler>,
    tell: &mut dyn FnMut(Row),
) -> Result<(), BenchError> {
    for (stages, counts) in PRECISION {
        let method = format!("gauss-{stages}");
        for steps in counts {
            let step = (100, steps);
            let about =
                format!("pendulum to t = 100, {method}, h = 100/{steps}: a step; final error");
            let stepper = case(&method, step, 1e-13 * f64::from(stages)).stepper()?;
            let code = Code::scalar(&stepper.program)?;
            let count = u64::from(steps);
            let reference = compiler.and_then(|it| scalar_gauss(it, stages, steps));
            let measured = by_turns(
                Clock::Cpu,
                f64::from(steps),
                reference.as_ref(),
                || stepper.initial.clone(),
                |state| advance(&code, &stepper, state, count),
            )?;
            let mut state = stepper.initial.clone();
            advance(&code, &stepper, &mut state, count)?;
            let error = (state[0] - AT_100.0).hypot(state[1] - AT_100.1);
            tell(Row {
                name: format!("precision-{stages}-{steps}"),
                ns: measured.ns,
                clock: Clock::Cpu,
                accuracy: Some(error),
                c_ns: measured.c_ns,
                total_ms: Some(measured.ns * f64::from(steps) * 1e-6),
                about,
            });
        }
    }
    Ok(())
}

fn scalar_gauss(compiler: &Compiler, stages: u32, steps: u32) -> Option<Reference> {
    let flags = [format!("-DS={stages}"), "-DL=1".to_owned(), format!("-DN={steps}")];
    compiler.build(&[("gauss.c", GAUSS)], &flags, String::new())
}
