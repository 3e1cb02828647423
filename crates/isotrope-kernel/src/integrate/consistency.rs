//! Do initial values satisfy the constraints?

use super::compiled::Compiled;
use super::sizes::Levels;

/// Initial values in decimals satisfy constraints only so far, relative to the sizes of their terms.
const CONSISTENT: f64 = 1e-8;

/// What initial values leave of the constraints.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Residuals {
    /// The largest |φ|; none without constraints on positions.
    pub position: Option<f64>,
    /// The largest |A v + b|; none without constraints.
    pub velocity: Option<f64>,
    /// Are both small beside the changes of φ and A v + b when positions and velocities change by their sizes? None
    /// without constraints.
    pub consistent: Option<bool>,
    /// Which of the two are not small.
    pub large: [bool; 2],
}

impl Residuals {
    /// Of both levels of the constraints; nothing is known where they have no value.
    pub(super) fn of(compiled: &Compiled, levels: Option<&Levels>) -> Self {
        let stepper = &compiled.stepper;
        if !stepper.has_positions && stepper.layout.constraints == 0 {
            return Self::default();
        }
        let Some(levels) = levels else { return Self::default() };
        let largest = |list: &[(f64, f64)]| {
            (!list.is_empty()).then(|| list.iter().map(|it| it.0.abs()).fold(0.0, f64::max))
        };
        let large = [&levels.position, &levels.velocity]
            .map(|list| list.iter().any(|&(value, size)| value.abs() > CONSISTENT * size));
        Self {
            position: largest(&levels.position).filter(|_| stepper.has_positions),
            velocity: largest(&levels.velocity),
            consistent: Some(large == [false; 2]),
            large,
        }
    }
}
