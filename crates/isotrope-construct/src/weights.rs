//! Tree weights of tables whose entries are polynomials in unknowns.

use isotrope_algebra::polynomial::Polynomial;
use isotrope_algebra::{Budget, OutOfBudget};

use isotrope_methods::trees::{TreeId, Trees};

/// One table for each colour of a family of trees; entries are unknowns, numbers, or any
/// polynomials in unknowns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymbolicTables {
    /// By colour: the matrix A of the stages. Empty where no tree has a child of the colour.
    pub matrices: Vec<Vec<Vec<Polynomial>>>,
    /// By colour: the weights b of the step.
    pub weights: Vec<Vec<Polynomial>>,
}

/// w(t) = b·φ(t) for every tree of the list, in its order.
///
/// ```
/// use isotrope_algebra::{Budget, polynomial::Polynomial};
/// use isotrope_construct::{SymbolicTables, tree_weights};
/// use isotrope_methods::trees::{Family, Trees};
/// let budget = &mut Budget::new(10_000);
/// let x = Polynomial::variable;
/// let one_stage = SymbolicTables { matrices: vec![vec![vec![x(0)]]], weights: vec![vec![x(1)]] };
/// let trees = Trees::up_to(&Family::runge_kutta(), 3, budget)?;
/// let weights = tree_weights(&trees, &one_stage, budget)?;
/// let text: Vec<String> = weights.iter().map(ToString::to_string).collect();
/// assert_eq!(text, ["x1", "x0*x1", "x0^2*x1", "x0^2*x1"]);
/// # Ok::<(), isotrope_algebra::OutOfBudget>(())
/// ```
pub fn tree_weights(
    trees: &Trees,
    tables: &SymbolicTables,
    budget: &mut Budget,
) -> Result<Vec<Polynomial>, OutOfBudget> {
    // A φ(t) of every tree, with the matrix of its own colour: what it brings to its parent.
    let mut branches: Vec<Vec<Polynomial>> = Vec::with_capacity(trees.len());
    let mut weights = Vec::with_capacity(trees.len());
    for tree in trees.ids() {
        let vector = stage_vector(trees, tree, tables, &branches, budget)?;
        let colour = trees.colour(tree);
        weights.push(dot(&tables.weights[colour], &vector, budget)?);
        let mut branch = Vec::with_capacity(vector.len());
        for row in &tables.matrices[colour] {
            branch.push(dot(row, &vector, budget)?);
        }
        branches.push(branch);
    }
    Ok(weights)
}

/// φ(t), the product of what the children bring; children stand before their parents.
fn stage_vector(
    trees: &Trees,
    tree: TreeId,
    tables: &SymbolicTables,
    branches: &[Vec<Polynomial>],
    budget: &mut Budget,
) -> Result<Vec<Polynomial>, OutOfBudget> {
    let stages = tables.weights[trees.colour(tree)].len();
    let mut product = vec![Polynomial::one(); stages];
    for child in trees.children(tree) {
        for (entry, factor) in product.iter_mut().zip(&branches[child.index()]) {
            *entry = entry.mul(factor, budget)?;
        }
    }
    Ok(product)
}

fn dot(x: &[Polynomial], y: &[Polynomial], budget: &mut Budget) -> Result<Polynomial, OutOfBudget> {
    let mut sum = Polynomial::zero();
    for (x, y) in x.iter().zip(y) {
        sum = sum.add(&x.mul(y, budget)?, budget)?;
    }
    Ok(sum)
}
