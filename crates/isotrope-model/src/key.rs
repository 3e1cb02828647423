//! Keys with indices: `x`, `"x[0]"`, `"x[1..N]"`, `"rod[i=1..N]"`, `"x[i,j]"`.

use isotrope_algebra::syntax::{Grammar, ParseLimits, Span, SyntaxError, Tree, is_name, parse};

use crate::ModelCode;
use crate::diagnostics::{Reporter, shorten};
use crate::expression::report_syntax;
use crate::text::Text;

/// The characters that are read as primes.
pub(crate) const PRIMES: [char; 3] = ['\'', '′', '’'];

/// A declared name with what stands in its brackets.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) name: String,
    pub(crate) indices: Vec<KeyIndex>,
    /// Primes after it; only command-line arguments may have them.
    pub(crate) primes: usize,
}

/// One index of a key.
#[derive(Debug)]
pub(crate) enum KeyIndex {
    /// `3`, `N-1`, or a bare name that may be a binder.
    Single { tree: Tree, span: Span },
    /// `1..N` or `i=1..N`.
    Range { binder: Option<String>, from: Tree, to: Tree, span: Span },
}

impl KeyIndex {
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Single { span, .. } | Self::Range { span, .. } => *span,
        }
    }
}

fn trimmed(text: &str, start: usize, end: usize) -> Span {
    let part = text.get(start..end).unwrap_or("");
    let lead = part.len() - part.trim_start().len();
    let length = part.trim().len();
    Span::new(start + lead, start + lead + length)
}

/// Reads a key; errors are reported.
pub(crate) fn read_key(
    text: &Text<'_>,
    limits: &mut ParseLimits,
    reporter: &mut Reporter,
) -> Option<Key> {
    let all = text.text.as_ref();
    let body = all.trim_end_matches(PRIMES);
    let primes = all[body.len()..].chars().count();
    let open = body.find('[');
    let name_span = trimmed(body, 0, open.unwrap_or(body.len()));
    let name = body.get(name_span.range()).unwrap_or("").to_owned();
    if !is_name(&name) {
        reporter
            .error(ModelCode::BadName, text.whole(), format!("`{}` is not a name", shorten(&name)))
            .hint("a name is a letter followed by letters, digits and _; Greek letters are fine");
        return None;
    }
    let Some(open) = open else { return Some(Key { name, indices: vec![], primes }) };
    let Some(inner) = body.get(open + 1..).and_then(|rest| rest.trim_end().strip_suffix(']'))
    else {
        reporter
            .error(ModelCode::BadRange, text.whole(), "`[` is never closed")
            .hint("write \"x[1..N]\" or \"x[i=1..N]\"");
        return None;
    };
    let mut indices = Vec::new();
    let mut start = open + 1;
    let mut good = true;
    for part in split_at_commas(inner) {
        match read_index(text, body, start, start + part.len(), limits, reporter) {
            Some(index) => indices.push(index),
            None => good = false,
        }
        start += part.len() + 1;
    }
    good.then_some(Key { name, indices, primes })
}

/// Parts between commas outside brackets.
fn split_at_commas(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0i32, 0);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

fn read_index(
    text: &Text<'_>,
    body: &str,
    start: usize,
    end: usize,
    limits: &mut ParseLimits,
    reporter: &mut Reporter,
) -> Option<KeyIndex> {
    let whole = trimmed(body, start, end);
    let part = body.get(start..end).unwrap_or("");
    let mut integer = |from: usize, to: usize, reporter: &mut Reporter| {
        let span = trimmed(body, from, to);
        let piece = body.get(span.range()).unwrap_or("");
        match parse(piece, Grammar::Index, &[], limits) {
            Ok(tree) => Some(tree),
            Err(errors) => {
                for error in errors.0 {
                    let span = error.span.shifted(span.start);
                    report_syntax(text, &SyntaxError { span, ..error }, reporter);
                }
                None
            }
        }
    };
    let (binder, from) = match part.split_once('=') {
        Some((binder, _)) => {
            let name = binder.trim();
            if !is_name(name) {
                let place = text.place(trimmed(body, start, start + binder.len()));
                reporter
                    .error(ModelCode::BadName, place, format!("`{}` is not a name", shorten(name)))
                    .hint("an index is declared like this: \"rod[i=1..N]\"");
                return None;
            }
            (Some(name.to_owned()), start + binder.len() + 1)
        }
        None => (None, start),
    };
    match body.get(from..end).and_then(|rest| rest.find("..")) {
        Some(dots) => {
            let left = integer(from, from + dots, reporter);
            let right = integer(from + dots + 2, end, reporter);
            Some(KeyIndex::Range { binder, from: left?, to: right?, span: whole })
        }
        None if binder.is_some() => {
            reporter
                .error(ModelCode::BadRange, text.place(whole), "a range is missing after `=`")
                .hint("write i=1..N");
            None
        }
        None => Some(KeyIndex::Single { tree: integer(start, end, reporter)?, span: whole }),
    }
}
