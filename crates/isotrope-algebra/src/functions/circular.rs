//! Sine, cosine and tangent.

use super::descriptor::{Circular, Descriptor, Notation, Parity, Relation, SeriesRule, Smoothness};
use super::{Function, one_plus_square};
use crate::double::sincos;
use crate::number::{Ball, Rational};
use crate::pool::{ExprId, Node, Pool};

pub(super) static SINE: Descriptor = Descriptor {
    name: "sin",
    aliases: &["sen"],
    parity: Parity::Odd,
    smoothness: Smoothness::Analytic,
    notation: Notation::Operator { latex: r"\sin", mathml: "sin", takes_exponent: true },
    relation: Relation::Circle(Circular::Sine),
    canonical: |pool, u| Some(sine_or_cosine(pool, Function::Sin, u)),
    derivative: |pool, u, _| pool.call(Function::Cos, u),
    series: SeriesRule::Own(|expander, pool, _, u, _| Ok(expander.sine_and_cosine(pool, u)?.0)),
    ball: Ball::sin,
    double: sincos::sine,
    slope: |x, _| Function::Cos.evaluate(x),
    samples: (-10, 10),
};

pub(super) static COSINE: Descriptor = Descriptor {
    name: "cos",
    aliases: &[],
    parity: Parity::Even,
    smoothness: Smoothness::Analytic,
    notation: Notation::Operator { latex: r"\cos", mathml: "cos", takes_exponent: true },
    relation: Relation::Circle(Circular::Cosine),
    canonical: |pool, u| Some(sine_or_cosine(pool, Function::Cos, u)),
    derivative: |pool, u, _| {
        let sine = pool.call(Function::Sin, u);
        pool.neg(sine)
    },
    series: SeriesRule::Own(|expander, pool, _, u, _| Ok(expander.sine_and_cosine(pool, u)?.1)),
    ball: Ball::cos,
    double: sincos::cosine,
    slope: |x, _| -Function::Sin.evaluate(x),
    samples: (-10, 10),
};

pub(super) static TANGENT: Descriptor = Descriptor {
    name: "tan",
    aliases: &["tg"],
    parity: Parity::Odd,
    smoothness: Smoothness::Analytic,
    notation: Notation::Operator { latex: r"\tan", mathml: "tan", takes_exponent: true },
    relation: Relation::Circle(Circular::Tangent),
    canonical: |pool, u| Some(tangent(pool, u)),
    derivative: |pool, _, value| one_plus_square(pool, 1, value),
    series: SeriesRule::Own(|expander, pool, at, u, _| {
        let (sine, cosine) = expander.sine_and_cosine(pool, u)?;
        expander.divide(pool, at, &sine, &cosine)
    }),
    ball: Ball::tan,
    double: libm::tan,
    slope: |_, value| value.mul_add(value, 1.0),
    samples: (-1, 1),
};

/// Splits `argument = r pi + rest`.
fn split_pi(pool: &mut Pool, argument: ExprId) -> (Rational, ExprId) {
    if argument == ExprId::PI {
        return (Rational::ONE, ExprId::ZERO);
    }
    let coefficient = match pool.node(argument) {
        Node::Sum(pairs) => pairs.iter().find(|&(term, _)| term == ExprId::PI).map(|pair| pair.1),
        _ => None,
    };
    if let Some(turns) = coefficient.and_then(|id| pool.as_number(id)).cloned() {
        let minus = pool.scale(&-&turns, ExprId::PI);
        return (turns, pool.add(argument, minus));
    }
    (Rational::ZERO, argument)
}

fn sine_or_cosine(pool: &mut Pool, function: Function, argument: ExprId) -> ExprId {
    let (turns, rest) = split_pi(pool, argument);
    // cos(x) = sin(x + pi/2): count quarter turns from the sine.
    let offset = if function == Function::Cos { 1 } else { 0 };
    if rest.is_zero() {
        let turns = turns + Rational::half() * Rational::integer(offset);
        return sine_of_pi_multiple(pool, &turns);
    }
    let doubled = &turns * &Rational::integer(2);
    if doubled.is_integer() {
        let quarters = &doubled + &Rational::integer(offset);
        let quarters = modulo(&quarters, 4).as_integer().unwrap_or(0);
        let function = if quarters % 2 == 0 { Function::Sin } else { Function::Cos };
        let value = signed_call(pool, function, rest);
        return if quarters >= 2 { pool.neg(value) } else { value };
    }
    // A broken multiple of pi stays, between -1 and 1.
    let reduced = modulo(&(turns + Rational::ONE), 2) - Rational::ONE;
    let shift = pool.scale(&reduced, ExprId::PI);
    let argument = pool.add(rest, shift);
    signed_call(pool, function, argument)
}

