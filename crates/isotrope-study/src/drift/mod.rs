//! Long runs: does the energy drift or only oscillate, how do constraints grow, is the 2-form kept,
//! how fast do neighbours part, where does the trajectory cross a surface?
//!
//! `trend.rs` tells a slope from an oscillation, `tangents.rs` has the 2-form and the Lyapunov
//! exponent, `section.rs` finds crossings of a surface. Changes of a state on a group are seen from
//! the body (`canonical.rs`), so `drift` and `flow` have one canonical form for coordinates and
//! groups.

mod section;
mod tangents;
mod text;
mod trend;

use isotrope_algebra::Stop;
use isotrope_derive::System;
use isotrope_kernel::integrate::{Flow, Integration, Outcome, Sink, SinkError, Variations};
use isotrope_kernel::stepper::Measured;
use isotrope_tape::Function;
use isotrope_tape::interpret::Scratch;
use schemars::JsonSchema;
use serde::Serialize;

use crate::flow::bracket_defect;
use crate::report::Failure;
use crate::run::{Prepared, Request};
use crate::structure::{self, BasePoint};

pub use section::{Crossing, Section, SectionError};
pub use trend::Trend;

/// What a long run of one method showed. `None` (in JSON `null`) where something does not apply or
/// is not known.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct DriftRow {
    /// The method.
    pub method: String,
    /// Its step.
    pub step: f64,
    /// The time asked for.
    pub time: f64,
    /// How it ended.
    pub outcome: &'static str,
    /// The slope of the energy error against time.
    pub slope: Option<f64>,
    /// Its standard uncertainty.
    pub slope_uncertainty: Option<f64>,
    /// The amplitude of the oscillation of the energy error at the beginning.
    pub amplitude: Option<f64>,
    /// Does |slope|·time exceed the amplitude by more than its uncertainty?
    pub drifts: Option<bool>,
    /// The exponent a of the largest constraint violation ~ stepsᵃ.
    pub constraint_growth: Option<f64>,
    /// The largest change of dq∧dp on the constraint manifold in one step.
    pub form_defect_max: Option<f64>,
    /// The largest entry of dΦ D dΦᵀ − D∘Φ, for systems in state space with a bracket.
    pub poisson_defect_max: Option<f64>,
    /// The largest structure defect of the steps that were examined, see
    /// [`StructureRow`](crate::structure::StructureRow).
    pub structure_defect_max: Option<f64>,
    /// The largest Lyapunov exponent.
    pub lyapunov: Option<f64>,
    /// The time over which it was measured.
    pub lyapunov_time: Option<f64>,
    /// Do means of the energy error stray further than it oscillates, without a direction?
    pub wanders: Option<bool>,
    /// Is the error of the energy no larger than that of rounding? Then it says nothing of the
    /// method.
    #[serde(rename = "rounding")]
    pub is_rounding: Option<bool>,
    /// The largest energy error in the first quarter of the time, and in the last.
    pub envelope: Option<[f64; 2]>,
    /// The largest energy error.
    pub energy_max: Option<f64>,
    /// The largest constraint violation.
    pub constraint_max: Option<f64>,
    /// Steps that were made.
    pub steps_done: u64,
    /// Where and why it ended before its time.
    pub failure: Option<Failure>,
    /// Energy error against time, thinned out: the extremes of intervals.
    pub curve: Vec<[f64; 2]>,
    /// Crossings of the section.
    pub crossings: Option<Vec<Crossing>>,
}

/// What `isotrope drift` answers.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct DriftReport {
    /// The name of the model.
    pub model: String,
    /// The section, as it was written.
    pub section: Option<String>,
    /// Coordinates, in the order of crossings.
    pub coordinates: Vec<String>,
    /// Momenta, in the order of crossings, where these have them: without a Lagrangian.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub momenta: Vec<String>,
    /// A row for each method.
    pub rows: Vec<DriftRow>,
    /// Was a stop requested before all rows were there?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
}

