//! Bytes → TOML tree with spans, or all the reasons why not. Shared by every kind of file that
//! is written in TOML.

use isotrope_algebra::syntax::Span;
use toml_edit::{Document, Item, TableLike};

use crate::diagnostics::shorten;
use crate::limits;

/// What hints say about files of one kind.
#[derive(Debug, Clone, Copy)]
pub struct FileKind {
    /// An entry with an expression, such as `L = "m*x'^2/2"`.
    pub example: &'static str,
    /// What to do about a file that is too large.
    pub too_large: &'static str,
}

/// Why bytes are not the text of a TOML file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileProblemKind {
    /// Not UTF-8.
    NotUtf8,
    /// A NUL or another control character.
    ControlCharacter,
    /// Too many bytes or entries.
    TooLarge,
    /// Not well-formed TOML.
    Toml,
    /// A key or a table is given twice.
    DuplicateKey,
}

/// One reason why bytes are not the text of a TOML file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileProblem {
    /// What kind of reason.
    pub kind: FileProblemKind,
    /// Where.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// A way out, if one is known.
    pub hint: Option<String>,
    /// The first of two entries with the same key.
    pub first: Option<Span>,
}

impl FileProblem {
    fn new(kind: FileProblemKind, span: Span, message: String, hint: Option<&str>) -> Self {
        Self { kind, span, message, hint: hint.map(str::to_owned), first: None }
    }
}

/// Checks that the bytes are text of a reasonable size.
pub fn check_bytes(bytes: &[u8], kind: FileKind) -> Result<&str, FileProblem> {
    let too_large = |span, message| {
        FileProblem::new(FileProblemKind::TooLarge, span, message, Some(kind.too_large))
    };
    if bytes.len() > limits::FILE_BYTES {
        let message = format!(
            "the file has {} bytes, more than the {} that are read",
            bytes.len(),
            limits::FILE_BYTES
        );
        return Err(too_large(Span::new(limits::FILE_BYTES, limits::FILE_BYTES), message));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let length = error.error_len().unwrap_or(1);
        let byte = bytes.get(at).copied().unwrap_or_default();
        let message = format!("the byte 0x{byte:02x} is not UTF-8 text");
        let hint = Some("save the file as UTF-8");
        FileProblem::new(FileProblemKind::NotUtf8, Span::new(at, at + length), message, hint)
    })?;
    let control = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    if let Some((at, character)) = text.char_indices().find(|(_, c)| control(*c)) {
        let name = if character == '\0' { "a NUL" } else { "a control" };
        let span = Span::new(at, at + character.len_utf8());
        let message =
            format!("the file contains {name} character (U+{:04X})", u32::from(character));
        let hint = Some("remove it; is this a text file?");
        return Err(FileProblem::new(FileProblemKind::ControlCharacter, span, message, hint));
    }
    // The tree of keys and values costs hundreds of bytes for each, so what makes them is
    // counted first; brackets in strings are counted too, which does no harm.
    let makes_entry = |byte: &u8| matches!(byte, b'=' | b',' | b'[' | b'{' | b'.');
    let entries = text.bytes().filter(makes_entry).count();
    if entries > limits::ENTRIES {
        let message = format!("the file has more than {} entries", limits::ENTRIES);
        return Err(too_large(Span::new(0, 0), message));
    }
    Ok(text)
}

/// Reads the TOML. The reader stops at its first error, so the line of the error is
/// blanked and the rest read again: all errors are found, and spans stay what they were.
///
/// After duplicate keys the rest of the file is still worth checking and the tree is
/// returned (with the first of the duplicates); after other errors it is not.
pub fn read_toml(
    file: &str,
    kind: FileKind,
    problems: &mut Vec<FileProblem>,
) -> Option<Document<String>> {
    let mut text = file.to_owned();
    let mut duplicates: Vec<Duplicate> = Vec::new();
    let mut broken = false;
    let mut blanked = Vec::new();
    let rounds = if file.len() > 1 << 16 { 3 } else { 20 };
    for _ in 0..rounds {
        let error = match Document::parse(text.clone()) {
            Ok(document) => {
                report_duplicates(file, &document, &duplicates, problems);
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
            problems.push(FileProblem {
                kind: FileProblemKind::Toml,
                span,
                message: format!("not valid TOML: {message}"),
                hint: toml_hint(file, span, kind),
                first: None,
            });
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
        problems.push(duplicate_problem(file, *span, None));
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
    problems: &mut Vec<FileProblem>,
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
        problems.push(duplicate_problem(file, *span, first));
    }
}

fn duplicate_problem(file: &str, span: Span, first: Option<std::ops::Range<usize>>) -> FileProblem {
    let key = file.get(span.range()).unwrap_or("").trim_matches(['"', '\'', '[', ']', ' ']);
    let message = format!("`{}` is given twice", shorten(key));
    let first = first.map(|first| Span::new(first.start, first.end));
    let hint = Some("keep one of the two");
    FileProblem { first, ..FileProblem::new(FileProblemKind::DuplicateKey, span, message, hint) }
}

/// The usual reasons.
fn toml_hint(file: &str, span: Span, kind: FileKind) -> Option<String> {
    let at = (span.start as usize).min(file.len());
    let start = file.get(..at)?.rfind('\n').map_or(0, |newline| newline + 1);
    let line = file.get(start..)?.lines().next()?;
    let digits = line.split_once('=').map_or("", |(_, value)| value.trim());
    if digits.len() > 18 && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_') {
        return Some("an integer of more than 18 digits is written in quotes".to_owned());
    }
    if line.matches('"').count() == 1 {
        return Some("close the text with a second quote".to_owned());
    }
    match line.split_once('=') {
        Some((key, value)) if !value.trim_start().starts_with(['"', '\'', '[', '{']) => {
            if key.contains(['[', '\'']) && !key.trim_start().starts_with(['"', '\'']) {
                Some("a key with brackets or primes is written in quotes: \"x[i]\" = …".to_owned())
            } else {
                Some(format!("an expression is written in quotes: {}", kind.example))
            }
        }
        Some((key, _)) if key.contains(['[', ']']) && !key.contains(['"', '\'']) => {
            Some("a key with brackets is written in quotes: \"x[i]\" = …".to_owned())
        }
        _ => None,
    }
}
