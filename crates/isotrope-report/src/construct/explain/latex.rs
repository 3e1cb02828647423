//! The explanation as a complete LaTeX document.

use isotrope_algebra::print::escape_latex;
use isotrope_output::plot::{Chart, Scale};

use super::Explanation;
use super::block::{Block, DrawnTree, FOLLOWS, Inline, Section, Tableau};
use super::formula::{Formula, Line};

const PREAMBLE: &str = r"\documentclass[11pt]{article}
\usepackage[a4paper,margin=25mm]{geometry}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{amsmath,amssymb,array,longtable}
\usepackage{forest}
\usepackage{pgfplots}
\pgfplotsset{compat=1.16}
\usepackage[hidelinks]{hyperref}
\setlength{\parindent}{0pt}
\setlength{\parskip}{6pt}
\setlength{\LTleft}{0pt}
\renewcommand{\arraystretch}{1.3}
\allowdisplaybreaks
";

/// Tables with more columns are set small.
const WIDE: usize = 5;

/// Writes the document.
pub(super) fn to_latex(explanation: &Explanation) -> String {
    let mut out = String::from(PREAMBLE);
    out.push_str(&explanation.tree_styles);
    out.push_str(&format!(
        "\\title{{{}}}\n\\author{{computed by \\textsf{{isotrope}}}}\n\\date{{}}\n\
         \\begin{{document}}\n\\maketitle\n\\begin{{abstract}}\n{}\n\\end{{abstract}}\n",
        escape_latex(&explanation.title),
        escape_latex(&explanation.lead)
    ));
    for Section { title, blocks, .. } in &explanation.sections {
        out.push_str(&format!("\n\\section{{{}}}\n", escape_latex(title)));
        out.push_str(&all(blocks));
    }
    out.push_str("\n\\end{document}\n");
    out
}

fn all(blocks: &[Block]) -> String {
    blocks.iter().map(block).collect()
}

fn block(block: &Block) -> String {
    match block {
        Block::Paragraph(content) => format!("{}\n\n", inlines(content)),
        Block::Heading(text) => format!("\\subsection*{{{}}}\n", escape_latex(text)),
        Block::Equations(list) => equations(list),
        Block::Lines(list) => lines(list),
        Block::Table(columns, rows) => table(columns, rows),
        Block::Trees(list) => trees(list),
        Block::Tableaux(list) => {
            let all: Vec<String> = list.iter().map(tableau).collect();
            format!("\\[\n{}\n\\]\n", all.join("\\qquad\n"))
        }
        Block::Facts(facts) => {
            let fact = |(label, content): &(String, Vec<Inline>)| {
                format!("\\item[{}] {}\n", escape_latex(label), inlines(content))
            };
            let items: String = facts.iter().map(fact).collect();
            format!("\\begin{{description}}\n{items}\\end{{description}}\n")
        }
        Block::Folded(summary, blocks) => {
            format!("\\paragraph{{{}}}\\mbox{{}}\n\n{}", escape_latex(summary), all(blocks))
        }
        Block::Picture(caption, chart) => picture(caption, chart),
        Block::Code(text) => {
            let text = verbatim(text);
            format!("{{\\footnotesize\n\\begin{{verbatim}}\n{text}\n\\end{{verbatim}}\n}}\n")
        }
    }
}

fn inlines(content: &[Inline]) -> String {
    content
        .iter()
        .map(|inline| match inline {
            Inline::Words(words) => escape_latex(words),
            Inline::Math(formula) => format!("${}$", formula.latex),
        })
        .collect()
}

fn equations(list: &[(Formula, Formula)]) -> String {
    if list.is_empty() {
        return String::new();
    }
    let rows: Vec<String> =
        list.iter().map(|(left, right)| format!("{} &= {}", left.latex, right.latex)).collect();
    format!("\\begin{{align*}}\n{}\n\\end{{align*}}\n", rows.join(" \\\\\n"))
}

fn badge(mark: Option<&'static str>) -> String {
    match mark {
        None => String::new(),
        Some(FOLLOWS) => "\\textit{follows} ".to_owned(),
        Some(mark) => format!("\\textbf{{{mark}}} "),
    }
}

/// Inline formulas, which break at signs.
fn lines(list: &[Line]) -> String {
    if list.is_empty() {
        return String::new();
    }
    let line = |line: &Line| format!("\\item {}${}$\n", badge(line.mark), line.whole().latex);
    let items: String = list.iter().map(line).collect();
    format!("\\begin{{enumerate}}\n\\raggedright\n{items}\\end{{enumerate}}\n")
}

