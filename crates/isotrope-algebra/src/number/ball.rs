//! Rigorous real arithmetic: a number known to lie in `[mid - rad, mid + rad]`.
//!
//! Every operation returns an enclosure: if the operands lie in their balls, the
//! result lies in the ball returned. Midpoints are binary floating-point numbers of a
//! chosen [`Precision`]; radii are upper bounds of 32 bits, always rounded up.
//!
//! Two things rest on enclosures: "not zero" for expressions that have no image in a prime field,
//! and every answer of `check`.

mod arithmetic;
mod dyadic;
mod exponential;
mod magnitude;
mod series;
mod text;
mod trigonometric;

#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::fmt;

use dashu_base::BitTest;
use dashu_int::{IBig, UBig};

use self::dyadic::Dyadic;
use self::magnitude::Magnitude;
use super::Rational;

/// Numbers of size above 2^`MAX_EXPONENT` are refused, below its inverse absorbed by the radius.
const MAX_EXPONENT: i64 = 1 << 28;

/// Spare bits kept when the end points of a ball are computed.
const END_POINT_BITS: u32 = 32;

/// How many bits the midpoint of a [`Ball`] keeps.
///
/// ```
/// use isotrope_algebra::number::Precision;
/// assert_eq!(Precision::new(128).bits(), 128);
/// assert_eq!(Precision::new(0), Precision::MIN);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Precision(u32);

impl Precision {
    /// The lowest precision.
    pub const MIN: Self = Self(16);
    /// The highest precision: beyond it, more bits no longer answer anything.
    pub const MAX: Self = Self(1 << 16);

    /// The given number of bits, brought between [`Precision::MIN`] and [`Precision::MAX`].
    pub fn new(bits: u32) -> Self {
        Self(bits.clamp(Self::MIN.0, Self::MAX.0))
    }

    /// The number of bits.
    pub fn bits(self) -> u32 {
        self.0
    }

    /// Twice the bits; `None` above [`Precision::MAX`].
    pub fn doubled(self) -> Option<Self> {
        (self.0 <= Self::MAX.0 / 2).then_some(Self(self.0 * 2))
    }

    /// More bits for intermediate results (not held to the maximum).
    fn plus(self, bits: u32) -> Self {
        Self(self.0.saturating_add(bits))
    }
}

/// Why an expression has no enclosure.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EvaluationError {
    /// The divisor is zero.
    #[error("division by zero")]
    DivisionByZero,
    /// The argument lies outside the domain.
    #[error("the argument of {function} is outside its domain")]
    Domain {
        /// The function.
        function: &'static str,
    },
    /// The ball meets a singularity or the border of the domain; more bits may decide.
    #[error("the argument of {function} is too close to a singularity for this precision")]
    Precision {
        /// The function.
        function: &'static str,
    },
    /// The result (or the argument of a periodic function) is too large to represent.
    #[error("overflow in {function}")]
    Overflow {
        /// The function.
        function: &'static str,
    },
}

/// A real number known to lie in `[mid - rad, mid + rad]`.
///
/// ```
/// use isotrope_algebra::number::{Ball, Precision};
/// let precision = Precision::new(128);
/// let two = Ball::integer(2, precision);
/// let root = two.sqrt().unwrap();
/// assert_eq!(root.to_decimal(20), "1.4142135623730950488");
/// assert!(root.mul(&root).unwrap().sub(&two).contains_zero());
/// assert_eq!(root.to_f64_certain(), Some(std::f64::consts::SQRT_2));
/// ```
#[derive(Clone)]
pub struct Ball {
    mid: Dyadic,
    rad: Magnitude,
    precision: Precision,
}

impl Ball {
    /// Rounds the midpoint to the precision and widens the radius by the rounding error.
    fn rounded(mid: &Dyadic, rad: Magnitude, precision: Precision) -> Self {
        if mid.top() < -MAX_EXPONENT {
            let rad = rad.add(Magnitude::above_dyadic(mid));
            return Self { mid: Dyadic::zero(), rad, precision };
        }
        let (mid, error) = mid.round(precision.0);
        Self { mid, rad: rad.add(error), precision }
    }

    fn exact(mid: &Dyadic, precision: Precision) -> Self {
        Self::rounded(mid, Magnitude::ZERO, precision)
    }

