//! Density, symmetry, and the number of monotone labellings.

use isotrope_algebra::Rational;

use super::count::{integer, quotient};
use super::generate::{TreeId, Trees};

/// γ(t) = |t| ∏ γ(child).
pub(super) fn density<'g>(order: usize, children: impl Iterator<Item = &'g Rational>) -> Rational {
    children.fold(integer(order), |product, gamma| &product * gamma)
}

/// σ(t) = ∏ m! σ(child)ᵐ; the children ascend, so equal ones are neighbours and the k-th of
/// them contributes k σ(child).
pub(super) fn symmetry<'s>(
    children: &[TreeId],
    sigma: impl Fn(TreeId) -> &'s Rational,
) -> Rational {
    let mut product = Rational::ONE;
    let mut multiplicity = 0;
    let mut previous = None;
    for &child in children {
        multiplicity = if previous == Some(child) { multiplicity + 1 } else { 1 };
        previous = Some(child);
        product = &product * &(&integer(multiplicity) * sigma(child));
    }
    product
}

impl Trees {
    /// α(t) = |t|!/(γ(t) σ(t)): in how many ways the vertices can be numbered so that numbers
    /// grow away from the root. It is the number of times F(t) occurs in the derivative of
    /// order |t| of the solution.
    pub fn alpha(&self, tree: TreeId) -> Rational {
        let factorial =
            (2..=self.order(tree)).fold(Rational::ONE, |product, k| &product * &integer(k));
        quotient(&factorial, &(self.gamma(tree) * self.sigma(tree)))
    }
}
