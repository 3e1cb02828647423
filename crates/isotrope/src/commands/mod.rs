//! One file a subcommand, and what they share: reading models, writing answers.

pub mod basis_worker;
pub mod bench;
pub mod certify;
pub mod check;
pub mod compare;
pub mod completions;
pub mod conditions;
pub mod connect;
pub mod construct;
pub mod convergence;
pub mod derive;
pub mod drift;
mod explaining;
pub mod flow;
pub mod geometry;
pub(crate) mod integrating;
pub mod man;
pub mod methods;
pub mod modified;
pub mod new;
pub mod port;
pub mod run;
pub mod schema;
pub mod stability;
pub mod trees;

use std::io::{IsTerminal as _, Read as _, Write as _};
use std::path::{Path, PathBuf};

use isotrope_algebra::Budget;
use isotrope_model::{Model, ModelText, parse_model};
use isotrope_scheme::derive::{Analysis, System};

use crate::cli::ModelArguments;
use crate::diagnostics::{self, Origin};
use crate::exit::Exit;
use crate::progress::Progress;

/// Files are read up to here; a model that needs more is refused by its reader.
const LARGEST_FILE: u64 = 64 << 20;
const DERIVE_BUDGET: u64 = 200_000_000;
const ANALYSE_BUDGET: u64 = 100_000_000;

/// A failure that has nothing to do with the contents of a model.
#[derive(Debug)]
pub(crate) enum FileError {
    Missing(PathBuf),
    Directory(PathBuf),
    Unreadable(PathBuf, std::io::Error),
    Exists(PathBuf),
    Unwritable(PathBuf, std::io::Error),
    Standard(std::io::Error),
}

impl FileError {
    fn code(&self) -> &'static str {
        match self {
            Self::Missing(_) => "ISO-FILE-001",
            Self::Directory(_) => "ISO-FILE-002",
            Self::Unreadable(..) => "ISO-FILE-003",
            Self::Exists(_) => "ISO-FILE-004",
            Self::Unwritable(..) => "ISO-FILE-005",
            Self::Standard(_) => "ISO-FILE-006",
        }
    }

    fn message(&self) -> String {
        match self {
            Self::Missing(path) => format!("there is no file `{}`", path.display()),
            Self::Directory(path) => format!("`{}` is a directory, not a file", path.display()),
            Self::Unreadable(path, error) => format!("cannot read `{}`: {error}", path.display()),
            Self::Exists(path) => format!("`{}` exists already", path.display()),
            Self::Unwritable(path, error) => format!("cannot write `{}`: {error}", path.display()),
            Self::Standard(error) => format!("cannot use the standard streams: {error}"),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Missing(path) => Some(match path.extension() {
                None if path.with_extension("toml").exists() => {
                    format!("did you mean `{}.toml`?", path.display())
                }
                _ => "`isotrope new NAME` writes a model to start from; a table file is shown by \
                      `isotrope certify --help`"
                    .to_owned(),
            }),
            Self::Directory(path) => first_model(path),
            Self::Exists(_) => Some("choose another name, or replace it with --force".to_owned()),
            _ => None,
        }
    }

    /// Tells the user.
    pub(crate) fn report(&self) -> Exit {
        diagnostics::plain(self.code(), &self.message(), self.hint().as_deref());
        Exit::CouldNotRun
    }
}

fn first_model(directory: &Path) -> Option<String> {
    let mut names: Vec<PathBuf> = std::fs::read_dir(directory)
        .ok()?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    names.sort();
    names.first().map(|path| format!("name a file in it, such as `{}`", path.display()))
}

/// Reads a whole file, or standard input for `-`.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    if path.as_os_str() == "-" {
        std::io::stdin()
            .lock()
            .take(LARGEST_FILE)
            .read_to_end(&mut bytes)
            .map_err(FileError::Standard)?;
        return Ok(bytes);
    }
    if path.is_dir() {
        return Err(FileError::Directory(path.to_owned()));
    }
    let file = std::fs::File::open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => FileError::Missing(path.to_owned()),
        _ => FileError::Unreadable(path.to_owned(), error),
    })?;
    file.take(LARGEST_FILE)
        .read_to_end(&mut bytes)
        .map_err(|error| FileError::Unreadable(path.to_owned(), error))?;
    Ok(bytes)
}

/// Writes an answer to a file or to standard output. A reader that has seen enough
/// (`| head`) is no error.
pub(crate) fn write(out: Option<&Path>, text: &str) -> Result<(), FileError> {
    if let Some(path) = out.filter(|path| path.as_os_str() != "-") {
        return std::fs::write(path, text)
            .map_err(|error| FileError::Unwritable(path.to_owned(), error));
    }
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(FileError::Standard(error))
        }
        _ => Ok(()),
    }
}

/// Writes an answer and turns a failure into an exit code.
pub(crate) fn answer(out: Option<&Path>, text: &str, exit: Exit) -> Exit {
    match write(out, text) {
        Ok(()) => exit,
        Err(error) => error.report(),
    }
}

/// The name under which a model is spoken of.
pub(crate) fn display_name(path: &Path) -> String {
    if path.as_os_str() == "-" { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// Reads and parses a model; errors are told on stderr.
pub(crate) fn load<'a>(
    arguments: &'a ModelArguments,
    bytes: &'a mut Vec<u8>,
) -> Result<(Model, Origin<'a>), Exit> {
    *bytes = read(&arguments.model).map_err(|error| error.report())?;
    parse(arguments, bytes)
}

/// The model in bytes that were read; errors are told on stderr.
pub(crate) fn parse<'a>(
    arguments: &'a ModelArguments,
    bytes: &'a [u8],
) -> Result<(Model, Origin<'a>), Exit> {
    let name = display_name(&arguments.model);
    let source = ModelText {
        name: &name,
        bytes,
        set: arguments.set.iter().map(String::as_str).collect(),
        initial: arguments.initial.iter().map(String::as_str).collect(),
    };
    let parsed = parse_model(&source);
    let origin = Origin { name, bytes, set: &arguments.set, initial: &arguments.initial };
    match parsed {
        Ok(model) => Ok((model, origin)),
        Err(errors) => {
            diagnostics::show(&diagnostics::render_model_errors(&origin, &errors));
            Err(Exit::CouldNotRun)
        }
    }
}

/// Derives a system and analyses it; errors are told on stderr.
pub(crate) fn derive_and_analyse(
    model: Model,
    origin: &Origin<'_>,
) -> Result<(System, Analysis), Exit> {
    let progress = Progress::start("deriving the equations of motion");
    let derived = isotrope_scheme::derive::derive(model, &mut Budget::new(DERIVE_BUDGET));
    let mut system = match derived {
        Ok(system) => system,
        Err(errors) => {
            drop(progress);
            diagnostics::show(&diagnostics::render_derive_errors(origin, &errors));
            return Err(Exit::CouldNotRun);
        }
    };
    let analysis = isotrope_scheme::derive::analyse(&mut system, &mut Budget::new(ANALYSE_BUDGET));
    drop(progress);
    Ok((system, analysis))
}

/// Columns of the terminal; a fixed number when the output is not one.
pub(crate) fn width() -> usize {
    const OTHERWISE: usize = 100;
    if !std::io::stdout().is_terminal() {
        return OTHERWISE;
    }
    match terminal_size::terminal_size() {
        Some((width, _)) => usize::from(width.0).clamp(40, 160),
        None => OTHERWISE,
    }
}
