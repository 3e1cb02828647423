//! sin, cos, tan and their inverses.

use std::cmp::Ordering;

use dashu_base::BitTest;
use dashu_int::IBig;

use super::arithmetic::one_minus;
use super::dyadic::Dyadic;
use super::exponential::{FloorDivision, inverse_tangent_series, linear_when_tiny, spare_bits};
use super::magnitude::Magnitude;
use super::{Ball, EvaluationError, Precision, series};

/// Arguments of at most this many bits before the point are reduced modulo pi/2.
const MAX_REDUCED_TOP: i64 = 1 << 16;

/// Which of the two functions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wave {
    Sine,
    Cosine,
}

impl Ball {
    /// The sine.
    pub fn sin(&self) -> Result<Self, EvaluationError> {
        self.wave(Wave::Sine)
    }

    /// The cosine.
    pub fn cos(&self) -> Result<Self, EvaluationError> {
        self.wave(Wave::Cosine)
    }

    /// The tangent, away from its poles.
    pub fn tan(&self) -> Result<Self, EvaluationError> {
        let working = self.with_precision(self.precision.plus(8));
        let cos = working.cos()?;
        if cos.contains_zero() {
            return Err(EvaluationError::Precision { function: "tan" });
        }
        Ok(working.sin()?.div(&cos)?.with_precision(self.precision))
    }

    fn wave(&self, wave: Wave) -> Result<Self, EvaluationError> {
        let one = Magnitude::power_of_two(0);
        if self.rad.cmp(&one.shift(1)) != Ordering::Less {
            return Ok(Self { mid: Dyadic::zero(), rad: one, precision: self.precision });
        }
        let ball = wave_of_point(&self.mid, wave, self.precision)?;
        // Both functions have slope at most one.
        Ok(Self { rad: ball.rad.add(self.rad), ..ball })
    }

    /// The inverse sine, in `[-pi/2, pi/2]`.
    pub fn asin(&self) -> Result<Self, EvaluationError> {
        self.demand_unit_interval("asin")?;
        self.monotone(asin_of_point)
    }

    /// The inverse cosine, in `[0, pi]`.
    pub fn acos(&self) -> Result<Self, EvaluationError> {
        self.demand_unit_interval("acos")?;
        self.monotone(acos_of_point)
    }

    /// The inverse tangent, in `(-pi/2, pi/2)`.
    pub fn atan(&self) -> Result<Self, EvaluationError> {
        self.monotone_with_spread(atan_of_point, |_| {
            // The slope is 1 / (1 + x^2), below one and below x^-2.
            let smallest = self.smallest_size()?;
            if smallest.top() <= 0 {
                Some(self.rad)
            } else {
                self.rad.div(&smallest.mul(&smallest))
            }
        })
    }

    fn demand_unit_interval(&self, function: &'static str) -> Result<(), EvaluationError> {
        let size = self.abs();
        if size.upper().cmp(&Dyadic::one()) != Ordering::Greater {
            Ok(())
        } else if size.lower().cmp(&Dyadic::one()) == Ordering::Greater {
            Err(EvaluationError::Domain { function })
        } else {
            Err(EvaluationError::Precision { function })
        }
    }

    /// The angle of the point `(x, y)`, in `(-pi, pi]`, where `self` is `y`.
    ///
    /// Refused when the ball meets the origin or both sides of the cut `y = 0, x < 0`.
    pub fn atan2(&self, x: &Self) -> Result<Self, EvaluationError> {
        let function = "atan2";
        let y = self;
        if x.is_zero() && y.is_zero() {
            return Err(EvaluationError::Domain { function });
        }
        let precision = x.precision.max(y.precision);
        let (x, y) = (x.with_precision(precision.plus(8)), y.with_precision(precision.plus(8)));
        let pi = Self::pi(precision.plus(8));
        let flat = x.mid.abs().cmp(&y.mid.abs()) != Ordering::Less;
        let angle = if x.excludes_zero() && (flat || y.contains_zero()) {
            let angle = y.div(&x)?.atan()?;
            if x.is_positive() {
                angle
            } else if y.is_positive() || y.is_zero() {
                angle.add(&pi)
            } else if y.is_negative() {
                angle.sub(&pi)
            } else {
                return Err(EvaluationError::Precision { function });
            }
        } else if y.excludes_zero() {
            let right = pi.shift(-1)?;
            let right = if y.is_negative() { right.neg() } else { right };
            right.sub(&x.div(&y)?.atan()?)
        } else {
            return Err(EvaluationError::Precision { function });
        };
        Ok(angle.with_precision(precision))
    }
}

