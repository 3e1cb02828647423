//! Newton's method on the ends of trajectories.
//!
//! Two-point problems: which velocities at the start lead to given positions at the end? Periodic
//! orbits: which first state, and which period, lead back to it? Derivatives of the end in the first
//! state are those of the compiled steps; the derivative in the period is a difference of runs with
//! neighbouring steps (four of them), since the step is a constant of the program.
//!
//! Corrections are the shortest that solve the linear equations in the sense of least squares:
//! periodic orbits come in families, and the nearest one is as good as another. Positions and velocities are
//! measured in units of the sizes of the problem, the period in units of itself: what is nearest does not depend on
//! the units of the model.

use isotrope_algebra::Rational;
use isotrope_algebra::double::linear::{DenseMatrix, norm, shortest_least_squares};
use isotrope_kernel::integrate::{Compiled, Integration, Order, Variations};
use isotrope_kernel::stepper::Stepper;
use schemars::JsonSchema;
use serde::Serialize;

use super::sensitivity::{slot, start_names};
use super::{FlowError, Setting, advance, begin};
use crate::canonical::Columns;
use crate::run::Prepared;

/// A problem for Newton's method.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// Reach these positions at the end, by other velocities at the start.
    Positions(Vec<(String, f64)>),
    /// Come back to the first state. Names of what stays: coordinates, velocities, `t` for the
    /// period.
    Periodic {
        /// What stays as it is.
        fixed: Vec<String>,
    },
}

/// One round of Newton's method, in units of the sizes of the problem and of the period.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Iterate {
    /// What the equations leave, as a length.
    pub residual: f64,
    /// The length of the correction that follows; none after the last round.
    pub correction: Option<f64>,
}

/// What Newton's method found.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Shooting {
    /// `positions` or `periodic`.
    pub problem: &'static str,
    /// Is the residual at rounding?
    pub converged: bool,
    /// Why not.
    pub reason: Option<String>,
    /// Does nothing move there? An equilibrium has any period.
    pub equilibrium: bool,
    /// The rounds.
    pub iterates: Vec<Iterate>,
    /// What was varied, and the values that were found.
    pub found: Vec<(String, f64)>,
    /// The period, where one was looked for.
    pub period: Option<f64>,
}

/// Rounds, at most.
const ROUNDS: usize = 30;
/// Halvings of a correction, at most.
const HALVINGS: u32 = 10;
/// Residuals of which nothing can be better, and residuals of solutions, relative to the size of the
/// state.
const ROUNDING: f64 = 1e-13;
const SMALL: f64 = 1e-10;
/// Motions this small, relative to the size of the state, count as rest.
const RESTING: f64 = 1e-10;
/// At how many points a motion is sampled.
const LOOKS: u64 = 64;
/// Singular values that count as zero: the directions along a family of orbits.
const CUT: f64 = 1e-7;
/// Relative changes of the step for the derivative in the period.
const DIFFERENCE: f64 = 1e-4;

/// A point of the search: positions and velocities, and the step.
#[derive(Debug, Clone)]
struct Guess {
    state: Vec<f64>,
    step: f64,
}

struct Problem<'a> {
    setting: &'a Setting<'a>,
    target: &'a Target,
    /// The numbers of positions and velocities that may change.
    free: Vec<usize>,
    /// May the period change?
    free_period: bool,
    /// Positions to be reached, by coordinate.
    positions: Vec<f64>,
    dimension: usize,
    steps: u64,
    /// The sizes of positions, then of velocities.
    units: Vec<f64>,
}

