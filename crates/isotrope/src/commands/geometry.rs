//! `isotrope geometry`: Dirac structures, brackets and homological fields.

use isotrope_algebra::Budget;
use isotrope_algebra::syntax::Span;
use isotrope_kernel::backend::Backend;
use isotrope_kernel::stepper::{Method, Options};
use isotrope_model::Model;
use isotrope_model::file_errors::FileError;
use isotrope_scheme::derive::{Analysis, System};
use isotrope_scheme::geometry::file::{GeometryCode, GeometryText, is_geometry, parse_geometry};
use isotrope_scheme::geometry::{GeometryError, examine, examine_model};

use isotrope_study::run::{self, PrepareError, Request};
use isotrope_study::structure::{StructureReport, along_trajectory, not_applicable};

use super::integrating::{
    exact, flow, interrupt, no_group, refuse, refuse_length, warn_inconsistent,
};
use super::{answer, derive_and_analyse, display_name, parse, read, width};
use crate::cli::{Geometry, ModelArguments};
use crate::diagnostics;
use crate::exit::Exit;
use crate::progress::{Bar, Progress};
use crate::report::Format;
use crate::run::methods;
use crate::structure::{Heading, write};

/// Operations for everything that is asked of one object.
const BUDGET: u64 = 50_000_000;

/// Runs the command.
pub fn run(arguments: &Geometry) -> Exit {
    let bytes = match read(&arguments.file) {
        Ok(bytes) => bytes,
        Err(error) => return error.report(),
    };
    if is_geometry(&bytes) { of_file(arguments, &bytes) } else { of_model(arguments, &bytes) }
}

fn format(arguments: &Geometry) -> Format {
    match (arguments.json, arguments.latex, arguments.html) {
        (true, ..) => Format::Json,
        (_, true, _) => Format::Latex,
        (_, _, true) => Format::Html,
        _ => Format::Text { width: width() },
    }
}

fn of_file(arguments: &Geometry, bytes: &[u8]) -> Exit {
    if let Some(set) = arguments.set.first() {
        let message = format!("`--set {set}` is for models; this is a geometry file");
        let hint = "change the value under `parameters` in the file";
        diagnostics::plain(&GeometryCode::Argument.to_string(), &message, Some(hint));
        return Exit::CouldNotRun;
    }
    if let Some(method) = arguments.methods.first() {
        let message = format!("`--methods {method}` is for models; this is a geometry file");
        diagnostics::plain(
            &GeometryCode::Argument.to_string(),
            &message,
            Some("methods make trajectories of models with a [lagrangian]"),
        );
        return Exit::CouldNotRun;
    }
    let name = display_name(&arguments.file);
    let refuse = |errors: &[FileError<GeometryCode>]| {
        diagnostics::show(&diagnostics::render_file_errors(&name, bytes, errors));
        Exit::CouldNotRun
    };
    let mut file = match parse_geometry(&GeometryText::new(&name, bytes)) {
        Ok(file) => file,
        Err(errors) => return refuse(&errors),
    };
    let progress = Progress::start("examining the object");
    let report = examine(&mut file, &mut Budget::new(BUDGET));
    drop(progress);
    match report {
        Ok(report) => {
            let heading = Heading { name: file.name, description: file.description };
            let text = write(&mut file.pool, &heading, &report, None, format(arguments));
            answer(arguments.out.as_deref(), &text, Exit::Done)
        }
        Err(error) => refuse(&[in_file(&error, file.place)]),
    }
}

/// The error where it belongs, or at the object.
fn in_file(error: &GeometryError, object: Span) -> FileError<GeometryCode> {
    FileError {
        span: error.span().filter(|span| *span != Span::default()).unwrap_or(object),
        code: error.code(),
        message: error.to_string(),
        hint: error.hint().to_owned(),
        labels: Vec::new(),
    }
}

