//! Questions that a theorem decides.

use isotrope_algebra::{Budget, OutOfBudget};
use isotrope_methods::classes::Class;
use isotrope_methods::table::Table;

use super::construction::Question;
use super::solution::GroupTables;

/// The only answer, and the theorem that says so.
pub(super) struct Decided {
    /// The tables of the method.
    pub tables: GroupTables,
    /// The theorem, with where it comes from.
    pub theorem: &'static str,
}

const GAUSS: &str = "order 2s with one table and s stages: the bushy trees ask for the simplifying assumption B(2s), so that \
                     nodes and weights are those of Gauss; with b_i != 0 the conditions sum_i b_i c_i^(l-1) (sum_j a_ij c_j^(k-1) \
                     - c_i^k/k) = 0, k, l <= s, ask for C(s), and D(s) follows (J. C. Butcher 1964)";

/// Gauss collocation: the only method with one table, s stages and order 2s on systems that have all trees.
pub(super) fn decided(
    question: &Question,
    budget: &mut Budget,
) -> Result<Option<Decided>, OutOfBudget> {
    let unknowns = &question.unknowns;
    let stages = unknowns.stages();
    let all_trees = match question.class {
        Some(class) => class == Class::Generic,
        None => false,
    };
    if !all_trees || question.order != 2 * stages || !unknowns.is_one_free_table() {
        return Ok(None);
    }
    let pointwise = |table: Table, budget: &mut Budget| table.to_pointwise(budget).ok();
    let Some(table) = Table::gauss(stages).ok().and_then(|table| pointwise(table, budget)) else {
        return Ok(None);
    };
    let colours = unknowns.family().colours().len();
    let used = &unknowns.tables().matrices;
    let matrices = used.iter().map(|matrix| match matrix.is_empty() {
        true => Vec::new(),
        false => table.a.clone(),
    });
    let tables = GroupTables {
        field: table.field.clone(),
        matrices: matrices.collect(),
        weights: vec![table.b.clone(); colours],
    };
    Ok(Some(Decided { tables, theorem: GAUSS }))
}
