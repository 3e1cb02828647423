//! The report as one self-contained page: MathML, no scripts, nothing loaded from elsewhere.

use isotrope_algebra::print::{self, escape_xml, math_element, mathml_matrix, mathml_name};
use isotrope_algebra::{Budget, ExprId, Pool};

use super::document::{Basis, Block, Combination, Document, Equation, Formula, Inline, Term};
use super::shared::Shared;
use super::shell::Shell;

/// Bytes and pieces that may be printed for one block.
const BUDGET: u64 = 1_000_000;

/// Writes the page.
pub fn to_html(document: &Document, pool: &Pool) -> String {
    let Sections { contents, html } = sections(document, pool);
    Shell {
        title: &document.title,
        description: document.description.as_deref(),
        style: "",
        contents: &contents,
        footer: "Derived exactly by isotrope; every formula is symbolic, no rounding is involved.",
    }
    .around(&html)
}

/// Parts of a page, and the entries of its contents that lead to them.
#[derive(Debug, Clone, Default)]
pub struct Sections {
    /// Short names and headings.
    pub contents: Vec<(String, String)>,
    /// The parts, one after the other.
    pub html: String,
}

/// Writes the sections of a document, to be put into a page.
pub fn sections(document: &Document, pool: &Pool) -> Sections {
    let mut page = Page { pool, shared: Shared::default() };
    let mut sections = Sections::default();
    for section in &document.sections {
        let mut html = String::new();
        for block in &section.blocks {
            page.block(block, &mut html);
        }
        sections.push(section.id, section.title, &html);
    }
    sections
}

impl Sections {
    /// Adds a part with its heading.
    pub fn push(&mut self, id: &str, title: &str, html: &str) {
        self.contents.push((id.to_owned(), title.to_owned()));
        let (id, title) = (escape_xml(id), escape_xml(title));
        let part = format!("<section id=\"{id}\">\n<h2>{title}</h2>\n{html}</section>\n");
        self.html.push_str(&part);
    }

    /// Adds other parts behind these.
    pub fn append(&mut self, other: Self) {
        self.contents.extend(other.contents);
        self.html.push_str(&other.html);
    }
}

struct Page<'a> {
    pool: &'a Pool,
    shared: Shared,
}

