//! How fast the energy changes along the modified flow.

use isotrope_algebra::calculus::gradient;
use isotrope_algebra::{Budget, ExprId};

use super::differentials::shortened;
use super::{ModifiedEquation, ModifiedError};
use crate::derive::{Mechanics, System};

/// The coefficients of h⁰, h¹, … of dE/dt along the modified equations: for a conservative system
/// the first that is not zero is the drift of the energy, per unit of time.
pub fn energy_rate(
    system: &mut System,
    equations: &[ModifiedEquation],
    budget: &mut Budget,
) -> Result<Vec<ExprId>, ModifiedError> {
    let Mechanics::Lagrangian { dynamics, .. } = &system.mechanics else {
        return Err(ModifiedError::NoLagrangian);
    };
    let pool = &mut system.model.pool;
    let mut variables: Vec<ExprId> = equations.iter().map(|equation| equation.variable).collect();
    variables.push(system.symbols.time);
    let slopes = gradient(pool, dynamics.energy, &variables, budget)?;
    let powers = equations.iter().map(|equation| equation.powers.len()).max().unwrap_or(0);
    let mut rates = Vec::with_capacity(powers);
    for power in 0..powers {
        let mut terms: Vec<ExprId> = equations
            .iter()
            .zip(&slopes)
            .map(|(equation, &slope)| {
                let rate = equation.powers.get(power).copied().unwrap_or(ExprId::ZERO);
                pool.mul(slope, rate)
            })
            .collect();
        if power == 0 {
            terms.extend(slopes.last());
        }
        let sum = pool.sum(&terms);
        rates.push(shortened(pool, sum));
    }
    Ok(rates)
}
