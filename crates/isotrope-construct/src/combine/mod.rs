//! Combinations of known tables, one for each group of variables.
//!
//! Where conditions cannot be solved there are still the methods that are known: one table for
//! the positions, another for the velocities, the weights of a third for the momenta. All
//! combinations are tried in one prime field, where a condition that fails is a proof that it
//! fails; the best are certified exactly.

mod known;
mod parts;

use std::cmp::Reverse;

use isotrope_algebra::Budget;
use isotrope_algebra::modular::Random;
use isotrope_algebra::number::field::FieldError;
use isotrope_algebra::polynomial::Polynomial;
use rustc_hash::FxHashSet;

use isotrope_certify::{Certificate, CertifyError, DefectOrder, order_by_trees, properties};
use isotrope_methods::PrimeTable;
use isotrope_methods::classes::{Class, Defect, Residue, Scalars, measure};
use isotrope_methods::table::{Coefficients, Table, TableProblem};
use isotrope_methods::trees::{Family, Trees};
pub(crate) use known::known;
use parts::Parts;

use crate::{Place, Unknowns};

/// What is asked of a combination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// The number of stages.
    pub stages: usize,
    /// The class of systems.
    pub class: Class,
    /// The least order of the solution.
    pub order: usize,
    /// The least exponent of the local defect of the structure (of the 2-form, where the class
    /// has nothing else).
    pub structure: usize,
    /// How many are certified.
    pub most: usize,
}

/// A combination with its certificate.
#[derive(Debug, Clone, PartialEq)]
pub struct Combination {
    /// The method.
    pub table: Table,
    /// The tables that were used for q, v and p.
    pub sources: [String; 3],
    /// Everything that is known of it.
    pub certificate: Certificate,
}

impl Combination {
    /// The order of the solution.
    pub fn order(&self) -> usize {
        self.certificate.order.unwrap_or(0)
    }

    /// The exponent of the structure on a class; of the 2-form, where the class has nothing else.
    pub fn structure(&self, class: Class) -> Option<DefectOrder> {
        let orders = self.certificate.on(class)?;
        orders.structure.or(orders.form)
    }

    /// Larger is better: structure, order, less implicit cost, fewer stages.
    fn rank(&self, class: Class) -> (usize, usize, Reverse<usize>, Reverse<usize>) {
        let structure = match self.structure(class) {
            Some(DefectOrder::Infinite) => usize::MAX,
            Some(DefectOrder::Exactly(m) | DefectOrder::AtLeast(m)) => m,
            None => 0,
        };
        let (cubic, stages) = self
            .certificate
            .cost
            .as_ref()
            .map_or((usize::MAX, usize::MAX), |cost| (cost.cubic(), cost.stages));
        (structure, self.order(), Reverse(cubic), Reverse(stages))
    }
}

/// How far the combinations are, and what came of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Combinations that were tried; of those that are the same method, the first is kept.
    pub tried: usize,
    /// Those with the order asked for.
    pub of_order: usize,
    /// Those with the structure asked for, too.
    pub of_structure: usize,
    /// Those that were certified.
    pub certified: usize,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Combinations {
    /// The best first.
    pub found: Vec<Combination>,
    /// How many were tried and passed.
    pub counts: Counts,
    /// Tables of the catalogue that could not be used: their nodes generate too large a field.
    pub skipped: Vec<String>,
}

/// A combination of numbered parts, and the power of h from which its structure fails (`None`: not
/// through the powers that were examined).
struct Candidate {
    parts: [usize; 3],
    order: usize,
    structure: Option<usize>,
}

/// Orders are compared up to here.
const LARGEST_ORDER: usize = 6;
/// Powers of h beyond those asked for that are examined before candidates are ranked.
const FURTHER: usize = 2;

/// All combinations of the tables of the catalogue with the wanted stages.
pub fn combinations(
    request: &Request,
    budget: &mut Budget,
    progress: &mut dyn FnMut(Counts),
) -> Result<Combinations, CertifyError> {
    combinations_of(request, None, budget, progress)
}

/// The same, of the pattern and with the entries that unknowns have.
pub fn combinations_of(
    request: &Request,
    unknowns: Option<&Unknowns>,
    budget: &mut Budget,
    progress: &mut dyn FnMut(Counts),
) -> Result<Combinations, CertifyError> {
    let mut random = Random::new(0x6b1d_3c5a);
    let parts = Parts::new(request.stages, &mut random, budget)?;
    let mut counts = Counts::default();
    let mut candidates = Vec::new();
    let Some(field) = &parts.field else {
        return Ok(Combinations { found: Vec::new(), counts, skipped: parts.skipped });
    };
    let trees = Trees::up_to(&Family::qvp(), LARGEST_ORDER, budget)?;
    let momenta = parts.distinct_weights();
    let mut seen = FxHashSet::default();
    for q in 0..parts.len() {
        for v in 0..parts.len() {
            for &p in &momenta {
                budget.spend(1_000, "trying combinations of tables")?;
                counts.tried += 1;
                let image = parts.image([q, v, p], field);
                if !unknowns.is_none_or(|unknowns| admits(unknowns, &image)) {
                    continue;
                }
                if !seen.insert(step_data(&image)) {
                    continue;
                }
                let order = order_by_trees(&image, &trees, LARGEST_ORDER);
                if order == 0 || order < request.order {
                    continue;
                }
                counts.of_order += 1;
                let structure = failing_power(&image, order, request, &mut random, budget)?;
                if structure.is_some_and(|power| power < request.structure) {
                    continue;
                }
                counts.of_structure += 1;
                candidates.push(Candidate { parts: [q, v, p], order, structure });
            }
        }
        progress(counts);
    }
    candidates.sort_by_key(|candidate| {
        Reverse((candidate.structure.unwrap_or(usize::MAX), candidate.order))
    });
    let mut found = Vec::new();
    for candidate in candidates.iter().take(request.most) {
        let Some(combination) = certified(&parts, candidate.parts, budget)? else { continue };
        counts.certified += 1;
        found.push(combination);
        progress(counts);
    }
    found.sort_by_key(|combination: &Combination| Reverse(combination.rank(request.class)));
    Ok(Combinations { found, counts, skipped: parts.skipped })
}

