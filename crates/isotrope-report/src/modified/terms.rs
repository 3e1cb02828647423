//! Sums over trees: the modified equation and the modified Hamiltonian of a method.

use isotrope_algebra::number::field::FieldElement;
use isotrope_algebra::print::Format;
use isotrope_methods::trees::TreeId;

use super::number;
use crate::is_sum;
use isotrope_study::modified::Modified;

/// A sum over trees with the same power of h.
type Terms = Vec<(FieldElement, String)>;

/// What is known of a method, written in a format.
pub(super) struct Written<'a>(pub &'a Modified, pub Format);

impl Written<'_> {
    /// The rate of a group by powers of h, each a sum over trees, written in a format; `None` where
    /// the sum is empty.
    pub(super) fn rate(&self, colour: usize) -> Vec<Option<String>> {
        let powers = (1..=self.0.order).map(|order| {
            let trees = self.0.trees.of_order_and_colour(order, colour);
            let terms: Terms = trees
                .filter(|tree| !self.0.beta[tree.index()].is_zero())
                .map(|tree| (self.over_sigma(tree), self.differential(tree)))
                .collect();
            self.sum(&terms)
        });
        powers.collect()
    }

    /// The modified Hamiltonian by powers of h, if the method is symplectic.
    pub(super) fn hamiltonian_by_trees(&self) -> Option<Vec<Option<String>>> {
        let known = self.0.hamiltonian.as_ref()?;
        let powers = (1..=self.0.order).map(|order| {
            let terms: Terms = known
                .iter()
                .filter(|term| self.0.trees.order(term.tree) == order)
                .map(|term| (term.coefficient.clone(), self.elementary(term.tree)))
                .collect();
            self.sum(&terms)
        });
        Some(powers.collect())
    }

    /// β(t)/σ(t).
    fn over_sigma(&self, tree: TreeId) -> FieldElement {
        let share = self.0.trees.inverse_sigma(tree);
        let coefficients = self.0.beta[tree.index()].coefficients();
        let scaled: Vec<_> = coefficients.iter().map(|part| part * &share).collect();
        self.0.numbers.field().element(scaled)
    }

    fn differential(&self, tree: TreeId) -> String {
        match self.1 {
            Format::Latex => self.0.trees.differential_latex(tree),
            _ => self.0.trees.differential(tree),
        }
    }

    /// H(t): the derivative of H, or of U where forces have a potential, in the directions of the
    /// differentials of the branches.
    fn elementary(&self, tree: TreeId) -> String {
        let mut branches: Vec<(String, TreeId)> =
            self.0.trees.children(tree).iter().map(|&t| (self.0.trees.name(t), t)).collect();
        branches.sort();
        let latex = self.1 == Format::Latex;
        let count = branches.len();
        let one_colour = self.0.trees.family().colours().len() == 1;
        let function = match (one_colour, count) {
            (_, 0) => return "H".to_owned(),
            (true, 1..=3) => format!("H{}", "'".repeat(count)),
            (true, _) if latex => format!("H^{{({count})}}"),
            (true, _) => format!("H^({count})"),
            (false, _) if latex => format!("U_{{{}}}", "q".repeat(count)),
            (false, _) => format!("U_{}", "q".repeat(count)),
        };
        let arguments: Vec<String> =
            branches.iter().map(|(_, branch)| self.differential(*branch)).collect();
        format!("{function}({})", arguments.join(", "))
    }

    fn sum(&self, terms: &Terms) -> Option<String> {
        let mut out = String::new();
        for (coefficient, name) in terms {
            let number = number(self.0, coefficient, self.1);
            let (negative, size) = match number.strip_prefix('-') {
                Some(size) if !is_sum(&number) => (true, size.to_owned()),
                _ => (false, number),
            };
            out.push_str(match (out.is_empty(), negative) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            });
            let times = if self.1 == Format::Latex { r"\," } else { "*" };
            match size.as_str() {
                "1" => out.push_str(name),
                _ if is_sum(&size) => out.push_str(&format!("({size}){times}{name}")),
                _ => out.push_str(&format!("{size}{times}{name}")),
            }
        }
        (!out.is_empty()).then_some(out)
    }
}
