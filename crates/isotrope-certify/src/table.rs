//! The certificate of a table.

use isotrope_algebra::modular::Random;
use isotrope_algebra::{Budget, OutOfBudget};

use super::certificate::{Certificate, Certified, DefectOrder, Evidence};
use super::cost::{Cost, cost};
use super::effective::reduced;
use super::exactness::{Exactness, exactness};
use super::free::free_directions;
use super::order::ElementaryWeights;
use super::simplifying::common_simplifying_assumptions;
use super::structure::{self, structure_orders};
use super::symmetry::is_symmetric;
use isotrope_methods::PrimeTable;
use isotrope_methods::classes::{Class, ClassError, Defect, Part, measure};
use isotrope_methods::stages::Stages;
use isotrope_methods::table::{Table, TableProblem};
use isotrope_methods::trees::{Family, Trees};

/// Why a table has no certificate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CertifyError {
    /// Its coefficients could not be computed with.
    #[error(transparent)]
    Table(#[from] TableProblem),
    /// Sampling failed.
    #[error(transparent)]
    Class(#[from] ClassError),
    /// All conditions that were listed hold, and no theorem bounds the order.
    #[error("the order is at least {checked}, and beyond what trees are listed for")]
    Beyond {
        /// Conditions through this order hold.
        checked: usize,
    },
    /// The budget ran out.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
}

/// Trees of all three groups are listed up to this order.
const GROUP_TREES: usize = 9;
/// Trees of one colour are listed up to this order.
const ORDINARY_TREES: usize = 12;
/// Collocation tables with at most this many stages are written out stage by stage.
const WRITTEN_OUT: usize = 3;
/// Primes that are tried before a table is given up.
const PRIMES: usize = 4;

/// The order of a table with its evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TableOrder {
    pub order: usize,
    pub evidence: Evidence,
    pub first_failing_tree: Option<String>,
}

/// Computes everything there is to know of a table.
pub fn certify(table: Table, budget: &mut Budget) -> Result<Certified<Table>, CertifyError> {
    let (mut certificate, image, mut random) = compute(&table, budget)?;
    let free = free_directions(&table, &image, &certificate, &mut random, budget)?;
    (certificate.free_directions, certificate.free_directions_complete) =
        (free.entries, free.complete);
    Ok(Certified::new(table, certificate))
}

/// The certificate of a table without its free directions, which cost as much again for each
/// coefficient.
pub fn properties(table: &Table, budget: &mut Budget) -> Result<Certificate, CertifyError> {
    Ok(compute(table, budget)?.0)
}

/// The order to which a table keeps some structure functions of a class, whatever it does to the others.
pub fn kept_parts(
    table: &Table,
    class: Class,
    parts: &[Part],
    budget: &mut Budget,
) -> Result<DefectOrder, CertifyError> {
    let mut random = Random::new(seed(table));
    let order = order(table, budget)?;
    let exact = kept_exactly(table, budget)?;
    let image = faithful_image(table, order, &mut random, budget)?;
    Ok(structure::kept_parts(&image, exact, order, (class, parts), &mut random)?)
}

/// The order of a table alone.
pub fn order(table: &Table, budget: &mut Budget) -> Result<usize, CertifyError> {
    Ok(table_order(table, is_symmetric(table) == Some(true), budget)?.order)
}

fn compute(
    table: &Table,
    budget: &mut Budget,
) -> Result<(Certificate, PrimeTable, Random), CertifyError> {
    let mut random = Random::new(seed(table));
    let symmetric = is_symmetric(table);
    let found = table_order(table, symmetric == Some(true), budget)?;
    let exact = kept_exactly(table, budget)?;
    let image = faithful_image(table, found.order, &mut random, budget)?;
    let structure = structure_orders(&image, exact, found.order, &mut random)?;
    let certificate = Certificate {
        order: Some(found.order),
        evidence: Some(found.evidence),
        first_failing_tree: found.first_failing_tree,
        classes: structure.classes,
        energy: Some(structure.energy),
        symmetric,
        cost: Some(table_cost(table, &image)),
        sampling: Some(structure.sampling),
        ..Certificate::default()
    };
    Ok((certificate, image, random))
}

/// The seed depends on the coefficients: the same table has the same certificate everywhere, and
/// no table is made for one prime.
fn seed(table: &Table) -> u64 {
    let mut state = 0x1507_4076_u64;
    let mut absorb = |byte: u8| {
        state = Random::new(state.rotate_left(9) ^ u64::from(byte)).next_u64();
    };
    let coefficients = table.coefficients();
    for (_, element) in coefficients.iter() {
        for number in element.coefficients() {
            number.to_string().bytes().for_each(&mut absorb);
            absorb(b',');
        }
        absorb(b';');
    }
    state
}

