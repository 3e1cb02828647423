//! `isotrope construct`: methods from order and structure conditions.

use std::path::Path;
use std::time::{Duration, Instant};

use isotrope_algebra::Budget;
use isotrope_scheme::construct::problem::{Parameters, Problem};
use isotrope_scheme::construct::{Engines, Freedom, Step, class_of};
use isotrope_scheme::methods::classes::Class;

use super::conditions::problem_of_file;
use super::{answer as finish, derive_and_analyse, explaining, load, write};
use crate::cli::{Construct, ModelArguments};
use crate::construct::{
    Answer, ConstructError, LimitedEngine, Source, Wanted, answer, ask, is_table, saved, to_json,
    to_text,
};
use crate::diagnostics;
use crate::exit::Exit;
use crate::progress::Progress;

/// Operations for reading a class off a model.
const MODEL_BUDGET: u64 = 1_000_000_000;
/// Seconds for a basis that is tried by the way.
const QUICK: u64 = 8;
/// Seconds for a basis that only makes an answer shorter.
const HASTY: u64 = 1;

/// Runs the command.
pub fn run(arguments: &Construct) -> Exit {
    if let Some(path) = &arguments.explain
        && let Err(exit) = explaining::format(path)
    {
        return exit;
    }
    let source = match source(arguments) {
        Ok(source) => source,
        Err(exit) => return exit,
    };
    let wanted = Wanted {
        stages: arguments.stages,
        order: arguments.order,
        structure: arguments.structure,
        form: arguments.form,
        most: arguments.methods.max(1),
    };
    let progress = Progress::start("collecting the conditions");
    let asked = ask(source, wanted, &arguments.pattern, &arguments.fix);
    drop(progress);
    let asked = match asked {
        Ok(asked) => asked,
        Err(error) => return refuse(&error),
    };
    let limit = arguments.time_limit.max(1);
    let end = Instant::now() + Duration::from_secs(limit);
    let patient = LimitedEngine::new((limit / 2).max(1), end);
    let quick = LimitedEngine::new((limit / 8).clamp(1, QUICK), end);
    let hasty = LimitedEngine::new(HASTY, end);
    let engines = Engines { patient: &patient, quick: &quick, hasty: &hasty };
    let mut spinner = None;
    let mut show = |step| {
        drop(spinner.take());
        spinner = Some(Progress::start(doing(step)));
    };
    let found = answer(asked, engines, &mut show).and_then(|mut found| {
        if arguments.pareto {
            found.compare_costs(engines, &mut show)?;
        }
        Ok(found)
    });
    drop(spinner);
    let mut found = match found {
        Ok(found) => found,
        Err(error) => {
            let hint = "ask for fewer stages, a narrower --pattern, or a longer --time-limit";
            diagnostics::plain("ISO-CONSTRUCT-007", &error.to_string(), Some(hint));
            return Exit::CouldNotRun;
        }
    };
    let possible = found.construction.freedom() != Freedom::Contradiction;
    if arguments.combinations || (possible && found.methods.is_empty()) {
        let progress = Progress::start("trying combinations of known tables");
        let combined = found.combine();
        drop(progress);
        if let Err(error) = combined {
            diagnostics::note(Some(&format!("combinations of known tables: {error}")));
        }
    }
    finish_answer(arguments, &found)
}

/// The answer first, then the files: what was found is not lost with a file.
fn finish_answer(arguments: &Construct, found: &Answer) -> Exit {
    let text = if arguments.json { format!("{:#}\n", to_json(found)) } else { to_text(found) };
    let negative = found.construction.freedom() == Freedom::Contradiction
        || found.construction.real_solutions == Some(0)
        || found.methods.is_empty();
    let exit = finish(None, &text, if negative { Exit::Negative } else { Exit::Done });
    if let Some(path) = &arguments.save
        && let Err(exit) = save(path, found)
    {
        return exit;
    }
    if let Some(path) = &arguments.explain
        && let Err(exit) = explaining::write_explanation(path, arguments, found)
    {
        return exit;
    }
    exit
}

fn source(arguments: &Construct) -> Result<Source, Exit> {
    if let Some(path) = &arguments.groups {
        return Ok(Source::Problem(Box::new(problem_of_file(path)?)));
    }
    if let Some(path) = &arguments.model {
        return of_model(path, arguments.symbolic);
    }
    match arguments.class.as_deref().map_or(Ok(Class::Generic), str::parse) {
        Ok(class) => Ok(Source::Class(class)),
        Err(error) => Err(refuse(&ConstructError::Class(error))),
    }
}

/// The class of a model, or the model as a problem of its own.
fn of_model(path: &Path, symbolic: bool) -> Result<Source, Exit> {
    let model = ModelArguments { model: path.to_owned(), set: Vec::new(), initial: Vec::new() };
    let mut bytes = Vec::new();
    let (model, origin) = load(&model, &mut bytes)?;
    let (system, _) = derive_and_analyse(model, &origin)?;
    let budget = &mut Budget::new(MODEL_BUDGET);
    let refused = |message: String| {
        let hint = "name a class: isotrope construct --class generic";
        diagnostics::plain("ISO-CONSTRUCT-008", &message, Some(hint));
        Exit::CouldNotRun
    };
    if symbolic {
        let problem = Problem::of_model(&system, Parameters::Symbols, budget);
        return match problem {
            Ok(problem) => Ok(Source::Problem(Box::new(problem))),
            Err(error) => Err(refused(error.to_string())),
        };
    }
    match class_of(&system, budget) {
        Ok(Some(found)) => {
            let name = &system.model.name;
            diagnostics::note(Some(&format!(
                "{name} is of the class {}: {}",
                found.class, found.reason
            )));
            Ok(Source::Class(found.class))
        }
        Ok(None) => Err(refused("a Hamiltonian without a Lagrangian has no class".to_owned())),
        Err(error) => Err(refused(error.to_string())),
    }
}

/// Writes the first method to a file.
fn save(path: &Path, found: &Answer) -> Result<(), Exit> {
    let refused = |message: &str, hint: &str| {
        diagnostics::plain("ISO-CONSTRUCT-009", message, Some(hint));
        Exit::CouldNotRun
    };
    let Some(method) = found.methods.first() else {
        diagnostics::note(Some("there is no method to save"));
        return Ok(());
    };
    if !is_table(found) {
        diagnostics::note(Some(
            "the tables of groups are saved by group: `run` and `certify` take methods for q, v, p",
        ));
    }
    let text = saved(found, method)
        .map_err(|error| refused(&error.to_string(), "ask for a simpler method"))?;
    write(Some(path), &text).map_err(|error| error.report())
}

fn refuse(error: &ConstructError) -> Exit {
    diagnostics::plain(error.code(), &error.to_string(), Some(&error.hint()));
    Exit::CouldNotRun
}

fn doing(step: Step) -> &'static str {
    match step {
        Step::Conditions => "writing the conditions in the entries of the tables",
        Step::Levels => "computing bases, level by level",
        Step::Basis => "computing the basis of all conditions over the rationals",
        Step::Contradiction => "looking for the shortest contradiction",
        Step::Components => "splitting the set of solutions into components",
        Step::Shapes(..) => "looking for the cheapest methods",
        Step::Numerical => "looking for solutions by Newton's method",
    }
}