    fn from_fixed(value: IBig, scale: u32, error: u128, precision: Precision) -> Self {
        let scale = -i64::from(scale);
        Self::rounded(&Dyadic::new(value, scale), Magnitude::above(error, scale), precision)
    }

    /// Refuses balls too large to represent.
    fn bounded(self, function: &'static str) -> Result<Self, EvaluationError> {
        let too_large =
            self.mid.top() > MAX_EXPONENT || (!self.rad.is_zero() && self.rad.top() > MAX_EXPONENT);
        if too_large { Err(EvaluationError::Overflow { function }) } else { Ok(self) }
    }

    /// Zero.
    pub fn zero(precision: Precision) -> Self {
        Self { mid: Dyadic::zero(), rad: Magnitude::ZERO, precision }
    }

    /// One.
    pub fn one(precision: Precision) -> Self {
        Self { mid: Dyadic::one(), rad: Magnitude::ZERO, precision }
    }

    /// An integer.
    pub fn integer(value: i64, precision: Precision) -> Self {
        Self::exact(&Dyadic::new(value.into(), 0), precision)
    }

    /// A rational number; exact when its denominator is a power of two and it fits.
    pub fn from_rational(value: &Rational, precision: Precision) -> Self {
        let numerator = Dyadic::new(value.numerator(), 0);
        let denominator = Dyadic::new(value.denominator().into(), 0);
        match numerator.div(&denominator, precision.0) {
            Some((mid, error)) => Self::rounded(&mid, error, precision),
            None => Self::zero(precision),
        }
    }

    /// The exact value of a finite `f64`; `None` for infinities and NaN.
    pub fn from_f64(value: f64, precision: Precision) -> Option<Self> {
        Rational::from_f64(value).map(|value| Self::from_rational(&value, precision))
    }

    /// The ball over an interval with rational end points (in either order).
    pub fn from_interval(one_end: &Rational, other_end: &Rational, precision: Precision) -> Self {
        Self::from_rational(one_end, precision).hull(&Self::from_rational(other_end, precision))
    }

    /// The circle's half circumference.
    pub fn pi(precision: Precision) -> Self {
        let scale = precision.0 + 8;
        Self::from_fixed(series::pi(scale), scale, 2, precision)
    }

    /// The precision of the midpoint.
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// The same number at another precision (rounded when lower).
    #[must_use]
    pub fn with_precision(&self, precision: Precision) -> Self {
        Self::rounded(&self.mid, self.rad, precision)
    }

    /// A lower bound close to `mid - rad`.
    fn lower(&self) -> Dyadic {
        self.mid.sub_radius_down(self.rad, self.precision.0 + END_POINT_BITS)
    }

    /// An upper bound close to `mid + rad`.
    fn upper(&self) -> Dyadic {
        self.mid.neg().sub_radius_down(self.rad, self.precision.0 + END_POINT_BITS).neg()
    }

    /// The smallest ball (up to rounding) that contains both.
    #[must_use]
    pub fn hull(&self, other: &Self) -> Self {
        let (a, b) = (self.lower(), other.lower());
        let low = if a.cmp(&b) == Ordering::Less { a } else { b };
        let (a, b) = (self.upper(), other.upper());
        let high = if a.cmp(&b) == Ordering::Greater { a } else { b };
        Self::between(&low, &high, self.precision.max(other.precision))
    }

    /// A ball over `[low, high]`.
    fn between(low: &Dyadic, high: &Dyadic, precision: Precision) -> Self {
        let (sum, sum_error) = low.add_rounded(high, precision.0);
        let (width, width_error) = high.add_rounded(&low.neg(), END_POINT_BITS);
        let rad = Magnitude::above_dyadic(&width).add(width_error).add(sum_error).shift(-1);
        Self::rounded(&sum.shift(-1), rad, precision)
    }

    /// The centre, as an exact number: for iterations that correct their own errors.
    ///
    /// ```
    /// use isotrope_algebra::number::{Ball, Precision};
    /// let third = Ball::integer(3, Precision::new(64)).recip().unwrap();
    /// assert!(!third.is_exact() && third.midpoint().is_exact());
    /// assert!(third.overlaps(&third.midpoint()));
    /// ```
    #[must_use]
    pub fn midpoint(&self) -> Self {
        Self { rad: Magnitude::ZERO, ..self.clone() }
    }

