//! Classical steps in q and p with unknown multipliers, so that A(q⁺)v⁺ + b = 0 (index two).

use isotrope_algebra::ExprId;
use isotrope_algebra::calculus::SparseRows;

use super::DiscretiseError;
use super::dirac::impulses;
use super::mechanics::{Point, Writer};
use super::registry::{Capabilities, Entry, Family, Recipe};
use super::rk4;

/// The family.
pub(super) static FAMILY: Family = Family {
    name: "index-2",
    citation: None,
    capabilities: Capabilities::MECHANICS,
    entries: &[
        Entry {
            name: "euler-c",
            about: "explicit Euler in q and p, with A(q⁺)v⁺ + b = 0",
            recipe: Recipe::Plain(euler),
            ..Entry::BLANK
        },
        Entry {
            name: "implicit-euler-c",
            about: "implicit Euler in q and p, with A(q⁺)v⁺ + b = 0",
            recipe: Recipe::Plain(implicit_euler),
            ..Entry::BLANK
        },
        Entry {
            name: "symplectic-euler-c",
            about: "symplectic Euler in q and p, with A(q⁺)v⁺ + b = 0",
            recipe: Recipe::Plain(symplectic_euler),
            ..Entry::BLANK
        },
        Entry {
            name: "trapezoid-c",
            about: "trapezoidal rule in q and p, with A(q⁺)v⁺ + b = 0 and one Λ for both ends",
            recipe: Recipe::Plain(trapezoid),
            ..Entry::BLANK
        },
        Entry {
            name: "rk4-c",
            about: "rk4 in q and p, half explicit: A(Q)V + b = 0 in every stage and at the end",
            recipe: Recipe::Plain(rk4::half_explicit),
            ..Entry::BLANK
        },
    ],
};

/// q⁺ = q + h v, p⁺ = p + h (L_q + F)(q,v) + A(q)ᵀΛ: linear in p⁺ and Λ.
fn euler(writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
    writer.require_quadratic()?;
    let (h, here) = (writer.h, writer.here());
    let moved = writer.drifted(&here.q, h, &here.v);
    let q = writer.define("⁺", moved);
    let driving = writer.driving(&here)?;
    let p = writer.symbols.momentum.clone();
    let kicked = writer.kicked(&p, h, &driving, &Vec::new(), &[]);
    let reactions = writer.constraints(&here)?;
    let there = Point { q, v: here.v.clone(), t: writer.later() };
    let a = writer.constraints(&there)?;
    let b = writer.at(&there, &writer.rows.offset)?;
    let (v, impulses) = writer.velocities_between(&there, &kicked, &reactions, (&a, &b))?;
    let work = writer.work(&here, h, &impulses)?;
    finish(writer, there, v, &impulses, work)
}

/// All right sides, and A, at the end of the step.
fn implicit_euler(writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
    writer.require_quadratic()?;
    let (h, here) = (writer.h, writer.here());
    let v = writer.unknown_velocities("⁺");
    let impulses = impulses(writer, h);
    let moved = writer.drifted(&here.q, h, &v);
    let q = writer.define("⁺", moved);
    let there = Point { q, v: v.clone(), t: writer.later() };
    let driving = writer.driving(&there)?;
    let a = writer.constraints(&there)?;
    let p = writer.symbols.momentum.clone();
    let kicked = writer.kicked(&p, h, &driving, &a, &impulses);
    balance(writer, &there, &kicked, &a)?;
    let work = writer.work(&there, h, &impulses)?;
    finish(writer, there, v, &impulses, work)
}

