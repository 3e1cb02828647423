//! `isotrope convergence`: measured orders beside the computed ones.

use isotrope_model::Model;
use isotrope_study::convergence::{Plan, Verdict, convergence};
use isotrope_study::run;

use super::answer;
use super::integrating::{
    Ready, exact, flow, interrupt, json, ready, refuse_length, warn_inconsistent,
};
use crate::cli::Convergence;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::run::{Drawing, methods, suggested};

/// Runs the command.
pub fn run(arguments: &Convergence) -> Exit {
    let mut bytes = Vec::new();
    let ask =
        |model: &Model| Ok((Drawing::new(arguments.plot.as_deref())?, plan(arguments, model)?));
    let ((drawing, plan), Ready { system, field, .. }) =
        match ready(&arguments.model, &mut bytes, ask) {
            Ok(ready) => ready,
            Err(exit) => return exit,
        };
    warn_inconsistent(run::initial_violations(&system, &field));
    let stop = interrupt();
    let progress = Progress::start("measuring orders");
    let name = system.model.name.clone();
    let measured = convergence(&name, (&system, &field), &plan, &mut |_| flow(&stop));
    drop(progress);
    let measured = match measured {
        Ok(measured) => measured,
        Err(error) => return refuse_length(&error),
    };
    if let Some(drawing) = drawing
        && let Err(error) = drawing.write(&measured.chart())
    {
        return error.report();
    }
    let disagrees = measured.rows.iter().any(|row| row.verdict == Some(Verdict::Disagrees));
    let exit = if disagrees { Exit::Negative } else { Exit::Done };
    let text = if arguments.json { json(&measured) } else { measured.to_text() };
    answer(arguments.out.as_deref(), &text, exit)
}

/// What the arguments ask for.
fn plan(arguments: &Convergence, model: &Model) -> Result<Plan, Exit> {
    let step = exact(Some(&arguments.step), None, "step", &model.pool)?;
    let time = exact(Some(&arguments.time), None, "time", &model.pool)?;
    let list = arguments.methods.as_deref().unwrap_or_else(|| suggested(model));
    let methods = methods(list)?;
    Ok(Plan { methods, step, levels: arguments.levels, time })
}
