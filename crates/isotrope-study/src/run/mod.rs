//! From a system and a method to the report of a run.

mod ensemble;
mod length;
mod promises;
mod report;
mod stiff;

use isotrope_algebra::evaluate::evaluate_ball;
use isotrope_algebra::{Budget, Precision, Rational};
use isotrope_certify::ProblemSizes;
use isotrope_derive::{Conservation, Law, System};
use isotrope_kernel::integrate::{
    Compiled, End, Flow, Integration, Outcome, Plan, Residuals, Sink, SinkError, integrate,
};
use isotrope_kernel::stepper::{
    Field, FieldError, Options, Stepper, StepperError, stepper, tolerance,
};
use isotrope_scheme::{DiscretiseError, Method};
use isotrope_tape::backend::{Backend, Effort, MachineError};
use rustc_hash::FxHashMap;

use crate::report::RunReport;

pub(crate) use report::failure;

pub use ensemble::{
    EnsembleReport, EnsembleSummary, MemberReport, Members, MembersError, Together, Told,
    run_members,
};
pub use length::{LengthError, steps};

/// What to run.
#[derive(Debug, Clone)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// Its options, with the step.
    pub options: Options,
    /// The time to be integrated.
    pub time: Rational,
    /// How many steps that takes.
    pub steps: u64,
    /// The largest number that is made.
    pub limit: Option<u64>,
    /// How they are executed.
    pub backend: Backend,
    /// How many operations deriving and compiling the steps may take.
    pub operations: u64,
}

/// Operations for deriving and compiling the steps of a method, unless others are asked for.
pub const OPERATIONS: u64 = 2_000_000_000;

impl Request {
    /// A method as it is usually run on a system: the one place where that is decided.
    #[must_use]
    pub fn new(
        system: &System,
        method: Method,
        step: Rational,
        time: &Rational,
        steps: u64,
    ) -> Self {
        let options = Options { tolerance: tolerance(&method, system), ..Options::new(step) };
        let backend = Backend::Native;
        let (time, limit, operations) = (time.clone(), None, OPERATIONS);
        Self { method, options, time, steps, limit, backend, operations }
    }
}

/// A system with everything that is measured on the way.
pub fn field(system: &System, conservation: &Conservation) -> Result<Field, FieldError> {
    let watched = conservation.conserved.iter().filter(|quantity| quantity.name != "energy");
    let watched: Vec<_> = watched.collect();
    let conserved: Vec<_> =
        watched.iter().map(|quantity| (quantity.name.clone(), quantity.expression)).collect();
    let mut field = Field::new(system, &conserved)?;
    let strict = watched.iter().enumerate().filter(|(_, quantity)| quantity.strict);
    field.strictly_conserved = strict.map(|(j, _)| j).collect();
    // What certificates speak of: momenta of motions of the group, Casimir functions of brackets.
    let certified = watched.iter().enumerate().filter(|(_, quantity)| match quantity.law {
        Law::Noether => quantity.generator.is_none(),
        law => law == Law::Casimir,
    });
    field.certified_conserved = certified.map(|(j, _)| j).collect();
    Ok(field)
}

/// A method for a system, compiled.
#[derive(Debug)]
pub struct Prepared {
    /// The steps.
    pub compiled: Compiled,
    /// How long that took.
    pub seconds: f64,
}

/// Why a run could not begin.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// The method makes no sense for the system.
    #[error("{reason}")]
    NotApplicable {
        /// Why.
        reason: String,
    },
    /// The run is longer than the table of an input.
    #[error(
        "the input `{name}` is a table from t = {} to t = {}, and the run goes from 0 to {time}",
        range[0],
        range[1]
    )]
    OutsideTable {
        /// The input.
        name: String,
        /// The first and the last time of its table.
        range: [f64; 2],
        /// The end of the run.
        time: f64,
    },
    /// The steps could not be derived.
    #[error(transparent)]
    Stepper(StepperError),
    /// They could not be compiled.
    #[error(transparent)]
    Machine(#[from] MachineError),
}

impl From<StepperError> for PrepareError {
    fn from(error: StepperError) -> Self {
        match error {
            StepperError::Discretise(DiscretiseError::NotApplicable { reason }) => {
                Self::NotApplicable { reason: reason.to_owned() }
            }
            error @ StepperError::NoDense => Self::NotApplicable { reason: error.to_string() },
            other => Self::Stepper(other),
        }
    }
}

/// Derives and compiles the steps of a method.
pub fn prepare(
    system: &System,
    field: &Field,
    request: &Request,
) -> Result<Prepared, PrepareError> {
    let start = crate::clock::Stopwatch::start();
    within_tables(system, request)?;
    let budget = &mut Budget::new(request.operations);
    let stepper = stepper(&request.method, system, field, &request.options, budget)?;
    let effort = Effort::for_steps(request.steps);
    let mut compiled = Compiled::with_effort(stepper, request.backend, effort)?;
    if request.options.monitors {
        compiled.promises = promises::of(system, field, &request.method);
    }
    Ok(Prepared { compiled, seconds: start.seconds() })
}

/// Are all inputs known during the whole run?
fn within_tables(system: &System, request: &Request) -> Result<(), PrepareError> {
    let time = request.time.to_f64();
    let inputs = system.model.system.state().map_or(&[][..], |state| &state.inputs);
    for input in inputs {
        let Some((first, last)) = input.range else { continue };
        let number = |id| {
            let ball =
                evaluate_ball(&system.model.pool, id, &FxHashMap::default(), Precision::new(64));
            ball.map_or(f64::NAN, |ball| ball.to_f64())
        };
        let range = [number(first), number(last)];
        let slack = 1e-9 * time.abs();
        if !(range[0] <= 0.0 && time <= range[1] + slack) {
            return Err(PrepareError::OutsideTable { name: input.name.clone(), range, time });
        }
    }
    Ok(())
}

