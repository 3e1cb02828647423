//! The conditions as a complete LaTeX document.

use super::Listing;
use super::text::{presupposed, sureness};

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
    let mut out = String::from(PREAMBLE);
    out.push_str("\\begin{document}\n");
    out.push_str(&format!(
        "\\section*{{Conditions of the class {}: {}}}\n",
        found.class(),
        listing.part
    ));
    for (at, (known, conditions)) in listing.powers.iter().enumerate() {
        out.push_str(&format!(
            "\n\\subsection*{{$h^{{{}}}$, {}: {}}}\n",
            at + 1,
            presupposed(*known),
            conditions.len()
        ));
        if conditions.is_empty() {
            continue;
        }
        // Formulas in the running text break where they are too long for a line.
        for condition in conditions {
            out.push_str(&format!("${}$\n\n", condition.latex(found.trees())));
        }
    }
    let sure = sureness(listing).replace("2^61", "$2^{61}$");
    let bits = found.failure_bits();
    let sure = sure.replace(&format!("2^-{bits}"), &format!("$2^{{-{bits}}}$"));
    out.push_str(&format!("\n{sure}\\end{{document}}\n"));
    out
}
