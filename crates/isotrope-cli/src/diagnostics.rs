//! Errors as people read them: file, line, caret, reason, hint, code; on stderr.

use std::io::Write as _;
use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use isotrope::rooms::algebra::print::visible;
use isotrope::{Diagnostic, Place, Refusal};

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

fn excerpt(refusal: &Refusal, place: Place) -> Excerpt {
    let source = refusal.sources.get(place.source);
    let path = source.map_or_else(String::new, |source| source.name.clone());
    let bytes = source.map_or(&[][..], |source| &source.bytes);
    // Places come from elsewhere: bring them inside whatever text there is.
    let start = place.start.min(bytes.len());
    let end = place.end.clamp(start, bytes.len());
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

/// Everything that is wrong, rendered (with styles; [`show`] removes them where unwanted).
pub fn render(refusal: &Refusal) -> String {
    let placed = refusal.diagnostics.iter().any(|one| one.place.is_some());
    let renderer = Renderer::styled().decor_style(DecorStyle::Unicode);
    let renderer = if placed { renderer.term_width(140) } else { renderer };
    let total = refusal.diagnostics.len();
    let mut text = String::new();
    for diagnostic in refusal.diagnostics.iter().take(SHOWN) {
        let group = group(refusal, diagnostic);
        text.push_str(&renderer.render(&[group]));
        text.push_str(if placed { "\n\n" } else { "\n" });
    }
    if total > SHOWN {
        text.push_str(&format!("… and {} more errors\n", total - SHOWN));
    }
    text
}

/// The same without styles.
#[must_use]
pub fn plain(refusal: &Refusal) -> String {
    anstream::adapter::strip_str(&render(refusal)).to_string()
}

fn group<'a>(refusal: &Refusal, diagnostic: &'a Diagnostic) -> Group<'a> {
    let title = Level::ERROR.primary_title(clip(&diagnostic.message)).id(diagnostic.code.text());
    let mut group = Group::with_title(title);
    if let Some(place) = diagnostic.place {
        let excerpt = excerpt(refusal, place);
        group = group.element(snippet(excerpt, AnnotationKind::Primary, None));
    }
    for label in &diagnostic.labels {
        let excerpt = excerpt(refusal, label.place);
        let message = Some(label.message.as_str());
        group = group.element(snippet(excerpt, AnnotationKind::Context, message));
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

/// A remark on stderr.
pub fn say(message: &str) {
    let lines: Vec<_> = message.split('\n').map(visible).collect();
    show(&format!("{}\n", lines.join("\n")));
}

/// Writes to stderr, without colour where it is not wanted (`NO_COLOR`, no terminal).
pub fn show(text: &str) {
    // When stderr is closed, no one is left to read it.
    let _ = anstream::stderr().write_all(text.as_bytes());
}
