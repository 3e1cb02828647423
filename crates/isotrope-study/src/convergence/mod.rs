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

use crate::compare::{Reference, ReferenceSummary, Row as Measured, computed_order, measure};
use crate::pictures::{self, Curve};
use crate::report::Errors as Kept;
use crate::run::{LengthError, Request, steps};
use isotrope_output::plot::Chart;

pub use local::Local;
pub use slope::{Slope, slope};
pub use verdict::{Verdict, verdict};

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
    /// The steps that were tried, halved from one to the next.
    pub steps: Vec<f64>,
    /// What was measured with them.
    pub errors: Errors,
    /// Measured global orders.
    pub global: Powers,
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
    /// Did somebody ask to stop before all methods were measured?
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
        let mut errors = Errors::default();
        let mut sizes = Vec::new();
        let mut reason = None;
        let mut step = self.plan.step.clone();
        let half = Rational::half();
        for level in 0..self.plan.levels {
            let factor = 1u64 << level;
            let row = self.run(method, &step, factor, control);
            let ended = row.run.outcome.is_success();
            if !ended && reason.is_none() {
                reason.clone_from(&row.reason);
            }
            sizes.push(step.to_f64());
            errors.push(&row);
            if row.run.outcome == crate::report::Outcome::NotApplicable {
                break;
            }
            // Below the error of the reference nothing is measured.
            let known = self.reference.map_or(0.0, |reference| reference.estimated_error);
            if ended && row.reference_max.is_some_and(|distance| distance < 3.0 * known) {
                break;
            }
            step = step * half.clone();
        }
        let powers = errors.powers(self.reference);
        let computed_order = computed_order(self.system, method);
        let published_order = method.published_claim().map(|claim| claim.order);
        let found = verdict(computed_order, published_order, powers.solution);
        let reason = match (powers.solution, reason) {
            (None, Some(reason)) => reason,
            _ => verdict::words(computed_order, published_order, powers.solution),
        };
        Row {
            method: method.name().to_owned(),
            computed_order,
            published_order,
            steps: sizes,
            errors,
            global: powers,
            local: Local::of(self.system, method),
            verdict: found,
            reason,
        }
    }

    fn run(
        &self,
        method: &Method,
        step: &Rational,
        factor: u64,
        control: &mut dyn FnMut(&str) -> Flow,
    ) -> Measured {
        let options = Options { tolerance: TOLERANCE, ..Options::new(step.clone()) };
        let request = Request {
            method: method.clone(),
            options,
            time: self.plan.time.clone(),
            steps: self.count.saturating_mul(factor),
            limit: None,
            backend: Backend::Native,
            operations: self.plan.operations,
        };
        let reference = self.reference.map(|known| (known, known.stride * factor));
        let pair = (self.system, self.field);
        measure(self.model, pair, &request, reference, &mut || control(method.name()))
    }
}

impl Convergence {
    /// Errors of the solution against steps, with lines of the slopes that they have.
    #[must_use]
    pub fn chart(&self) -> Chart {
        let curves = self.rows.iter().map(|row| Curve {
            name: row.method.clone(),
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
        local: Local::default(),
        verdict: None,
        reason: reason.to_owned(),
    }
}

impl Errors {
    fn push(&mut self, row: &Measured) {
        let complete = row.run.outcome.is_success();
        let kept: &Kept = &row.run.errors;
        let only = |value: Option<f64>| value.filter(|_| complete);
        self.solution.push(only(row.reference_max));
        self.energy.push(only(kept.energy_max));
        self.constraint_position.push(only(kept.constraint_position_max));
        self.constraint_velocity.push(only(kept.constraint_velocity_max));
        self.legendre.push(only(kept.legendre_max));
        let momenta = kept.momentum_max.0.iter().map(|entry| entry.1);
        self.momentum.push(only(momenta.reduce(f64::max)));
    }

    fn powers(&self, reference: Option<&Reference>) -> Powers {
        let size = reference.map_or(1.0, Reference::size);
        let power = |errors: &[Option<f64>]| slope(errors, size).power();
        Powers {
            solution: power(&self.solution),
            energy: power(&self.energy),
            constraint_position: power(&self.constraint_position),
            constraint_velocity: power(&self.constraint_velocity),
            legendre: power(&self.legendre),
            momentum: power(&self.momentum),
        }
    }
}
