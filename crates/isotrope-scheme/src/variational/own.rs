//! The discrete Lagrangian that a model brings along.

use isotrope_algebra::calculus::{Substitution, gradient, substitute};
use isotrope_algebra::{ExprId, OrInternal, Rational};

use super::step::{Part, Start, Varied, time};
use crate::DiscretiseError;
use crate::mechanics::{Point, Writer};

/// Why a model has no such step.
pub(super) const MISSING: &str =
    "the model has no discrete Lagrangian of its own: write one as `[discrete] L`";

/// p + D₁L_d = 0 and p⁺ = D₂L_d at q⁺ = q + γh W. Forces without a potential are taken at the midpoint,
/// half at each end.
pub(super) fn vary(
    writer: &mut Writer<'_>,
    part: &Part<'_>,
    start: &Start,
    reversed: bool,
) -> Result<Varied, DiscretiseError> {
    let Some(own) = writer.own else {
        return Err(DiscretiseError::NotApplicable { reason: MISSING });
    };
    let first = gradient(&mut writer.pool, own.lagrangian, &own.begin, writer.budget)?;
    let second = gradient(&mut writer.pool, own.lagrangian, &own.end, writer.budget)?;
    let w = part.velocities.first().cloned().or_internal("a step has a first velocity")?;
    let q_end = writer.drifted(&start.q, part.step, &w);
    let t_end = time(writer, part, start.t, &Rational::ONE);
    let (from, to, h, t) = if reversed {
        (&q_end, &start.q, writer.pool.neg(part.step), t_end)
    } else {
        (&start.q, &q_end, part.step, start.t)
    };
    let mut map = Substitution::default();
    map.extend(own.begin.iter().copied().zip(from.iter().copied()));
    map.extend(own.end.iter().copied().zip(to.iter().copied()));
    map.insert(own.step, h);
    map.insert(writer.symbols.time, t);
    map.retain(|from, to| from != to);
    let first = substitute(&mut writer.pool, &first, &map, writer.budget)?;
    let second = substitute(&mut writer.pool, &second, &map, writer.budget)?;
    // −L_d(q⁺, q, −h): the derivative at the beginning is that in the second point.
    let minus = |writer: &mut Writer<'_>, list: Vec<ExprId>| -> Vec<ExprId> {
        list.into_iter().map(|x| writer.pool.neg(x)).collect()
    };
    let (first, second) =
        if reversed { (minus(writer, second), minus(writer, first)) } else { (first, second) };
    let half = writer.pool.mul(ExprId::HALF, part.step);
    let q = writer.drifted(&start.q, half, &w);
    let t = writer.pool.add(start.t, half);
    let middle = Point { q, v: w, t };
    let forces = writer.at(&middle, &writer.dynamics.forces)?;
    let residual = writer.kicked(&start.p, ExprId::ONE, &first, &Vec::new(), &[]);
    let residual = writer.kicked(&residual, half, &forces, &Vec::new(), &[]);
    // p⁺ = D₂L_d, written as what is added to p = −D₁L_d.
    let push = writer.kicked(&first, ExprId::ONE, &second, &Vec::new(), &[]);
    let push = writer.kicked(&push, part.step, &forces, &Vec::new(), &[]);
    let work = vec![writer.work(&middle, part.step, &[])?];
    Ok(Varied { residual: vec![residual], push, work })
}
