//! Systems on Lie groups.

use isotrope_algebra::ExprId;
use isotrope_derive::{GroupMechanics, System};

use super::equations;
use super::mechanics::short;
use crate::document::{Block, Equation, Formula, Section, Sign};

/// Momenta, energy.
pub(crate) fn momenta(system: &mut System, mechanics: &GroupMechanics) -> Section {
    let dynamics = &mechanics.dynamics;
    let n = system.symbols.names.len();
    let mut blocks =
        vec![Block::words("Momenta of the body, left-trivialised: μ = ∂L/∂ξ with ξ = g⁻¹g'.")];
    equations(&mut blocks, n, |k| Equation::new(system.symbols.momentum[k], dynamics.momenta[k]));
    let energy = short(system, dynamics.energy);
    blocks.push(Block::words("Energy:"));
    blocks.push(Block::Equations(vec![Equation::new(Sign::ENERGY, energy)]));
    Section { id: "legendre", title: "Legendre map", blocks }
}

/// μ' = ad*_ξ μ + ∂L/∂g + F + Aᵀλ, and what is advected.
pub(crate) fn euler_poincare(system: &mut System, mechanics: &GroupMechanics) -> Section {
    let n = system.symbols.names.len();
    let mut blocks = vec![Block::words("μ' = ad*_ξ μ + ∂L/∂g + F + Aᵀλ:")];
    let rates: Vec<ExprId> =
        mechanics.eliminated.momentum_rate.iter().map(|&rate| short(system, rate)).collect();
    let names = system.symbols.names.clone();
    equations(&mut blocks, n, |k| {
        Equation::new(Formula::Name(format!("p_{}'", names[k])), rates[k])
    });
    if !mechanics.rows.is_empty() {
        blocks.push(Block::words("with the multipliers"));
        let multipliers = &mechanics.eliminated.multipliers;
        equations(&mut blocks, multipliers.len(), |k| {
            Equation::new(mechanics.multiplier_symbols[k], multipliers[k])
        });
    }
    blocks.push(Block::words("The velocities change at the rates"));
    let accelerations: Vec<ExprId> =
        mechanics.eliminated.acceleration.iter().map(|&rate| short(system, rate)).collect();
    equations(&mut blocks, n, |k| Equation::new(system.symbols.acceleration[k], accelerations[k]));
    let advected = advected(system, mechanics);
    if advected.is_empty() {
        blocks.push(Block::words(
            "The equations contain no configuration: they are a system on the dual of the algebra alone, \
             and the motion of the body follows from g' = g ξ.",
        ));
    } else {
        blocks.push(Block::words(
            "Of the configuration the equations contain only these quantities, which the motion carries \
             along; with them the equations are closed:",
        ));
        equations(&mut blocks, advected.len(), |k| {
            let (name, rate) = &advected[k];
            Equation::new(Formula::Name(format!("{name}'")), *rate)
        });
    }
    Section { id: "motion", title: "Equations of Euler and Poincaré", blocks }
}

/// Entries that the equations contain, and those that their rates contain in turn.
pub(crate) fn advected(system: &System, mechanics: &GroupMechanics) -> Vec<(String, ExprId)> {
    let pool = &system.model.pool;
    let still = |symbol: &ExprId| *symbol != system.symbols.time;
    let rates: Vec<(ExprId, ExprId)> =
        mechanics.drift.iter().filter(|rate| still(&rate.0)).copied().collect();
    let mut roots = mechanics.eliminated.momentum_rate.clone();
    roots.extend(&mechanics.eliminated.acceleration);
    let mut found = vec![false; rates.len()];
    loop {
        let below = pool.reachable(&roots);
        let mut grown = false;
        for (k, (symbol, rate)) in rates.iter().enumerate() {
            if !found[k] && below.binary_search(symbol).is_ok() {
                found[k] = true;
                grown = true;
                roots.push(*rate);
            }
        }
        if !grown {
            break;
        }
    }
    let list = rates.iter().zip(found).filter(|(_, found)| *found);
    list.map(|((symbol, rate), _)| (pool.name_of(*symbol).unwrap_or("?").to_owned(), *rate))
        .collect()
}

/// How the configuration moves, and the momentum seen from space.
pub(crate) fn kinematics(mechanics: &GroupMechanics) -> Section {
    let mut blocks = vec![Block::words(
        "R' = R ω^ and x' = R v; rotations of space are carried as unit quaternions, those of the plane as \
         (cos, sin). The spatial momentum Ad*_{g⁻¹} μ is",
    )];
    let names = &mechanics.spatial_names;
    equations(&mut blocks, names.len(), |k| {
        Equation::new(Formula::Name(names[k].clone()), mechanics.spatial[k])
    });
    Section { id: "space", title: "Momentum in space", blocks }
}
