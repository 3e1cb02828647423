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
    /// The same in units of the sizes of the components.
    pub relative_error: f64,
    /// How many steps of a row lie between two times of the grid.
    pub stride: u64,
    /// Numbers at one time: positions, then velocities.
    pub width: usize,
    values: Vec<f64>,
    /// The size of each component: the largest it has on the way, at least that of the problem.
    sizes: Vec<f64>,
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
/// Two solutions on their way to one limit come closer by this factor, or it is rounding that keeps them apart.
const GAIN: f64 = 8.0;
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

    /// The values at the end.
    #[must_use]
    pub fn last(&self) -> Option<&[f64]> {
        self.at((self.values.len() / self.width.max(1)).checked_sub(1)?)
    }

    /// The largest difference at all times of the grid.
    fn distance(&self, other: &Self) -> Distance {
        let rows = self.values.chunks(self.width).zip(other.values.chunks(self.width));
        let distances = rows.map(|(wanted, found)| self.between(wanted, found));
        distances.fold(Distance::default(), Distance::larger)
    }

    /// How far values are from those of the solution at a time: the largest component of the difference, as it
    /// is and in units of the sizes of components. Of staggered schemes only positions are given.
    #[must_use]
    pub fn between(&self, wanted: &[f64], found: &[f64]) -> Distance {
        let components = wanted.iter().zip(found).zip(&self.sizes);
        let distances = components.map(|((x, y), size)| {
            let absolute = (x - y).abs();
            Distance { absolute, relative: absolute / size }
        });
        distances.fold(Distance::default(), Distance::larger)
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
        let mut best: Option<Self> = None;
        let mut pieces = 1u64;
        // One solution alone has no estimate of its error: the first must leave steps for another.
        let asks = |pieces: u64, first: bool| {
            steps.saturating_mul(pieces).saturating_mul(if first { 2 } else { 1 })
        };
        while asks(pieces, best.is_none()) <= MOST_STEPS {
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
            let settled = known.relative_error < SETTLED;
            if difference.relative >= known.relative_error && settled {
                // Rounding has taken over: the coarser one is as good.
                best = Some(known);
                break;
            }
            // Half the step makes the error of the method at most a sixteenth.
            let rounding = settled && GAIN * difference.relative > known.relative_error;
            next.estimated_error = difference.absolute;
            next.relative_error = difference.relative;
            let done = rounding || difference.relative <= ROUNDING;
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
        report.outcome.is_success().then(|| {
            let layout = prepared.compiled.stepper.layout;
            let known = report.scales.map_or_else(Vec::new, |scales| {
                let second = if layout.in_momenta { scales.p } else { scales.v };
                scales.q.0.into_iter().chain(second.0).map(|entry| entry.1).collect()
            });
            let sizes = sizes(&values, width, &known);
            Self {
                method: request.method.name().to_owned(),
                step: request.options.step.to_f64(),
                estimated_error: f64::INFINITY,
                relative_error: f64::INFINITY,
                stride,
                width,
                values,
                sizes,
            }
        })
    }
}

/// The largest size of each component, at least that of the problem.
fn sizes(values: &[f64], width: usize, known: &[f64]) -> Vec<f64> {
    let mut sizes = vec![0.0_f64; width];
    for row in values.chunks(width.max(1)) {
        for (size, x) in sizes.iter_mut().zip(row) {
            *size = size.max(x.abs());
        }
    }
    for (size, known) in sizes.iter_mut().zip(known) {
        *size = size.max(*known);
    }
    sizes.iter_mut().filter(|size| **size == 0.0).for_each(|size| *size = 1.0);
    sizes
}

/// A distance of two solutions.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Distance {
    /// The largest component of the difference.
    pub absolute: f64,
    /// The largest in units of the sizes of components.
    pub relative: f64,
}

impl Distance {
    /// The larger of each.
    #[must_use]
    pub fn larger(self, other: Self) -> Self {
        Self {
            absolute: self.absolute.max(other.absolute),
            relative: self.relative.max(other.relative),
        }
    }
}
