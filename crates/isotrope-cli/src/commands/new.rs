//! `isotrope new`: a commented model file to start from.

use std::path::PathBuf;

use isotrope::codes::FilesCode;
use isotrope::{Failure, Template, file_name};

use super::{told, unless_it_exists, write};
use crate::cli::New;
use crate::diagnostics;
use crate::exit::Exit;
use crate::surroundings::host;

/// Runs the command.
pub fn run(arguments: &New) -> Exit {
    told(answered(arguments))
}

fn answered(arguments: &New) -> Result<Exit, Failure> {
    let refused =
        |message: &str, hint: &str| Failure::plain(FilesCode::NotAName, message, hint.to_owned());
    if arguments.name.contains(['/', '\\']) {
        return Err(refused(
            "a model is named without a folder; it is written to the current one",
            "go to the folder first, then: isotrope new pendulum",
        ));
    }
    let name = file_name(&arguments.name).ok_or_else(|| {
        let message = "a model needs a name with at least one letter or digit";
        refused(message, "for example: isotrope new pendulum")
    })?;
    let kind = &arguments.kind;
    let chosen = [
        (kind.hamiltonian, Template::Hamiltonian),
        (kind.lie, Template::LieGroup),
        (kind.nonholonomic, Template::Nonholonomic),
        (kind.poisson, Template::Poisson),
        (kind.port, Template::Port),
        (kind.equations, Template::Equations),
    ];
    let template = chosen.into_iter().find(|(given, _)| *given);
    let template = template.map_or(Template::Lagrangian, |(_, template)| template);
    let path = PathBuf::from(format!("{name}.toml"));
    unless_it_exists(&path, arguments.force)?;
    write(&host(), Some(&path), &template.text(&name))?;
    diagnostics::say(&format!("wrote {0}; next: isotrope derive {0}", path.display()));
    Ok(Exit::Done)
}
