//! What is conserved and why, and what is not.

use isotrope_algebra::normal::Zero;
use isotrope_derive::{Conservation, Generator, System};

use super::shown;
use crate::document::{Basis, Block, Combination, Equation, Fact, Formula, Section, Sign};

/// How a zero was established, in words.
pub(crate) fn proof(answer: Zero) -> String {
    match answer {
        Zero::Yes => "its rate along the motion is zero, proved symbolically".into(),
        Zero::No => "its rate along the motion is not zero".into(),
        Zero::Unknown { points: 0 } => "by Noether's theorem; not checked along the motion".into(),
        Zero::Unknown { points } => {
            format!("by Noether's theorem; its rate vanishes at {points} random points")
        }
    }
}

/// Conserved quantities, broken symmetries, momentum equations.
pub(crate) fn section(system: &mut System, found: &Conservation) -> Section {
    let mut blocks = Vec::new();
    if found.conserved.is_empty() {
        blocks.push(Block::words("No conserved quantity was found."));
    }
    for (k, quantity) in found.conserved.iter().enumerate().take(shown(found.conserved.len())) {
        blocks.push(Block::Heading(quantity.name.clone()));
        let left = name(&quantity.name).unwrap_or(Formula::Indexed("C", k + 1));
        blocks.push(Block::Equations(vec![Equation::new(left, quantity.expression)]));
        let mut facts = vec![Fact::words("why", quantity.why.clone())];
        if let Some(generator) = quantity.generator.as_ref().filter(|_| !quantity.strict) {
            facts.extend(symmetry(system, generator));
        }
        facts.push(Fact::words("check", proof(quantity.proof)));
        blocks.push(Block::Facts(facts));
    }
    let rest = found.conserved.len() - shown(found.conserved.len());
    if rest > 0 {
        blocks.push(Block::words(format!("… and {rest} more")));
    }
    if let Some(rate) = found.energy_rate {
        blocks.push(Block::words(
            "The energy changes at this rate (forces, moving constraints, explicit time):",
        ));
        blocks.push(Block::Equations(vec![Equation::new(Sign::ENERGY_RATE, rate)]));
    }
    if !found.lost.is_empty() {
        blocks.push(Block::Heading("Momenta that are not conserved".into()));
        blocks.push(Block::words(
            "L alone would conserve them; constraints or forces change them at these rates:",
        ));
        let mut list = Vec::new();
        for (k, lost) in found.lost.iter().enumerate().take(shown(found.lost.len())) {
            let other = |letter| Formula::Indexed(letter, k + 1);
            let left = name(&lost.name).unwrap_or(other("P"));
            let rate = name(&format!("{}'", lost.name)).unwrap_or(other("dP/dt"));
            list.push(Equation::new(left, lost.expression));
            list.push(Equation::new(rate, lost.rate));
        }
        blocks.push(Block::Equations(list));
        let rest = found.lost.len() - shown(found.lost.len());
        if rest > 0 {
            blocks.push(Block::words(format!("… and {rest} more")));
        }
    }
    if !found.momentum_equations.is_empty() {
        blocks.push(Block::Heading("Nonholonomic momentum equations".into()));
        blocks.push(Block::words(
            "Symmetries combined, with coefficients that vary, into admissible directions ξ: \
             the momentum along ξ is free of reactions.",
        ));
        let names = system.symbols.names.clone();
        for (k, equation) in found.momentum_equations.iter().enumerate() {
            let pool = &mut system.model.pool;
            let field = Combination::new(pool, &equation.field, &names, Basis::Partial);
            blocks.push(Block::Equations(vec![
                Equation::new(Formula::Indexed("ξ", k + 1), Formula::Combination(field)),
                Equation::new(Formula::Indexed("J", k + 1), equation.momentum),
                Equation::new(Formula::Indexed("dJ/dt", k + 1), equation.rate),
            ]));
        }
    }
    Section { id: "conserved", title: "Conserved quantities", blocks }
}

/// The field of a symmetry on positions and time, and its gauge term.
fn symmetry(system: &mut System, generator: &Generator) -> Vec<Fact> {
    let mut names = system.symbols.names.clone();
    names.push("t".to_owned());
    let mut field = generator.field.clone();
    field.push(generator.time);
    let field = Combination::new(&mut system.model.pool, &field, &names, Basis::Partial);
    let mut facts = vec![Fact::math("field", Formula::Combination(field))];
    if !generator.gauge.is_zero() {
        facts.push(Fact::math("G", generator.gauge));
    }
    facts
}

/// A quantity's name as a formula, unless it is words.
fn name(text: &str) -> Option<Formula> {
    match text {
        "energy" => Some(Sign::ENERGY.into()),
        _ if text.contains(' ') => None,
        _ => Some(Formula::Name(text.to_owned())),
    }
}