impl DriftReport {
    /// The names of the numbers of a crossing as a row.
    #[must_use]
    pub fn crossing_columns(&self) -> Vec<String> {
        let mut columns = vec!["method".to_owned(), "t".to_owned()];
        columns.extend(self.coordinates.iter().cloned());
        columns.extend(self.coordinates.iter().map(|name| format!("v_{name}")));
        columns.extend(self.momenta.iter().cloned());
        columns.push("direction".to_owned());
        columns
    }

    /// Crossings of all methods as rows: number of the method, time, positions, velocities,
    /// direction.
    pub fn write_crossings(&self, sink: &mut dyn Sink) -> Result<(), SinkError> {
        for (k, row) in self.rows.iter().enumerate() {
            for crossing in row.crossings.iter().flatten() {
                let mut line = vec![(k + 1) as f64, crossing.t];
                line.extend(&crossing.q);
                line.extend(&crossing.v);
                line.extend(crossing.p.iter().flatten());
                line.push(f64::from(crossing.direction));
                sink.row(&line)?;
            }
        }
        Ok(())
    }
}

/// The error of the energy that a step adds by rounding, relative to the energy.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// Samples of the energy error.
const SAMPLES: u64 = 32_768;
/// States at which the 2-form is evaluated.
const FORM_SAMPLES: u64 = 64;
/// Steps over which the Lyapunov exponent is measured, at most.
const LYAPUNOV_STEPS: u64 = 1_000_000;
/// Intervals of the curve.
const INTERVALS: usize = 256;
/// Crossings that are kept.
const MOST_CROSSINGS: usize = 100_000;

/// The logarithm, with the same bits on every machine.
fn log(x: f64) -> f64 {
    Function::Log.evaluate(x)
}

/// A row of a method that makes no sense for the model.
#[must_use]
pub fn not_applicable(request: &Request, reason: &str) -> DriftRow {
    let failure = Failure { step: 0, t: 0.0, residual: None, reason: reason.to_owned() };
    DriftRow { failure: Some(failure), ..empty(request, Outcome::NotApplicable) }
}

fn empty(request: &Request, outcome: Outcome) -> DriftRow {
    DriftRow {
        method: request.method.name().to_owned(),
        step: request.options.step.to_f64(),
        time: request.time.to_f64(),
        outcome: outcome.name(),
        slope: None,
        slope_uncertainty: None,
        amplitude: None,
        drifts: None,
        constraint_growth: None,
        form_defect_max: None,
        poisson_defect_max: None,
        structure_defect_max: None,
        lyapunov: None,
        lyapunov_time: None,
        wanders: None,
        is_rounding: None,
        envelope: None,
        energy_max: None,
        constraint_max: None,
        steps_done: 0,
        failure: None,
        curve: Vec::new(),
        crossings: None,
    }
}

