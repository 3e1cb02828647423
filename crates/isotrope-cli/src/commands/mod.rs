//! One file per subcommand, and what they share: reading models, showing answers and refusals.

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
pub mod explain;
pub mod flow;
pub mod geometry;
pub mod man;
pub mod methods;
pub mod modified;
pub mod new;
pub mod plot;
pub mod port;
pub mod run;
pub mod schema;
pub mod stability;
pub mod sweep;
pub mod trees;

use std::path::Path;

use isotrope::codes::FilesCode;
use isotrope::rooms::algebra::{Internal, OrInternal};
use isotrope::rooms::kernel::integrate::SinkError;
use isotrope::rooms::output::writers::{WriteError, Writer};
use isotrope::{Answer, Asked, Disk, Failure, FileError, Host, Model, Overrides, System};

use crate::cli::{Format, ModelArguments, Shape};
use crate::closed::output_is_open;
use crate::diagnostics;
use crate::exit::Exit;
use crate::surroundings::{name, width};

/// The format of a document.
pub(crate) fn format(shape: Shape) -> isotrope::Format {
    match shape {
        Shape::Text => isotrope::Format::Text { width: width() },
        Shape::Json => isotrope::Format::Json,
        Shape::Latex => isotrope::Format::Latex,
        Shape::Html => isotrope::Format::Html,
    }
}

/// Ends a command, or says why it could not run.
pub(crate) fn told(done: Result<Exit, Failure>) -> Exit {
    match done {
        Ok(exit) => exit,
        Err(failure) => refuse(&failure),
    }
}

/// Says why the command could not run.
pub(crate) fn refuse(failure: &Failure) -> Exit {
    match failure {
        Failure::Refused(refusal) => {
            diagnostics::show(&diagnostics::render(refusal));
            Exit::CouldNotRun
        }
        Failure::Interrupted { .. } => {
            diagnostics::say(&failure.to_string());
            Exit::Interrupted
        }
    }
}

/// Shows help, the version, or what is wrong with the arguments.
pub(crate) fn say_usage(answer: &clap::Error) -> Exit {
    let asked_for = !answer.use_stderr();
    let open = if asked_for { output_is_open() } else { Ok(()) };
    match open.and_then(|()| answer.print()) {
        Err(error) if asked_for && error.kind() != std::io::ErrorKind::BrokenPipe => {
            refuse(&FileError::Standard(error).into())
        }
        _ if asked_for => Exit::Done,
        _ => Exit::CouldNotRun,
    }
}

/// How a command ends if an invariant was violated while it ran: it says that what it printed may be wrong.
pub(crate) fn answer_for(exit: Exit, violated: Option<Internal>) -> Exit {
    match (exit, violated) {
        (Exit::Done | Exit::Negative, Some(internal)) => refuse(&Failure::from(internal)),
        (exit, _) => exit,
    }
}

/// A file of rows that cannot be written.
pub(crate) fn unwritten(error: &WriteError) -> Failure {
    Failure::plain(error.code(), error, error.hint())
}

/// Completes a file; a line about it.
pub(crate) fn finish(
    writer: Option<Box<dyn Writer>>,
    failed: Option<SinkError>,
) -> Result<Option<String>, Failure> {
    if let Some(error) = failed {
        return Err(match error.inner().downcast_ref::<WriteError>() {
            Some(error) => unwritten(error),
            None => Failure::plain(FilesCode::Unwritable, &error, "is the disk full?".to_owned()),
        });
    }
    let Some(writer) = writer else { return Ok(None) };
    let written = writer.finish().map_err(|error| unwritten(&error))?;
    let scaled = written
        .scale
        .map_or_else(String::new, |scale| format!(", as sound: numbers times {scale}"));
    Ok(Some(format!("{} rows in {}{scaled}", written.rows, written.path.display())))
}

/// Writes an answer to a file or to standard output.
pub(crate) fn write(host: &Host, out: Option<&Path>, text: &str) -> Result<(), Failure> {
    match out.map(Path::to_str) {
        None => Ok(host.files().write("-", text.as_bytes())?),
        Some(Some(name)) => Ok(host.files().write(name, text.as_bytes())?),
        // A name that is not UTF-8 is a name on disk.
        Some(None) => Ok(Disk.write_path(out.unwrap_or(Path::new("")), text.as_bytes())?),
    }
}