/// What became of a run.
#[derive(Debug)]
pub struct RunEnd {
    /// The report.
    pub report: RunReport,
    /// The sink refused a row.
    pub sink: Option<SinkError>,
    /// What the initial values leave of the constraints.
    pub residuals: Residuals,
}

/// Runs from the initial values of the model.
pub fn run(
    model: &str,
    prepared: &Prepared,
    request: &Request,
    stride: Option<u64>,
    sink: &mut dyn Sink,
    control: &mut dyn FnMut(u64) -> Flow,
) -> RunEnd {
    let compiled = &prepared.compiled;
    let mut integration = match Integration::new(compiled) {
        Ok(integration) => integration,
        Err(failure) => {
            let report = report::not_begun(model, prepared, request, failure);
            return RunEnd { report, sink: None, residuals: Residuals::default() };
        }
    };
    let residuals = integration.residuals();
    let allowed = request.limit.unwrap_or(u64::MAX);
    let plan = Plan { steps: request.steps.min(allowed), stride };
    let start = crate::clock::Stopwatch::start();
    integration.watch_rank();
    let mut end = integrate(&mut integration, plan, sink, control);
    let seconds = start.seconds();
    if end.outcome == Outcome::Completed && request.steps > allowed {
        end.outcome = Outcome::StepLimit;
    }
    let report = report::report(model, prepared, request, &mut integration, &end, seconds);
    RunEnd { report, sink: end.sink, residuals }
}

/// Runs from the initial values of the model and shows what it has reached at the start, after
/// every `stride` steps and at the end. Looking does not count as time.
pub fn observe(
    model: &str,
    prepared: &Prepared,
    request: &Request,
    stride: u64,
    look: &mut dyn FnMut(&mut Integration<'_>) -> Flow,
) -> RunReport {
    let mut integration = match Integration::new(&prepared.compiled) {
        Ok(integration) => integration,
        Err(failure) => return report::not_begun(model, prepared, request, failure),
    };
    let allowed = request.limit.unwrap_or(u64::MAX);
    let steps = request.steps.min(allowed);
    let (mut seconds, mut done) = (0.0, 0);
    let mut end = End { outcome: Outcome::Completed, failure: None, sink: None };
    let mut flow = look(&mut integration);
    while done < steps {
        if flow == Flow::Stop {
            end.outcome = Outcome::Interrupted;
            break;
        }
        let ask = stride.max(1).min(steps - done);
        let start = crate::clock::Stopwatch::start();
        let advanced = integration.advance(ask);
        seconds += start.seconds();
        done = integration.steps;
        if let Err(failure) = advanced {
            end.outcome = failure.outcome;
            end.failure = Some(failure);
            break;
        }
        flow = look(&mut integration);
    }
    if end.outcome == Outcome::Completed && request.steps > allowed {
        end.outcome = Outcome::StepLimit;
    }
    report::report(model, prepared, request, &mut integration, &end, seconds)
}

/// What the initial values leave of the constraints; `None` where nothing can be evaluated there.
#[must_use]
pub fn initial_residuals(system: &System, field: &Field) -> Option<Residuals> {
    let budget = &mut Budget::new(200_000_000);
    let method = Method::named("euler", budget).ok()??;
    let options = Options::new(Rational::ONE);
    let stepper = stepper(&method, system, field, &options, budget).ok()?;
    let compiled = Compiled::new(stepper, Backend::Interpreter).ok()?;
    Some(Integration::new(&compiled).ok()?.residuals())
}

/// The time of the motion at the start; `None` where nothing moves.
#[must_use]
pub fn time_scale(system: &System, field: &Field) -> Option<f64> {
    let stepper = with_free_steps(system, field)?;
    stepper.scaling.time(&stepper.initial, &stepper.parameters)
}

/// The sizes of the problem at its start; of what has none, nothing.
#[must_use]
pub fn problem_sizes(system: &System) -> ProblemSizes {
    let sizes = || {
        let field = Field::new(system, &[]).ok()?;
        let stepper = with_free_steps(system, &field)?;
        let scales = stepper.scaling.measure(&stepper.initial, &stepper.parameters);
        Some(ProblemSizes {
            time: stepper.scaling.time(&stepper.initial, &stepper.parameters),
            position: scales.position,
            velocity: scales.velocity,
            energy: Some(scales.energy),
        })
    };
    sizes().unwrap_or_default()
}

/// A method without a step of its own.
fn with_free_steps(system: &System, field: &Field) -> Option<Stepper> {
    let budget = &mut Budget::new(OPERATIONS);
    // Where steps are all the same the time is never shorter than one: 1e-200 is shorter than every time there is.
    let (name, step) = match field.rotations.is_empty() {
        true => ("dop853", Rational::ONE),
        false => ("lie-midpoint", Rational::from_f64(1e-200)?),
    };
    let method = Method::named(name, budget).ok()??;
    stepper(&method, system, field, &Options::new(step), budget).ok()
}

/// The report of a method that makes no sense for the model.
#[must_use]
pub fn not_applicable(model: &str, field: &Field, request: &Request, reason: &str) -> RunReport {
    report::not_applicable(model, field, request, reason)
}
