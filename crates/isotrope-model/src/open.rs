//! The bytes of a model file as a TOML tree; what is wrong is reported.

use toml_edit::Document;

use crate::ModelCode;
use crate::diagnostics::{Place, Reporter};
use crate::document::{self, FileKind, FileProblem, FileProblemKind};

const MODEL: FileKind = FileKind {
    example: "L = \"m*x'^2/2\"",
    too_large: "indexed coordinates and sums describe large systems in a few lines",
};

pub(crate) fn check_bytes<'b>(bytes: &'b [u8], reporter: &mut Reporter) -> Option<&'b str> {
    document::check_bytes(bytes, MODEL).map_err(|problem| report(problem, reporter)).ok()
}

pub(crate) fn read_toml(file: &str, reporter: &mut Reporter) -> Option<Document<String>> {
    let mut problems = Vec::new();
    let document = document::read_toml(file, MODEL, &mut problems);
    for problem in problems {
        report(problem, reporter);
    }
    document
}

fn report(problem: FileProblem, reporter: &mut Reporter) {
    let code = match problem.kind {
        FileProblemKind::NotUtf8 => ModelCode::NotUtf8,
        FileProblemKind::ControlCharacter => ModelCode::ControlCharacter,
        FileProblemKind::TooLarge => ModelCode::TooLarge,
        FileProblemKind::Toml => ModelCode::Toml,
        FileProblemKind::DuplicateKey => ModelCode::DuplicateKey,
    };
    let draft =
        reporter.error(code, Place::file(problem.span), problem.message).maybe_hint(problem.hint);
    if let Some(first) = problem.first {
        let _ = draft.label(Place::file(first), "first given here");
    }
}
