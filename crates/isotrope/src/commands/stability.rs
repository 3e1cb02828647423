//! `isotrope stability`: equilibria along a parameter, critical values, and what methods make of
//! them.

use isotrope_algebra::Budget;
use isotrope_kernel::stepper::Options;
use isotrope_model::Model;
use isotrope_study::stability::{
    Asked, Request, StabilityError, parse_guess, parse_range, specialise, study,
};

use super::{DERIVE_BUDGET, answer, load};
use crate::cli::Stability;
use crate::diagnostics::{self, Origin};
use crate::exit::Exit;
use crate::progress::Progress;
use crate::run::{constant, method};

/// Operations for the study.
const STUDY_BUDGET: u64 = 200_000_000;
/// The step where neither the command nor the model says.
const STEP: &str = "1/100";

/// Runs the command.
pub fn run(arguments: &Stability) -> Exit {
    let mut bytes = Vec::new();
    let (model, origin) = match load(&arguments.model, &mut bytes) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    match answered(arguments, model, &origin) {
        Ok(text) => answer(arguments.out.as_deref(), &text, Exit::Done),
        Err(exit) => exit,
    }
}

fn answered(arguments: &Stability, mut model: Model, origin: &Origin<'_>) -> Result<String, Exit> {
    super::integrating::no_group(&model, "charts of stability")?;
    let request = request(arguments, &model)?;
    specialise(&mut model, &request.range, &mut Budget::new(STUDY_BUDGET)).map_err(refuse)?;
    let progress = Progress::start("deriving and linearising");
    let derived = isotrope_scheme::derive::derive(model, &mut Budget::new(DERIVE_BUDGET));
    let system = derived.map_err(|errors| {
        diagnostics::show(&diagnostics::render_derive_errors(origin, &errors));
        Exit::CouldNotRun
    })?;
    let report = study(&system, &request, &mut Budget::new(STUDY_BUDGET)).map_err(refuse)?;
    drop(progress);
    if !arguments.json {
        return Ok(report.to_text());
    }
    match serde_json::to_string_pretty(&report) {
        Ok(text) => Ok(format!("{text}\n")),
        // Names and numbers always have a text.
        Err(error) => Ok(format!("{error}\n")),
    }
}

fn request(arguments: &Stability, model: &Model) -> Result<Request, Exit> {
    let range = parse_range(&arguments.vary).map_err(refuse)?;
    let guess = arguments.guess.iter().map(|text| parse_guess(text, model));
    let guess = guess.collect::<Result<_, _>>().map_err(refuse)?;
    let given = arguments.step.as_deref().or(model.run.step.is_none().then_some(STEP));
    let step = constant(given, model.run.step, &model.pool).and_then(|step| match step {
        step if step.to_f64() > 0.0 => Ok(step),
        _ => Err("is not positive".to_owned()),
    });
    let step = step.map_err(|reason| {
        let hint = "give --step as a decimal or an exact constant, such as 1/100";
        diagnostics::plain("ISO-RUN-003", &format!("the step {reason}"), Some(hint));
        Exit::CouldNotRun
    })?;
    let names = arguments.methods.iter().map(|name| name.trim());
    let names = names.filter(|name| !name.is_empty() && *name != "none");
    let methods = names
        .map(|name| {
            let options = Options { monitors: false, ..Options::new(step.clone()) };
            Ok(Asked { method: method(name)?, options })
        })
        .collect::<Result<_, Exit>>()?;
    Ok(Request { range, guess, points: arguments.points, methods })
}

#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` gives")]
fn refuse(error: StabilityError) -> Exit {
    diagnostics::plain(error.code(), &error.to_string(), Some(&error.hint()));
    Exit::CouldNotRun
}
