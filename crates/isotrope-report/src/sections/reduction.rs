//! Reduced equations in quasi-velocities.

use isotrope_algebra::OutOfBudget;
use isotrope_derive::{Reduction, System};

use super::{math, words};
use crate::document::{Basis, Block, Combination, Equation, Formula, Inline, Section, Sign};

const TITLE: &str = "Reduced equations";

/// What stands in their place where they are too long.
pub(crate) fn too_long(stop: &OutOfBudget) -> Section {
    let words =
        format!("There are symmetries to divide by, but the equations are too long: {stop}.");
    Section { id: "reduction", title: TITLE, blocks: vec![Block::words(words)] }
}

/// Frame, equations, reconstruction.
pub(crate) fn section(system: &mut System, reduction: &Reduction) -> Section {
    let names = system.symbols.names.clone();
    let pool = &mut system.model.pool;
    let mut blocks =
        vec![Block::words("Divided by the symmetries of Lagrangian, forces and constraints")];
    let symmetries = reduction
        .symmetries
        .iter()
        .enumerate()
        .map(|(k, symmetry)| {
            let field = Combination::new(pool, &symmetry.field, &names, Basis::Partial);
            Equation::new(Formula::Indexed("ξ", k + 1), Formula::Combination(field))
        })
        .collect();
    blocks.push(Block::Equations(symmetries));
    blocks.push(Block::words("in quasi-velocities along the invariant frame"));
    let mut frame = Vec::new();
    for (field, &weight) in reduction.frame.iter().zip(&reduction.quasi_velocities) {
        let combination = Combination::new(pool, &field.components, &names, Basis::Partial);
        frame.push(Equation {
            left: weight.into(),
            sign: Sign {
                text: "along",
                latex: r"\text{ along }",
                mathml: "<mtext>\u{a0}along\u{a0}</mtext>",
            },
            right: Formula::Combination(combination),
        });
    }
    blocks.push(Block::Equations(frame));
    blocks.push(Block::words("the motion is"));
    let mut rates = Vec::new();
    for (&weight, &rate) in reduction.quasi_velocities.iter().zip(&reduction.rates) {
        let name = pool.name_of(weight).unwrap_or("w").to_owned();
        rates.push(Equation::new(Formula::Name(format!("{name}'")), rate));
    }
    blocks.push(Block::Equations(rates));
    let mut shape: Vec<Inline> = Vec::new();
    if reduction.shape.is_empty() {
        shape.push(words("a closed system: no position occurs in it. "));
    } else {
        shape.push(words("with the shape variables "));
        for (k, &position) in reduction.shape.iter().enumerate() {
            if k > 0 {
                shape.push(words(", "));
            }
            shape.push(math(position));
        }
        shape.push(words(". "));
    }
    shape.push(words("The positions follow from"));
    blocks.push(Block::Paragraph(shape));
    let reconstruction = system
        .symbols
        .velocity
        .iter()
        .zip(&reduction.reconstruction)
        .map(|(&velocity, &value)| Equation::new(velocity, value))
        .collect();
    blocks.push(Block::Equations(reconstruction));
    Section { id: "reduction", title: TITLE, blocks }
}
