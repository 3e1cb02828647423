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
//! single step does not add up, and counts as one. What the initial values violate is allowed twice in
//! addition. Where a method keeps the energy with means of its gradient by quadrature, half of the digits are allowed.

use super::compiled::Compiled;
use super::outcome::{Failure, Outcome};
use super::sizes;
use crate::stepper::{Layout, Measured};

/// How many roundings are allowed in a step.
const MULTIPLE: f64 = 64.0;

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
            Self::Positions => layout.largest_position_error(own),
            Self::Velocities => layout.largest_velocity_error(own),
            Self::Conserved(j) => layout.largest_momentum_error(own, j),
        }
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
    /// The largest size of the quantity so far; none before the first look.
    size: f64,
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
    /// At the start of an integration. A start off the constraints is promised nothing about them.
    pub(super) fn new(compiled: &Compiled, state: &[f64], consistent: bool) -> Self {
        let layout = compiled.stepper.layout;
        let constraint = |kept: Kept| matches!(kept, Kept::Positions | Kept::Velocities);
        let watched =
            compiled.promises.iter().filter(|&&kept| consistent || !constraint(kept)).filter_map(
                |&kept| {
                    let initial = *state.get(kept.slot(layout) as usize)?;
                    Some(Watched { kept, initial, size: 0.0 })
                },
            );
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
            let allowed = watched.allowed(compiled.stepper.tolerance, steps);
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
        let on_levels = |kept: Kept| matches!(kept, Kept::Positions | Kept::Velocities);
        let all = &self.watched;
        let levels = match all.iter().any(|watched| on_levels(watched.kept)) {
            true => sizes::levels(compiled, state, parameters).unwrap_or_default(),
            false => sizes::Levels::default(),
        };
        let (energy, momenta) = match all.iter().any(|watched| !on_levels(watched.kept)) {
            true => sizes::measured(compiled, state, parameters).unwrap_or_default(),
            false => (0.0, Vec::new()),
        };
        let number = |slot: u32| state.get(slot as usize).map_or(0.0, |x| x.abs());
        let mut energy = energy.max(number(layout.work()));
        if layout.ports {
            energy = energy.max(number(layout.supplied())).max(number(layout.dissipated()));
        }
        let largest = |list: &[(f64, f64)]| list.iter().map(|it| it.1).fold(0.0, f64::max);
        for watched in &mut self.watched {
            let size = match watched.kept {
                Kept::Energy | Kept::EnergyByQuadrature | Kept::Power => energy,
                Kept::Positions => largest(&levels.position),
                Kept::Velocities => largest(&levels.velocity),
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
    fn allowed(&self, tolerance: f64, steps: u64) -> f64 {
        let rounding = MULTIPLE * (f64::EPSILON + tolerance);
        let relative = match self.kept {
            Kept::Power => rounding,
            Kept::EnergyByQuadrature => rounding * steps as f64 + f64::EPSILON.sqrt(),
            _ => rounding * steps as f64,
        };
        2.0 * self.initial + relative * self.size
    }
}

impl Broken {
    /// The step that broke it, from the state before.
    pub(super) fn failure(self, compiled: &Compiled, step: u64, time: f64) -> Failure {
        let Self { kept, defect, allowed } = self;
        let what = kept.describe(compiled);
        Failure {
            outcome: Outcome::PromiseBroken,
            step,
            time,
            residual: Some(defect),
            reason: format!(
                "the method keeps {what} exactly, and this step leaves a defect of {defect:.3e} \
                 where rounding explains {allowed:.1e}; a smaller step may help"
            ),
        }
    }
}
