//! Elementary differentials: F(t) = D^k f_root (F(child₁), …, F(child_k)).

use isotrope_algebra::print::latex_name;

use super::family::{Family, Rate};
use super::generate::{TreeId, Trees};
use super::name::Part;

impl Trees {
    /// The elementary differential as text: `f_qv(v, f)` is ∂²f/∂q∂v applied to v and f.
    ///
    /// Where a group is the rate of another, q' = v, the vertex q stands for the identity: the
    /// tree `q` is v itself and `q[v]` is f.
    pub fn differential(&self, tree: TreeId) -> String {
        self.compose(tree, |colour, children| self.family.differential(colour, children, false))
            .value
    }

    /// The elementary differential in LaTeX.
    pub fn differential_latex(&self, tree: TreeId) -> String {
        self.compose(tree, |colour, children| self.family.differential(colour, children, true))
            .value
    }
}

impl Family {
    fn differential(&self, colour: usize, children: &[&Part<String>], latex: bool) -> String {
        let name = |colour: usize| {
            let name = &self.colours[colour].name;
            if latex { latex_name(name) } else { name.clone() }
        };
        let between = if self.has_short_names() { "" } else { "," };
        let by: Vec<String> = children.iter().map(|child| name(child.colour)).collect();
        let by = by.join(between);
        let arguments: Vec<&str> = children.iter().map(|child| child.value.as_str()).collect();
        let function = match &self.colours[colour].rate {
            Rate::Identity => {
                // x' = y: without a child the value of y, with one the rate of that child.
                return match (arguments.first(), self.dependencies(colour).first()) {
                    (Some(only), _) => (*only).to_owned(),
                    (None, Some(child)) => name(child.colour),
                    (None, None) => "0".to_owned(),
                };
            }
            Rate::Primes(symbol) => match children.len() {
                few @ 0..=3 => format!("{}{}", symbol.text, "'".repeat(few)),
                many if latex => format!("{}^{{({many})}}", symbol.latex),
                many => format!("{}^({many})", symbol.text),
            },
            Rate::Subscripts(symbol) | Rate::Comma(symbol) if children.is_empty() => {
                if latex {
                    symbol.latex.clone()
                } else {
                    symbol.text.clone()
                }
            }
            Rate::Subscripts(symbol) if latex => format!("{}_{{{by}}}", symbol.latex),
            Rate::Subscripts(symbol) => format!("{}_{by}", symbol.text),
            Rate::Comma(_) if latex => format!("f_{{{},{by}}}", name(colour)),
            Rate::Comma(symbol) => format!("{},{by}", symbol.text),
        };
        if arguments.is_empty() {
            function
        } else {
            format!("{function}({})", arguments.join(", "))
        }
    }
}
