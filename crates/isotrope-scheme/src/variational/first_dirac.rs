//! What the scheme Dirac-1 of the sources is among discrete Lagrangians.
//!
//! Dirac-1 is L_v(q, v) = p + h (L_q + F)(q, v) + AᵀΛ, A v + b = 0, q⁺ = q + h v, p⁺ = L_v(q, v). The
//! (+)-scheme of h L(q, (q⁺ − q)/h) has the same equations, since l₊ = L; this is computed here from
//! the discrete Lagrangian and compared, for the system at hand.

use isotrope_algebra::calculus::{Substitution, gradient, substitute};
use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId};
use isotrope_geometry::DiracStructure;

use super::lagrangian::DiscreteLagrangian;
use super::quadrature::Quadrature;
use super::structure::{DiscreteDirac, Side};
use super::symbolic::{DiscreteAction, shorter};
use crate::DiscretiseError;
use isotrope_derive::reactions;
use isotrope_derive::{Hamiltonian, LagrangianMechanics, System};

/// Dirac-1 and a discrete Lagrangian.
#[derive(Debug, Clone)]
pub struct FirstDirac {
    /// Are the equations of Dirac-1 those of the (+)-scheme of the rectangle at the beginning?
    pub is_rectangle: Zero,
    /// Is it p⁺ = p − h H_q(q, p⁺) + h F + AᵀΛ, q⁺ = q + h H_p(q, p⁺)? `None` where no formula for H is
    /// known.
    pub is_symplectic_euler: Option<Zero>,
    /// What the discrete Lagrangian has to do with it.
    pub relation: Relation,
    /// By how much the conditions of the discrete Lagrangian differ from A(q)v + b at q⁺ = q + h v:
    /// φ(q⁺) − φ(q) − h(A v + b), or the condition less A v + b; for each condition.
    pub conditions: Vec<ExprId>,
}

/// A discrete Lagrangian compared with the rectangle of Dirac-1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Relation {
    /// L_d is that rectangle.
    Same,
    /// The discrete Euler–Lagrange equations are those of the rectangle; the momenta are those of
    /// Dirac-1 and these functions of the position.
    Shifted(Vec<ExprId>),
    /// The equations differ by this, first of all in the equation of a coordinate.
    Different {
        /// Which coordinate.
        coordinate: usize,
        /// By how much.
        by: ExprId,
    },
    /// It has points between the ends of a step.
    InnerPoints,
    /// Some difference could not be decided.
    Undecided,
}

impl FirstDirac {
    /// Compares; `action` is that of the discrete Lagrangian at hand.
    pub fn new(
        action: &mut DiscreteAction,
        system: &System,
        structure: &DiracStructure,
        budget: &mut Budget,
    ) -> Result<Self, DiscretiseError> {
        let rectangle = DiscreteLagrangian::galerkin(1, Quadrature::Left);
        let mut other = DiscreteAction::new(system, &rectangle, budget)?;
        let is_rectangle = compare(&mut other, system, structure, budget)?;
        let is_symplectic_euler = in_hamiltons_variables(&mut other, system, budget)?;
        let relation = relate(action, system, budget)?;
        let conditions =
            if action.is_direct() { excess(action, system, budget)? } else { Vec::new() };
        Ok(Self { is_rectangle, is_symplectic_euler, relation, conditions })
    }
}

/// Is (w, β) ∈ D_Δ with p⁺ = l_v what Dirac-1 says?
///
/// Dirac-1 is put into the conditions: q⁺ = q + h v, p⁺ = L_v and p = L_v − h (L_q + F) − AᵀΛ make all of
/// them vanish but those of the forms, which are h A v.
fn compare(
    action: &mut DiscreteAction,
    system: &System,
    structure: &DiracStructure,
    budget: &mut Budget,
) -> Result<Zero, DiscretiseError> {
    let Some(LagrangianMechanics { dynamics, rows, .. }) = system.mechanics.lagrangian() else {
        return Ok(Zero::Unknown { points: 0 });
    };
    let scheme = DiscreteDirac::new(action, system, structure, Side::Plus, budget)?;
    let symbols = &system.symbols;
    let n = symbols.dimension();
    let impulses = action.impulses[0].clone();
    let pool = &mut action.pool;
    let reaction = reactions(pool, n, &rows.matrix, &impulses);
    let mut map = Substitution::default();
    let end = action.points[action.points.len() - 1].clone();
    for i in 0..n {
        let way = pool.mul(action.step, symbols.velocity[i]);
        map.insert(end[i], pool.add(symbols.position[i], way));
        let next = scheme.structure.base[n + i];
        map.insert(next, dynamics.momenta[i]);
        let driving = pool.add(dynamics.gradient[i], dynamics.forces[i]);
        let push = pool.mul(action.step, driving);
        let push = pool.add(push, reaction[i]);
        map.insert(symbols.momentum[i], pool.sub(dynamics.momenta[i], push));
    }
    let mut differences = substitute(pool, &scheme.conditions, &map, budget)?;
    let forms = differences.len() - rows.len();
    for (a, row) in rows.matrix.iter().enumerate() {
        let terms: Vec<ExprId> =
            row.iter().map(|&(i, x)| pool.mul(x, symbols.velocity[i as usize])).collect();
        let rate = pool.sum(&terms);
        let rate = pool.mul(action.step, rate);
        differences[forms + a] = pool.sub(differences[forms + a], rate);
    }
    let pairs = scheme.momentum.iter().zip(&dynamics.momenta);
    differences.extend(pairs.map(|(&found, &wanted)| pool.sub(found, wanted)));
    Ok(action.all_vanish(&differences))
}

