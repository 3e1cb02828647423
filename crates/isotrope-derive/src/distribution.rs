//! The geometry of the constraints: kinds, Frobenius, flags, the almost Dirac structure.

use isotrope_algebra::linear::LinearError;
use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId, Pool};
use isotrope_geometry::{
    DiracStructure, Distribution, Flag, Involutivity, Obstruction, annihilates, flag, frobenius,
};

use super::{ConstraintRows, Symbols, Written};

/// The kind of a constraint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConstraintKind {
    /// Given on positions.
    Holonomic,
    /// Given on velocities, but it integrates to a constraint on positions.
    PfaffianIntegrable,
    /// Given on velocities and not integrable.
    Nonholonomic,
    /// Linear in the velocities with an inhomogeneous part.
    Affine,
    /// Nonlinear in the velocities, with Chetaev reactions.
    Chetaev,
}

impl ConstraintKind {
    /// The name used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Holonomic => "holonomic",
            Self::PfaffianIntegrable => "pfaffian-integrable",
            Self::Nonholonomic => "nonholonomic",
            Self::Affine => "affine",
            Self::Chetaev => "chetaev",
        }
    }
}

/// What is known of the distribution that the constraints define.
#[derive(Debug, Clone)]
pub struct DistributionReport {
    /// Rank of the distribution of admissible velocities.
    pub rank: usize,
    /// Do the constraints integrate, all together? `None`: not decided or not computed.
    pub integrable: Option<bool>,
    /// The distribution itself (for systems small enough to inspect).
    pub distribution: Option<Distribution>,
    /// A bracket of admissible fields that is not admissible.
    pub obstruction: Option<Obstruction>,
    /// Growth vector, derived flag and what integrates.
    pub flag: Option<Flag>,
    /// Does it live on (q, t) instead of q?
    pub extended: bool,
    /// Kind of each constraint, and whether it integrates.
    pub kinds: Vec<(ConstraintKind, Option<bool>)>,
}

/// Distributions on more coordinates than this are not taken apart.
const LARGEST: usize = 24;
/// Holonomic systems with more coordinates get no frame: nothing hangs on it.
const LARGEST_HOLONOMIC: usize = 12;

impl DistributionReport {
    /// Without constraints.
    pub(super) fn free(rank: usize) -> Self {
        Self {
            rank,
            integrable: Some(true),
            distribution: None,
            obstruction: None,
            flag: None,
            extended: false,
            kinds: Vec::new(),
        }
    }
}

/// The distribution with its frame, for systems small enough: the beginning of [`classify`], and all that a run needs.
pub(super) fn frame(
    pool: &mut Pool,
    symbols: &Symbols,
    rows: &ConstraintRows,
    budget: &mut Budget,
) -> DistributionReport {
    let n = symbols.dimension();
    let has_time = |pool: &Pool, row: &Vec<(u32, ExprId)>| {
        row.iter().any(|&(_, value)| pool.depends_on(value, &[symbols.time]))
    };
    let extended =
        rows.is_affine() || (n <= LARGEST && rows.matrix.iter().any(|row| has_time(pool, row)));
    let mut report = DistributionReport {
        rank: n - rows.len(),
        integrable: Some(true),
        distribution: None,
        obstruction: None,
        flag: None,
        extended,
        kinds: Vec::new(),
    };
    let largest = if rows.all_holonomic() { LARGEST_HOLONOMIC } else { LARGEST };
    if n <= largest && !rows.written.contains(&Written::Chetaev) {
        report.distribution = distribution(pool, symbols, rows, extended, budget).ok();
    }
    report
}

