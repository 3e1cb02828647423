//! Measured orders over a ladder of steps, beside the computed ones.

mod local;
mod slope;
mod text;
mod verdict;

use isotrope_algebra::Rational;
use isotrope_derive::System;
use isotrope_kernel::integrate::Flow;
use isotrope_kernel::stepper::{Field, Options};
use isotrope_scheme::{Method, Steps};
use isotrope_tape::backend::Backend;
use schemars::JsonSchema;
use serde::Serialize;

use crate::compare::{
    Distance, Reference, ReferenceSummary, Row as Measured, computed_order, measure,
};
use crate::pictures::{self, Curve};
use crate::report::{Errors as Kept, Quantities, RunReport, Scales};
use crate::run::{LengthError, Request, steps};
use isotrope_output::plot::Chart;

pub use local::Local;
pub use slope::{Slope, slope};
pub use verdict::{Orders, Verdict, verdict};

/// Errors of each kind, one for each step; none where a run did not complete or the kind does
/// not apply.
#[derive(Debug, Clone, Default, PartialEq, JsonSchema, Serialize)]
pub struct Errors {
    /// The largest distance to the reference solution.
    pub solution: Vec<Option<f64>>,
    /// The largest error of the energy.
    pub energy: Vec<Option<f64>>,
    /// The largest violation of constraints on positions.
    pub constraint_position: Vec<Option<f64>>,
    /// The largest violation of constraints on velocities.
    pub constraint_velocity: Vec<Option<f64>>,
    /// The largest defect of the Legendre map.
    pub legendre: Vec<Option<f64>>,
    /// The largest change of a conserved momentum.
    pub momentum: Vec<Option<f64>>,
    /// The largest defect of a function that a grouped method was made to preserve; empty for other methods.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub structure: Vec<Option<f64>>,
}

/// Measured powers of h; none where there is no power to measure (rounding, or too few runs).
#[derive(Debug, Clone, Default, PartialEq, JsonSchema, Serialize)]
pub struct Powers {
    /// Of the solution.
    pub solution: Option<f64>,
    /// Of the energy.
    pub energy: Option<f64>,
    /// Of constraints on positions.
    pub constraint_position: Option<f64>,
    /// Of constraints on velocities.
    pub constraint_velocity: Option<f64>,
    /// Of the Legendre map.
    pub legendre: Option<f64>,
    /// Of conserved momenta.
    pub momentum: Option<f64>,
    /// Of functions that a grouped method was made to preserve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structure: Option<f64>,
}

/// One method.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Row {
    /// Its name.
    pub method: String,
    /// Its computed order.
    pub computed_order: Option<usize>,
    /// The order that was published for it, where that differs.
    pub published_order: Option<usize>,
    /// The steps that were tried: halved from one to the next, or a smaller ratio apart where halved steps leave
    /// too few errors above rounding.
    pub steps: Vec<f64>,
    /// What was measured with them.
    pub errors: Errors,
    /// Measured global orders.
    pub global: Powers,
    /// How they were found, in the order of [`Powers`].
    #[serde(skip)]
    pub slopes: [Slope; 7],
    /// What a very small step does on this model, in long numbers.
    pub local: Local,
    /// What measurement says of computation.
    pub verdict: Option<Verdict>,
    /// The same in words, or why nothing was measured.
    pub reason: String,
}

/// Measured orders of many methods on one model.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Convergence {
    /// The name of the model.
    pub model: String,
    /// The time of all runs.
    pub time: f64,
    /// The reference solution.
    pub reference: Option<ReferenceSummary>,
    /// The methods.
    pub rows: Vec<Row>,
    /// Was a stop requested before all methods were measured?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
    /// Is the model given in state space? The local exponents are then those of other structures.
    #[serde(skip)]
    pub state_space: bool,
}

/// What to measure.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The methods.
    pub methods: Vec<Method>,
    /// The largest step.
    pub step: Rational,
    /// How many steps, each half of the one before.
    pub levels: u32,
    /// The time.
    pub time: Rational,
    /// How many operations deriving and compiling the steps of each method may take.
    pub operations: u64,
}

