//! Systems in state space: the Hamiltonian form, the equations, the balance of power.

use isotrope_algebra::normal::Zero;
use isotrope_model::StateKind;
use isotrope_scheme::derive::{StateSpace, Structure, System};

use super::{equations, words};
use crate::report::document::{Block, Equation, Fact, Formula, Section, Sign};

/// Matrices up to this size are written out.
const MATRIX: usize = 8;

/// H and the matrices.
pub(in crate::report) fn structure(system: &System, state: &StateSpace) -> Vec<Option<Section>> {
    let (Some(structure), Some(energy)) = (&state.structure, state.energy) else {
        return Vec::new();
    };
    let bracket = state.kind == StateKind::Poisson;
    let mut blocks = vec![
        Block::Equations(vec![Equation::new(Sign::HAMILTONIAN, energy)]),
        Block::words(match bracket {
            true => "The bracket, x' = D ∇H:",
            false => "The structure, x' = (J − R) ∇H + g u:",
        }),
    ];
    let name = |letter: &str| Formula::Name(letter.to_owned());
    if system.symbols.dimension() <= MATRIX {
        let left = name(if bracket { "D" } else { "J" });
        blocks.push(Block::Matrix { left, rows: structure.skew.clone() });
        if let Some(rows) = &structure.symmetric {
            blocks.push(Block::Matrix { left: name("R"), rows: rows.clone() });
        }
        if !structure.columns.is_empty() {
            let n = system.symbols.dimension();
            let rows = (0..n).map(|i| structure.columns.iter().map(|c| c[i]).collect()).collect();
            blocks.push(Block::Matrix { left: name("g"), rows });
        }
    }
    blocks.push(Block::Facts(vec![jacobi(system, structure, bracket)]));
    let title = if bracket { "Poisson bracket" } else { "Port-Hamiltonian form" };
    vec![Some(Section { id: "structure", title, blocks })]
}

fn jacobi(system: &System, structure: &Structure, bracket: bool) -> Fact {
    let letter = if bracket { "D" } else { "J" };
    let text = match (structure.jacobi, structure.jacobi_component) {
        (Zero::Yes, _) => format!("holds, proved symbolically: {letter} is a Poisson structure"),
        (Zero::No, Some((at, value))) => {
            let names = at.map(|i| system.symbols.names[i].clone()).join(", ");
            let mut fact = vec![words(format!("fails: half of [{letter}, {letter}] is "))];
            fact.push(super::math(value));
            fact.push(words(format!(" at ({names})")));
            return Fact { label: "Jacobi".into(), content: fact };
        }
        (Zero::Unknown { points: 0 }, _) | (Zero::No, None) => "not decided".to_owned(),
        (Zero::Unknown { points }, _) => format!("holds at {points} random points; not proved"),
    };
    Fact::words("Jacobi", text)
}

/// The equations, inputs and outputs.
pub(in crate::report) fn motion(system: &System, state: &StateSpace) -> Section {
    let n = system.symbols.dimension();
    let mut blocks = Vec::new();
    equations(&mut blocks, n, |k| {
        Equation::new(system.symbols.velocity[k], state.rate_of_inputs[k])
    });
    if !state.inputs.is_empty() {
        blocks.push(Block::words("Inputs:"));
        equations(&mut blocks, state.inputs.len(), |k| {
            Equation::new(state.inputs[k].symbol, state.inputs[k].value)
        });
    }
    if !state.outputs.is_empty() {
        blocks.push(Block::words("Outputs:"));
        equations(&mut blocks, state.outputs.len(), |k| {
            let (name, value) = &state.outputs[k];
            Equation::new(Formula::Name(name.clone()), *value)
        });
    }
    Section { id: "motion", title: "Equations of first order", blocks }
}

/// H' = −∇Hᵀ R ∇H + yᵀ u of systems with ports.
pub(in crate::report) fn balance(state: &StateSpace) -> Option<Section> {
    let structure = state.structure.as_ref().filter(|_| state.kind == StateKind::Port)?;
    let mut blocks = vec![Block::words(
        "H' = −∇Hᵀ R ∇H + yᵀ u + ∂H/∂t, with the outputs y = gᵀ ∇H of the ports:",
    )];
    equations(&mut blocks, structure.outputs.len(), |k| {
        let name = format!("y_{}", state.inputs[k].name);
        Equation::new(Formula::Name(name), structure.outputs[k])
    });
    blocks.push(Block::Equations(vec![
        Equation::new(Formula::Name("dissipated".to_owned()), structure.dissipated),
        Equation::new(Formula::Name("supplied".to_owned()), structure.supplied),
    ]));
    let check = match structure.balance {
        Zero::Yes => "proved symbolically, by differentiating H along the equations".to_owned(),
        Zero::No => "it does not hold".to_owned(),
        Zero::Unknown { points: 0 } => "not checked".to_owned(),
        Zero::Unknown { points } => format!("it holds at {points} random points"),
    };
    blocks.push(Block::Facts(vec![Fact::words("check", check)]));
    Some(Section { id: "balance", title: "Balance of power", blocks })
}
