//! Discrete Lagrange–d'Alembert steps: the action is discretised and varied, the reactions are
//! added. For constraints that do not integrate this is not a variational principle.

use isotrope_algebra::ExprId;

use super::DiscretiseError;
use super::dirac::impulses;
use super::mechanics::{Point, Writer};
use super::{Pair, Unknown};

/// L_d = h L((q + q⁺)/2, (q⁺ − q)/h): with w = (q⁺ − q)/h and m = q + h w/2,
/// L_v(m,w) − h/2 (L_q + F)(m,w) = p + A(q)ᵀΛ, A(m)w + b = 0, p⁺ = L_v(m,w) + h/2 (L_q + F)(m,w).
///
/// p⁺ is the momentum before the reaction at q⁺; errors belong to the middle, (m, w).
pub(super) fn midpoint(writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
    writer.require_quadratic()?;
    let (h, here) = (writer.h, writer.here());
    let half = writer.pool.mul(ExprId::HALF, h);
    let names = writer.symbols.names.clone();
    let guesses = writer.symbols.velocity.clone();
    let named = names.iter().zip(guesses);
    let w: Vec<ExprId> =
        named.map(|(name, guess)| writer.unknown(&format!("{name}'½"), guess)).collect();
    let impulses = impulses(writer, h);
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
    let solved = writer.velocities(&there, &p_next, &Vec::new(), &[])?;
    writer.after.velocity = solved.map(|(v, _)| v).unwrap_or_default();
    writer.after.work = writer.work(&middle, h, &impulses)?;
    writer.after.multipliers = impulses.iter().map(|&x| writer.pool.div(x, h)).collect();
    writer.after.position = q_next;
    writer.after.momentum = p_next;
    writer.pair =
        Some(Pair { position: middle.q.clone(), velocity: w, momentum: momenta, time: middle.t });
    Ok(())
}

/// p½ = p + h/2 (L_q + F)(q,v½) + A(q)ᵀΛ with A(q)v½ + b = 0, q⁺ = q + h v½, then the adjoint half
/// step with A(q⁺)v⁺ + b = 0; v½ = v(q, p½) = v(q⁺, p½) for a constant mass matrix.
pub(super) fn leapfrog(writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
    writer.require_quadratic()?;
    let (h, here) = (writer.h, writer.here());
    let half = writer.pool.mul(ExprId::HALF, h);
    // Velocities that the forces depend on are unknown.
    let driving = writer.driving(&here)?;
    let below = writer.pool.reachable(&driving);
    let implicit: Vec<usize> =
        (0..here.v.len()).filter(|&i| below.binary_search(&here.v[i]).is_ok()).collect();
    let mut between = here.clone();
    for &i in &implicit {
        let name = format!("{}'½", writer.symbols.names[i]);
        between.v[i] = writer.unknown(&name, writer.symbols.velocity[i]);
    }
    let driving = writer.driving(&between)?;
    let p = writer.symbols.momentum.clone();
    let kicked = writer.kicked(&p, half, &driving, &Vec::new(), &[]);
    let a = writer.constraints(&here)?;
    let b = writer.rows.offset.clone();
    let solved = writer.velocities(&here, &kicked, &a, &b)?;
    let (v, first) = solved.unwrap_or_default();
    for (k, &i) in implicit.iter().enumerate() {
        let Unknown { symbol, .. } = writer.unknowns[k];
        let difference = writer.pool.sub(symbol, v[i]);
        writer.residual.push(difference);
    }
    if !implicit.is_empty() {
        writer.fixed_point = Some(implicit.iter().map(|&i| v[i]).collect());
    }
    let v = writer.define("'°", v);
    let between = Point { v: v.clone(), ..here };
    let momenta = writer.at(&between, &writer.dynamics.momenta)?;
    let moved = writer.drifted(&between.q, h, &v);
    let q = writer.define("⁺", moved);
    let after = Point { q, v, t: writer.later() };
    let driving = writer.driving(&after)?;
    let kicked = writer.kicked(&momenta, half, &driving, &Vec::new(), &[]);
    let a = writer.constraints(&after)?;
    let b = writer.at(&after, &writer.rows.offset)?;
    let solved = writer.velocities(&after, &kicked, &a, &b)?;
    let (v, last) = solved.unwrap_or_default();
    let v = writer.define("'⁺", v);
    let there = Point { v: v.clone(), ..after.clone() };
    let first = writer.work(&between, half, &first)?;
    let second = writer.work(&after, half, &last)?;
    writer.after.work = writer.pool.add(first, second);
    writer.after.momentum = writer.at(&there, &writer.dynamics.momenta)?;
    writer.after.position = there.q;
    writer.after.velocity = v;
    Ok(())
}
