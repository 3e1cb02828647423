//! The unit step.

use super::descriptor::{Descriptor, Notation, Parity, Relation, SeriesRule, Smoothness};
use crate::calculus::{Expander, SeriesError, SeriesResult};
use crate::number::Ball;
use crate::pool::{ExprId, Pool};

pub(super) static UNIT_STEP: Descriptor = Descriptor {
    name: "heaviside",
    aliases: &[],
    parity: Parity::None,
    smoothness: Smoothness::Jumps,
    notation: Notation::Operator {
        latex: r"\operatorname{H}",
        mathml: "heaviside",
        takes_exponent: true,
    },
    relation: Relation::Generator,
    canonical: |pool, u| {
        let value = pool.as_number(u)?;
        Some(if value.is_negative() { ExprId::ZERO } else { ExprId::ONE })
    },
    // Where there is a derivative: everywhere but at the step.
    derivative: |_, _, _| ExprId::ZERO,
    series: SeriesRule::Own(series),
    ball: Ball::unit_step,
    double: |x| if x < 0.0 { 0.0 } else { 1.0 },
    slope: |_, _| 0.0,
    samples: (-2, 2),
};

fn series(
    _: &mut Expander<'_>,
    _: &mut Pool,
    at: ExprId,
    u: &[ExprId],
    value: ExprId,
) -> SeriesResult {
    if u[0].is_zero() {
        return Err(SeriesError::NotAnalytic { at });
    }
    let mut series = vec![ExprId::ZERO; u.len()];
    series[0] = value;
    Ok(series)
}
