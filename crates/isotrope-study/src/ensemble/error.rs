//! Errors in ensemble files, each with a place, a reason and a way out.

use isotrope_algebra::syntax::Span;

use super::EnsembleCode;

/// A second place that belongs to an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnsembleLabel {
    /// Where.
    pub span: Span,
    /// What is there.
    pub message: String,
}

/// One thing that is wrong with an ensemble file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnsembleError {
    /// Where in the file.
    pub span: Span,
    /// The line, from 1.
    pub line: usize,
    /// The column of the text, in characters from 1.
    pub column: usize,
    /// Its stable code.
    pub code: EnsembleCode,
    /// What is wrong.
    pub message: String,
    /// A way out.
    pub hint: String,
    /// Other places that matter.
    pub labels: Vec<EnsembleLabel>,
}

impl std::fmt::Display for EnsembleError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { line, column, message, code, .. } = self;
        write!(f, "line {line}, column {column}: {message} [{code}]")
    }
}

impl std::error::Error for EnsembleError {}

/// More errors than this do not help.
const MOST_ERRORS: usize = 100;

/// Collects errors.
#[derive(Debug, Default)]
pub(super) struct Reporter {
    errors: Vec<EnsembleError>,
}

impl Reporter {
    /// An error with the advice of its code as hint. Line and column are found at the end.
    pub(super) fn error(
        &mut self,
        code: EnsembleCode,
        span: Span,
        message: impl Into<String>,
    ) -> &mut EnsembleError {
        let (line, column, message) = (0, 0, message.into());
        let hint = code.hint();
        // The last place is overwritten by what is too much.
        if self.is_full() {
            self.errors.pop();
        }
        self.errors.push(EnsembleError {
            span,
            line,
            column,
            code,
            message,
            hint,
            labels: Vec::new(),
        });
        let last = self.errors.len() - 1;
        &mut self.errors[last]
    }

    pub(super) fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// Is it time to stop reading?
    pub(super) fn is_full(&self) -> bool {
        self.errors.len() >= MOST_ERRORS
    }

    /// All errors, in the order of the text.
    pub(super) fn finish(mut self, bytes: &[u8]) -> Vec<EnsembleError> {
        self.errors.sort_by_key(|error| (error.span, error.code));
        for error in &mut self.errors {
            let before = &bytes[..error.span.range().start.min(bytes.len())];
            let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            error.line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            error.column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
        }
        self.errors
    }
}

/// At most forty characters of a text, for messages.
pub(super) fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}
