//! W5: long chains, whose steps cost as much as they have links.

use super::c::{Compiler, Reference};
use super::code::Case;
use super::measure::{Clock, by_turns};
use super::native::Code;
use super::pendulum::{BLOCK, advance};
use super::{BenchError, Row};

const MODEL: &str = include_str!("../../../../models/chain.toml");
const SOURCE: &str = include_str!("../../benches/c/chain.c");

/// Numbers of links and steps.
const SIZES: [(usize, u64); 3] = [(10, 10_000), (100, 2000), (1000, 500)];

/// The largest error of a squared length; the state begins with all x, then all y.
fn stretch(state: &[f64], links: usize) -> f64 {
    let mut worst: f64 = 0.0;
    for i in 0..links {
        let before = |from: usize| if i == 0 { 0.0 } else { state[from + i - 1] };
        let (dx, dy) = (state[i] - before(0), state[links + i] - before(links));
        worst = worst.max((dx * dx + dy * dy - 1.0).abs());
    }
    worst
}

fn in_c(compiler: &Compiler, links: usize, steps: u64) -> Option<Reference> {
    compiler.build(&[("chain.c", SOURCE)], &[], format!("{links} {steps}\n"))
}

/// W5.
pub(super) fn rows(
    compiler: Option<&Compiler>,
    tell: &mut dyn FnMut(Row),
) -> Result<(), BenchError> {
    for (links, steps) in SIZES {
        let set = format!("N={links}");
        let case = Case {
            model: MODEL,
            set: &[&set],
            initial: &[],
            method: "rattle",
            step: (1, 1000),
            tolerance: 1e-13,
        };
        let stepper = case.stepper()?;
        let code = Code::scalar(&stepper.program)?;
        let reference = compiler.and_then(|it| in_c(it, links, steps));
        let measured = by_turns(
            Clock::Cpu,
            steps as f64,
            reference.as_ref(),
            || stepper.initial.clone(),
            |state| advance(&code, &stepper, state, steps),
        )?;
        let mut state = stepper.initial.clone();
        let mut error: f64 = 0.0;
        for _ in 0..steps / BLOCK {
            advance(&code, &stepper, &mut state, BLOCK)?;
            error = error.max(stretch(&state, links));
        }
        tell(Row {
            name: format!("W5-{links}"),
            ns: measured.ns,
            clock: Clock::Cpu,
            accuracy: Some(error),
            c_ns: measured.c_ns,
            total_ms: None,
            about: format!(
                "chain of {links} links, rattle, h = 1/1000, {steps} steps: a step; constraint error"
            ),
        });
    }
    Ok(())
}
