//! Conditions as text.

use isotrope_algebra::Rational;

use crate::trees::{TreeId, Trees};

use super::{Condition, Forest};

/// How monomials are written.
#[derive(Clone, Copy)]
struct Notation {
    times: &'static str,
    latex: bool,
}

const TEXT: Notation = Notation { times: "*", latex: false };
const LATEX: Notation = Notation { times: "\\,", latex: true };

impl Condition {
    /// The condition solved for its first monomial: `w(q)^2 = 2*w(q[v])`.
    pub fn text(&self, trees: &Trees) -> String {
        self.write(trees, TEXT)
    }

    /// The same in LaTeX, without dollar signs.
    pub fn latex(&self, trees: &Trees) -> String {
        self.write(trees, LATEX)
    }

    fn write(&self, trees: &Trees, notation: Notation) -> String {
        let Some(((first, _), rest)) = self.terms.split_first() else { return "0 = 0".to_owned() };
        let mut right = String::new();
        for (forest, coefficient) in rest {
            let coefficient = -coefficient;
            let sign = match (coefficient.is_negative(), right.is_empty()) {
                (true, true) => "-",
                (true, false) => " - ",
                (false, true) => "",
                (false, false) => " + ",
            };
            right.push_str(sign);
            right.push_str(&term(trees, forest, &coefficient.abs(), notation));
        }
        if right.is_empty() {
            right.push('0');
        }
        format!("{} = {right}", term(trees, first, &Rational::from(1), notation))
    }
}

impl Forest {
    /// The product of weights, `w(q)^2*w(v[q])`; `1` if it is empty.
    pub fn text(&self, trees: &Trees) -> String {
        term(trees, self, &Rational::from(1), TEXT)
    }
}

fn term(trees: &Trees, forest: &Forest, coefficient: &Rational, notation: Notation) -> String {
    let name = |tree: &TreeId| match notation.latex {
        true => trees.name_latex(*tree),
        false => trees.name(*tree),
    };
    let mut names: Vec<String> = forest.trees().iter().map(name).collect();
    names.sort();
    let mut factors: Vec<String> = Vec::new();
    if !coefficient.is_one() || names.is_empty() {
        factors.push(number(coefficient, notation));
    }
    for run in names.chunk_by(|a, b| a == b) {
        let Some(name) = run.first() else { continue };
        let power = match (run.len(), notation.latex) {
            (1, _) => String::new(),
            (n, false) => format!("^{n}"),
            (n, true) => format!("^{{{n}}}"),
        };
        factors.push(format!("w({name}){power}"));
    }
    factors.join(notation.times)
}

fn number(value: &Rational, notation: Notation) -> String {
    if notation.latex && !value.is_integer() {
        return format!("\\tfrac{{{}}}{{{}}}", value.numerator(), value.denominator());
    }
    value.to_string()
}
