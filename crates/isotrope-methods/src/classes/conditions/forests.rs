//! Monomials in tree weights.

use std::cmp::Reverse;

use isotrope_algebra::{OrInternal, Rational};

use crate::trees::{TreeId, Trees};

use super::{MOMENTUM, POSITION, STATE_COLOURS, Structure};

/// A product of tree weights w(t₁)⋯w(t_r): the trees ascending, with repetition. The empty
/// product is 1.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Forest(pub(super) Vec<TreeId>);

impl Forest {
    /// The product of the weights of some trees.
    pub fn new(mut trees: Vec<TreeId>) -> Self {
        trees.sort_unstable();
        Self(trees)
    }

    /// The trees, ascending, with repetition.
    pub fn trees(&self) -> &[TreeId] {
        &self.0
    }

    /// Number of vertices of all trees together.
    pub fn order(&self, trees: &Trees) -> usize {
        self.0.iter().map(|&tree| trees.order(tree)).sum()
    }

    /// ∏ σ(t) ∏ m!, m the multiplicities: what the expansion of an exponential divides by.
    pub fn symmetry(&self, trees: &Trees) -> Rational {
        let mut result = Rational::from(1);
        let mut run = 0i64;
        let mut last = None;
        for &tree in &self.0 {
            run = if last == Some(tree) { run + 1 } else { 1 };
            last = Some(tree);
            result = &(&result * trees.sigma(tree)) * &Rational::from(run);
        }
        result
    }
}

/// The monomials that the defect of a structure at h^`order` can contain.
///
/// ψ is affine in p⁺, and the rest depends on q⁺ and v⁺: products of q- and v-trees, and single
/// p-trees. The 2-form is bilinear in q⁺ and p⁺: one q-tree, one p-tree, or one of each.
pub(super) fn forests(trees: &Trees, structure: Structure, order: usize) -> Vec<Forest> {
    let mut list = match structure {
        Structure::Submanifold => state_forests(trees, order),
        Structure::Form => form_forests(trees, order),
    };
    list.extend(trees.of_order_and_colour(order, MOMENTUM).map(|tree| Forest(vec![tree])));
    let mut keyed: Vec<_> = list.into_iter().map(|f| (column_key(trees, &f), f)).collect();
    keyed.sort();
    keyed.into_iter().map(|(_, forest)| forest).collect()
}

/// Multisets of q- and v-trees of a total order, each built by its largest tree.
fn state_forests(trees: &Trees, order: usize) -> Vec<Forest> {
    let mut by_order: Vec<Vec<Forest>> = vec![vec![Forest(Vec::new())]];
    for total in 1..=order {
        let mut list = Vec::new();
        for size in 1..=total {
            for colour in STATE_COLOURS {
                for tree in trees.of_order_and_colour(size, colour) {
                    for forest in &by_order[total - size] {
                        if forest.0.last().is_none_or(|&last| last <= tree) {
                            let mut larger = forest.clone();
                            larger.0.push(tree);
                            list.push(larger);
                        }
                    }
                }
            }
        }
        by_order.push(list);
    }
    by_order.pop().or_noticed("forests begin with order zero")
}

fn form_forests(trees: &Trees, order: usize) -> Vec<Forest> {
    let mut list: Vec<Forest> =
        trees.of_order_and_colour(order, POSITION).map(|tree| Forest(vec![tree])).collect();
    for size in 1..order {
        for position in trees.of_order_and_colour(size, POSITION) {
            for momentum in trees.of_order_and_colour(order - size, MOMENTUM) {
                list.push(Forest::new(vec![position, momentum]));
            }
        }
    }
    list
}

/// Where a monomial stands in a condition: high orders first, then products of many trees, then
/// by name. Row reduction solves for the first monomial, so products are expressed by single
/// trees and weights of p by those of v.
pub fn column_key(trees: &Trees, forest: &Forest) -> (Reverse<usize>, Reverse<usize>, Vec<String>) {
    let mut names: Vec<String> = forest.0.iter().map(|&tree| trees.name(tree)).collect();
    names.sort();
    (Reverse(forest.order(trees)), Reverse(forest.0.len()), names)
}

#[cfg(test)]
mod tests {
    use isotrope_algebra::Budget;

    use super::*;
    use crate::trees::Family;

    #[test]
    fn monomials_are_counted_by_the_generating_function() {
        // ∏ (1 - x^n)^-(q_n + v_n) with q + v = 2, 3, 8, 24, and one more for every p-tree.
        let trees = Trees::up_to(&Family::qvp(), 4, &mut Budget::new(100_000)).unwrap();
        let count = |j| forests(&trees, Structure::Submanifold, j).len();
        assert_eq!([count(1), count(2), count(3), count(4)], [2 + 1, 6 + 2, 18 + 6, 60 + 18]);
    }
}
