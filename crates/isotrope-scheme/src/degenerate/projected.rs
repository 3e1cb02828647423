//! Variational steps on L = ϑ(q)·v − H(q), projected onto p = ϑ(q) and as they are.
//!
//! M. Kraus, Projected variational integrators for degenerate Lagrangian systems, arXiv:1708.07356.

use isotrope_algebra::{ExprId, calculus::jacobian};

use super::{finish, first_order};
use crate::mechanics::{Point, Writer};
use crate::stages::count;
use crate::variational::{
    Action, ConstraintForm, DiscreteLagrangian, Numbers, Part, Principle, Quadrature, Start,
    galerkin, unknown_velocities,
};
use crate::{DiscretiseError, UnknownKind};

/// What the pieces lead to.
struct Ended {
    q: Vec<ExprId>,
    p: Vec<ExprId>,
    way: Vec<ExprId>,
}

/// The step on (q, p) that the discrete Lagrangian defines, started with p = ϑ(q) and left alone.
pub(super) fn bare(
    writer: &mut Writer<'_>,
    lagrangian: &DiscreteLagrangian,
) -> Result<(), DiscretiseError> {
    let parts = Parts::declare(writer, lagrangian)?;
    let here = writer.here();
    let start = Start { q: here.q, p: writer.symbols.momentum.clone(), t: here.t };
    let ended = parts.write(writer, start)?;
    finish(writer, ended.q, ended.way, Some(ended.p))
}

/// q̃ = q + hλ, p̃ = ϑ(q) + h(Dϑ(q))ᵀλ, a step from there to q̂, p̂, and q⁺ = q̂ + σhλ, p̂ + σh(Dϑ(q⁺))ᵀλ = ϑ(q⁺).
///
/// The shifts are Hamiltonian fields of the constraints p − ϑ(q). A piece of degree s turns p − ϑ(q) into
/// (−1)^s times itself, as the linear case shows, so the second shift has the sign σ of all pieces: with the
/// other one the two shifts would undo each other and λ would be free.
pub(super) fn symmetric(
    writer: &mut Writer<'_>,
    lagrangian: &DiscreteLagrangian,
) -> Result<(), DiscretiseError> {
    let degenerate = first_order(writer)?;
    let parts = Parts::declare(writer, lagrangian)?;
    let names = writer.symbols.names.clone();
    // q̃ − q = hλ: velocities.
    let declare = |(i, name): (usize, &String)| {
        writer.unknown(&format!("λ_{name}"), UnknownKind::Velocity(i), ExprId::ZERO)
    };
    let lambda: Vec<ExprId> = names.iter().enumerate().map(declare).collect();
    let here = writer.here();
    let momenta = &degenerate.dynamics.momenta;
    // Rows ∂ϑ_j/∂q, to be multiplied by λ_j.
    let turned = jacobian(&mut writer.pool, momenta, &writer.symbols.position, writer.budget)?;
    let (h, n) = (writer.h, names.len());
    let potential = writer.at(&here, momenta)?;
    let push = combination(writer, &turned, &lambda, n);
    let q = writer.drifted(&here.q, h, &lambda);
    let p = writer.drifted(&potential, h, &push);
    let start = Start { q: writer.define("_s", q), p: writer.define("_ps", p), t: here.t };
    let ended = parts.write(writer, start)?;
    let step = if parts.odd() { writer.pool.neg(h) } else { h };
    let q = writer.drifted(&ended.q, step, &lambda);
    let q = writer.define("⁺", q);
    let there = Point { q: q.clone(), v: here.v, t: writer.later() };
    let rows = writer.rows_at(&there, &turned)?;
    let push = combination(writer, &rows, &lambda, n);
    let p = writer.drifted(&ended.p, step, &push);
    let wanted = writer.at(&there, momenta)?;
    for (found, wanted) in p.into_iter().zip(wanted) {
        let difference = writer.pool.sub(found, wanted);
        writer.residual.push(difference);
    }
    let way = writer.drifted(&ended.way, h, &lambda);
    let way = writer.drifted(&way, step, &lambda);
    finish(writer, q, way, None)
}

