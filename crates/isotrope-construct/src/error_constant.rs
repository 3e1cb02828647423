//! The size of the leading error of a method.

use isotrope_algebra::polynomial::Polynomial;
use isotrope_algebra::{Budget, OutOfBudget, Rational};

use super::weights::{SymbolicTables, tree_weights};
use isotrope_certify::ElementaryWeights;
use isotrope_methods::table::{Table, TableProblem};
use isotrope_methods::trees::{Family, TreeId, Trees};

/// The norm √Σ ((w(t) − 1/γ(t))/σ(t))² over the trees of one order.
#[derive(Debug, Clone, PartialEq)]
pub struct ErrorConstant {
    /// The square of the norm, where it is rational.
    pub square: Option<Rational>,
    /// The norm.
    pub norm: f64,
}

/// The principal error norm of a table of order `order`: over the (q,v,p) trees with one vertex
/// more.
///
/// ```
/// use isotrope_algebra::{Budget, Rational};
/// use isotrope_construct::error_constant;
/// use isotrope_methods::table::Table;
/// let budget = &mut Budget::new(1_000_000);
/// let euler = Table::from_text("euler", &[&["0"]], &["1"], budget)?;
/// // q[v], v[q], v[v], p[q], p[v], each 0 - 1/2.
/// assert_eq!(error_constant(&euler, 1, budget)?.square, Rational::new(5, 4));
/// # Ok::<(), isotrope_methods::table::TableProblem>(())
/// ```
pub fn error_constant(
    table: &Table,
    order: usize,
    budget: &mut Budget,
) -> Result<ErrorConstant, TableProblem> {
    let trees = Trees::up_to(&Family::qvp(), order + 1, budget)?;
    error_constant_on(table, &trees, order + 1)
}

/// The norm over the listed trees with this many vertices; of the one-colour family, it is the
/// norm of the method with the table of the positions.
pub fn error_constant_on(
    table: &Table,
    trees: &Trees,
    vertices: usize,
) -> Result<ErrorConstant, TableProblem> {
    let field = &table.field;
    let mut weights = ElementaryWeights::new(table, trees);
    let mut square = field.rational(Rational::ZERO);
    for tree in trees.of_order(vertices) {
        let wanted = field.rational(trees.inverse_gamma(tree));
        let symmetries = trees.inverse_sigma(tree);
        let error = field.scale(&field.sub(&weights.weight(tree), &wanted), &symmetries);
        square = field.add(&square, &field.mul(&error, &error));
    }
    let norm = field.to_f64(&square)?.sqrt();
    Ok(ErrorConstant { square: square.as_rational().cloned(), norm })
}

/// (w(t) − 1/γ(t))/σ(t) for some of the trees, in the unknowns of the tables: the sum of their
/// squares is the square of the norm.
pub fn error_residuals(
    trees: &Trees,
    tables: &SymbolicTables,
    some: impl Iterator<Item = TreeId>,
    budget: &mut Budget,
) -> Result<Vec<Polynomial>, OutOfBudget> {
    let weights = tree_weights(trees, tables, budget)?;
    some.map(|tree| {
        let wanted = Polynomial::constant(trees.inverse_gamma(tree));
        let symmetries = trees.inverse_sigma(tree);
        weights[tree.index()].sub(&wanted, budget)?.scale(&symmetries, budget)
    })
    .collect()
}
