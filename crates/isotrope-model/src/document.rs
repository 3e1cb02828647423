//! Bytes → TOML tree with spans, or all the reasons why not.

use isotrope_algebra::syntax::Span;
use toml_edit::{Document, Item, TableLike};

use crate::Code;
use crate::diagnostics::{Place, Reporter, shorten};
use crate::limits;

/// Checks that the bytes are text of a reasonable size.
pub(crate) fn check_bytes<'b>(bytes: &'b [u8], reporter: &mut Reporter) -> Option<&'b str> {
    if bytes.len() > limits::FILE_BYTES {
        let place = Place::file(Span::new(limits::FILE_BYTES, limits::FILE_BYTES));
        reporter
            .error(
                Code::TooLarge,
                place,
                format!(
                    "the file has {} bytes, more than the {} that are read",
                    bytes.len(),
                    limits::FILE_BYTES
                ),
            )
            .hint("indexed coordinates and sums describe large systems in a few lines");
        return None;
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to();
            let length = error.error_len().unwrap_or(1);
            let place = Place::file(Span::new(at, at + length));
            let byte = bytes.get(at).copied().unwrap_or_default();
            reporter
                .error(Code::NotUtf8, place, format!("the byte 0x{byte:02x} is not UTF-8 text"))
                .hint("save the file as UTF-8");
            return None;
        }
    };
    let control = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    if let Some((at, character)) = text.char_indices().find(|(_, c)| control(*c)) {
        let name = if character == '\0' { "a NUL" } else { "a control" };
        let place = Place::file(Span::new(at, at + character.len_utf8()));
        reporter
            .error(
                Code::ControlCharacter,
                place,
                format!("the file contains {name} character (U+{:04X})", u32::from(character)),
            )
            .hint("remove it; is this a text file?");
        return None;
    }
    // The tree of keys and values costs hundreds of bytes for each, so what makes them is
    // counted first; what stands in strings is counted too, which hurts nobody.
    let makes_entry = |byte: &u8| matches!(byte, b'=' | b',' | b'[' | b'{' | b'.');
    let entries = text.bytes().filter(makes_entry).count();
    if entries > limits::ENTRIES {
        let place = Place::file(Span::new(0, 0));
        reporter
            .error(
                Code::TooLarge,
                place,
                format!("the file has more than {} entries", limits::ENTRIES),
            )
            .hint("indexed coordinates and sums describe large systems in a few lines");
        return None;
    }
    Some(text)
}

/// Reads the TOML. The reader stops at its first error, so the line of the error is
/// blanked and the rest read again: all errors are found, and spans stay what they were.
///
/// After duplicate keys the rest of the model is still worth checking and the tree is
/// returned (with the first of the duplicates); after other errors it is not.
pub(crate) fn read_toml(file: &str, reporter: &mut Reporter) -> Option<Document<String>> {
    let mut text = file.to_owned();
    let mut duplicates: Vec<Duplicate> = Vec::new();
    let mut broken = false;
    let mut blanked = Vec::new();
    let rounds = if file.len() > 1 << 16 { 3 } else { 20 };
    for _ in 0..rounds {
        let error = match Document::parse(text.clone()) {
            Ok(document) => {
                report_duplicates(file, &document, &duplicates, reporter);
                return (!broken).then_some(document);
            }
            Err(error) => error,
        };
        let span = error.span().map_or_else(Span::default, |span| {
            Span::new(span.start.min(file.len()), span.end.min(file.len()))
        });
        let duplicate = error.message().starts_with("duplicate key");
        if !duplicate {
            broken = true;
            let message = error.message().trim_end_matches(", expected nothing");
            reporter
                .error(Code::Toml, Place::file(span), format!("not valid TOML: {message}"))
                .maybe_hint(toml_hint(file, span));
        }
        let lines = lines_to_blank(&text, span, duplicate);
        let Some(part) = text.get(lines.clone()) else { break };
        // Noted before anything ends the search: a refusal always has a reason.
        if duplicate {
            duplicates.push(Duplicate { span, table: is_header(part) });
        }
        // Blanking an opening of a long string would turn its inside into nonsense.
        let long = part.contains("\"\"\"") || part.contains("'''");
        if long || part.trim().is_empty() || blanked.contains(&lines.start) {
            break;
        }
        blanked.push(lines.start);
        text.replace_range(lines.clone(), &" ".repeat(lines.len()));
    }
    for Duplicate { span, .. } in &duplicates {
        report_duplicate(file, *span, None, reporter);
    }
    None
}

struct Duplicate {
    span: Span,
    table: bool,
}