/// Classifies the constraints and their distribution.
pub(super) fn classify(
    pool: &mut Pool,
    symbols: &Symbols,
    rows: &ConstraintRows,
    budget: &mut Budget,
) -> DistributionReport {
    let mut report = frame(pool, symbols, rows, budget);
    if rows.all_holonomic() {
        // Differentials of functions: integrable without further thought.
        report.kinds = vec![(ConstraintKind::Holonomic, Some(true)); rows.len()];
        return report;
    }
    let Some(distribution) = report.distribution.take() else {
        report.integrable = None;
        report.kinds = rows.written.iter().map(|&w| (plain_kind(w), holonomic_answer(w))).collect();
        return report;
    };
    report.integrable = match frobenius(pool, &distribution, budget) {
        Ok(Involutivity::Integrable) => Some(true),
        Ok(Involutivity::NotIntegrable(obstruction)) => {
            report.obstruction = Some(obstruction);
            Some(false)
        }
        Ok(Involutivity::Undecided { .. }) | Err(_) => None,
    };
    // Where Frobenius is not decided, neither is a flag: one answer for all lines of a report.
    if report.integrable.is_some() {
        report.flag = flag(pool, &distribution, budget).ok();
    }
    report.kinds = kinds(pool, rows, &distribution, &report, budget);
    report.distribution = Some(distribution);
    report
}

fn plain_kind(written: Written) -> ConstraintKind {
    match written {
        Written::Position => ConstraintKind::Holonomic,
        Written::Linear => ConstraintKind::Nonholonomic,
        Written::Affine => ConstraintKind::Affine,
        Written::Chetaev => ConstraintKind::Chetaev,
    }
}

fn holonomic_answer(written: Written) -> Option<bool> {
    (written == Written::Position).then_some(true)
}

fn distribution(
    pool: &mut Pool,
    symbols: &Symbols,
    rows: &ConstraintRows,
    extended: bool,
    budget: &mut Budget,
) -> Result<Distribution, LinearError> {
    let n = symbols.dimension();
    let mut coordinates = symbols.position.clone();
    if extended {
        coordinates.push(symbols.time);
    }
    let forms: Vec<Vec<ExprId>> = (0..rows.len())
        .map(|a| {
            let mut form = rows.dense_row(a, n);
            if extended {
                form.push(rows.offset[a]);
            }
            form
        })
        .collect();
    Distribution::from_forms(pool, &coordinates, &forms, budget)
}

/// A constraint integrates when it annihilates the involutive closure of the distribution.
fn kinds(
    pool: &mut Pool,
    rows: &ConstraintRows,
    distribution: &Distribution,
    report: &DistributionReport,
    budget: &mut Budget,
) -> Vec<(ConstraintKind, Option<bool>)> {
    (0..rows.len())
        .map(|a| {
            let written = rows.written[a];
            let integrable = match (written, report.integrable, &report.flag) {
                (Written::Position, _, _) | (_, Some(true), _) => Some(true),
                (_, _, Some(flag)) => {
                    match annihilates(pool, &distribution.forms[a], &flag.closure, budget) {
                        Zero::Yes => Some(true),
                        Zero::No => Some(false),
                        Zero::Unknown { .. } => None,
                    }
                }
                _ => None,
            };
            let kind = match (written, integrable) {
                (Written::Linear, Some(true)) => ConstraintKind::PfaffianIntegrable,
                _ => plain_kind(written),
            };
            (kind, integrable)
        })
        .collect()
}

/// The almost Dirac structure on T*Q, for constraints that are linear in the velocities.
pub(super) fn dirac(
    pool: &mut Pool,
    symbols: &Symbols,
    rows: &ConstraintRows,
    report: &DistributionReport,
    budget: &mut Budget,
) -> Option<DiracStructure> {
    if rows.written.contains(&Written::Chetaev) {
        return None;
    }
    // With an affine part the linear part A alone spans the structure of the reactions.
    if report.extended {
        let plain = distribution(pool, symbols, rows, false, budget).ok()?;
        return Some(DiracStructure::of_constraints(pool, &plain, &symbols.momentum));
    }
    let distribution = report.distribution.as_ref()?;
    Some(DiracStructure::of_constraints(pool, distribution, &symbols.momentum))
}
