//! Errors in problem files, each with a place, a reason and a way out.

use isotrope_algebra::syntax::Span;

use super::ProblemCode;

/// A second place that belongs to an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProblemLabel {
    /// Where.
    pub span: Span,
    /// What is there.
    pub message: String,
}

/// One thing that is wrong with a problem file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProblemFileError {
    /// Where in the file.
    pub span: Span,
    /// Its stable code.
    pub code: ProblemCode,
    /// What is wrong.
    pub message: String,
    /// A way out.
    pub hint: String,
    /// Other places that matter.
    pub labels: Vec<ProblemLabel>,
}

impl std::fmt::Display for ProblemFileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} [{}]", self.message, self.code)
    }
}

impl std::error::Error for ProblemFileError {}

/// The advice of a code in the form of a hint: no sentence.
fn advice(code: ProblemCode) -> String {
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
    errors: Vec<ProblemFileError>,
}

impl Reporter {
    /// An error with the advice of its code as hint.
    pub(super) fn error(&mut self, code: ProblemCode, span: Span, message: impl Into<String>) {
        self.with(code, span, message, None, Vec::new());
    }

    pub(super) fn with(
        &mut self,
        code: ProblemCode,
        span: Span,
        message: impl Into<String>,
        hint: Option<String>,
        labels: Vec<ProblemLabel>,
    ) {
        if self.errors.len() < MOST_ERRORS {
            let hint = hint.unwrap_or_else(|| advice(code));
            self.errors.push(ProblemFileError {
                span,
                code,
                message: message.into(),
                hint,
                labels,
            });
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// All errors, in the order of the text.
    pub(super) fn finish(mut self) -> Vec<ProblemFileError> {
        self.errors.sort_by_key(|error| (error.span, error.code));
        self.errors
    }
}