/// Are these tables of the pattern, with its prescribed entries? Decided in a prime field, in which different numbers
/// stay different but for an accident.
fn admits(unknowns: &Unknowns, image: &PrimeTable) -> bool {
    let Coefficients { a, abar, b, bbar, btil } = &image.coefficients;
    let (matrices, weights) = ([Some(a), Some(abar), None], [b, bbar, btil]);
    let field = &image.field;
    let value = |polynomial: &Polynomial, point: &[Residue]| -> Option<Residue> {
        polynomial.terms().iter().try_fold(field.zero(), |sum, (monomial, coefficient)| {
            let mut product = field.rational(coefficient)?;
            for variable in monomial.variables() {
                for _ in 0..monomial.exponent(variable) {
                    product = Scalars::mul(field, &product, point.get(variable)?);
                }
            }
            Some(Scalars::add(field, &sum, &product))
        })
    };
    let entry = |place: Place| -> Option<Residue> {
        match place {
            Place::Matrix { colour, row, column } => {
                matrices.get(colour).copied().flatten()?.get(row)?.get(column).copied()
            }
            Place::Weight { colour, stage } => weights.get(colour)?.get(stage).copied(),
        }
    };
    let places = (0..unknowns.len()).map(|variable| unknowns.place(variable).and_then(entry));
    let Some(point) = places.collect::<Option<Vec<Residue>>>() else { return false };
    let tables = unknowns.tables();
    let is = |polynomial: &Polynomial, wanted: Option<&Residue>| {
        value(polynomial, &point).as_ref() == wanted
    };
    let rows = tables.matrices.iter().zip(&matrices).all(|(own, other)| {
        own.iter().enumerate().all(|(i, row)| {
            row.iter()
                .enumerate()
                .all(|(j, polynomial)| is(polynomial, other.and_then(|other| other.get(i)?.get(j))))
        })
    });
    let lists = tables.weights.iter().zip(weights).all(|(own, other)| {
        own.iter().zip(other).all(|(polynomial, wanted)| is(polynomial, Some(wanted)))
    });
    let zero = field.zero();
    rows && lists && unknowns.relations().iter().all(|relation| is(relation, Some(&zero)))
}

/// What the step of a table depends on, as q' = v: the nodes a·1, a·abar, abar, b·abar, bbar and
/// btil (b·1 is one). Tables with equal data are one method.
fn step_data(image: &PrimeTable) -> Vec<Residue> {
    let Coefficients { a, abar, b, bbar, btil } = &image.coefficients;
    let field = &image.field;
    let columns = 0..b.len();
    let through = |row: &[Residue], column: usize| {
        field.sum_of_products(row.len(), |k| (&row[k], &abar[k][column]))
    };
    let total =
        |row: &[Residue]| row.iter().fold(field.zero(), |sum, x| Scalars::add(field, &sum, x));
    let rows = a.iter().chain([b]);
    let positions = rows.flat_map(|row| {
        columns.clone().map(move |column| through(row, column)).chain([total(row)])
    });
    positions
        .chain(abar.iter().flatten().copied())
        .chain(bbar.iter().copied())
        .chain(btil.iter().copied())
        .collect()
}

/// The first power of h at which the structure fails on a random problem of the class.
fn failing_power(
    image: &PrimeTable,
    order: usize,
    request: &Request,
    random: &mut Random,
    budget: &mut Budget,
) -> Result<Option<usize>, CertifyError> {
    let first = (order + 1).max(request.structure.saturating_sub(1));
    for looked_at in [first, first + FURTHER] {
        budget.spend(100_000, "trying combinations of tables")?;
        let coefficients = &image.coefficients;
        let defects = measure(&image.field, coefficients, request.class, looked_at, 1, random)?;
        let defect = match request.class {
            Class::Symplectic => defects.form,
            _ => defects.structure().0,
        };
        if let Defect::Order(power) = defect {
            return Ok(Some(power));
        }
    }
    Ok(None)
}

/// The combination in the smallest field that has all coefficients, certified. `None`: that field
/// is too large.
fn certified(
    parts: &Parts,
    numbers: [usize; 3],
    budget: &mut Budget,
) -> Result<Option<Combination>, CertifyError> {
    let table = match parts.table(numbers, budget) {
        Ok(table) => table,
        Err(TableProblem::Field(
            FieldError::DegreeLimit { .. } | FieldError::OutOfReach { .. },
        )) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let certificate = properties(&table, budget)?;
    let sources = parts.names(numbers);
    Ok(Some(Combination { table, sources, certificate }))
}
