//! The least sum of squares on a set of zeros.

use isotrope_algebra::double::linear::{DenseMatrix, OrthogonalFactorisation, norm};
use isotrope_algebra::polynomial::Polynomial;
use isotrope_algebra::{Budget, OutOfBudget};

use super::compiled::CompiledSystem;
use super::descent::{Limits, Tangent, Zero, descend, moved};
use super::search::{NumericSolution, Options, Problem};

/// A point of a set of zeros where a sum of squares is least nearby.
#[derive(Debug, Clone, PartialEq)]
pub struct Minimum {
    /// The point in doubles.
    pub point: Vec<f64>,
    /// The sum of squares there.
    pub objective: f64,
    /// A simple point near it, proved if possible.
    pub simple: NumericSolution,
    /// The sum of squares at the simple point; never below `objective` by more than rounding.
    pub simple_objective: f64,
}

/// Steps along the zeros.
const STEPS: usize = 200;
/// Gains below this fraction end the search.
const LITTLE: f64 = 1e-12;
const LARGEST_DAMPING: f64 = 1e10;

/// Goes from `start` to the zeros of `polynomials` and along them to a local minimum of
/// Σ residual²; then to simple coordinates within `options.reach` of it. `None`: there are no
/// zeros near the start.
pub fn minimise(
    polynomials: &[Polynomial],
    residuals: &[Polynomial],
    start: &[f64],
    options: &Options,
    budget: &mut Budget,
) -> Result<Option<Minimum>, OutOfBudget> {
    let system = CompiledSystem::new(polynomials, start.len(), budget)?;
    let objective = Objective::new(residuals, start.len(), budget)?;
    let variables = system.variables().max(objective.system.variables());
    let mut start = start.to_vec();
    start.resize(variables, 0.0);
    let everything: Vec<usize> = (0..variables).collect();
    let limits = options.limits();
    let Some(zero) = descend(&system, &start, &everything, limits, budget)? else {
        return Ok(None);
    };
    let zero = slide(&system, &objective, zero, limits, budget)?;
    let least = objective.value(&zero.point);
    let point = zero.point.clone();
    let problem = Problem { system, polynomials, options };
    let (snapped, dimension) = problem.simple(zero, budget)?;
    let simple = problem.judge(&snapped, dimension, budget)?;
    let simple_objective = objective.value(&simple.values);
    Ok(Some(Minimum { point, objective: least, simple, simple_objective }))
}

/// Σ residual², with the coefficients as they are.
struct Objective {
    system: CompiledSystem,
    /// What each residual was divided by.
    factors: Vec<f64>,
}

impl Objective {
    fn new(
        residuals: &[Polynomial],
        variables: usize,
        budget: &mut Budget,
    ) -> Result<Self, OutOfBudget> {
        let factors = residuals.iter().filter(|residual| !residual.is_zero()).map(|residual| {
            residual.terms().iter().fold(0.0, |most: f64, (_, c)| most.max(c.to_f64().abs()))
        });
        let factors = factors.collect();
        Ok(Self { system: CompiledSystem::new(residuals, variables, budget)?, factors })
    }

    fn value(&self, point: &[f64]) -> f64 {
        let values = self.system.values(point).residuals;
        values.iter().zip(&self.factors).map(|(value, factor)| (value * factor).powi(2)).sum()
    }

    fn values_and_slopes(&self, point: &[f64], free: &[usize]) -> (Vec<f64>, DenseMatrix) {
        let (values, mut slopes) = self.system.values_and_slopes(point, free);
        let mut scaled = values.residuals;
        for (row, (value, factor)) in scaled.iter_mut().zip(&self.factors).enumerate() {
            *value *= factor;
            for column in 0..free.len() {
                slopes.set(row, column, slopes.get(row, column) * factor);
            }
        }
        (scaled, slopes)
    }
}

/// Gauss–Newton steps in the tangent space, each followed by a descent back to the zeros.
fn slide(
    system: &CompiledSystem,
    objective: &Objective,
    mut zero: Zero,
    limits: Limits,
    budget: &mut Budget,
) -> Result<Zero, OutOfBudget> {
    let everything: Vec<usize> = (0..zero.point.len()).collect();
    let mut damping = 1e-3;
    let mut least = objective.value(&zero.point);
    for _ in 0..STEPS {
        let tangent = Tangent::at(system, &zero.point, &everything, budget)?;
        if tangent.dimension() == 0 {
            break;
        }
        let (values, slopes) = objective.values_and_slopes(&zero.point, &everything);
        let along = slopes.times(&tangent.basis);
        let mut right: Vec<f64> = values.iter().map(|x| -x).collect();
        right.resize(along.rows() + along.columns(), 0.0);
        let before = least;
        while damping < LARGEST_DAMPING {
            let factored = OrthogonalFactorisation::new(along.above_multiple_of_identity(damping));
            let step = tangent.basis.apply(&factored.solve(&right, along.columns()));
            let start = moved(&zero.point, &everything, &step);
            let candidate = descend(system, &start, &everything, limits, budget)?;
            let value = candidate.as_ref().map(|candidate| objective.value(&candidate.point));
            if let (Some(candidate), Some(value)) = (candidate, value)
                && value < least
            {
                (zero, least) = (candidate, value);
                damping = (damping / 4.0).max(1e-6);
                break;
            }
            damping *= 4.0;
            if norm(&step) < 1e-9 {
                return Ok(zero);
            }
        }
        if before - least <= LITTLE * before {
            break;
        }
    }
    Ok(zero)
}