    /// Is it known exactly (radius zero)?
    pub fn is_exact(&self) -> bool {
        self.rad.is_zero()
    }

    /// May it be zero?
    pub fn contains_zero(&self) -> bool {
        self.mid.abs().cmp(&self.rad.to_dyadic()) != Ordering::Greater
    }

    /// Is it certainly not zero?
    pub fn excludes_zero(&self) -> bool {
        !self.contains_zero()
    }

    /// Is it certainly zero?
    pub fn is_zero(&self) -> bool {
        self.mid.is_zero() && self.rad.is_zero()
    }

    /// Is it certainly above zero?
    pub fn is_positive(&self) -> bool {
        self.mid.is_positive() && self.excludes_zero()
    }

    /// Is it certainly below zero?
    pub fn is_negative(&self) -> bool {
        self.mid.is_negative() && self.excludes_zero()
    }

    /// Is every point of this ball below every point of the other?
    pub fn is_less_than(&self, other: &Self) -> bool {
        self.upper().cmp(&other.lower()) == Ordering::Less
    }

    /// The order of the two numbers when the balls are disjoint (or equal and exact).
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        if self.is_less_than(other) {
            Some(Ordering::Less)
        } else if other.is_less_than(self) {
            Some(Ordering::Greater)
        } else if self.is_exact() && other.is_exact() {
            Some(self.mid.cmp(&other.mid))
        } else {
            None
        }
    }

    /// Do the balls meet? (`false` is certain.)
    pub fn overlaps(&self, other: &Self) -> bool {
        !self.is_less_than(other) && !other.is_less_than(self)
    }

    /// May it equal the rational number? (`false` is certain.)
    pub fn contains(&self, value: &Rational) -> bool {
        let bits = u32::try_from(value.bits()).unwrap_or(u32::MAX).min(Precision::MAX.0);
        let working = self.precision.plus(bits).plus(64);
        Self::from_rational(value, working).sub(&self.with_precision(working)).contains_zero()
    }

    /// Bits of the midpoint that the radius leaves certain; [`Precision::MAX`] bits when exact,
    /// zero or less when not even the sign is.
    pub fn accuracy(&self) -> i64 {
        if self.rad.is_zero() {
            return Precision::MAX.0.into();
        }
        (self.mid.top() - self.rad.top()).max(-i64::from(Precision::MAX.0))
    }

    /// Is the radius at most `2^exponent`?
    pub fn radius_is_below(&self, exponent: i64) -> bool {
        self.rad.is_zero() || self.rad.top() <= exponent
    }

    /// Rational end points of an interval that contains the number; `None` when the numbers
    /// would have more than a million bits.
    pub fn bounds(&self) -> Option<(Rational, Rational)> {
        let (low, high) = (self.lower(), self.upper());
        Some((rational(&low)?, rational(&high)?))
    }

    /// The nearest `f64` to the midpoint (ties to even; an infinity beyond the range).
    pub fn to_f64(&self) -> f64 {
        self.mid.to_f64()
    }

    /// The correctly rounded `f64`: `Some` only if every point of the ball rounds to it.
    pub fn to_f64_certain(&self) -> Option<f64> {
        let (low, high) = (self.lower().to_f64(), self.upper().to_f64());
        // Both zeros compare equal; the positive one is returned.
        (low == high).then_some(if low == 0.0 { 0.0 } else { low })
    }
}

fn rational(value: &Dyadic) -> Option<Rational> {
    const LIMIT: u64 = 1_000_000;
    let shift = value.exponent.unsigned_abs();
    if shift > LIMIT || value.mantissa.bit_len() as u64 > LIMIT {
        return None;
    }
    let power = UBig::ONE << shift as usize;
    if value.exponent >= 0 {
        Some(Rational::from(&value.mantissa * power))
    } else {
        Rational::from_big(value.mantissa.clone(), power)
    }
}

impl fmt::Debug for Ball {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rad = Self { mid: self.rad.to_dyadic(), ..Self::zero(self.precision) };
        write!(f, "[{} +/- {}]", self.to_decimal(20), rad.to_decimal(3))
    }
}

impl fmt::Display for Ball {
    /// The digits that are certain, at most as many as the precision holds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = self.accuracy().clamp(1, self.precision.0.into());
        f.write_str(&self.to_decimal((bits as usize * 3 / 10).max(1)))
    }
}
