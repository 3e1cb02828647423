//! Points of sets of zeros moved to simple coordinates.

use isotrope_algebra::{Budget, OutOfBudget, Rational};

use super::compiled::CompiledSystem;
use super::descent::{Limits, Tangent, Zero, descend};

/// A point with the coordinates that were given exact values.
#[derive(Debug, Clone)]
pub(super) struct Snapped {
    pub zero: Zero,
    /// By variable.
    pub fixed: Vec<Option<Rational>>,
    /// The dimension that is left: zero unless every value that was tried failed.
    pub dimension: usize,
}

impl Snapped {
    /// The point as it is, nothing fixed.
    pub fn nothing(zero: Zero, dimension: usize) -> Self {
        let fixed = vec![None; zero.point.len()];
        Self { zero, fixed, dimension }
    }

    /// Is it isolated, and does every coordinate look rational?
    fn is_rational(&self) -> bool {
        self.dimension == 0 && self.zero.point.iter().all(|&x| looks_rational(x))
    }
}

/// The variables that are not fixed.
pub(super) fn free_variables(fixed: &[Option<Rational>]) -> Vec<usize> {
    (0..fixed.len()).filter(|&variable| fixed[variable].is_none()).collect()
}

/// Denominators, the simplest first. The last ones are for coordinates that go nowhere else.
const DENOMINATORS: [i64; 12] = [1, 2, 3, 4, 6, 5, 8, 12, 10, 24, 60, 840];

/// The first denominators, this many, count as simple.
const SIMPLE: usize = 5;

/// A coordinate moves along the zeros if it does so at least this fast.
const LEAST_SPEED: f64 = 1e-5;

/// Steps of a descent from a point that is nearly a zero.
const ITERATIONS: usize = 25;

/// Isolated points that are searched for one with rational coordinates.
const ENDS: usize = 60;

/// Numbers with larger denominators are not called rational on sight; 1000 of them cover a line to
/// 10⁻⁶, far more than the 10⁻¹⁰ asked for.
const LARGEST_DENOMINATOR: u32 = 1000;

/// A value for a variable, worth a try.
#[derive(Debug, Clone)]
struct Trial {
    variable: usize,
    value: Rational,
    /// The smaller the simpler; zero first.
    simplicity: usize,
    distance: f64,
}

/// How values are chosen.
#[derive(Debug, Clone, Copy)]
struct Manner {
    /// May the point pass through singular points, where sets of zeros meet? Simple tables often
    /// lie there, but nothing converges well.
    singular: bool,
    /// The nearest of the simple values first, not the simplest.
    nearest: bool,
}

const MANNERS: [Manner; 4] = [
    Manner { singular: true, nearest: false },
    Manner { singular: false, nearest: false },
    Manner { singular: true, nearest: true },
    Manner { singular: false, nearest: true },
];

/// Gives one coordinate after another a simple value within `reach` that leaves the others a
/// zero, until the point is isolated; in several manners, until one makes every coordinate look
/// rational.
pub(super) fn snap(
    system: &CompiledSystem,
    zero: &Zero,
    reach: f64,
    limits: Limits,
    budget: &mut Budget,
) -> Result<Snapped, OutOfBudget> {
    let mut best: Option<Snapped> = None;
    for manner in MANNERS {
        let snapped = snap_in(manner, system, zero.clone(), reach, limits, budget)?;
        if snapped.is_rational() {
            return Ok(snapped);
        }
        if best.as_ref().is_none_or(|best| snapped.dimension < best.dimension) {
            best = Some(snapped);
        }
    }
    Ok(best.unwrap_or_else(|| Snapped::nothing(zero.clone(), zero.point.len())))
}

/// Of the values for the last coordinate, those are preferred that make the others look rational.
fn snap_in(
    manner: Manner,
    system: &CompiledSystem,
    zero: Zero,
    reach: f64,
    limits: Limits,
    budget: &mut Budget,
) -> Result<Snapped, OutOfBudget> {
    let limits = Limits { iterations: limits.iterations.min(ITERATIONS), ..limits };
    let mut snapped = Snapped::nothing(zero, 0);
    let free = free_variables(&snapped.fixed);
    let mut tangent = Tangent::at(system, &snapped.zero.point, &free, budget)?;
    let mut failed: Vec<(usize, Rational)> = Vec::new();
    'moved: while tangent.dimension() > 0 {
        snapped.dimension = tangent.dimension();
        let free = free_variables(&snapped.fixed);
        let mut irrational: Option<Snapped> = None;
        let mut ends = 0;
        for trial in trials(manner, &snapped.zero.point, &free, &tangent, reach) {
            let key = (trial.variable, trial.value);
            if failed.contains(&key) {
                continue;
            }
            let mut start = snapped.zero.point.clone();
            start[key.0] = key.1.to_f64();
            let rest: Vec<usize> = free.iter().copied().filter(|&k| k != key.0).collect();
            let Some(zero) = descend(system, &start, &rest, limits, budget)? else {
                // What fails now fails with more coordinates fixed, too, or nearly always.
                failed.push(key);
                continue;
            };
            let next = Tangent::at(system, &zero.point, &rest, budget)?;
            if !manner.singular && next.dimension() >= tangent.dimension() {
                failed.push(key);
                continue;
            }
            let mut fixed = snapped.fixed.clone();
            fixed[key.0] = Some(key.1);
            let reached = Snapped { zero, fixed, dimension: next.dimension() };
            if next.dimension() > 0 || reached.is_rational() {
                (snapped, tangent) = (reached, next);
                continue 'moved;
            }
            irrational.get_or_insert(reached);
            ends += 1;
            if ends >= ENDS {
                break;
            }
        }
        return Ok(irrational.unwrap_or(snapped));
    }
    Ok(snapped)
}

/// Is the number as close to a fraction with a small denominator as doubles allow?
fn looks_rational(x: f64) -> bool {
    (1..=LARGEST_DENOMINATOR).any(|denominator| {
        let scaled = x * f64::from(denominator);
        (scaled - scaled.round()).abs() <= 1e-10 * f64::from(denominator)
    })
}

fn trials(
    manner: Manner,
    point: &[f64],
    free: &[usize],
    tangent: &Tangent,
    reach: f64,
) -> Vec<Trial> {
    let mut trials = Vec::new();
    for (place, &variable) in free.iter().enumerate() {
        if tangent.speed(place) < LEAST_SPEED {
            continue;
        }
        let x = point[variable];
        let mut known = Vec::new();
        for (simplicity, &denominator) in DENOMINATORS.iter().enumerate() {
            let zero = (simplicity == 0).then_some(0.0);
            let scaled = x * denominator as f64;
            for numerator in zero.into_iter().chain([scaled.floor(), scaled.ceil()]) {
                let distance = (numerator / denominator as f64 - x).abs();
                let Some(value) = Rational::new(numerator as i64, denominator) else { continue };
                if distance > reach || known.contains(&value) {
                    continue;
                }
                known.push(value.clone());
                let simplicity = match simplicity {
                    _ if value.is_zero() && !manner.nearest => 0,
                    simple if simple < SIMPLE && manner.nearest => 0,
                    other => other + 1,
                };
                trials.push(Trial { variable, value, simplicity, distance });
            }
        }
    }
    trials.sort_by(|x, y| x.simplicity.cmp(&y.simplicity).then(x.distance.total_cmp(&y.distance)));
    trials
}
