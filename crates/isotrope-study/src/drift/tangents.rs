//! What the derivatives of the steps tell: the 2-form, and how fast neighbours part.

use isotrope_kernel::integrate::{Change, Compiled, Order, Tangent, Variations};
use isotrope_tape::backend::Backend;

use super::log;
use crate::canonical::{columns, form, terms};

/// Derivatives of steps in all directions; `None` for methods whose steps are not functions of the
/// state.
pub(super) fn variations(compiled: &Compiled) -> Option<Variations> {
    let directions = compiled.stepper.layout.moving();
    Variations::new(compiled, Order::First, directions, &[], Backend::Native).ok()
}

fn changes(vectors: &[Vec<f64>]) -> Vec<Change> {
    let of = |state: &Vec<f64>| Change { state: state.clone(), parameters: Vec::new() };
    vectors.iter().map(of).collect()
}

/// The largest entry of DΦᵀ Ω DΦ − Ω on tangent vectors of the constraints at a state, Φ one step and
/// Ω the canonical form, with a magnetic 2-form dq∧dp + B, relative to the terms of Ω.
pub(super) fn form_defect(
    compiled: &Compiled,
    variations: &Variations,
    state: &[f64],
) -> Option<f64> {
    let parameters = &compiled.stepper.parameters;
    let changes = changes(&variations.admissible(state, parameters)?);
    let mut tangent = Tangent::new(variations, state, parameters, &changes)?;
    let stepper = &compiled.stepper;
    let at = |tangent: &Tangent<'_>| form(&columns(tangent, stepper), stepper, tangent.state());
    let before = at(&tangent);
    let terms = terms(&columns(&tangent, stepper), stepper, tangent.state());
    tangent.advance(1).ok()?;
    Some(at(&tangent).plus(-1.0, &before).size() / terms.max(f64::MIN_POSITIVE))
}

/// The largest Lyapunov exponent of the discrete flow, from the logarithms of the growth of one
/// tangent vector over the second half of this many steps; the first half turns it into the
/// direction that grows most. With the time that was taken.
pub(super) fn lyapunov(compiled: &Compiled, steps: u64) -> Option<(f64, f64)> {
    let stepper = &compiled.stepper;
    let (layout, parameters) = (stepper.layout, &stepper.parameters);
    let variations = Variations::new(compiled, Order::First, 1, &[], Backend::Native).ok()?;
    let directions = variations.admissible(&stepper.initial, parameters)?;
    let size = layout.moving();
    // No direction is special: the sum of all.
    let sum: Vec<f64> = (0..size).map(|i| directions.iter().map(|d| d[i]).sum()).collect();
    let mut tangent = Tangent::new(&variations, &stepper.initial, parameters, &changes(&[sum]))?;
    let half = steps / 2;
    if half == 0 {
        return None;
    }
    let (mut grown, mut begin) = (0.0, 0.0);
    for k in 0..2 * half {
        if k == half {
            grown = 0.0;
            begin = tangent.state()[layout.time() as usize];
        }
        tangent.advance(1).ok()?;
        let length = tangent.orthonormalise().first().copied()?;
        if !(length.is_finite() && length > 0.0) {
            return None;
        }
        grown += log(length);
    }
    let end = tangent.state()[layout.time() as usize];
    Some((grown / (end - begin).abs(), end.abs()))
}
