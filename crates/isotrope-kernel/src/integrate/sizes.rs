//! How large a quantity of a state is, in the units of the problem.
//!
//! A constraint, a momentum or an energy is often a small difference of large terms, and its own value says
//! nothing about what rounding does to it. What does is its change when positions and velocities change by their
//! sizes ([`Scales`]): all of them at once, each up or down by a fixed pattern of signs, and the largest
//! change over several such patterns.

use isotrope_tape::interpret::{Scratch, step};

use super::compiled::Compiled;
use crate::stepper::{Layout, Scales};

/// Patterns of signs.
const PATTERNS: u64 = 8;

/// Not the whole size, which leads from x to 0 and so to the singularity of many a potential.
const NEARLY: f64 = 0.75;
/// A part of a size, for quantities that have no value so far away.
const PART: f64 = 1.0 / 1024.0;

/// States around a state, one for each pattern, at a part of the sizes.
pub(super) fn around(layout: Layout, state: &[f64], part: f64) -> Vec<Vec<f64>> {
    let Some(scales) = Scales::of(layout, state) else { return Vec::new() };
    let sizes = scales.moving(layout);
    let moved = |pattern: u64| {
        let mut state = state.to_vec();
        let moving = state.iter_mut().take(layout.moving());
        for (k, (x, &size)) in (0u64..).zip(moving.zip(&sizes)) {
            let by = part * size.max(x.abs());
            *x += if is_up(pattern, k) { by } else { -by };
        }
        state
    };
    (0..PATTERNS).map(moved).collect()
}

/// A bit that looks random, the same on every machine.
fn is_up(pattern: u64, coordinate: u64) -> bool {
    let mut bits = (pattern << 32 | coordinate).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (bits ^ bits >> 31) & 1 == 1
}

/// The largest changes of some quantities around a state.
fn changes(
    (layout, state): (Layout, &[f64]),
    evaluate: impl Fn(&[f64]) -> Option<Vec<f64>>,
) -> Option<(Vec<f64>, Vec<f64>)> {
    let here = evaluate(state)?;
    let mut largest = vec![0.0_f64; here.len()];
    for part in [NEARLY, PART] {
        for there in around(layout, state, part).iter().filter_map(|state| evaluate(state)) {
            for (largest, (here, there)) in largest.iter_mut().zip(here.iter().zip(&there)) {
                let change = (there - here).abs() / part;
                if change.is_finite() {
                    *largest = largest.max(change);
                }
            }
        }
    }
    Some((here, largest))
}

/// A quantity with its size, in the order of its constraints.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Levels {
    /// φ(q), or the defect of rotations: values and sizes.
    pub position: Vec<(f64, f64)>,
    /// A v + b.
    pub velocity: Vec<(f64, f64)>,
}

impl Levels {
    /// Writes what a violation of each of them counts into a state, and the largest violations.
    pub(super) fn write(&self, layout: Layout, state: &mut [f64]) {
        if layout.levels() == 0 {
            return;
        }
        let both = [
            (layout.relative_position_error(), &self.position, 0),
            (layout.relative_velocity_error(), &self.velocity, layout.on_positions),
        ];
        for (largest, list, first) in both {
            let mut found = 0.0_f64;
            for (k, &(value, size)) in list.iter().enumerate() {
                let weight = if size.is_normal() { 1.0 / size } else { 0.0 };
                found = found.max((value * weight).abs());
                if let Some(place) = state.get_mut(layout.level_weight(first + k) as usize) {
                    *place = weight;
                }
            }
            if let Some(place) = state.get_mut(largest as usize) {
                *place = found;
            }
        }
    }
}

/// φ(q), then A v + b, at a state; `None` where they have no value.
pub(super) fn values(compiled: &Compiled, state: &[f64], parameters: &[f64]) -> Option<Vec<f64>> {
    let stepper = &compiled.stepper;
    let (layout, program) = (stepper.layout, &stepper.levels);
    let size = layout.size() as usize;
    let mut extended: Vec<f64> = state.iter().copied().take(size).collect();
    extended.resize(program.state as usize, 0.0);
    let end = step(program, &mut extended, parameters, &mut Scratch::new(program));
    end.is_complete().then(|| extended.split_off(size))
}

/// Both levels of the constraints at a state whose sizes are filled in; `None` where they have no value.
pub(super) fn levels(compiled: &Compiled, state: &[f64], parameters: &[f64]) -> Option<Levels> {
    let layout = compiled.stepper.layout;
    let (values, sizes) =
        changes((layout, state), |state| self::values(compiled, state, parameters))?;
    let mut position: Vec<(f64, f64)> = values.into_iter().zip(sizes).collect();
    let velocity = position.split_off(position.len().saturating_sub(layout.constraints));
    Some(Levels { position, velocity })
}

/// Energy and conserved momenta at a state: their sizes.
pub(super) fn measured(
    compiled: &Compiled,
    state: &[f64],
    parameters: &[f64],
) -> Option<(f64, Vec<f64>)> {
    let layout = compiled.stepper.layout;
    let evaluate = |state: &[f64]| {
        let mut copy = state.to_vec();
        let end = compiled.start.run(&mut copy, parameters, 1, &mut Scratch::default());
        let slots = (0..layout.momenta).map(|j| layout.first_conserved(j));
        let slots = [layout.first_energy()].into_iter().chain(slots);
        end.is_complete()
            .then(|| slots.filter_map(|slot| copy.get(slot as usize).copied()).collect())
    };
    let (values, sizes) = changes((layout, state), evaluate)?;
    let mut sizes = values.iter().zip(sizes).map(|(value, size)| size.max(value.abs()));
    let energy = sizes.next()?;
    Some((energy, sizes.collect()))
}

/// The sizes of what is measured: by how much it changes when positions and velocities change by their sizes.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredSizes {
    /// Of each φ(q).
    pub position_levels: Vec<f64>,
    /// Of each A v + b.
    pub velocity_levels: Vec<f64>,
    /// Of each conserved quantity.
    pub conserved: Vec<f64>,
}

impl MeasuredSizes {
    /// At a state whose sizes are filled in; `None` where something has no value.
    #[must_use]
    pub fn of(compiled: &Compiled, state: &[f64], parameters: &[f64]) -> Option<Self> {
        let Levels { position, velocity } = levels(compiled, state, parameters)?;
        let sizes = |list: Vec<(f64, f64)>| list.into_iter().map(|entry| entry.1).collect();
        Some(Self {
            position_levels: sizes(position),
            velocity_levels: sizes(velocity),
            conserved: measured(compiled, state, parameters)?.1,
        })
    }
}
