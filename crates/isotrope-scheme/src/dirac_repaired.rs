//! The two-step integrator of the discrete Dirac structure, with the force where it belongs.

use isotrope_algebra::ExprId;

use super::DiscretiseError;
use super::before::step_before;
use super::mechanics::{Point, Writer};

/// L_v(q⁺,v⁺) = L_v(q₋,v₋) + 2h (L_q + F)(q,v) + A(q)ᵀΛ, A(q⁺)v⁺ + b = 0, q⁺ = q₋ + 2h v: linear
/// in v⁺ and Λ.
///
/// An explicit two-step midpoint rule: of order two, with a root −1 that damping makes grow. The
/// step before the start is one of the classical Runge–Kutta method, backwards.
pub(super) fn second_repaired(writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
    writer.require_quadratic()?;
    let here = writer.here();
    let double = writer.pool.add(writer.h, writer.h);
    let (before, worked) = step_before(writer, &here, "⁻")?;
    let momenta_before = writer.at(&before, &writer.dynamics.momenta)?;
    let (q, p) = (here.q.clone(), writer.symbols.momentum.clone());
    let q_before = carried(writer, "⁻", &before.q, &q);
    let p_before = carried(writer, "_p⁻", &momenta_before, &p);
    let moved = writer.drifted(&q_before, double, &here.v);
    let q = writer.define("⁺", moved);
    let there = Point { q, v: here.v.clone(), t: writer.later() };
    let driving = writer.driving(&here)?;
    let kicked = writer.kicked(&p_before, double, &driving, &Vec::new(), &[]);
    let reactions = writer.constraints(&here)?;
    let a = writer.constraints(&there)?;
    let b = writer.at(&there, &writer.rows.offset)?;
    let (v, impulses) = writer.velocities_between(&there, &kicked, &reactions, (&a, &b))?;
    let v = writer.define("'⁺", v);
    let impulses = writer.define_impulses("", impulses);
    let there = Point { v, ..there };
    // The work is a two-step midpoint rule, too: w⁺ = w₋ + 2h P.
    let over_both = writer.work(&here, double, &impulses)?;
    if !over_both.is_zero() {
        let last = writer.remember("w⁻", worked);
        writer.after.work = writer.pool.sub(over_both, last);
        writer.keep(last, writer.after.work);
    }
    writer.after.momentum = writer.at(&there, &writer.dynamics.momenta)?;
    writer.after.multipliers = impulses.iter().map(|&x| writer.pool.div(x, double)).collect();
    writer.after.position = there.q;
    writer.after.velocity = there.v;
    Ok(())
}

/// Numbers of the step before.
fn carried(
    writer: &mut Writer<'_>,
    mark: &str,
    starts: &[ExprId],
    values: &[ExprId],
) -> Vec<ExprId> {
    let names = writer.symbols.names.clone();
    let mut symbols = Vec::with_capacity(names.len());
    for ((name, &start), &value) in names.iter().zip(starts).zip(values) {
        let symbol = writer.remember(&format!("{name}{mark}"), start);
        writer.keep(symbol, value);
        symbols.push(symbol);
    }
    symbols
}
