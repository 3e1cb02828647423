//! Why a run with an explicit method left the numbers: did every step enlarge its errors?

use isotrope_kernel::integrate::{Compiled, Integration, Outcome};
use isotrope_kernel::stepper::Scales;

/// Rounds of the power method; the mean is taken over the last ones, because pairs of complex eigenvalues turn.
const ROUNDS: usize = 24;
const COUNTED: usize = 12;
/// Changes of the initial values, in units of the sizes of the problem: far from rounding, far from curved.
const CHANGE: f64 = 1e-6;
/// Errors that grow by this factor in every step are not resolved.
const UNRESOLVED: f64 = 1.25;

/// What to do about a run that left the numbers because its step is too long for an explicit method.
pub(super) fn advice(compiled: &Compiled, outcome: Outcome) -> Option<String> {
    let stepper = &compiled.stepper;
    let explicit = stepper.program.variables.is_empty() && stepper.adaptive.is_none();
    if outcome != Outcome::NonFinite || !explicit {
        return None;
    }
    let growth = growth(compiled).filter(|growth| *growth > UNRESOLVED)?;
    let growth = crate::report::significant(growth, 2);
    Some(format!(
        "already the first step enlarges small changes {growth} times, so it is too long for an explicit method \
         (stiff: try radau-iia-2 or gauss-2, or a smaller step)"
    ))
}

/// The spectral radius of the derivative of the first step, by the power method.
fn growth(compiled: &Compiled) -> Option<f64> {
    let stepper = &compiled.stepper;
    let (initial, parameters) = (&stepper.initial, &stepper.parameters);
    let scales: Scales = stepper.scaling.measure(initial, parameters);
    let sizes = scales.clone().moving(stepper.layout);
    let moved = |state: Vec<f64>| -> Option<Vec<f64>> {
        let mut integration =
            Integration::within(compiled, state, parameters.clone(), &scales).ok()?;
        integration.advance(1).ok()?;
        let moving = integration.state().get(..sizes.len())?;
        Some(moving.iter().zip(&sizes).map(|(x, size)| x / size).collect())
    };
    let unchanged = moved(initial.clone())?;
    // Any start will do but an eigenvector.
    let mut direction: Vec<f64> = (1..=sizes.len()).map(|k| 1.0 / (k as f64).sqrt()).collect();
    let mut growths = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
        if !(length > 0.0 && length.is_finite()) {
            return None;
        }
        let mut state = initial.clone();
        for ((x, size), part) in state.iter_mut().zip(&sizes).zip(&direction) {
            *x += CHANGE * size * part / length;
        }
        let changed = moved(state)?;
        direction = changed.iter().zip(&unchanged).map(|(x, y)| (x - y) / CHANGE).collect();
        let grown = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
        growths.push(grown);
    }
    let counted = &growths[ROUNDS - COUNTED..];
    let mean = counted.iter().map(|growth| growth.log2()).sum::<f64>() / COUNTED as f64;
    Some(mean.exp2()).filter(|growth| growth.is_finite())
}