/// When iterations end: errors down to rounding are wanted, and no round is decided by rounding.
const TOLERANCE: f64 = 1e-14;

/// Measures all methods.
pub fn convergence(
    model: &str,
    (system, field): (&System, &Field),
    plan: &Plan,
    control: &mut dyn FnMut(&str) -> Flow,
) -> Result<Convergence, LengthError> {
    let count = steps(&plan.time, &plan.step)?;
    let coarsest = (&plan.step, &plan.time, count);
    let reference =
        Reference::compute(system, field, coarsest, plan.operations, &mut || control("reference"));
    let mut rows = Vec::with_capacity(plan.methods.len());
    for method in &plan.methods {
        if control(method.name()) == Flow::Stop {
            break;
        }
        let ladder = Ladder { model, system, field, plan, count, reference: reference.as_ref() };
        let row = ladder.climb(method, control);
        // A ladder that was left half-way says nothing of the method.
        if control(method.name()) == Flow::Stop {
            break;
        }
        rows.push(row);
    }
    let summary = reference.as_ref().map(Reference::summary);
    let time = plan.time.to_f64();
    let state_space = system.mechanics.state().is_some();
    let interrupted = rows.len() < plan.methods.len();
    let model = model.to_owned();
    Ok(Convergence { model, time, reference: summary, rows, interrupted, state_space })
}

/// Everything one method needs.
struct Ladder<'a> {
    model: &'a str,
    system: &'a System,
    field: &'a Field,
    plan: &'a Plan,
    count: u64,
    reference: Option<&'a Reference>,
}

