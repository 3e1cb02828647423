//! Errors with a place, a reason and a way out.

use isotrope_algebra::syntax::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ModelCode;

/// Which text a span points into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Source {
    /// The model file.
    #[default]
    File,
    /// The `--set` argument of that position.
    Set(usize),
    /// The `--initial` argument of that position.
    Initial(usize),
}

/// A range of bytes in one of the texts a model is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Place {
    /// Which text.
    pub source: Source,
    /// Where in it.
    pub span: Span,
}

impl Place {
    /// A place in the file.
    pub fn file(span: Span) -> Self {
        Self { source: Source::File, span }
    }
}

/// A second place that belongs to an error, such as the first of two declarations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Which text the place is in.
    pub source: Source,
    /// Where.
    pub span: Span,
    /// What is there.
    pub message: String,
}

/// One thing that is wrong with a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelError {
    /// Which text the place is in: the file or a command-line argument.
    pub source: Source,
    /// Where it is.
    pub span: Span,
    /// Its stable code.
    pub code: ModelCode,
    /// What is wrong.
    pub message: String,
    /// A way out, if one is known.
    pub hint: Option<String>,
    /// Other places that matter.
    pub labels: Vec<Label>,
}

impl std::fmt::Display for ModelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} [{}]", self.message, self.code)
    }
}

impl std::error::Error for ModelError {}

/// More errors than this do not help, and cost memory on hostile input.
const MOST_ERRORS: usize = 100;
const MOST_LABELS: usize = 3;

/// Collects errors, each place once.
#[derive(Debug, Default)]
pub(crate) struct Reporter {
    errors: Vec<ModelError>,
    seen: FxHashSet<(ModelCode, Place)>,
    /// The error of each unknown name: later uses become labels of it.
    unknown: FxHashMap<String, usize>,
    /// Some declaration could not be read, so unknown names and indices would be noise.
    mute_unknown: bool,
    /// One budget serves the whole model; when it is gone, once is enough to say so.
    too_large: bool,
}

/// An error under construction; it is recorded when dropped.
pub(crate) struct Draft<'r>(Option<&'r mut ModelError>);

impl Draft<'_> {
    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        if let Some(error) = self.0 {
            error.hint = Some(hint.into());
            return Self(Some(error));
        }
        self
    }

    pub(crate) fn maybe_hint(self, hint: Option<impl Into<String>>) -> Self {
        match hint {
            Some(hint) => self.hint(hint),
            None => self,
        }
    }

    pub(crate) fn label(self, place: Place, message: impl Into<String>) -> Self {
        if let Some(error) = self.0 {
            let Place { source, span } = place;
            error.labels.push(Label { source, span, message: message.into() });
            return Self(Some(error));
        }
        self
    }
}

impl Reporter {
    pub(crate) fn error(
        &mut self,
        code: ModelCode,
        place: Place,
        message: impl Into<String>,
    ) -> Draft<'_> {
        let repeated = code == ModelCode::TooLarge && std::mem::replace(&mut self.too_large, true);
        let follows = matches!(
            code,
            ModelCode::Indexing
                | ModelCode::IndexOutOfRange
                | ModelCode::NotACoordinate
                | ModelCode::NoRate
                | ModelCode::MissingInitialValue
        );
        if follows && self.mute_unknown {
            return Draft(None);
        }
        if repeated || self.errors.len() >= MOST_ERRORS || !self.seen.insert((code, place)) {
            return Draft(None);
        }
        self.errors.push(ModelError {
            source: place.source,
            span: place.span,
            code,
            message: message.into(),
            hint: None,
            labels: Vec::new(),
        });
        Draft(self.errors.last_mut())
    }

    /// An unknown name: one error for all its uses.
    pub(crate) fn unknown(
        &mut self,
        name: &str,
        place: Place,
        hint: impl FnOnce() -> Option<String>,
    ) {
        if self.mute_unknown || self.errors.len() >= MOST_ERRORS {
            return;
        }
        if let Some(error) = self.unknown.get(name).and_then(|k| self.errors.get_mut(*k)) {
            let first = Place { source: error.source, span: error.span };
            let known =
                error.labels.iter().any(|l| (l.source, l.span) == (place.source, place.span));
            if place != first && !known && error.labels.len() < MOST_LABELS {
                let Place { source, span } = place;
                error.labels.push(Label { source, span, message: "also here".into() });
            }
            return;
        }
        let position = self.errors.len();
        let message = format!("nothing is called `{}`", shorten(name));
        self.error(ModelCode::UnknownName, place, message).maybe_hint(hint());
        if self.errors.len() > position {
            self.unknown.insert(name.to_owned(), position);
        }
    }

    /// A declaration could not be read: from now on unknown names are not reported.
    pub(crate) fn mute_unknown(&mut self) {
        self.mute_unknown = true;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// All errors, in the order of the text: the file first, then the arguments.
    pub(crate) fn finish(mut self) -> Vec<ModelError> {
        self.errors.sort_by_key(|error| (error.source, error.span, error.code));
        self.errors
    }
}

/// At most forty characters of a text, for messages.
pub(crate) fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}
