//! W4: the free rigid body on the group of rotations.

use super::c::Compiler;
use super::code::Case;
use super::stepping::measure;
use super::{BenchError, Row};

const MODEL: &str = include_str!("../../../models/rigid_body.toml");
const SOURCE: &str = include_str!("../c/body.c");

const INITIAL: [&str; 3] = ["omega[1]=1/10", "omega[2]=1", "omega[3]=1/5"];

/// R p, the momentum in space; the state is a quaternion, ω and p.
fn spatial(state: &[f64]) -> [f64; 3] {
    let (e, x, p) = (state[0], &state[1..4], &state[7..10]);
    // p + 2 x × (x × p + e p).
    let cross = |a: &[f64], b: &[f64]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let mut inner = cross(x, p);
    inner.iter_mut().zip(p).for_each(|(i, p)| *i += e * p);
    let outer = cross(x, &inner);
    [p[0] + 2.0 * outer[0], p[1] + 2.0 * outer[1], p[2] + 2.0 * outer[2]]
}

/// W4.
pub(super) fn rows(
    compiler: Option<&Compiler>,
    tell: &mut dyn FnMut(Row),
) -> Result<(), BenchError> {
    const STEPS: u64 = 1_000_000;
    let case = Case {
        model: MODEL,
        set: &[],
        initial: &INITIAL,
        method: "lie-cayley",
        step: (1, 100),
        tolerance: 1e-13,
    };
    let reference = compiler.and_then(|it| it.build(&[("body.c", SOURCE)], &[], String::new()));
    let error = |first: &[f64], now: &[f64]| {
        let (first, now) = (spatial(first), spatial(now));
        first.iter().zip(&now).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
    };
    let about = "free rigid body, lie-cayley, h = 1/100, 1e6 steps: a step; change of the momentum in space";
    tell(measure("W4".to_owned(), &case, STEPS, reference.as_ref(), error, about.to_owned())?);
    Ok(())
}
