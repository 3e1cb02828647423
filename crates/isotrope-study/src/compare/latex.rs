//! A comparison for papers.

use std::fmt::Write as _;

use super::Comparison;

/// Headings in the language of formulas.
fn heading(name: &str) -> &str {
    match name {
        "|phi|" => "$|\\varphi|$",
        "|Av+b|" => "$|Av+b|$",
        "|p-L_v|" => "$|p-L_v|$",
        "energy" => "$|E-E_0|$",
        other => other,
    }
}

/// 1.2e-5 as 1.2·10⁻⁵.
fn power(text: &str) -> String {
    match text.split_once('e') {
        Some((mantissa, exponent)) if exponent.parse::<i32>().is_ok() => {
            format!("${mantissa}\\cdot 10^{{{exponent}}}$")
        }
        _ => escaped(text),
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

impl Comparison {
    /// A `tabular` with rules of the package `booktabs`.
    #[must_use]
    pub fn to_latex(&self) -> String {
        let table = self.table();
        let numbers = "r".repeat(table.headings.len().saturating_sub(2));
        let mut out = format!("% {}\n\\begin{{tabular}}{{l{numbers}l}}\n\\toprule\n", self.model);
        let headings: Vec<&str> = table.headings.iter().map(|name| heading(name)).collect();
        let _ = writeln!(out, "{} \\\\\n\\midrule", headings.join(" & "));
        for line in &table.lines {
            let cells: Vec<String> = line
                .iter()
                .enumerate()
                .map(|(k, cell)| match (k, cell.text.as_str()) {
                    (_, "") => "--".to_owned(),
                    (0, text) => escaped(text),
                    (_, text) => power(text),
                })
                .collect();
            let _ = writeln!(out, "{} \\\\", cells.join(" & "));
        }
        out.push_str("\\bottomrule\n\\end{tabular}\n");
        out
    }
}
