//! Is a step a Poisson map? dΦ D(x) dΦᵀ = D(Φ(x)).

use isotrope_kernel::integrate::{Compiled, Variations};

use super::begin;

/// A defect, the size of the terms of which it is the rest, and how far the step turns neighbours; entries of D in
/// units of the sizes of the state.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BracketDefect {
    pub value: f64,
    pub size: f64,
    pub turn: f64,
    /// The largest entry of D before and after.
    pub strength: f64,
}

/// The largest entry of dΦ D dΦᵀ − D∘Φ for the step from a state.
pub(crate) fn bracket_defect(
    compiled: &Compiled,
    variations: &Variations,
    state: &[f64],
) -> Option<BracketDefect> {
    let stepper = &compiled.stepper;
    let (layout, parameters) = (stepper.layout, &stepper.parameters);
    let n = layout.dimension;
    let along = |k: usize| (0..2 * n).map(|i| f64::from(i == k)).collect();
    let directions: Vec<Vec<f64>> = (0..n).map(along).collect();
    let before = stepper.bracket_at(state, parameters)?;
    let mut tangent = begin(variations, state, parameters, &directions).ok()?;
    tangent.advance(1).ok()?;
    let after = stepper.bracket_at(tangent.state(), parameters)?;
    let sizes = variations.sizes(state, parameters);
    let unit = |i: usize, j: usize| 1.0 / (sizes[i] * sizes[j]);
    let change = |i: usize, j: usize| tangent.change(layout.position(i), j);
    let (mut value, mut size, mut turn): (f64, f64, f64) = (0.0, f64::MIN_POSITIVE, 0.0);
    for (i, row) in after.iter().enumerate() {
        for (j, &wanted) in row.iter().enumerate() {
            let (mut sum, mut terms) = (0.0, wanted.abs());
            for (k, row) in before.iter().enumerate() {
                for (l, &entry) in row.iter().enumerate().filter(|(_, entry)| **entry != 0.0) {
                    let term = change(i, k) * entry * change(j, l);
                    sum += term;
                    terms += term.abs();
                }
            }
            value = value.max((sum - wanted).abs() * unit(i, j));
            size = size.max(terms * unit(i, j));
            let one = change(i, j) - f64::from(i == j);
            turn += (one * (change(j, i) - f64::from(i == j))).abs();
        }
    }
    let entries = before.iter().chain(&after).flat_map(|row| row.iter().enumerate());
    let rows = (0..n).chain(0..n).flat_map(|i| std::iter::repeat_n(i, n));
    let strengths = rows.zip(entries).map(|(i, (j, entry))| entry.abs() * unit(i, j));
    let strength = strengths.fold(0.0, f64::max);
    (value.is_finite() && size.is_finite()).then_some(BracketDefect {
        value,
        size,
        turn: turn.sqrt(),
        strength,
    })
}
