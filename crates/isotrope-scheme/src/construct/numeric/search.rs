//! The search from many starts.

use isotrope_algebra::modular::Random;
use isotrope_algebra::polynomial::Polynomial;
use isotrope_algebra::{Budget, OutOfBudget};

use super::compiled::CompiledSystem;
use super::descent::{Limits, Tangent, Zero, descend, distance};
use super::exact::{ExactPoint, Unproved, recognise};
use super::fixed::Scale;
use super::polish::polish;
use super::snap::{Snapped, free_variables, snap};

/// How to search.
#[derive(Debug, Clone)]
pub struct Options {
    /// Random starts.
    pub starts: usize,
    /// The seed of the starts: the same seed finds the same solutions everywhere.
    pub seed: u64,
    /// Starts have coordinates between −`radius` and `radius`.
    pub radius: f64,
    /// Values this small, relative to the size of their terms, are zeros.
    pub tolerance: f64,
    /// Steps from one start.
    pub iterations: usize,
    /// Stop after so many different solutions.
    pub most: usize,
    /// How far a coordinate is moved to a simple value where solutions are not isolated.
    pub reach: f64,
    /// Digits to which coordinates are computed before they are recognised; if that fails, twice
    /// as many.
    pub digits: u32,
    /// The largest degree of an algebraic number that is recognised.
    pub max_degree: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            starts: 64,
            seed: 1,
            radius: 1.0,
            tolerance: 1e-13,
            iterations: 200,
            most: 16,
            reach: 1.0,
            digits: 50,
            max_degree: 8,
        }
    }
}

impl Options {
    pub(super) fn limits(&self) -> Limits {
        Limits { tolerance: self.tolerance, iterations: self.iterations, bound: BOUND }
    }
}

/// Coordinates beyond this belong to no method worth having.
const BOUND: f64 = 1e4;
/// Solutions closer than this are the same.
const SAME: f64 = 1e-7;

/// How far the search is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Starts that were tried.
    pub starts: usize,
    /// Starts from which a zero was reached.
    pub reached: usize,
    /// Different solutions.
    pub solutions: usize,
}

/// What is known of a solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// Every polynomial vanishes at this point, by exact arithmetic.
    Proved(ExactPoint),
    /// Nothing but small values.
    Numerical {
        /// Decimal digits to which the coordinates were computed.
        digits: u32,
        /// Why it is not proved.
        reason: Unproved,
    },
}

/// A real solution, or what looks like one.
#[derive(Debug, Clone, PartialEq)]
pub struct NumericSolution {
    /// By variable; of a proved solution, the exact values rounded.
    pub values: Vec<f64>,
    /// The largest |polynomial| in doubles, each divided by its largest coefficient.
    pub residual: f64,
    /// The number of variables minus the rank of the slopes where the solution was reached, before
    /// coordinates were made simple: the dimension of the set it lies on where that set is smooth,
    /// an upper bound otherwise.
    pub dimension: usize,
    /// Is it proved?
    pub standing: Standing,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    /// Different solutions, in the order in which they were found.
    pub solutions: Vec<NumericSolution>,
    /// How far it came.
    pub progress: Progress,
    /// The budget ran out.
    pub stopped: Option<OutOfBudget>,
}

/// Searches real zeros of polynomials in the variables `0..variables` from random starts.
///
/// That nothing is found proves nothing.
pub fn solve(
    polynomials: &[Polynomial],
    variables: usize,
    options: &Options,
    budget: &mut Budget,
    progress: &mut dyn FnMut(Progress),
) -> Search {
    let mut search = Search {
        solutions: Vec::new(),
        progress: Progress { starts: 0, reached: 0, solutions: 0 },
        stopped: None,
    };
    search.stopped = fill(&mut search, polynomials, variables, options, budget, progress).err();
    search
}

fn fill(
    search: &mut Search,
    polynomials: &[Polynomial],
    variables: usize,
    options: &Options,
    budget: &mut Budget,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), OutOfBudget> {
    let system = CompiledSystem::new(polynomials, variables, budget)?;
    let variables = system.variables();
    let everything: Vec<usize> = (0..variables).collect();
    let mut random = Random::new(options.seed);
    while search.progress.starts < options.starts && search.solutions.len() < options.most {
        let start: Vec<f64> =
            (0..variables).map(|_| options.radius * symmetric_unit(&mut random)).collect();
        search.progress.starts += 1;
        let found = descend(&system, &start, &everything, options.limits(), budget)?;
        if let Some(zero) = found {
            search.progress.reached += 1;
            let dimension = Tangent::at(&system, &zero.point, &everything, budget)?.dimension();
            let snapped = simple(&system, zero, dimension, options, budget)?;
            let known =
                |solution: &NumericSolution| distance(&solution.values, &snapped.zero.point) < SAME;
            if !search.solutions.iter().any(known) {
                let solution = judge(&system, polynomials, &snapped, dimension, options, budget)?;
                search.solutions.push(solution);
                search.progress.solutions = search.solutions.len();
            }
        }
        progress(search.progress);
    }
    Ok(())
}

fn simple(
    system: &CompiledSystem,
    zero: Zero,
    dimension: usize,
    options: &Options,
    budget: &mut Budget,
) -> Result<Snapped, OutOfBudget> {
    if dimension == 0 {
        return Ok(Snapped::nothing(zero, 0));
    }
    snap(system, zero, options.reach, options.limits(), budget)
}

/// A number between −1 and 1.
fn symmetric_unit(random: &mut Random) -> f64 {
    let half = (1_u64 << 52) as f64;
    (random.next_u64() >> 11) as f64 / half - 1.0
}

/// More digits, exact values, a proof.
pub(super) fn judge(
    system: &CompiledSystem,
    polynomials: &[Polynomial],
    snapped: &Snapped,
    dimension: usize,
    options: &Options,
    budget: &mut Budget,
) -> Result<NumericSolution, OutOfBudget> {
    let Snapped { zero, fixed, .. } = snapped;
    let mut solution = NumericSolution {
        values: zero.point.clone(),
        residual: zero.residual,
        dimension,
        standing: Standing::Numerical { digits: DOUBLE_DIGITS, reason: Unproved::NotSimple },
    };
    if snapped.dimension > 0 && !free_variables(fixed).is_empty() {
        let reason = Unproved::NotIsolated { dimension: snapped.dimension };
        solution.standing = Standing::Numerical { digits: DOUBLE_DIGITS, reason };
        return Ok(solution);
    }
    for digits in [options.digits, options.digits.saturating_mul(2)] {
        let places = Scale::decimal(digits).places;
        let Some(polished) = polish(system, &zero.point, fixed, places, budget)? else { break };
        let standing = match recognise(&polished, fixed, options.max_degree, budget) {
            Ok(point) => match point.first_nonzero(polynomials, budget)? {
                None => Standing::Proved(point),
                Some(polynomial) => {
                    Standing::Numerical { digits, reason: Unproved::Refuted { polynomial } }
                }
            },
            Err(reason) => Standing::Numerical { digits, reason },
        };
        solution.standing = standing;
        if let Standing::Proved(point) = &solution.standing {
            for (value, element) in solution.values.iter_mut().zip(&point.values) {
                // A value that cannot be rounded correctly keeps the double that was found.
                *value = point.field.to_f64(element).unwrap_or(*value);
            }
            break;
        }
    }
    Ok(solution)
}

/// Digits of a double.
const DOUBLE_DIGITS: u32 = 15;
