//! `isotrope compare`: many methods on one model, beside a reference solution.

use std::path::{Path, PathBuf};

use isotrope_algebra::Rational;
use isotrope_kernel::stepper::Method;
use isotrope_model::Model;
use isotrope_study::compare::{Plan, SortKey, compare};
use isotrope_study::run;

use super::integrating::{
    Ready, exact, flow, interrupt, json, ready, refuse_length, usable_tolerance, warn_inconsistent,
};
use super::{answer, write};
use crate::cli::{Compare, SortName};
use crate::exit::Exit;
use crate::progress::Progress;
use crate::report::{PageSource, comparison_page};
use crate::run::{methods, suggested};

/// Runs the command.
pub fn run(arguments: &Compare) -> Exit {
    let mut bytes = Vec::new();
    let asked = ready(&arguments.model, &mut bytes, |model| plan(arguments, model));
    let (plan, Ready { origin, mut system, analysis, field }) = match asked {
        Ok(ready) => ready,
        Err(exit) => return exit,
    };
    warn_inconsistent(run::initial_violations(&system, &field));
    let stop = interrupt();
    let progress = Progress::start("running the methods");
    let name = system.model.name.clone();
    let compared = compare(&name, (&system, &field), &plan, &mut |_| flow(&stop));
    drop(progress);
    let mut comparison = match compared {
        Ok(comparison) => comparison,
        Err(error) => return refuse_length(&error),
    };
    comparison.sort(key(arguments.sort));
    let exit = match comparison.rows.iter().any(|row| row.run.outcome.is_success()) {
        true => Exit::Done,
        false => Exit::Negative,
    };
    let for_programs = arguments.json || arguments.csv || arguments.latex;
    let page = match &arguments.html {
        Some(path) => Some(path.clone()),
        None if for_programs || arguments.no_html => None,
        None => Some(page_name(&arguments.model.model)),
    };
    if let Some(path) = &page {
        let source = PageSource {
            model_text: &String::from_utf8_lossy(origin.bytes),
            rotations: &field.rotations,
            command: &command(arguments),
        };
        let html = comparison_page(&comparison, &mut system, &analysis, source);
        if let Err(error) = write(Some(path), &html) {
            return error.report();
        }
    }
    let mut text = if arguments.json {
        json(&comparison)
    } else if arguments.csv {
        comparison.to_csv()
    } else if arguments.latex {
        comparison.to_latex()
    } else {
        comparison.to_text()
    };
    if let Some(path) = page.filter(|_| !for_programs) {
        text.push_str(&format!("\nreport: {}\n", path.display()));
    }
    answer(arguments.out.as_deref(), &text, exit)
}

/// pendulum-compare.html for models/pendulum.toml, in the current directory.
fn page_name(model: &Path) -> PathBuf {
    let stem = model.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into());
    let stem = if stem == "-" || stem.is_empty() { "model".to_owned() } else { stem };
    PathBuf::from(format!("{stem}-compare.html"))
}

/// The command line once more.
fn command(arguments: &Compare) -> String {
    let quoted = |text: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=+".contains(c);
        if !text.is_empty() && text.chars().all(plain) {
            text.to_owned()
        } else {
            format!("'{}'", text.replace('\'', "'\\''"))
        }
    };
    let mut words = vec!["isotrope".to_owned(), "compare".to_owned()];
    words.push(quoted(&arguments.model.model.display().to_string()));
    let mut option = |name: &str, value: &str| words.extend([name.to_owned(), quoted(value)]);
    for value in &arguments.model.set {
        option("--set", value);
    }
    for value in &arguments.model.initial {
        option("--initial", value);
    }
    if let Some(methods) = &arguments.methods {
        option("--methods", methods);
    }
    if let Some(steps) = &arguments.steps {
        option("--steps", steps);
    }
    if let Some(time) = &arguments.time {
        option("--time", time);
    }
    if let Some(tolerance) = arguments.tolerance {
        option("--tolerance", &tolerance.to_string());
    }
    words.join(" ")
}

fn key(name: SortName) -> SortKey {
    match name {
        SortName::Given => SortKey::Given,
        SortName::Name => SortKey::Name,
        SortName::Order => SortKey::Order,
        SortName::Energy => SortKey::Energy,
        SortName::Constraint => SortKey::Constraint,
        SortName::Reference => SortKey::Reference,
        SortName::Cost => SortKey::Cost,
    }
}

/// What the arguments and the model ask for.
fn plan(arguments: &Compare, model: &Model) -> Result<Plan, Exit> {
    if let Some(tolerance) = arguments.tolerance {
        usable_tolerance(tolerance)?;
    }
    let steps: Vec<Rational> = match &arguments.steps {
        Some(list) => list
            .split(',')
            .map(|text| exact(Some(text.trim()), None, "step", &model.pool))
            .collect::<Result<_, _>>()?,
        None => vec![exact(None, model.run.step, "step", &model.pool)?],
    };
    let mut distinct: Vec<Rational> = Vec::new();
    for step in steps {
        if !distinct.contains(&step) {
            distinct.push(step);
        }
    }
    let steps = distinct;
    let time = exact(arguments.time.as_deref(), model.run.time, "time", &model.pool)?;
    let list = arguments.methods.as_deref().unwrap_or_else(|| suggested(model));
    let methods: Vec<Method> = methods(list)?;
    Ok(Plan { methods, steps, time, tolerance: arguments.tolerance, limit: arguments.max_steps })
}
