//! The list as a complete LaTeX document.

use isotrope_algebra::print::latex_name;
use isotrope_methods::trees::Trees;

use isotrope_methods::trees::Listing;

const PREAMBLE: &str = r"\documentclass[10pt]{article}
\usepackage[a4paper,landscape,margin=15mm]{geometry}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{amsmath,amssymb,array,longtable}
\usepackage{forest}
\setlength{\parindent}{0pt}
\setlength{\LTleft}{0pt}
\setlength{\LTright}{0pt plus 1fill}
\renewcommand{\arraystretch}{1.4}
";

/// A document with the counts and, order by order, the trees with their conditions.
pub fn to_latex(listing: &Listing) -> String {
    let mut out = String::from(PREAMBLE);
    out.push_str(&listing.family.forest_styles());
    let order = listing.counts.len();
    let natural = if listing.natural { ", natural" } else { "" };
    out.push_str(&format!(
        "\\begin{{document}}\n\\section*{{Trees of the family {}{natural} up to order {order}}}\n",
        listing.family.name()
    ));
    out.push_str(&counts(listing));
    if let Some(trees) = &listing.trees {
        for count in &listing.counts {
            out.push_str(&section(trees, count.order));
        }
    }
    out.push_str("\\end{document}\n");
    out
}

fn counts(listing: &Listing) -> String {
    let colours = listing.family.colours();
    let mut text = format!("\\begin{{longtable}}{{r{}rr}}\norder", "r".repeat(colours.len()));
    for colour in colours {
        text.push_str(&format!(" & ${}$", latex_name(colour.name())));
    }
    text.push_str(" & total & up to here \\\\\n\\hline\n\\endhead\n");
    for (count, sum) in listing.counts.iter().zip(&listing.cumulative) {
        text.push_str(&count.order.to_string());
        for number in &count.by_root {
            text.push_str(&format!(" & {number}"));
        }
        text.push_str(&format!(" & {} & {sum} \\\\\n", count.total));
    }
    text.push_str("\\end{longtable}\n");
    text
}

fn section(trees: &Trees, order: usize) -> String {
    if trees.of_order(order).len() == 0 {
        return String::new();
    }
    let mut text = format!(
        "\n\\subsection*{{Order {order}}}\n\
         \\begin{{longtable}}{{c>{{\\raggedright}}p{{38mm}}rrr>{{\\raggedright}}p{{88mm}}>{{\\raggedright\\arraybackslash}}p{{60mm}}}}\n\
         tree & name & $\\gamma$ & $\\sigma$ & $\\alpha$ & condition & differential \\\\\n\
         \\hline\n\\endhead\n"
    );
    for tree in trees.of_order(order) {
        text.push_str(&format!(
            "\\begin{{forest}} rooted tree {} \\end{{forest}} & ${}$ & {} & {} & {} & ${}$ & ${}$ \\\\\n",
            trees.forest(tree),
            trees.name_latex(tree),
            trees.gamma(tree),
            trees.sigma(tree),
            trees.alpha(tree),
            trees.condition_latex(tree),
            trees.differential_latex(tree),
        ));
    }
    text.push_str("\\end{longtable}\n");
    text
}
