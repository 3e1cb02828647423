//! Tables of a page.

use std::fmt::Write as _;

use isotrope_algebra::print::escape_xml;

/// A table.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// Its heading.
    pub title: String,
    /// What it shows.
    pub caption: String,
    /// The columns; the first one names the rows.
    pub columns: Vec<Column>,
    /// The rows, each as long as there are columns.
    pub rows: Vec<Vec<Cell>>,
}

/// A column.
#[derive(Debug, Clone, Default)]
pub struct Column {
    /// Its heading.
    pub title: String,
    /// What the heading means.
    pub note: String,
    /// Where its texts stand.
    pub align: Align,
    /// Are sizes shown as bars, on a logarithmic scale from the least to the largest?
    pub bars: bool,
}

/// Where texts stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Align {
    /// Words.
    #[default]
    Left,
    /// Numbers.
    Right,
}

/// A cell.
#[derive(Debug, Clone, Default)]
pub struct Cell {
    /// What it says.
    pub text: String,
    /// More about it; it stands below the table, once for all cells that say the same.
    pub note: String,
    /// How it is to be taken.
    pub tone: Tone,
    /// Its number, for sorting and bars.
    pub value: Option<f64>,
}

/// How a cell is to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tone {
    /// As it is.
    #[default]
    Plain,
    /// The best of its column.
    Best,
    /// Something went wrong.
    Bad,
    /// Of no importance.
    Soft,
}

impl Cell {
    /// Words.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A number as it is written.
    #[must_use]
    pub fn number(text: impl Into<String>, value: f64) -> Self {
        Self { text: text.into(), value: Some(value), ..Self::default() }
    }
}

impl Table {
    /// The table with the notes of its cells below it.
    pub(super) fn to_html(&self) -> String {
        let mut out = String::from(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table\">\n\
             <table class=\"data\">\n",
        );
        if !self.caption.is_empty() {
            let _ = writeln!(out, "<caption>{}</caption>", escape_xml(&self.caption));
        }
        out.push_str("<thead><tr>");
        for column in &self.columns {
            let (title, note) = (escape_xml(&column.title), escape_xml(&column.note));
            let class = if column.align == Align::Right { " class=\"r\"" } else { "" };
            let note = if note.is_empty() { note } else { format!(" title=\"{note}\"") };
            let _ = write!(out, "<th scope=\"col\"{class}{note}>{title}</th>");
        }
        out.push_str("</tr></thead>\n<tbody>\n");
        let scales: Vec<Option<(f64, f64)>> =
            (0..self.columns.len()).map(|k| self.scale(k)).collect();
        let mut notes: Vec<&str> = Vec::new();
        for row in &self.rows {
            out.push_str("<tr>");
            for (k, (column, cell)) in self.columns.iter().zip(row).enumerate() {
                write_cell(k, column, cell, scales[k], &mut notes, &mut out);
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</tbody>\n</table>\n</div>\n");
        self.meanings(&mut out);
        if !notes.is_empty() {
            out.push_str("<ol class=\"footnotes\">\n");
            for (position, note) in notes.iter().enumerate() {
                let number = position + 1;
                let _ = writeln!(out, "<li id=\"note-{number}\">{}</li>", escape_xml(note));
            }
            out.push_str("</ol>\n");
        }
        out
    }

    /// What the headings mean, in small print.
    fn meanings(&self, out: &mut String) {
        let meaning = |column: &Column| {
            let (title, note) = (escape_xml(&column.title), escape_xml(&column.note));
            format!("<b>{title}</b> {note}")
        };
        let all: Vec<String> =
            self.columns.iter().filter(|column| !column.note.is_empty()).map(meaning).collect();
        if !all.is_empty() {
            let _ = writeln!(out, "<p class=\"meanings\">{}</p>", all.join(" · "));
        }
    }

    /// Logarithms of the least and the largest size of a column with bars.
    fn scale(&self, column: usize) -> Option<(f64, f64)> {
        if !self.columns[column].bars {
            return None;
        }
        let sizes = self.rows.iter().filter_map(|row| size(row.get(column)?));
        sizes.fold(None, |ends, size| {
            let (low, high) = ends.unwrap_or((size, size));
            Some((size.min(low), size.max(high)))
        })
    }
}

/// The logarithm of the size of a cell. What is not finite is larger than everything and has no bar.
fn size(cell: &Cell) -> Option<f64> {
    cell.value.map(f64::abs).filter(|size| *size > 0.0 && size.is_finite()).map(f64::log10)
}

fn write_cell<'a>(
    k: usize,
    column: &Column,
    cell: &'a Cell,
    scale: Option<(f64, f64)>,
    notes: &mut Vec<&'a str>,
    out: &mut String,
) {
    let mut classes = Vec::new();
    if column.align == Align::Right {
        classes.push("r");
    }
    match cell.tone {
        Tone::Plain => {}
        Tone::Best => classes.push("best"),
        Tone::Bad => classes.push("bad"),
        Tone::Soft => classes.push("soft"),
    }
    let mut attributes = String::new();
    if let (Some((low, high)), Some(size)) = (scale, size(cell))
        && high > low
    {
        classes.push("bar");
        // The least has a bar, too: it is not zero.
        let part = 4.0 + 96.0 * (size - low) / (high - low);
        let _ = write!(attributes, " style=\"--part:{part:.0}%\"");
    }
    if !classes.is_empty() {
        let _ = write!(attributes, " class=\"{}\"", classes.join(" "));
    }
    if let Some(value) = cell.value {
        let _ = write!(attributes, " data-value=\"{value:e}\"");
    }
    let mut text = escape_xml(&cell.text);
    if !cell.note.is_empty() {
        let note = cell.note.as_str();
        let number = notes.iter().position(|other| *other == note).unwrap_or_else(|| {
            notes.push(note);
            notes.len() - 1
        }) + 1;
        let words = escape_xml(note);
        let _ =
            write!(text, "<sup><a href=\"#note-{number}\" title=\"{words}\">{number}</a></sup>");
    }
    let _ = match k {
        0 => write!(out, "<th scope=\"row\"{attributes}>{text}</th>"),
        _ => write!(out, "<td{attributes}>{text}</td>"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_notes_stand_below_the_table_once() {
        let cell = |text: &str, note: &str| Cell { note: note.to_owned(), ..Cell::text(text) };
        let table = Table {
            columns: vec![Column::default()],
            rows: vec![vec![cell("a", "one")], vec![cell("b", "two")], vec![cell("c", "one")]],
            ..Table::default()
        };
        let html = table.to_html();
        assert_eq!(html.matches("<li id=").count(), 2);
        assert_eq!(html.matches("href=\"#note-1\"").count(), 2);
    }

    #[test]
    fn bars_grow_with_the_logarithm() {
        let column = Column { bars: true, ..Column::default() };
        let number = |value: f64| vec![Cell::text(""), Cell::number("", value)];
        let values = [1e-8, 1e-6, 1e-4, 0.0, f64::NAN];
        let table = Table {
            columns: vec![Column::default(), column],
            rows: values.into_iter().map(number).collect(),
            ..Table::default()
        };
        let html = table.to_html();
        for part in ["4%", "52%", "100%"] {
            assert_eq!(html.matches(&format!("--part:{part}\"")).count(), 1, "{part}");
        }
        assert_eq!(html.matches("--part").count(), 3);
    }
}
