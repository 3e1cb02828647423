//! The sign.

use super::Function;
use super::descriptor::{Descriptor, Notation, Parity, Relation, SeriesRule, Smoothness};
use crate::calculus::{Expander, SeriesError, SeriesResult};
use crate::number::Ball;
use crate::pool::{ExprId, Node, Pool};

pub(super) static SIGN: Descriptor = Descriptor {
    name: "sign",
    aliases: &["sgn", "signum"],
    parity: Parity::Odd,
    smoothness: Smoothness::Jumps,
    notation: Notation::Operator {
        latex: r"\operatorname{sgn}",
        mathml: "sgn",
        takes_exponent: true,
    },
    relation: Relation::Sign,
    canonical,
    // Where there is a derivative: everywhere but at the jump.
    derivative: |_, _, _| ExprId::ZERO,
    series: SeriesRule::Own(series),
    ball: Ball::sign,
    double: |x| match () {
        () if x > 0.0 => 1.0,
        () if x < 0.0 => -1.0,
        // Zero, and what is not a number.
        () => x,
    },
    slope: |_, _| 0.0,
    samples: (-2, 2),
};

/// Known signs, and none of a factor that is known.
fn canonical(pool: &mut Pool, argument: ExprId) -> Option<ExprId> {
    match pool.node(argument) {
        Node::Number(value) if value.is_zero() => Some(ExprId::ZERO),
        Node::Number(value) if value.is_negative() => Some(ExprId::MINUS_ONE),
        Node::Number(_) | Node::Pi => Some(ExprId::ONE),
        // Always positive.
        Node::Call(Function::Exp | Function::Cosh, _) => Some(ExprId::ONE),
        Node::Call(Function::Sign, _) => Some(argument),
        Node::Sum(pairs) if pairs.len() == 1 => {
            let (term, coefficient) = pairs.get(0);
            let negative = pool.coefficient(coefficient).is_negative();
            let sign = pool.call(Function::Sign, term);
            Some(if negative { pool.neg(sign) } else { sign })
        }
        _ => None,
    }
}

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
