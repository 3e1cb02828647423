//! The search from many starts.

use isotrope_algebra::ideal::RealPoint;
use isotrope_algebra::modular::Random;
use isotrope_algebra::polynomial::Polynomial;
use isotrope_algebra::{Budget, OutOfBudget};

use super::compiled::CompiledSystem;
use super::descent::{Limits, Tangent, Zero, descend, distance};
use super::exact::{Unproved, first_nonzero, recognise};
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
    /// Stop after this many different proved solutions.
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
        Self::DEFAULT
    }
}

impl Options {
    /// The defaults, as a constant.
    pub const DEFAULT: Self = Self {
        starts: 64,
        seed: 1,
        radius: 1.0,
        tolerance: 1e-13,
        iterations: 200,
        most: 16,
        reach: 1.0,
        digits: 50,
        max_degree: 8,
    };

    pub(super) fn limits(&self) -> Limits {
        Limits { tolerance: self.tolerance, iterations: self.iterations, bound: BOUND }
    }
}

/// Coordinates beyond this belong to no method worth having.
const BOUND: f64 = 1e4;
/// Solutions closer than this are the same.
const SAME: f64 = 1e-7;

/// How far the search is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// Starts that were tried.
    pub starts: usize,
    /// Starts from which a zero was reached.
    pub reached: usize,
    /// Different solutions.
    pub solutions: usize,
    /// Those that are proved.
    pub proved: usize,
}

/// What is known of a solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// Every polynomial vanishes at this point, by exact arithmetic.
    Proved(RealPoint),
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
    let mut random = Random::new(options.seed);
    let mut start = |count: usize| -> Vec<f64> {
        (0..count).map(|_| options.radius * symmetric_unit(&mut random)).collect()
    };
    search(polynomials, variables, options, budget, progress, &mut |number, count| {
        (number < options.starts).then(|| start(count))
    })
}

/// The same from given starts; coordinates that are missing are zero.
pub fn solve_from(
    polynomials: &[Polynomial],
    starts: &[Vec<f64>],
    options: &Options,
    budget: &mut Budget,
    progress: &mut dyn FnMut(Progress),
) -> Search {
    let variables = starts.iter().map(Vec::len).max().unwrap_or(0);
    search(polynomials, variables, options, budget, progress, &mut |number, count| {
        let mut start = starts.get(number)?.clone();
        start.resize(count, 0.0);
        Some(start)
    })
}

/// Start number k with this many coordinates.
type Starts<'s> = dyn FnMut(usize, usize) -> Option<Vec<f64>> + 's;

fn search(
    polynomials: &[Polynomial],
    variables: usize,
    options: &Options,
    budget: &mut Budget,
    progress: &mut dyn FnMut(Progress),
    starts: &mut Starts<'_>,
) -> Search {
    let mut search = Search { solutions: Vec::new(), progress: Progress::default(), stopped: None };
    search.stopped = match CompiledSystem::new(polynomials, variables, budget) {
        Ok(system) => {
            let problem = Problem { system, polynomials, options };
            problem.fill(&mut search, budget, progress, starts).err()
        }
        Err(stopped) => Some(stopped),
    };
    search
}

/// What is solved, and how.
pub(super) struct Problem<'p> {
    pub system: CompiledSystem,
    pub polynomials: &'p [Polynomial],
    pub options: &'p Options,
}

/// A number between −1 and 1.
fn symmetric_unit(random: &mut Random) -> f64 {
    let half = (1_u64 << 52) as f64;
    (random.next_u64() >> 11) as f64 / half - 1.0
}

impl Problem<'_> {
    fn fill(
        &self,
        search: &mut Search,
        budget: &mut Budget,
        progress: &mut dyn FnMut(Progress),
        starts: &mut Starts<'_>,
    ) -> Result<(), OutOfBudget> {
        let everything: Vec<usize> = (0..self.system.variables()).collect();
        let limits = self.options.limits();
        while search.progress.proved < self.options.most
            && let Some(start) = starts(search.progress.starts, everything.len())
        {
            search.progress.starts += 1;
            if let Some(zero) = descend(&self.system, &start, &everything, limits, budget)? {
                search.progress.reached += 1;
                let (snapped, dimension) = self.simple(zero, budget)?;
                let known = |solution: &NumericSolution| {
                    distance(&solution.values, &snapped.zero.point) < SAME
                };
                if !search.solutions.iter().any(known) {
                    let solution = self.judge(&snapped, dimension, budget)?;
                    let proved = matches!(solution.standing, Standing::Proved(_));
                    search.progress.proved += usize::from(proved);
                    search.solutions.push(solution);
                    search.progress.solutions = search.solutions.len();
                }
            }
            progress(search.progress);
        }
        Ok(())
    }

    /// A simple point near a zero, and the dimension at the zero itself.
    pub fn simple(&self, zero: Zero, budget: &mut Budget) -> Result<(Snapped, usize), OutOfBudget> {
        let everything: Vec<usize> = (0..zero.point.len()).collect();
        let dimension = Tangent::at(&self.system, &zero.point, &everything, budget)?.dimension();
        let snapped = if dimension == 0 {
            Snapped::nothing(zero, 0)
        } else {
            snap(&self.system, &zero, self.options.reach, self.options.limits(), budget)?
        };
        Ok((snapped, dimension))
    }

    /// More digits, exact values, a proof.
    pub fn judge(
        &self,
        snapped: &Snapped,
        dimension: usize,
        budget: &mut Budget,
    ) -> Result<NumericSolution, OutOfBudget> {
        let Self { system, polynomials, options } = self;
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
                Ok(point) => match first_nonzero(&point, polynomials, budget)? {
                    None => Standing::Proved(point),
                    Some(polynomial) => {
                        Standing::Numerical { digits, reason: Unproved::Refuted { polynomial } }
                    }
                },
                Err(reason) => Standing::Numerical { digits, reason },
            };
            solution.standing = standing;
            if let Standing::Proved(point) = &solution.standing {
                for (value, element) in solution.values.iter_mut().zip(&point.coordinates) {
                    // A value that cannot be rounded correctly keeps the double that was found.
                    *value = point.field.to_f64(element).unwrap_or(*value);
                }
                break;
            }
        }
        Ok(solution)
    }
}

/// Digits of a double.
const DOUBLE_DIGITS: u32 = 15;
