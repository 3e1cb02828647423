//! SHAKE: leapfrog with φ(q⁺) = 0 and nothing imposed on velocities.

use isotrope_algebra::ExprId;

use super::dirac::impulses;
use super::mechanics::{Point, Writer};
use super::{DiscretiseError, Pair};

/// p½ = p₋½ + h (L_q + F)(q,v) + A(q)ᵀΛ, q⁺ = q + h M⁻¹p½, φ(q⁺) = 0, with v = (v₋½ + v½)/2, that is
/// (q⁺ − q₋)/2h; the first step has h/2 in place of h and begins with p and v of the start.
///
/// It carries momenta and velocities of the middle of steps; errors belong to (q, v). Its positions
/// are those of RATTLE.
pub(super) fn shake(writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
    if !writer.rows.all_holonomic() {
        return Err(DiscretiseError::NotApplicable {
            reason: "it needs constraints on positions; a constraint on velocities that integrates \
                     to one can be written so",
        });
    }
    writer.require_quadratic()?;
    if writer.varying_mass {
        return Err(DiscretiseError::NotApplicable {
            reason: "the mass matrix varies, and momenta of the middle of a step have no velocities \
                     at its ends; `rattle` takes it",
        });
    }
    let (h, here) = (writer.h, writer.here());
    // Zero in the first step, ½ later.
    let later = writer.remember("s", ExprId::ZERO);
    writer.keep(later, ExprId::HALF);
    let weight = writer.pool.add(ExprId::HALF, later);
    let factor = writer.pool.mul(h, weight);
    let unknown = writer.coupled.then(|| writer.unknown_velocities("½"));
    let impulses = impulses(writer, h);
    let (old, p) = (here.v.clone(), writer.symbols.momentum.clone());
    let mut point = here;
    if let Some(v) = &unknown {
        point.v = between(writer, later, &old, v);
    }
    let driving = writer.driving(&point)?;
    let a = writer.constraints(&point)?;
    let kicked = writer.kicked(&p, factor, &driving, &a, &impulses);
    let momenta = writer.define("_p½", kicked);
    let (v, _) = writer.velocities(&point, &momenta, &Vec::new(), &[])?;
    let v = writer.define("'½°", v);
    for (&symbol, &value) in unknown.iter().flatten().zip(&v) {
        let difference = writer.pool.sub(symbol, value);
        writer.residual.push(difference);
    }
    let moved = writer.drifted(&point.q, h, &v);
    let q = writer.define("⁺", moved);
    let there = Point { q: q.clone(), v: v.clone(), t: writer.later() };
    let phi = writer.at(&there, &writer.rows.expressions)?;
    writer.residual.extend(phi);
    point.v = between(writer, later, &old, &v);
    let middle = between(writer, later, &p, &momenta);
    let work = writer.work(&point, factor, &impulses)?;
    writer.after.work = work;
    writer.after.position = q;
    writer.after.velocity = v;
    writer.after.momentum = momenta;
    writer.after.multipliers = impulses.iter().map(|&x| writer.pool.div(x, factor)).collect();
    // Up to (q, v): none in the first step, half of it later.
    let part = writer.pool.div(later, weight);
    let work = writer.pool.mul(part, work);
    let Point { q: position, v: velocity, t: time } = point;
    writer.pair = Some(Pair { position, velocity, momentum: middle, time, work });
    Ok(())
}

/// old + s (new − old).
fn between(writer: &mut Writer<'_>, s: ExprId, old: &[ExprId], new: &[ExprId]) -> Vec<ExprId> {
    let changes: Vec<ExprId> = new.iter().zip(old).map(|(&n, &o)| writer.pool.sub(n, o)).collect();
    writer.drifted(old, s, &changes)
}
