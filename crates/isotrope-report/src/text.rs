//! The report for a terminal: plain text, Unicode where it helps, no colour needed.

use isotrope_algebra::Pool;
use isotrope_algebra::print::{Format, visible};
use isotrope_study::report::{Align, Table, columns, wrap};

use super::document::{Document, Sign};
use super::render::{Renderer, WrittenEquation, blocks};

/// Longer expressions are cut: a terminal is not the place for them.
const LONGEST: usize = 2_000;

/// Writes the document for a terminal of the given width.
pub fn to_text(document: &Document, pool: &Pool, width: usize) -> String {
    let terminal = Terminal { width: width.max(40) };
    let mut out = String::new();
    let title = visible(&document.title);
    line(&mut out, &title);
    line(&mut out, &"═".repeat(columns(&title).min(terminal.width)));
    if let Some(description) = &document.description {
        out.push_str(&terminal.indented(description, 0));
    }
    for section in &document.sections {
        line(&mut out, "");
        line(&mut out, section.title);
        line(&mut out, &"─".repeat(columns(section.title)));
        out.push_str(&blocks(&terminal, pool, &section.blocks));
    }
    out
}

struct Terminal {
    width: usize,
}

impl Terminal {
    fn indented(&self, text: &str, indent: usize) -> String {
        let mut out = String::new();
        for part in text.lines().flat_map(|line| wrap(&visible(line), self.width - indent, 0)) {
            line(&mut out, &format!("{}{part}", " ".repeat(indent)));
        }
        out
    }

    /// Left sides, signs and right sides, which go on below themselves.
    fn table_of_equations(&self) -> Table {
        Table::new([Align::Left]).indented(4).gap(1).within(self.width)
    }

    /// A formula that goes on below, `hang` columns further right.
    fn broken(&self, formula: &str, hang: usize) -> String {
        let mut out = String::new();
        for part in wrap(formula, self.width - 4, hang) {
            line(&mut out, &format!("    {part}"));
        }
        out
    }
}

impl Renderer for Terminal {
    const FORMAT: Format = Format::Text;
    const BUDGET: u64 = 2_000_000;

    fn expression(&self, text: String) -> String {
        match text.char_indices().nth(LONGEST) {
            Some((cut, _)) => {
                let total = columns(&text);
                format!("{} … ({total} characters in all; --json has them)", &text[..cut])
            }
            None => text,
        }
    }

    fn sign(&self, sign: Sign) -> &'static str {
        sign.text
    }

    fn name(&self, name: &str) -> String {
        name.to_owned()
    }

    fn square(&self, name: &str) -> String {
        format!("{name}²")
    }

    fn indexed(&self, letter: &str, index: usize) -> String {
        match letter.split_once('/') {
            Some((above, below)) => format!("{above}{}/{below}", subscript(index)),
            None => format!("{letter}{}", subscript(index)),
        }
    }

    fn component(&self, letter: &str, name: &str) -> String {
        format!("{letter}_{name}")
    }

    fn partial(&self, name: &str) -> String {
        format!("∂{name}")
    }

    fn words(&self, words: &str) -> String {
        words.to_owned()
    }

    fn math(&self, formula: String) -> String {
        formula
    }

    fn paragraph(&self, content: &str) -> String {
        self.indented(content, 2)
    }

    fn heading(&self, title: &str, first: bool) -> String {
        let mut out = String::new();
        if !first {
            line(&mut out, "");
        }
        line(&mut out, &format!("  {title}"));
        out
    }

    fn equations(&self, list: &[WrittenEquation], definitions: &[(String, String)]) -> String {
        const ALIGNED: usize = 28;
        let widest = list.iter().map(|equation| columns(&equation.left)).max().unwrap_or(0);
        let mut table = self.table_of_equations();
        let mut out = String::new();
        for WrittenEquation { left, sign, right, .. } in list {
            if widest <= ALIGNED {
                table.line([left.as_str(), sign, right]);
            } else {
                out.push_str(&self.broken(&format!("{left} {sign} {right}"), 2));
            }
        }
        out.push_str(&table.to_string());
        if definitions.is_empty() {
            return out;
        }
        line(&mut out, "  where");
        let mut table = self.table_of_equations();
        for (name, body) in definitions {
            table.line([name.clone(), "=".to_owned(), self.expression(body.clone())]);
        }
        out.push_str(&table.to_string());
        out
    }

    fn matrix(&self, left: &str, rows: &[Vec<String>]) -> String {
        let mut table = Table::new([Align::Centre]);
        for row in rows {
            table.line(row);
        }
        let head = format!("{left} = ");
        let mut out = String::new();
        if table.width() + columns(&head) + 8 > self.width {
            // Too wide: entry by entry, above the diagonal once.
            for (i, row) in rows.iter().enumerate() {
                for (j, cell) in row.iter().enumerate().skip(i).filter(|(_, cell)| *cell != "0") {
                    let name = format!("{left}[{},{}] = ", i + 1, j + 1);
                    out.push_str(&self.broken(&format!("{name}{cell}"), columns(&name)));
                }
            }
            return out;
        }
        let cells = table.cells();
        for (i, row) in cells.iter().enumerate() {
            let (open, close) = match (i, cells.len()) {
                (_, 1) => ("(", ")"),
                (0, _) => ("⎛", "⎞"),
                (i, n) if i + 1 == n => ("⎝", "⎠"),
                _ => ("⎜", "⎟"),
            };
            let before =
                if i == (cells.len() - 1) / 2 { head.clone() } else { " ".repeat(columns(&head)) };
            line(&mut out, &format!("    {before}{open} {} {close}", row.join("  ")));
        }
        out
    }

    fn facts(&self, facts: &[(String, String)]) -> String {
        let mut table = Table::new([Align::Left]).indented(4).within(self.width);
        for (label, content) in facts {
            table.line([label, content]);
        }
        table.to_string()
    }

    fn table(&self, lines: &[Vec<String>]) -> String {
        let mut table = Table::new([Align::Left]).indented(4);
        for line in lines {
            table.line(line);
        }
        table.to_string()
    }
}

fn line(out: &mut String, text: &str) {
    out.push_str(text.trim_end());
    out.push('\n');
}

fn subscript(number: usize) -> String {
    number
        .to_string()
        .chars()
        .filter_map(|digit| digit.to_digit(10).and_then(|d| char::from_u32(0x2080 + d)))
        .collect()
}
