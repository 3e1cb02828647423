//! The explanation as one self-contained page.

use isotrope_algebra::print::{escape_xml, math_element};
use isotrope_output::plot::{Size, svg_style, to_inline_svg};

use super::Explanation;
use super::block::{Block, DrawnTree, FOLLOWS, Inline, Section, Tableau};
use super::formula::{Formula, Line};
use crate::{PAGE_STYLE, Sections, Shell, Sign, displayed, sides};

const STYLE: &str = include_str!("style.css");
const SIZE: Size = Size { width: 860.0, height: 460.0 };

/// Writes the page.
pub(super) fn to_html(explanation: &Explanation) -> String {
    let mut parts = Sections::default();
    for Section { id, title, blocks } in &explanation.sections {
        parts.push(id, title, &all(blocks));
    }
    let style = format!("{}{}{STYLE}", PAGE_STYLE, svg_style());
    Shell {
        title: &explanation.title,
        description: Some(&explanation.lead),
        style: &style,
        contents: &parts.contents,
        footer: "Computed by isotrope. Conditions, bases and tables are exact; slopes were measured in \
                 the run that wrote this page.",
    }
    .around(&parts.html)
}

fn all(blocks: &[Block]) -> String {
    blocks.iter().map(block).collect()
}

fn block(block: &Block) -> String {
    match block {
        Block::Paragraph(content) => format!("<p>{}</p>\n", inlines(content)),
        Block::Heading(text) => format!("<h3>{}</h3>\n", escape_xml(text)),
        Block::Equations(list) => equations(list),
        Block::Lines(list) => lines(list),
        Block::Table(columns, rows) => table(columns, rows),
        Block::Trees(list) => {
            format!("<div class=\"trees\">\n{}</div>\n", list.iter().map(tree).collect::<String>())
        }
        Block::Tableaux(list) => format!(
            "<div class=\"tableaux\">\n{}</div>\n",
            list.iter().map(tableau).collect::<String>()
        ),
        Block::Facts(facts) => {
            let fact = |(label, content): &(String, Vec<Inline>)| {
                format!("<dt>{}</dt><dd>{}</dd>\n", escape_xml(label), inlines(content))
            };
            format!("<dl>\n{}</dl>\n", facts.iter().map(fact).collect::<String>())
        }
        Block::Folded(summary, blocks) => format!(
            "<details>\n<summary>{}</summary>\n{}</details>\n",
            escape_xml(summary),
            all(blocks)
        ),
        Block::Picture(caption, chart) => format!(
            "<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n",
            to_inline_svg(chart, &SIZE),
            escape_xml(caption)
        ),
        Block::Code(text) => {
            // Line by line: escaping turns line breaks into blanks.
            let lines: Vec<String> = text.trim_end().lines().map(escape_xml).collect();
            format!("<pre><code>{}</code></pre>\n", lines.join("\n"))
        }
    }
}

fn inlines(content: &[Inline]) -> String {
    content
        .iter()
        .map(|inline| match inline {
            Inline::Words(words) => escape_xml(words),
            Inline::Math(formula) => math_element(&formula.mathml, false),
        })
        .collect()
}

fn equations(list: &[(Formula, Formula)]) -> String {
    let row = |(left, right): &(Formula, Formula)| {
        sides("", &left.mathml, Sign::EQUALS.mathml, &right.mathml)
    };
    let rows: String = list.iter().map(row).collect();
    format!("<div class=\"formula\"><table class=\"equations\">\n{rows}</table></div>\n")
}

fn badge(mark: Option<&'static str>) -> String {
    match mark {
        None => String::new(),
        Some(FOLLOWS) => "<span class=\"badge soft\">follows</span>".to_owned(),
        Some(mark) => format!("<span class=\"badge\">{mark}</span>"),
    }
}

fn lines(list: &[Line]) -> String {
    let line = |line: &Line| {
        let pieces: Vec<String> =
            line.pieces.iter().map(|piece| displayed(&piece.mathml)).collect();
        let mark = badge(line.mark);
        let between = if mark.is_empty() { "" } else { " " };
        format!("<li>{mark}{between}{}</li>\n", pieces.join(" "))
    };
    format!("<ol class=\"lines\">\n{}</ol>\n", list.iter().map(line).collect::<String>())
}

fn table(columns: &[String], rows: &[Vec<Vec<Inline>>]) -> String {
    let mut out = String::from(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table\">\n\
         <table class=\"data\">\n<thead><tr>",
    );
    for column in columns {
        out.push_str(&format!("<th scope=\"col\">{}</th>", escape_xml(column)));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        for (position, cell) in row.iter().enumerate() {
            let cell = inlines(cell);
            out.push_str(&match position {
                0 => format!("<th scope=\"row\">{cell}</th>"),
                _ => format!("<td>{cell}</td>"),
            });
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
    out
}

fn tree(tree: &DrawnTree) -> String {
    let class = if tree.mark == Some(FOLLOWS) { "drawn known" } else { "drawn" };
    format!(
        "<div class=\"{class}\">{}<div>{}{}</div>{}</div>\n",
        tree.sketch.to_svg(&tree.name.latex),
        math_element(&tree.name.mathml, false),
        badge(tree.mark),
        math_element(&tree.condition.mathml, false)
    )
}

fn tableau(tableau: &Tableau) -> String {
    let cells = |list: &[Formula]| -> String {
        list.iter().map(|x| format!("<td>{}</td>", math_element(&x.mathml, false))).collect()
    };
    let mut out = format!(
        "<table class=\"tableau\" aria-label=\"Butcher tableau\">\n<caption>{}</caption>\n",
        math_element(&tableau.title.mathml, false)
    );
    for (node, row) in tableau.nodes.iter().zip(&tableau.rows) {
        let node = math_element(&node.mathml, false);
        out.push_str(&format!("<tr><th>{node}</th>{}</tr>\n", cells(row)));
    }
    for (position, (letter, weights)) in tableau.weights.iter().enumerate() {
        let class = if position == 0 { " class=\"weights\"" } else { "" };
        let letter = math_element(&letter.mathml, false);
        out.push_str(&format!("<tr{class}><th>{letter}</th>{}</tr>\n", cells(weights)));
    }
    out.push_str("</table>\n");
    out
}
