//! Errors as people read them: file, line, caret, reason, hint, code; on stderr.

use std::io::Write as _;
use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use isotrope_algebra::syntax::Span;
use isotrope_model::file_errors::FileError;
use isotrope_model::{ModelError, Place, Source};
use isotrope_scheme::derive::DeriveError;
use isotrope_study::ensemble::EnsembleError;

/// The texts that places of errors point into.
#[derive(Debug, Clone)]
pub struct Origin<'a> {
    /// How the file is called in messages.
    pub name: String,
    /// The bytes of the file.
    pub bytes: &'a [u8],
    /// The arguments of `--set`.
    pub set: &'a [String],
    /// The arguments of `--initial`.
    pub initial: &'a [String],
}

/// A line with a mark, cut to a size that fits on a screen.
struct Excerpt {
    path: String,
    line: usize,
    /// Column of the mark, in characters from 1.
    column: usize,
    text: String,
    mark: Range<usize>,
    /// Was something cut away on the left? Then columns of the text are not those of the file.
    cut: bool,
}

/// Bytes of a line shown before and after the mark, and of the mark itself.
const BEFORE: usize = 60;
const INSIDE: usize = 60;
const AFTER: usize = 40;
/// Lines up to this many bytes are shown whole.
const WHOLE: usize = 120;
/// Errors shown; the rest is counted.
const SHOWN: usize = 20;

impl Origin<'_> {
    fn excerpt(&self, place: Place) -> Excerpt {
        let (path, bytes): (String, &[u8]) = match place.source {
            Source::File => (self.name.clone(), self.bytes),
            Source::Set(k) => ("--set".to_owned(), self.set.get(k).map_or(b"", |s| s.as_bytes())),
            Source::Initial(k) => {
                ("--initial".to_owned(), self.initial.get(k).map_or(b"", |s| s.as_bytes()))
            }
        };
        // Places come from elsewhere: bring them inside whatever text there is.
        let start = (place.span.start as usize).min(bytes.len());
        let end = (place.span.end as usize).clamp(start, bytes.len());
        let line_start = bytes[..start].iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        let line_end =
            bytes[start..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |at| start + at);
        let end = end.min(line_end);
        let line = bytes[..line_start].iter().filter(|&&b| b == b'\n').count() + 1;
        let column = String::from_utf8_lossy(&bytes[line_start..start]).chars().count() + 1;
        let long = line_end - line_start > WHOLE;
        let from = if long {
            boundary(bytes, line_start.max(start.saturating_sub(BEFORE)))
        } else {
            line_start
        };
        let inside = if long { boundary(bytes, end.min(start + INSIDE)).max(start) } else { end };
        let to =
            if long { boundary(bytes, line_end.min(inside + AFTER)).max(inside) } else { line_end };
        let (left, right) = (from > line_start, to < line_end);
        let decode = |range: Range<usize>| String::from_utf8_lossy(&bytes[range]).into_owned();
        let mut text = String::new();
        if left {
            text.push('…');
        }
        text.push_str(&decode(from..start));
        let mark_start = text.len();
        text.push_str(&decode(start..inside));
        let mark_end = text.len();
        text.push_str(decode(inside..to).trim_end_matches('\r'));
        if right {
            text.push('…');
        }
        Excerpt { path, line, column, text, mark: mark_start..mark_end, cut: left }
    }
}

/// The nearest place at or before `at` where a character begins.
fn boundary(bytes: &[u8], mut at: usize) -> usize {
    for _ in 0..4 {
        match bytes.get(at) {
            Some(byte) if byte & 0xc0 == 0x80 => at = at.saturating_sub(1),
            _ => break,
        }
    }
    at
}

struct Diagnostic<'a> {
    code: String,
    message: String,
    hint: Option<String>,
    place: Place,
    labels: Vec<(Place, &'a str)>,
}

/// All errors of a model, rendered (with styles; [`show`] removes them where unwanted).
pub fn render_model_errors(origin: &Origin<'_>, errors: &[ModelError]) -> String {
    let diagnostics = errors.iter().map(|error| Diagnostic {
        code: error.code.to_string(),
        message: error.message.clone(),
        hint: error.hint.clone(),
        place: Place { source: error.source, span: error.span },
        labels: error
            .labels
            .iter()
            .map(|l| (Place { source: l.source, span: l.span }, l.message.as_str()))
            .collect(),
    });
    render(origin, diagnostics.collect())
}

/// All errors of a derivation, rendered.
pub fn render_derive_errors(origin: &Origin<'_>, errors: &[DeriveError]) -> String {
    let diagnostics = errors.iter().map(|error| Diagnostic {
        code: error.code().to_owned(),
        message: error.to_string(),
        hint: Some(error.hint()),
        place: error.place(),
        labels: Vec::new(),
    });
    render(origin, diagnostics.collect())
}

