//! What a method promises to keep, and whether it does.
//!
//! A method that keeps a quantity exactly keeps it to rounding, and to what its iterations leave undone. The steps
//! measure anyway how large the errors of all quantities have become; between blocks of steps these are
//! compared with what is allowed, so that a step pays nothing. If more is there, the block is made
//! again from the state at its beginning, to find the step.
//!
//! Allowed is
//!
//! ```text
//! 64 (2⁻⁵² + tolerance) · steps · size,
//! ```
//!
//! with the tolerance of iterations and the size of the quantity (`sizes`), the largest on the way; a defect of a
//! single step does not add up, and counts as one. Nor do the defects of constraints to which every step returns:
//! whether a step does is seen by making one from a place off the constraints. Each constraint is compared with its
//! own size. Where steps do not return, what is left of A v + b adds up by itself, and moves φ: n steps h leave n rounding errors of
//! velocities, which have the size of positions over the time T of the motion, and so n (1 + n h/2T) of positions. What the initial values violate is allowed twice in
//! addition. Where a method keeps the energy with means of its gradient by quadrature, half of the digits are allowed.

use super::compiled::Compiled;
use super::outcome::{Failure, Outcome};
use super::sizes::{self, Levels};
use crate::stepper::{Layout, Measured};
use isotrope_tape::interpret::Scratch;

/// How many roundings are allowed in a step.
const MULTIPLE: f64 = 64.0;
/// How far off the constraints the step begins that shows whether steps return, in the sizes of the problem.
const OFF: f64 = 1.0 / 1_048_576.0;
/// What is left of a violation by a step that returns.
const RETURNED: f64 = 1e-3;

/// A quantity that a method keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// The energy, less the work.
    Energy,
    /// The same by a quadrature that is not exact.
    EnergyByQuadrature,
    /// The balance of power in every single step.
    Power,
    /// Constraints on positions; on Lie groups that rotations are orthogonal.
    Positions,
    /// Constraints on velocities.
    Velocities,
    /// A conserved momentum, or a Casimir function.
    Conserved(usize),
}

impl Kept {
    fn slot(self, layout: Layout) -> u32 {
        let own = Measured::Own;
        match self {
            Self::Energy | Self::EnergyByQuadrature => layout.largest_energy_error(own),
            Self::Power => layout.largest_power_balance(),
            Self::Positions => layout.relative_position_error(),
            Self::Velocities => layout.relative_velocity_error(),
            Self::Conserved(j) => layout.largest_momentum_error(own, j),
        }
    }

    fn is_of_constraints(self) -> bool {
        matches!(self, Self::Positions | Self::Velocities)
    }

    fn needs_consistency(self) -> bool {
        self.is_of_constraints() || matches!(self, Self::Energy | Self::EnergyByQuadrature)
    }

    /// In words.
    fn describe(self, compiled: &Compiled) -> String {
        let stepper = &compiled.stepper;
        match self {
            Self::Energy | Self::EnergyByQuadrature => "the balance of energy".to_owned(),
            Self::Power => "the balance of power".to_owned(),
            Self::Positions if stepper.has_positions => "the constraints on positions".to_owned(),
            Self::Positions => "the orthogonality of rotations".to_owned(),
            Self::Velocities => "the constraints on velocities".to_owned(),
            Self::Conserved(j) => match stepper.conserved_names.get(j) {
                Some(name) => format!("`{name}`"),
                None => "a conserved momentum".to_owned(),
            },
        }
    }
}

/// A promise during an integration.
#[derive(Debug, Clone, Copy)]
struct Watched {
    kept: Kept,
    /// The error right after the start: of the initial values.
    initial: f64,
    /// The largest size of the quantity so far; none before the first look. Of constraints, in their sizes at the
    /// start.
    size: f64,
    /// Does every step return to it, wherever it begins?
    restored: bool,
}

/// All promises of a method during an integration.
#[derive(Debug, Clone, Default)]
pub(super) struct Promises {
    watched: Vec<Watched>,
}

/// A promise that was not kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Broken {
    kept: Kept,
    defect: f64,
    allowed: f64,
}

