//! What is computed of an almost Dirac structure.

use isotrope_algebra::linear::LinearError;
use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, OutOfBudget, Pool, print};
use isotrope_geometry::DiracStructure;
use isotrope_geometry::graded::GradedError;

use super::{DiracReport, GeometryError, TwoClassReport};

/// Casimir functions are searched up to this degree.
const DEGREE: u32 = 3;
/// Primitives of the 2-class are searched up to this degree.
const PRIMITIVE_DEGREE: u32 = 2;
/// Structures with more generators get no 2-class.
const LARGEST_CLASS: usize = 12;
/// The parts of the budget for what may be left out.
const PART: u64 = 4;

/// Runs `work` with a part of the budget; `Ok(None)` with a note if that is not enough.
fn optional<T>(
    budget: &mut Budget,
    what: &str,
    notes: &mut Vec<String>,
    work: impl FnOnce(&mut Budget) -> Result<T, LinearError>,
) -> Result<Option<T>, GeometryError> {
    let mut part = Budget::new(budget.left() / PART);
    let result = work(&mut part);
    budget.spend(part.spent().min(budget.left()), "examining a Dirac structure")?;
    match result {
        Ok(value) => Ok(Some(value)),
        Err(LinearError::OutOfBudget(OutOfBudget { .. })) => {
            notes.push(format!("Left out, too long to compute: {what}."));
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// Where the generators of a structure come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame {
    /// They are what is given.
    Given,
    /// Forms are given, and fields were chosen in their kernel.
    OfDistribution,
}

/// Examines a structure.
pub(super) fn dirac_report(
    pool: &mut Pool,
    structure: DiracStructure,
    names: Vec<String>,
    frame: Frame,
    notes: &mut Vec<String>,
    budget: &mut Budget,
) -> Result<DiracReport, GeometryError> {
    let isotropic = structure.is_isotropic(pool, budget);
    let found = optional(budget, "where the rank drops", notes, |part| match frame {
        Frame::Given => structure.rank_and_drops(pool, part),
        Frame::OfDistribution => structure.rank_and_drops_of_forms(pool, part),
    })?;
    let found = match found {
        Some(found) => found,
        None => structure.rank_at_a_point(pool, budget)?,
    };
    if !found.frame.is_empty() {
        let text = |&factor| print::to_text(pool, factor, &mut Budget::new(100_000)).ok();
        let own: Vec<String> = found.frame.iter().filter_map(text).collect();
        let own = own.join(", ");
        notes.push(format!("The fields X1, X2, … are a frame where this is not zero: {own}."));
    }
    if !found.proved {
        let why = "an expression was taken for zero because it is at random points";
        notes.push(format!("The rank is not proved, nor what rests on it: {why}."));
    }
    let excluded = optional(budget, "where coefficients have poles", notes, |part| {
        Ok(structure.excluded(pool, part)?)
    })?;
    let courant = if isotropic == Zero::No {
        None
    } else {
        optional(budget, "the Courant tensor", notes, |part| {
            Ok(structure.courant_tensor(pool, part)?)
        })?
    };
    let kernel = optional(budget, "the kernel", notes, |part| structure.kernel(pool, part))?;
    let leaf_dimension = optional(budget, "the dimension of the leaves", notes, |part| {
        structure.leaf_dimension(pool, part)
    })?;
    let casimirs = optional(budget, "Casimir functions", notes, |part| {
        structure.casimirs(pool, DEGREE, part)
    })?;
    let mut report = DiracReport {
        structure,
        names,
        isotropic,
        rank: found.rank,
        rank_proved: found.proved,
        drops: found.drops,
        excluded: excluded.unwrap_or_default(),
        courant,
        leaf_dimension,
        casimirs,
        kernel,
        two_class: None,
    };
    if report.is_dirac() == Some(true) && report.structure.generators.len() > LARGEST_CLASS {
        notes
            .push(format!("Left out for more than {LARGEST_CLASS} generators: the basic 2-class."));
    } else if report.is_dirac() == Some(true) {
        report.two_class = optional(budget, "the basic 2-class", notes, |part| {
            two_class(pool, &report.structure, part)
        })?
        .flatten();
    }
    Ok(report)
}

fn two_class(
    pool: &mut Pool,
    structure: &DiracStructure,
    budget: &mut Budget,
) -> Result<Option<TwoClassReport>, LinearError> {
    let frame = structure.with_independent_generators(pool, budget)?;
    let class = match frame.basic_two_class(pool, budget) {
        Ok(Some(class)) if class.closed == Zero::Yes => class,
        Ok(_) => return Ok(None),
        Err(GradedError::Linear(error)) => return Err(error),
        Err(GradedError::OutOfBudget(stop)) => return Err(stop.into()),
        Err(_) => return Ok(None),
    };
    let primitive = structure.horizontal_primitive(pool, PRIMITIVE_DEGREE, budget)?;
    Ok(Some(TwoClassReport { zero: class.zero, primitive, periods: Vec::new() }))
}
