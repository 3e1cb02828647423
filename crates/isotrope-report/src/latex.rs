//! The report as a complete LaTeX document.

use isotrope_algebra::print::{self, greek_command, latex_matrix, latex_name};
use isotrope_algebra::{Budget, ExprId, Pool};

use super::document::{Basis, Block, Combination, Document, Equation, Formula, Inline, Term};
use super::shared::Shared;

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
/// Bytes and pieces that may be printed for one block.
const BUDGET: u64 = 300_000;

/// Writes the document.
pub fn to_latex(document: &Document, pool: &Pool) -> String {
    let mut out = String::from(PREAMBLE);
    out.push_str(&format!("\\title{{{}}}\n", escape(&document.title)));
    out.push_str(
        "\\author{derived by \\textsf{isotrope}}\n\\date{}\n\\begin{document}\n\\maketitle\n",
    );
    if let Some(description) = &document.description {
        out.push_str(&format!("{}\n", escape(description)));
    }
    let mut page = Page { pool, shared: Shared::default() };
    for section in &document.sections {
        out.push_str(&format!("\n\\section{{{}}}\n", escape(section.title)));
        for block in &section.blocks {
            page.block(block, &mut out);
        }
    }
    out.push_str("\n\\end{document}\n");
    out
}

struct Page<'a> {
    pool: &'a Pool,
    shared: Shared,
}

impl Page<'_> {
    fn block(&mut self, block: &Block, out: &mut String) {
        self.shared = Shared::new(self.pool, block, print::Format::Latex, BUDGET);
        match block {
            Block::Paragraph(content) => {
                out.push_str(&self.inlines(content));
                out.push_str("\n\n");
            }
            Block::Heading(text) => out.push_str(&format!("\\subsection*{{{}}}\n", escape(text))),
            Block::Equations(list) => self.equations(list, out),
            Block::Matrix { left, rows } => {
                let rows: Vec<Vec<String>> = rows
                    .iter()
                    .map(|row| row.iter().map(|&entry| self.expression(entry)).collect())
                    .collect();
                let matrix = latex_matrix(&rows);
                out.push_str(&format!("\\[ {} = \\fit{{{matrix}}} \\]\n", self.formula(left)));
            }
            Block::Facts(facts) => {
                out.push_str("\\begin{description}\n");
                for fact in facts {
                    let content = self.inlines(&fact.content);
                    out.push_str(&format!("\\item[{}] {content}\n", escape(&fact.label)));
                }
                out.push_str("\\end{description}\n");
            }
            Block::Table(lines) => {
                let count = lines.iter().map(Vec::len).max().unwrap_or(0);
                out.push_str(&format!("\\begin{{tabular}}{{{}}}\n", "l".repeat(count)));
                for line in lines {
                    let cells: Vec<String> = line.iter().map(|cell| escape(cell)).collect();
                    out.push_str(&format!("{} \\\\\n", cells.join(" & ")));
                }
                out.push_str("\\end{tabular}\n\n");
            }
        }
    }

    fn equations(&self, list: &[Equation], out: &mut String) {
        if list.is_empty() {
            return;
        }
        out.push_str("\\begin{align*}\n");
        for (position, equation) in list.iter().enumerate() {
            let (left, right) = (self.formula(&equation.left), self.formula(&equation.right));
            let sign = equation.sign.latex;
            // Something = 0: the long part is on the left, so align it there.
            let lines = if visible(&left) > 40 {
                let mut lines = split(&left);
                let parts = split(&right);
                match lines.last_mut() {
                    Some(last) if visible(last) + visible(&right) + 2 <= FITS => {
                        last.push_str(&format!(" {sign} {right}"));
                    }
                    _ => {
                        let first = |k| if k == 0 { sign } else { "\\quad" };
                        lines.extend(
                            parts
                                .iter()
                                .enumerate()
                                .map(|(k, part)| format!("{} {part}", first(k))),
                        );
                    }
                }
                lines.iter().enumerate().map(|(k, part)| tail(k, part)).collect::<Vec<_>>()
            } else {
                let parts = split(&right);
                let head =
                    |k: usize| if k == 0 { format!("{left} &{sign} ") } else { "&\\quad ".into() };
                parts.iter().enumerate().map(|(k, part)| format!("{}{part}", head(k))).collect()
            };
            out.push_str(&lines.join(" \\\\\n"));
            out.push_str(if position + 1 < list.len() { " \\\\\n" } else { "\n" });
        }
        out.push_str("\\end{align*}\n");
        let definitions = &self.shared.definitions;
        if definitions.is_empty() {
            return;
        }
        out.push_str("where\n\\begin{align*}\n");
        for (position, (name, body)) in definitions.iter().enumerate() {
            let parts = split(body);
            let head = |k: usize| if k == 0 { format!("{name} &= ") } else { "&\\quad ".into() };
            let lines: Vec<String> =
                parts.iter().enumerate().map(|(k, part)| format!("{}{part}", head(k))).collect();
            out.push_str(&lines.join(" \\\\\n"));
            out.push_str(if position + 1 < definitions.len() { " \\\\\n" } else { "\n" });
        }
        out.push_str("\\end{align*}\n");
    }

    fn inlines(&self, content: &[Inline]) -> String {
        content
            .iter()
            .map(|inline| match inline {
                Inline::Words(words) => escape(words),
                Inline::Math(formula) => format!("${}$", self.formula(formula)),
            })
            .collect()
    }

    fn expression(&self, id: ExprId) -> String {
        if let Some(text) = self.shared.get(id) {
            return text.clone();
        }
        print::to_latex(self.pool, id, &mut Budget::new(BUDGET))
            .unwrap_or_else(|_| r"\text{(too long to print)}".to_owned())
    }

    fn formula(&self, formula: &Formula) -> String {
        match formula {
            Formula::Expression(id) => self.expression(*id),
            Formula::Name(name) => latex_name(name),
            Formula::Square(name) => format!("{}^{{2}}", latex_name(name)),
            Formula::Sign(sign) => sign.latex.to_owned(),
            Formula::Indexed("ξ", index) => format!("\\xi_{{{index}}}"),
            Formula::Indexed(letter, index) if letter.contains('/') => {
                let letter = letter.get(1..2).unwrap_or("J");
                format!("\\dot{{{letter}}}_{{{index}}}")
            }
            Formula::Indexed(letter, index) => format!("{letter}_{{{index}}}"),
            Formula::Component(letter, name) => format!("{letter}_{{{}}}", latex_name(name)),
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
                    text.push_str(&format!("\\left({factor}\\right)\\,"));
                } else {
                    text.push_str(&format!("{factor}\\,"));
                }
            }
            match basis {
                Basis::Partial(name) => {
                    text.push_str(&format!("\\partial_{{{}}}", latex_name(name)))
                }
                Basis::Differential(name) => {
                    text.push_str(&format!("\\mathrm{{d}}{}", latex_name(name)));
                }
                Basis::Area(first, second) => text.push_str(&format!(
                    "\\mathrm{{d}}{}\\wedge\\mathrm{{d}}{}",
                    latex_name(first),
                    latex_name(second)
                )),
                Basis::Product(names) => {
                    let names: Vec<String> = names.iter().map(|name| odd(name)).collect();
                    text.push_str(&names.join("\\,"));
                }
            }
        }
        if text.is_empty() { "0".to_owned() } else { text }
    }
}

