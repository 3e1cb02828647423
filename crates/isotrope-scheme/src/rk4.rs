//! The classical Runge–Kutta method in q and p, half explicit: A(Q)V + b = 0 in every stage.

use isotrope_algebra::ExprId;
use isotrope_algebra::calculus::SparseRows;

use super::DiscretiseError;
use super::mechanics::{Point, Writer};

/// What a stage leaves to the end of the step.
struct Stage {
    point: Point,
    driving: Vec<ExprId>,
    a: SparseRows,
    /// λ, known as soon as the next stage is.
    multipliers: Vec<ExprId>,
}

/// Q_{i+1} = q + h a_i V_i, P_{i+1} = p + h a_i (L_q + F + Aᵀλ)_i with a = ½, ½, 1; λ_i from
/// A(Q_{i+1})V_{i+1} + b = 0, and the last from A(q⁺)v⁺ + b = 0: all by linear solves.
///
/// Brasey and Hairer (1993): for index two the four conditions of order are not enough.
pub(super) fn half_explicit(writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
    writer.require_quadratic()?;
    let (h, here) = (writer.h, writer.here());
    let (p, start) = (writer.symbols.momentum.clone(), here.clone());
    let half = writer.pool.mul(ExprId::HALF, h);
    let mut stages = vec![stage(writer, here)?];
    for (number, factor) in [(2, half), (3, half), (4, h)] {
        let Some(last) = stages.last() else { break };
        let moved = writer.drifted(&start.q, factor, &last.point.v);
        let kicked = writer.kicked(&p, factor, &last.driving, &Vec::new(), &[]);
        let t = writer.pool.add(start.t, factor);
        let q = writer.define(&format!("_{number}"), moved);
        let place = Point { q, v: start.v.clone(), t };
        let (point, impulses) = solve(writer, place, &kicked, &last.a, number)?;
        let multipliers = impulses.iter().map(|&x| writer.pool.div(x, factor)).collect();
        if let Some(last) = stages.last_mut() {
            last.multipliers = multipliers;
        }
        stages.push(stage(writer, point)?);
    }
    let (sixth, third) = (writer.pool.ratio(1, 6), writer.pool.ratio(1, 3));
    let weights = [sixth, third, third, sixth].map(|weight| writer.pool.mul(weight, h));
    let (mut q, mut momenta) = (start.q, p);
    let mut work = Vec::new();
    for (stage, &weight) in stages.iter().zip(&weights) {
        let impulses: Vec<ExprId> =
            stage.multipliers.iter().map(|&x| writer.pool.mul(weight, x)).collect();
        q = writer.drifted(&q, weight, &stage.point.v);
        momenta = writer.kicked(&momenta, weight, &stage.driving, &stage.a, &impulses);
        work.push(writer.work(&stage.point, weight, &impulses)?);
    }
    let q = writer.define("⁺", q);
    let place = Point { q, v: start.v, t: writer.later() };
    let Some(last) = stages.last() else { return Ok(()) };
    let (there, impulses) = solve(writer, place, &momenta, &last.a, 5)?;
    // The impulse of the last stage is known only now.
    work.push(writer.work(&last.point, ExprId::ZERO, &impulses)?);
    writer.after.momentum = writer.at(&there, &writer.dynamics.momenta)?;
    writer.after.position = there.q;
    writer.after.velocity = there.v;
    writer.after.work = writer.pool.sum(&work);
    writer.evaluations = 4;
    Ok(())
}

fn stage(writer: &mut Writer<'_>, point: Point) -> Result<Stage, DiscretiseError> {
    let driving = writer.driving(&point)?;
    let a = writer.constraints(&point)?;
    Ok(Stage { point, driving, a, multipliers: Vec::new() })
}

/// Velocities at a place, with the impulse that makes them obey the constraints there.
fn solve(
    writer: &mut Writer<'_>,
    place: Point,
    momenta: &[ExprId],
    reactions: &SparseRows,
    number: u32,
) -> Result<(Point, Vec<ExprId>), DiscretiseError> {
    let a = writer.constraints(&place)?;
    let b = writer.at(&place, &writer.rows.offset)?;
    let (v, impulses) = writer.velocities_between(&place, momenta, reactions, (&a, &b))?;
    let v = writer.define(&format!("'_{number}"), v);
    let impulses = writer.define_impulses(&format!("_{number}"), impulses);
    Ok((Point { v, ..place }, impulses))
}
