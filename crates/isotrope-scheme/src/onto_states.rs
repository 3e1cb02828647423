//! Runge–Kutta steps in state space, projected onto the constraints of the states.
//!
//! x̃ = x + h Σ b_i K_i with K_i = f(x + h Σ a_ij K_j, t + c_i h), and x⁺ = x̃ + S² C_x(x̃)ᵀ μ with C(x⁺, t + h) = 0. S is
//! the diagonal matrix of the sizes of the states: they have units of their own, and the shortest way depends on them.

use isotrope_algebra::ExprId;
use isotrope_algebra::calculus::SparseRows;
use isotrope_derive::Kind;
use isotrope_methods::table::Table;

use super::mechanics::{Point, Writer};
use super::stages::Numbers;
use super::{DiscretiseError, UnknownKind, degenerate};

/// A step in state space that ends on the constraints.
pub(super) fn write(writer: &mut Writer<'_>, table: &Table) -> Result<(), DiscretiseError> {
    let refused = |reason| DiscretiseError::NotApplicable { reason };
    let state = writer.state.ok_or(refused("the system is not given in state space"))?;
    let Some((constraints, jacobian)) = state.on_states() else {
        return Err(refused("there are no constraints to project onto"));
    };
    let numbers = Numbers::new(table, writer.digits, writer.budget)?;
    if numbers.is_partitioned() {
        return Err(refused("the method has several tables, and the states one"));
    }
    let ended = ended(writer, &numbers, &state.rate)?;
    let jacobian: SparseRows = writer.rows_at(&ended, jacobian)?;
    writer.impulses += constraints.len();
    let impulses: Vec<ExprId> = (1..=constraints.len())
        .map(|k| writer.unknown(&format!("μ_{k}"), UnknownKind::Impulse, ExprId::ZERO))
        .collect();
    let mut q = ended.q.clone();
    for (row, &mu) in jacobian.iter().zip(&impulses) {
        for &(i, slope) in row {
            let i = i as usize;
            let name = writer.symbols.names[i].clone();
            let size = writer.size(&name, UnknownKind::Position(i));
            let part = writer.pool.product(&[size, size, slope, mu]);
            q[i] = writer.pool.add(q[i], part);
        }
    }
    let there = Point { q: writer.define("⁺", q), ..ended };
    let kept: Vec<ExprId> = constraints.iter().map(|constraint| constraint.driven).collect();
    let kept = writer.at(&there, &kept)?;
    writer.residual.extend(kept);
    let here = writer.here().q;
    let ends = there.q.iter().zip(&here);
    let way = ends.map(|(&end, &start)| writer.pool.sub(end, start)).collect();
    degenerate::finish(writer, there.q, way, None)
}

/// x̃.
fn ended(
    writer: &mut Writer<'_>,
    numbers: &Numbers,
    rate: &[ExprId],
) -> Result<Point, DiscretiseError> {
    let count = numbers.count();
    let explicit = (0..count).all(|i| numbers.row(i).iter().skip(i).all(|a| a.is_zero()));
    let start = writer.here();
    let mut slopes: Vec<Vec<ExprId>> = Vec::with_capacity(count);
    if !explicit {
        for i in 0..count {
            slopes.push(writer.unknown_stage(&numbers.node(i), i));
        }
    }
    for i in 0..count {
        let known = slopes.len().min(numbers.row(i).len());
        let moved = writer.combined(&start.q, &numbers.row(i)[..known], writer.h, &slopes[..known]);
        let q = writer.define(&format!("_{}", i + 1), moved);
        let node = writer.pool.scale(&numbers.node(i), writer.h);
        let t = writer.pool.add(start.t, node);
        let found = writer.at(&Point { q, v: start.v.clone(), t }, rate)?;
        if explicit {
            slopes.push(writer.define(&format!("'_{}", i + 1), found));
        } else {
            for (&slope, found) in slopes[i].iter().zip(found) {
                let difference = writer.pool.sub(slope, found);
                writer.residual.push(difference);
            }
        }
    }
    let q = writer.combined(&start.q, numbers.weights(), writer.h, &slopes);
    let q = writer.define("_end", q);
    writer.evaluations = super::stages::count(count);
    Ok(Point { q, v: start.v, t: writer.later() })
}
