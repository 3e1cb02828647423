//! How fast energy and constraints change along the modified flow.

use isotrope_algebra::calculus::gradient;
use isotrope_algebra::{Budget, ExprId, OutOfBudget};

use super::differentials::shortened;
use super::manifold::Manifold;
use super::{ModifiedEquation, ModifiedError};
use isotrope_derive::{LagrangianMechanics, System, Written};

/// The coefficients of h⁰, h¹, … of dE/dt along the modified equations, at states that satisfy the
/// constraints: first the power of forces, moving constraints and the time in L; then what the
/// method adds.
pub fn energy_rate(
    system: &mut System,
    equations: &[ModifiedEquation],
    budget: &mut Budget,
) -> Result<Vec<ExprId>, ModifiedError> {
    let Some(LagrangianMechanics { dynamics, rows, eliminated, .. }) =
        system.mechanics.lagrangian()
    else {
        return Err(ModifiedError::NoLagrangian);
    };
    let (energy, explicit_time) = (dynamics.energy, dynamics.explicit_time);
    let pool = &mut system.model.pool;
    let mut power: Vec<ExprId> = dynamics
        .working
        .iter()
        .zip(&system.symbols.velocity)
        .map(|(&force, &v)| pool.mul(force, v))
        .collect();
    power.push(pool.neg(explicit_time));
    for (&lambda, &b) in eliminated.multipliers.iter().zip(&rows.offset) {
        let product = pool.mul(lambda, b);
        power.push(pool.neg(product));
    }
    let power = pool.sum(&power);
    let power = shortened(pool, power, budget)?;
    Ok(rate(system, equations, energy, power, budget)?)
}

/// A constraint along the modified equations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConstraintRate {
    /// The name of the constraint.
    pub name: String,
    /// Is it φ(q) that changes, or A v + b?
    pub on_positions: bool,
    /// The coefficients of h⁰, h¹, … of the rate; the first is zero on the constraints.
    pub powers: Vec<ExprId>,
}

/// The rates of φ, where constraints are on positions, and of A v + b along the modified equations,
/// at states that satisfy the constraints.
pub fn constraint_rates(
    system: &mut System,
    equations: &[ModifiedEquation],
    budget: &mut Budget,
) -> Result<Vec<ConstraintRate>, ModifiedError> {
    let Some(LagrangianMechanics { rows, .. }) = system.mechanics.lagrangian() else {
        return Err(ModifiedError::NoLagrangian);
    };
    let mut functions = Vec::new();
    for (row, name) in rows.names.iter().enumerate() {
        if rows.written[row] == Written::Position {
            functions.push((name.clone(), true, rows.expressions[row]));
        }
        functions.push((name.clone(), false, rows.velocity_level[row]));
    }
    let mut rates = Vec::with_capacity(functions.len());
    for (name, on_positions, function) in functions {
        let powers = rate(system, equations, function, ExprId::ZERO, budget)?;
        rates.push(ConstraintRate { name, on_positions, powers });
    }
    Ok(rates)
}

/// The constraints of a system.
fn manifold(system: &System) -> Manifold {
    let Some(LagrangianMechanics { rows, .. }) = system.mechanics.lagrangian() else {
        return Manifold::default();
    };
    let written = rows.written.iter().zip(&rows.expressions);
    let positions = written.filter(|(written, _)| **written == Written::Position);
    Manifold {
        symbols: system.symbols.velocity.clone(),
        velocities: rows.velocity_level.clone(),
        positions: positions.map(|(_, &expression)| expression).collect(),
    }
}

/// The derivative of a function along the equations, but for its first term, which is given.
fn rate(
    system: &mut System,
    equations: &[ModifiedEquation],
    function: ExprId,
    first: ExprId,
    budget: &mut Budget,
) -> Result<Vec<ExprId>, OutOfBudget> {
    let manifold = manifold(system);
    let pool = &mut system.model.pool;
    let variables: Vec<ExprId> = equations.iter().map(|equation| equation.variable).collect();
    let slopes = gradient(pool, function, &variables, budget)?;
    let powers = equations.iter().map(|equation| equation.powers.len()).max().unwrap_or(0);
    let mut rates = vec![first];
    for power in 1..powers {
        let terms: Vec<ExprId> = equations
            .iter()
            .zip(&slopes)
            .map(|(equation, &slope)| {
                let rate = equation.powers.get(power).copied().unwrap_or(ExprId::ZERO);
                pool.mul(slope, rate)
            })
            .collect();
        let sum = pool.sum(&terms);
        let sum = shortened(pool, sum, budget)?;
        rates.push(manifold.shortened(pool, sum, budget)?);
    }
    rates.truncate(powers);
    Ok(rates)
}
