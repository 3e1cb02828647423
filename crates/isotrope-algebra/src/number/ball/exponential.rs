//! exp, log and the hyperbolic functions.

use std::cmp::Ordering;

use dashu_base::BitTest;
use dashu_int::IBig;

use super::dyadic::Dyadic;
use super::magnitude::Magnitude;
use super::{Ball, EvaluationError, MAX_EXPONENT, Precision, series};

/// `exp(x)` for `|x|` of at most this many bits before the point can be represented.
const MAX_EXPONENTIAL_TOP: i64 = 29;

impl Ball {
    /// The exponential.
    pub fn exp(&self) -> Result<Self, EvaluationError> {
        self.monotone_with_spread(exp_of_point, |value| {
            // |exp(r) - 1| <= 2 |r| for |r| <= 1.
            let size = Magnitude::above_dyadic(&value.upper());
            (self.rad.top() <= 0).then(|| size.mul(self.rad).shift(1))
        })
    }

    /// The natural logarithm of a positive number.
    pub fn log(&self) -> Result<Self, EvaluationError> {
        self.demand_positive("log")?;
        self.monotone_with_spread(log_of_point, |_| self.rad.div(&self.smallest_size()?))
    }

    /// The hyperbolic sine.
    pub fn sinh(&self) -> Result<Self, EvaluationError> {
        self.monotone(sinh_of_point)
    }

    /// The hyperbolic cosine.
    pub fn cosh(&self) -> Result<Self, EvaluationError> {
        let size = self.abs();
        if self.is_exact() || self.excludes_zero() {
            return size.monotone(cosh_of_point);
        }
        // The minimum 1 lies inside.
        let high = cosh_of_point(&size.upper(), self.precision)?;
        Ok(Self::between(&Dyadic::one(), &high.upper(), self.precision))
    }

    /// The hyperbolic tangent.
    pub fn tanh(&self) -> Result<Self, EvaluationError> {
        self.monotone(tanh_of_point)
    }
}

/// Spare bits against errors proportional to the number of terms.
pub(super) fn spare_bits(precision: Precision) -> u32 {
    24 + 2 * (32 - precision.0.leading_zeros())
}

fn exp_of_point(x: &Dyadic, precision: Precision) -> Result<Ball, EvaluationError> {
    if x.is_zero() {
        return Ok(Ball::one(precision));
    }
    if x.top() < -i64::from(precision.0) - 2 {
        // |exp(x) - 1| <= 2 |x| for |x| <= 1.
        return Ok(Ball::rounded(&Dyadic::one(), Magnitude::above_dyadic(x).shift(1), precision));
    }
    if x.top() > MAX_EXPONENTIAL_TOP {
        if x.is_positive() {
            return Err(EvaluationError::Overflow { function: "exp" });
        }
        // exp(x) < 2^x <= 2^(-2^28).
        let bound = Magnitude::power_of_two(-MAX_EXPONENT);
        return Ok(Ball { mid: bound.to_dyadic(), rad: bound, precision });
    }
    // exp(x) = 2^k exp(r / 2^halvings)^(2^halvings), |r| <= log(2)/2 and a little.
    let halvings = (precision.0.isqrt() / 2 + 2).min(24);
    let scale = precision.0 + 2 * halvings + spare_bits(precision);
    let extra = x.top().max(0) as u32 + 4;
    let log_two = series::log_two(scale + extra);
    let fixed = x.to_fixed(scale + extra).0;
    let k = ((&fixed << 1) + &log_two).div_euclid_floor(&(&log_two << 1));
    // log_two is off by 2 and |k| < 2^extra / 2, so r is off by at most 3 units after the shift.
    let r = (fixed - &k * log_two) >> extra as usize;
    let (mut y, mut error) = series::exponential(&(r >> halvings as usize), scale);
    // Off by 4 units more in the argument, where exp has slope below 2.
    error += 8;
    for _ in 0..halvings {
        // |y| <= 1.43 and error 2^-scale far below 1: (y + e)^2 is off by at most 3 e + 2.
        y = (&y * &y) >> scale as usize;
        error = 3 * error + 2;
    }
    let k = i64::try_from(k).map_err(|_| EvaluationError::Overflow { function: "exp" })?;
    Ball::from_fixed(y, scale, error, precision).shift(k).map_err(|error| match error {
        EvaluationError::Overflow { .. } => EvaluationError::Overflow { function: "exp" },
        other => other,
    })
}

/// Floor division by a positive integer.
pub(super) trait FloorDivision {
    fn div_euclid_floor(&self, divisor: &IBig) -> IBig;
}

impl FloorDivision for IBig {
    fn div_euclid_floor(&self, divisor: &IBig) -> IBig {
        let quotient = self / divisor;
        if &quotient * divisor > *self { quotient - IBig::ONE } else { quotient }
    }
}

