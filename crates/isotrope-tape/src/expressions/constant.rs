//! Constants, rounded correctly.

use isotrope_algebra::evaluate::{EvaluateError, evaluate_ball};
use isotrope_algebra::{Ball, ExprId, Pool, Precision, Rational};
use rustc_hash::FxHashMap;

use super::ExpressionError;

/// A product of powers without symbols: a rational number times constants of the pool.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Constant {
    /// The rational part; none: 1.
    pub rational: Option<Rational>,
    /// (base, exponent) pairs without symbols.
    pub powers: Vec<(ExprId, ExprId)>,
}

impl Constant {
    pub(super) fn scaled(mut self, factor: &Rational) -> Self {
        self.rational = Some(match &self.rational {
            Some(value) => value * factor,
            None => factor.clone(),
        });
        self
    }

    fn enclosure(&self, pool: &Pool, precision: Precision) -> Result<Ball, EvaluateError> {
        let symbols = FxHashMap::default();
        let mut product = match &self.rational {
            Some(value) => Ball::from_rational(value, precision),
            None => Ball::one(precision),
        };
        for &(base, exponent) in &self.powers {
            let ball = evaluate_ball(pool, base, &symbols, precision)?;
            let power = match pool.as_number(exponent) {
                Some(number) => ball.pow_rational(number)?,
                None => ball.pow(&evaluate_ball(pool, exponent, &symbols, precision)?)?,
            };
            product = product.mul(&power)?;
        }
        Ok(product)
    }
}

/// The nearest double to a sum of constants.
///
/// More and more bits are used until the enclosure rounds to one double. A value so close to the
/// middle of two doubles that no reasonable precision tells them apart is that middle, exactly;
/// then the enclosure's centre rounds to even.
pub(super) fn rounded(pool: &Pool, terms: &[Constant]) -> Result<f64, ExpressionError> {
    if let [term] = terms
        && term.powers.is_empty()
    {
        return Ok(term.rational.as_ref().map_or(1.0, Rational::to_f64));
    }
    let mut precision = Precision::new(128);
    loop {
        let mut sum = Ball::zero(precision);
        let mut failure = None;
        for term in terms {
            match term.enclosure(pool, precision) {
                Ok(ball) => sum = sum.add(&ball),
                Err(reason) => failure = Some(reason),
            }
        }
        if let (None, Some(certain)) = (&failure, sum.to_f64_certain()) {
            return Ok(certain);
        }
        let next = precision.doubled().filter(|next| next.bits() <= 2048);
        match (failure, next) {
            (Some(reason), None) => return Err(ExpressionError::Constant { reason }),
            (None, None) if sum.contains_zero() => return Ok(0.0),
            (None, None) => return Ok(sum.to_f64()),
            (_, Some(next)) => precision = next,
        }
    }
}
