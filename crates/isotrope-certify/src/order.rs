//! The order of a table, by trees.

use isotrope_algebra::{Budget, OutOfBudget, Rational};

use isotrope_methods::classes::Class;
use isotrope_methods::stages::{Operator, Stages, Weights, unit_fraction};
use isotrope_methods::trees::{Family, TreeId, Trees};

/// Elementary weights of a table on the trees of one family, computed as they are asked for.
pub struct ElementaryWeights<'s, S: Stages> {
    stages: &'s S,
    trees: &'s Trees,
    /// A_x φ(t), x the colour of t: what t contributes to its parent.
    branches: Vec<Option<Vec<S::Scalar>>>,
}

/// Colours of the families whose vertices stand for groups of a table.
const POSITION: usize = 0;
const VELOCITY: usize = 1;

impl<'s, S: Stages> ElementaryWeights<'s, S> {
    /// For the trees of the (q,v,p) family; or of the one-colour family, whose only colour
    /// then takes the table of q.
    pub fn new(stages: &'s S, trees: &'s Trees) -> Self {
        Self { stages, trees, branches: vec![None; trees.len()] }
    }

    /// φ(t): the product of what the children contribute. Children have smaller numbers, so
    /// asking in ascending order never descends more than one level.
    pub(crate) fn vector(&mut self, tree: TreeId) -> Vec<S::Scalar> {
        let trees = self.trees;
        let mut product = self.stages.unit();
        for (position, &child) in trees.children(tree).iter().enumerate() {
            let branch = self.branch(child);
            product = if position == 0 { branch } else { self.stages.multiply(&product, &branch) };
        }
        product
    }

    fn branch(&mut self, tree: TreeId) -> Vec<S::Scalar> {
        // Depth is bounded by the order of the tree, a small number.
        if let Some(known) = &self.branches[tree.index()] {
            return known.clone();
        }
        let operator = match self.trees.colour(tree) {
            POSITION => Operator::Position,
            _ => Operator::Velocity,
        };
        let vector = self.vector(tree);
        let branch = self.stages.apply(operator, &vector);
        self.branches[tree.index()] = Some(branch.clone());
        branch
    }

    /// w(t).
    pub fn weight(&mut self, tree: TreeId) -> S::Scalar {
        let weights = match self.trees.colour(tree) {
            POSITION => Weights::Position,
            VELOCITY => Weights::Velocity,
            _ => Weights::Momentum,
        };
        let vector = self.vector(tree);
        self.stages.pair(weights, &vector)
    }

    /// Does w(t) = 1/γ(t) hold?
    pub fn condition_holds(&mut self, tree: TreeId) -> bool {
        let gamma = self.stages.scalar(self.trees.gamma(tree));
        let weight = self.weight(tree);
        self.stages.mul(&weight, &gamma) == self.stages.scalar(&Rational::ONE)
    }

    /// The first tree of this order whose condition fails.
    pub fn first_failure(&mut self, order: usize) -> Option<TreeId> {
        self.trees.of_order(order).find(|&tree| !self.condition_holds(tree))
    }
}

/// The largest n up to `limit` such that all conditions through order n hold.
pub fn order_by_trees<S: Stages>(stages: &S, trees: &Trees, limit: usize) -> usize {
    let mut weights = ElementaryWeights::new(stages, trees);
    (1..=limit).find(|&n| weights.first_failure(n).is_some()).map_or(limit, |n| n - 1)
}

/// Trees are listed up to this order.
const LISTED: usize = 9;

/// The order on the systems of a class, exactly: trees that they do not have ask for nothing. It is bounded by the orders
/// for which trees are listed.
pub fn order_on_class<S: Stages>(
    stages: &S,
    class: Class,
    budget: &mut Budget,
) -> Result<usize, OutOfBudget> {
    for order in 1..=LISTED {
        let trees = Trees::up_to(&Family::qvp(), order, budget)?;
        budget.spend((trees.len() * stages.dimension()) as u64, "evaluating tree conditions")?;
        let mut weights = ElementaryWeights::new(stages, &trees);
        let mut asked = trees.of_order(order).filter(|&tree| !class.lacks_tree(&trees, tree));
        if !asked.all(|tree| weights.condition_holds(tree)) {
            return Ok(order - 1);
        }
    }
    Ok(LISTED)
}

/// The condition of q\[v\[q…q\]\] with n vertices, b·abar·(a·1)ⁿ⁻² = 1/(n(n−1)), is the first of
/// its order; if it holds, that of v\[q…q\], bbar·(a·1)ⁿ⁻¹ = 1/n, is tried. The name of the one
/// that fails.
pub fn bushy_failure<S: Stages>(stages: &S, order: usize) -> Option<String> {
    let leaves = order.checked_sub(2)?;
    let c = stages.apply(Operator::Position, &stages.unit());
    let power = (0..leaves).fold(stages.unit(), |power, _| stages.multiply(&power, &c));
    let weight = stages.pair(Weights::Position, &stages.apply(Operator::Velocity, &power));
    let wanted = unit_fraction(order) * unit_fraction(order - 1);
    if weight != stages.scalar(&wanted) {
        return Some(format!("q[v[{}]]", "q".repeat(leaves)));
    }
    let weight = stages.pair(Weights::Velocity, &stages.multiply(&power, &c));
    let fails = weight != stages.scalar(&unit_fraction(order));
    fails.then(|| format!("v[{}]", "q".repeat(leaves + 1)))
}
