//! The conditions as a complete LaTeX document.

use isotrope_methods::classes::Condition;
use isotrope_methods::trees::Trees;

use super::text::{presupposed, sureness};
use isotrope_construct::Listing;

const PREAMBLE: &str = r"\documentclass[10pt]{article}
\usepackage[a4paper,margin=20mm]{geometry}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{amsmath,amssymb}
\setlength{\parindent}{0pt}
\setlength{\parskip}{4pt}
\raggedright
";

/// A document with one section for each power of h.
pub fn to_latex(listing: &Listing) -> String {
    let found = &listing.conditions;
    let sure = sureness(listing).replace("2^61", "$2^{61}$");
    let bits = found.failure_bits();
    let sure = sure.replace(&format!("2^-{bits}"), &format!("$2^{{-{bits}}}$"));
    let title = format!("Conditions of the class {}: {}", found.class(), listing.part);
    document(&title, found.trees(), &listing.powers, &sure)
}

/// A document with one section for each power of h, and a last word.
pub(super) fn document(
    title: &str,
    trees: &Trees,
    powers: &[(usize, Vec<Condition>)],
    sure: &str,
) -> String {
    let mut out = String::from(PREAMBLE);
    out.push_str("\\begin{document}\n");
    out.push_str(&format!("\\section*{{{title}}}\n"));
    for (at, (known, conditions)) in powers.iter().enumerate() {
        out.push_str(&format!(
            "\n\\subsection*{{$h^{{{}}}$, {}: {}}}\n",
            at + 1,
            presupposed(*known),
            conditions.len()
        ));
        // Formulas in the running text break where they are too long for a line.
        for condition in conditions {
            out.push_str(&format!("${}$\n\n", condition.latex(trees)));
        }
    }
    out.push_str(&format!("\n{sure}\\end{{document}}\n"));
    out
}
