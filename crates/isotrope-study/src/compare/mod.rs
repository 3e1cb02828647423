//! Many methods on one model, beside a reference solution.

mod advice;
mod csv;
mod latex;
mod orders;
mod pictures;
mod reference;
mod sort;
mod table;
mod text;
mod track;

use isotrope_algebra::Rational;
use isotrope_derive::System;
use isotrope_kernel::integrate::{Flow, Integration};
use isotrope_kernel::stepper::Field;
use isotrope_scheme::Method;
use schemars::JsonSchema;
use serde::Serialize;

use crate::report::{Outcome, RunReport};
use crate::run::{self, PrepareError, Request, not_applicable, observe, prepare};

pub use advice::Same;
pub use orders::computed_order;
pub(crate) use orders::is_implicit;
pub use pictures::pictures;
pub use reference::{Distance, Reference, ReferenceSummary};
pub use sort::SortKey;
pub use table::{Cell, Table};
pub use track::{Sample, Track};

/// One method with one step.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct Row {
    /// What `run` says of it.
    #[serde(flatten)]
    pub run: RunReport,
    /// The computed order of the method; none if it was not computed.
    pub order: Option<usize>,
    /// The largest distance to the reference solution, over positions and velocities.
    pub reference_max: Option<f64>,
    /// The distance at the end.
    pub reference_final: Option<f64>,
    /// The largest distance in units of the sizes of positions and velocities.
    pub reference_relative_max: Option<f64>,
    /// The same at the end.
    pub reference_relative_final: Option<f64>,
    /// Why a method does not apply, or where it failed.
    pub reason: Option<String>,
    /// Operations of a step, with all rounds of its iteration.
    pub operations_per_step: Option<f64>,
    /// What was seen on the way, for pictures.
    #[serde(skip)]
    pub track: Track,
}

/// Many methods on one model.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct Comparison {
    /// The name of the model.
    pub model: String,
    /// The reference solution of the smallest step; none if there is no solution to the end.
    pub reference: Option<ReferenceSummary>,
    /// Methods and steps, in the order asked for.
    pub rows: Vec<Row>,
    /// The method to use, by what was measured; none if no row with a known order completed.
    pub recommended: Option<String>,
    /// Why that one.
    pub reason: Option<String>,
    /// Methods whose steps are those of a row, and are not listed again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub same: Vec<Same>,
    /// Was a stop requested before all rows were there?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
}

/// What to compare.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The methods with the names they were asked for by.
    pub methods: Vec<Method>,
    /// The steps.
    pub steps: Vec<Rational>,
    /// The time.
    pub time: Rational,
    /// When iterations end; otherwise what is usual for a method.
    pub tolerance: Option<f64>,
    /// The largest number of steps of a row.
    pub limit: Option<u64>,
    /// How many operations deriving and compiling the steps of each method may take.
    pub operations: u64,
}

/// What is going on, for people who wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage<'a> {
    /// The reference solution is being computed.
    Reference,
    /// A method is being run.
    Method(&'a str),
}

/// Samples of a run that pictures need.
const SAMPLES: u64 = 600;

