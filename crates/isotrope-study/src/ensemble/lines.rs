//! Lines and fields of comma-separated text, with their places.

use isotrope_algebra::syntax::Span;

use super::EnsembleCode;
use super::error::Reporter;

/// One field: its text without quotes and blanks, and where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Field<'a> {
    pub(super) text: &'a str,
    pub(super) span: Span,
}

/// A line that is not blank, with the place where it begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'a> {
    text: &'a str,
    start: usize,
}

/// The lines of a text that are not blank.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    let lines = text.split_inclusive('\n').map(move |text| {
        let line = Line { text: text.trim_end_matches(['\n', '\r']), start };
        start += text.len();
        line
    });
    lines.filter(|line| !line.text.trim().is_empty())
}

impl<'a> Line<'a> {
    /// Where it is.
    pub(super) fn span(&self) -> Span {
        Span::new(self.start, self.start + self.text.len())
    }

    /// Its text.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// Splits it at commas outside of quotes; names and numbers contain no quotes, so doubled
    /// quotes inside of a quoted field are errors like any other.
    pub(super) fn fields(&self, fields: &mut Vec<Field<'a>>, reporter: &mut Reporter) {
        fields.clear();
        let mut rest = self.text;
        let mut at = self.start;
        loop {
            let blank = rest.len() - rest.trim_start().len();
            let inside = &rest[blank..];
            let length = if let Some(quoted) = inside.strip_prefix('"') {
                blank + 1 + quoted.find('"').map_or(quoted.len(), |end| end + 1)
            } else {
                0
            };
            let end = rest[length..].find(',').map_or(rest.len(), |comma| length + comma);
            let field = &rest[..end];
            let text = field.trim();
            let start = at + field.len() - field.trim_start().len();
            let span = Span::new(start, start + text.len());
            let bare = if text.contains('"') {
                let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
                inner.filter(|inner| !inner.contains('"')).map(str::trim)
            } else {
                Some(text)
            };
            if bare.is_none() {
                let message = "quotes that do not enclose an entry";
                reporter.error(EnsembleCode::Quotes, span, message);
            }
            fields.push(Field { text: bare.unwrap_or("0"), span });
            if end == rest.len() {
                break;
            }
            at += end + 1;
            rest = &rest[end + 1..];
        }
    }
}