fn log_of_point(x: &Dyadic, precision: Precision) -> Result<Ball, EvaluationError> {
    // x = 2^k m with 3/4 <= m < 3/2.
    let length = x.mantissa.bit_len() as i64;
    let mut k = x.exponent + length;
    let mut m = Dyadic::new(x.mantissa.clone(), -length);
    if m.cmp(&Dyadic::new(IBig::from(3), -2)) == Ordering::Less {
        m = m.shift(1);
        k -= 1;
    }
    let t = m.add(&Dyadic::one().neg());
    if t.is_zero() && k == 0 {
        return Ok(Ball::zero(precision));
    }
    let depth = if k == 0 { (-t.top()).max(0) } else { 0 };
    if depth > i64::from(precision.0) + 2 {
        // |log(1 + t) - t| <= t^2 for |t| <= 1/2.
        let size = Magnitude::above_dyadic(&t);
        return Ok(Ball::rounded(&t, size.mul(size), precision));
    }
    // log m = 2^roots log m^(1/2^roots), and log y = 2 artanh((y - 1)/(y + 1)).
    let roots = (precision.0.isqrt() / 2 + 1).min(24);
    let scale = precision.0 + depth as u32 + roots + spare_bits(precision);
    let working = Precision(scale + 8);
    let one = Ball::one(working);
    let mut y = Ball::exact(&m, working);
    for _ in 0..roots {
        y = y.sqrt()?;
    }
    let z = y.sub(&one).div(&y.add(&one))?;
    let series = inverse_tangent_series(&z, scale, false);
    let log_two = Ball::from_fixed(series::log_two(scale), scale, 2, working);
    let whole = log_two.mul(&Ball::integer(k, working))?;
    Ok(series.shift(i64::from(roots) + 1)?.add(&whole).with_precision(precision))
}

/// `atan` (alternating) or `artanh` of a ball with `|z| <= 1/2`, by the series.
pub(super) fn inverse_tangent_series(z: &Ball, scale: u32, alternating: bool) -> Ball {
    let (fixed, _) = z.mid.abs().to_fixed(scale);
    let (sum, error) = series::inverse_tangent(&fixed, scale, alternating);
    // Slope at most 4/3 < 2, for the radius and for the unit lost in the conversion.
    let ball = Ball::from_fixed(sum, scale, error + 2, z.precision);
    let ball = Ball { rad: ball.rad.add(z.rad.shift(1)), ..ball };
    if z.mid.is_negative() { ball.neg() } else { ball }
}

/// `x` with the error `|x|^3`, when that is below the precision.
pub(super) fn linear_when_tiny(x: &Dyadic, precision: Precision) -> Option<Ball> {
    (x.top() < -i64::from(precision.0 / 2) - 2).then(|| {
        let size = Magnitude::above_dyadic(x);
        Ball::rounded(x, size.mul(size).mul(size), precision)
    })
}

fn sinh_of_point(x: &Dyadic, precision: Precision) -> Result<Ball, EvaluationError> {
    if let Some(ball) = linear_when_tiny(x, precision) {
        return Ok(ball);
    }
    let working = precision.plus((-x.top()).max(0) as u32 + 8);
    let exp =
        exp_of_point(x, working).map_err(|_| EvaluationError::Overflow { function: "sinh" })?;
    let other = exp_of_point(&x.neg(), working)
        .map_err(|_| EvaluationError::Overflow { function: "sinh" })?;
    Ok(exp.sub(&other).shift(-1)?.with_precision(precision))
}

fn cosh_of_point(x: &Dyadic, precision: Precision) -> Result<Ball, EvaluationError> {
    let working = precision.plus(8);
    let overflow = |_| EvaluationError::Overflow { function: "cosh" };
    let exp = exp_of_point(x, working).map_err(overflow)?;
    let other = exp_of_point(&x.neg(), working).map_err(overflow)?;
    Ok(exp.add(&other).shift(-1)?.with_precision(precision))
}

fn tanh_of_point(x: &Dyadic, precision: Precision) -> Result<Ball, EvaluationError> {
    if let Some(ball) = linear_when_tiny(x, precision) {
        return Ok(ball);
    }
    let size = x.abs();
    let one = Dyadic::one();
    let large = Dyadic::new(IBig::from(precision.0), 0);
    let tanh = if size.cmp(&large) == Ordering::Greater {
        // 1 - tanh x < 2 exp(-2 x) < 2^(1 - 2 x).
        let error = Magnitude::power_of_two(1 - 2 * i64::from(precision.0));
        Ball::rounded(&one, error, precision)
    } else {
        // tanh x = 1 - 2 / (exp(2 x) + 1).
        let working = precision.plus((-x.top()).max(0) as u32 + 8);
        let exp = exp_of_point(&size.shift(1), working)?;
        let one = Ball::one(working);
        let quotient = Ball::integer(2, working).div(&exp.add(&one))?;
        one.sub(&quotient).with_precision(precision)
    };
    Ok(if x.is_negative() { tanh.neg() } else { tanh })
}
