//! A solution that rows are compared with: Gauss collocation with ever smaller steps.

use isotrope_algebra::{Budget, Rational};
use isotrope_derive::System;
use isotrope_kernel::integrate::Flow;
use isotrope_kernel::stepper::{Field, Options};
use isotrope_scheme::Method;
use isotrope_tape::backend::Backend;
use schemars::JsonSchema;
use serde::Serialize;

use crate::run::{Request, observe, prepare};

/// Positions and velocities at the times of a grid.
#[derive(Debug, Clone)]
pub struct Reference {
    /// Who computed it.
    pub method: String,
    /// Its step.
    pub step: f64,
    /// How far the two finest solutions are apart, at most.
    pub estimated_error: f64,
    /// How many steps of a row lie between two times of the grid.
    pub stride: u64,
    /// Numbers at one time: positions, then velocities.
    pub width: usize,
    values: Vec<f64>,
}

/// What the output says of it.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct ReferenceSummary {
    /// Who computed it.
    pub method: String,
    /// How far the two finest solutions are apart, at most.
    pub estimated_error: f64,
    /// Its step.
    pub step: f64,
}

/// Numbers that are kept at most; with more steps the grid becomes coarser.
const MOST_NUMBERS: u64 = 8_000_000;
/// Steps of a solution at most.
const MOST_STEPS: u64 = 4_000_000;
/// Two solutions that agree to this, relative to their size, are on their way to one limit.
const SETTLED: f64 = 1e-6;
/// A difference of two solutions that rounding explains, relative to the size of the solution.
const ROUNDING: f64 = 4e-15;

/// The order of the collocation method falls with the size of its equations.
fn stages(dimension: usize) -> usize {
    match dimension {
        0..=8 => 6,
        9..=24 => 4,
        25..=60 => 3,
        _ => 2,
    }
}

impl Reference {
    /// The values at one time of the grid.
    #[must_use]
    pub fn at(&self, index: usize) -> Option<&[f64]> {
        self.values.get(index * self.width..(index + 1) * self.width)
    }

    /// What the output says of it.
    #[must_use]
    pub fn summary(&self) -> ReferenceSummary {
        ReferenceSummary {
            method: self.method.clone(),
            estimated_error: self.estimated_error,
            step: self.step,
        }
    }

    /// The largest difference at all times of the grid.
    fn distance(&self, other: &Self) -> f64 {
        let pairs = self.values.iter().zip(&other.values);
        pairs.fold(0.0, |largest: f64, (x, y)| largest.max((x - y).abs()))
    }

    /// The largest number of the solution, at least 1.
    #[must_use]
    pub fn size(&self) -> f64 {
        self.values.iter().fold(1.0, |largest: f64, x| largest.max(x.abs()))
    }

    /// Solutions with halved steps until two agree to rounding, or come no closer; `None` if none
    /// reaches the end, or it would take too many steps.
    pub fn compute(
        system: &System,
        field: &Field,
        (step, time, steps): (&Rational, &Rational, u64),
        operations: u64,
        control: &mut dyn FnMut() -> Flow,
    ) -> Option<Self> {
        let on_group = !field.rotations.is_empty();
        let name = match field.rates {
            0..=3 if on_group => "rkmk-gauss-4".to_owned(),
            _ if on_group => "rkmk-gauss-3".to_owned(),
            _ => format!("gauss-{}", stages(field.dimension)),
        };
        let method = Method::named(&name, &mut Budget::new(operations)).ok()??;
        let width = field.dimension + field.rates;
        let stride = (steps.saturating_mul(width as u64)).div_ceil(MOST_NUMBERS).max(1);
        if steps > MOST_STEPS {
            return None;
        }
        let mut best: Option<Self> = None;
        let mut pieces = 1u64;
        while steps.saturating_mul(pieces) <= MOST_STEPS || best.is_none() {
            let part = Rational::integer(i64::try_from(pieces).ok()?).recip()?;
            let options = Options { compensated: true, ..Options::new(step * &part) };
            let request = Request {
                method: method.clone(),
                options,
                time: time.clone(),
                steps: steps.checked_mul(pieces)?,
                limit: None,
                backend: Backend::Native,
                operations,
            };
            let next = Self::solve(system, field, &request, (pieces, stride), control);
            if control() == Flow::Stop {
                return best.filter(|known| known.estimated_error.is_finite());
            }
            pieces *= 2;
            let Some(mut next) = next else {
                if pieces > 1 << 12 {
                    break;
                }
                continue;
            };
            let Some(known) = best.take() else {
                best = Some(next);
                continue;
            };
            let difference = known.distance(&next);
            let settled = known.estimated_error < SETTLED * known.size();
            if difference >= known.estimated_error && settled {
                // Rounding has taken over: the coarser one is as good.
                best = Some(known);
                break;
            }
            next.estimated_error = difference;
            let done = difference <= ROUNDING * next.size();
            best = Some(next);
            if done {
                break;
            }
        }
        best.filter(|known| known.estimated_error.is_finite())
    }

    /// One solution; its error is not known yet.
    fn solve(
        system: &System,
        field: &Field,
        request: &Request,
        (pieces, stride): (u64, u64),
        control: &mut dyn FnMut() -> Flow,
    ) -> Option<Self> {
        let prepared = prepare(system, field, request).ok()?;
        let width = field.dimension + field.rates;
        let mut values = Vec::new();
        let mut look = |integration: &mut isotrope_kernel::integrate::Integration<'_>| {
            values.extend_from_slice(&integration.state()[..width]);
            control()
        };
        let report = observe("", &prepared, request, pieces * stride, &mut look);
        report.outcome.is_success().then(|| Self {
            method: request.method.name().to_owned(),
            step: request.options.step.to_f64(),
            estimated_error: f64::INFINITY,
            stride,
            width,
            values,
        })
    }
}
