//! Lagrangians that are affine in the velocities: the form, equations of first order.

use isotrope_algebra::ExprId;
use isotrope_derive::{Degenerate, NotPolarised, System};

use super::{equations, math, words};
use crate::document::{Block, Equation, Formula, Section, Sign};

/// Matrices up to this size are written out.
const MATRIX: usize = 8;

/// Momenta, form and energy.
pub(crate) fn form(system: &System, degenerate: &Degenerate) -> Section {
    let n = system.symbols.dimension();
    let dynamics = &degenerate.dynamics;
    let mut blocks = vec![Block::words(
        "L is linear in the velocities, L = ϑ(q)·v − H(q): the mass matrix is zero, and the momenta are \
         functions of the positions.",
    )];
    blocks.push(Block::Paragraph(vec![
        words("Constraints "),
        math(Sign::LEGENDRE),
        words(" = ϑ(q):"),
    ]));
    equations(&mut blocks, n, |k| Equation::new(system.symbols.momentum[k], dynamics.momenta[k]));
    if n <= MATRIX {
        blocks.push(Block::words("The form dϑ, Ω_ij = ∂_iϑ_j − ∂_jϑ_i:"));
        blocks.push(Block::Matrix { left: Sign::FORM.into(), rows: degenerate.form.clone() });
    }
    blocks.push(Block::words("Energy:"));
    blocks.push(Block::Equations(vec![Equation::new(Sign::ENERGY, dynamics.energy)]));
    Section { id: "form", title: "Symplectic form", blocks }
}

/// Euler-Lagrange equations, and the velocities that solve them.
pub(crate) fn motion(system: &System, degenerate: &Degenerate) -> Section {
    let n = system.symbols.dimension();
    let mut blocks = vec![Block::Paragraph(vec![math(Sign::FIRST_ORDER), words(":")])];
    equations(&mut blocks, n, |k| Equation::new(degenerate.residual[k], ExprId::ZERO));
    if degenerate.eliminated.explicit {
        blocks.push(Block::words("The velocities follow from the positions:"));
        equations(&mut blocks, n, |k| {
            Equation::new(system.symbols.velocity[k], degenerate.velocity[k])
        });
    } else {
        blocks.push(Block::words(format!(
            "The velocities follow from the positions; they are not written as formulas but solve these \
             {n} linear equations."
        )));
    }
    let conditions: Vec<ExprId> = degenerate
        .conditions
        .iter()
        .copied()
        .filter(|&condition| system.model.pool.as_number(condition).is_none())
        .collect();
    if !conditions.is_empty() {
        blocks.push(Block::words("The formulas hold where"));
        equations(&mut blocks, conditions.len(), |k| Equation {
            left: conditions[k].into(),
            sign: Sign::DIFFERS,
            right: ExprId::ZERO.into(),
        });
    }
    Section { id: "motion", title: "Equations of first order", blocks }
}

/// Which half of the coordinates carries the velocities.
pub(crate) fn polarisation(system: &System, degenerate: &Degenerate) -> Section {
    let names = |list: &[usize]| -> String {
        list.iter().map(|&i| system.symbols.names[i].as_str()).collect::<Vec<_>>().join(", ")
    };
    let mut blocks = Vec::new();
    match &degenerate.polarisation {
        Ok(found) => {
            let (x, y) = (names(&found.base), names(&found.fibre));
            blocks.push(Block::words(format!(
                "ϑ is of half of the coordinates, x = ({x}) with y = ({y}): ϑ = ϑ_x(x, y)·dx{}.",
                if found.gauge.is_zero() { "" } else { " after adding dg/dt to L" }
            )));
            if !found.gauge.is_zero() {
                blocks.push(Block::Equations(vec![Equation::new(
                    Formula::Name("g".to_owned()),
                    found.gauge,
                )]));
                equations(&mut blocks, found.base.len(), |k| {
                    let name = system.symbols.names[found.base[k]].clone();
                    Equation::new(Formula::Component("ϑ", name), found.potential[k])
                });
            }
            blocks.push(Block::words(
                "Degenerate variational integrators apply: dvi-1, dvi-2, dvi-4.",
            ));
        }
        Err(reason) => blocks.push(Block::words(not_polarised(reason))),
    }
    Section { id: "polarisation", title: "Degenerate variational integrators", blocks }
}

/// Why degenerate variational integrators do not apply, in words.
pub(crate) fn not_polarised(reason: &NotPolarised) -> String {
    match reason {
        NotPolarised::NoLeaves { pairs } => {
            let pairs: Vec<String> =
                pairs.iter().map(|(x, y)| format!("dϑ(∂{x}, ∂{y}) ≠ 0")).collect();
            format!(
                "No half of these coordinates can carry all velocities, since dϑ vanishes on no half of \
                 them ({}): dvi methods do not apply, projected ones do.",
                pairs.join(", ")
            )
        }
        NotPolarised::NoGauge { fibre } => format!(
            "dϑ vanishes along ({}), but the total derivative that removes their velocities from L is no \
             polynomial in them: dvi methods need L written without them, projected ones do not.",
            fibre.join(", ")
        ),
    }
}