fn tail(k: usize, part: &str) -> String {
    if k == 0 { format!("& {part}") } else { format!("&\\quad {part}") }
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

/// Words, so that LaTeX shows them and does not obey them.
pub(crate) fn escape(text: &str) -> String {
    escape_characters(text).replace("}$$^{", "")
}

/// A raised or lowered character.
fn script(character: char) -> Option<(&'static str, &'static str)> {
    const RAISED: [(char, &str); 15] = [
        ('⁰', "0"),
        ('¹', "1"),
        ('²', "2"),
        ('³', "3"),
        ('⁴', "4"),
        ('⁵', "5"),
        ('⁶', "6"),
        ('⁷', "7"),
        ('⁸', "8"),
        ('⁹', "9"),
        ('⁺', "+"),
        ('⁻', "-"),
        ('ᵀ', r"\mathsf T"),
        ('ⁱ', "i"),
        ('ⁿ', "n"),
    ];
    const LOWERED: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
    let raised = RAISED.iter().find(|known| known.0 == character).map(|known| ("^", known.1));
    raised.or_else(|| {
        let digit = u32::from(character).checked_sub(u32::from('₀'))?;
        LOWERED.get(usize::try_from(digit).ok()?).map(|digit| ("_", *digit))
    })
}

fn escape_characters(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => escaped.push_str(r"\textbackslash{}"),
            '^' => escaped.push_str(r"\textasciicircum{}"),
            '~' => escaped.push_str(r"\textasciitilde{}"),
            '<' => escaped.push_str(r"\textless{}"),
            '>' => escaped.push_str(r"\textgreater{}"),
            '{' | '}' | '_' | '&' | '%' | '$' | '#' => {
                escaped.push('\\');
                escaped.push(character);
            }
            '“' => escaped.push_str("``"),
            '”' => escaped.push_str("''"),
            '…' => escaped.push_str(r"\ldots{}"),
            '×' => escaped.push_str(r"$\times$"),
            '∂' => escaped.push_str(r"$\partial$"),
            '∧' => escaped.push_str(r"$\wedge$"),
            '∈' => escaped.push_str(r"$\in$"),
            '·' => escaped.push_str(r"$\cdot$"),
            '∘' => escaped.push_str(r"$\circ$"),
            '→' => escaped.push_str(r"$\to$"),
            '≤' => escaped.push_str(r"$\le$"),
            '≥' => escaped.push_str(r"$\ge$"),
            '⪰' => escaped.push_str(r"$\succeq$"),
            '≠' => escaped.push_str(r"$\ne$"),
            '−' => escaped.push_str("$-$"),
            '∇' => escaped.push_str(r"$\nabla$"),
            '∞' => escaped.push_str(r"$\infty$"),
            '∫' => escaped.push_str(r"$\int$"),
            'ᵣ' => escaped.push_str("$_{r}$"),
            '–' => escaped.push_str("--"),
            c if script(c).is_some() => {
                let (sign, inner) = script(c).unwrap_or(("^", "?"));
                escaped.push_str(&format!("${sign}{{{inner}}}$"));
            }
            c if greek_command(c).is_some() => {
                escaped.push_str(&format!("${}$", greek_command(c).unwrap_or_default()));
            }
            c if c.is_control() => escaped.push(' '),
            c if c.is_ascii() || c.is_alphabetic() => escaped.push(c),
            _ => escaped.push('?'),
        }
    }
    escaped
}

/// An odd coordinate: the momentum of a velocity is `p_{\dot{x}}`, not the rate of `p_x`.
fn odd(name: &str) -> String {
    match name.strip_prefix("p_") {
        Some(base) if base.ends_with('\'') => format!("p_{{{}}}", latex_name(base)),
        _ => latex_name(name),
    }
}
