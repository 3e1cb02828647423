//! Trees for the LaTeX package `forest`.

use isotrope_algebra::print::latex_name;

use super::family::Family;
use super::generate::{TreeId, Trees};
use super::name::Part;

/// How vertices of the first colours are filled; more colours begin again.
const FILLS: [&str; 6] = ["white", "black!20", "black", "black!45", "black!8", "black!70"];

impl Family {
    /// The styles `vertex0`, `vertex1`, … that [`Trees::forest`] uses, one for each colour, for
    /// the preamble of a document that loads `forest`. Trees grow upwards from their root.
    pub fn forest_styles(&self) -> String {
        let mut text = String::from(
            "\\forestset{\n  rooted tree/.style={for tree={grow'=90, circle, draw, \
             inner sep=1pt, minimum size=11pt, font=\\scriptsize,\n    \
             s sep=3pt, l=0pt, l sep=7pt}, baseline},\n",
        );
        for number in 0..self.colours.len() {
            let fill = FILLS[number % FILLS.len()];
            let ink = if matches!(fill, "black" | "black!70") { ", text=white" } else { "" };
            text.push_str(&format!("  vertex{number}/.style={{fill={fill}{ink}}},\n"));
        }
        text.push_str("}\n");
        text
    }
}

impl Trees {
    /// The name in LaTeX, for math mode: `v[q[v]v]`.
    pub fn name_latex(&self, tree: TreeId) -> String {
        let between = if self.family.has_short_names() { "" } else { "," };
        self.compose(tree, |colour, children: &[&Part<String>]| {
            let label = latex_name(&self.family.colours[colour].name);
            let names: Vec<&str> = children.iter().map(|child| child.value.as_str()).collect();
            if names.is_empty() { label } else { format!("{label}[{}]", names.join(between)) }
        })
        .value
    }

    /// The tree in the bracket notation of `forest`, each vertex with its colour as label and
    /// with the style of its colour ([`Family::forest_styles`]): `[$v$,vertex1[$q$,vertex0]]`.
    pub fn forest(&self, tree: TreeId) -> String {
        self.compose(tree, |colour, children: &[&Part<String>]| {
            let inside: String = children.iter().map(|child| child.value.as_str()).collect();
            let label = latex_name(&self.family.colours[colour].name);
            format!("[{{${label}$}},vertex{colour}{inside}]")
        })
        .value
    }
}