/// All errors of a table file or of a problem in groups, rendered.
pub fn render_file_errors<C: std::fmt::Display>(
    name: &str,
    bytes: &[u8],
    errors: &[FileError<C>],
) -> String {
    let diagnostics = errors.iter().map(|error| {
        let labels = error.labels.iter().map(|label| (label.span, label.message.as_str()));
        in_file(error.code.to_string(), &error.message, &error.hint, error.span, labels)
    });
    render(&plain_file(name, bytes), diagnostics.collect())
}

/// All errors of a table of members, rendered.
pub fn render_ensemble_errors(name: &str, bytes: &[u8], errors: &[EnsembleError]) -> String {
    let diagnostics = errors.iter().map(|error| {
        let labels = error.labels.iter().map(|label| (label.span, label.message.as_str()));
        in_file(error.code.to_string(), &error.message, &error.hint, error.span, labels)
    });
    render(&plain_file(name, bytes), diagnostics.collect())
}

/// A file that no argument changes.
fn plain_file<'a>(name: &str, bytes: &'a [u8]) -> Origin<'a> {
    Origin { name: name.to_owned(), bytes, set: &[], initial: &[] }
}

fn in_file<'a>(
    code: String,
    message: &str,
    hint: &str,
    span: Span,
    labels: impl Iterator<Item = (Span, &'a str)>,
) -> Diagnostic<'a> {
    Diagnostic {
        code,
        message: message.to_owned(),
        hint: Some(hint.to_owned()),
        place: Place::file(span),
        labels: labels.map(|(span, text)| (Place::file(span), text)).collect(),
    }
}

/// A remark on stderr, if there is one.
pub(crate) fn note(text: Option<&str>) {
    if let Some(text) = text {
        let _ = writeln!(std::io::stderr(), "{text}");
    }
}

fn render(origin: &Origin<'_>, diagnostics: Vec<Diagnostic<'_>>) -> String {
    let renderer = Renderer::styled().decor_style(DecorStyle::Unicode).term_width(140);
    let total = diagnostics.len();
    let mut text = String::new();
    for diagnostic in diagnostics.into_iter().take(SHOWN) {
        let group = group(origin, &diagnostic);
        text.push_str(&renderer.render(&[group]));
        text.push_str("\n\n");
    }
    if total > SHOWN {
        text.push_str(&format!("… and {} more errors\n", total - SHOWN));
    }
    text
}

fn group<'a>(origin: &Origin<'_>, diagnostic: &'a Diagnostic<'_>) -> Group<'a> {
    let title = Level::ERROR.primary_title(clip(&diagnostic.message)).id(diagnostic.code.as_str());
    let mut group = Group::with_title(title);
    group = group.element(snippet(origin.excerpt(diagnostic.place), AnnotationKind::Primary, None));
    for (place, message) in &diagnostic.labels {
        let excerpt = origin.excerpt(*place);
        group = group.element(snippet(excerpt, AnnotationKind::Context, Some(message)));
    }
    if let Some(hint) = &diagnostic.hint {
        group = group.element(Level::HELP.message(clip(hint)));
    }
    group
}

fn snippet<'a>(
    excerpt: Excerpt,
    kind: AnnotationKind,
    label: Option<&'a str>,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let Excerpt { path, line, column, text, mark, cut } = excerpt;
    let path = if cut { format!("{path} (column {column})") } else { path };
    let mut annotation = kind.span(mark);
    if let Some(label) = label {
        annotation = annotation.label(label.to_owned());
    }
    Snippet::source(text).line_start(line).path(path).annotation(annotation)
}

/// At most a paragraph of a message.
fn clip(message: &str) -> String {
    const LONGEST: usize = 600;
    match message.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}…", &message[..cut]),
        None => message.to_owned(),
    }
}

/// An error without a place in a model.
pub fn plain(code: &str, message: &str, hint: Option<&str>) {
    let title = Level::ERROR.primary_title(clip(message)).id(code.to_owned());
    let mut group = Group::with_title(title);
    if let Some(hint) = hint {
        group = group.element(Level::HELP.message(clip(hint)));
    }
    let renderer = Renderer::styled().decor_style(DecorStyle::Unicode);
    show(&format!("{}\n", renderer.render(&[group])));
}

/// An error at a place of a command-line argument.
pub fn in_argument(
    name: &str,
    text: &str,
    span: Range<usize>,
    code: &str,
    message: &str,
    hint: Option<&str>,
) {
    let name = name.to_owned();
    let origin = Origin { name, bytes: text.as_bytes(), set: &[], initial: &[] };
    let diagnostic = Diagnostic {
        code: code.to_owned(),
        message: message.to_owned(),
        hint: hint.map(str::to_owned),
        place: Place { source: Source::File, span: Span::new(span.start, span.end) },
        labels: Vec::new(),
    };
    show(&render(&origin, vec![diagnostic]));
}

/// A remark on stderr.
pub fn say(message: &str) {
    show(&format!("{message}\n"));
}

/// Writes to stderr, without colour where it is not wanted (`NO_COLOR`, no terminal).
pub fn show(text: &str) {
    // When stderr is closed there is nobody left to tell.
    let _ = anstream::stderr().write_all(text.as_bytes());
}
