//! Level by level: what is new, what follows, what freedom is left.

use isotrope_algebra::Budget;
use isotrope_algebra::ideal::{BasisEngine, Ideal, IdealError, ModularIdeal};
use isotrope_algebra::polynomial::Polynomial;

use super::levels::{Aim, Level};

/// The freedom that conditions leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freedom {
    /// No solution, over the complex numbers and so over the reals.
    Contradiction,
    /// The dimension of the set of complex solutions.
    Dimension(usize),
    /// A basis of the conditions was out of reach.
    OutOfReach,
}

impl Freedom {
    /// The dimension, where there is one.
    pub fn dimension(self) -> Option<usize> {
        match self {
            Self::Dimension(dimension) => Some(dimension),
            Self::Contradiction | Self::OutOfReach => None,
        }
    }

    fn of(ideal: &ModularIdeal) -> Self {
        ideal.dimension().map_or(Self::Contradiction, Self::Dimension)
    }
}

/// What a level of conditions does to the set of solutions of those before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelReport {
    /// What the level is about.
    pub aim: Aim,
    /// How many conditions it has.
    pub conditions: usize,
    /// Numbers of the conditions that do not follow from the ones before: their remainders modulo
    /// the levels before are not combinations of each other's. `None` if a basis of the levels
    /// before is out of reach.
    pub new: Option<Vec<usize>>,
    /// The freedom after the level.
    pub freedom: Freedom,
}

/// `None` where the engine ran out of time or operations.
pub(super) fn within_reach<T>(answer: Result<T, IdealError>) -> Result<Option<T>, IdealError> {
    match answer {
        Ok(value) => Ok(Some(value)),
        Err(IdealError::Engine(error)) if error.is_out_of_reach() => Ok(None),
        Err(error) => Err(error),
    }
}

/// The levels up to the last, or to the first that contradicts those before it.
///
/// Few conditions can be harder than many: a level whose basis is out of reach does not stop the
/// levels after it.
pub fn reports(
    levels: &[Level],
    variables: usize,
    engine: &dyn BasisEngine,
) -> Result<Vec<LevelReport>, IdealError> {
    let mut taken: Vec<Polynomial> = Vec::new();
    let mut before = within_reach(ModularIdeal::new(&taken, variables, engine))?;
    let mut reports = Vec::new();
    for level in levels {
        let polynomials: Vec<Polynomial> =
            level.equations.iter().map(|equation| equation.polynomial.clone()).collect();
        let new = before.as_ref().map(|ideal| ideal.independent(&polynomials));
        taken.extend(polynomials);
        if new.as_ref().is_none_or(|new| !new.is_empty()) {
            before = within_reach(ModularIdeal::new(&taken, variables, engine))?;
        }
        let freedom = before.as_ref().map_or(Freedom::OutOfReach, Freedom::of);
        let conditions = level.equations.len();
        reports.push(LevelReport { aim: level.aim, conditions, new, freedom });
        if freedom == Freedom::Contradiction {
            break;
        }
    }
    Ok(reports)
}

/// The polynomials of all levels.
pub fn polynomials(levels: &[Level]) -> Vec<Polynomial> {
    let all = levels.iter().flat_map(|level| &level.equations);
    all.map(|equation| equation.polynomial.clone()).filter(|p| !p.is_zero()).collect()
}

/// The ideal of all conditions, over the rationals; `None` if it is out of reach.
pub fn ideal(
    levels: &[Level],
    variables: usize,
    engine: &dyn BasisEngine,
    budget: &mut Budget,
) -> Result<Option<Ideal>, IdealError> {
    within_reach(Ideal::new(polynomials(levels), variables, engine, budget))
}

/// Conditions that contradict each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contradiction {
    /// Indices of levels and of conditions in them; empty if all conditions have a solution.
    pub conditions: Vec<(usize, usize)>,
    /// Is it known that none of them can be left out?
    pub minimal: bool,
}

/// A contradiction with few conditions.
///
/// The shortest initial piece that contradicts ends with a condition that is needed; it is kept,
/// and the search goes on in what stands before it. A piece whose basis is out of reach counts as
/// one that does not contradict, and the answer may be longer than necessary then.
pub fn contradiction(
    levels: &[Level],
    reports: &[LevelReport],
    variables: usize,
    engine: &dyn BasisEngine,
) -> Result<Contradiction, IdealError> {
    // The new conditions of every level imply all others.
    let all: Vec<(usize, usize)> = levels
        .iter()
        .zip(reports)
        .enumerate()
        .flat_map(|(i, (level, report))| {
            let every = || (0..level.equations.len()).collect();
            let new: Vec<usize> = report.new.clone().unwrap_or_else(every);
            new.into_iter().map(move |j| (i, j))
        })
        .collect();
    let polynomial = |&(i, j): &(usize, usize)| levels[i].equations[j].polynomial.clone();
    let mut minimal = true;
    let mut contradicts = |kept: &[(usize, usize)], piece: &[(usize, usize)]| {
        let system: Vec<Polynomial> = kept.iter().chain(piece).map(polynomial).collect();
        let ideal = within_reach(ModularIdeal::new(&system, variables, engine))?;
        minimal &= ideal.is_some();
        Ok::<bool, IdealError>(ideal.is_some_and(|ideal| !ideal.is_consistent()))
    };
    if !contradicts(&[], &all)? {
        return Ok(Contradiction::default());
    }
    let mut kept: Vec<(usize, usize)> = Vec::new();
    let mut piece = all.as_slice();
    while !contradicts(&kept, &[])? {
        let (mut low, mut high) = (0, piece.len());
        while low < high {
            let middle = low.midpoint(high);
            if contradicts(&kept, &piece[..middle])? { high = middle } else { low = middle + 1 }
        }
        let Some(last) = low.checked_sub(1) else { break };
        kept.push(piece[last]);
        piece = &piece[..last];
    }
    kept.sort_unstable();
    Ok(Contradiction { conditions: kept, minimal })
}