fn of_model(arguments: &Geometry, bytes: &[u8]) -> Exit {
    let model = ModelArguments {
        model: arguments.file.clone(),
        set: arguments.set.clone(),
        initial: arguments.initial.clone(),
    };
    let (model, origin) = match parse(&model, bytes) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let requests = match requests(arguments, &model) {
        Ok(requests) => requests,
        Err(exit) => return exit,
    };
    let (mut system, analysis) = match derive_and_analyse(model, &origin) {
        Ok(derived) => derived,
        Err(exit) => return exit,
    };
    let progress = Progress::start("examining the Dirac structure");
    let report = examine_model(&mut system, &analysis, &mut Budget::new(BUDGET));
    drop(progress);
    let trajectories = match along(&requests, arguments.per_step, &system, &analysis) {
        Ok(trajectories) => trajectories,
        Err(exit) => return exit,
    };
    match report {
        Ok(report) => {
            let model = &mut system.model;
            let heading =
                Heading { name: model.name.clone(), description: model.description.clone() };
            let completed = trajectories
                .iter()
                .flat_map(|found: &StructureReport| &found.rows)
                .all(|row| row.outcome == "completed");
            let trajectories = trajectories.as_ref();
            let text = write(&mut model.pool, &heading, &report, trajectories, format(arguments));
            let exit = if completed { Exit::Done } else { Exit::Negative };
            answer(arguments.out.as_deref(), &text, exit)
        }
        Err(error) => {
            let code = error.code().to_string();
            diagnostics::plain(&code, &error.to_string(), Some(error.hint()));
            Exit::CouldNotRun
        }
    }
}

/// A request for each method.
fn requests(arguments: &Geometry, model: &Model) -> Result<Vec<Request>, Exit> {
    if arguments.methods.is_empty() {
        return Ok(Vec::new());
    }
    no_group(model, "structure defects")?;
    let wanted = methods(&arguments.methods.join(","))?;
    let step = exact(arguments.step.as_deref(), model.run.step, "step", &model.pool)?;
    let time = exact(arguments.time.as_deref(), model.run.time, "time", &model.pool)?;
    let steps = run::steps(&time, &step).map_err(|error| refuse_length(&error))?;
    let request = |method: Method| Request {
        options: Options { tolerance: method.tolerance(), ..Options::new(step.clone()) },
        method,
        time: time.clone(),
        steps,
        limit: None,
        backend: Backend::Native,
    };
    Ok(wanted.into_iter().map(request).collect())
}

/// How far the steps of all methods are from the structure.
fn along(
    requests: &[Request],
    per_step: bool,
    system: &System,
    analysis: &Analysis,
) -> Result<Option<StructureReport>, Exit> {
    if requests.is_empty() {
        return Ok(None);
    }
    let field = run::field(system, analysis)
        .map_err(|error| refuse("ISO-RUN-006", &error.to_string(), "see docs/run.md"))?;
    warn_inconsistent(run::initial_violations(system, &field));
    let stop = interrupt();
    let mut rows = Vec::with_capacity(requests.len());
    for request in requests {
        // Twice as many steps are made with half the step.
        let bar = Bar::start(3 * request.steps, "steps");
        let mut made = 0;
        let mut control = |_: u64| {
            made += 1;
            bar.set(made);
            flow(&stop)
        };
        let row =
            along_trajectory(system, &field, request, per_step, &mut control).map_err(|error| {
                let hint = "take a model with a [lagrangian] and masses";
                refuse("ISO-RUN-020", &error.to_string(), hint)
            })?;
        rows.push(match row {
            Ok(row) => row,
            Err(PrepareError::NotApplicable { reason }) => not_applicable(request, &reason),
            Err(error) => {
                let name = request.method.name();
                let message = format!("the steps of `{name}` cannot be made: {error}");
                return Err(refuse("ISO-RUN-006", &message, "take another method"));
            }
        });
    }
    Ok(Some(StructureReport { rows }))
}
