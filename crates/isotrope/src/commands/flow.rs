//! `isotrope flow`: derivatives of the discrete flow.

use isotrope_algebra::Pool;
use isotrope_kernel::backend::Backend;
use isotrope_kernel::stepper::Options;
use isotrope_model::Model;
use isotrope_study::flow::{self, FlowReport, Target, Wanted};
use isotrope_study::run::{self, Request};

use super::answer;
use super::integrating::{Ready, exact, json, ready, refuse, refuse_length, warn_inconsistent};
use crate::cli::{BackendName, Flow, FlowCheck};
use crate::diagnostics;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::run::{constant, method};

/// Runs the command.
pub fn run(arguments: &Flow) -> Exit {
    let mut bytes = Vec::new();
    let asked = ready(&arguments.model, &mut bytes, |model| {
        Ok((request(arguments, model)?, wanted(arguments)?))
    });
    let ((request, wanted), Ready { system, field, .. }) = match asked {
        Ok(ready) => ready,
        Err(exit) => return exit,
    };
    warn_inconsistent(run::initial_violations(&system, &field));
    let progress = Progress::start("differentiating and making steps");
    let report = flow::flow(&system, &field, &request, &wanted);
    drop(progress);
    match report {
        Ok(report) => {
            note_cost(&report);
            if arguments.check == Some(FlowCheck::Poisson) && report.poisson.is_none() {
                diagnostics::note(Some(
                    "--check poisson: the system has no bracket that its motion keeps; [poisson] models have",
                ));
            }
            let text = if arguments.json { json(&report) } else { report.to_text() };
            answer(arguments.out.as_deref(), &text, exit(arguments, &report))
        }
        Err(error) => refuse(error.code(), &error.to_string(), error.hint()),
    }
}

/// Times differ from run to run: they are no part of the answer.
fn note_cost(report: &FlowReport) {
    let Some(cost) = &report.cost else { return };
    let ratio = cost.seconds_per_step_with_derivatives / cost.seconds_per_step;
    if ratio.is_finite() {
        diagnostics::note(Some(&format!(
            "a step takes {:.0} ns, with {} directions {:.0} ns: {ratio:.1} times as long",
            1e9 * cost.seconds_per_step,
            cost.directions,
            1e9 * cost.seconds_per_step_with_derivatives,
        )));
    }
}

fn exit(arguments: &Flow, report: &FlowReport) -> Exit {
    let judged = match arguments.check {
        Some(FlowCheck::Symplectic) => report.symplectic.verdict == "symplectic",
        Some(FlowCheck::Poisson) => report.poisson.as_ref().is_some_and(|found| found.is_kept()),
        None => true,
    };
    if judged && report.is_good() { Exit::Done } else { Exit::Negative }
}

fn request(arguments: &Flow, model: &Model) -> Result<Request, Exit> {
    let step = exact(arguments.step.as_deref(), model.run.step, "step", &model.pool)?;
    let time = exact(arguments.time.as_deref(), model.run.time, "time", &model.pool)?;
    let steps = run::steps(&time, &step).map_err(|error| refuse_length(&error))?;
    let method = method(&arguments.method)?;
    let tolerance = method.tolerance();
    let options = Options { tolerance, monitors: false, ..Options::new(step) };
    let backend = match arguments.backend {
        BackendName::Native => Backend::Native,
        BackendName::Interpreter => Backend::Interpreter,
    };
    Ok(Request { method, options, time, steps, limit: None, backend })
}

fn wanted(arguments: &Flow) -> Result<Wanted, Exit> {
    let names = |list: &[String]| -> Vec<String> {
        let names = list.iter().map(|name| name.trim().to_owned());
        names.filter(|name| !name.is_empty()).collect()
    };
    if arguments.sensitivity.iter().any(|name| name.trim().is_empty()) {
        let hint =
            "name parameters, coordinates or velocities, separated by commas: --sensitivity g,x,x'";
        return Err(refuse("ISO-FLOW-003", "--sensitivity has an empty name", hint));
    }
    let target = if arguments.periodic {
        Some(Target::Periodic { fixed: names(&arguments.fix) })
    } else if arguments.shoot.is_empty() {
        None
    } else {
        let list = arguments.shoot.iter().map(|text| assignment(text));
        Some(Target::Positions(list.collect::<Result<_, _>>()?))
    };
    Ok(Wanted {
        lyapunov: arguments.lyapunov,
        sensitivity: names(&arguments.sensitivity),
        second: arguments.second,
        target,
    })
}

/// NAME=VALUE.
fn assignment(text: &str) -> Result<(String, f64), Exit> {
    let hint = "write NAME=VALUE for each coordinate, separated by commas: --shoot \"x=1,y=0\"";
    let refused = |reason: String| refuse("ISO-FLOW-006", &reason, hint);
    let (name, value) =
        text.split_once('=').ok_or_else(|| refused(format!("`{text}` is no target")))?;
    let value = constant(Some(value.trim()), None, &Pool::new())
        .map_err(|reason| refused(format!("the target of {}: {reason}", name.trim())))?;
    Ok((name.trim().to_owned(), value.to_f64()))
}
