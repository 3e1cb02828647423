//! Values before the start, for schemes that look back: steps of the classical Runge–Kutta method,
//! taken backwards on the field with eliminated multipliers.

use isotrope_algebra::ExprId;

use super::DiscretiseError;
use super::mechanics::{Point, Writer};

/// What changes in the field: v, v', p' and the power of what does work.
pub(super) struct Rates {
    pub velocity: Vec<ExprId>,
    pub acceleration: Vec<ExprId>,
    pub momentum: Vec<ExprId>,
    pub power: ExprId,
}

/// The field at a place.
pub(super) fn rates(writer: &mut Writer<'_>, point: &Point) -> Result<Rates, DiscretiseError> {
    let eliminated = writer.eliminated;
    let multipliers = writer.at(point, &eliminated.multipliers)?;
    Ok(Rates {
        velocity: point.v.clone(),
        acceleration: writer.at(point, &eliminated.acceleration)?,
        momentum: writer.at(point, &eliminated.momentum_rate)?,
        power: writer.work(point, ExprId::ONE, &multipliers)?,
    })
}

/// The place a step before another one, and the work between them; `mark` for new symbols.
pub(super) fn step_before(
    writer: &mut Writer<'_>,
    point: &Point,
    mark: &str,
) -> Result<(Point, ExprId), DiscretiseError> {
    let back = writer.pool.neg(writer.h);
    let half = writer.pool.mul(ExprId::HALF, back);
    let (sixth, third) = (writer.pool.ratio(1, 6), writer.pool.ratio(1, 3));
    let weights = [sixth, third, third, sixth].map(|weight| writer.pool.mul(weight, back));
    let (mut q, mut v, mut work) = (point.q.clone(), point.v.clone(), Vec::new());
    let mut stage = point.clone();
    let ahead = [Some(half), Some(half), Some(back), None];
    for (number, (weight, ahead)) in weights.into_iter().zip(ahead).enumerate() {
        let rates = rates(writer, &stage)?;
        let f = writer.define_before(&format!("''{mark}_{number}"), rates.acceleration);
        q = writer.drifted(&q, weight, &stage.v);
        v = writer.drifted(&v, weight, &f);
        let part = writer.pool.mul(weight, rates.power);
        work.push(writer.pool.neg(part));
        let Some(ahead) = ahead else { break };
        let moved = writer.drifted(&point.q, ahead, &stage.v);
        let turned = writer.drifted(&point.v, ahead, &f);
        stage = Point {
            q: writer.define_before(&format!("{mark}_{number}"), moved),
            v: writer.define_before(&format!("'{mark}_{number}"), turned),
            t: writer.pool.add(point.t, ahead),
        };
    }
    let q = writer.define_before(mark, q);
    let v = writer.define_before(&format!("'{mark}"), v);
    let t = writer.pool.add(point.t, back);
    Ok((Point { q, v, t }, writer.pool.sum(&work)))
}
