//! The inverses of sine, cosine and tangent.

use super::descriptor::{Descriptor, Notation, Parity, Relation, SeriesRule, Smoothness};
use super::{Function, one_plus_square};
use crate::calculus::{Expander, SeriesResult};
use crate::number::{Ball, Rational};
use crate::pool::{ExprId, Pool};

pub(super) static INVERSE_SINE: Descriptor = Descriptor {
    name: "asin",
    aliases: &["arcsin"],
    parity: Parity::Odd,
    smoothness: Smoothness::Analytic,
    notation: Notation::Operator { latex: r"\arcsin", mathml: "arcsin", takes_exponent: true },
    relation: Relation::Generator,
    canonical: |pool, u| {
        let turns = known_angle(pool, u)?;
        Some(turns.map_or(ExprId::UNDEFINED, |turns| pool.scale(&turns, ExprId::PI)))
    },
    derivative: |pool, u, _| inverse_root(pool, u),
    series: SeriesRule::Own(|expander, pool, at, u, value| {
        let rate = rate_over_root(expander, pool, at, u)?;
        Ok(expander.integrate(pool, value, &rate))
    }),
    ball: Ball::asin,
    double: libm::asin,
    slope: |x, _| 1.0 / (-x).mul_add(x, 1.0).sqrt(),
    samples: (-1, 1),
};

pub(super) static INVERSE_COSINE: Descriptor = Descriptor {
    name: "acos",
    aliases: &["arccos"],
    parity: Parity::None,
    smoothness: Smoothness::Analytic,
    notation: Notation::Operator { latex: r"\arccos", mathml: "arccos", takes_exponent: true },
    relation: Relation::Generator,
    canonical: |pool, u| {
        if let Some(turns) = known_angle(pool, u) {
            let angle = |turns| pool.scale(&(Rational::half() - turns), ExprId::PI);
            return Some(turns.map_or(ExprId::UNDEFINED, angle));
        }
        // acos(-u) = pi - acos(u).
        pool.leads_negative(u).then(|| {
            let positive = pool.neg(u);
            let value = pool.plain_call(Function::Acos, positive);
            pool.sub(ExprId::PI, value)
        })
    },
    derivative: |pool, u, _| {
        let inverse = inverse_root(pool, u);
        pool.neg(inverse)
    },
    series: SeriesRule::Own(|expander, pool, at, u, value| {
        let mut rate = rate_over_root(expander, pool, at, u)?;
        rate.iter_mut().for_each(|c| *c = pool.neg(*c));
        Ok(expander.integrate(pool, value, &rate))
    }),
    ball: Ball::acos,
    double: libm::acos,
    slope: |x, _| -1.0 / (-x).mul_add(x, 1.0).sqrt(),
    samples: (-1, 1),
};

pub(super) static INVERSE_TANGENT: Descriptor = Descriptor {
    name: "atan",
    aliases: &["arctan"],
    parity: Parity::Odd,
    smoothness: Smoothness::Analytic,
    notation: Notation::Operator { latex: r"\arctan", mathml: "arctan", takes_exponent: true },
    relation: Relation::Generator,
    canonical: |pool, u| {
        let value = pool.as_number(u)?.clone();
        let turns = match value.abs() {
            size if size.is_zero() => Rational::ZERO,
            size if size.is_one() => value * Rational::quarter(),
            _ => return None,
        };
        Some(pool.scale(&turns, ExprId::PI))
    },
    derivative: |pool, u, _| {
        let inside = one_plus_square(pool, 1, u);
        pool.powi(inside, -1)
    },
    series: SeriesRule::Own(|expander, pool, at, u, value| {
        let square = expander.multiply(pool, u, u)?;
        let one = expander.constant(ExprId::ONE);
        let norm = expander.add(pool, &one, &square);
        let rate = expander.derive(pool, u);
        let rate = expander.divide(pool, at, &rate, &norm)?;
        Ok(expander.integrate(pool, value, &rate))
    }),
    ball: Ball::atan,
    double: libm::atan,
    slope: |x, _| 1.0 / x.mul_add(x, 1.0),
    samples: (-3, 3),
};

/// The inverse sine of a number as a multiple of pi, where that is rational: `None` if it is not,
/// `Some(None)` outside the domain.
fn known_angle(pool: &Pool, u: ExprId) -> Option<Option<Rational>> {
    let value = pool.as_number(u)?;
    let turns = match value.abs() {
        size if size.is_zero() => Rational::ZERO,
        size if size.is_one() => Rational::half(),
        size if size == Rational::half() => Rational::new(1, 6)?,
        size if size > Rational::ONE => return Some(None),
        _ => return None,
    };
    Some(Some(if value.is_negative() { -turns } else { turns }))
}

/// `1/sqrt(1 - u^2)`.
fn inverse_root(pool: &mut Pool, u: ExprId) -> ExprId {
    let inside = one_plus_square(pool, -1, u);
    let root = pool.sqrt(inside);
    pool.powi(root, -1)
}

/// The series of `u'/sqrt(1 - u^2)`.
fn rate_over_root(
    expander: &mut Expander<'_>,
    pool: &mut Pool,
    at: ExprId,
    u: &[ExprId],
) -> SeriesResult {
    let square = expander.multiply(pool, u, u)?;
    let one = expander.constant(ExprId::ONE);
    let inside = expander.subtract(pool, &one, &square);
    let root = expander.constant_power(pool, at, &inside, ExprId::HALF)?;
    let rate = expander.derive(pool, u);
    expander.divide(pool, at, &rate, &root)
}