/// L_q at fixed v is −H_q at fixed p, and v is H_p, at p = L_v.
fn in_hamiltons_variables(
    action: &mut DiscreteAction,
    system: &System,
    budget: &mut Budget,
) -> Result<Option<Zero>, DiscretiseError> {
    let Some(LagrangianMechanics { dynamics, .. }) = system.mechanics.lagrangian() else {
        return Ok(None);
    };
    let symbols = &system.symbols;
    let pool = &mut action.pool;
    let found = system.mechanics.hamiltonian(pool, &system.model.system, symbols, budget);
    let Some(Hamiltonian::Explicit(hamiltonian)) = found else { return Ok(None) };
    let rates = gradient(pool, hamiltonian, &symbols.position, budget)?;
    let speeds = gradient(pool, hamiltonian, &symbols.momentum, budget)?;
    let map: Substitution =
        symbols.momentum.iter().copied().zip(dynamics.momenta.iter().copied()).collect();
    let rates = substitute(pool, &rates, &map, budget)?;
    let speeds = substitute(pool, &speeds, &map, budget)?;
    let mut differences = Vec::with_capacity(2 * rates.len());
    differences.extend(rates.iter().zip(&dynamics.gradient).map(|(&a, &b)| pool.add(a, b)));
    differences.extend(speeds.iter().zip(&symbols.velocity).map(|(&a, &b)| pool.sub(a, b)));
    Ok(Some(action.all_vanish(&differences)))
}

/// E = L_d − h L(q, (q⁺ − q)/h) changes no equation if D₂E(q⁻, q) + D₁E(q, q⁺) = 0: then D₂E is a
/// function of its second point alone, and the momenta differ by it.
fn relate(
    action: &mut DiscreteAction,
    system: &System,
    budget: &mut Budget,
) -> Result<Relation, DiscretiseError> {
    let Some(LagrangianMechanics { dynamics, .. }) = system.mechanics.lagrangian() else {
        return Ok(Relation::Undecided);
    };
    let [begin, end] = action.points.as_slice() else { return Ok(Relation::InnerPoints) };
    let (begin, end) = (begin.clone(), end.clone());
    let symbols = &system.symbols;
    let pool = &mut action.pool;
    let mut map = Substitution::default();
    for ((&v, &q), &next) in symbols.velocity.iter().zip(&begin).zip(&end) {
        let difference = pool.sub(next, q);
        map.insert(v, pool.div(difference, action.step));
    }
    let mut wanted = vec![dynamics.lagrangian];
    wanted.extend(&dynamics.forces);
    let rectangle = substitute(pool, &wanted, &map, budget)?;
    let rectangle: Vec<ExprId> = rectangle.iter().map(|&x| pool.mul(action.step, x)).collect();
    let difference = pool.sub(action.action, rectangle[0]);
    let difference = shorter(pool, difference);
    let mut first = gradient(pool, difference, &begin, budget)?;
    let mut second = gradient(pool, difference, &end, budget)?;
    // The rectangle has all of its force at the beginning.
    for i in 0..begin.len() {
        let force = pool.sub(action.forces[0][i], rectangle[1 + i]);
        first[i] = pool.add(first[i], force);
        second[i] = pool.add(second[i], action.forces[1][i]);
    }
    if action.all_vanish(&[first.clone(), second.clone()].concat()) == Zero::Yes {
        return Ok(Relation::Same);
    }
    let Some(back) = action.one_step_back() else { return Ok(Relation::InnerPoints) };
    let arriving = substitute(&mut action.pool, &second, &back, budget)?;
    let mut shift = Vec::with_capacity(begin.len());
    for i in 0..begin.len() {
        let sum = action.pool.add(arriving[i], first[i]);
        match action.vanishes(sum) {
            Zero::Yes => {}
            Zero::No => {
                let by = shorter(&mut action.pool, sum);
                return Ok(Relation::Different { coordinate: i, by });
            }
            Zero::Unknown { .. } => return Ok(Relation::Undecided),
        }
        let opposite = action.pool.neg(first[i]);
        shift.push(shorter(&mut action.pool, opposite));
    }
    Ok(Relation::Shifted(shift))
}

fn excess(
    action: &mut DiscreteAction,
    system: &System,
    budget: &mut Budget,
) -> Result<Vec<ExprId>, DiscretiseError> {
    let Some(LagrangianMechanics { rows, .. }) = system.mechanics.lagrangian() else {
        return Ok(Vec::new());
    };
    let pool = &mut action.pool;
    let mut map = Substitution::default();
    let last = action.points.len() - 1;
    for ((&next, &q), &v) in
        action.points[last].iter().zip(&action.points[0]).zip(&system.symbols.velocity)
    {
        let way = pool.mul(action.step, v);
        map.insert(next, pool.add(q, way));
    }
    let mut found = Vec::with_capacity(action.conditions.len());
    for condition in &action.conditions {
        let value = substitute(pool, &[condition.value], &map, budget)?[0];
        let rate = rows.velocity_level[condition.row];
        let difference = if condition.on_position {
            let way = pool.mul(action.step, rate);
            let linear = pool.add(rows.expressions[condition.row], way);
            pool.sub(value, linear)
        } else {
            pool.sub(value, rate)
        };
        found.push(shorter(pool, difference));
    }
    Ok(found)
}