fn signed_call(pool: &mut Pool, function: Function, argument: ExprId) -> ExprId {
    let (inverse, odd) = match function {
        Function::Sin => (Function::Asin, true),
        Function::Cos => (Function::Acos, false),
        _ => (Function::Atan, true),
    };
    let negative = pool.leads_negative(argument);
    let positive = if negative { pool.neg(argument) } else { argument };
    let value = match pool.argument_of(inverse, positive) {
        Some(inner) => inner,
        None => pool.plain_call(function, positive),
    };
    if negative && odd { pool.neg(value) } else { value }
}

/// `sin(r pi)` exactly where a formula with square roots of integers exists.
fn sine_of_pi_multiple(pool: &mut Pool, r: &Rational) -> ExprId {
    let mut r = modulo(r, 2);
    let negative = r >= Rational::ONE;
    if negative {
        r = r - Rational::ONE;
    }
    if r > Rational::half() {
        r = Rational::ONE - r;
    }
    let value = match r.as_small() {
        Some((0, 1)) => ExprId::ZERO,
        Some((1, 2)) => ExprId::ONE,
        Some((1, 6)) => ExprId::HALF,
        Some((1, 4)) => surds(pool, &[(1, 2, 2)]),
        Some((1, 3)) => surds(pool, &[(1, 2, 3)]),
        Some((1, 12)) => surds(pool, &[(1, 4, 6), (-1, 4, 2)]),
        Some((5, 12)) => surds(pool, &[(1, 4, 6), (1, 4, 2)]),
        Some((1, 10)) => surds(pool, &[(1, 4, 5), (-1, 4, 1)]),
        Some((3, 10)) => surds(pool, &[(1, 4, 5), (1, 4, 1)]),
        // The smaller of the two complementary angles names the value.
        _ if r > Rational::quarter() => {
            let angle = pool.scale(&(Rational::half() - r), ExprId::PI);
            pool.plain_call(Function::Cos, angle)
        }
        _ => {
            let angle = pool.scale(&r, ExprId::PI);
            pool.plain_call(Function::Sin, angle)
        }
    };
    if negative { pool.neg(value) } else { value }
}

/// A sum of `n/d sqrt(k)`.
fn surds(pool: &mut Pool, terms: &[(i64, i64, i64)]) -> ExprId {
    let terms: Vec<_> = terms
        .iter()
        .map(|&(numerator, denominator, radicand)| {
            let radicand = pool.integer(radicand);
            let root = pool.sqrt(radicand);
            (root, pool.ratio(numerator, denominator))
        })
        .collect();
    pool.sum_of_scaled(&terms)
}

fn tangent(pool: &mut Pool, argument: ExprId) -> ExprId {
    let (turns, rest) = split_pi(pool, argument);
    let reduced = modulo(&turns, 1);
    if rest.is_zero() {
        let sine = sine_of_pi_multiple(pool, &reduced);
        let cosine = sine_of_pi_multiple(pool, &(&reduced + &Rational::half()));
        if !has_call(pool, sine) && !has_call(pool, cosine) {
            return pool.div(sine, cosine);
        }
    }
    let shift = pool.scale(&reduced, ExprId::PI);
    let argument = pool.add(rest, shift);
    signed_call(pool, Function::Tan, argument)
}

/// Is it a function call, or a sum with one as a term?
fn has_call(pool: &Pool, id: ExprId) -> bool {
    match pool.node(id) {
        Node::Call(..) => true,
        Node::Sum(pairs) => pairs.iter().any(|(term, _)| matches!(pool.node(term), Node::Call(..))),
        _ => false,
    }
}

/// The representative of `value` modulo `period` in [0, period).
fn modulo(value: &Rational, period: i64) -> Rational {
    let period = Rational::integer(period);
    match value.checked_div(&period) {
        Some(turns) => value - &(period * Rational::from(turns.floor())),
        None => value.clone(),
    }
}
