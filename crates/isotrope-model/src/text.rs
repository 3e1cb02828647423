//! Pieces of text that remember where they came from.

use std::borrow::Cow;

use isotrope_algebra::syntax::Span;

use crate::diagnostics::{Place, Source};

/// Decoded text with a map from its bytes to the bytes of its source.
#[derive(Debug, Clone)]
pub struct Text<'d> {
    /// The text, without quotes and escapes.
    pub text: Cow<'d, str>,
    source: Source,
    map: Map,
    whole: Span,
}

#[derive(Debug, Clone)]
enum Map {
    /// The text is a slice of its source.
    Shift(u32),
    /// The text was unescaped: the source offset of each byte, and of the end.
    Table(Vec<u32>),
    /// The text was rewritten; every part of it is the whole.
    Whole,
}

impl<'d> Text<'d> {
    /// A slice of an argument.
    pub(crate) fn argument(
        argument: &'d str,
        range: std::ops::Range<usize>,
        source: Source,
    ) -> Self {
        let whole = Span::new(range.start, range.end);
        let text = Cow::Borrowed(argument.get(range).unwrap_or(""));
        Self { text, source, map: Map::Shift(whole.start), whole }
    }

    /// Text that stands for the raw file text at `span` without being a part of it.
    pub fn rewritten(text: String, span: Span) -> Self {
        Self { text: Cow::Owned(text), source: Source::File, map: Map::Whole, whole: span }
    }

    /// The text of a TOML string or key whose raw form (with quotes, if any) is at `span`.
    pub fn toml(file: &str, span: Span, decoded: &'d str) -> Self {
        let raw = file.get(span.range()).unwrap_or("");
        let quotes = match raw.as_bytes() {
            [b'"', b'"', b'"', ..] | [b'\'', b'\'', b'\'', ..] => 3,
            [b'"' | b'\'', ..] => 1,
            _ => 0,
        };
        let inner = raw.get(quotes..raw.len().saturating_sub(quotes)).unwrap_or("");
        // A line break right after three quotes is not part of the string.
        let skipped = match inner.as_bytes() {
            [b'\r', b'\n', ..] if quotes == 3 => 2,
            [b'\n', ..] if quotes == 3 => 1,
            _ => 0,
        };
        let start = span.start as usize + quotes + skipped;
        let inner = inner.get(skipped..).unwrap_or("");
        let map = if inner == decoded {
            Map::Shift(Span::new(start, start).start)
        } else {
            align(inner, decoded, start).map_or(Map::Whole, Map::Table)
        };
        Self { text: Cow::Borrowed(decoded), source: Source::File, map, whole: span }
    }

    /// Where a part of the text is in its source.
    pub fn place(&self, span: Span) -> Place {
        let span = match &self.map {
            Map::Shift(offset) => span.shifted(*offset),
            Map::Table(table) => {
                let at = |offset: u32| table.get(offset as usize).copied();
                match (at(span.start), at(span.end)) {
                    (Some(start), Some(end)) => Span { start, end },
                    _ => self.whole,
                }
            }
            Map::Whole => self.whole,
        };
        Place { source: self.source, span }
    }

    /// A part of the text, with its place.
    pub(crate) fn part(&self, span: Span) -> Self {
        let text = match &self.text {
            Cow::Borrowed(text) => Cow::Borrowed(text.get(span.range()).unwrap_or("")),
            Cow::Owned(text) => Cow::Owned(text.get(span.range()).unwrap_or("").to_owned()),
        };
        let map = match &self.map {
            Map::Shift(offset) => Map::Shift(span.shifted(*offset).start),
            Map::Table(table) => {
                let ends = span.start as usize..=span.end as usize;
                table.get(ends).map_or(Map::Whole, |part| Map::Table(part.to_vec()))
            }
            Map::Whole => Map::Whole,
        };
        Self { text, source: self.source, map, whole: self.place(span).span }
    }

    /// Where the whole text is, with its quotes.
    pub fn whole(&self) -> Place {
        Place { source: self.source, span: self.whole }
    }
}

/// The source offset of every byte of an unescaped string, by reading both side by side.
fn align(raw: &str, decoded: &str, start: usize) -> Option<Vec<u32>> {
    let mut table = Vec::with_capacity(decoded.len() + 1);
    let mut rest = raw;
    let here = |rest: &str| u32::try_from(start + raw.len() - rest.len()).ok();
    for character in decoded.chars() {
        // A backslash at the end of a line swallows the blanks that follow.
        while let Some(after) = rest.strip_prefix('\\') {
            let trimmed = after.trim_start_matches([' ', '\t']);
            if !trimmed.starts_with(['\n', '\r']) {
                break;
            }
            rest = trimmed.trim_start();
        }
        table.extend(std::iter::repeat_n(here(rest)?, character.len_utf8()));
        rest = match rest.as_bytes() {
            [b'\\', escape, ..] => {
                let length = match escape {
                    b'x' => 4,
                    b'u' => 6,
                    b'U' => 10,
                    _ => 2,
                };
                rest.get(length..)?
            }
            [b'\r', b'\n', ..] if character == '\n' => rest.get(2..)?,
            _ => rest.strip_prefix(character)?,
        };
    }
    table.push(here(rest)?);
    Some(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(file: &str, decoded: &str, piece: &str) -> String {
        let text = Text::toml(file, Span::new(0, file.len()), decoded);
        let at = decoded.find(piece).unwrap();
        let place = text.place(Span::new(at, at + piece.len()));
        file[place.span.range()].to_owned()
    }

    #[test]
    fn spans_in_strings_point_into_the_file() {
        assert_eq!(part("\"a + b\"", "a + b", "b"), "b");
        assert_eq!(part("\"\"\"\na + b\"\"\"", "a + b", "b"), "b");
        assert_eq!(part("'a + b'", "a + b", "b"), "b");
        assert_eq!(part("\"\\u03b8 + b\"", "θ + b", "θ"), "\\u03b8");
        assert_eq!(part("\"\\u03b8 + b\"", "θ + b", "b"), "b");
        assert_eq!(part("\"\"\"a + \\\n   b\"\"\"", "a + b", "b"), "b");
        assert_eq!(part("\"\"\"a +\r\n b\"\"\"", "a +\n b", "b"), "b");
    }
}