impl Ladder<'_> {
    fn climb(&self, method: &Method, control: &mut dyn FnMut(&str) -> Flow) -> Row {
        if *method.steps() == Steps::Adaptive {
            return own_steps(
                method,
                "it chooses its own steps by the error, so no step can be halved",
            );
        }
        if method.has_times_of_its_own() {
            return own_steps(
                method,
                "its steps end at times of its own, where the reference solution is not known",
            );
        }
        let halved = self.halve(method, control);
        let mut measured = halved.slopes(self.reference);
        let mut climbed = &halved;
        let settled = matches!(measured[0], Slope::Power(_) | Slope::Rounding);
        let coarse = halved.is_too_coarse() || (!settled && !halved.not_applicable);
        let closer = if coarse { self.look_closer(method, control) } else { None };
        if let Some(closer) = &closer {
            let found = closer.slopes(self.reference);
            if found[0].power().is_some() {
                // What only the halved steps show is taken from them.
                for (slope, new) in measured.iter_mut().zip(found) {
                    *slope = if new.power().is_some() { new } else { *slope };
                }
                climbed = closer;
            }
        }
        let powers = Powers::from(&measured);
        let computed_order = computed_order(self.system, method);
        let published_order = method.published_claim().map(|claim| claim.order);
        let local = Local::of(self.system, method, halved.scales.as_ref());
        let small = local.k.filter(|_| !halved.not_applicable);
        let orders = Orders { computed: computed_order, published: published_order, small };
        let found = verdict(&orders, measured[0]);
        let reason = match (powers.solution, &halved.reason) {
            (None, Some(reason)) if found != Some(Verdict::Agrees) => reason.clone(),
            _ => verdict::words(&orders, measured[0]),
        };
        Row {
            method: method.name().to_owned(),
            computed_order,
            published_order,
            steps: climbed.steps.clone(),
            errors: climbed.errors.clone(),
            global: powers,
            slopes: measured,
            local,
            verdict: found.filter(|_| !halved.not_applicable),
            reason,
        }
    }

    /// Steps that are halved from one to the next.
    fn halve(&self, method: &Method, control: &mut dyn FnMut(&str) -> Flow) -> Climbed {
        let mut climbed = Climbed::default();
        let mut step = self.plan.step.clone();
        let half = Rational::half();
        for level in 0..self.plan.levels {
            let factor = 1u64 << level;
            let reference = self.reference.map(|known| (known, known.stride * factor));
            let row =
                self.run(method, &step, self.count.saturating_mul(factor), reference, control);
            let relative = row.reference_relative_max;
            climbed.push(step.to_f64(), &row, relative);
            if row.run.outcome == crate::report::Outcome::NotApplicable {
                break;
            }
            // Below the error of the reference nothing is measured.
            let known = self.reference.map_or(0.0, |reference| reference.relative_error);
            let ended = row.run.outcome.is_success();
            if ended && relative.is_some_and(|distance| distance < 3.0 * known) {
                break;
            }
            step = step * half.clone();
        }
        climbed
    }

    /// Steps whose ratio is smaller, from a single step on, until the error at the end is rounding: for methods
    /// of high order, whose errors fall from large to rounding between two halvings.
    fn look_closer(
        &self,
        method: &Method,
        control: &mut dyn FnMut(&str) -> Flow,
    ) -> Option<Climbed> {
        let reference = self.reference?;
        let least = (10.0 * reference.relative_error).max(LEAST);
        let in_momenta = self.field.is_in_momenta();
        let mut climbed = Climbed::default();
        let mut count = 1u64;
        while count <= self.count.saturating_mul(FINEST) {
            let step = &self.plan.time * &Rational::integer(i64::try_from(count).ok()?).recip()?;
            let mut row = self.run(method, &step, count, None, control);
            let distance =
                row.run.outcome.is_success().then(|| at_the_end(reference, &row.run, in_momenta));
            row.reference_max = distance.flatten().map(|distance| distance.absolute);
            let relative = distance.flatten().map(|distance| distance.relative);
            climbed.push(step.to_f64(), &row, relative);
            if relative.is_some_and(|relative| relative < least)
                || control(method.name()) == Flow::Stop
            {
                break;
            }
            count = (count + 1).max(count * 5 / 4);
        }
        Some(climbed)
    }

    fn run(
        &self,
        method: &Method,
        step: &Rational,
        steps: u64,
        reference: Option<(&Reference, u64)>,
        control: &mut dyn FnMut(&str) -> Flow,
    ) -> Measured {
        let options = Options { tolerance: TOLERANCE, ..Options::new(step.clone()) };
        let request = Request {
            method: method.clone(),
            options,
            time: self.plan.time.clone(),
            steps,
            limit: None,
            backend: Backend::Native,
            operations: self.plan.operations,
        };
        let pair = (self.system, self.field);
        measure(self.model, pair, &request, reference, &mut || control(method.name()))
    }
}

impl Convergence {
    /// Errors of the solution against steps, with lines of the slopes that the methods have.
    #[must_use]
    pub fn chart(&self) -> Chart {
        let curves = self.rows.iter().map(|row| Curve {
            name: row.method.clone(),
            slope: row.computed_order,
            points: row
                .steps
                .iter()
                .zip(&row.errors.solution)
                .filter_map(|(&step, error)| Some((step, (*error)?)))
                .collect(),
        });
        pictures::convergence(&self.model, "distance to the reference", curves.collect())
    }
}

/// A method that chooses its steps by the error has none to halve.
fn own_steps(method: &Method, reason: &str) -> Row {
    Row {
        method: method.name().to_owned(),
        computed_order: None,
        published_order: None,
        steps: Vec::new(),
        errors: Errors::default(),
        global: Powers::default(),
        slopes: [Slope::Unknown; 7],
        local: Local::default(),
        verdict: None,
        reason: reason.to_owned(),
    }
}

/// Errors below this, relative, are rounding or near it.
const LEAST: f64 = 1e-12;
/// The finest of the closer steps, in units of the coarsest of the halved ones.
const FINEST: u64 = 64;
/// Fewer errors between large ones and rounding are too few to tell a power.
const FEWEST: usize = 4;