/// `x - quarter_turns pi/2` at the scale, off by at most 2 units, and the quarter turns mod 4.
fn reduced(x: &Dyadic, scale: u32) -> (IBig, u8) {
    let extra = x.top().max(0) as u32 + 4;
    let pi = series::pi(scale + extra);
    // 2 x against multiples of pi; pi is off by less than 2 and |k| < 2^extra / 2.
    let twice = x.to_fixed(scale + extra).0 << 1;
    let k = ((&twice << 1) + &pi).div_euclid_floor(&(&pi << 1));
    let rest = (twice - &k * pi) >> (extra + 1) as usize;
    let turns = u8::from(k.bit(0)) + 2 * u8::from(k.bit(1));
    (rest, turns)
}

fn wave_of_point(x: &Dyadic, wave: Wave, precision: Precision) -> Result<Ball, EvaluationError> {
    let tiny = linear_when_tiny(x, precision);
    if let Some(ball) = tiny {
        if wave == Wave::Sine {
            return Ok(ball);
        }
        // 0 <= 1 - cos x <= x^2 / 2.
        let size = Magnitude::above_dyadic(x);
        return Ok(Ball::rounded(&Dyadic::one(), size.mul(size), precision));
    }
    if x.top() > MAX_REDUCED_TOP {
        let function = if wave == Wave::Sine { "sin" } else { "cos" };
        return Err(EvaluationError::Overflow { function });
    }
    let mut scale = precision.0 + spare_bits(precision) + (-x.top()).max(0) as u32;
    let (mut rest, mut turns) = reduced(x, scale);
    // Near a multiple of pi/2 the leading bits cancel: take as many more, once.
    let length = rest.bit_len() as u32;
    if length + 16 < precision.0 {
        scale += precision.0 - length;
        (rest, turns) = reduced(x, scale);
    }
    if wave == Wave::Cosine {
        turns = (turns + 1) % 4;
    }
    let (value, error) = if turns.is_multiple_of(2) {
        series::sine(&rest, scale)
    } else {
        series::cosine(&rest, scale)
    };
    let ball = Ball::from_fixed(value, scale, error + 4, precision);
    Ok(if turns >= 2 { ball.neg() } else { ball })
}

fn atan_of_point(x: &Dyadic, precision: Precision) -> Result<Ball, EvaluationError> {
    if let Some(ball) = linear_when_tiny(x, precision) {
        return Ok(ball);
    }
    // atan z = 2 atan(z / (1 + sqrt(1 + z^2))), and atan z = pi/2 - atan(1/z) beyond one.
    let halvings = (precision.0.isqrt() / 2 + 1).min(24);
    let small = (-x.top()).max(0) as u32;
    let scale = precision.0 + small + halvings + spare_bits(precision);
    let working = Precision(scale);
    let one = Ball::one(working);
    let size = x.abs();
    let inverted = size.cmp(&Dyadic::one()) == Ordering::Greater;
    let mut z = Ball::exact(&size, working);
    if inverted {
        z = z.recip()?;
    }
    for _ in 0..halvings {
        let hypotenuse = one.add(&z.mul(&z)?).sqrt()?;
        z = z.div(&one.add(&hypotenuse))?;
    }
    let mut angle = inverse_tangent_series(&z, scale, true).shift(halvings.into())?;
    if inverted {
        angle = Ball::pi(working).shift(-1)?.sub(&angle);
    }
    let angle = angle.with_precision(precision);
    Ok(if x.is_negative() { angle.neg() } else { angle })
}

fn asin_of_point(x: &Dyadic, precision: Precision) -> Result<Ball, EvaluationError> {
    if let Some(ball) = linear_when_tiny(x, precision) {
        return Ok(ball);
    }
    let working = precision.plus(16);
    if x.abs().cmp(&Dyadic::one()) == Ordering::Equal {
        let right = Ball::pi(precision).shift(-1)?;
        return Ok(if x.is_negative() { right.neg() } else { right });
    }
    let cosine = one_minus(x, working).mul(&one_minus(&x.neg(), working))?.sqrt()?;
    let tangent = Ball::exact(x, working).div(&cosine)?;
    Ok(tangent.atan()?.with_precision(precision))
}

fn acos_of_point(x: &Dyadic, precision: Precision) -> Result<Ball, EvaluationError> {
    let working = precision.plus(16);
    let (below, above) = (one_minus(x, working), one_minus(&x.neg(), working));
    if above.is_zero() {
        return Ok(Ball::pi(precision));
    }
    if below.is_zero() {
        return Ok(Ball::zero(precision));
    }
    // tan(acos(x)/2) = sqrt((1 - x)/(1 + x)).
    let half = below.div(&above)?.sqrt()?.atan()?;
    Ok(half.shift(1)?.with_precision(precision))
}
