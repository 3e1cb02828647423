//! Exponential and logarithm.

use super::Function;
use super::descriptor::{
    Descriptor, Hyperbolic, Notation, Parity, Relation, SeriesRule, Smoothness,
};
use crate::double::{exp, log};
use crate::number::Ball;
use crate::pool::ExprId;

pub(super) static EXPONENTIAL: Descriptor = Descriptor {
    name: "exp",
    aliases: &[],
    parity: Parity::None,
    smoothness: Smoothness::Analytic,
    notation: Notation::PowerOfE,
    relation: Relation::Exponential(Hyperbolic::Exponential),
    canonical: |pool, u| {
        if u.is_zero() {
            return Some(ExprId::ONE);
        }
        pool.argument_of(Function::Log, u)
    },
    derivative: |_, _, value| value,
    series: SeriesRule::Own(|expander, pool, _, u, _| expander.exponential(pool, u)),
    ball: Ball::exp,
    double: exp::value,
    slope: |_, value| value,
    samples: (-10, 10),
};

pub(super) static LOGARITHM: Descriptor = Descriptor {
    name: "log",
    aliases: &["ln"],
    parity: Parity::None,
    smoothness: Smoothness::Analytic,
    notation: Notation::Operator { latex: r"\log", mathml: "log", takes_exponent: false },
    relation: Relation::Generator,
    canonical: |pool, u| {
        if u == ExprId::ONE {
            return Some(ExprId::ZERO);
        }
        if pool.as_number(u).is_some_and(|n| n.is_zero() || n.is_negative()) {
            return Some(ExprId::UNDEFINED);
        }
        pool.argument_of(Function::Exp, u)
    },
    derivative: |pool, u, _| pool.powi(u, -1),
    series: SeriesRule::Own(|expander, pool, at, u, value| {
        let rate = expander.derive(pool, u);
        let rate = expander.divide(pool, at, &rate, u)?;
        Ok(expander.integrate(pool, value, &rate))
    }),
    ball: Ball::log,
    double: log::value,
    slope: |x, _| 1.0 / x,
    samples: (0, 10),
};
