//! Bytes → ensemble, or everything that is wrong with them.

use isotrope_algebra::syntax::Span;

use super::error::{EnsembleError, Reporter, shorten};
use super::header::{Names, columns};
use super::lines::{Field, lines};
use super::{Ensemble, EnsembleCode};

/// Bytes of a file.
const FILE_BYTES: usize = 1 << 28;
/// Columns.
const COLUMNS: usize = 100_000;
/// Members.
const MEMBERS: usize = 10_000_000;

/// Reads an ensemble file for a model with the given names; tells every error at once.
///
/// ```
/// use isotrope_study::ensemble::{Column, Names, Rates, read_ensemble};
/// let names = Names { parameters: &[("g", false)], coordinates: &["x"], rates: Rates::Velocities };
/// let ensemble = read_ensemble(b"g,x'\n9.81,0.5\n1.62,0.5\n", &names).unwrap();
/// assert_eq!(ensemble.columns(), [Column::Parameter(0), Column::Velocity(0)]);
/// assert_eq!(ensemble.rows().last(), Some(&[1.62, 0.5][..]));
/// ```
pub fn read_ensemble(bytes: &[u8], names: &Names<'_>) -> Result<Ensemble, Vec<EnsembleError>> {
    let mut reporter = Reporter::default();
    match text(bytes, &mut reporter).and_then(|text| read(text, names, &mut reporter)) {
        Some(ensemble) if reporter.is_empty() => Ok(ensemble),
        _ => Err(reporter.finish(bytes)),
    }
}

/// The same for numbers that are there already: the header of a table, and its values row by row. Entries that are
/// not finite are refused when members are made.
pub fn ensemble_of(
    header: &str,
    values: Vec<f64>,
    names: &Names<'_>,
) -> Result<Ensemble, Vec<EnsembleError>> {
    let mut reporter = Reporter::default();
    let mut fields: Vec<Field<'_>> = Vec::new();
    if let Some(line) = lines(header).next() {
        line.fields(&mut fields, &mut reporter);
    }
    let columns = columns(&fields, names, &mut reporter);
    match reporter.is_empty() {
        true => Ok(Ensemble { columns, values }),
        false => Err(reporter.finish(header.as_bytes())),
    }
}

/// Checks that the bytes are text of a reasonable size.
fn text<'b>(bytes: &'b [u8], reporter: &mut Reporter) -> Option<&'b str> {
    if bytes.len() > FILE_BYTES {
        let message =
            format!("the file has {} bytes, more than the {FILE_BYTES} that are read", bytes.len());
        reporter.error(EnsembleCode::TooLarge, Span::new(FILE_BYTES, FILE_BYTES), message);
        return None;
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to();
            let byte = bytes.get(at).copied().unwrap_or_default();
            let span = Span::new(at, at + error.error_len().unwrap_or(1));
            let message = format!("the byte 0x{byte:02x} is not UTF-8 text");
            reporter.error(EnsembleCode::NotUtf8, span, message);
            return None;
        }
    };
    let control = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    if let Some((at, character)) = text.char_indices().find(|(_, c)| control(*c)) {
        let span = Span::new(at, at + character.len_utf8());
        let message = format!("the control character U+{:04X}", u32::from(character));
        reporter.error(EnsembleCode::ControlCharacter, span, message);
        return None;
    }
    Some(text)
}

fn read(text: &str, names: &Names<'_>, reporter: &mut Reporter) -> Option<Ensemble> {
    let mut lines = lines(text);
    let Some(header) = lines.next() else {
        reporter.error(EnsembleCode::Empty, Span::new(0, 0), "the file is empty");
        return None;
    };
    let mut fields = Vec::new();
    header.fields(&mut fields, reporter);
    if !reporter.is_empty() {
        // Without names there is no telling what the lines should be.
        return None;
    }
    // Spreadsheets begin files with a mark of the byte order.
    if let Some(field) = fields.first_mut()
        && let Some(rest) = field.text.strip_prefix('\u{feff}')
    {
        *field = Field { text: rest, span: Span { start: field.span.start + 3, ..field.span } };
    }
    let width = fields.len();
    if width > COLUMNS {
        let message =
            format!("the file has {width} columns, more than the {COLUMNS} that are read");
        reporter.error(EnsembleCode::TooLarge, header.span(), message);
        return None;
    }
    if let ([only], Some(separator)) = (&fields[..], header.text().find([';', '\t'])) {
        let separator = &header.text()[separator..=separator];
        let message = format!("the names are separated by {separator:?}");
        let error = reporter.error(EnsembleCode::WrongWidth, only.span, message);
        error.hint = "separate names and numbers by commas".to_owned();
        return None;
    }
    if fields.iter().all(|field| field.text.parse::<f64>().is_ok()) {
        let message = "the first line has numbers and no names";
        reporter.error(EnsembleCode::Empty, header.span(), message);
        return None;
    }
    let columns = columns(&fields, names, reporter);
    let mut values = Vec::new();
    let mut members = 0;
    for line in lines {
        if reporter.is_full() {
            return None;
        }
        members += 1;
        if members > MEMBERS {
            let message = format!("the file has more than the {MEMBERS} members that are read");
            reporter.error(EnsembleCode::TooLarge, line.span(), message);
            return None;
        }
        line.fields(&mut fields, reporter);
        if fields.len() != width {
            let entries = if fields.len() == 1 { "entry" } else { "entries" };
            let names = if width == 1 { "name" } else { "names" };
            let message = format!("{} {entries} below {width} {names}", fields.len());
            reporter.error(EnsembleCode::WrongWidth, line.span(), message);
            continue;
        }
        values.extend(fields.iter().map(|field| number(field, reporter)));
    }
    if members == 0 {
        reporter.error(EnsembleCode::NoMembers, header.span(), "a header and no members");
    }
    Some(Ensemble { columns, values })
}

fn number(field: &Field<'_>, reporter: &mut Reporter) -> f64 {
    if field.text.is_empty() {
        let start = field.span.start as usize;
        reporter.error(EnsembleCode::MissingValue, Span::new(start, start), "an empty entry");
        return 0.0;
    }
    let shown = shorten(field.text);
    match field.text.parse::<f64>() {
        Ok(value) if value.is_finite() => return value,
        Ok(_) if field.text.contains(|c: char| c.is_ascii_digit()) => {
            let message = format!("`{shown}` is too large for a double");
            reporter.error(EnsembleCode::NotFinite, field.span, message);
        }
        Ok(_) => {
            reporter.error(EnsembleCode::NotFinite, field.span, format!("`{shown}` is not finite"));
        }
        Err(_) => {
            let message = format!("`{shown}` is not a decimal number");
            let formula = field.text.contains("pi") || field.text.contains(['/', '*', '(', '^']);
            let error = reporter.error(EnsembleCode::NotANumber, field.span, message);
            if formula {
                error.hint = "write it as a decimal; formulas are for model files".to_owned();
            }
        }
    }
    0.0
}