/// An image over a prime field on which a step has the local error that the exact order says: a
/// prime that divides the difference of the table and a better one would flatter it.
fn faithful_image(
    table: &Table,
    order: usize,
    random: &mut Random,
    budget: &mut Budget,
) -> Result<PrimeTable, CertifyError> {
    for _ in 0..PRIMES {
        let modular = table.modular(random, budget)?;
        let Some(image) = PrimeTable::new(&modular) else { continue };
        let (field, coefficients) = (&image.field, &image.coefficients);
        let defects = measure(field, coefficients, Class::Generic, order + 1, 1, random)?;
        if defects.solution == Defect::Order(order + 1) {
            return Ok(image);
        }
    }
    Err(TableProblem::NoPrime { tried: PRIMES as u64 }.into())
}

/// Exactly kept structures. What concerns single stages needs them written out, where the
/// field of all nodes is small enough.
pub fn kept_exactly(table: &Table, budget: &mut Budget) -> Result<Exactness, CertifyError> {
    if table.is_pointwise() || table.stages > WRITTEN_OUT {
        return Ok(exactness(table));
    }
    Ok(exactness(&table.to_pointwise(budget)?))
}

/// Zero entries of a collocation table are seen in a prime field: a nonzero residue proves an
/// entry nonzero, and a zero one is wrong with probability about 2⁻⁶⁰.
fn table_cost(table: &Table, image: &PrimeTable) -> Cost {
    if table.is_pointwise() {
        cost(&reduced(table), &table.zero())
    } else {
        cost(&reduced(image), &image.zero())
    }
}

/// The exact order, with the first condition that fails.
fn table_order(
    table: &Table,
    symmetric: bool,
    budget: &mut Budget,
) -> Result<TableOrder, CertifyError> {
    let limit = 2 * table.stages + 1;
    if let Some(simplifying) = common_simplifying_assumptions(table, limit) {
        // The conditions of bushy trees are B, so no order is higher.
        let order = simplifying.quadrature;
        if simplifying.guaranteed_order(symmetric) == order {
            let first_failing_tree = first_failing(table, order + 1, budget)?;
            let evidence = Evidence::Simplifying { assumptions: simplifying, symmetric };
            return Ok(TableOrder { order, evidence, first_failing_tree });
        }
    }
    if !table.is_one_table() {
        return grouped_order(table, budget);
    }
    let (order, conditions) = ordinary_order(table, budget)?;
    let first_failing_tree = first_failing(table, order + 1, budget)?;
    let evidence = Evidence::Trees { conditions };
    Ok(TableOrder { order, evidence, first_failing_tree })
}

/// With one table for all groups the conditions of a coloured tree are those of the tree
/// without colours, and every uncoloured tree occurs.
fn ordinary_order(table: &Table, budget: &mut Budget) -> Result<(usize, usize), CertifyError> {
    let mut conditions = 0;
    for order in 1..=ORDINARY_TREES {
        let trees = Trees::up_to(&Family::runge_kutta(), order, budget)?;
        let mut weights = ElementaryWeights::new(table, &trees);
        if weights.first_failure(order).is_some() {
            return Ok((order - 1, conditions));
        }
        conditions = trees.len();
    }
    Err(CertifyError::Beyond { checked: ORDINARY_TREES })
}

fn grouped_order(table: &Table, budget: &mut Budget) -> Result<TableOrder, CertifyError> {
    let mut conditions = 0;
    for order in 1..=GROUP_TREES {
        let trees = Trees::up_to(&Family::qvp(), order, budget)?;
        let mut weights = ElementaryWeights::new(table, &trees);
        if let Some(tree) = weights.first_failure(order) {
            return Ok(TableOrder {
                order: order - 1,
                evidence: Evidence::Trees { conditions },
                first_failing_tree: Some(trees.name(tree)),
            });
        }
        conditions = trees.len();
    }
    Err(CertifyError::Beyond { checked: GROUP_TREES })
}

/// The first tree of this order, in the order of the listing, whose condition fails. Beyond the
/// orders that are listed, the first tree of the list is tried alone: q\[v\[q…q\]\].
fn first_failing(
    table: &Table,
    order: usize,
    budget: &mut Budget,
) -> Result<Option<String>, CertifyError> {
    /// Up to here the list is short.
    const LISTED: usize = 7;
    if order <= LISTED {
        let trees = Trees::up_to(&Family::qvp(), order, budget)?;
        let mut weights = ElementaryWeights::new(table, &trees);
        return Ok(weights.first_failure(order).map(|tree| trees.name(tree)));
    }
    Ok(super::order::bushy_failure(table, order))
}
