//! A comparison for papers.

use std::fmt::Write as _;

use isotrope_algebra::print::escape_latex;

use super::Comparison;

/// Headings in the language of formulas.
fn heading(name: &str) -> String {
    match name {
        "|phi|" => "$|\\varphi|$".to_owned(),
        "|Av+b|" => "$|Av+b|$".to_owned(),
        "|p-L_v|" => "$|p-L_v|$".to_owned(),
        "energy" => "$|E-E_0|$".to_owned(),
        other => escape_latex(other),
    }
}

/// 1.2e-5 as 1.2·10⁻⁵.
fn power(text: &str) -> String {
    match text.split_once('e') {
        Some((mantissa, exponent)) if exponent.parse::<i32>().is_ok() => {
            format!("${mantissa}\\cdot 10^{{{exponent}}}$")
        }
        _ => escape_latex(text),
    }
}

impl Comparison {
    /// A `tabular` with rules of the package `booktabs`.
    #[must_use]
    pub fn to_latex(&self) -> String {
        let table = self.table();
        let numbers = "r".repeat(table.headings.len().saturating_sub(2));
        let model = escape_latex(&self.model);
        let mut out = format!("% {model}\n\\begin{{tabular}}{{l{numbers}l}}\n\\toprule\n");
        let headings: Vec<String> = table.headings.iter().map(|name| heading(name)).collect();
        let _ = writeln!(out, "{} \\\\\n\\midrule", headings.join(" & "));
        for line in &table.lines {
            let cells: Vec<String> = line
                .iter()
                .enumerate()
                .map(|(k, cell)| match (k, cell.text.as_str()) {
                    (_, "") => "--".to_owned(),
                    (0, text) => escape_latex(text),
                    (_, text) => power(text),
                })
                .collect();
            let _ = writeln!(out, "{} \\\\", cells.join(" & "));
        }
        out.push_str("\\bottomrule\n\\end{tabular}\n");
        out
    }
}
