//! Schemes of the Lagrangian L − θ, expressed in kinetic momenta.
//!
//! Where a magnetic 2-form has a primitive θ, variational schemes are written for L − θ, in canonical
//! momenta p − θ(q), and then conjugated by (q, p) ↦ (q, p − θ(q)). This map pulls dq∧dp back to
//! dq∧dp + dθ: a scheme that keeps the first keeps the second in kinetic momenta.

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};

use super::{DiscretiseError, EquationScheme, Equations};
use isotrope_derive::{Symbols, System};

/// θ, if the scheme is to be written for L − θ.
pub(super) fn gauge<'s>(
    system: &'s System,
    scheme: &EquationScheme,
) -> Result<Option<&'s [ExprId]>, DiscretiseError> {
    let Some(magnetic) = system.magnetic.as_ref() else { return Ok(None) };
    if scheme.discrete_lagrangian().is_some_and(super::DiscreteLagrangian::is_own) {
        return Err(DiscretiseError::NotApplicable {
            reason: "the discrete Lagrangian of the model says nothing of its magnetic 2-form: write \
                     the magnetic term into both Lagrangians instead",
        });
    }
    let primitive = magnetic.primitive.as_ref().filter(|_| magnetic.canonical.is_some());
    if primitive.is_none() && scheme.is_canonical() {
        return Err(DiscretiseError::NotApplicable {
            reason: "the magnetic 2-form has no primitive that is known: without one there are no canonical \
                     momenta; give `primitive` in [magnetic]",
        });
    }
    Ok(primitive
        .filter(|_| scheme.capabilities().variational)
        .map(|found| found.components.as_slice()))
}

/// Replaces p by p − θ(q) in all equations, and adds θ(q⁺) to the momenta that a step leaves behind.
pub(super) fn in_kinetic_momenta(
    equations: &mut Equations,
    symbols: &Symbols,
    theta: &[ExprId],
    budget: &mut Budget,
) -> Result<(), OutOfBudget> {
    let pool = &mut equations.pool;
    let momenta = symbols.momentum.iter().zip(theta);
    let canonical: Substitution = momenta.map(|(&p, &theta)| (p, pool.sub(p, theta))).collect();
    let mut there = |q: &[ExprId], pool: &mut Pool| -> Result<Vec<ExprId>, OutOfBudget> {
        let map: Substitution = symbols.position.iter().copied().zip(q.iter().copied()).collect();
        substitute(pool, theta, &map, budget)
    };
    let after = &mut equations.after;
    let end = there(&after.position, pool)?;
    add(pool, &mut after.momentum, &end);
    if let Some(increments) = &mut after.increments {
        let change: Vec<ExprId> =
            end.iter().zip(theta).map(|(&end, &start)| pool.sub(end, start)).collect();
        add(pool, &mut increments.momentum, &change);
    }
    if let Some(pair) = &mut equations.pair {
        let own = there(&pair.position, pool)?;
        add(pool, &mut pair.momentum, &own);
    }
    let mut slots: Vec<&mut ExprId> = Vec::new();
    slots
        .extend(equations.definitions.iter_mut().flatten().map(|definition| &mut definition.value));
    slots.extend(equations.unknowns.iter_mut().map(|unknown| &mut unknown.guess));
    slots.extend(&mut equations.residual);
    slots.extend(equations.fixed_point.iter_mut().flatten());
    let after = &mut equations.after;
    slots.extend(&mut after.position);
    slots.extend(&mut after.velocity);
    slots.extend(&mut after.momentum);
    slots.extend(&mut after.multipliers);
    slots.push(&mut after.work);
    if let Some(increments) = &mut after.increments {
        slots.extend(increments.position.iter_mut().chain(&mut increments.momentum));
    }
    if let Some(duration) = &mut equations.duration {
        slots.push(&mut duration.value);
    }
    if let Some(pair) = &mut equations.pair {
        slots.extend(&mut pair.position);
        slots.extend(&mut pair.velocity);
        slots.extend(&mut pair.momentum);
        slots.extend([&mut pair.time, &mut pair.work]);
    }
    slots.extend(equations.memory.iter_mut().map(|memory| &mut memory.next));
    let old: Vec<ExprId> = slots.iter().map(|slot| **slot).collect();
    let new = substitute(pool, &old, &canonical, budget)?;
    for (slot, value) in slots.into_iter().zip(new) {
        *slot = value;
    }
    Ok(())
}

fn add(pool: &mut Pool, momenta: &mut [ExprId], changes: &[ExprId]) {
    for (p, &change) in momenta.iter_mut().zip(changes) {
        *p = pool.add(*p, change);
    }
}
