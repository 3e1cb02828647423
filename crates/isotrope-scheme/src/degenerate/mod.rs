//! Lagrangians that are affine in the velocities, L = ϑ(q)·v − H(q): equations of first order.
//!
//! The discrete Euler–Lagrange equations of such a Lagrangian have two steps where the continuous ones
//! have one: what is started by p = ϑ(q) does not stay there, and the part off this manifold is a
//! parasitic motion that may grow. Three ways out: Runge–Kutta steps on v = f(q) (`field`), discrete
//! Lagrangians that are degenerate themselves (`polarised`), and steps that are projected (`projected`).
//!
//! Such a Lagrangian has the parts that writers and monitors ask of any Lagrangian, so only schemes
//! that know it are let through; Runge–Kutta tables become equations on v = f(q).

mod field;
mod polarised;
mod projected;

pub(super) use field::table;

use isotrope_algebra::ExprId;

use super::mechanics::{Point, Writer};
use super::registry::{Capabilities, Entry, Family, Recipe};
use super::{DiscretiseError, equations::Increments};
use isotrope_derive::Degenerate;

/// The family.
pub(super) static FAMILY: Family = Family {
    name: "degenerate-variational",
    citation: None,
    capabilities: Capabilities { first_order: true, ..Capabilities::MECHANICS },
    entries: &[
        Entry {
            name: "dvi-1",
            about: "L_d = ϑ(q)·(x⁺ − x) − hH(q) where ϑ = ϑ_x(x, y)·dx: degenerate as L is, one step",
            recipe: Recipe::Plain(polarised::first),
            ..Entry::BLANK
        },
        Entry {
            name: "dvi-1-adjoint",
            about: "L_d = ϑ(q⁺)·(x⁺ − x) − hH(q⁺), the inverse step of −h of dvi-1",
            recipe: Recipe::Plain(polarised::adjoint),
            ..Entry::BLANK
        },
        Entry {
            name: "dvi-2",
            about: "L_d = P·(x⁺ − x) − h/2 (H(x, P) + H(x⁺, P)) with P = ϑ(x, y): keeps dϑ",
            recipe: Recipe::Plain(polarised::second),
            ..Entry::BLANK
        },
        Entry {
            name: "dvi-4",
            about: "three steps of dvi-2, one of them backwards",
            recipe: Recipe::Plain(polarised::fourth),
            ..Entry::BLANK
        },
        Entry {
            name: "projected:",
            about: "a variational step between two equal shifts that lead to p = ϑ(q) again",
            recipe: Recipe::Projected {
                write: projected::symmetric,
                some: &["projected:variational-midpoint", "projected:galerkin-2-gauss2"],
            },
            ..Entry::BLANK
        },
        Entry {
            name: "twostep:",
            about: "the variational step as it is, with its parasitic motion: for study, not for use",
            recipe: Recipe::Projected {
                write: projected::bare,
                some: &["twostep:variational-midpoint"],
            },
            ..Entry::BLANK
        },
    ],
};

/// The system of first order, or why there is none.
fn first_order<'s>(writer: &Writer<'s>) -> Result<&'s Degenerate, DiscretiseError> {
    writer.first_order.ok_or(DiscretiseError::NotApplicable {
        reason: "the Lagrangian is not linear in the velocities: its momenta are free, and no step \
                 has to lead back to p = ϑ(q)",
    })
}

/// x' = f(x, t), or why there is no such equation.
fn rates<'s>(writer: &Writer<'s>) -> Result<&'s [ExprId], DiscretiseError> {
    writer.rates.ok_or(DiscretiseError::NotApplicable {
        reason: "the equations are of second order: velocities do not follow from positions",
    })
}

/// The end of a step: q⁺ with v⁺ = f(q⁺) and p⁺ = ϑ(q⁺), or momenta that the scheme has.
pub(super) fn finish(
    writer: &mut Writer<'_>,
    q: Vec<ExprId>,
    way: Vec<ExprId>,
    momenta: Option<Vec<ExprId>>,
) -> Result<(), DiscretiseError> {
    let rates = rates(writer)?;
    let there = Point { q, v: writer.symbols.velocity.clone(), t: writer.later() };
    let v = writer.at(&there, rates)?;
    let p = match momenta {
        Some(p) => p,
        None => writer.at(&there, &writer.dynamics.momenta)?,
    };
    let before = writer.symbols.momentum.clone();
    let momentum = p.iter().zip(before).map(|(&new, old)| writer.pool.sub(new, old)).collect();
    writer.after.increments = Some(Increments { position: way, momentum });
    writer.after.position = there.q;
    writer.after.velocity = v;
    writer.after.momentum = p;
    Ok(())
}