fn is_header(line: &str) -> bool {
    line.trim_start().starts_with('[')
}

/// The line of the error; for a duplicate table, the table.
fn lines_to_blank(text: &str, span: Span, duplicate: bool) -> std::ops::Range<usize> {
    let at = (span.start as usize).min(text.len());
    let before = text.get(..at).unwrap_or("");
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line_end = |from: usize| {
        text.get(from..).and_then(|rest| rest.find('\n')).map_or(text.len(), |n| from + n)
    };
    if duplicate && let Some(entry) = inline_entry(text, at) {
        return entry;
    }
    let mut end = line_end(at);
    if duplicate && text.get(start..end).is_some_and(is_header) {
        while end < text.len() {
            let next = line_end(end + 1);
            if text.get(end + 1..next).is_none_or(is_header) {
                break;
            }
            end = next;
        }
    }
    start..end
}

/// `x = 2,` at `at` inside `{ … }` of one line.
fn inline_entry(text: &str, at: usize) -> Option<std::ops::Range<usize>> {
    let start = text.get(..at)?.rfind('\n').map_or(0, |newline| newline + 1);
    let before = text.get(start..at)?.trim_end();
    if !before.ends_with(['{', ',']) {
        return None;
    }
    let (mut depth, mut quote) = (0u32, None);
    for (offset, byte) in text.get(at..)?.bytes().enumerate() {
        let end = at + offset;
        match (byte, quote) {
            (b'\n', _) => return None,
            (b'"' | b'\'', None) => quote = Some(byte),
            (_, Some(open)) if byte == open => quote = None,
            (_, Some(_)) => {}
            (b'[' | b'{', None) => depth += 1,
            (b',', None) if depth == 0 => return Some(at..end + 1),
            (b']' | b'}', None) if depth == 0 => return Some(at..end),
            (b']' | b'}', None) => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Points each duplicate to the first of its kind.
fn report_duplicates(
    file: &str,
    document: &Document<String>,
    duplicates: &[Duplicate],
    reporter: &mut Reporter,
) {
    for Duplicate { span, table } in duplicates {
        let key = file.get(span.range()).unwrap_or("").trim_matches(['"', '\'', '[', ']', ' ']);
        let header = file
            .get(..span.start as usize)
            .unwrap_or("")
            .lines()
            .rev()
            .find(|line| is_header(line))
            .map(|line| line.trim().trim_matches(['[', ']', ' ']));
        let root: &dyn TableLike = document.as_table();
        let owner = match header {
            Some(header) if !table => root.get(header).and_then(Item::as_table_like),
            _ => Some(root),
        };
        let first = owner.and_then(|owner| {
            let (first, item) = owner.get_key_value(key)?;
            first.span().or_else(|| item.span())
        });
        report_duplicate(file, *span, first, reporter);
    }
}

fn report_duplicate(
    file: &str,
    span: Span,
    first: Option<std::ops::Range<usize>>,
    reporter: &mut Reporter,
) {
    let key = file.get(span.range()).unwrap_or("").trim_matches(['"', '\'', '[', ']', ' ']);
    let draft = reporter
        .error(Code::DuplicateKey, Place::file(span), format!("`{}` is given twice", shorten(key)))
        .hint("keep one of the two");
    if let Some(first) = first {
        let _ = draft.label(Place::file(Span::new(first.start, first.end)), "first given here");
    }
}

/// The usual reasons.
fn toml_hint(file: &str, span: Span) -> Option<&'static str> {
    let at = (span.start as usize).min(file.len());
    let start = file.get(..at)?.rfind('\n').map_or(0, |newline| newline + 1);
    let line = file.get(start..)?.lines().next()?;
    let digits = line.split_once('=').map_or("", |(_, value)| value.trim());
    if digits.len() > 18 && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_') {
        return Some("an integer of more than 18 digits is written in quotes");
    }
    if line.matches('"').count() == 1 {
        return Some("close the text with a second quote");
    }
    match line.split_once('=') {
        Some((key, value)) if !value.trim_start().starts_with(['"', '\'', '[', '{']) => {
            if key.contains(['[', '\'']) && !key.trim_start().starts_with(['"', '\'']) {
                Some("a key with brackets or primes is written in quotes: \"x[i]\" = …")
            } else {
                Some("an expression is written in quotes: L = \"m*x'^2/2\"")
            }
        }
        Some((key, _)) if key.contains(['[', ']']) && !key.contains(['"', '\'']) => {
            Some("a key with brackets is written in quotes: \"x[i]\" = …")
        }
        _ => None,
    }
}
