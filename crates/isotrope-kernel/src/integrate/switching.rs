//! Switching times of one run: found by enclosures before a step comes near, so that none is stepped over.
//!
//! Where the argument of a switch is affine in time its zero is a quotient, computed once. Elsewhere an interval without
//! zeros is recognised by an enclosure of the values, one with at most one by an enclosure of the derivative, and others
//! are halved.

use crate::stepper::Switches;
use isotrope_algebra::evaluate::BallProgram;
use isotrope_algebra::{Ball, Precision};

/// Evaluations in one search, before it is asked whether more are needed.
const MOST_EVALUATIONS: u32 = 2_000;
/// A search looks further ahead than the next step by this factor.
const AHEAD: f64 = 16.0;
/// Switching times closer than this, relative to their size, are one.
const TOGETHER: f64 = 32.0 * f64::EPSILON;
/// Beside a switching time the field is evaluated at this distance.
const BESIDE: f64 = 2.0 * TOGETHER;

/// The switching times of a run, as far as they are known.
#[derive(Debug)]
pub(super) struct Switching<'s> {
    switches: &'s Switches,
    parameters: Vec<Ball>,
    /// Zeros of what is affine in time, sorted.
    fixed: Vec<f64>,
    /// Zeros of the others in the interval that was searched, sorted.
    found: Vec<f64>,
    searched: Option<(f64, f64)>,
}

/// The times between which the field is smooth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Smooth {
    pub from: f64,
    pub to: f64,
}

impl Smooth {
    /// The end in a direction of time.
    pub(super) fn end(self, direction: f64) -> f64 {
        if direction > 0.0 { self.to } else { self.from }
    }

    /// The first and the last time at which the field is evaluated, for a step of this length.
    pub(super) fn inside(self, step: f64) -> (f64, f64) {
        let size = |time: f64| if time.is_finite() { time.abs() } else { 0.0 };
        let beside = BESIDE * size(self.from).max(size(self.to)).max(step.abs());
        ((self.from + beside).max(f64::MIN), (self.to - beside).min(f64::MAX))
    }
}

impl<'s> Switching<'s> {
    /// With these values of the parameters.
    pub(super) fn new(switches: &'s Switches, parameters: &[f64]) -> Self {
        let precision = Precision::new(128);
        let zero = || Ball::zero(precision);
        let parameters: Vec<Ball> = parameters
            .iter()
            .map(|&value| Ball::from_f64(value, precision).unwrap_or_else(zero))
            .collect();
        let mut fixed = Vec::new();
        if let Some(program) = &switches.affine {
            let mut inputs = parameters.clone();
            inputs.push(zero());
            let numbers = program.run(&inputs).unwrap_or_default();
            let (values, slopes) = numbers.split_at(numbers.len() / 2);
            for (value, slope) in values.iter().zip(slopes) {
                if let Ok(quotient) = value.neg().div(slope) {
                    fixed.push(quotient.to_f64());
                }
            }
        }
        fixed.retain(|time| time.is_finite());
        fixed.sort_unstable_by(f64::total_cmp);
        Self { switches, parameters, fixed, found: Vec::new(), searched: None }
    }

    /// The smooth interval in which a step of this length from now on begins, as far as the step goes.
    pub(super) fn around(&mut self, now: f64, step: f64) -> Smooth {
        self.search(now, step);
        // A switching time right here is behind us.
        let here = TOGETHER * now.abs().max(step.abs());
        let (mut from, mut to) = (f64::NEG_INFINITY, f64::INFINITY);
        for times in [&self.fixed, &self.found] {
            let behind = |&time: &f64| match step > 0.0 {
                true => time <= now + here,
                false => time < now - here,
            };
            let next = times.partition_point(behind);
            from = f64::max(from, next.checked_sub(1).map_or(from, |last| times[last]));
            to = f64::min(to, times.get(next).copied().unwrap_or(to));
        }
        Smooth { from, to }
    }

