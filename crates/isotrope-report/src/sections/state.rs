//! Systems in state space: the Hamiltonian form, the equations, the balance of power.

use isotrope_algebra::ExprId;
use isotrope_algebra::normal::Zero;
use isotrope_derive::{InputSignal, StateSpace, Structure, System};
use isotrope_model::StateKind;

use super::{equations, words};
use crate::document::{Block, Equation, Fact, Formula, Section, Sign};

/// Matrices up to this size are written out.
const MATRIX: usize = 8;

/// H and the matrices.
pub(crate) fn structure(system: &System, state: &StateSpace) -> Vec<Option<Section>> {
    let (Some(structure), Some(energy)) = (&state.structure, state.energy) else {
        return Vec::new();
    };
    let bracket = state.kind == StateKind::Poisson;
    let mut blocks = vec![
        Block::Equations(vec![Equation::new(Sign::HAMILTONIAN, energy)]),
        Block::words(match bracket {
            true => "The bracket, x' = D ∇H:",
            false if state.descriptor.is_some() => {
                "The structure, E x' = (J − R) z + g u with efforts z, Eᵀ z = ∇H:"
            }
            false => "The structure, x' = (J − R) ∇H + g u:",
        }),
    ];
    let name = |letter: &str| Formula::Name(letter.to_owned());
    if system.symbols.dimension() <= MATRIX {
        if let Some(descriptor) = &state.descriptor {
            blocks.push(Block::Matrix { left: name("E"), rows: descriptor.matrix.clone() });
        }
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
    if let Some(descriptor) = &state.descriptor {
        blocks.push(Block::words("The efforts:"));
        equations(&mut blocks, descriptor.effort.len(), |k| {
            let name = format!("z_{}", system.symbols.names[k]);
            Equation::new(Formula::Name(name), descriptor.effort[k])
        });
    } else {
        blocks.push(Block::Facts(vec![jacobi(system, structure, bracket)]));
    }
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

/// The constraints of a descriptor system, level by level.
pub(crate) fn constraints(state: &StateSpace) -> Option<Section> {
    let descriptor = state.descriptor.as_ref()?;
    let mut blocks = Vec::new();
    let index = match descriptor.index {
        0 => "0: E is invertible".to_owned(),
        1 => "1: the rates are determined when constraints are differentiated once".to_owned(),
        index => format!("{index}: equations are differentiated {index} times for all rates"),
    };
    blocks.push(Block::Facts(vec![Fact::words("index", index)]));
    let levels = descriptor.constraints.iter().map(|constraint| constraint.level).max();
    for level in 0..levels.map_or(0, |level| level + 1) {
        let own: Vec<(usize, ExprId)> = (1..)
            .zip(&descriptor.constraints)
            .filter(|(_, constraint)| constraint.level == level)
            .map(|(k, constraint)| (k, constraint.expression))
            .collect();
        blocks.push(Block::words(match level {
            0 => "What the equations demand without rates, c = 0:".to_owned(),
            1 => "What follows by differentiating once:".to_owned(),
            _ => format!("What follows by differentiating {level} times:"),
        }));
        equations(&mut blocks, own.len(), |k| {
            Equation::new(Formula::Name(format!("c_{}", own[k].0)), own[k].1)
        });
    }
    let check = match descriptor.solved {
        Zero::Yes => {
            "the rates below solve all equations and keep the constraints, proved symbolically"
        }
        Zero::No => "the rates below do not keep the constraints",
        Zero::Unknown { .. } => "not decided whether the rates below keep the constraints",
    };
    let mut facts = vec![Fact::words("check", check.to_owned())];
    if !descriptor.conditions.is_empty() {
        let mut content = Vec::new();
        for (k, &condition) in descriptor.conditions.iter().enumerate() {
            content.push(words(if k == 0 { "none of these vanishes: " } else { ", " }));
            content.push(super::math(condition));
        }
        facts.push(Fact { label: "where".into(), content });
    }
    blocks.push(Block::Facts(facts));
    Some(Section { id: "constraints", title: "Constraints", blocks })
}

/// The equations, inputs and outputs.
pub(crate) fn motion(system: &System, state: &StateSpace) -> Section {
    let n = system.symbols.dimension();
    let mut blocks = Vec::new();
    equations(&mut blocks, n, |k| {
        Equation::new(system.symbols.velocity[k], state.rate_of_inputs[k])
    });
    if !state.inputs.is_empty() {
        let rates = state.descriptor.iter().flat_map(|descriptor| &descriptor.signals);
        let signals: Vec<&InputSignal> = state.inputs.iter().chain(rates).collect();
        blocks.push(Block::words("Inputs:"));
        equations(&mut blocks, signals.len(), |k| {
            Equation::new(signals[k].symbol, signals[k].value)
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
pub(crate) fn balance(state: &StateSpace) -> Option<Section> {
    let structure = state.structure.as_ref().filter(|_| state.kind == StateKind::Port)?;
    let mut blocks = vec![Block::words(match state.descriptor {
        Some(_) => "H' = −zᵀ R z + yᵀ u + ∂H/∂t, with the outputs y = gᵀ z of the ports:",
        None => "H' = −∇Hᵀ R ∇H + yᵀ u + ∂H/∂t, with the outputs y = gᵀ ∇H of the ports:",
    })];
    equations(&mut blocks, structure.outputs.len(), |k| {
        let name = format!("y_{}", state.inputs[k].name);
        Equation::new(Formula::Name(name), structure.outputs[k])
    });
    blocks.push(Block::Equations(vec![
        Equation::new(Formula::Name("dissipated".to_owned()), structure.dissipated),
        Equation::new(Formula::Name("supplied".to_owned()), structure.supplied),
    ]));
    let check = match structure.balance {
        Zero::Yes if state.descriptor.is_some() => {
            "proved symbolically on the constraints, by differentiating H along the equations"
                .to_owned()
        }
        Zero::Yes => "proved symbolically, by differentiating H along the equations".to_owned(),
        Zero::Unknown { .. } if state.descriptor.is_some() => "not decided".to_owned(),
        Zero::No => "it does not hold".to_owned(),
        Zero::Unknown { points: 0 } => "not checked".to_owned(),
        Zero::Unknown { points } => format!("it holds at {points} random points"),
    };
    blocks.push(Block::Facts(vec![Fact::words("check", check)]));
    Some(Section { id: "balance", title: "Balance of power", blocks })
}
