//! What commands that integrate share: a model made ready, steps and times, refusals, Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use isotrope_algebra::{ExprId, Pool, Rational};
use isotrope_kernel::integrate::Flow;
use isotrope_kernel::stepper::Field;
use isotrope_model::Model;
use isotrope_scheme::derive::{Analysis, System};
use isotrope_study::run::{self, LengthError};

use super::{derive_and_analyse, load};
use crate::cli::ModelArguments;
use crate::diagnostics::{self, Origin};
use crate::exit::Exit;
use crate::run::constant;

/// Operations for deriving and compiling a scheme.
pub(super) const PREPARE_BUDGET: u64 = 2_000_000_000;
/// The exit code of programs that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// A model that can be integrated.
pub(super) struct Ready<'a> {
    pub origin: Origin<'a>,
    pub system: System,
    pub analysis: Analysis,
    pub field: Field,
}

/// Reads a model, takes what is asked of it, derives it. What is asked is looked at first: it is
/// refused at once, not after a long derivation.
pub(super) fn ready<'a, Asked>(
    arguments: &'a ModelArguments,
    bytes: &'a mut Vec<u8>,
    ask: impl FnOnce(&Model) -> Result<Asked, Exit>,
) -> Result<(Asked, Ready<'a>), Exit> {
    let (model, origin) = load(arguments, bytes)?;
    let asked = ask(&model)?;
    let (system, analysis) = derive_and_analyse(model, &origin)?;
    let field = run::field(&system, &analysis)
        .map_err(|error| refuse("ISO-RUN-006", &error.to_string(), "see docs/run.md"))?;
    Ok((asked, Ready { origin, system, analysis, field }))
}

/// Go on until the flag is set.
pub(super) fn flow(stop: &AtomicBool) -> Flow {
    if stop.load(Ordering::Relaxed) { Flow::Stop } else { Flow::Continue }
}

/// An answer for programs.
pub(super) fn json(value: &impl serde::Serialize) -> String {
    match serde_json::to_string_pretty(value) {
        Ok(text) => format!("{text}\n"),
        // Names and numbers always have a text.
        Err(error) => format!("{error}\n"),
    }
}

/// Refuses models on Lie groups where only coordinates are understood.
pub(crate) fn no_group(model: &Model, what: &str) -> Result<(), Exit> {
    if model.group.is_none() {
        return Ok(());
    }
    let message = format!("this version computes no {what} of systems on a Lie group");
    let hint =
        "derive, check, run, compare, convergence and drift take them; see docs/lie-groups.md";
    Err(refuse("ISO-RUN-012", &message, hint))
}

/// Says why the command could not run.
pub(crate) fn refuse(code: &str, message: &str, hint: &str) -> Exit {
    diagnostics::plain(code, message, Some(hint));
    Exit::CouldNotRun
}

/// Says if the initial values are off the constraints.
pub(super) fn warn_inconsistent(violations: Option<[f64; 2]>) {
    for (size, level) in violations.into_iter().flatten().zip(["positions", "velocities"]) {
        // Initial values in decimals are consistent to rounding only.
        if size > 1e-8 {
            diagnostics::note(Some(&format!(
                "warning: the initial values violate a constraint on {level} by {size:.1e}; \
                 `isotrope check MODEL --project` repairs them"
            )));
        }
    }
}

/// Refuses tolerances that mean nothing.
pub(super) fn usable_tolerance(tolerance: f64) -> Result<(), Exit> {
    if tolerance > 0.0 && tolerance < 1.0 {
        return Ok(());
    }
    let message = format!("the tolerance {tolerance} is not between 0 and 1");
    Err(refuse("ISO-RUN-001", &message, "give a small number, such as 1e-13"))
}

/// A step or a time, from the command line or from the model.
pub(super) fn exact(
    given: Option<&str>,
    default: Option<ExprId>,
    what: &str,
    pool: &Pool,
) -> Result<Rational, Exit> {
    constant(given, default, pool).map_err(|reason| {
        let hint = format!("give --{what} as a decimal or an exact constant, such as 1/100");
        refuse("ISO-RUN-003", &format!("the {what} {reason}"), &hint)
    })
}

/// A time that is no whole number of steps.
pub(super) fn refuse_length(error: &LengthError) -> Exit {
    refuse(
        "ISO-RUN-004",
        &error.to_string(),
        "choose a time that is a whole number of steps, with the same sign",
    )
}

/// Set by Ctrl-C. A second Ctrl-C ends the program at once.
pub(super) fn interrupt() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let handler = move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
    };
    // Without a handler Ctrl-C ends the program, as usual.
    let _ = ctrlc::set_handler(handler);
    stop
}
