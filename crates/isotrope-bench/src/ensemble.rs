//! W6: ten thousand pendula, in vectors and on threads.

use isotrope_kernel::stepper::Stepper;
use isotrope_tape::math::{Numbers, sincos};

use super::c::{Compiler, Reference};
use super::code::{Case, start};
use super::measure::{Clock, by_turns};
use super::native::{Code, c_lanes};
use super::pendulum::{GAUSS, MODEL, energy};
use super::stepping::advance;
use super::{BenchError, Row};

const SOURCE: &str = include_str!("../c/ensemble.c");
const COUNT: usize = 10_000;

/// States of all pendula, as many as a vector has lanes in each block.
fn blocks(stepper: &Stepper, lanes: usize) -> Result<Vec<Vec<f64>>, BenchError> {
    let numbers = stepper.initial.len();
    let mut blocks = vec![vec![0.0; numbers * lanes]; COUNT.div_ceil(lanes)];
    for (b, block) in blocks.iter_mut().enumerate() {
        for lane in 0..lanes {
            let number = (b * lanes + lane).min(COUNT - 1);
            let angle = 0.1 + 2.9 * number as f64 / (COUNT - 1) as f64;
            let (sine, cosine) = sincos(&mut Numbers, angle);
            let mut state = stepper.initial.clone();
            (state[0], state[1]) = (sine, -cosine);
            for (k, &value) in start(stepper, &mut state)?.iter().enumerate() {
                block[k * lanes + lane] = value;
            }
        }
    }
    Ok(blocks)
}

/// Makes steps with all blocks, on one thread or several.
fn run(
    code: &Code,
    stepper: &Stepper,
    blocks: &mut [Vec<f64>],
    steps: u64,
    threads: usize,
) -> Result<(), BenchError> {
    let part = |blocks: &mut [Vec<f64>]| {
        blocks.iter_mut().try_for_each(|state| advance(code, stepper, state, steps))
    };
    if threads == 1 {
        return part(blocks);
    }
    let size = blocks.len().div_ceil(threads);
    std::thread::scope(|scope| {
        let running: Vec<_> =
            blocks.chunks_mut(size).map(|chunk| scope.spawn(move || part(chunk))).collect();
        running.into_iter().try_for_each(|one| one.join().unwrap_or(Err(BenchError::Thread)))
    })
}

fn worst_energy(first: &[Vec<f64>], last: &[Vec<f64>], lanes: usize) -> f64 {
    let mut worst: f64 = 0.0;
    for (first, last) in first.iter().zip(last) {
        for lane in 0..lanes {
            let pick = |all: &[f64]| -> Vec<f64> {
                all.iter().skip(lane).step_by(lanes).copied().collect()
            };
            worst = worst.max((energy(&pick(last)) - energy(&pick(first))).abs());
        }
    }
    worst
}

fn gauss_2_in_c(compiler: &Compiler, threads: usize) -> Option<Reference> {
    let (lanes, wide) = c_lanes();
    let flags = [
        wide.to_owned(),
        format!("-DL={lanes}"),
        "-DU=2".to_owned(),
        format!("-DTHREADS={threads}"),
    ];
    compiler.build(&[("ensemble.c", SOURCE)], &flags, String::new())
}

fn gauss_4_in_c(compiler: &Compiler, steps: u32) -> Option<Reference> {
    let (lanes, wide) = c_lanes();
    let flags =
        [wide.to_owned(), format!("-DL={lanes}"), "-DS=4".to_owned(), format!("-DN={steps}")];
    compiler.build(&[("gauss.c", GAUSS)], &flags, String::new())
}

/// W6. Counted is a thousandth of the time unit of one pendulum.
pub(super) fn rows(
    compiler: Option<&Compiler>,
    tell: &mut dyn FnMut(Row),
) -> Result<(), BenchError> {
    let cases: [(&str, &str, u32, f64, usize); 3] = [
        ("W6-1", "gauss-2", 1000, 1e-13, 1),
        ("W6-2", "gauss-2", 1000, 1e-13, 2),
        ("W6-gauss-4", "gauss-4", 40, 4e-13, 1),
    ];
    for (name, method, steps, tolerance, threads) in cases {
        let step = (1, steps);
        let about = format!(
            "10^4 pendula to t = 1, {method}, h = 1/{steps}, threads: {threads}: a pendulum for 1/1000; energy error"
        );
        let stepper =
            Case { model: MODEL, set: &[], initial: &[], method, step, tolerance }.stepper()?;
        let code = Code::packed(&stepper.program)?;
        // One number for all lanes.
        let mut wide = stepper.clone();
        wide.parameters = stepper.parameters.iter().flat_map(|&x| vec![x; code.lanes()]).collect();
        let first = blocks(&stepper, code.lanes())?;
        let reference = compiler.and_then(|it| match method {
            "gauss-2" => gauss_2_in_c(it, threads),
            _ => gauss_4_in_c(it, steps),
        });
        let measured = by_turns(
            Clock::Wall,
            COUNT as f64 * 1000.0,
            reference.as_ref(),
            || first.clone(),
            |blocks| run(&code, &wide, blocks, steps.into(), threads),
        )?;
        let mut last = first.clone();
        run(&code, &wide, &mut last, steps.into(), threads)?;
        tell(Row {
            name: name.to_owned(),
            ns: measured.ns,
            clock: Clock::Wall,
            accuracy: Some(worst_energy(&first, &last, code.lanes())),
            c_ns: measured.c_ns,
            total_ms: None,
            about,
        });
    }
    Ok(())
}
