//! Tables of texts for terminals: the only place that pads columns.

use std::fmt;

use unicode_width::UnicodeWidthStr as _;

use super::wrap::wrap;

/// The columns that a text takes in a terminal: two for a Chinese character, none for an accent
/// that is written over the letter before it.
#[must_use]
pub fn columns(text: &str) -> usize {
    text.width()
}

/// A title with a line of the same width below it.
#[must_use]
pub fn underlined(title: &str, line: char) -> String {
    format!("{title}\n{}\n", line.to_string().repeat(columns(title)))
}

/// Where a text stands in its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// At the left end.
    Left,
    /// At the right end.
    Right,
    /// In the middle.
    Centre,
    /// Numbers with their points below each other; the heading at the left end.
    Point,
}

/// Lines of cells in columns of equal width.
///
/// ```
/// use isotrope_study::report::{Align, Table};
///
/// let mut table = Table::new([Align::Left, Align::Right]);
/// table.heading(["method", "order"]);
/// table.line(["rk4", "4"]);
/// assert_eq!(table.to_string(), "method  order\nrk4         4\n");
/// ```
#[derive(Debug, Clone)]
pub struct Table {
    aligns: Vec<Align>,
    least: Vec<usize>,
    lines: Vec<Vec<String>>,
    headings: usize,
    indent: usize,
    gap: usize,
    limit: Option<usize>,
}

impl Table {
    /// A table whose columns are aligned like this; what comes after them, like the last of them.
    #[must_use]
    pub fn new(aligns: impl Into<Vec<Align>>) -> Self {
        Self {
            aligns: aligns.into(),
            least: Vec::new(),
            lines: Vec::new(),
            headings: 0,
            indent: 0,
            gap: 2,
            limit: None,
        }
    }

    /// The first column at the left end, then numbers, at last words.
    #[must_use]
    pub fn of_numbers(count: usize) -> Self {
        let align = |k: usize| if k == 0 || k + 1 == count { Align::Left } else { Align::Right };
        Self::new((0..count).map(align).collect::<Vec<_>>())
    }

    /// All lines begin this many columns further right.
    #[must_use]
    pub fn indented(self, indent: usize) -> Self {
        Self { indent, ..self }
    }

    /// Blanks between columns; two if nothing is said.
    #[must_use]
    pub fn gap(self, gap: usize) -> Self {
        Self { gap, ..self }
    }

    /// Columns are at least this wide; those without a number as wide as they need.
    #[must_use]
    pub fn at_least(self, least: impl Into<Vec<usize>>) -> Self {
        Self { least: least.into(), ..self }
    }

    /// Lines, with what they are indented, are at most this long where they can be broken: the last
    /// column goes on below itself.
    #[must_use]
    pub fn within(self, limit: usize) -> Self {
        Self { limit: Some(limit), ..self }
    }

    /// Adds a line of headings, before all others.
    pub fn heading<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.lines.insert(self.headings, cells.into_iter().map(Into::into).collect());
        self.headings += 1;
    }

    /// Adds a line.
    pub fn line<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.lines.push(cells.into_iter().map(Into::into).collect());
    }

    fn align(&self, column: usize) -> Align {
        self.aligns.get(column).or(self.aligns.last()).copied().unwrap_or(Align::Left)
    }

    /// The lines with every cell filled up to the width of its column.
    #[must_use]
    pub fn cells(&self) -> Vec<Vec<String>> {
        let mut lines = self.lines.clone();
        let count = lines.iter().map(Vec::len).max().unwrap_or(0);
        for k in 0..count {
            let align = self.align(k);
            if align == Align::Point {
                below_each_other(&mut lines[self.headings..], k);
            }
            let column = lines.iter_mut().filter_map(|line| line.get_mut(k));
            let mut column: Vec<&mut String> = column.collect();
            let least = self.least.get(k).copied().unwrap_or(0);
            let width = column.iter().map(|cell| columns(cell)).max().unwrap_or(0).max(least);
            for cell in &mut column {
                let room = width - columns(cell);
                let left = match align {
                    Align::Left | Align::Point => 0,
                    Align::Right => room,
                    Align::Centre => room / 2,
                };
                **cell = format!("{}{cell}{}", " ".repeat(left), " ".repeat(room - left));
            }
        }
        lines
    }

    /// The width of all columns with what is between them.
    #[must_use]
    pub fn width(&self) -> usize {
        self.cells()
            .iter()
            .map(|line| columns(&line.join(&" ".repeat(self.gap))))
            .max()
            .unwrap_or(0)
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (indent, gap) = (" ".repeat(self.indent), " ".repeat(self.gap));
        for cells in self.cells() {
            let text = cells.join(&gap);
            let text = text.trim_end();
            let Some(limit) = self.limit else {
                writeln!(f, "{}", format!("{indent}{text}").trim_end())?;
                continue;
            };
            let before = cells
                .split_last()
                .map_or(0, |(_, before)| before.iter().map(|cell| columns(cell) + self.gap).sum());
            for part in wrap(text, limit.saturating_sub(self.indent), before) {
                writeln!(f, "{}", format!("{indent}{part}").trim_end())?;
            }
        }
        Ok(())
    }
}

/// Moves numbers so that their points are below each other.
fn below_each_other(lines: &mut [Vec<String>], k: usize) {
    let integer = |cell: &str| {
        let digits = |c: char| c == '-' || c.is_ascii_digit();
        // What is not finite begins where a digit would.
        cell.find(|c| !digits(c)).map_or(cell.len(), |at| {
            if cell[..at].ends_with(|c: char| c.is_ascii_digit()) { at } else { at + 1 }
        })
    };
    let cells = lines.iter().filter_map(|line| line.get(k));
    let before = cells.map(|cell| integer(cell)).max().unwrap_or(0);
    for cell in lines.iter_mut().filter_map(|line| line.get_mut(k)) {
        *cell = format!("{}{cell}", " ".repeat(before - integer(cell)));
    }
}

#[cfg(test)]
mod tests {
    use super::{Align, Table, columns, underlined};

    #[test]
    fn wide_and_combining_letters_align() {
        let mut table = Table::new([Align::Left, Align::Right]);
        // A Chinese word, an accent over a letter, and plain letters.
        for name in ["位置", "x\u{307}", "abcd"] {
            table.line([name, "1"]);
        }
        assert_eq!(table.to_string(), "位置  1\nx\u{307}     1\nabcd  1\n");
        assert!(table.to_string().lines().all(|line| columns(line) == 7));
    }

    #[test]
    fn points_are_below_each_other_and_headings_stay() {
        let mut table = Table::new([Align::Left, Align::Point]).indented(2);
        table.heading(["", "q"]);
        table.line(["x", "-1.5"]);
        table.line(["y", "12.25"]);
        table.line(["z", "NaN"]);
        assert_eq!(table.to_string(), "     q\n  x  -1.5\n  y  12.25\n  z   NaN\n");
    }

    #[test]
    fn the_last_column_goes_on_below_itself() {
        let mut table = Table::new([Align::Left]).indented(2).within(30);
        table.line(["name", "some words that do not fit into the line"]);
        let text = table.to_string();
        assert!(text.lines().count() > 1);
        assert!(text.lines().all(|line| columns(line) <= 30), "{text}");
        assert!(text.lines().skip(1).all(|line| line.starts_with("        ")), "{text}");
    }

    #[test]
    fn lines_below_titles_are_as_wide_as_they_are() {
        assert_eq!(underlined("摆", '─'), "摆\n──\n");
    }
}
