//! The report for a terminal: plain text, Unicode where it helps, no colour needed.

use isotrope_algebra::{Budget, ExprId, Pool, print};
use isotrope_study::report::{Align, Table, columns, wrap};

use super::document::{Basis, Block, Combination, Document, Equation, Fact, Formula, Inline, Term};
use super::shared::Shared;

/// Longer expressions are cut: a terminal is not the place for them.
const LONGEST: usize = 2_000;
/// Bytes and pieces that may be printed for one block.
const BUDGET: u64 = 2_000_000;

/// Writes the document for a terminal of the given width.
pub fn to_text(document: &Document, pool: &Pool, width: usize) -> String {
    let shared = Shared::default();
    let mut page = Page { pool, width: width.max(40), out: String::new(), shared };
    page.line(&document.title);
    page.line(&"═".repeat(columns(&document.title).min(page.width)));
    if let Some(description) = &document.description {
        page.paragraph(description, 0);
    }
    for section in &document.sections {
        page.line("");
        page.line(section.title);
        page.line(&"─".repeat(columns(section.title)));
        for block in &section.blocks {
            page.block(block);
        }
    }
    page.out
}

struct Page<'a> {
    pool: &'a Pool,
    width: usize,
    out: String,
    shared: Shared,
}

impl Page<'_> {
    fn line(&mut self, text: &str) {
        self.out.push_str(text.trim_end());
        self.out.push('\n');
    }

    fn paragraph(&mut self, text: &str, indent: usize) {
        for line in text.lines() {
            for part in wrap(line, self.width - indent, 0) {
                self.line(&format!("{}{part}", " ".repeat(indent)));
            }
        }
    }

    fn block(&mut self, block: &Block) {
        self.shared = Shared::new(self.pool, block, print::Format::Text, BUDGET);
        match block {
            Block::Paragraph(content) => {
                let text = self.inlines(content);
                self.paragraph(&text, 2);
            }
            Block::Heading(text) => {
                if !self.out.ends_with("─\n") {
                    self.line("");
                }
                self.line(&format!("  {text}"));
            }
            Block::Equations(list) => self.equations(list),
            Block::Matrix { left, rows } => self.matrix(left, rows),
            Block::Facts(facts) => self.facts(facts),
            Block::Table(lines) => self.table(lines),
        }
    }

    fn table(&mut self, lines: &[Vec<String>]) {
        let mut table = Table::new([Align::Left]).indented(4);
        for line in lines {
            table.line(line);
        }
        self.out.push_str(&table.to_string());
    }

    fn facts(&mut self, facts: &[Fact]) {
        let mut table = Table::new([Align::Left]).indented(4).within(self.width);
        for fact in facts {
            table.line([fact.label.clone(), self.inlines(&fact.content)]);
        }
        self.out.push_str(&table.to_string());
    }

    fn equations(&mut self, list: &[Equation]) {
        const ALIGNED: usize = 28;
        let lefts: Vec<String> = list.iter().map(|equation| self.formula(&equation.left)).collect();
        let widest = lefts.iter().map(|left| columns(left)).max().unwrap_or(0);
        let mut table = self.table_of_equations();
        for (equation, left) in list.iter().zip(lefts) {
            let right = self.formula(&equation.right);
            let sign = equation.sign.text;
            if widest <= ALIGNED {
                table.line([left.as_str(), sign, &right]);
                continue;
            }
            for part in wrap(&format!("{left} {sign} {right}"), self.width - 4, 2) {
                self.line(&format!("    {part}"));
            }
        }
        self.out.push_str(&table.to_string());
        let definitions = std::mem::take(&mut self.shared.definitions);
        if definitions.is_empty() {
            return;
        }
        self.line("  where");
        let mut table = self.table_of_equations();
        for (name, body) in definitions {
            table.line([name, "=".to_owned(), clipped(body)]);
        }
        self.out.push_str(&table.to_string());
    }

    /// Left sides, signs and right sides, which go on below themselves.
    fn table_of_equations(&self) -> Table {
        Table::new([Align::Left]).indented(4).gap(1).within(self.width)
    }

    fn matrix(&mut self, left: &Formula, rows: &[Vec<ExprId>]) {
        let entries: Vec<Vec<String>> = rows
            .iter()
            .map(|row| row.iter().map(|&entry| self.expression(entry)).collect())
            .collect();
        let mut table = Table::new([Align::Centre]);
        for row in &entries {
            table.line(row);
        }
        let head = format!("{} = ", self.formula(left));
        if table.width() + columns(&head) + 8 > self.width {
            // Too wide: entry by entry, above the diagonal once.
            for (i, row) in entries.iter().enumerate() {
                for (j, cell) in row.iter().enumerate().skip(i).filter(|(_, cell)| *cell != "0") {
                    let name = format!("{}[{},{}] = ", self.formula(left), i + 1, j + 1);
                    for part in wrap(&format!("{name}{cell}"), self.width - 4, columns(&name)) {
                        self.line(&format!("    {part}"));
                    }
                }
            }
            return;
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
            self.line(&format!("    {before}{open} {} {close}", row.join("  ")));
        }
    }

    fn inlines(&self, content: &[Inline]) -> String {
        content
            .iter()
            .map(|inline| match inline {
                Inline::Words(words) => words.clone(),
                Inline::Math(formula) => self.formula(formula),
            })
            .collect()
    }

    fn expression(&self, id: ExprId) -> String {
        if let Some(text) = self.shared.get(id) {
            return clipped(text.clone());
        }
        match print::to_text(self.pool, id, &mut Budget::new(BUDGET)) {
            Ok(text) => clipped(text),
            Err(_) => "(too long to print)".to_owned(),
        }
    }

    fn formula(&self, formula: &Formula) -> String {
        match formula {
            Formula::Expression(id) => self.expression(*id),
            Formula::Name(name) => name.clone(),
            Formula::Square(name) => format!("{name}²"),
            Formula::Sign(sign) => sign.text.to_owned(),
            Formula::Indexed(letter, index) => match letter.split_once('/') {
                Some((above, below)) => format!("{above}{}/{below}", subscript(*index)),
                None => format!("{letter}{}", subscript(*index)),
            },
            Formula::Component(letter, name) => format!("{letter}_{name}"),
            Formula::Combination(combination) => self.combination(combination),
            Formula::Row(parts) => parts.iter().map(|part| self.formula(part)).collect(),
        }
    }

    fn combination(&self, combination: &Combination) -> String {
        let mut text = String::new();
        for (position, term) in combination.terms.iter().enumerate() {
            let Term { negative, coefficient, enclosed, basis } = term;
            text.push_str(match (position, negative) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            });
            if basis.is_one() {
                text.push_str(&self.expression(*coefficient));
            } else if *coefficient != ExprId::ONE {
                let factor = self.expression(*coefficient);
                if *enclosed {
                    text.push_str(&format!("({factor}) "));
                } else {
                    text.push_str(&format!("{factor} "));
                }
            }
            match basis {
                Basis::Partial(name) => text.push_str(&format!("∂{name}")),
                Basis::Differential(name) => text.push_str(&format!("d{name}")),
                Basis::Area(first, second) => text.push_str(&format!("d{first}∧d{second}")),
                Basis::Product(names) => text.push_str(&names.join(" ")),
            }
        }
        if text.is_empty() { "0".to_owned() } else { text }
    }
}

fn clipped(text: String) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((cut, _)) => {
            let total = columns(&text);
            format!("{} … ({total} characters in all; --json has them)", &text[..cut])
        }
        None => text,
    }
}

fn subscript(number: usize) -> String {
    number
        .to_string()
        .chars()
        .filter_map(|digit| digit.to_digit(10).and_then(|d| char::from_u32(0x2080 + d)))
        .collect()
}