/// q⁺ = q + h v(q,p⁺), p⁺ = p + h (L_q + F)(q, v(q,p⁺)) + A(q)ᵀΛ.
fn symplectic_euler(writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
    writer.require_quadratic()?;
    let (h, here) = (writer.h, writer.here());
    // Velocities that belong to p⁺ at the old place.
    let w = writer.unknown_velocities("⁺");
    let impulses = impulses(writer, h);
    let between = Point { v: w.clone(), ..here.clone() };
    let driving = writer.driving(&between)?;
    let reactions = writer.constraints(&here)?;
    let p = writer.symbols.momentum.clone();
    let kicked = writer.kicked(&p, h, &driving, &reactions, &impulses);
    let kicked = writer.define("_p⁺", kicked);
    let found = writer.at(&between, &writer.dynamics.momenta)?;
    for (found, &wanted) in found.into_iter().zip(&kicked) {
        let difference = writer.pool.sub(found, wanted);
        writer.residual.push(difference);
    }
    let moved = writer.drifted(&here.q, h, &w);
    let q = writer.define("⁺", moved);
    let there = Point { q, v: w, t: writer.later() };
    let (v, _) = writer.velocities(&there, &kicked, &Vec::new(), &[])?;
    let v = writer.define("'⁺⁺", v);
    let a = writer.constraints(&there)?;
    let b = writer.at(&there, &writer.rows.offset)?;
    let violations = writer.violations(&a, &b, &v);
    writer.residual.extend(violations);
    let work = writer.work(&between, h, &impulses)?;
    finish(writer, there, v, &impulses, work)
}

/// Both ends by halves; Λ multiplies the mean of A at both.
fn trapezoid(writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
    writer.require_quadratic()?;
    let (h, here) = (writer.h, writer.here());
    let half = writer.pool.mul(ExprId::HALF, h);
    let v = writer.unknown_velocities("⁺");
    let impulses = impulses(writer, h);
    let sum: Vec<ExprId> = here.v.iter().zip(&v).map(|(&a, &b)| writer.pool.add(a, b)).collect();
    let moved = writer.drifted(&here.q, half, &sum);
    let q = writer.define("⁺", moved);
    let there = Point { q, v: v.clone(), t: writer.later() };
    let (first, last) = (writer.driving(&here)?, writer.driving(&there)?);
    let driving: Vec<ExprId> =
        first.into_iter().zip(last).map(|(a, b)| writer.pool.add(a, b)).collect();
    let (old, new) = (writer.constraints(&here)?, writer.constraints(&there)?);
    let p = writer.symbols.momentum.clone();
    let halves: Vec<ExprId> = impulses.iter().map(|&x| writer.pool.mul(ExprId::HALF, x)).collect();
    let kicked = writer.kicked(&p, half, &driving, &old, &halves);
    let zeros = vec![ExprId::ZERO; kicked.len()];
    let kicked = writer.kicked(&kicked, ExprId::ONE, &zeros, &new, &halves);
    balance(writer, &there, &kicked, &new)?;
    let first = writer.work(&here, half, &halves)?;
    let last = writer.work(&there, half, &halves)?;
    let work = writer.pool.add(first, last);
    finish(writer, there, v, &impulses, work)
}

/// L_v = p⁺ and A v + b = 0 at the end of the step.
fn balance(
    writer: &mut Writer<'_>,
    there: &Point,
    momenta: &[ExprId],
    a: &SparseRows,
) -> Result<(), DiscretiseError> {
    let found = writer.at(there, &writer.dynamics.momenta)?;
    for (found, &wanted) in found.into_iter().zip(momenta) {
        let difference = writer.pool.sub(found, wanted);
        writer.residual.push(difference);
    }
    let b = writer.at(there, &writer.rows.offset)?;
    let violations = writer.violations(a, &b, &there.v);
    writer.residual.extend(violations);
    Ok(())
}

fn finish(
    writer: &mut Writer<'_>,
    there: Point,
    v: Vec<ExprId>,
    impulses: &[ExprId],
    work: ExprId,
) -> Result<(), DiscretiseError> {
    let there = Point { v: v.clone(), ..there };
    writer.after.momentum = writer.at(&there, &writer.dynamics.momenta)?;
    writer.after.multipliers = impulses.iter().map(|&x| writer.pool.div(x, writer.h)).collect();
    writer.after.position = there.q;
    writer.after.velocity = v;
    writer.after.work = work;
    Ok(())
}
