//! `isotrope geometry`: Dirac structures, brackets and homological fields.

use isotrope_algebra::Budget;
use isotrope_algebra::syntax::Span;
use isotrope_model::file_errors::FileError;
use isotrope_scheme::geometry::file::{GeometryCode, GeometryText, is_geometry, parse_geometry};
use isotrope_scheme::geometry::{GeometryError, examine, examine_model};

use super::{answer, derive_and_analyse, display_name, parse, read, width};
use crate::cli::{Geometry, ModelArguments};
use crate::diagnostics;
use crate::exit::Exit;
use crate::progress::Progress;
use crate::report::Format;
use crate::structure::{Heading, write};

/// Operations for everything that is asked of one object.
const BUDGET: u64 = 100_000_000;

/// Runs the command.
pub fn run(arguments: &Geometry) -> Exit {
    let bytes = match read(&arguments.file) {
        Ok(bytes) => bytes,
        Err(error) => return error.report(),
    };
    if is_geometry(&bytes) { of_file(arguments, &bytes) } else { of_model(arguments, &bytes) }
}

fn format(arguments: &Geometry) -> Format {
    match (arguments.json, arguments.latex, arguments.html) {
        (true, ..) => Format::Json,
        (_, true, _) => Format::Latex,
        (_, _, true) => Format::Html,
        _ => Format::Text { width: width() },
    }
}

fn of_file(arguments: &Geometry, bytes: &[u8]) -> Exit {
    if let Some(set) = arguments.set.first() {
        let message = format!("`--set {set}` is for models; this is a geometry file");
        let hint = "change the value under `parameters` in the file";
        diagnostics::plain(&GeometryCode::Parameter.to_string(), &message, Some(hint));
        return Exit::CouldNotRun;
    }
    let name = display_name(&arguments.file);
    let refuse = |errors: &[FileError<GeometryCode>]| {
        diagnostics::show(&diagnostics::render_file_errors(&name, bytes, errors));
        Exit::CouldNotRun
    };
    let mut file = match parse_geometry(&GeometryText::new(&name, bytes)) {
        Ok(file) => file,
        Err(errors) => return refuse(&errors),
    };
    let progress = Progress::start("examining the object");
    let report = examine(&mut file, &mut Budget::new(BUDGET));
    drop(progress);
    match report {
        Ok(report) => {
            let heading = Heading { name: file.name, description: file.description };
            let text = write(&mut file.pool, &heading, &report, format(arguments));
            answer(arguments.out.as_deref(), &text, Exit::Done)
        }
        Err(error) => refuse(&[in_file(&error)]),
    }
}

fn in_file(error: &GeometryError) -> FileError<GeometryCode> {
    FileError {
        span: error.span().unwrap_or(Span::new(0, 0)),
        code: error.code(),
        message: error.to_string(),
        hint: error.hint().to_owned(),
        labels: Vec::new(),
    }
}

fn of_model(arguments: &Geometry, bytes: &[u8]) -> Exit {
    let model = ModelArguments {
        model: arguments.file.clone(),
        set: arguments.set.clone(),
        initial: Vec::new(),
    };
    let (model, origin) = match parse(&model, bytes) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let (mut system, analysis) = match derive_and_analyse(model, &origin) {
        Ok(derived) => derived,
        Err(exit) => return exit,
    };
    let progress = Progress::start("examining the Dirac structure");
    let report = examine_model(&mut system, &analysis, &mut Budget::new(BUDGET));
    drop(progress);
    match report {
        Ok(report) => {
            let model = &mut system.model;
            let heading =
                Heading { name: model.name.clone(), description: model.description.clone() };
            let text = write(&mut model.pool, &heading, &report, format(arguments));
            answer(arguments.out.as_deref(), &text, Exit::Done)
        }
        Err(error) => {
            let code = error.code().to_string();
            diagnostics::plain(&code, &error.to_string(), Some(error.hint()));
            Exit::CouldNotRun
        }
    }
}
