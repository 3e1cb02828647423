//! `isotrope port`: port-Hamiltonian forms of plain equations.

use isotrope_algebra::Budget;
use isotrope_scheme::derive::System;
use isotrope_scheme::port::{
    Obstruction, Options, PortError, Saved, definite_invariant, problem_of, read_energy, recover,
    save,
};

use super::{DERIVE_BUDGET, FileError, answer, display_name, load, width};
use crate::cli::{ModelArguments, Port};
use crate::diagnostics;
use crate::exit::Exit;
use crate::port::{PortReport, write};
use crate::progress::Progress;
use crate::report::Format;
use crate::structure::Heading;

/// Operations for the search.
const BUDGET: u64 = 400_000_000;

/// Runs the command.
pub fn run(arguments: &Port) -> Exit {
    // Before the search, which takes its time.
    let target = arguments.save.as_deref().filter(|path| path.as_os_str() != "-");
    if let Some(path) = target
        && !arguments.force
        && path.symlink_metadata().is_ok()
    {
        return FileError::Exists(path.to_owned()).report();
    }
    let model = ModelArguments {
        model: arguments.file.clone(),
        set: arguments.set.clone(),
        initial: Vec::new(),
    };
    let mut bytes = Vec::new();
    let (model, origin) = match load(&model, &mut bytes) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let progress = Progress::start("looking for port-Hamiltonian forms");
    let derived = isotrope_scheme::derive::derive(model, &mut Budget::new(DERIVE_BUDGET));
    let mut system = match derived {
        Ok(system) => system,
        Err(errors) => {
            drop(progress);
            diagnostics::show(&diagnostics::render_derive_errors(&origin, &errors));
            return Exit::CouldNotRun;
        }
    };
    let answered = answered(arguments, &mut system);
    drop(progress);
    match answered {
        Ok((text, exit)) => {
            let exit = answer(arguments.save.as_deref().or(arguments.out.as_deref()), &text, exit);
            if let (Some(path), Exit::Done) = (target, exit) {
                diagnostics::say(&format!("wrote {0}; next: isotrope derive {0}", path.display()));
            }
            exit
        }
        Err(error) => {
            diagnostics::plain(error.code(), &error.to_string(), Some(error.hint()));
            Exit::CouldNotRun
        }
    }
}

fn answered(arguments: &Port, system: &mut System) -> Result<(String, Exit), PortError> {
    let budget = &mut Budget::new(BUDGET);
    let fixed: Vec<&str> =
        arguments.set.iter().filter_map(|set| Some(set.split_once('=')?.0.trim())).collect();
    let (problem, own) = problem_of(system, &fixed, budget)?;
    let hamiltonian = match &arguments.hamiltonian {
        Some(text) => Some(read_energy(system, text, &fixed, budget)?),
        None => own.filter(|_| !arguments.search),
    };
    let options =
        Options { hamiltonian, degree: arguments.degree, integral_degree: arguments.integrals };
    let model = &mut system.model;
    let mut recovery = recover(&mut model.pool, &problem, &options, budget)?;
    if let Some(number) = arguments.form {
        let source = display_name(&arguments.file);
        let saved = Saved { number, source: &source };
        return Ok((save(model, &problem, &recovery, &saved, budget)?, Exit::Done));
    }
    // An answer of its own: what it costs takes nothing from the forms.
    let invariant = definite_invariant(&mut model.pool, &problem, &mut Budget::new(BUDGET / 10));
    let invariant = match invariant {
        Err(PortError::OutOfBudget(_)) => {
            let words = "positive definite quadratic invariants: too long to compute".to_owned();
            recovery.notes.push(words);
            None
        }
        other => other?,
    };
    let report = PortReport {
        heading: Heading { name: model.name.clone(), description: model.description.clone() },
        problem: &problem,
        recovery: &recovery,
        definite_invariant: invariant,
    };
    let format = match (arguments.json, arguments.latex, arguments.html) {
        (true, ..) => Format::Json,
        (_, true, _) => Format::Latex,
        (_, _, true) => Format::Html,
        _ => Format::Text { width: width() },
    };
    let refused = recovery.obstruction.as_ref().is_some_and(Obstruction::is_decided);
    let exit = if refused { Exit::Negative } else { Exit::Done };
    Ok((write(&mut model.pool, &report, format), exit))
}
