//! `isotrope conditions`: what a class of systems, or one system, asks of a method that preserves
//! its structure.

use std::path::Path;

use isotrope_algebra::Budget;
use isotrope_scheme::construct::problem::file::{ProblemText, parse_problem};
use isotrope_scheme::construct::problem::{Parameters, Problem};
use isotrope_scheme::derive::derive;
use isotrope_scheme::methods::classes::Part;

use super::{DERIVE_BUDGET, answer, display_name, load, read};
use crate::cli::{Conditions, ModelArguments, StructurePart};
use crate::conditions::{
    ConditionsError, list, list_problem, problem_to_json, problem_to_latex, problem_to_text,
    to_json, to_latex, to_text,
};
use crate::diagnostics;
use crate::exit::Exit;
use crate::progress::Progress;

/// Runs the command.
pub fn run(arguments: &Conditions) -> Exit {
    let problem = match (&arguments.groups, &arguments.model) {
        (Some(path), _) => problem_of_file(path),
        (None, Some(path)) => problem_of_model(path),
        (None, None) => return of_class(arguments),
    };
    match problem {
        Ok(problem) => of_problem(arguments, &problem),
        Err(exit) => exit,
    }
}

fn of_class(arguments: &Conditions) -> Exit {
    let part = arguments.part.map(|part| match part {
        StructurePart::Psi => Part::Psi,
        StructurePart::PhiV => Part::PhiV,
        StructurePart::PhiQ => Part::PhiQ,
        StructurePart::All => Part::All,
        StructurePart::Form => Part::Form,
    });
    let class = arguments.class.as_deref().unwrap_or_default();
    let progress = Progress::start("expanding random problems of the class in trees");
    let listing = list(class, part, arguments.order, arguments.given);
    drop(progress);
    match listing {
        Err(error) => refuse(&error),
        Ok(listing) => {
            let text = match (arguments.json, arguments.latex) {
                (true, _) => format!("{:#}\n", to_json(&listing)),
                (_, true) => to_latex(&listing),
                _ => to_text(&listing),
            };
            answer(arguments.out.as_deref(), &text, Exit::Done)
        }
    }
}

fn of_problem(arguments: &Conditions, problem: &Problem) -> Exit {
    let progress = Progress::start("expanding the structure functions in trees");
    let listing = list_problem(problem, arguments.order, arguments.given);
    drop(progress);
    match listing {
        Err(error) => refuse(&error),
        Ok(listing) => {
            let text = match (arguments.json, arguments.latex) {
                (true, _) => format!("{:#}\n", problem_to_json(&listing)),
                (_, true) => problem_to_latex(&listing),
                _ => problem_to_text(&listing),
            };
            answer(arguments.out.as_deref(), &text, Exit::Done)
        }
    }
}

fn refuse(error: &ConditionsError) -> Exit {
    diagnostics::plain(error.code(), &error.message(), error.hint().as_deref());
    Exit::CouldNotRun
}

/// Reads a problem file; errors are told on stderr.
pub(super) fn problem_of_file(path: &Path) -> Result<Problem, Exit> {
    let bytes = read(path).map_err(|error| error.report())?;
    let name = display_name(path);
    parse_problem(&ProblemText::new(&name, &bytes)).map_err(|errors| {
        diagnostics::show(&diagnostics::render_file_errors(&name, &bytes, &errors));
        Exit::CouldNotRun
    })
}

/// Reads a model and derives its (q, v, p) problem; errors are told on stderr.
fn problem_of_model(path: &Path) -> Result<Problem, Exit> {
    let model = ModelArguments { model: path.to_owned(), set: Vec::new(), initial: Vec::new() };
    let mut bytes = Vec::new();
    let (model, origin) = load(&model, &mut bytes)?;
    let budget = &mut Budget::new(DERIVE_BUDGET);
    let system = derive(model, budget).map_err(|errors| {
        diagnostics::show(&diagnostics::render_derive_errors(&origin, &errors));
        Exit::CouldNotRun
    })?;
    Problem::of_model(&system, Parameters::Symbols, budget)
        .map_err(|error| refuse(&ConditionsError::Problem(error)))
}
