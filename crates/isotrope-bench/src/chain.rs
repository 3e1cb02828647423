//! W5: long chains, whose steps cost as much as they have links.

use super::c::{Compiler, Reference};
use super::code::Case;
use super::stepping::measure;
use super::{BenchError, Row};

const MODEL: &str = include_str!("../../../models/chain.toml");
const SOURCE: &str = include_str!("../c/chain.c");

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
        let reference = compiler.and_then(|it| in_c(it, links, steps));
        let about = format!(
            "chain of {links} links, rattle, h = 1/1000, {steps} steps: a step; constraint error"
        );
        let name = format!("W5-{links}");
        let error = |_: &[f64], state: &[f64]| stretch(state, links);
        tell(measure(name, &case, steps, reference.as_ref(), error, about)?);
    }
    Ok(())
}
