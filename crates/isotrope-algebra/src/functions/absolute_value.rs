//! The absolute value.

use super::Function;
use super::descriptor::{Descriptor, Notation, Parity, Relation, SeriesRule, Smoothness};
use crate::calculus::{Expander, SeriesError, SeriesResult};
use crate::pool::{ExprId, Node, Pool};

pub(super) static ABSOLUTE_VALUE: Descriptor = Descriptor {
    name: "abs",
    aliases: &["fabs"],
    parity: Parity::Even,
    smoothness: Smoothness::Kinks,
    notation: Notation::Bars,
    relation: Relation::AbsoluteValue,
    canonical: |pool, u| Some(canonical(pool, u)),
    // Where there is a derivative, u/|u|. Unlike the quotient it is a finite number at the kink, too, the mean of the
    // slopes on both sides: forces and Jacobians of contacts are evaluated there.
    derivative: |pool, u, _| pool.call(Function::Sign, u),
    series: SeriesRule::Own(series),
    ball: |x| Ok(x.abs()),
    double: f64::abs,
    slope: |x, _| Function::Sign.evaluate(x),
    samples: (-2, 2),
};

fn canonical(pool: &mut Pool, argument: ExprId) -> ExprId {
    match pool.node(argument) {
        Node::Number(value) => {
            let size = value.abs();
            pool.number(size)
        }
        Node::Pi => argument,
        // Never negative.
        Node::Call(Function::Abs | Function::Exp | Function::Cosh | Function::Acos, _) => argument,
        Node::Sum(pairs) if pairs.len() == 1 => {
            let (term, coefficient) = pairs.get(0);
            let size = pool.coefficient(coefficient).abs();
            let inner = canonical(pool, term);
            pool.scale(&size, inner)
        }
        Node::Sum(_) if pool.leads_negative(argument) => {
            let positive = pool.neg(argument);
            pool.plain_call(Function::Abs, positive)
        }
        Node::Product(_) if is_surely_nonnegative(pool, argument) => argument,
        _ => pool.plain_call(Function::Abs, argument),
    }
}

/// A product of even powers, roots of numbers and square roots.
fn is_surely_nonnegative(pool: &Pool, product: ExprId) -> bool {
    let Node::Product(pairs) = pool.node(product) else { return false };
    pairs.iter().all(|(base, exponent)| {
        let positive = |id| match pool.as_number(id) {
            Some(number) => !number.is_negative(),
            None => id == ExprId::PI,
        };
        positive(base)
            || pool.as_number(exponent).is_some_and(|e| {
                // A real power with even numerator, or with even denominator, is not negative.
                let even = |n: &dashu_int::IBig| (n % dashu_int::IBig::from(2)).is_zero();
                even(&e.numerator()) || even(&e.denominator().into())
            })
    })
}

/// Near a point where `u_0` is not zero, `|u| = (|u_0|/u_0) u`.
fn series(
    _: &mut Expander<'_>,
    pool: &mut Pool,
    at: ExprId,
    u: &[ExprId],
    value: ExprId,
) -> SeriesResult {
    if u[0].is_zero() {
        return Err(SeriesError::NotAnalytic { at });
    }
    let sign = pool.div(value, u[0]);
    Ok(u.iter().map(|&c| pool.mul(sign, c)).collect())
}
