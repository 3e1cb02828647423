//! What is refused, as values: a code, a place, a reason and a way out for everything that is wrong.

use std::error::Error;
use std::fmt::Display;

use isotrope_algebra::Internal;
use isotrope_algebra::syntax::Span;
use isotrope_derive::DeriveError;
use isotrope_model::codes::InternalCode;
use isotrope_model::{Code, ModelError, Place as ModelPlace, Source as ModelSource};
use isotrope_output::files::FileError;
use isotrope_study::ensemble::EnsembleError;
use serde::Serialize;

use crate::model::ModelText;

/// A text that places point into.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourceText {
    /// Its name: that of a file, or of an argument.
    pub name: String,
    /// Its bytes; those of a hostile file need not be text.
    #[serde(skip)]
    pub bytes: Vec<u8>,
}

/// A range of bytes in one of the texts of a [`Refusal`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The number of the text.
    pub source: usize,
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

/// A second place that belongs to a diagnostic, and what is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Label {
    /// Where.
    pub place: Place,
    /// What is there.
    pub message: String,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// The stable code.
    pub code: Code,
    /// What is wrong.
    pub message: String,
    /// The way out, if one is known.
    pub hint: Option<String>,
    /// Where, if it has a place.
    pub place: Option<Place>,
    /// Other places that matter.
    pub labels: Vec<Label>,
}

/// Everything that is wrong with a request, and the texts that the places point into.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// What is wrong; never empty.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts.
    pub sources: Vec<SourceText>,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The request cannot be answered, and this is why.
    #[error("{}", .0.first())]
    Refused(Box<Refusal>),
    /// It was asked to [stop](isotrope_algebra::Stop).
    #[error("interrupted while {doing}")]
    Interrupted {
        /// What was being done.
        doing: String,
    },
}

impl Refusal {
    fn first(&self) -> String {
        self.diagnostics.first().map_or_else(String::new, |one| {
            let more = self.diagnostics.len() - 1;
            let rest = if more > 0 { format!(" (and {more} more)") } else { String::new() };
            format!("{} [{}]{rest}", one.message, one.code)
        })
    }

    /// Line and column of a place, in characters from 1.
    #[must_use]
    pub fn line_and_column(&self, place: Place) -> (usize, usize) {
        let bytes = self.sources.get(place.source).map_or(&[][..], |source| &source.bytes);
        let before = &bytes[..place.start.min(bytes.len())];
        let line = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let lines = before.iter().filter(|&&byte| byte == b'\n').count();
        (lines + 1, String::from_utf8_lossy(&before[line..]).chars().count() + 1)
    }
}

impl Failure {
    /// A refusal without a place.
    pub fn plain(
        code: impl Into<Code>,
        message: impl Display,
        hint: impl Into<Option<String>>,
    ) -> Self {
        Self::all(Vec::new(), vec![diagnostic(code, message, hint.into(), None)])
    }

    /// A refusal without a place, with a way out.
    pub(crate) fn hinted(code: impl Into<Code>, message: impl Display, hint: &str) -> Self {
        Self::plain(code, message, Some(hint.to_owned()))
    }

