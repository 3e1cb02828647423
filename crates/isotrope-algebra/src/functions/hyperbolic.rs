//! Hyperbolic sine, cosine and tangent.

use super::descriptor::{
    Descriptor, Hyperbolic, Notation, Parity, Relation, SeriesRule, Smoothness,
};
use super::{Function, one_plus_square};
use crate::double::hyperbolic;
use crate::number::Ball;
use crate::pool::ExprId;

pub(super) static SINE: Descriptor = Descriptor {
    name: "sinh",
    aliases: &["sh"],
    parity: Parity::Odd,
    smoothness: Smoothness::Analytic,
    notation: Notation::Operator { latex: r"\sinh", mathml: "sinh", takes_exponent: true },
    relation: Relation::Exponential(Hyperbolic::Sine),
    canonical: |_, u| u.is_zero().then_some(ExprId::ZERO),
    derivative: |pool, u, _| pool.call(Function::Cosh, u),
    series: SeriesRule::Own(|expander, pool, _, u, _| Ok(expander.hyperbolic_pair(pool, u)?.0)),
    ball: Ball::sinh,
    double: hyperbolic::sinh,
    slope: |x, _| Function::Cosh.evaluate(x),
    samples: (-2, 2),
};

pub(super) static COSINE: Descriptor = Descriptor {
    name: "cosh",
    aliases: &["ch"],
    parity: Parity::Even,
    smoothness: Smoothness::Analytic,
    notation: Notation::Operator { latex: r"\cosh", mathml: "cosh", takes_exponent: true },
    relation: Relation::Exponential(Hyperbolic::Cosine),
    canonical: |_, u| u.is_zero().then_some(ExprId::ONE),
    derivative: |pool, u, _| pool.call(Function::Sinh, u),
    series: SeriesRule::Own(|expander, pool, _, u, _| Ok(expander.hyperbolic_pair(pool, u)?.1)),
    ball: Ball::cosh,
    double: hyperbolic::cosh,
    slope: |x, _| Function::Sinh.evaluate(x),
    samples: (-2, 2),
};

pub(super) static TANGENT: Descriptor = Descriptor {
    name: "tanh",
    aliases: &["th"],
    parity: Parity::Odd,
    smoothness: Smoothness::Analytic,
    notation: Notation::Operator { latex: r"\tanh", mathml: "tanh", takes_exponent: true },
    relation: Relation::Exponential(Hyperbolic::Tangent),
    canonical: |_, u| u.is_zero().then_some(ExprId::ZERO),
    derivative: |pool, _, value| one_plus_square(pool, -1, value),
    series: SeriesRule::Own(|expander, pool, at, u, _| {
        let (sine, cosine) = expander.hyperbolic_pair(pool, u)?;
        expander.divide(pool, at, &sine, &cosine)
    }),
    ball: Ball::tanh,
    double: hyperbolic::tanh,
    slope: |_, value| (-value).mul_add(value, 1.0),
    samples: (-2, 2),
};
