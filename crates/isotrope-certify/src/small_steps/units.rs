//! Problems in units of their own.
//!
//! Whether a defect is zero, an iteration has settled or two places are near is asked of numbers: those must not be
//! metres or seconds. Inside of this module every place is in units in which the positions, the time, the energy and
//! the constraints of the problem are about one, and so are all of its functions. Units are powers of two, so that no
//! number is rounded. Velocities have the units of positions over time, on groups their own; momenta those of
//! energies over velocities.

use isotrope_algebra::{Ball, EvaluationError};

use super::local::ProblemSizes;
use super::vectors::Vector;
use isotrope_scheme::UnknownKind;

/// The exponents of the units; one where nothing is known.
#[derive(Debug, Clone, Default)]
pub(super) struct Units {
    pub time: i64,
    pub energy: i64,
    pub position: Vec<i64>,
    pub velocity: Vec<i64>,
    /// Of the constraints as they are written.
    pub constraint: Vec<i64>,
    /// Of functions that the flow keeps.
    pub conserved: Vec<i64>,
}

/// Sizes beyond two to this are no sizes.
const LARGEST: f64 = 900.0;

/// The exponent of the unit in which a size is about one.
pub(super) fn exponent(size: f64) -> i64 {
    let bits = size.abs().log2();
    if bits.is_finite() && bits.abs() <= LARGEST { bits.round() as i64 } else { 0 }
}

impl Units {
    /// Those of a problem with so many positions and velocities.
    pub(super) fn new(sizes: &ProblemSizes, on_group: bool, counts: [usize; 2]) -> Self {
        let list = |sizes: &[f64], count: usize| -> Vec<i64> {
            (0..count).map(|i| sizes.get(i).map_or(0, |&size| exponent(size))).collect()
        };
        let time = sizes.time.map_or(0, exponent);
        let position = list(&sizes.position, counts[0]);
        let velocity = match on_group {
            true => list(&sizes.velocity, counts[1]),
            false => position.iter().map(|unit| unit - time).collect(),
        };
        let energy = sizes.energy.map_or(0, exponent);
        Self { time, energy, position, velocity, ..Self::default() }
    }

    /// Of a momentum.
    pub(super) fn momentum(&self, i: usize) -> i64 {
        self.energy - at(&self.velocity, i)
    }

    /// Of the impulse of a constraint.
    fn impulse(&self, k: usize) -> i64 {
        self.energy + self.time - at(&self.constraint, k)
    }

    /// Of the unknowns of a step.
    pub(super) fn unknowns(&self, kinds: impl Iterator<Item = UnknownKind>) -> Vec<i64> {
        let mut impulses = 0;
        kinds
            .map(|kind| match kind {
                UnknownKind::Position(i) => at(&self.position, i),
                UnknownKind::Velocity(i) => at(&self.velocity, i),
                UnknownKind::Momentum(i) => self.momentum(i),
                UnknownKind::MomentumRate(i) => self.momentum(i) - self.time,
                UnknownKind::Time => self.time,
                UnknownKind::Number => 0,
                // One after the other, stage by stage.
                UnknownKind::Impulse => {
                    impulses += 1;
                    self.impulse((impulses - 1) % self.constraint.len().max(1))
                }
            })
            .collect()
    }

    /// From these units to those of the model.
    pub(super) fn outwards(values: &[Ball], units: &[i64]) -> Result<Vector, EvaluationError> {
        values.iter().enumerate().map(|(i, x)| x.shift(at(units, i))).collect()
    }

    /// From the units of the model to these.
    pub(super) fn inwards(values: &[Ball], units: &[i64]) -> Result<Vector, EvaluationError> {
        values.iter().enumerate().map(|(i, x)| x.shift(-at(units, i))).collect()
    }

    /// The units of all momenta.
    pub(super) fn momenta(&self) -> Vec<i64> {
        (0..self.velocity.len()).map(|i| self.momentum(i)).collect()
    }
}

pub(super) fn at(units: &[i64], i: usize) -> i64 {
    units.get(i).copied().unwrap_or(0)
}