    /// Searches for zeros that have no formula, from a little before now to the end of the step or to the first one that
    /// is found, whichever comes first.
    fn search(&mut self, now: f64, step: f64) {
        if self.switches.curved.is_empty() {
            return;
        }
        let direction = 1.0_f64.copysign(step);
        let here = TOGETHER * now.abs().max(step.abs());
        let ahead = |time: f64, than: f64| (time - than) * direction > 0.0;
        let back = now - 2.0 * direction * here;
        // What was searched, in the direction of time; started over if that is elsewhere.
        let (begin, mut edge) = match self.searched {
            Some((begin, edge)) if !ahead(begin, back) && !ahead(back, edge) => (begin, edge),
            _ => {
                self.found.clear();
                (back, back)
            }
        };
        let far = now + AHEAD * step;
        let next = |found: &[f64]| {
            let last = if direction > 0.0 { found.last() } else { found.first() };
            last.is_some_and(|&time| ahead(time, now + direction * here))
        };
        while ahead(now + step, edge) && !next(&self.found) {
            let mut complete = far;
            for pair in &self.switches.curved {
                let left = MOST_EVALUATIONS;
                let mut search = Search { pair, parameters: &self.parameters, left };
                let reached = search.zeros(edge, far, &mut self.found);
                complete = if ahead(complete, reached) { reached } else { complete };
            }
            // Where nothing can be decided, the control of errors has to see it.
            edge = if ahead(complete, edge) { complete } else { far };
            self.found.sort_unstable_by(f64::total_cmp);
            self.found.dedup();
        }
        self.searched = Some((begin, edge));
    }
}

/// The search for the zeros of one function.
struct Search<'s> {
    pair: &'s [BallProgram; 2],
    parameters: &'s [Ball],
    left: u32,
}

impl Search<'_> {
    /// Adds the zeros between two times, the first ones first; up to where they are complete.
    fn zeros(&mut self, begin: f64, end: f64, found: &mut Vec<f64>) -> f64 {
        let mut intervals = vec![(begin, end)];
        while let Some((begin, end)) = intervals.pop() {
            if self.left == 0 {
                return begin;
            }
            if self.enclosure(0, begin, end).is_some_and(|values| values.excludes_zero()) {
                continue;
            }
            let middle = begin + 0.5 * (end - begin);
            if (end - begin).abs() <= 4.0 * f64::EPSILON * begin.abs().max(end.abs()) {
                found.push(middle);
            } else if self.enclosure(1, begin, end).is_some_and(|slopes| slopes.excludes_zero()) {
                found.extend(self.only(begin, end));
            } else {
                intervals.extend([(middle, end), (begin, middle)]);
            }
        }
        end
    }

    /// The zero of a monotone function, if there is one: by secants, and by halving where those are slow.
    fn only(&mut self, begin: f64, end: f64) -> Option<f64> {
        let (mut low, mut high) = ((begin, self.value(begin)), (end, self.value(end)));
        if low.1 == 0.0 || high.1 == 0.0 {
            return Some(if low.1 == 0.0 { begin } else { end });
        }
        if (low.1 < 0.0) == (high.1 < 0.0) {
            return None;
        }
        for round in 0.. {
            let width = high.0 - low.0;
            let middle = low.0 + 0.5 * width;
            let tight = 2.0 * f64::EPSILON * low.0.abs().max(high.0.abs());
            let at = match round % 3 {
                2 => middle,
                // A little beyond the secant's zero, so that the other end moves, too.
                turn => {
                    let secant = low.0 - low.1 * (width / (high.1 - low.1));
                    secant + if turn == 0 { tight } else { -tight }
                }
            };
            let inside = (at - low.0) * (high.0 - at) > 0.0;
            let at = if inside { at } else { middle };
            if at == low.0 || at == high.0 {
                break;
            }
            let value = self.value(at);
            if value == 0.0 {
                return Some(at);
            }
            let end = if (value < 0.0) == (low.1 < 0.0) { &mut low } else { &mut high };
            *end = (at, value);
        }
        Some(if end > begin { high.0 } else { low.0 })
    }

    /// The value at a time, 0 where its sign is not known.
    fn value(&mut self, time: f64) -> f64 {
        match self.enclosure(0, time, time) {
            Some(value) if value.excludes_zero() => value.to_f64(),
            _ => 0.0,
        }
    }

    /// The values of the function, or of its derivative.
    fn enclosure(&mut self, which: usize, low: f64, high: f64) -> Option<Ball> {
        self.left = self.left.saturating_sub(1);
        let precision = Precision::new(128);
        let (low, high) = (Ball::from_f64(low, precision)?, Ball::from_f64(high, precision)?);
        let mut inputs = self.parameters.to_vec();
        inputs.push(low.hull(&high));
        self.pair[which].run(&inputs).ok()?.pop()
    }
}
