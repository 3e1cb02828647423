//! `isotrope compare`: many methods on one model, beside a reference solution.

use std::path::PathBuf;

use isotrope::{Answer as _, CompareRequest, Failure};

use super::{CommandLine, exit, json, ready, told, write};
use crate::cli::{Compare, page_name};
use crate::exit::Exit;
use crate::surroundings::{host_writing, name, width};

/// Runs the command.
pub fn run(arguments: &Compare) -> Exit {
    told(answered(arguments))
}

fn answered(arguments: &Compare) -> Result<Exit, Failure> {
    let host = host_writing(
        arguments.format.out.as_deref().into_iter().chain(page(arguments).as_deref()),
    )?;
    let steps = arguments.steps.iter().flat_map(|list| list.split(',')).map(str::to_owned);
    let asked = CompareRequest {
        methods: arguments.methods.clone(),
        steps: steps.collect(),
        time: arguments.time.clone(),
        tolerance: arguments.tolerance,
        max_steps: arguments.max_steps,
        sort: arguments.sort.into(),
    };
    let mut system = ready(&host, &arguments.model, &asked)?;
    let mut comparison = system.compare(&asked)?;
    let exit = exit(&host, &comparison);
    let page = page(arguments).filter(|_| arguments.html.is_some() || !host.is_stopped());
    // What was measured is not lost with a page that nobody waited for.
    let page = page.map_or(Ok(None), |path| {
        match system.comparison_page(&comparison, &command(arguments)) {
            Ok(html) => write(&host, Some(&path), &html).map(|()| Some(path)),
            Err(Failure::Interrupted { .. }) => Ok(None),
            Err(refused) => Err(refused),
        }
    });
    let exit = if host.is_stopped() { Exit::Interrupted } else { exit };
    let mut text = if arguments.format.json.json {
        json(&mut comparison)
    } else if arguments.csv {
        comparison.to_csv()
    } else if arguments.latex {
        comparison.to_latex()
    } else {
        comparison.text(width())
    };
    if let (Ok(Some(path)), false) = (&page, for_programs(arguments)) {
        text.push_str(&format!("\nreport: {}\n", path.display()));
    }
    // A file named by --out is the page, where that is asked for without a name of its own.
    let out = arguments.format.out.as_deref().filter(|_| arguments.html != Some(None));
    write(&host, out, &text)?;
    page.map(|_| exit)
}

/// Is the answer for a program?
fn for_programs(arguments: &Compare) -> bool {
    arguments.format.json.json || arguments.csv || arguments.latex
}

/// Where the page goes, if there is one.
fn page(arguments: &Compare) -> Option<PathBuf> {
    match &arguments.html {
        Some(Some(path)) => Some(path.clone()),
        Some(None) => {
            let named = arguments.format.out.clone();
            named.or_else(|| Some(page_name(&arguments.model.model, "compare")))
        }
        None if for_programs(arguments) || arguments.no_html => None,
        None => Some(page_name(&arguments.model.model, "compare")),
    }
}

/// The command line once more.
fn command(arguments: &Compare) -> String {
    let mut line = CommandLine::new("compare");
    line.word(&name(&arguments.model.model));
    line.options("--set", &arguments.model.set);
    line.options("--initial", &arguments.model.initial);
    let texts = [
        ("--methods", &arguments.methods),
        ("--steps", &arguments.steps),
        ("--time", &arguments.time),
    ];
    for (option, value) in texts {
        if let Some(value) = value {
            line.option(option, value);
        }
    }
    if let Some(tolerance) = arguments.tolerance {
        line.option("--tolerance", tolerance);
    }
    if let Some(steps) = arguments.max_steps {
        line.option("--max-steps", steps);
    }
    line.text()
}