/// How far the last state of a run is from the reference.
fn at_the_end(reference: &Reference, run: &RunReport, in_momenta: bool) -> Option<Distance> {
    let state = &run.final_state;
    let mut found: Vec<f64> = state.q.0.iter().map(|entry| entry.1).collect();
    if run.errors_shifted.is_none() {
        let second = if in_momenta { &state.p } else { &state.v };
        found.extend(second.iter().flat_map(|list| list.0.iter().map(|entry| entry.1)));
    }
    Some(reference.between(reference.last()?, &found))
}

/// What a ladder of steps has found.
#[derive(Debug, Default)]
struct Climbed {
    steps: Vec<f64>,
    errors: Errors,
    /// Distances to the reference in units of the sizes of components.
    relative: Vec<Option<f64>>,
    scales: Option<Scales>,
    /// Why the first run that did not complete did not.
    reason: Option<String>,
    not_applicable: bool,
}

impl Climbed {
    fn push(&mut self, step: f64, row: &Measured, relative: Option<f64>) {
        let complete = row.run.outcome.is_success();
        if !complete && self.reason.is_none() {
            self.reason.clone_from(&row.reason);
        }
        self.not_applicable |= row.run.outcome == crate::report::Outcome::NotApplicable;
        if self.scales.is_none() {
            self.scales.clone_from(&row.run.scales);
        }
        let kept: &Kept = &row.run.errors;
        let only = |value: Option<f64>| value.filter(|_| complete);
        let errors = &mut self.errors;
        self.steps.push(step);
        self.relative.push(only(relative));
        errors.solution.push(only(row.reference_max));
        errors.energy.push(only(kept.energy_max));
        errors.constraint_position.push(only(kept.constraint_position_max));
        errors.constraint_velocity.push(only(kept.constraint_velocity_max));
        errors.legendre.push(only(kept.legendre_max));
        let momenta = kept.momentum_max.0.iter().map(|entry| entry.1);
        errors.momentum.push(only(momenta.reduce(f64::max)));
        if let Some(kept) = &kept.structure_max {
            let defects = kept.0.iter().map(|entry| entry.1);
            errors.structure.push(only(defects.reduce(f64::max)));
        }
    }

    /// Do the steps leave too few errors between large ones and rounding?
    fn is_too_coarse(&self) -> bool {
        let telling = |error: &&Option<f64>| error.is_some_and(|x| x > LEAST && x < 0.1);
        !self.not_applicable && self.relative.iter().filter(telling).count() < FEWEST
    }

    /// Slopes in the order of [`Powers`], each relative to the size of what is measured.
    fn slopes(&self, reference: Option<&Reference>) -> [Slope; 7] {
        let Some(scales) = &self.scales else { return [Slope::Unknown; 7] };
        let errors = &self.errors;
        let power = |errors: &[Option<f64>], size: f64| slope(&self.steps, errors, size);
        let largest = |list: &Quantities| list.0.iter().map(|entry| entry.1).fold(0.0, f64::max);
        let some = |size: Option<f64>| size.unwrap_or(0.0);
        [
            if reference.is_some() { power(&self.relative, 1.0) } else { Slope::Unknown },
            power(&errors.energy, some(scales.energy)),
            power(&errors.constraint_position, some(scales.constraint_position)),
            power(&errors.constraint_velocity, some(scales.constraint_velocity)),
            power(&errors.legendre, largest(&scales.p)),
            power(&errors.momentum, largest(&scales.conserved)),
            power(&errors.structure, scales.structure.as_ref().map_or(0.0, largest)),
        ]
    }
}

impl From<&[Slope; 7]> for Powers {
    fn from(slopes: &[Slope; 7]) -> Self {
        let slopes = slopes.map(Slope::power);
        let [solution, energy, constraint_position, constraint_velocity, ..] = slopes;
        let [.., legendre, momentum, structure] = slopes;
        Self {
            solution,
            energy,
            constraint_position,
            constraint_velocity,
            legendre,
            momentum,
            structure,
        }
    }
}