/// Writes an answer as its arguments ask for.
pub(crate) fn show(
    host: &Host,
    answer: &mut dyn Answer,
    arguments: &dyn Format,
) -> Result<Exit, Failure> {
    let exit = exit(host, answer);
    let target = arguments.target();
    let text = match target.shape {
        Shape::Text => answer.text(width()),
        Shape::Json => json(answer),
        Shape::Latex => document(answer.latex())?,
        Shape::Html => document(answer.html())?,
    };
    write(host, target.out, &text)?;
    Ok(exit)
}

/// A document that was asked for although the answer has none of that kind: never seen.
fn document(text: Option<String>) -> Result<String, Failure> {
    Ok(text.or_internal("the answer has a document of this kind")?)
}

/// How a command with this answer ends; what was interrupted is a part of an answer.
pub(crate) fn exit(host: &Host, answer: &dyn Answer) -> Exit {
    ended(host, answer.is_negative())
}

/// How a command ends whose answer is "no", or is not.
pub(crate) fn ended(host: &Host, negative: bool) -> Exit {
    match (host.is_stopped(), negative) {
        (true, _) => Exit::Interrupted,
        (_, true) => Exit::Negative,
        (_, false) => Exit::Done,
    }
}

/// An answer for programs.
pub(crate) fn json(answer: &mut dyn Answer) -> String {
    format!("{:#}\n", answer.json())
}

/// Refuses to replace an existing file.
pub(crate) fn unless_it_exists(path: &Path, force: bool) -> Result<(), Failure> {
    if !force && path.symlink_metadata().is_ok() {
        return Err(FileError::Exists(path.to_owned()).into());
    }
    Ok(())
}

/// A file and the name that messages use for it.
pub(crate) fn read(host: &Host, path: &Path) -> Result<(String, Vec<u8>), Failure> {
    let name = name(path);
    host.files().will_read(path)?;
    let bytes = match path.to_str() {
        Some(name) => host.files().read(name)?,
        // A name that is not UTF-8 is a name on disk.
        None => Disk.read_path(path)?,
    };
    Ok((if name == "-" { "<stdin>".to_owned() } else { name }, bytes))
}

/// Reads the model of a path.
pub(crate) fn model(host: &Host, path: &Path, overrides: &Overrides) -> Result<Model, Failure> {
    let (name, bytes) = read(host, path)?;
    Model::parse(&name, &bytes, overrides)
}

/// Reads the model that the arguments name.
pub(crate) fn load(host: &Host, arguments: &ModelArguments) -> Result<Model, Failure> {
    let overrides = Overrides { set: arguments.set.clone(), initial: arguments.initial.clone() };
    model(host, &arguments.model, &overrides)
}

/// Reads a model, examines the request, derives the model: in this order, so that a request is
/// refused at once and not after a long derivation.
pub(crate) fn ready(
    host: &Host,
    arguments: &ModelArguments,
    asked: &dyn Asked,
) -> Result<System, Failure> {
    let model = load(host, arguments)?;
    asked.examine(host, &model)?;
    model.derive(host)
}

/// A command line once more, with quotes where a shell needs them.
pub(crate) struct CommandLine(Vec<String>);

impl CommandLine {
    pub(crate) fn new(command: &str) -> Self {
        Self(vec!["isotrope".to_owned(), command.to_owned()])
    }

    pub(crate) fn word(&mut self, word: &str) {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=+".contains(c);
        self.0.push(if !word.is_empty() && word.chars().all(plain) {
            word.to_owned()
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        });
    }

    pub(crate) fn option(&mut self, name: &str, value: impl ToString) {
        self.word(name);
        self.word(&value.to_string());
    }

    pub(crate) fn options(&mut self, name: &str, values: &[String]) {
        for value in values {
            self.option(name, value);
        }
    }

    pub(crate) fn text(&self) -> String {
        self.0.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use isotrope::Stop;

    use super::*;

    #[test]
    fn an_answer_with_a_violated_invariant_does_not_end_well() {
        let around = Stop::new();
        let ended = |work: &dyn Fn()| {
            around.during(work);
            answer_for(Exit::Done, around.violated())
        };
        assert_eq!(ended(&|| {}), Exit::Done);
        // A record that JSON cannot hold is written with a key that no schema has.
        let unwritable = BTreeMap::from([(vec![1], 2)]);
        let write = || drop(isotrope::value(&unwritable));
        assert_eq!(ended(&write), Exit::CouldNotRun);
        // A caller on the way dropped the error.
        let swallow = || assert_eq!(Err::<(), _>(Internal::new("one is odd")).ok(), None);
        assert_eq!(ended(&swallow), Exit::CouldNotRun);
        assert_eq!(ended(&|| {}), Exit::Done);
    }
}
