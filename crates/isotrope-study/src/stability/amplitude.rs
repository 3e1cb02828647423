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
/// Amplitudes are looked for up to here, and down to one over it: the range of numbers, and no size of anything.
const WIDEST: f64 = 1e150;
/// Halvings of the logarithm of this range, and what is looked at below what was found: what has changed may come back.
const HALVINGS: usize = 20;
const BELOW: [f64; 6] = [0.7, 0.5, 0.35, 0.2, 0.1, 0.03];
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
        let column: Vec<f64> =
            (0..tangent.basis.rows()).map(|i| tangent.basis.get(i, k)).collect();
        let factor = self.amplitude / self.weights.length(&column);
        column.into_iter().map(|x| factor * x).collect()
    }

    /// The sizes of states near an equilibrium.
    pub fn scales(&self, rest: &Rest) -> Scales {
        let n = rest.q.len();
        let displacement = |i: usize| self.amplitude / self.weights.get(i);
        Scales {
            time: (1.0 / self.rate).max(self.step),
            position: (0..n).map(|i| rest.q[i].abs().max(displacement(i))).collect(),
            velocity: (0..n).map(|i| self.rate * displacement(i)).collect(),
            momentum: (0..n).map(|i| self.rate * self.amplitude * self.weights.get(i)).collect(),
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
        let entry =
            |i: usize| (0..count).map(|k| factor(k) * tangent.basis.get(i, k)).sum::<f64>();
        let direction: Vec<f64> = (0..n).map(entry).collect();
        let length = weights.length(&direction);
        direction.into_iter().map(|x| x / length).collect()
    };
    // Units of the free coordinates differ: in the sum of all, each counts with its weight.
    let unit = |k: usize| 1.0 / weights.get(tangent.free[k]);
    let alternating = |k: usize| if k % 2 == 0 { unit(k) } else { -unit(k) };
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
    let mut smallest = WIDEST;
    for direction in directions.iter().filter(|d| d.iter().all(|x| x.is_finite())) {
        let (mut low, mut high) = (1.0 / WIDEST, smallest);
        if !changed(direction, high) {
            continue;
        }
        for _ in 0..HALVINGS {
            let middle = low.sqrt() * high.sqrt();
            *(if changed(direction, middle) { &mut high } else { &mut low }) = middle;
        }
        let below = BELOW.iter().map(|part| part * high);
        smallest = below.filter(|&x| changed(direction, x)).fold(high, f64::min);
    }
    let own = weights.length(&rest.q).max(weights.length(&rest.guess));
    match [smallest, own] {
        [found, _] if found < WIDEST => found,
        [_, own] if own > 0.0 => own,
        _ => 1.0,
    }
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
        here.size() > 0.0 && !(change <= CHANGED * here.size())
    })
}
