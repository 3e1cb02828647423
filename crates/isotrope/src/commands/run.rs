//! `isotrope run`: a model, a method, a trajectory, and what was kept.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use isotrope_algebra::Budget;
use isotrope_kernel::backend::Backend;
use isotrope_kernel::integrate::{MemberEnd, SinkError, row};
use isotrope_kernel::stepper::{Field, Method, Options};
use isotrope_model::SystemKind;
use isotrope_scheme::derive::System;
use isotrope_study::ensemble::{Names, Rates, read_ensemble};
use isotrope_study::run::{
    self, EnsembleReport, PrepareError, Prepared, Request, RunEnd, members, not_applicable,
    prepare, run_members,
};
use isotrope_study::writers::{
    Columns, Wav, WriteError, Writer, group_columns, is_sound, open, trajectory_columns,
};

use super::integrating::{
    PREPARE_BUDGET, Ready, exact, flow, interrupt, json, no_group, ready, refuse, refuse_length,
    usable_tolerance, warn_inconsistent,
};
use super::{answer, display_name, read};
use crate::cli::{BackendName, Run};
use crate::diagnostics;
use crate::exit::Exit;
use crate::progress::{Bar, Progress};
use crate::run::{Drawings, Kept, ensemble_to_json, ensemble_to_text, method};

/// What is used where neither the command nor the model says.
const METHOD: &str = "gauss-2";
/// The same on Lie groups.
const GROUP_METHOD: &str = "lie-cayley";

/// The tolerance of steps that balance power.
const BALANCE: f64 = 1e-14;
/// Columns of what goes through ports.
const PORTS: [&str; 3] = ["supplied", "dissipated", "power_balance"];

/// Runs the command.
pub fn run(arguments: &Run) -> Exit {
    let mut bytes = Vec::new();
    let asked = ready(&arguments.model, &mut bytes, |model| request(arguments, model));
    let (request, Ready { system, field, .. }) = match asked {
        Ok(ready) => ready,
        Err(exit) => return exit,
    };
    let progress = Progress::start("deriving and compiling the steps");
    let prepared = prepare(&system, &field, &request, &mut Budget::new(PREPARE_BUDGET));
    drop(progress);
    let name = system.model.name.clone();
    match prepared {
        Ok(prepared) => {
            let job = Job { arguments, system: &system, request: &request, prepared: &prepared };
            match &arguments.ensemble {
                Some(path) => job.ensemble(path, &name),
                None => job.single(&name),
            }
        }
        Err(PrepareError::NotApplicable { reason }) => {
            refused_by_method(arguments, &name, &field, &request, &reason)
        }
        Err(error @ PrepareError::OutsideTable { .. }) => {
            let hint = "shorten the run, or add rows to the table of the input";
            refuse("ISO-RUN-006", &error.to_string(), hint)
        }
        Err(error) => refuse(
            "ISO-RUN-006",
            &format!("the steps of `{}` cannot be made: {error}", request.method.name()),
            "take a smaller system or another method",
        ),
    }
}

/// A method that makes no sense for the model is an answer, not an accident.
fn refused_by_method(
    arguments: &Run,
    name: &str,
    field: &Field,
    request: &Request,
    reason: &str,
) -> Exit {
    let report = not_applicable(name, field, request, reason);
    let text = if arguments.json { json(&report) } else { report.to_text() };
    answer(None, &text, Exit::Negative)
}

fn refuse_to_write(error: &WriteError) -> Exit {
    diagnostics::plain(error.code(), &error.to_string(), Some(&error.hint()));
    Exit::CouldNotRun
}

/// What the arguments and the model ask for.
fn request(arguments: &Run, model: &isotrope_model::Model) -> Result<Request, Exit> {
    if let Some(tolerance) = arguments.tolerance {
        usable_tolerance(tolerance)?;
    }
    if arguments.stride == Some(0) || arguments.threads == Some(0) {
        let message = "--stride and --threads count from 1";
        return Err(refuse("ISO-RUN-002", message, "leave them out, or give a larger number"));
    }
    let step = exact(arguments.step.as_deref(), model.run.step, "step", &model.pool)?;
    let time = exact(arguments.time.as_deref(), model.run.time, "time", &model.pool)?;
    let steps = run::steps(&time, &step).map_err(|error| refuse_length(&error))?;
    let usual = if model.group.is_some() { GROUP_METHOD } else { METHOD };
    let name = arguments.method.as_deref().or(model.run.method.as_deref()).unwrap_or(usual);
    let method: Method = method(name)?;
    let options = Options {
        tolerance: arguments.tolerance.unwrap_or_else(|| match model.system.state() {
            // What iterations leave undone is missing in the balance.
            Some(_) if method.balances_power() => BALANCE,
            _ => method.tolerance(),
        }),
        compensated: arguments.compensated,
        dense: arguments.dense.unwrap_or(1),
        ..Options::new(step)
    };
    let backend = match arguments.backend {
        BackendName::Native => Backend::Native,
        BackendName::Interpreter => Backend::Interpreter,
    };
    Ok(Request { method, options, time, steps, limit: arguments.max_steps, backend })
}