/// Runs a method for the whole time and measures what it does.
pub fn drift(
    system: &System,
    prepared: &Prepared,
    request: &Request,
    section: Option<&Section>,
    control: &mut dyn FnMut(u64) -> Flow,
) -> DriftRow {
    let compiled = &prepared.compiled;
    let stepper = &compiled.stepper;
    let mut integration = match Integration::new(compiled) {
        Ok(integration) => integration,
        Err(failed) => {
            let failure = Some(crate::run::failure(failed.clone()));
            return DriftRow { failure, ..empty(request, failed.outcome) };
        }
    };
    let mut watch = Watch::new(system, prepared, request, section);
    // Forces change dq∧dp by themselves: no defect of a method.
    let forced = system.mechanics.working_forces().iter().any(|force| !force.is_zero());
    // What staggered schemes measure between the nodes has no value at the start.
    if !stepper.layout.shifted {
        watch.sample(&mut integration);
    }
    let stride = (request.steps / SAMPLES).max(1);
    let mut outcome = Outcome::Completed;
    let mut failure = None;
    while integration.steps < request.steps {
        let ask = stride.min(request.steps - integration.steps);
        if let Err(failed) = watch.advance(&mut integration, ask) {
            outcome = failed.outcome;
            failure = Some(crate::run::failure(failed));
            break;
        }
        watch.sample(&mut integration);
        if control(integration.steps) == Flow::Stop && integration.steps < request.steps {
            outcome = Outcome::Interrupted;
            break;
        }
    }
    let trend = Trend::of(&watch.energy);
    let place = Measured::Own;
    let layout = stepper.layout;
    let finite = |x: f64| x.is_finite().then_some(x);
    let exponent = if stepper.adaptive.is_none() {
        tangents::lyapunov(compiled, integration.steps.min(LYAPUNOV_STEPS))
    } else {
        None
    };
    // An exponent that was not finished is missing, and so is the row.
    if Stop::requested() {
        outcome = Outcome::Interrupted;
    }
    let energy_max = finite(integration.number(layout.largest_energy_error(place)));
    // Sums of rounding errors grow like the root of the number of steps.
    let size = integration.number(layout.energy_size());
    let rounding = ROUNDING * size * (integration.steps.max(1) as f64).sqrt();
    let is_rounding = energy_max.is_some_and(|error| error <= rounding);
    DriftRow {
        is_rounding: trend.map(|_| is_rounding),
        slope: trend.map(|trend| trend.slope),
        slope_uncertainty: trend.map(|trend| trend.uncertainty),
        amplitude: trend.map(|trend| trend.amplitude),
        drifts: trend.map(|trend| trend.drifts() && !is_rounding),
        constraint_growth: trend::growth(&watch.violation),
        form_defect_max: watch.form_defect.filter(|_| stepper.bracket.is_none() && !forced),
        poisson_defect_max: watch.form_defect.filter(|_| stepper.bracket.is_some()),
        structure_defect_max: watch.structure.as_ref().and_then(|structure| {
            let stated = BasePoint::stated(request.method.name());
            structure.largest(stated.unwrap_or(BasePoint::Midpoint))
        }),
        lyapunov: exponent.map(|(exponent, _)| exponent),
        lyapunov_time: exponent.map(|(_, time)| time),
        wanders: trend.map(|trend| trend.wanders() && !is_rounding),
        envelope: trend.map(|trend| trend.envelope),
        energy_max,
        constraint_max: watch.violated.and_then(|[slot, _]| finite(integration.number(slot))),
        steps_done: integration.steps,
        failure,
        curve: thinned(&watch.energy),
        crossings: section.map(|_| std::mem::take(&mut watch.crossings)),
        ..empty(request, outcome)
    }
}

/// What is measured along the way.
struct Watch<'a> {
    prepared: &'a Prepared,
    section: Option<&'a Section>,
    energy: Vec<[f64; 2]>,
    /// Where the state has the largest violation of constraints so far: as it is, and each in its own size.
    violated: Option<[u32; 2]>,
    violation: Vec<[f64; 2]>,
    /// Steps between two evaluations of the form; none if it is not evaluated.
    form_stride: Option<u64>,
    /// Evaluations of the form so far.
    form_taken: u64,
    form_defect: Option<f64>,
    variations: Option<Variations>,
    /// Defects of steps, and steps between two measurements of them.
    structure: Option<structure::Watch>,
    structure_stride: u64,
    structure_taken: u64,
    node: Option<section::Node>,
    crossings: Vec<Crossing>,
    scratch: Scratch,
}

