//! Errors in files written in TOML, each with a place, a reason, a way out and a code: shared by
//! every kind of file that is not a model.

use std::fmt;

use isotrope_algebra::syntax::Span;
use toml_edit::Document;

use crate::codes::Code;
use crate::document::{FileKind, FileProblem, check_bytes, read_toml};
use crate::files::TomlCode;

/// A second place that belongs to an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileLabel {
    /// Where.
    pub span: Span,
    /// What is there.
    pub message: String,
}

/// One thing that is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileError<C> {
    /// Where in the file.
    pub span: Span,
    /// Its stable code.
    pub code: C,
    /// What is wrong.
    pub message: String,
    /// A way out.
    pub hint: String,
    /// Other places that matter.
    pub labels: Vec<FileLabel>,
}

impl<C: fmt::Display> fmt::Display for FileError<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.message, self.code)
    }
}

impl<C: fmt::Debug + fmt::Display> std::error::Error for FileError<C> {}

/// More errors than this do not help.
const MOST_ERRORS: usize = 100;

/// Collects errors.
#[derive(Debug)]
pub struct FileReporter<C> {
    errors: Vec<FileError<C>>,
}

impl<C> Default for FileReporter<C> {
    fn default() -> Self {
        Self { errors: Vec::new() }
    }
}

impl<C: TomlCode> FileReporter<C> {
    /// The text and the tree of a file; what is wrong with them is reported.
    pub fn open<'b>(
        &mut self,
        bytes: &'b [u8],
        kind: FileKind,
    ) -> Option<(&'b str, Document<String>)> {
        let file = check_bytes(bytes, kind).map_err(|problem| self.report(problem)).ok()?;
        let mut problems = Vec::new();
        let document = read_toml(file, kind, &mut problems);
        for problem in problems {
            self.report(problem);
        }
        Some((file, document?))
    }

    fn report(&mut self, problem: FileProblem) {
        let first =
            problem.first.map(|span| FileLabel { span, message: "first given here".into() });
        let (code, labels) = (C::of_file(problem.kind), first.into_iter().collect());
        self.with(code, problem.span, problem.message, problem.hint, labels);
    }

    /// An error with the advice of its code as hint.
    pub fn error(&mut self, code: C, span: Span, message: impl Into<String>) {
        self.with(code, span, message, None, Vec::new());
    }

    /// An error with a hint (the advice of its code without it) and other places.
    pub fn with(
        &mut self,
        code: C,
        span: Span,
        message: impl Into<String>,
        hint: Option<String>,
        labels: Vec<FileLabel>,
    ) {
        if self.errors.len() < MOST_ERRORS {
            let hint = hint.unwrap_or_else(|| Into::<Code>::into(code).hint());
            self.errors.push(FileError { span, code, message: message.into(), hint, labels });
        }
    }

    /// Is nothing wrong so far?
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// All errors, in the order of the text.
    pub fn finish(mut self) -> Vec<FileError<C>> {
        self.errors.sort_by_key(|error| (error.span, error.code));
        self.errors
    }
}