    /// A refusal that follows from an error: as it stands, unless a violated invariant is behind it.
    pub fn because(
        error: &(dyn Error + 'static),
        (code, message, hint): (impl Into<Code>, impl Display, impl Into<Option<String>>),
    ) -> Self {
        match Internal::behind(error) {
            Some(internal) => Self::from(internal),
            None => Self::plain(code, message, hint),
        }
    }

    /// A refusal at a place of a text that is not a file.
    pub(crate) fn in_text(
        name: &str,
        text: &str,
        span: std::ops::Range<usize>,
        (code, message, hint): (Code, String, String),
    ) -> Self {
        let place = Place { source: 0, start: span.start, end: span.end };
        Self::all(
            vec![SourceText { name: name.to_owned(), bytes: text.as_bytes().to_vec() }],
            vec![diagnostic(code, message, Some(hint), Some(place))],
        )
    }

    /// Was it refused because an invariant is violated?
    pub(crate) fn is_own_mistake(&self) -> bool {
        let own = Code::from(InternalCode::ViolatedInvariant);
        match self {
            Self::Refused(refusal) => refusal.diagnostics.iter().any(|one| one.code == own),
            Self::Interrupted { .. } => false,
        }
    }

    pub(crate) fn all(sources: Vec<SourceText>, diagnostics: Vec<Diagnostic>) -> Self {
        Self::Refused(Box::new(Refusal { diagnostics, sources }))
    }

    /// Everything that is wrong with a model.
    pub(crate) fn of_model(text: &ModelText, errors: &[ModelError]) -> Self {
        let place = |source, span| in_model(text, ModelPlace { source, span });
        let diagnostics = errors.iter().map(|error| Diagnostic {
            labels: error
                .labels
                .iter()
                .map(|label| Label {
                    place: place(label.source, label.span),
                    message: label.message.clone(),
                })
                .collect(),
            ..diagnostic(
                error.code,
                &error.message,
                error.hint.clone(),
                Some(place(error.source, error.span)),
            )
        });
        Self::all(text.sources(), diagnostics.collect())
    }

    /// A refusal that follows from an error, at a place of a model; without one it is about the request.
    pub(crate) fn in_a_model(
        (text, place): (&ModelText, Option<ModelPlace>),
        error: &(dyn Error + 'static),
        (code, hint): (impl Into<Code>, String),
    ) -> Self {
        let place = place.map(|place| in_model(text, place));
        let told = match Internal::behind(error) {
            Some(internal) => own_mistake(&internal, place),
            None => diagnostic(code, error, Some(hint), place),
        };
        Self::all(text.sources(), vec![told])
    }

    /// Everything that keeps a model from having equations.
    pub(crate) fn of_derivation(text: &ModelText, errors: &[DeriveError]) -> Self {
        let interrupted = |error: &DeriveError| matches!(error, DeriveError::OutOfBudget { stop, .. } if stop.interrupted);
        if errors.iter().any(interrupted) {
            return Self::Interrupted { doing: "deriving the equations of motion".to_owned() };
        }
        let diagnostics = errors.iter().map(|error| {
            let place = in_model(text, error.place());
            match Internal::behind(error) {
                Some(internal) => own_mistake(&internal, Some(place)),
                None => diagnostic(error.code(), error, Some(error.hint()), Some(place)),
            }
        });
        Self::all(text.sources(), diagnostics.collect())
    }

    /// Everything that is wrong with a table, a problem in groups, a geometry file or a study.
    pub fn of_file<C: Copy + Into<Code>>(
        name: &str,
        bytes: &[u8],
        errors: &[isotrope_model::file_errors::FileError<C>],
    ) -> Self {
        let diagnostics = errors.iter().map(|error| {
            let labels = error.labels.iter().map(|label| (label.span, label.message.clone()));
            let told = diagnostic(error.code, &error.message, Some(error.hint.clone()), None);
            placed(told, error.span, labels)
        });
        Self::all(file(name, bytes), diagnostics.collect())
    }

    /// Everything that is wrong with a table of members.
    pub(crate) fn of_ensemble(name: &str, bytes: &[u8], errors: &[EnsembleError]) -> Self {
        let diagnostics = errors.iter().map(|error| {
            let labels = error.labels.iter().map(|label| (label.span, label.message.clone()));
            let told = diagnostic(error.code, &error.message, Some(error.hint.clone()), None);
            placed(told, error.span, labels)
        });
        Self::all(file(name, bytes), diagnostics.collect())
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        Self::plain(error.code(), &error, error.hint())
    }
}

impl From<Internal> for Failure {
    fn from(internal: Internal) -> Self {
        Self::all(Vec::new(), vec![own_mistake(&internal, None)])
    }
}

/// A violated invariant, with a request for a report.
fn own_mistake(internal: &Internal, place: Option<Place>) -> Diagnostic {
    diagnostic(InternalCode::ViolatedInvariant, internal, Some(Internal::HINT.to_owned()), place)
}

fn diagnostic(
    code: impl Into<Code>,
    message: impl Display,
    hint: Option<String>,
    place: Option<Place>,
) -> Diagnostic {
    let (code, message) = (code.into(), message.to_string());
    Diagnostic { code, message, hint, place, labels: Vec::new() }
}

fn placed(
    told: Diagnostic,
    span: Span,
    labels: impl Iterator<Item = (Span, String)>,
) -> Diagnostic {
    let labels = labels.map(|(span, message)| Label { place: in_source(0, span), message });
    Diagnostic { place: Some(in_source(0, span)), labels: labels.collect(), ..told }
}

fn in_source(source: usize, span: Span) -> Place {
    Place { source, start: span.start as usize, end: span.end as usize }
}

/// The sources of a model are its file, then what is set, then initial values.
fn in_model(text: &ModelText, place: ModelPlace) -> Place {
    let source = match place.source {
        ModelSource::File => 0,
        ModelSource::Set(k) => 1 + k,
        ModelSource::Initial(k) => 1 + text.overrides.set.len() + k,
    };
    in_source(source, place.span)
}

fn file(name: &str, bytes: &[u8]) -> Vec<SourceText> {
    vec![SourceText { name: name.to_owned(), bytes: bytes.to_vec() }]
}

#[cfg(test)]
mod tests {
    use isotrope_algebra::OutOfBudget;
    use isotrope_model::codes::RunCode;

    use super::*;

    #[test]
    fn a_violated_invariant_behind_an_error_asks_for_a_report() {
        let told = |error: &OutOfBudget| {
            let hint = "take a smaller system".to_owned();
            let Failure::Refused(refusal) =
                Failure::because(error, (RunCode::NotPrepared, error, hint))
            else {
                panic!("not interrupted")
            };
            refusal.diagnostics[0].clone()
        };
        let own = told(&Internal::new("one is odd").into());
        assert_eq!(
            (own.code.text(), own.hint.as_deref()),
            ("ISO-INTERNAL-001", Some(Internal::HINT))
        );
        assert!(own.message.contains("failure.rs:"), "{}", own.message);
        assert_eq!(told(&OutOfBudget::spent(1, "counting")).code.text(), "ISO-RUN-006");
    }
}