/// Solves the problem: what was found, the first state, and the step if the period was free.
pub(super) fn shoot(
    setting: &Setting<'_>,
    prepared: &Prepared,
    target: &Target,
) -> Result<(Shooting, Vec<f64>, Option<Rational>), FlowError> {
    let stepper = &prepared.compiled.stepper;
    if stepper.layout.constraints > 0 {
        return Err(FlowError::Constrained);
    }
    let mut problem = Problem::new(setting, target, stepper.layout.dimension)?;
    problem.measure(stepper);
    let mut guess = Guess { state: stepper.initial.clone(), step: stepper.step };
    let mut compiled = None;
    let mut iterates = Vec::new();
    let (mut converged, mut reason) = (false, None);
    let mut residual = match problem.residual(&prepared.compiled, &guess) {
        Some(residual) => residual,
        None => return Err(FlowError::NotReached),
    };
    for round in 0..=ROUNDS {
        let size = norm(&residual);
        let scale = problem.size(&guess.state);
        iterates.push(Iterate { residual: size, correction: None });
        if size <= ROUNDING * scale {
            converged = true;
            break;
        }
        if round == ROUNDS {
            converged = size <= SMALL * scale;
            reason = Some(format!("no solution after {ROUNDS} rounds"));
            break;
        }
        let current: &Compiled =
            compiled.as_ref().map_or(&prepared.compiled, |p: &Prepared| &p.compiled);
        let columns = problem.derivatives(current, &guess)?;
        let slopes = DenseMatrix::from_columns(residual.len(), &columns);
        let correction = shortest_least_squares(&slopes, &residual, CUT);
        let mut factor = 1.0;
        let mut better = None;
        for _ in 0..HALVINGS {
            let next = problem.moved(&guess, &correction, factor);
            let prepared = problem.prepared(&next)?;
            let now = prepared.as_ref().map_or(current, |prepared| &prepared.compiled);
            if let Some(found) = problem.residual(now, &next)
                && norm(&found) < size
            {
                better = Some((next, found, prepared));
                break;
            }
            factor /= 2.0;
        }
        let Some((next, found, prepared)) = better else {
            converged = size <= SMALL * scale;
            reason = Some("no step in the direction of Newton's method comes closer".to_owned());
            break;
        };
        if let Some(last) = iterates.last_mut() {
            last.correction = Some(factor * norm(&correction));
        }
        if prepared.is_some() {
            compiled = prepared;
        }
        (guess, residual) = (next, found);
    }
    let names = problem.names();
    let found = problem.free.iter().map(|&k| (names[k].clone(), guess.state[k])).collect();
    let period = match target {
        Target::Positions(_) => None,
        Target::Periodic { .. } => Some(guess.step * problem.steps as f64),
    };
    let last = compiled.as_ref().map_or(&prepared.compiled, |p: &Prepared| &p.compiled);
    let equilibrium = converged && period.is_some() && problem.rests(last, &guess, norm(&residual));
    let shooting = Shooting {
        problem: if period.is_some() { "periodic" } else { "positions" },
        converged,
        equilibrium,
        reason: reason.filter(|_| !converged),
        iterates,
        found,
        period: period.filter(|_| !equilibrium),
    };
    let step = problem.free_period.then(|| Rational::from_f64(guess.step)).flatten();
    Ok((shooting, guess.state, step))
}

impl<'a> Problem<'a> {
    fn new(
        setting: &'a Setting<'a>,
        target: &'a Target,
        dimension: usize,
    ) -> Result<Self, FlowError> {
        let steps = setting.request.steps;
        let mut problem = Self {
            setting,
            target,
            free: Vec::new(),
            free_period: false,
            positions: vec![f64::NAN; dimension],
            dimension,
            steps,
            units: vec![1.0; 2 * dimension],
        };
        match target {
            Target::Positions(list) => {
                for (name, value) in list {
                    if setting.is_first_order() {
                        return Err(FlowError::FirstOrder);
                    }
                    let place = slot(setting, name).filter(|&k| k < dimension);
                    let place = place.ok_or_else(|| FlowError::Name { name: name.clone() })?;
                    problem.positions[place] = *value;
                }
                let given = problem.positions.iter().filter(|x| !x.is_nan()).count();
                if given != dimension || list.len() != dimension {
                    return Err(FlowError::Targets { given: list.len(), wanted: dimension });
                }
                problem.free = (dimension..2 * dimension).collect();
            }
            Target::Periodic { fixed } => {
                let mut stays = vec![false; 2 * dimension];
                problem.free_period = true;
                for name in fixed {
                    match slot(setting, name) {
                        Some(place) if place >= dimension && setting.is_first_order() => {
                            return Err(FlowError::FirstOrder);
                        }
                        Some(place) => stays[place] = true,
                        None if name == "t" => problem.free_period = false,
                        None => return Err(FlowError::Name { name: name.clone() }),
                    }
                }
                if problem.free_period && setting.is_driven() {
                    return Err(FlowError::Driven);
                }
                let all = if setting.is_first_order() { dimension } else { 2 * dimension };
                problem.free = (0..all).filter(|&k| !stays[k]).collect();
                if problem.free.is_empty() && !problem.free_period {
                    return Err(FlowError::Fixed);
                }
            }
        }
        Ok(problem)
    }

    /// The sizes of the problem; a velocity that is looked for is the one that leads to the target.
    fn measure(&mut self, stepper: &Stepper) {
        let mut state = stepper.initial.clone();
        let time = (stepper.step * self.steps as f64).abs();
        for (i, target) in self.positions.iter().enumerate().filter(|(_, x)| !x.is_nan()) {
            let needed = (target - state[i]) / time;
            let v = &mut state[self.dimension + i];
            *v = if needed.abs() > v.abs() { needed } else { *v };
        }
        let scales = stepper.scaling.measure(&state, &stepper.parameters);
        self.units = scales.position.into_iter().chain(scales.velocity).collect();
    }

    /// A state in units of the sizes of the problem, at least 1.
    fn size(&self, state: &[f64]) -> f64 {
        let parts: Vec<f64> = state.iter().zip(&self.units).map(|(x, unit)| x / unit).collect();
        norm(&parts).max(1.0)
    }

    fn names(&self) -> Vec<String> {
        start_names(self.setting)
    }