fn table(columns: &[String], rows: &[Vec<Vec<Inline>>]) -> String {
    let titles: Vec<String> = columns.iter().map(|title| escape_latex(title)).collect();
    let size = if columns.len() > WIDE { "\\footnotesize" } else { "" };
    let mut out = format!(
        "{{{size}\n\\begin{{longtable}}{{{}}}\n{} \\\\\n\\hline\n\\endhead\n",
        "l".repeat(columns.len()),
        titles.join(" & ")
    );
    for row in rows {
        let cells: Vec<String> = row.iter().map(|cell| inlines(cell)).collect();
        out.push_str(&format!("{} \\\\\n", cells.join(" & ")));
    }
    out.push_str("\\end{longtable}}\n");
    out
}

fn trees(list: &[DrawnTree]) -> String {
    let mut out = String::from(
        "\\begin{longtable}{clll}\ntree & name & condition & \\\\\n\\hline\n\\endhead\n",
    );
    for tree in list {
        out.push_str(&format!(
            "\\begin{{forest}} rooted tree {} \\end{{forest}} & ${}$ & ${}$ & {}\\\\\n",
            tree.forest,
            tree.name.latex,
            tree.condition.latex,
            badge(tree.mark)
        ));
    }
    out.push_str("\\end{longtable}\n");
    out
}

fn tableau(tableau: &Tableau) -> String {
    let cells = |list: &[Formula]| {
        list.iter().map(|x| x.latex.clone()).collect::<Vec<String>>().join(" & ")
    };
    let mut out = format!(
        "\\begin{{array}}[t]{{c}}\n{} \\\\[4pt]\n\\begin{{array}}{{c|{}}}\n",
        tableau.title.latex,
        "c".repeat(tableau.rows.len())
    );
    for (node, row) in tableau.nodes.iter().zip(&tableau.rows) {
        out.push_str(&format!("{} & {} \\\\\n", node.latex, cells(row)));
    }
    out.push_str("\\hline\n");
    for (letter, weights) in &tableau.weights {
        out.push_str(&format!("{} & {} \\\\\n", letter.latex, cells(weights)));
    }
    out.push_str("\\end{array}\n\\end{array}");
    out
}

/// The data of a chart; the package draws them.
fn picture(caption: &str, chart: &Chart) -> String {
    let axis = match (chart.x.scale, chart.y.scale) {
        (Scale::Log10, Scale::Log10) => "loglogaxis",
        _ => "axis",
    };
    let mut out = format!(
        "\\begin{{figure}}[htb]\n\\centering\n\\begin{{tikzpicture}}\n\
         \\begin{{{axis}}}[width=0.85\\linewidth, height=0.5\\linewidth, xlabel={{{}}}, \
         ylabel={{{}}}, legend pos=south east]\n",
        label(&chart.x.label),
        label(&chart.y.label)
    );
    for series in &chart.series {
        let points: Vec<String> = series
            .points
            .iter()
            .filter(|(x, y)| x.is_finite() && y.is_finite())
            .map(|(x, y)| format!("({x:e},{y:e})"))
            .collect();
        let style = if series.name.is_empty() { "[dashed, no marks, forget plot]" } else { "" };
        let plot = if style.is_empty() { "\\addplot+" } else { "\\addplot" };
        out.push_str(&format!("{plot}{style} coordinates {{{}}};\n", points.join(" ")));
        if !series.name.is_empty() {
            out.push_str(&format!("\\addlegendentry{{{}}}\n", label(&series.name)));
        }
    }
    out.push_str(&format!(
        "\\end{{{axis}}}\n\\end{{tikzpicture}}\n\\caption{{{}}}\n\\end{{figure}}\n",
        escape_latex(caption)
    ));
    out
}

/// A label of a chart: formulas stand between dollar signs.
fn label(text: &str) -> String {
    let parts = text.split('$').enumerate();
    parts
        .map(
            |(number, part)| if number % 2 == 1 { format!("${part}$") } else { escape_latex(part) },
        )
        .collect()
}

/// Nothing may end the environment early.
fn verbatim(text: &str) -> String {
    // Taking it out could put another one together.
    text.trim_end().replace("\\end{verbatim}", "\\end {verbatim}")
}
