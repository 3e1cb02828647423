//! Free directions: single coefficients whose value does not matter for what is certified.

use isotrope_algebra::Budget;
use isotrope_algebra::modular::Random;

use super::certificate::Certificate;
use super::exactness::exactness;
use super::order::order_by_trees;
use super::structure::structure_orders;
use super::symmetry::is_symmetric;
use super::table::CertifyError;
use isotrope_methods::PrimeTable;
use isotrope_methods::classes::Scalars as _;
use isotrope_methods::table::{Entry, Table};
use isotrope_methods::trees::{Family, Trees};

/// Conditions up to this order are checked on the changed tables. A table that satisfies them
/// all is compared class by class as well, so a change that passes here is still seen there.
const CHECKED: usize = 6;

/// Changed tables that are expanded on random problems, times the number of stages: an expansion
/// costs more with more stages. No method of the registry needs as many.
const COMPARISONS: usize = 1200;

/// What was found.
pub(super) struct Free {
    pub entries: Vec<Entry>,
    pub complete: bool,
}

/// Coefficients with which a random other value gives the same order, structure and form
/// orders, energy order and symmetry. The random value is one of a field of about 2⁶⁰: a
/// condition that does not hold for all values fails with all but a probability of about 2⁻⁵⁵.
///
/// Where `abar`, `bbar`, `btil` are equal to `a` and `b`, as they are in a table file that does
/// not mention them, a change of `a` or `b` changes them as well; entries of their own are changed
/// alone.
pub(super) fn free_directions(
    table: &Table,
    image: &PrimeTable,
    known: &Certificate,
    random: &mut Random,
    budget: &mut Budget,
) -> Result<Free, CertifyError> {
    let mut free = Free { entries: Vec::new(), complete: true };
    // A method that is not consistent has nothing to keep.
    let Some(order) = known.order.filter(|&order| order > 0) else { return Ok(free) };
    let trees = Trees::up_to(&Family::qvp(), order.min(CHECKED), budget)?;
    let mut compared = 0;
    for entry in table.entries() {
        let changed = with_random_entry(table, image, entry, random);
        let reached = order_by_trees(&changed, &trees, trees.max_order());
        if reached < trees.max_order() || known.symmetric != is_symmetric(&changed) {
            continue;
        }
        compared += 1;
        if compared * table.stages > COMPARISONS {
            free.complete = false;
            break;
        }
        let other = structure_orders(&changed, exactness(&changed), order, random)?;
        if other.classes == known.classes && Some(other.energy) == known.energy {
            free.entries.push(entry);
        }
    }
    Ok(free)
}

/// The table with a random number at one place, and at those that follow it.
fn with_random_entry(
    table: &Table,
    image: &PrimeTable,
    entry: Entry,
    random: &mut Random,
) -> PrimeTable {
    let mut changed = image.clone();
    let value = changed.field.random(random);
    let coefficients = &mut changed.coefficients;
    match entry {
        Entry::A { row, column } => {
            coefficients.a[row][column] = value;
            if table.abar == table.a {
                coefficients.abar[row][column] = value;
            }
        }
        Entry::Abar { row, column } => coefficients.abar[row][column] = value,
        Entry::B(i) => {
            coefficients.b[i] = value;
            if table.bbar == table.b {
                coefficients.bbar[i] = value;
            }
            if table.btil == table.b {
                coefficients.btil[i] = value;
            }
        }
        Entry::Bbar(i) => coefficients.bbar[i] = value,
        Entry::Btil(i) => coefficients.btil[i] = value,
    }
    changed
}
