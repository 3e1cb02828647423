//! `isotrope new`: a commented model file to start from.

use std::path::PathBuf;

use super::{FileError, write};
use crate::cli::New;
use crate::diagnostics;
use crate::exit::Exit;

const LAGRANGIAN: &str = include_str!("../templates/lagrangian.toml");
const LIE_GROUP: &str = include_str!("../templates/lie_group.toml");
const HAMILTONIAN: &str = include_str!("../templates/hamiltonian.toml");

/// What a new model begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Template {
    /// A Lagrangian.
    Lagrangian,
    /// A Hamiltonian.
    Hamiltonian,
    /// A body that rotates.
    LieGroup,
}

/// The text of a new model.
pub fn template(name: &str, kind: Template) -> String {
    let text = match kind {
        Template::Lagrangian => LAGRANGIAN,
        Template::Hamiltonian => HAMILTONIAN,
        Template::LieGroup => LIE_GROUP,
    };
    text.replace("@NAME@", name)
}

/// A name that is a file name everywhere: letters, digits, `_` and `-`.
pub fn sanitise(name: &str) -> Option<String> {
    let name = name.strip_suffix(".toml").unwrap_or(name);
    let clean: String = name
        .trim()
        .chars()
        .map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' })
        .take(64)
        .collect();
    clean.chars().any(char::is_alphanumeric).then_some(clean)
}

/// Runs the command.
pub fn run(arguments: &New) -> Exit {
    if arguments.name.contains(['/', '\\']) {
        diagnostics::plain(
            "ISO-FILE-007",
            "a model is named without a folder; it is written to the current one",
            Some("go to the folder first, then: isotrope new pendulum"),
        );
        return Exit::CouldNotRun;
    }
    let Some(name) = sanitise(&arguments.name) else {
        diagnostics::plain(
            "ISO-FILE-007",
            "a model needs a name with at least one letter or digit",
            Some("for example: isotrope new pendulum"),
        );
        return Exit::CouldNotRun;
    };
    let kind = match (arguments.hamiltonian, arguments.lie) {
        (true, _) => Template::Hamiltonian,
        (_, true) => Template::LieGroup,
        _ => Template::Lagrangian,
    };
    let path = PathBuf::from(format!("{name}.toml"));
    if !arguments.force && path.symlink_metadata().is_ok() {
        return FileError::Exists(path).report();
    }
    if let Err(error) = write(Some(&path), &template(&name, kind)) {
        return error.report();
    }
    diagnostics::say(&format!("wrote {0}; next: isotrope derive {0}", path.display()));
    Exit::Done
}
