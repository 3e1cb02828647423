//! `isotrope modified`: the differential equations that a method solves exactly.

use isotrope_algebra::Budget;
use isotrope_scheme::derive::{System, derive};

use super::{DERIVE_BUDGET, answer, load, width};
use crate::cli::{ModelArguments, Modified as Arguments};
use crate::diagnostics;
use crate::exit::Exit;
use crate::modified::{Modified, to_json, to_latex, to_text};
use crate::progress::Progress;
use crate::run::method;

/// Runs the command.
pub fn run(arguments: &Arguments) -> Exit {
    match analysed(arguments) {
        Ok(modified) => {
            let text = match (arguments.json, arguments.latex) {
                (true, _) => format!("{:#}\n", to_json(&modified)),
                (_, true) => to_latex(&modified),
                _ => to_text(&modified, width()),
            };
            let exit = if modified.is_contradicted() { Exit::Negative } else { Exit::Done };
            answer(arguments.out.as_deref(), &text, exit)
        }
        Err(exit) => exit,
    }
}

fn analysed(arguments: &Arguments) -> Result<Modified, Exit> {
    let method = method(&arguments.method)?;
    let system = match &arguments.model {
        Some(model) => Some(derived(&ModelArguments {
            model: model.clone(),
            set: arguments.set.clone(),
            initial: arguments.initial.clone(),
        })?),
        None => None,
    };
    let progress = Progress::start("writing out the modified equations");
    let modified = Modified::new(&method, arguments.order, system);
    drop(progress);
    modified.map_err(|error| {
        diagnostics::plain(error.code(), &error.message(), Some(&error.hint()));
        Exit::CouldNotRun
    })
}

fn derived(arguments: &ModelArguments) -> Result<System, Exit> {
    let mut bytes = Vec::new();
    let (model, origin) = load(arguments, &mut bytes)?;
    super::integrating::no_group(&model, "modified equations")?;
    let progress = Progress::start("deriving the equations of motion");
    let derived = derive(model, &mut Budget::new(DERIVE_BUDGET));
    drop(progress);
    derived.map_err(|errors| {
        diagnostics::show(&diagnostics::render_derive_errors(&origin, &errors));
        Exit::CouldNotRun
    })
}
