//! The error function.

use super::Function;
use super::descriptor::{Descriptor, Notation, Parity, Relation, SeriesRule, Smoothness};
use crate::number::{Ball, EvaluationError, Precision, Rational};
use crate::pool::{ExprId, Pool};

pub(super) static ERROR_FUNCTION: Descriptor = Descriptor {
    name: "erf",
    aliases: &[],
    parity: Parity::Odd,
    smoothness: Smoothness::Analytic,
    notation: Notation::Operator {
        latex: r"\operatorname{erf}",
        mathml: "erf",
        takes_exponent: true,
    },
    relation: Relation::Generator,
    canonical: |_, u| u.is_zero().then_some(ExprId::ZERO),
    derivative,
    series: SeriesRule::ByDerivative,
    ball: enclosure,
    double: libm::erf,
    slope: |x, _| std::f64::consts::FRAC_2_SQRT_PI * Function::Exp.evaluate(-x * x),
    samples: (-4, 4),
};

/// `2/sqrt(pi) exp(-u^2)`.
fn derivative(pool: &mut Pool, u: ExprId, _: ExprId) -> ExprId {
    let square = pool.powi(u, 2);
    let exponent = pool.neg(square);
    let bell = pool.call(Function::Exp, exponent);
    let root = pool.sqrt(ExprId::PI);
    let quotient = pool.div(bell, root);
    pool.scale(&Rational::integer(2), quotient)
}

fn enclosure(x: &Ball) -> Result<Ball, EvaluationError> {
    let one = Ball::one(x.precision());
    if !x.radius_is_below(0) {
        return Ok(one.neg().hull(&one));
    }
    let centre = x.midpoint();
    // The slope is at most 2/sqrt(pi) < 2.
    let spread = x.sub(&centre).shift(1)?;
    Ok(at_point(&centre)?.add(&spread))
}

/// `erf(x) = 2 x/sqrt(pi) exp(-x^2) S` with `S = Σ (2 x^2)^n/(1·3·5⋯(2n+1))`, whose terms are
/// positive: nothing cancels (Abramowitz and Stegun 7.1.6).
fn at_point(x: &Ball) -> Result<Ball, EvaluationError> {
    let precision = x.precision();
    let bits = i64::from(precision.bits());
    let size = x.abs();
    if Ball::integer(bits.isqrt() + 1, precision).is_less_than(&size) {
        // 1 - erf(x) <= exp(-x^2) <= 2^-bits for x^2 >= bits.
        let rest = Ball::one(precision).shift(-bits)?;
        let value = Ball::one(precision).add(&rest.neg().hull(&rest));
        return Ok(if x.is_negative() { value.neg() } else { value });
    }
    let working = Precision::new(precision.bits().saturating_add(32));
    let x = x.with_precision(working);
    let square = x.mul(&x)?;
    let twice = square.shift(1)?;
    let least = Ball::one(working).shift(-i64::from(working.bits()))?;
    let mut term = Ball::one(working);
    let mut sum = term.clone();
    let mut odd = 1;
    loop {
        let next = Ball::integer(odd + 2, working);
        // From here on each term is at most half of the one before: the rest is at most a term.
        if twice.shift(1)?.is_less_than(&next) && term.is_less_than(&least) {
            break;
        }
        term = term.mul(&twice)?.div(&next)?;
        sum = sum.add(&term);
        odd += 2;
    }
    let sum = sum.add(&Ball::zero(working).hull(&term));
    let factor = x.shift(1)?.div(&Ball::pi(working).sqrt()?)?;
    Ok(factor.mul(&square.neg().exp()?)?.mul(&sum)?.with_precision(precision))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_the_published_ones() {
        let precision = Precision::new(200);
        for (numerator, denominator, digits) in [
            (1, 2, "0.52049987781304653768274665389196452873645"),
            (1, 1, "0.84270079294971486934122063508260925929606"),
            (2, 1, "0.99532226501895273416206925636725292861089"),
            (5, 1, "0.99999999999846254020557196514981165651461"),
        ] {
            let x = Rational::new(numerator, denominator).unwrap();
            let value = enclosure(&Ball::from_rational(&x, precision)).unwrap();
            let published: Rational = digits.parse().unwrap();
            let error = value.sub(&Ball::from_rational(&published, precision)).abs();
            let last = Ball::from_rational(&"1e-41".parse().unwrap(), precision);
            assert!(error.is_less_than(&last), "erf({x}) = {value}");
            assert!(value.accuracy() > 190);
        }
    }

    #[test]
    fn far_out_the_value_is_one_and_wide_balls_stay_between_the_limits() {
        let precision = Precision::new(64);
        let far = enclosure(&Ball::integer(-1_000_000, precision)).unwrap();
        assert!(far.contains(&Rational::integer(-1)) && far.accuracy() >= 60);
        let wide = Ball::from_interval(&Rational::integer(-9), &Rational::integer(9), precision);
        let value = enclosure(&wide).unwrap();
        assert!(value.contains(&Rational::integer(1)) && value.contains(&Rational::integer(-1)));
        assert!(!value.contains(&Rational::integer(2)));
    }

    #[test]
    fn a_ball_contains_the_values_of_its_points() {
        let precision = Precision::new(96);
        for k in -30..30 {
            let (low, high) = (Rational::new(k, 7).unwrap(), Rational::new(k + 1, 7).unwrap());
            let value = enclosure(&Ball::from_interval(&low, &high, precision)).unwrap();
            for x in [low, high] {
                let point = enclosure(&Ball::from_rational(&x, precision)).unwrap();
                assert!(value.overlaps(&point), "{k}");
            }
        }
    }
}
