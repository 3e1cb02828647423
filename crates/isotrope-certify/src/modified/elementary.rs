//! Elementary Hamiltonians: the modified Hamiltonian of a method, whatever the system.

use isotrope_algebra::number::field::FieldElement;
use isotrope_algebra::{Budget, OrInternal, OutOfBudget, Rational};

use super::field::VELOCITY;
use isotrope_methods::table::Table;
use isotrope_methods::trees::{TreeId, Trees};

/// A term κ H(t) of the modified Hamiltonian, with h^(|t|-1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ElementaryHamiltonian {
    /// The tree; H(t) is the derivative of H (or of the potential) in the directions of the
    /// differentials of its branches.
    pub tree: TreeId,
    /// κ.
    pub coefficient: FieldElement,
}

/// The terms of the modified Hamiltonian of a symplectic method, without those that are zero.
///
/// Of all vertices that the trees of one shape can have as root, one is chosen: that with the most
/// branches. Trees whose vertices have one colour are those of y' = J⁻¹H'(y); with the colours q, v
/// they are those of H = pᵀM⁻¹p/2 + U(q), and roots are vertices v. A tree whose two halves are
/// equal has H(t) = −H(t) = 0.
pub fn elementary_hamiltonians(
    table: &Table,
    trees: &Trees,
    beta: &[FieldElement],
    order: usize,
    budget: &mut Budget,
) -> Result<Vec<ElementaryHamiltonian>, OutOfBudget> {
    let colour = (trees.family().colours().len() - 1).min(VELOCITY);
    let mut terms = Vec::new();
    for size in 1..=order {
        for tree in trees.of_order_and_colour(size, colour) {
            if colour == VELOCITY && !alternates(trees, tree) {
                continue;
            }
            let around = trees.rerooted(tree);
            budget.spend(around.len() as u64, "looking for elementary Hamiltonians")?;
            let roots = around.iter().filter(|other| trees.colour(other.tree) == colour);
            let chosen = roots
                .clone()
                .map(|other| other.tree)
                .min_by_key(|&other| (usize::MAX - trees.children(other).len(), other));
            if chosen != Some(tree) {
                continue;
            }
            let same: Vec<usize> =
                roots.filter(|other| other.tree == tree).map(|other| other.distance).collect();
            if same.iter().any(|distance| distance % 2 == 1) {
                continue;
            }
            let symmetries = trees.sigma(tree) * &Rational::integer(same.len() as i64);
            let share = symmetries.recip().or_noticed("symmetries are counted from one");
            let coefficient = table.field.scale(&beta[tree.index()], &share);
            if !coefficient.is_zero() {
                terms.push(ElementaryHamiltonian { tree, coefficient });
            }
        }
    }
    Ok(terms)
}

/// Do neighbours have different colours?
pub(super) fn alternates(trees: &Trees, tree: TreeId) -> bool {
    let mut open = vec![tree];
    while let Some(vertex) = open.pop() {
        for &child in trees.children(vertex) {
            if trees.colour(child) == trees.colour(vertex) {
                return false;
            }
            open.push(child);
        }
    }
    true
}
