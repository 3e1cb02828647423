//! How far one may go from an equilibrium before it looks different: the sizes of its neighbourhood.

use isotrope_kernel::stepper::Scales;

use super::equilibrium::Rest;
use super::error::StabilityError;
use super::linearise::{Linearisation, Values};
use super::probe::Probe;
use super::reduce::Tangent;
use super::weights::Weights;

/// The sizes of displacements and velocities near an equilibrium: a direction with w_i |δq_i| ≤ 1 times `amplitude`
/// is where the matrices have changed by half of themselves.
#[derive(Debug, Clone)]
pub(super) struct Neighbourhood {
    pub weights: Weights,
    /// The largest |s|, or one over the step where nothing pushes.
    pub rate: f64,
    pub amplitude: f64,
    step: f64,
}

/// Matrices that change by this part of themselves are others.
const CHANGED: f64 = 0.5;
/// Amplitudes are looked for from that of the equilibrium and of the guess, in strides up and down.
const STRIDE: f64 = 4.0;
const RUNGS: i32 = 10;
/// Where both are zero, in the whole range of numbers, halving its logarithm; and parts of an amplitude that are looked
/// at with it.
const WIDEST: f64 = 1e150;
const COARSE: usize = 12;
const BELOW: [f64; 12] = [1.0, 0.83, 0.71, 0.59, 0.47, 0.37, 0.29, 0.23, 0.17, 0.13, 0.11, 0.07];
/// Halvings at the end.
const FINE: usize = 8;
/// Coordinates that are moved one by one, of systems up to this size.
const SINGLE: usize = 8;

impl Neighbourhood {
    /// At the first equilibrium that was found.
    pub fn new(probe: &mut Probe<'_>, step: f64) -> Result<Self, StabilityError> {
        let Some((parameter, rest)) = probe.known.first().cloned() else {
            return Err(StabilityError::NoEquilibrium { reason: "there is no guess".to_owned() });
        };
        let (reduced, tangent) = probe.tangent(parameter)?;
        let equations = probe.equations;
        let values = equations
            .values(&rest.q, &rest.lambda, parameter)
            .map_err(|reason| StabilityError::NotSmooth { reason })?;
        let weights = Weights::at(&values);
        let fastest = reduced.spectrum().map_or(0.0, |spectrum| spectrum.size());
        let rate = if fastest > 0.0 { fastest } else { 1.0 / step.abs() };
        let amplitude = amplitude(equations, (&rest, parameter), &values, &weights, &tangent);
        Ok(Self { weights, rate, amplitude, step: step.abs() })
    }

    /// A direction of the tangent space with this amplitude.
    pub fn direction(&self, tangent: &Tangent, k: usize) -> Vec<f64> {
        let column: Vec<f64> = (0..tangent.basis.rows()).map(|i| tangent.basis.get(i, k)).collect();
        let factor = self.amplitude / self.weights.length(&column);
        column.into_iter().map(|x| factor * x).collect()
    }

    /// The sizes of states near an equilibrium, of `n` positions and their velocities, or of positions and momenta.
    pub fn scales(&self, rest: &Rest, n: usize) -> Scales {
        let displacement = |i: usize| self.amplitude / self.weights.get(i);
        let mut position: Vec<f64> =
            (0..rest.q.len()).map(|i| rest.q[i].abs().max(displacement(i))).collect();
        let momentum = match position.split_off(n.min(position.len())) {
            none if none.is_empty() => {
                (0..n).map(|i| self.rate * self.amplitude * self.weights.get(i)).collect()
            }
            momentum => momentum,
        };
        Scales {
            time: (1.0 / self.rate).max(self.step),
            position,
            velocity: (0..n).map(|i| self.rate * displacement(i)).collect(),
            momentum,
            energy: (self.rate * self.amplitude) * (self.rate * self.amplitude),
        }
    }
}

/// The smallest amplitude at which the matrices have changed; of linear equations that of the equilibrium or of the
/// guess.
fn amplitude(
    equations: &Linearisation,
    (rest, parameter): (&Rest, f64),
    here: &Values,
    weights: &Weights,
    tangent: &Tangent,
) -> f64 {
    let (n, count) = (rest.q.len(), tangent.free.len());
    let sum = |factor: &dyn Fn(usize) -> f64| -> Vec<f64> {
        let entry = |i: usize| (0..count).map(|k| factor(k) * tangent.basis.get(i, k)).sum::<f64>();
        let direction: Vec<f64> = (0..n).map(entry).collect();
        let length = weights.length(&direction);
        direction.into_iter().map(|x| x / length).collect()
    };
    // Units of the free coordinates differ: in the sum of all, each counts with its weight.
    let unit = |k: usize| 1.0 / weights.get(tangent.free[k]);
    let alternating = |k: usize| if k.is_multiple_of(2) { unit(k) } else { -unit(k) };
    let mut directions = vec![sum(&unit), sum(&alternating)];
    if count <= SINGLE {
        directions.extend((0..count).map(|one| sum(&|k| f64::from(k == one))));
    }
    let changed = |direction: &[f64], amplitude: f64| {
        let pairs = rest.q.iter().zip(direction);
        let q: Vec<f64> = pairs.map(|(x, d)| d.mul_add(amplitude, *x)).collect();
        let there = equations.values(&q, &rest.lambda, parameter);
        there.map_or(true, |there| differ(here, &there, weights))
    };
    let own = weights.length(&rest.q).max(weights.length(&rest.guess));
    let mut smallest = f64::INFINITY;
    for direction in directions.iter().filter(|d| d.iter().all(|x| x.is_finite())) {
        let bracket = if own > 0.0 {
            let rungs = (-RUNGS..=RUNGS).map(|k| own * STRIDE.powi(k));
            rungs
                .take_while(|&x| x < smallest)
                .find(|&x| changed(direction, x))
                .map(|x| (x / STRIDE, x))
        } else {
            // What comes back when it is far away is not mistaken for what has not changed.
            let any = |x: f64| BELOW.iter().any(|part| changed(direction, part * x));
            any(WIDEST).then(|| halved((1.0 / WIDEST, WIDEST), COARSE, any))
        };
        let Some(bracket) = bracket else { continue };
        let (_, found) = halved(bracket, FINE, |x| changed(direction, x));
        smallest = smallest.min(found);
    }
    match [smallest, own] {
        [found, _] if found.is_finite() => found,
        [_, own] if own > 0.0 => own,
        _ => 1.0,
    }
}

/// An interval around the place where a statement begins to hold, by halving its logarithm.
fn halved(
    (mut low, mut high): (f64, f64),
    times: usize,
    holds: impl Fn(f64) -> bool,
) -> (f64, f64) {
    for _ in 0..times {
        let middle = low.sqrt() * high.sqrt();
        *(if holds(middle) { &mut high } else { &mut low }) = middle;
    }
    (low, high)
}

/// Has one of the matrices changed by half of its largest entry?
fn differ(here: &Values, there: &Values, weights: &Weights) -> bool {
    let rows = |values: &Values| weights.of_rows(&values.rows, 1.0).0;
    let pairs = [
        (weights.of(&here.mass), weights.of(&there.mass)),
        (weights.of(&here.damping), weights.of(&there.damping)),
        (weights.of(&here.stiffness), weights.of(&there.stiffness)),
        (rows(here), rows(there)),
    ];
    pairs.iter().any(|(here, there)| {
        let change = there.plus(-1.0, here).size();
        // What has no value has changed, too.
        here.size() > 0.0 && (change.is_nan() || change > CHANGED * here.size())
    })
}
