//! The order of methods with a table for each group of variables: coloured trees, one colour for each group.

use isotrope_algebra::{Budget, OutOfBudget};
use isotrope_methods::table::GroupedTable;
use isotrope_methods::trees::{Family, Trees};

/// The order of a grouped method on the systems whose groups depend on each other as a family says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupedOrder {
    /// The order.
    pub order: usize,
    /// How many conditions hold through it.
    pub conditions: usize,
    /// The first tree whose condition fails; `None` where all that were looked at hold.
    pub first_failing: Option<String>,
    /// The sizes of the sets of stages that are solved together.
    pub systems: Vec<usize>,
}

/// Trees are looked at up to this order.
const MOST: usize = 10;
/// Trees beyond this number are not listed.
const TREES: usize = 20_000;

/// The order of a grouped method, exactly. `None` if the groups are not those of the family, or one of them has no
/// matrix where one is needed.
///
/// ```
/// use isotrope_algebra::Budget;
/// use isotrope_certify::grouped_order;
/// use isotrope_methods::table::{GroupedText, parse_grouped};
/// use isotrope_methods::trees::Family;
/// // Ruth's method of order 3: on T(p) + U(q) only.
/// let file = r#"
///     [groups.q]
///     variables = ["q"]
///     a = [["7/24", 0, 0], ["7/24", "3/4", 0], ["7/24", "3/4", "-1/24"]]
///     b = ["7/24", "3/4", "-1/24"]
///     [groups.p]
///     variables = ["p"]
///     a = [[0, 0, 0], ["2/3", 0, 0], ["2/3", "-2/3", 0]]
///     b = ["2/3", "-2/3", 1]
/// "#;
/// let table = parse_grouped(&GroupedText::new("ruth.toml", file.as_bytes())).unwrap().table;
/// let budget = &mut Budget::new(100_000_000);
/// let separable = Family::parse("q=p; p=q").unwrap();
/// assert_eq!(grouped_order(&table, &separable, budget).unwrap().unwrap().order, 3);
/// assert_eq!(grouped_order(&table, &table.general(), budget).unwrap().unwrap().order, 1);
/// ```
pub fn grouped_order(
    table: &GroupedTable,
    family: &Family,
    budget: &mut Budget,
) -> Result<Option<GroupedOrder>, OutOfBudget> {
    let Some(groups) = table.colours(family) else { return Ok(None) };
    let systems = table.systems(family, &groups);
    let (mut order, mut conditions) = (0, 0);
    while order < MOST {
        let trees = Trees::up_to(family, order + 1, budget)?;
        budget.spend(trees.len() as u64 * table.stages as u64, "evaluating tree conditions")?;
        let weights = table.weights(&trees, &groups);
        if let Some(tree) = table.first_failing(&trees, &weights) {
            let first_failing = Some(trees.name(tree));
            return Ok(Some(GroupedOrder { order, conditions, first_failing, systems }));
        }
        (order, conditions) = (order + 1, trees.len());
        if conditions > TREES {
            break;
        }
    }
    Ok(Some(GroupedOrder { order, conditions, first_failing: None, systems }))
}
