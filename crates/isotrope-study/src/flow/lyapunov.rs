//! Lyapunov exponents of the discrete flow: growth of tangent vectors that are made orthonormal again
//! and again (Benettin, Galgani, Giorgilli, Strelcyn, Meccanica 15, 1980).

use isotrope_kernel::integrate::Variations;
use isotrope_kernel::stepper::Stepper;
use isotrope_tape::Function;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Setting, begin};

/// All exponents.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Lyapunov {
    /// By size.
    pub exponents: Vec<f64>,
    /// Half of an interval around each that holds the exponent over infinite times, in 95 of 100 repetitions: from
    /// the scatter over parts of the time, and from what vectors that grow like a power of the time leave.
    pub uncertainty: Vec<f64>,
    /// Their sum: the rate of the volume, 0 for Hamiltonian systems.
    pub sum: f64,
    /// The largest |λ_k + λ_(2n+1−k)|: 0 for Hamiltonian systems.
    pub pairing: Option<f64>,
    /// What they are rates in: the time `t`, or the parameter `s` of methods whose steps are equal in s
    /// and not in t.
    pub variable: &'static str,
    /// The time, or how much of s, over which they were measured.
    pub time: f64,
    /// The largest one against time: what it was until then.
    pub curve: Vec<[f64; 2]>,
}

/// The part of the time in which vectors turn into their directions.
const TRANSIENT: u64 = 10;
/// Steps between two times that vectors are made orthonormal, at most.
const STRIDE: u64 = 10;
/// Points of the curve.
const POINTS: u64 = 200;

/// Parts of the time whose means are compared: few, since they have to be longer than the memory of the motion.
const PARTS: usize = 8;
/// Student's t for 95 of 100, by degrees of freedom from 1 on.
const STUDENT: [f64; PARTS - 1] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365];

/// Steps that a spectrum needs, at least.
const LEAST: u64 = 5;

/// The spectrum over the run, or why there is none.
pub(super) fn spectrum(
    setting: &Setting<'_>,
    variations: &Variations,
    initial: &[f64],
    stepper: &Stepper,
    is_symplectic: bool,
) -> Result<Lyapunov, String> {
    let steps = setting.request.steps;
    let no_start = || "tangent vectors have no finite value at the start".to_owned();
    let parameters = &stepper.parameters;
    let tangents = setting.tangents(variations, initial, parameters).ok_or_else(no_start)?;
    let begun = begin(variations, initial, parameters, &tangents);
    let mut tangent = begun.map_err(|_| no_start())?;
    let stride = STRIDE.min(steps / 20).max(1);
    let rounds = steps / stride;
    let transient = rounds / TRANSIENT;
    let measured = rounds - transient;
    if steps < LEAST {
        return Err(format!(
            "{steps} steps are too few, {LEAST} are the least; take a longer time"
        ));
    }
    let span = (stride as f64 * stepper.step).abs();
    let mut growth: Vec<Vec<f64>> = vec![Vec::new(); tangents.len()];
    let (mut curve, mut reached, mut largest) = (Vec::new(), 0, 0.0);
    for round in 0..rounds {
        let gone = round * stride;
        if tangent.advance(stride).is_err() {
            return Err(format!("tangent vectors cannot be carried along after step {gone}"));
        }
        let lengths = tangent.orthonormalise();
        if lengths.iter().any(|length| !(length.is_finite() && *length > 0.0)) {
            return Err(format!("a tangent vector vanishes or overflows after step {gone}"));
        }
        let Some(done) = (round + 1).checked_sub(transient).filter(|&done| done > 0) else {
            continue;
        };
        for (series, &length) in growth.iter_mut().zip(&lengths) {
            series.push(Function::Log.evaluate(length));
        }
        largest += growth.first().and_then(|series| series.last()).copied().unwrap_or(0.0);
        if done * POINTS / measured > reached {
            reached = done * POINTS / measured;
            let time = done as f64 * span;
            curve.push([time, largest / time]);
        }
    }
    let time = measured as f64 * span;
    // A vector that grows like t grows by this over the time that is measured, and its exponent is 0.
    let slow = Function::Log.evaluate(rounds as f64 / transient.max(1) as f64) / time;
    let mut pairs: Vec<(f64, f64)> = growth
        .iter()
        .map(|series| (series.iter().sum::<f64>() / time, error(series) / span + slow))
        .collect();
    pairs.sort_by(|x, y| y.0.total_cmp(&x.0));
    let exponents: Vec<f64> = pairs.iter().map(|pair| pair.0).collect();
    let opposite = exponents.iter().zip(exponents.iter().rev());
    Ok(Lyapunov {
        variable: if stepper.pace.is_some() { "s" } else { "t" },
        sum: exponents.iter().sum(),
        pairing: is_symplectic.then(|| opposite.fold(0.0, |m, (x, y)| f64::max(m, (x + y).abs()))),
        uncertainty: pairs.iter().map(|pair| pair.1).collect(),
        exponents,
        time,
        curve,
    })
}

/// Half of the interval that holds the mean of a series in 95 of 100 repetitions.
fn error(series: &[f64]) -> f64 {
    let parts = PARTS.min(series.len());
    let length = series.len() / parts.max(1);
    let Some(&student) = parts.checked_sub(2).and_then(|freedom| STUDENT.get(freedom)) else {
        return 0.0;
    };
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    let means: Vec<f64> = series.rchunks_exact(length).take(parts).map(mean).collect();
    let whole = mean(&means);
    let squares = means.iter().map(|x| (x - whole) * (x - whole)).sum::<f64>();
    let count = parts as f64;
    student * (squares / (count - 1.0) / count).sqrt()
}
