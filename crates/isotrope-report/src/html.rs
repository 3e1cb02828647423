//! The report as one self-contained page: MathML, no scripts, nothing loaded from elsewhere.

use isotrope_algebra::Pool;
use isotrope_algebra::print::{Format, escape_xml, math_element, mathml_matrix, mathml_name};

use super::document::{Document, Sign};
use super::render::{Renderer, WrittenEquation, blocks};
use super::shell::Shell;

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
    let mut sections = Sections::default();
    for section in &document.sections {
        sections.push(section.id, section.title, &blocks(&Page, pool, &section.blocks));
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

struct Page;

impl Renderer for Page {
    const FORMAT: Format = Format::MathMl;
    const BUDGET: u64 = 1_000_000;

    fn sign(&self, sign: Sign) -> &'static str {
        sign.mathml
    }

    fn name(&self, name: &str) -> String {
        mathml_name(name)
    }

    fn square(&self, name: &str) -> String {
        format!("<msup>{}<mn>2</mn></msup>", mathml_name(name))
    }

    fn indexed(&self, letter: &str, index: usize) -> String {
        if letter.contains('/') {
            let letter = letter.get(1..2).unwrap_or("J");
            return format!(
                "<msub><mover accent=\"true\"><mi>{letter}</mi><mo>˙</mo></mover><mn>{index}</mn></msub>"
            );
        }
        format!("<msub><mi>{letter}</mi><mn>{index}</mn></msub>")
    }

    fn component(&self, letter: &str, name: &str) -> String {
        format!("<msub><mi>{letter}</mi>{}</msub>", mathml_name(name))
    }

    fn partial(&self, name: &str) -> String {
        self.component("∂", name)
    }

    fn row(&self, parts: &[String]) -> String {
        format!("<mrow>{}</mrow>", parts.concat())
    }

    fn words(&self, words: &str) -> String {
        escape_xml(words)
    }

    fn math(&self, formula: String) -> String {
        math_element(&formula, false)
    }

    fn paragraph(&self, content: &str) -> String {
        format!("<p>{content}</p>\n")
    }

    fn heading(&self, title: &str, _: bool) -> String {
        format!("<h3>{title}</h3>\n")
    }

    /// Each side is a formula of its own in an HTML table: browsers align tables better than they
    /// align MathML.
    fn equations(&self, list: &[WrittenEquation], definitions: &[(String, String)]) -> String {
        let mut out = String::from("<div class=\"formula\"><table class=\"equations\">\n");
        for WrittenEquation { left, sign, right, vanishes } in list {
            if *vanishes {
                let formula = displayed(&format!("<mrow>{left}{sign}{right}</mrow>"));
                out.push_str(&format!(
                    "<tr><td colspan=\"2\" class=\"whole\">{formula}</td></tr>\n"
                ));
            } else {
                out.push_str(&sides("", left, sign, right));
            }
        }
        for (position, (name, body)) in definitions.iter().enumerate() {
            let class = if position == 0 { " class=\"where\"" } else { "" };
            out.push_str(&sides(class, name, Sign::EQUALS.mathml, body));
        }
        out.push_str("</table></div>\n");
        out
    }

    fn matrix(&self, left: &str, rows: &[Vec<String>]) -> String {
        let content = format!("<mrow>{left}<mo>=</mo>{}</mrow>", mathml_matrix(rows));
        format!("<div class=\"formula\">{}</div>\n", math_element(&content, true))
    }

    fn facts(&self, facts: &[(String, String)]) -> String {
        let fact =
            |(label, content): &(String, String)| format!("<dt>{label}</dt><dd>{content}</dd>\n");
        format!("<dl>\n{}</dl>\n", facts.iter().map(fact).collect::<String>())
    }

    fn table(&self, lines: &[Vec<String>]) -> String {
        let mut out = String::from("<table>\n");
        for (k, line) in lines.iter().enumerate() {
            let tag = if k == 0 { "th" } else { "td" };
            let cells: String = line.iter().map(|cell| format!("<{tag}>{cell}</{tag}>")).collect();
            out.push_str(&format!("<tr>{cells}</tr>\n"));
        }
        out.push_str("</table>\n");
        out
    }
}

/// A line of a table of equations.
pub(crate) fn sides(class: &str, left: &str, sign: &str, right: &str) -> String {
    let (left, right) =
        (displayed(left), displayed(&format!("<mrow><mrow></mrow>{sign}{right}</mrow>")));
    format!("<tr{class}><td class=\"left\">{left}</td><td>{right}</td></tr>\n")
}

/// A formula in a table cell, in display style.
pub(crate) fn displayed(content: &str) -> String {
    format!(
        "<math xmlns=\"http://www.w3.org/1998/Math/MathML\" displaystyle=\"true\">{content}</math>"
    )
}