/// Everything a run needs.
struct Job<'a> {
    arguments: &'a Run,
    system: &'a System,
    request: &'a Request,
    prepared: &'a Prepared,
}

impl Job<'_> {
    fn columns(&self) -> Vec<String> {
        let stepper = &self.prepared.compiled.stepper;
        if stepper.rotations.is_empty() {
            let mut columns = trajectory_columns(&stepper.names, &stepper.constraint_names);
            let momentum = 1 + 2 * stepper.names.len();
            if !stepper.has_momenta {
                columns.drain(momentum..momentum + stepper.names.len());
            }
            if !stepper.has_energy {
                columns.pop();
            }
            columns.extend(stepper.output_names.iter().cloned());
            if stepper.layout.ports {
                columns.extend(PORTS.map(str::to_owned));
            }
            columns.extend(stepper.shown.iter().map(|(name, _)| name.clone()));
            return columns;
        }
        group_columns(&stepper.names, &stepper.rate_names, &stepper.constraint_names)
    }

    /// One column as sound.
    fn sound(&self, path: &std::path::Path) -> Result<Box<dyn Writer>, WriteError> {
        let stepper = &self.prepared.compiled.stepper;
        let stride = self.arguments.stride.unwrap_or(1) as f64;
        let rows = f64::from(self.arguments.dense.unwrap_or(1));
        let rate = rows / (stepper.step.abs() * stride);
        let whole = rate.round();
        if !((1.0..=f64::from(u32::MAX / 4)).contains(&whole)
            && (rate - whole).abs() <= 1e-6 * rate)
        {
            return Err(WriteError::Rate { rate });
        }
        let first = stepper.output_names.first().or(stepper.names.first());
        let signal = self.arguments.signal.as_ref().or(first).map_or("", String::as_str);
        let columns = Columns::new(&self.columns())?;
        Ok(Box::new(Wav::create(path, &columns, signal, whole as u32)?))
    }

    /// What the user should know although the run goes on.
    fn warn(&self, violations: [f64; 2]) {
        warn_inconsistent(Some(violations));
        match &self.request.method {
            Method::Table(table) => {
                let entries = table.to_f64(&mut Budget::new(PREPARE_BUDGET));
                let sum: f64 = entries.map_or(1.0, |entries| entries.b.iter().sum());
                if (sum - 1.0).abs() > 1e-12 {
                    diagnostics::note(Some(
                        "warning: the weights of the table do not sum up to 1; \
                         `isotrope certify FILE` computes its order",
                    ));
                }
            }
            method if self.arguments.compensated && !method.can_compensate() => {
                let name = method.name();
                diagnostics::note(Some(&format!(
                    "warning: --compensated changes nothing for {name}"
                )));
            }
            Method::Composition(_) | Method::Equations(_) | Method::Dop853 => {}
        }
    }

    /// One run from the initial values of the model.
    fn single(&self, name: &str) -> Exit {
        let stepper = &self.prepared.compiled.stepper;
        let mut drawings = match Drawings::new(self.arguments, stepper) {
            Ok(drawings) => drawings,
            Err(exit) => return exit,
        };
        let mut writer: Option<Box<dyn Writer>> = None;
        if let Some(path) = &self.arguments.out {
            let opened = match is_sound(path) {
                true => self.sound(path),
                false => open(path, &self.columns()),
            };
            match opened {
                Ok(opened) => writer = Some(opened),
                Err(error) => return refuse_to_write(&error),
            }
        }
        let stop = interrupt();
        let bar = Bar::start(self.request.steps, "steps");
        let mut control = |done: u64| {
            bar.set(done);
            flow(&stop)
        };
        let wanted = writer.is_some() || drawings.is_some();
        let stride = wanted.then(|| self.arguments.stride.unwrap_or(1));
        let mut kept = Kept { writer: writer.as_mut(), drawings: drawings.as_mut() };
        let RunEnd { report, sink, violations } =
            run::run(name, self.prepared, self.request, stride, &mut kept, &mut control);
        drop(bar);
        self.warn(violations);
        let written = match finish(writer, sink) {
            Ok(written) => written,
            Err(exit) => return exit,
        };
        let (model, method) = (name.replace('$', "\\$"), report.method.replace('$', "\\$"));
        let title = format!("{model}: {method}, $h = {}$", report.step);
        let drawn = match drawings.map_or(Ok(Vec::new()), |drawings| drawings.write(&title)) {
            Ok(drawn) => drawn,
            Err(error) => return error.report(),
        };
        diagnostics::note(report.timing().as_deref());
        for line in written.iter().chain(&drawn) {
            diagnostics::note(Some(line));
        }
        let exit = if report.outcome.is_success() { Exit::Done } else { Exit::Negative };
        let text = if self.arguments.json { json(&report) } else { report.to_text() };
        answer(None, &text, exit)
    }

    /// Every member of a table.
    fn ensemble(&self, path: &std::path::Path, name: &str) -> Exit {
        if let Err(exit) = no_group(&self.system.model, "ensembles") {
            return exit;
        }
        let bytes = match read(path) {
            Ok(bytes) => bytes,
            Err(error) => return error.report(),
        };
        let model = &self.system.model;
        let parameters: Vec<(&str, bool)> =
            model.parameters.iter().map(|p| (p.name.as_str(), p.structural)).collect();
        let coordinates: Vec<&str> = model.coordinates.iter().map(|c| c.name.as_str()).collect();
        let rates = match model.system {
            SystemKind::Lagrangian { .. } => Rates::Velocities,
            SystemKind::Hamiltonian { .. } => Rates::Momenta,
            SystemKind::State(_) => {
                let message = "ensembles start from positions and velocities or momenta, and a state \
                               has neither";
                return refuse(
                    "ISO-RUN-005",
                    message,
                    "run the members one by one, with --initial",
                );
            }
        };
        let names = Names { parameters: &parameters, coordinates: &coordinates, rates };
        let ensemble = match read_ensemble(&bytes, &names) {
            Ok(ensemble) => ensemble,
            Err(errors) => {
                let name = display_name(path);
                let text = diagnostics::render_ensemble_errors(&name, &bytes, &errors);
                diagnostics::show(&text);
                return Exit::CouldNotRun;
            }
        };
        let stepper = &self.prepared.compiled.stepper;
        let members = match members(self.system, stepper, &ensemble) {
            Ok(members) => members,
            Err(error) => {
                return refuse("ISO-RUN-005", &error.to_string(), "change the table of members");
            }
        };
        let same = |other: &std::path::Path| {
            std::fs::canonicalize(path).ok() == std::fs::canonicalize(other).ok()
        };
        if self.arguments.out.as_deref().is_some_and(|out| out.exists() && same(out)) {
            let message = "--out would overwrite the table of members";
            return refuse("ISO-RUN-008", message, "write to another file");
        }
        let mut columns = vec!["member".to_owned(), "completed".to_owned()];
        columns.extend(self.columns());
        let mut writer: Option<Box<dyn Writer>> = None;
        if let Some(path) = &self.arguments.out {
            match open(path, &columns) {
                Ok(opened) => writer = Some(opened),
                Err(error) => return refuse_to_write(&error),
            }
        }
        let stop = interrupt();
        let made = Arc::new(AtomicU64::new(0));
        let threads = self.arguments.threads.unwrap_or_else(|| {
            std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
        });
        let bar = Bar::watch(self.request.steps * members.len() as u64, "steps", &made);
        let (report, ends) =
            run_members(name, self.prepared, self.request, &members, threads, (&stop, &made));
        drop(bar);
        self.finish_ensemble(&report, &ends, writer)
    }

    fn finish_ensemble(
        &self,
        report: &EnsembleReport,
        ends: &[MemberEnd],
        mut writer: Option<Box<dyn Writer>>,
    ) -> Exit {
        let mut sink_error = None;
        if let Some(writer) = &mut writer {
            let stepper = &self.prepared.compiled.stepper;
            let (mut line, mut values) = (Vec::new(), Vec::new());
            for (k, end) in ends.iter().enumerate() {
                row(stepper, &end.state, &mut values);
                line.clear();
                line.push((k + 1) as f64);
                line.push(if end.outcome.is_success() { 1.0 } else { 0.0 });
                line.extend_from_slice(&values);
                if let Err(error) = writer.row(&line) {
                    sink_error = Some(error);
                    break;
                }
            }
        }
        let written = match finish(writer, sink_error) {
            Ok(written) => written,
            Err(exit) => return exit,
        };
        diagnostics::note(Some(&format!(
            "compiled in {:.3} s, ran for {:.3} s",
            report.compile_seconds, report.run_seconds
        )));
        diagnostics::note(written.as_deref());
        let all = report.completed == report.members.len();
        let text =
            if self.arguments.json { ensemble_to_json(report) } else { ensemble_to_text(report) };
        answer(None, &text, if all { Exit::Done } else { Exit::Negative })
    }
}

/// Completes a file; a line about it.
fn finish(
    writer: Option<Box<dyn Writer>>,
    failed: Option<SinkError>,
) -> Result<Option<String>, Exit> {
    if let Some(error) = failed {
        return Err(match error.inner().downcast_ref::<WriteError>() {
            Some(error) => refuse_to_write(error),
            None => refuse("ISO-FILE-005", &error.to_string(), "is the disk full?"),
        });
    }
    let Some(writer) = writer else { return Ok(None) };
    match writer.finish() {
        Ok(written) => {
            let scaled = written
                .scale
                .map_or_else(String::new, |scale| format!(", as sound: numbers times {scale}"));
            Ok(Some(format!("{} rows in {}{scaled}", written.rows, written.path.display())))
        }
        Err(error) => Err(refuse_to_write(&error)),
    }
}
