//! `isotrope construct`: methods from order and structure conditions.

use std::path::{Path, PathBuf};

use isotrope::codes::ConstructCode;
use isotrope::rooms::report::construct::explain::Format;
use isotrope::{ConstructRequest, Failure, Host, Overrides, Structured, construct};

use super::{CommandLine, model, read, show, told, write};
use crate::cli::{Construct, Format as _};
use crate::exit::Exit;
use crate::surroundings::{host_writing, name};

/// Runs the command.
pub fn run(arguments: &Construct) -> Exit {
    told(answered(arguments))
}

fn answered(arguments: &Construct) -> Result<Exit, Failure> {
    let files = [&arguments.save, &arguments.explain].into_iter().flatten().map(PathBuf::as_path);
    let host = host_writing(files.chain(arguments.format.target().out))?;
    let explanation = match &arguments.explain {
        Some(path) => Some((path, format(path)?)),
        None => None,
    };
    let asked = ConstructRequest {
        stages: arguments.stages,
        order: arguments.order,
        structure: arguments.structure,
        form: arguments.form,
        pattern: arguments.pattern.clone(),
        fix: arguments.fix.clone(),
        part: arguments.part.clone(),
        methods: arguments.methods,
        pareto: arguments.pareto,
        combinations: arguments.combinations,
        time_limit: arguments.time_limit,
    };
    let mut construction = construct(&host, structured(&host, arguments)?, &asked)?;
    // The answer first, then the files: what was found is not lost with a file.
    let exit = show(&host, &mut construction, &arguments.format)?;
    if let Some(path) = &arguments.save
        && let Some(text) = construction.saved()?
    {
        write(&host, Some(path), &text)?;
    }
    if let Some((path, format)) = explanation {
        write(&host, Some(path), &construction.explained(format, &command(arguments))?)?;
    }
    Ok(exit)
}

/// The format of the document that is asked for, before anything is computed.
fn format(path: &Path) -> Result<Format, Failure> {
    Format::of(path).ok_or_else(|| {
        let message = format!("`{}` is neither a page nor a LaTeX document", path.display());
        let hint = "give a file that ends in .html or .tex".to_owned();
        Failure::plain(ConstructCode::ExplanationFile, message, hint)
    })
}

fn structured(host: &Host, arguments: &Construct) -> Result<Structured, Failure> {
    if let Some(path) = &arguments.groups {
        let (name, bytes) = read(host, path)?;
        return Ok(Structured::Groups(name, bytes));
    }
    if let Some(path) = &arguments.model {
        let model = Box::new(model(host, path, &Overrides::default())?);
        return Ok(match arguments.symbolic {
            true => Structured::Symbolic(model),
            false => Structured::Model(model),
        });
    }
    Ok(arguments.class.clone().map_or(Structured::Generic, Structured::Class))
}

/// The command line once more.
fn command(arguments: &Construct) -> String {
    let mut line = CommandLine::new("construct");
    if let Some(model) = &arguments.model {
        line.word(&name(model));
    }
    line.option("--stages", arguments.stages);
    line.option("--order", arguments.order);
    for (option, value) in [("--structure", arguments.structure), ("--form", arguments.form)] {
        if let Some(value) = value {
            line.option(option, value);
        }
    }
    if let Some(class) = &arguments.class {
        line.option("--class", class);
    }
    if let Some(groups) = &arguments.groups {
        line.option("--groups", name(groups));
    }
    line.options("--pattern", &arguments.pattern);
    line.options("--fix", &arguments.fix);
    line.option("--methods", arguments.methods);
    if let Some(path) = &arguments.explain {
        line.option("--explain", name(path));
    }
    let flags = [
        ("--symbolic", arguments.symbolic),
        ("--pareto", arguments.pareto),
        ("--combinations", arguments.combinations),
    ];
    for (flag, _) in flags.iter().filter(|(_, given)| *given) {
        line.word(flag);
    }
    line.text()
}
