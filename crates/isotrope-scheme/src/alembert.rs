//! Discrete Lagrange–d'Alembert steps: the action is discretised and varied, the reactions are
//! added. For constraints that do not integrate this is not a variational principle.

use isotrope_algebra::ExprId;

use super::dirac::impulses;
use super::mechanics::{Point, Writer};
use super::rattle::finish;
use super::registry::{Capabilities, Entry, Family, Recipe};
use super::{DiscretiseError, Pair};

/// The family.
pub(super) static FAMILY: Family = Family {
    name: "lagrange-d'alembert",
    citation: Some("J. Cortés, S. Martínez, Nonlinearity 14 (2001), 1365-1392"),
    capabilities: Capabilities { variational: true, ..Capabilities::MECHANICS },
    entries: &[
        Entry {
            name: "dla-midpoint",
            about: "discrete Lagrange–d'Alembert with the midpoint rule",
            recipe: Recipe::Plain(midpoint),
            ..Entry::BLANK
        },
        Entry {
            name: "dla-leapfrog",
            about: "discrete Lagrange–d'Alembert by half steps: (A + A⁺)w + b + b⁺ = 0, A(q⁺)v⁺ + b = 0",
            recipe: Recipe::Plain(leapfrog),
            ..Entry::BLANK
        },
    ],
};

/// L_d = h L((q + q⁺)/2, (q⁺ − q)/h): with w = (q⁺ − q)/h and m = q + h w/2,
/// L_v(m,w) − h/2 (L_q + F)(m,w) = p + A(q)ᵀΛ, A(m)w + b = 0, p⁺ = L_v(m,w) + h/2 (L_q + F)(m,w).
///
/// p⁺ is the momentum before the reaction at q⁺. What is left behind has the part of the reaction
/// in it that makes A(q⁺)v⁺ + b = 0: it lies in the span of the next Λ and changes no later
/// position, and without it velocities would be of order one. Errors belong to the middle, (m, w).
fn midpoint(writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
    writer.require_quadratic()?;
    let (h, here) = (writer.h, writer.here());
    let half = writer.pool.mul(ExprId::HALF, h);
    let w = writer.unknown_velocities("½");
    let impulses = impulses(writer, half);
    let moved = writer.drifted(&here.q, half, &w);
    let q = writer.define("½", moved);
    let t = writer.pool.add(here.t, half);
    let middle = Point { q, v: w.clone(), t };
    let driving = writer.driving(&middle)?;
    let momenta = writer.at(&middle, &writer.dynamics.momenta)?;
    let a = writer.constraints(&here)?;
    let p = writer.symbols.momentum.clone();
    let kicked = writer.kicked(&p, half, &driving, &a, &impulses);
    for (&found, &wanted) in momenta.iter().zip(&kicked) {
        let difference = writer.pool.sub(found, wanted);
        writer.residual.push(difference);
    }
    let a = writer.constraints(&middle)?;
    let b = writer.at(&middle, &writer.rows.offset)?;
    let violations = writer.violations(&a, &b, &w);
    writer.residual.extend(violations);
    let pushed = writer.kicked(&momenta, half, &driving, &Vec::new(), &[]);
    let p_next = writer.define("_p⁺", pushed);
    let moved = writer.drifted(&here.q, h, &w);
    let q_next = writer.define("⁺", moved);
    let there = Point { q: q_next.clone(), v: w.clone(), t: writer.later() };
    let a = writer.constraints(&there)?;
    let b = writer.at(&there, &writer.rows.offset)?;
    let (v, last) = writer.velocities(&there, &p_next, &a, &b)?;
    let v = writer.define("'⁺", v);
    let there = Point { v: v.clone(), ..there };
    let both: Vec<ExprId> =
        impulses.iter().zip(&last).map(|(&x, &y)| writer.pool.add(x, y)).collect();
    writer.after.work = writer.work(&middle, h, &both)?;
    writer.after.multipliers = both.iter().map(|&x| writer.pool.div(x, h)).collect();
    writer.after.momentum = writer.at(&there, &writer.dynamics.momenta)?;
    writer.after.position = there.q;
    writer.after.velocity = v;
    let work = writer.pool.mul(ExprId::HALF, writer.after.work);
    let Point { q, t, .. } = middle;
    writer.pair = Some(Pair { position: q, velocity: w, momentum: momenta, time: t, work });
    Ok(())
}

/// L_d = h/2 (L(q,w) + L(q⁺,w)), w = (q⁺ − q)/h: (L_v(q,w) + L_v(q⁺,w))/2 = p½ with
/// p½ = p + h/2 (L_q + F)(q,w) + A(q)ᵀΛ and (A(q)w + b) + (A(q⁺)w + b⁺) = 0; then
/// p⁺ = p½ + h/2 (L_q + F)(q⁺,w) + A(q⁺)ᵀΜ with A(q⁺)v⁺ + b = 0.
///
/// The halves mirror each other. With A(q)w + b = 0 in place of the sum they do not, and the step
/// is of order one. With a constant mass matrix and forces of positions alone Λ is the only unknown.
fn leapfrog(writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
    writer.require_quadratic()?;
    let (h, here) = (writer.h, writer.here());
    let half = writer.pool.mul(ExprId::HALF, h);
    let implicit = writer.coupled || writer.varying_mass;
    let unknown = if implicit { writer.unknown_velocities("½") } else { here.v.clone() };
    let impulses = impulses(writer, half);
    let before = Point { v: unknown, ..here };
    let driving = writer.driving(&before)?;
    let a = writer.constraints(&before)?;
    let p = writer.symbols.momentum.clone();
    let kicked = writer.kicked(&p, half, &driving, &a, &impulses);
    let momenta = writer.define("_p½", kicked);
    let before = if implicit {
        before
    } else {
        let (v, _) = writer.velocities(&before, &momenta, &Vec::new(), &[])?;
        Point { v: writer.define("'½", v), ..before }
    };
    let moved = writer.drifted(&before.q, h, &before.v);
    let q = writer.define("⁺", moved);
    let after = Point { q, v: before.v.clone(), t: writer.later() };
    if implicit {
        let first = writer.at(&before, &writer.dynamics.momenta)?;
        let last = writer.at(&after, &writer.dynamics.momenta)?;
        for ((first, last), &wanted) in first.into_iter().zip(last).zip(&momenta) {
            let sum = writer.pool.add(first, last);
            let mean = writer.pool.mul(ExprId::HALF, sum);
            let difference = writer.pool.sub(mean, wanted);
            writer.residual.push(difference);
        }
    }
    let (first, last) = (writer.rates(&before)?, writer.rates(&after)?);
    for (first, last) in first.into_iter().zip(last) {
        let sum = writer.pool.add(first, last);
        writer.residual.push(sum);
    }
    finish(writer, half, &before, &after, &momenta, &impulses)
}
