//! The Lagrangian, its momenta, mass matrix and energies.

use isotrope_algebra::{Budget, ExprId, normal};
use isotrope_derive::{Dynamics, Hamiltonian, System};

use super::{WHOLE, equations, math, words};
use crate::document::{Block, Equation, Formula, Section, Sign};

/// Matrices up to this size are written out.
const MATRIX: usize = 8;

/// `L` and the forces.
pub(crate) fn lagrangian(system: &System, dynamics: &Dynamics) -> Section {
    let mut blocks = Vec::new();
    let given = system.model.system.hamiltonian();
    if let Some(hamiltonian) = given {
        blocks.push(Block::Equations(vec![Equation::new(Sign::HAMILTONIAN, hamiltonian)]));
        blocks.push(Block::words(
            "is given; the velocities are affine in the momenta, so it comes from",
        ));
    }
    blocks.push(Block::Equations(vec![Equation::new(Sign::LAGRANGIAN, dynamics.lagrangian)]));
    let forced: Vec<usize> =
        (0..dynamics.working.len()).filter(|&k| !dynamics.working[k].is_zero()).collect();
    if !forced.is_empty() {
        blocks.push(Block::words("Generalised forces:"));
        equations(&mut blocks, forced.len(), |k| {
            let k = forced[k];
            let left = Formula::Component("F", system.symbols.names[k].clone());
            Equation::new(left, dynamics.working[k])
        });
    }
    let title = match given {
        Some(_) => "Hamiltonian and Lagrangian",
        None => "Lagrangian",
    };
    Section { id: "lagrangian", title, blocks }
}

/// Momenta, mass matrix, energy, Hamiltonian.
pub(crate) fn legendre(
    system: &mut System,
    dynamics: &Dynamics,
    hamiltonian: Option<Hamiltonian>,
) -> Section {
    let n = system.symbols.dimension();
    let mut blocks =
        vec![Block::Paragraph(vec![words("Momenta "), math(Sign::LEGENDRE), words(":")])];
    equations(&mut blocks, n, |k| Equation::new(system.symbols.momentum[k], dynamics.momenta[k]));
    if n <= MATRIX {
        let mut rows = vec![vec![ExprId::ZERO; n]; n];
        for (i, row) in dynamics.mass.iter().enumerate() {
            for &(j, value) in row {
                rows[i][j as usize] = value;
            }
        }
        blocks.push(Block::words("Mass matrix:"));
        blocks.push(Block::Matrix { left: Sign::MASS.into(), rows });
    } else {
        let entries: usize = dynamics.mass.iter().map(Vec::len).sum();
        blocks.push(Block::words(format!(
            "The mass matrix has {n} × {n} entries, {entries} of them not zero (--json lists them)."
        )));
    }
    let energy = short(system, dynamics.energy);
    let mut energies = vec![Equation::new(Sign::ENERGY, energy)];
    let reason = hamiltonian.and_then(Hamiltonian::reason);
    if let Some(value) = hamiltonian.and_then(Hamiltonian::expression) {
        energies.push(Equation::new(Sign::HAMILTONIAN, value));
    }
    blocks.push(Block::words("Energy:"));
    blocks.push(Block::Equations(energies));
    if let Some(reason) = reason {
        blocks.push(Block::words(format!("No formula for the Hamiltonian: {reason}.")));
    }
    Section { id: "legendre", title: "Legendre map", blocks }
}

/// A shorter form where one is cheap to find.
pub(super) fn short(system: &mut System, expression: ExprId) -> ExprId {
    if system.symbols.dimension() > WHOLE {
        return expression;
    }
    normal::simplify(&mut system.model.pool, expression, &mut Budget::new(200_000))
}
