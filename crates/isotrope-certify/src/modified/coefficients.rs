//! From the weights of a method to those of its modified field.

use isotrope_algebra::{Budget, OrInternal, OutOfBudget, Rational};

use crate::ElementaryWeights;
use isotrope_methods::Stages;
use isotrope_methods::trees::Trees;

const DOING: &str = "computing the coefficients of the modified equation";

/// β(t) of every tree of the list, in its order.
///
/// Along the field Σ h^(|t|-1) β(t)/σ(t) F(t), the derivative of a series with coefficients c has
/// the coefficients (∂c)(t) = Σ c(rest) β(branch), a sum over the edges of t at which it is cut,
/// and one more term c(∅) β(t). So the flow for the time h, Taylor's series of these derivatives,
/// is the method when
///
/// ```text
/// w(t) = Σ_j 1/j! (∂^(j-1) β)(t),
/// ```
///
/// which gives β(t) from smaller trees: the term j = 1 is β(t) itself, and a cut leaves less.
/// (Hairer, Lubich, Wanner, IX.9.1. Colours change nothing: a tree that a family does not have
/// stands for a derivative that is zero, and pieces of a tree that it has are trees that it has.)
///
/// ```
/// use isotrope_algebra::Budget;
/// use isotrope_methods::{table::catalogue, trees::{Family, Trees}};
/// use isotrope_certify::modified::modified_coefficients;
/// let budget = &mut Budget::new(100_000);
/// let euler = catalogue("euler", budget).unwrap().unwrap();
/// let trees = Trees::up_to(&Family::runge_kutta(), 3, budget).unwrap();
/// let beta = modified_coefficients(&euler, &trees, budget).unwrap();
/// let beta: Vec<String> = beta.iter().map(|x| x.as_rational().unwrap().to_string()).collect();
/// assert_eq!(beta, ["1", "-1/2", "1/6", "1/3"]);
/// ```
pub fn modified_coefficients<S: Stages>(
    stages: &S,
    trees: &Trees,
    budget: &mut Budget,
) -> Result<Vec<S::Scalar>, OutOfBudget> {
    let mut weights = ElementaryWeights::new(stages, trees);
    let mut beta: Vec<S::Scalar> = Vec::with_capacity(trees.len());
    // (∂^(j-1) β)(t) at [t][j - 1], for j up to |t|: beyond it nothing is left to cut.
    let mut derivatives: Vec<Vec<S::Scalar>> = Vec::with_capacity(trees.len());
    for tree in trees.ids() {
        let cuts = trees.cuts(tree);
        let order = trees.order(tree);
        budget.spend((order * (1 + cuts.len())) as u64, DOING)?;
        let mut value = weights.weight(tree);
        let mut own = vec![stages.zero()];
        let mut factorial = Rational::ONE;
        for j in 2..=order {
            let mut sum = stages.zero();
            for cut in &cuts {
                if let Some(inner) = derivatives[cut.rest.index()].get(j - 2) {
                    sum = stages.add(&sum, &stages.mul(inner, &beta[cut.branch.index()]));
                }
            }
            factorial = factorial * Rational::new(1, j as i64).or_noticed("j begins with two");
            value = stages.sub(&value, &stages.mul(&stages.scalar(&factorial), &sum));
            own.push(sum);
        }
        if let Some(first) = own.first_mut() {
            first.clone_from(&value);
        }
        beta.push(value);
        derivatives.push(own);
    }
    Ok(beta)
}