    /// Does the state stay where it is, as far as the residual of the equations can tell? The motion
    /// about an orbit is large beside it, that near an equilibrium is not.
    fn rests(&self, compiled: &Compiled, guess: &Guess, residual: f64) -> bool {
        let parameters = compiled.stepper.parameters.clone();
        let begun = Integration::from(compiled, guess.state.clone(), parameters);
        let Ok(mut integration) = begun else { return false };
        let first = guess.state.get(..2 * self.dimension).unwrap_or_default();
        let limit = (RESTING * self.size(first)).max(1e3 * residual);
        let stride = self.steps.div_ceil(LOOKS).max(1);
        let mut gone = 0;
        while gone + stride < self.steps {
            if advance(&mut integration, stride).is_none() {
                return false;
            }
            gone += stride;
            let pairs = integration.state().iter().zip(first).zip(&self.units);
            let gone: Vec<f64> = pairs.map(|((x, y), unit)| (x - y) / unit).collect();
            if norm(&gone) > limit {
                return false;
            }
        }
        gone > 0
    }

    /// What the end leaves of the equations; `None` if it is not reached.
    fn residual(&self, compiled: &Compiled, guess: &Guess) -> Option<Vec<f64>> {
        let parameters = compiled.stepper.parameters.clone();
        let mut integration = Integration::from(compiled, guess.state.clone(), parameters).ok()?;
        advance(&mut integration, self.steps)?;
        Some(self.equations(integration.state(), guess))
    }

    fn equations(&self, end: &[f64], guess: &Guess) -> Vec<f64> {
        match self.target {
            Target::Positions(_) => {
                let pairs = end.iter().zip(&self.positions).zip(&self.units);
                pairs.map(|((x, target), unit)| (x - target) / unit).collect()
            }
            Target::Periodic { .. } => {
                let pairs = end.iter().zip(&guess.state).zip(&self.units);
                pairs.map(|((x, y), unit)| (x - y) / unit).collect()
            }
        }
    }

    /// Derivatives of the equations, column by column.
    fn derivatives(&self, compiled: &Compiled, guess: &Guess) -> Result<Columns, FlowError> {
        let size = 2 * self.dimension;
        let backend = self.setting.request.backend;
        let units = &self.units;
        let unit =
            |k: usize| (0..size).map(|i| if i == k { units[k] } else { 0.0 }).collect::<Vec<f64>>();
        let mut columns = Columns::new();
        if !self.free.is_empty() {
            let variations =
                Variations::new(compiled, Order::First, self.free.len(), &[], backend)?;
            let tangents: Columns = self.free.iter().map(|&k| unit(k)).collect();
            let parameters = &compiled.stepper.parameters;
            let mut tangent = begin(&variations, &guess.state, parameters, &tangents)?;
            tangent.advance(self.steps).map_err(|_| FlowError::NotReached)?;
            let rows = match self.target {
                Target::Positions(_) => self.dimension,
                Target::Periodic { .. } => size,
            };
            for (k, start) in tangents.iter().enumerate() {
                let subtract = |i: usize| match self.target {
                    Target::Positions(_) => 0.0,
                    Target::Periodic { .. } => start[i],
                };
                let entry = |i: usize| (tangent.change(i as u32, k) - subtract(i)) / units[i];
                columns.push((0..rows).map(entry).collect());
            }
        }
        if self.free_period {
            let mut ends = Vec::new();
            for factor in [-2.0, -1.0, 1.0, 2.0] {
                let other = Guess {
                    state: guess.state.clone(),
                    step: guess.step * (1.0 + factor * DIFFERENCE),
                };
                let prepared = self.prepared(&other)?.ok_or(FlowError::NotReached)?;
                let end = self.residual(&prepared.compiled, &other);
                ends.push(end.ok_or(FlowError::NotReached)?);
            }
            // In the period relative to itself.
            let slope = |i: usize| {
                (8.0 * (ends[2][i] - ends[1][i]) - (ends[3][i] - ends[0][i])) / (12.0 * DIFFERENCE)
            };
            columns.push((0..size).map(slope).collect());
        }
        Ok(columns)
    }

    fn moved(&self, guess: &Guess, correction: &[f64], factor: f64) -> Guess {
        let mut next = guess.clone();
        for (&k, change) in self.free.iter().zip(correction) {
            next.state[k] -= factor * change * self.units[k];
        }
        if self.free_period
            && let Some(change) = correction.last()
        {
            next.step -= factor * change * guess.step;
        }
        next
    }

    /// The steps of a guess, where they are not those of the request.
    fn prepared(&self, guess: &Guess) -> Result<Option<Prepared>, FlowError> {
        if !self.free_period {
            return Ok(None);
        }
        let step = Rational::from_f64(guess.step).ok_or(FlowError::NotReached)?;
        if step.to_f64() <= 0.0 {
            return Err(FlowError::NotReached);
        }
        self.setting.with_step(&step).map(Some)
    }
}