/// Runs all methods with all steps.
pub fn compare(
    model: &str,
    (system, field): (&System, &Field),
    plan: &Plan,
    control: &mut dyn FnMut(Stage<'_>) -> Flow,
) -> Result<Comparison, run::LengthError> {
    let mut counts = Vec::with_capacity(plan.steps.len());
    for step in &plan.steps {
        counts.push(run::steps(&plan.time, step)?);
    }
    let orders: Vec<Option<usize>> =
        crate::parallel::map(&plan.methods, |method| computed_order(system, method));
    let mut rows = Vec::new();
    let mut summary: Option<ReferenceSummary> = None;
    for (step, &steps) in plan.steps.iter().zip(&counts) {
        let course = (step, &plan.time, steps);
        let reference = Reference::compute(system, field, course, plan.operations, &mut || {
            control(Stage::Reference)
        });
        let finer =
            |known: &ReferenceSummary, new: &Reference| new.estimated_error > known.estimated_error;
        // Of several references the output tells the least exact one.
        if let Some(new) = &reference
            && summary.as_ref().is_none_or(|known| finer(known, new))
        {
            summary = Some(new.summary());
        }
        for (method, &order) in plan.methods.iter().zip(&orders) {
            if control(Stage::Method(method.name())) == Flow::Stop {
                break;
            }
            let mut request = Request::new(system, method.clone(), step.clone(), &plan.time, steps);
            (request.limit, request.operations) = (plan.limit, plan.operations);
            if let Some(tolerance) = plan.tolerance {
                request.options.tolerance = tolerance;
            }
            let name = method.name();
            let mut flow = || control(Stage::Method(name));
            let reference = reference.as_ref().map(|known| (known, known.stride));
            let row = measure(model, (system, field), &request, reference, &mut flow);
            // Steps that could not be prepared because a stop was requested are not an answer.
            if row.run.outcome == Outcome::NotApplicable && flow() == Flow::Stop {
                break;
            }
            rows.push(Row { order, ..row });
        }
    }
    let interrupted = rows.len() < plan.methods.len() * plan.steps.len();
    let model = model.to_owned();
    let (recommended, reason, same) = (None, None, Vec::new());
    Ok(Comparison { model, reference: summary, rows, recommended, reason, same, interrupted })
}

/// One method with one step beside a reference solution, whose times are this many steps apart.
pub(crate) fn measure(
    model: &str,
    (system, field): (&System, &Field),
    request: &Request,
    reference: Option<(&Reference, u64)>,
    control: &mut dyn FnMut() -> Flow,
) -> Row {
    let prepared = match prepare(system, field, request) {
        Ok(prepared) => prepared,
        Err(PrepareError::NotApplicable { reason }) => {
            return refused(model, field, request, &reason);
        }
        Err(error) => return refused(model, field, request, &error.to_string()),
    };
    // The reference solution is known at multiples of the step only.
    let reference = reference.filter(|_| !request.method.has_times_of_its_own());
    let stride = reference.map_or(1, |(_, stride)| stride);
    let mut track = Track::new(request.steps.div_ceil(stride * SAMPLES).max(1));
    let mut index = 0;
    let (mut largest, mut last): (Option<Distance>, Option<Distance>) = (None, None);
    let mut look = |integration: &mut Integration<'_>| {
        let distance = reference.and_then(|(known, _)| distance(known, index, integration));
        if let Some(distance) = distance {
            largest = Some(largest.map_or(distance, |known| known.larger(distance)));
        }
        last = distance;
        track.look(index, integration, distance.map(|distance| distance.absolute));
        index += 1;
        if index % CHECK == 0 { control() } else { Flow::Continue }
    };
    let mut report = observe(model, &prepared, request, stride, &mut look);
    let complete = report.outcome.is_success();
    if report.steps_done == 0 && !complete {
        // Nothing was measured: zeros would look perfect.
        report.errors = Default::default();
        report.errors_shifted = None;
        largest = None;
    }
    let reason = report.failure.as_ref().map(|failure| failure.reason.clone());
    let last = last.filter(|_| complete);
    let operations_per_step = advice::operations_per_step(&prepared.compiled, &report);
    Row {
        operations_per_step,
        order: None,
        reference_max: largest.map(|distance| distance.absolute),
        reference_final: last.map(|distance| distance.absolute),
        reference_relative_max: largest.map(|distance| distance.relative),
        reference_relative_final: last.map(|distance| distance.relative),
        reason,
        run: report,
        track,
    }
}

/// Looks between two questions to the caller.
const CHECK: usize = 256;

fn refused(model: &str, field: &Field, request: &Request, reason: &str) -> Row {
    Row {
        run: not_applicable(model, field, request, reason),
        order: None,
        reference_max: None,
        reference_final: None,
        reference_relative_max: None,
        reference_relative_final: None,
        reason: Some(reason.to_owned()),
        operations_per_step: None,
        track: Track::new(1),
    }
}

/// The difference in positions and velocities (or momenta, where motions begin with them); of staggered schemes, whose velocities belong to another time than
/// their positions, in positions alone.
fn distance(
    reference: &Reference,
    index: usize,
    integration: &Integration<'_>,
) -> Option<Distance> {
    let wanted = reference.at(index)?;
    let layout = integration.layout();
    let wanted = if layout.shifted { &wanted[..layout.dimension] } else { wanted };
    let found = integration.state().get(..wanted.len())?;
    Some(reference.between(wanted, found))
}
