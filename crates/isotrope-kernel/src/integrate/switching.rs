//! Switching times of one run: found by enclosures before a step comes near, so that none is stepped over.
//!
//! Where the argument of a switch is affine in time its zero is a quotient, computed once. Elsewhere an interval without
//! zeros is recognised by an enclosure of the values, one with at most one by an enclosure of the derivative, and others
//! are halved.

use crate::stepper::Switches;
use isotrope_algebra::evaluate::BallProgram;
use isotrope_algebra::{Ball, Precision};

/// Evaluations in one search; what is beyond is left to the control of errors.
const MOST_EVALUATIONS: u32 = 50_000;
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

    /// Searches for zeros that have no formula, from a little before now to beyond the end of the step.
    fn search(&mut self, now: f64, step: f64) {
        if self.switches.curved.is_empty() {
            return;
        }
        let (here, there) = (now - step * TOGETHER - now.abs() * TOGETHER, now + step);
        let (first, last) = (here.min(there), here.max(now).max(there));
        let (low, high) = match self.searched {
            Some((low, high)) if low <= first && last <= high => return,
            // Further on from what is known.
            Some((low, high)) if step > 0.0 && low <= first && first <= high => {
                self.searched = Some((low, now + AHEAD * step));
                (high, now + AHEAD * step)
            }
            Some((low, high)) if step < 0.0 && low <= last && last <= high => {
                self.searched = Some((now + AHEAD * step, high));
                (now + AHEAD * step, low)
            }
            _ => {
                let far = now + AHEAD * step;
                let interval = (first.min(far), last.max(far));
                self.found.clear();
                self.searched = Some(interval);
                interval
            }
        };
        for pair in &self.switches.curved {
            let mut search = Search { pair, parameters: &self.parameters, left: MOST_EVALUATIONS };
            search.zeros(low, high, &mut self.found);
        }
        self.found.sort_unstable_by(f64::total_cmp);
        self.found.dedup();
    }
}

/// The search for the zeros of one function.
struct Search<'s> {
    pair: &'s [BallProgram; 2],
    parameters: &'s [Ball],
    left: u32,
}

impl Search<'_> {
    fn zeros(&mut self, low: f64, high: f64, found: &mut Vec<f64>) {
        let mut intervals = vec![(low, high)];
        while let Some((low, high)) = intervals.pop() {
            if self.left == 0 {
                return;
            }
            if self.enclosure(0, low, high).is_some_and(|values| values.excludes_zero()) {
                continue;
            }
            let middle = low + 0.5 * (high - low);
            if high - low <= 4.0 * f64::EPSILON * low.abs().max(high.abs()) {
                found.push(middle);
            } else if self.enclosure(1, low, high).is_some_and(|slopes| slopes.excludes_zero()) {
                found.extend(self.only(low, high));
            } else {
                intervals.extend([(middle, high), (low, middle)]);
            }
        }
    }

    /// The zero of a monotone function, if there is one.
    fn only(&mut self, mut low: f64, mut high: f64) -> Option<f64> {
        let (first, last) = (self.sign(low), self.sign(high));
        match (first, last) {
            (0, _) => return Some(low),
            (_, 0) => return Some(high),
            _ if first == last => return None,
            _ => {}
        }
        loop {
            let middle = low + 0.5 * (high - low);
            if middle <= low || middle >= high {
                return Some(high);
            }
            match self.sign(middle) {
                0 => return Some(middle),
                sign if sign == first => low = middle,
                _ => high = middle,
            }
        }
    }

    fn sign(&mut self, time: f64) -> i32 {
        match self.enclosure(0, time, time) {
            Some(value) if value.is_positive() => 1,
            Some(value) if value.is_negative() => -1,
            _ => 0,
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