impl Page<'_> {
    fn block(&mut self, block: &Block, out: &mut String) {
        self.shared = Shared::new(self.pool, block, print::Format::MathMl, BUDGET);
        match block {
            Block::Paragraph(content) => {
                out.push_str(&format!("<p>{}</p>\n", self.inlines(content)));
            }
            Block::Heading(text) => out.push_str(&format!("<h3>{}</h3>\n", escape_xml(text))),
            Block::Equations(list) => self.equations(list, out),
            Block::Matrix { left, rows } => {
                let rows: Vec<Vec<String>> = rows
                    .iter()
                    .map(|row| row.iter().map(|&entry| self.expression(entry)).collect())
                    .collect();
                let content = format!(
                    "<mrow>{}<mo>=</mo>{}</mrow>",
                    self.formula(left),
                    mathml_matrix(&rows)
                );
                let formula = math_element(&content, true);
                out.push_str(&format!("<div class=\"formula\">{formula}</div>\n"));
            }
            Block::Facts(facts) => {
                out.push_str("<dl>\n");
                for fact in facts {
                    let (label, content) = (escape_xml(&fact.label), self.inlines(&fact.content));
                    out.push_str(&format!("<dt>{label}</dt><dd>{content}</dd>\n"));
                }
                out.push_str("</dl>\n");
            }
            Block::Table(lines) => {
                out.push_str("<table>\n");
                for (k, line) in lines.iter().enumerate() {
                    let tag = if k == 0 { "th" } else { "td" };
                    let cell = |cell: &String| format!("<{tag}>{}</{tag}>", escape_xml(cell));
                    let cells: String = line.iter().map(cell).collect();
                    out.push_str(&format!("<tr>{cells}</tr>\n"));
                }
                out.push_str("</table>\n");
            }
        }
    }

    fn equations(&self, list: &[Equation], out: &mut String) {
        if list.is_empty() {
            return;
        }
        // Each side is a formula of its own in an HTML table: browsers align tables better
        // than they align MathML.
        out.push_str("<div class=\"formula\"><table class=\"equations\">\n");
        for equation in list {
            let zero = matches!(&equation.right, Formula::Expression(ExprId::ZERO));
            let (left, right) = (self.formula(&equation.left), self.formula(&equation.right));
            let sign = equation.sign.mathml;
            if zero {
                let row = format!("<mrow>{left}{sign}{right}</mrow>");
                let formula = displayed(&row);
                out.push_str(&format!(
                    "<tr><td colspan=\"2\" class=\"whole\">{formula}</td></tr>\n"
                ));
                continue;
            }
            let right = format!("<mrow><mrow></mrow>{sign}{right}</mrow>");
            out.push_str(&format!(
                "<tr><td class=\"left\">{}</td><td>{}</td></tr>\n",
                displayed(&left),
                displayed(&right)
            ));
        }
        for (position, (name, body)) in self.shared.definitions.iter().enumerate() {
            let class = if position == 0 { " class=\"where\"" } else { "" };
            let right = displayed(&format!("<mrow><mrow></mrow><mo>=</mo>{body}</mrow>"));
            let left = displayed(name);
            out.push_str(&format!(
                "<tr{class}><td class=\"left\">{left}</td><td>{right}</td></tr>\n"
            ));
        }
        out.push_str("</table></div>\n");
    }

    fn inlines(&self, content: &[Inline]) -> String {
        content
            .iter()
            .map(|inline| match inline {
                Inline::Words(words) => escape_xml(words),
                Inline::Math(formula) => math_element(&self.formula(formula), false),
            })
            .collect()
    }

    fn expression(&self, id: ExprId) -> String {
        if let Some(text) = self.shared.get(id) {
            return text.clone();
        }
        print::to_mathml(self.pool, id, &mut Budget::new(BUDGET))
            .unwrap_or_else(|_| "<mtext>(too long to print)</mtext>".to_owned())
    }

    fn formula(&self, formula: &Formula) -> String {
        match formula {
            Formula::Expression(id) => self.expression(*id),
            Formula::Name(name) => mathml_name(name),
            Formula::Square(name) => format!("<msup>{}<mn>2</mn></msup>", mathml_name(name)),
            Formula::Sign(sign) => sign.mathml.to_owned(),
            Formula::Indexed(letter, index) if letter.contains('/') => format!(
                "<msub><mover accent=\"true\"><mi>{}</mi><mo>˙</mo></mover><mn>{index}</mn></msub>",
                letter.get(1..2).unwrap_or("J")
            ),
            Formula::Indexed(letter, index) => {
                format!("<msub><mi>{letter}</mi><mn>{index}</mn></msub>")
            }
            Formula::Component(letter, name) => {
                format!("<msub><mi>{letter}</mi>{}</msub>", mathml_name(name))
            }
            Formula::Combination(combination) => self.combination(combination),
            Formula::Row(parts) => {
                let inner: String = parts.iter().map(|part| self.formula(part)).collect();
                format!("<mrow>{inner}</mrow>")
            }
        }
    }

    fn combination(&self, combination: &Combination) -> String {
        if combination.terms.is_empty() {
            return "<mn>0</mn>".to_owned();
        }
        let mut text = String::from("<mrow>");
        for (position, term) in combination.terms.iter().enumerate() {
            let Term { negative, coefficient, enclosed, basis } = term;
            text.push_str(match (position, negative) {
                (0, false) => "",
                (_, false) => "<mo>+</mo>",
                (0, true) => "<mo form=\"prefix\">−</mo>",
                (_, true) => "<mo>−</mo>",
            });
            if basis.is_one() {
                text.push_str(&self.expression(*coefficient));
            } else if *coefficient != ExprId::ONE {
                let factor = self.expression(*coefficient);
                if *enclosed {
                    text.push_str(&format!("<mrow><mo>(</mo>{factor}<mo>)</mo></mrow>"));
                } else {
                    text.push_str(&factor);
                }
                text.push_str("<mspace width=\"0.17em\"></mspace>");
            }
            match basis {
                Basis::Partial(name) => {
                    text.push_str(&format!("<msub><mi>∂</mi>{}</msub>", mathml_name(name)));
                }
                Basis::Differential(name) => text.push_str(&format!(
                    "<mrow><mi mathvariant=\"normal\">d</mi>{}</mrow>",
                    mathml_name(name)
                )),
                Basis::Area(first, second) => text.push_str(&format!(
                    "<mrow><mi mathvariant=\"normal\">d</mi>{}<mo>∧</mo><mi mathvariant=\"normal\">d</mi>{}</mrow>",
                    mathml_name(first),
                    mathml_name(second)
                )),
                Basis::Product(names) => {
                    let names: Vec<String> = names.iter().map(|name| odd(name)).collect();
                    text.push_str(&names.join("<mspace width=\"0.17em\"></mspace>"));
                }
            }
        }
        text.push_str("</mrow>");
        text
    }
}

/// A formula in a table cell, in display style.
fn displayed(content: &str) -> String {
    format!(
        "<math xmlns=\"http://www.w3.org/1998/Math/MathML\" displaystyle=\"true\">{content}</math>"
    )
}

/// An odd coordinate: the momentum of a velocity, not the rate of a momentum.
fn odd(name: &str) -> String {
    match name.strip_prefix("p_") {
        Some(base) if base.ends_with('\'') => {
            format!("<msub><mi>p</mi>{}</msub>", mathml_name(base))
        }
        _ => mathml_name(name),
    }
}
