//! Lyapunov exponents of the discrete flow: growth of tangent vectors that are made orthonormal again
//! and again (Benettin, Galgani, Giorgilli, Strelcyn, Meccanica 15, 1980).

use isotrope_kernel::integrate::Variations;
use isotrope_kernel::math::evaluate;
use isotrope_kernel::stepper::Stepper;
use isotrope_kernel::tape::Function;
use serde::Serialize;

use super::begin;

/// All exponents.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Lyapunov {
    /// By size.
    pub exponents: Vec<f64>,
    /// Half of the largest change of each between the first and the second half of the time.
    pub uncertainty: Vec<f64>,
    /// Their sum: the rate of the volume, 0 for Hamiltonian systems.
    pub sum: f64,
    /// The largest |λ_k + λ_(2n+1−k)|: 0 for Hamiltonian systems.
    pub pairing: Option<f64>,
    /// The time over which they were measured.
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

/// The spectrum over so many steps; `None` if the run is too short or a vector vanishes.
pub(super) fn spectrum(
    variations: &Variations,
    initial: &[f64],
    stepper: &Stepper,
    steps: u64,
    is_symplectic: bool,
) -> Option<Lyapunov> {
    let parameters = &stepper.parameters;
    let tangents = variations.admissible(initial, parameters)?;
    let mut tangent = begin(variations, initial, parameters, &tangents).ok()?;
    let stride = STRIDE.min(steps / 20).max(1);
    let rounds = steps / stride;
    let transient = rounds / TRANSIENT;
    let measured = rounds.checked_sub(transient).filter(|&count| count >= 4)?;
    let span = (stride as f64 * stepper.step).abs();
    let mut sums = vec![0.0; tangents.len()];
    let mut half = sums.clone();
    let (mut curve, mut reached) = (Vec::new(), 0);
    for round in 0..rounds {
        tangent.advance(stride).ok()?;
        let lengths = tangent.orthonormalise();
        if lengths.iter().any(|length| !(length.is_finite() && *length > 0.0)) {
            return None;
        }
        let Some(done) = (round + 1).checked_sub(transient).filter(|&done| done > 0) else {
            continue;
        };
        for (sum, &length) in sums.iter_mut().zip(&lengths) {
            *sum += evaluate(Function::Log, length);
        }
        if done == measured / 2 {
            half.copy_from_slice(&sums);
        }
        if done * POINTS / measured > reached {
            reached = done * POINTS / measured;
            let time = done as f64 * span;
            curve.push([time, sums.first().copied().unwrap_or(0.0) / time]);
        }
    }
    let time = measured as f64 * span;
    let (first, second) = ((measured / 2) as f64 * span, (measured - measured / 2) as f64 * span);
    let mut pairs: Vec<(f64, f64)> = sums
        .iter()
        .zip(&half)
        .map(|(&all, &half)| (all / time, ((all - half) / second - half / first).abs() / 2.0))
        .collect();
    pairs.sort_by(|x, y| y.0.total_cmp(&x.0));
    let exponents: Vec<f64> = pairs.iter().map(|pair| pair.0).collect();
    let opposite = exponents.iter().zip(exponents.iter().rev());
    Some(Lyapunov {
        sum: exponents.iter().sum(),
        pairing: is_symplectic.then(|| opposite.fold(0.0, |m, (x, y)| f64::max(m, (x + y).abs()))),
        uncertainty: pairs.iter().map(|pair| pair.1).collect(),
        exponents,
        time,
        curve,
    })
}
