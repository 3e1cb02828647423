//! Errors in table files, each with a place, a reason and a way out.

use isotrope_algebra::syntax::Span;

use super::TableCode;

/// A second place that belongs to an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableLabel {
    /// Where.
    pub span: Span,
    /// What is there.
    pub message: String,
}

/// One thing that is wrong with a table file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableError {
    /// Where in the file.
    pub span: Span,
    /// Its stable code.
    pub code: TableCode,
    /// What is wrong.
    pub message: String,
    /// A way out.
    pub hint: String,
    /// Other places that matter.
    pub labels: Vec<TableLabel>,
}

impl std::fmt::Display for TableError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} [{}]", self.message, self.code)
    }
}

impl std::error::Error for TableError {}

/// The advice of a code in the form of a hint: no sentence.
pub(super) fn advice(code: TableCode) -> String {
    let advice = code.advice().trim_end_matches('.');
    let mut characters = advice.chars();
    let first = characters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(characters).collect()
}

/// More errors than this help nobody.
const MOST_ERRORS: usize = 100;

/// Collects errors.
#[derive(Debug, Default)]
pub(super) struct Reporter {
    errors: Vec<TableError>,
}

impl Reporter {
    /// An error with the advice of its code as hint.
    pub(super) fn error(&mut self, code: TableCode, span: Span, message: impl Into<String>) {
        self.error_with_hint(code, span, message, None);
    }

    pub(super) fn error_with_hint(
        &mut self,
        code: TableCode,
        span: Span,
        message: impl Into<String>,
        hint: Option<String>,
    ) {
        self.push(TableError {
            span,
            code,
            message: message.into(),
            hint: hint.unwrap_or_else(|| advice(code)),
            labels: Vec::new(),
        });
    }

    pub(super) fn push(&mut self, error: TableError) {
        if self.errors.len() < MOST_ERRORS {
            self.errors.push(error);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// All errors, in the order of the text.
    pub(super) fn finish(mut self) -> Vec<TableError> {
        self.errors.sort_by_key(|error| (error.span, error.code));
        self.errors
    }
}
