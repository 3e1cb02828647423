//! `isotrope drift`: what methods do in the long run.

use std::path::Path;

use isotrope_algebra::{Budget, Rational};
use isotrope_kernel::backend::Backend;
use isotrope_kernel::integrate::Flow;
use isotrope_kernel::stepper::Options;
use isotrope_model::Model;
use isotrope_study::drift::{self, DriftReport, Section};
use isotrope_study::run::{self, PrepareError, Request, prepare};
use isotrope_study::writers::{WriteError, open};

use super::answer;
use super::integrating::{
    PREPARE_BUDGET, Ready, exact, flow, interrupt, json, ready, refuse, refuse_length,
    warn_inconsistent,
};
use crate::cli::Drift;
use crate::diagnostics;
use crate::exit::Exit;
use crate::progress::{Bar, Progress};
use crate::run::{method, methods};

/// Runs the command.
pub fn run(arguments: &Drift) -> Exit {
    let mut bytes = Vec::new();
    let asked = ready(&arguments.model, &mut bytes, |model| requests(arguments, model));
    let (requests, Ready { system, field, .. }) = match asked {
        Ok(ready) => ready,
        Err(exit) => return exit,
    };
    let section = match &arguments.section {
        Some(text) => match Section::new(&system, text) {
            Ok(section) => Some(section),
            Err(error) => {
                let message = format!("the section `{text}` cannot be used: {error}");
                let hint = "write an expression in coordinates, velocities (x') and parameters, or an \
                            equation: \"x = 0\"";
                return refuse("ISO-DRIFT-002", &message, hint);
            }
        },
        None => None,
    };
    warn_inconsistent(run::initial_violations(&system, &field));
    let forced = system
        .mechanics
        .dynamics()
        .is_some_and(|(dynamics, _)| dynamics.working.iter().any(|force| !force.is_zero()));
    let stop = interrupt();
    let mut rows = Vec::with_capacity(requests.len());
    for request in &requests {
        let name = request.method.name();
        let progress = Progress::start("deriving and compiling the steps");
        let prepared = prepare(&system, &field, request, &mut Budget::new(PREPARE_BUDGET));
        drop(progress);
        rows.push(match prepared {
            Ok(prepared) => {
                let bar = Bar::start(request.steps, "steps");
                let mut control = |done: u64| {
                    bar.set(done);
                    flow(&stop)
                };
                let row = drift::drift(&system, &prepared, request, section.as_ref(), &mut control);
                // Forces change dq∧dp by themselves: no defect of a method.
                let form_defect_max = row.form_defect_max.filter(|_| !forced);
                drift::DriftRow { form_defect_max, ..row }
            }
            Err(PrepareError::NotApplicable { reason }) => drift::not_applicable(request, &reason),
            Err(error) => {
                let message = format!("the steps of `{name}` cannot be made: {error}");
                return refuse("ISO-RUN-006", &message, "take a smaller system or another method");
            }
        });
        if flow(&stop) == Flow::Stop {
            break;
        }
    }
    let report = DriftReport {
        model: system.model.name.clone(),
        section: arguments.section.clone(),
        coordinates: system.symbols.names.clone(),
        rows,
    };
    if let Some(path) = &arguments.out
        && let Err(error) = write_crossings(path, &report)
    {
        diagnostics::plain(error.code(), &error.to_string(), Some(&error.hint()));
        return Exit::CouldNotRun;
    }
    let text = if arguments.json { json(&report) } else { report.to_text() };
    let completed = report.rows.iter().all(|row| row.outcome == "completed");
    answer(None, &text, if completed { Exit::Done } else { Exit::Negative })
}

/// A request for each method.
fn requests(arguments: &Drift, model: &Model) -> Result<Vec<Request>, Exit> {
    let mut steps: Vec<Rational> = Vec::new();
    if arguments.step.is_empty() {
        steps.push(exact(None, model.run.step, "step", &model.pool)?);
    }
    for text in &arguments.step {
        steps.push(exact(Some(text), None, "step", &model.pool)?);
    }
    let mut wanted = Vec::with_capacity(arguments.methods.len());
    for name in &arguments.methods {
        match name.as_str() {
            "seeds" | "all" | "lie" => wanted.extend(methods(name)?),
            name => wanted.push(method(name)?),
        }
    }
    if steps.len() != 1 && steps.len() != wanted.len() {
        let message = format!("{} steps for {} methods", steps.len(), wanted.len());
        let hint = "give one step for all methods, or one for each";
        return Err(refuse("ISO-DRIFT-001", &message, hint));
    }
    let time = exact(arguments.time.as_deref(), model.run.time, "time", &model.pool)?;
    let mut requests = Vec::with_capacity(wanted.len());
    for (k, method) in wanted.into_iter().enumerate() {
        let step = steps.get(k).or(steps.first()).cloned().unwrap_or(Rational::ZERO);
        let count = run::steps(&time, &step).map_err(|error| refuse_length(&error))?;
        let options = Options { tolerance: method.tolerance(), ..Options::new(step) };
        let backend = Backend::Native;
        requests.push(Request {
            method,
            options,
            time: time.clone(),
            steps: count,
            limit: None,
            backend,
        });
    }
    Ok(requests)
}

/// Crossings of all methods as rows: number of the method, time, positions, velocities, direction.
fn write_crossings(path: &Path, report: &DriftReport) -> Result<(), WriteError> {
    let mut columns = vec!["method".to_owned(), "t".to_owned()];
    columns.extend(report.coordinates.iter().cloned());
    columns.extend(report.coordinates.iter().map(|name| format!("v_{name}")));
    columns.push("direction".to_owned());
    let mut writer = open(path, &columns)?;
    for (k, row) in report.rows.iter().enumerate() {
        for crossing in row.crossings.iter().flatten() {
            let mut line = vec![(k + 1) as f64, crossing.t];
            line.extend(&crossing.q);
            line.extend(&crossing.v);
            line.push(f64::from(crossing.direction));
            if writer.row(&line).is_err() {
                break;
            }
        }
    }
    let written = writer.finish()?;
    diagnostics::note(Some(&format!("{} rows in {}", written.rows, written.path.display())));
    Ok(())
}