impl<'a> Watch<'a> {
    fn new(
        system: &System,
        prepared: &'a Prepared,
        request: &Request,
        section: Option<&'a Section>,
    ) -> Self {
        let stepper = &prepared.compiled.stepper;
        let (layout, place) = (stepper.layout, Measured::Own);
        let violated = match (stepper.has_positions, layout.constraints) {
            (true, _) => {
                Some([layout.largest_position_error(place), layout.relative_position_error()])
            }
            (false, 1..) => {
                Some([layout.largest_velocity_error(place), layout.relative_velocity_error()])
            }
            (false, 0) => None,
        };
        // On nonholonomic constraints dq∧dp is not a symplectic form; and steps that need more than the
        // last state are not maps of it.
        let has_form = stepper.holonomic && (stepper.has_momenta || stepper.bracket.is_some());
        let is_map = has_form && stepper.is_one_step();
        Self {
            prepared,
            section,
            energy: Vec::new(),
            violated,
            violation: Vec::new(),
            form_stride: is_map.then(|| (request.steps / FORM_SAMPLES).max(1)),
            variations: is_map.then(|| tangents::variations(&prepared.compiled)).flatten(),
            form_taken: 0,
            form_defect: None,
            structure: stepper.is_one_step().then(|| structure::Watch::new(system).ok()).flatten(),
            structure_stride: (request.steps / FORM_SAMPLES).max(1),
            structure_taken: 0,
            node: None,
            crossings: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// Makes steps; with a section one by one.
    fn advance(
        &mut self,
        integration: &mut Integration<'_>,
        steps: u64,
    ) -> Result<(), isotrope_kernel::integrate::Failure> {
        let Some(section) = self.section else { return integration.advance(steps) };
        let parameters = &self.prepared.compiled.stepper.parameters;
        let layout = integration.layout();
        let n = layout.dimension;
        for _ in 0..steps {
            integration.advance(1)?;
            let (t, state) = (integration.time(), integration.state());
            let place = (t, &state[..n], &state[n..layout.moving()]);
            let node = section.node(place, parameters, &mut self.scratch);
            if let (Some(from), Some(to)) = (&self.node, &node)
                && self.crossings.len() < MOST_CROSSINGS
            {
                let found = section.crossing(from, to, parameters, &mut self.scratch);
                self.crossings.extend(found);
            }
            self.node = node;
        }
        Ok(())
    }

    fn sample(&mut self, integration: &mut Integration<'_>) {
        let layout = integration.layout();
        integration.fill_row();
        let number = |slot: u32| integration.number(slot);
        // Staggered schemes know the size of their error only, at a place of their own.
        let energy = if layout.shifted {
            number(layout.energy_error(Measured::Own))
        } else {
            number(layout.energy()) - number(layout.first_energy()) - number(layout.work())
        };
        self.energy.push([integration.time(), energy]);
        let steps = integration.steps;
        if let Some([_, relative]) = self.violated {
            self.violation.push([steps as f64, number(relative)]);
        }
        if let Some(structure) = &mut self.structure
            && steps / self.structure_stride >= self.structure_taken
        {
            self.structure_taken += 1;
            structure.look_at_step(&self.prepared.compiled, integration.state());
        }
        if let Some(stride) = self.form_stride
            && steps / stride >= self.form_taken
        {
            self.form_taken += 1;
            let compiled = &self.prepared.compiled;
            let defect = self.variations.as_ref().and_then(|variations| {
                let state = integration.state();
                match compiled.stepper.bracket {
                    Some(_) => bracket_defect(compiled, variations, state).map(|found| found.value),
                    None => tangents::form_defect(compiled, variations, state),
                }
            });
            self.form_defect = match (self.form_defect, defect.filter(|x| x.is_finite())) {
                (Some(old), Some(new)) => Some(old.max(new)),
                (old, new) => old.or(new),
            };
        }
    }
}

/// The extremes of intervals of a series, in order.
fn thinned(series: &[[f64; 2]]) -> Vec<[f64; 2]> {
    if series.len() <= 2 * INTERVALS {
        return series.to_vec();
    }
    let cut = |k: usize| k * series.len() / INTERVALS;
    let mut thin = Vec::with_capacity(2 * INTERVALS);
    for k in 0..INTERVALS {
        let part = &series[cut(k)..cut(k + 1)];
        let by_value = |a: &&[f64; 2], b: &&[f64; 2]| a[1].total_cmp(&b[1]);
        if let (Some(least), Some(most)) =
            (part.iter().min_by(by_value), part.iter().max_by(by_value))
        {
            let (first, second) = if least[0] <= most[0] { (least, most) } else { (most, least) };
            thin.push(*first);
            if first != second {
                thin.push(*second);
            }
        }
    }
    thin
}