impl Promises {
    /// At the start of an integration. A start off the constraints is promised nothing about them, nor about the balance
    /// of energy: the reactions of the step that returns to them do work.
    pub(super) fn new(
        compiled: &Compiled,
        (state, parameters): (&[f64], &[f64]),
        consistent: bool,
    ) -> Self {
        let layout = compiled.stepper.layout;
        let kept: Vec<Kept> = compiled.promises.clone();
        let kept = kept.into_iter().filter(|kept| consistent || !kept.needs_consistency());
        let mut returned = None;
        let watched = kept.filter_map(|kept| {
            let initial = *state.get(kept.slot(layout) as usize)?;
            let restored = kept.is_of_constraints() && {
                let found = *returned.get_or_insert_with(|| returns(compiled, state, parameters));
                found[usize::from(kept == Kept::Velocities)]
            };
            Some(Watched { kept, initial, size: 0.0, restored })
        });
        Self { watched: watched.collect() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.watched.is_empty()
    }

    /// The promise that a state breaks, by the sizes that are known.
    pub(super) fn broken(&self, compiled: &Compiled, state: &[f64], steps: u64) -> Option<Broken> {
        let layout = compiled.stepper.layout;
        self.watched.iter().find_map(|watched| {
            let defect = *state.get(watched.kept.slot(layout) as usize)?;
            let time = *state.get(layout.time_size() as usize)?;
            let length = steps as f64 * compiled.stepper.step.abs() / time;
            let allowed = watched.allowed(compiled, steps, length);
            // What is not a number ends a step in another way; of a quantity without a size nothing is known.
            (watched.size > 0.0 && defect > allowed).then_some(Broken {
                kept: watched.kept,
                defect,
                allowed,
            })
        })
    }

    /// Measures the sizes of all quantities at a state, and keeps the largest.
    pub(super) fn look(&mut self, compiled: &Compiled, state: &[f64], parameters: &[f64]) {
        if self.is_empty() {
            return;
        }
        let layout = compiled.stepper.layout;
        let all = &self.watched;
        let levels = match all.iter().any(|watched| watched.kept.is_of_constraints()) {
            true => sizes::levels(compiled, state, parameters).unwrap_or_default(),
            false => Levels::default(),
        };
        let (energy, momenta) = match all.iter().any(|watched| !watched.kept.is_of_constraints()) {
            true => sizes::measured(compiled, state, parameters).unwrap_or_default(),
            false => (0.0, Vec::new()),
        };
        let number = |slot: u32| state.get(slot as usize).map_or(0.0, |x| x.abs());
        let mut energy = energy.max(number(layout.work()));
        if layout.ports {
            energy = energy.max(number(layout.supplied())).max(number(layout.dissipated()));
        }
        let weight = |k: usize| number(layout.level_weight(k));
        let largest = |list: &[(f64, f64)], first: usize| {
            let sizes = list.iter().enumerate().map(|(k, it)| it.1 * weight(first + k));
            sizes.fold(0.0, f64::max)
        };
        for watched in &mut self.watched {
            let size = match watched.kept {
                Kept::Energy | Kept::EnergyByQuadrature | Kept::Power => energy,
                Kept::Positions => largest(&levels.position, 0),
                Kept::Velocities => largest(&levels.velocity, layout.on_positions),
                Kept::Conserved(j) => momenta.get(j).copied().unwrap_or(0.0),
            };
            // Twice: on the way up to a large size few looks are needed.
            if size > watched.size {
                watched.size = 2.0 * size;
            }
        }
    }
}

impl Watched {
    /// After steps that take `length` times of the motion.
    fn allowed(&self, compiled: &Compiled, steps: u64, length: f64) -> f64 {
        let rounding = MULTIPLE * (f64::EPSILON + compiled.stepper.tolerance);
        let relative = match self.kept {
            Kept::Power => rounding,
            _ if self.restored => rounding,
            Kept::EnergyByQuadrature => rounding * steps as f64 + f64::EPSILON.sqrt(),
            Kept::Positions if compiled.stepper.has_positions => {
                rounding * steps as f64 * (1.0 + length / 2.0)
            }
            _ => rounding * steps as f64,
        };
        2.0 * self.initial + relative * self.size
    }
}

/// Do steps from a place off the constraints return to those on positions, and to those on velocities? Not if there
/// is no such step.
fn returns(compiled: &Compiled, state: &[f64], parameters: &[f64]) -> [bool; 2] {
    let layout = compiled.stepper.layout;
    let measured = [layout.relative_position_error(), layout.relative_velocity_error()];
    let off = || -> Option<[bool; 2]> {
        let mut state = sizes::around(layout, state, OFF).into_iter().next()?;
        let scratch = &mut Scratch::default();
        compiled.start.run(&mut state, parameters, 1, scratch).is_complete().then_some(())?;
        let levels = sizes::values(compiled, &state, parameters)?;
        let mut before = [0.0_f64; 2];
        for (k, value) in levels.iter().enumerate() {
            let largest = &mut before[usize::from(k >= layout.on_positions)];
            *largest = largest.max((value * state.get(layout.level_weight(k) as usize)?).abs());
        }
        for slot in measured {
            *state.get_mut(slot as usize)? = 0.0;
        }
        compiled.program.run(&mut state, parameters, 1, scratch).is_complete().then_some(())?;
        let mut after = measured.into_iter().map(|slot| state.get(slot as usize).copied());
        let after = [after.next()??, after.next()??];
        Some([0, 1].map(|k| after[k] < RETURNED * before[k]))
    };
    if compiled.adaptive.is_some() { [false; 2] } else { off().unwrap_or_default() }
}

impl Broken {
    /// The step that broke it, from the state before.
    pub(super) fn failure(self, compiled: &Compiled, step: u64, time: f64) -> Failure {
        let Self { kept, defect, allowed } = self;
        let what = kept.describe(compiled);
        let of = if kept.is_of_constraints() { " of their size" } else { "" };
        Failure {
            outcome: Outcome::PromiseBroken,
            step,
            time,
            residual: Some(defect),
            reason: format!(
                "the method keeps {what} exactly, and this step leaves a defect of {defect:.3e}{of} \
                 where rounding explains {allowed:.1e}; a smaller step may help"
            ),
        }
    }
}
