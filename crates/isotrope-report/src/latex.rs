//! The report as a complete LaTeX document.

use isotrope_algebra::Pool;
use isotrope_algebra::print::{Format, escape_latex, latex_matrix, latex_name};

use super::document::{Document, Sign};
use super::render::{Renderer, WrittenEquation, blocks};

pub(crate) const PREAMBLE: &str = r"\documentclass[11pt]{article}
\usepackage[a4paper,margin=25mm]{geometry}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{amsmath,amssymb}
\usepackage{graphicx}
\usepackage[hidelinks]{hyperref}
\setlength{\parindent}{0pt}
\setlength{\parskip}{6pt}
\allowdisplaybreaks
% A formula that is wider than the page is made to fit.
\newcommand{\fit}[1]{\resizebox{\ifdim\width>0.86\linewidth 0.86\linewidth\else\width\fi}{!}{$\displaystyle #1$}}
";

/// Columns, roughly, of what fits beside a short left side.
const FITS: usize = 70;

/// Writes the document.
pub fn to_latex(document: &Document, pool: &Pool) -> String {
    let mut out = String::from(PREAMBLE);
    out.push_str(&format!("\\title{{{}}}\n", escape_latex(&document.title)));
    out.push_str(
        "\\author{derived by \\textsf{isotrope}}\n\\date{}\n\\begin{document}\n\\maketitle\n",
    );
    if let Some(description) = &document.description {
        out.push_str(&format!("{}\n", escape_latex(description)));
    }
    for section in &document.sections {
        out.push_str(&format!("\n\\section{{{}}}\n", escape_latex(section.title)));
        out.push_str(&blocks(&Latex, pool, &section.blocks));
    }
    out.push_str("\n\\end{document}\n");
    out
}

struct Latex;

impl Renderer for Latex {
    const FORMAT: Format = Format::Latex;
    const BUDGET: u64 = 300_000;

    fn sign(&self, sign: Sign) -> &'static str {
        sign.latex
    }

    fn name(&self, name: &str) -> String {
        latex_name(name)
    }

    fn square(&self, name: &str) -> String {
        format!("{}^{{2}}", latex_name(name))
    }

    fn indexed(&self, letter: &str, index: usize) -> String {
        match letter {
            "ξ" => format!("\\xi_{{{index}}}"),
            rate if rate.contains('/') => {
                format!("\\dot{{{}}}_{{{index}}}", rate.get(1..2).unwrap_or("J"))
            }
            letter => format!("{letter}_{{{index}}}"),
        }
    }

    fn component(&self, letter: &str, name: &str) -> String {
        format!("{letter}_{{{}}}", latex_name(name))
    }

    fn partial(&self, name: &str) -> String {
        self.component("\\partial", name)
    }

    fn words(&self, words: &str) -> String {
        escape_latex(words)
    }

    fn math(&self, formula: String) -> String {
        format!("${formula}$")
    }

    fn paragraph(&self, content: &str) -> String {
        format!("{content}\n\n")
    }

    fn heading(&self, title: &str, _: bool) -> String {
        format!("\\subsection*{{{title}}}\n")
    }

    fn equations(&self, list: &[WrittenEquation], definitions: &[(String, String)]) -> String {
        let mut out =
            align(list.iter().flat_map(|WrittenEquation { left, sign, right, .. }| {
                // Something = 0: the long part is on the left, so align it there.
                if visible(left) > 40 {
                    at_left(left, sign, right)
                } else {
                    at_sign(left, sign, right)
                }
            }));
        if !definitions.is_empty() {
            out.push_str("where\n");
            out.push_str(&align(
                definitions.iter().flat_map(|(name, body)| at_sign(name, "=", body)),
            ));
        }
        out
    }

    fn matrix(&self, left: &str, rows: &[Vec<String>]) -> String {
        format!("\\[ {left} = \\fit{{{}}} \\]\n", latex_matrix(rows))
    }

    fn facts(&self, facts: &[(String, String)]) -> String {
        let fact = |(label, content): &(String, String)| format!("\\item[{label}] {content}\n");
        let items: String = facts.iter().map(fact).collect();
        format!("\\begin{{description}}\n{items}\\end{{description}}\n")
    }

    fn table(&self, lines: &[Vec<String>]) -> String {
        let count = lines.iter().map(Vec::len).max().unwrap_or(0);
        let rows: String =
            lines.iter().map(|line| format!("{} \\\\\n", line.join(" & "))).collect();
        format!("\\begin{{tabular}}{{{}}}\n{rows}\\end{{tabular}}\n\n", "l".repeat(count))
    }
}

fn align(lines: impl Iterator<Item = String>) -> String {
    let lines: Vec<String> = lines.collect();
    format!("\\begin{{align*}}\n{}\n\\end{{align*}}\n", lines.join(" \\\\\n"))
}

/// The lines of an equation that is aligned at its sign.
fn at_sign(left: &str, sign: &str, right: &str) -> Vec<String> {
    let head = |k: usize| if k == 0 { format!("{left} &{sign} ") } else { "&\\quad ".to_owned() };
    split(right).iter().enumerate().map(|(k, part)| format!("{}{part}", head(k))).collect()
}

/// The lines of an equation that is aligned at its beginning.
fn at_left(left: &str, sign: &str, right: &str) -> Vec<String> {
    let mut lines = split(left);
    match lines.last_mut() {
        Some(last) if visible(last) + visible(right) + 2 <= FITS => {
            last.push_str(&format!(" {sign} {right}"));
        }
        _ => {
            let first = |k| if k == 0 { sign } else { "\\quad" };
            let parts = split(right);
            lines.extend(parts.iter().enumerate().map(|(k, part)| format!("{} {part}", first(k))));
        }
    }
    let head = |k: usize| if k == 0 { "& " } else { "&\\quad " };
    lines.iter().enumerate().map(|(k, part)| format!("{}{part}", head(k))).collect()
}

/// A rough count of the characters that will be seen.
fn visible(latex: &str) -> usize {
    let mut count = 0;
    let mut command = false;
    for character in latex.chars() {
        match character {
            '\\' => {
                command = true;
                count += 1;
            }
            c if command && c.is_ascii_alphabetic() => {}
            '{' | '}' | ' ' | '^' | '_' => command = false,
            _ => {
                command = false;
                count += 1;
            }
        }
    }
    count
}

/// Breaks a formula into lines at plus and minus signs outside of everything; a part that
/// is still too wide is scaled down.
fn split(latex: &str) -> Vec<String> {
    if visible(latex) <= FITS {
        return vec![latex.to_owned()];
    }
    let mut depth = 0i32;
    let mut terms: Vec<String> = vec![String::new()];
    let bytes = latex.as_bytes();
    for (position, character) in latex.char_indices() {
        let here = &latex[position..];
        depth += match character {
            '{' | '(' | '[' => 1,
            '}' | ')' | ']' => -1,
            _ => 0,
        };
        let sign = here.starts_with("+ ") || here.starts_with("- ");
        if sign && depth == 0 && position > 0 && bytes[position - 1] == b' ' {
            terms.push(String::new());
        }
        if let Some(last) = terms.last_mut() {
            last.push(character);
        }
    }
    let mut lines: Vec<String> = Vec::new();
    for term in terms {
        match lines.last_mut() {
            Some(line) if visible(line) + visible(&term) <= FITS => line.push_str(&term),
            _ => lines.push(term),
        }
    }
    lines
        .into_iter()
        .map(|line| if visible(&line) > FITS { format!("\\fit{{{line}}}") } else { line })
        .collect()
}