/// Σ_j λ_j ∂ϑ_j/∂q_i.
fn combination(
    writer: &mut Writer<'_>,
    rows: &isotrope_algebra::calculus::SparseRows,
    lambda: &[ExprId],
    n: usize,
) -> Vec<ExprId> {
    isotrope_derive::reactions(&mut writer.pool, n, rows, lambda)
}

/// The pieces of a discrete Lagrangian with their unknown velocities.
struct Parts {
    pieces: Vec<(Numbers, ExprId, Vec<Vec<ExprId>>, String)>,
}

impl Parts {
    fn declare(
        writer: &mut Writer<'_>,
        lagrangian: &DiscreteLagrangian,
    ) -> Result<Self, DiscretiseError> {
        first_order(writer)?;
        refuse(lagrangian)?;
        let mut pieces = Vec::with_capacity(lagrangian.pieces.len());
        let mut before = isotrope_algebra::Rational::ZERO;
        let mut points = 0;
        for (k, piece) in lagrangian.pieces.iter().enumerate() {
            let numbers = Numbers::new(piece, writer.digits, writer.budget)?;
            let several = lagrangian.pieces.len() > 1;
            let mark = if several { format!("_{}", k + 1) } else { String::new() };
            let step = writer.pool.scale(&numbers.fraction, writer.h);
            let velocities = unknown_velocities(writer, &numbers, &before, &mark);
            before = &before + &numbers.fraction;
            points += numbers.nodes.len();
            pieces.push((numbers, step, velocities, mark));
        }
        writer.evaluations = count(points);
        Ok(Self { pieces })
    }

    /// Is the sum of all degrees odd?
    fn odd(&self) -> bool {
        self.pieces.iter().map(|piece| piece.0.degree()).sum::<usize>() % 2 == 1
    }

    fn write(&self, writer: &mut Writer<'_>, mut start: Start) -> Result<Ended, DiscretiseError> {
        let zeros = vec![ExprId::ZERO; start.q.len()];
        let mut way = zeros.clone();
        let mut work = Vec::new();
        for (numbers, step, velocities, mark) in &self.pieces {
            let part =
                Part { numbers, step: *step, velocities: velocities.clone(), mark: mark.clone() };
            let varied = galerkin(writer, &part, &start)?;
            writer.residual.extend(varied.residual.into_iter().flatten());
            work.extend(varied.work);
            let last = numbers.end_places.last().map_or(&[][..], |row| row);
            let moved = writer.combined(&zeros, last, *step, velocities);
            way = writer.drifted(&way, ExprId::ONE, &moved);
            let q = writer.drifted(&start.q, ExprId::ONE, &moved);
            let q = writer.define(&format!("_q{mark}"), q);
            let p = writer.drifted(&start.p, ExprId::ONE, &varied.push);
            let p = writer.define(&format!("_p{mark}"), p);
            let t = writer.pool.add(start.t, *step);
            start = Start { q, p, t };
        }
        writer.after.work = writer.pool.sum(&work);
        Ok(Ended { q: start.q, p: start.p, way })
    }
}

fn refuse(lagrangian: &DiscreteLagrangian) -> Result<(), DiscretiseError> {
    let plain = lagrangian.form == ConstraintForm::Multipliers
        && lagrangian.principle == Principle::Hamilton;
    let mut reason =
        (!plain).then_some("there are no constraints, and p = ϑ(q) is none of the model");
    for piece in &lagrangian.pieces {
        reason = reason.or(match piece.action {
            Action::Own { .. } => Some(
                "a discrete Lagrangian of one's own is not projected: only those of polynomials and \
                 quadrature",
            ),
            Action::Galerkin { quadrature: Quadrature::Left | Quadrature::Right, .. } => Some(
                "rectangles make equations that are singular where ϑ is of half of the coordinates: \
                 take dvi-1, or the midpoint",
            ),
            Action::Galerkin { degree, quadrature } if quadrature.points() < degree => {
                Some("fewer points of quadrature than the degree of the polynomials: take r ≥ s")
            }
            Action::Galerkin { .. } => None,
        });
    }
    reason.map_or(Ok(()), |reason| Err(DiscretiseError::NotApplicable { reason }))
}
