//! Exact numbers `mantissa * 2^exponent`, and their directed roundings.

use std::cmp::Ordering;

use dashu_base::{BitTest, Sign, Signed};
use dashu_int::{IBig, UBig};

use super::magnitude::Magnitude;

/// `mantissa * 2^exponent`, not necessarily with an odd mantissa.
#[derive(Debug, Clone)]
pub(super) struct Dyadic {
    pub(super) mantissa: IBig,
    pub(super) exponent: i64,
}

impl Dyadic {
    pub(super) fn new(mantissa: IBig, exponent: i64) -> Self {
        let exponent = if mantissa.is_zero() { 0 } else { exponent };
        Self { mantissa, exponent }
    }

    pub(super) fn zero() -> Self {
        Self { mantissa: IBig::ZERO, exponent: 0 }
    }

    pub(super) fn one() -> Self {
        Self { mantissa: IBig::ONE, exponent: 0 }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.mantissa.is_zero()
    }

    pub(super) fn is_negative(&self) -> bool {
        self.mantissa.is_negative()
    }

    pub(super) fn is_positive(&self) -> bool {
        !self.is_zero() && !self.is_negative()
    }

    /// `2^(top - 1) <= |self| < 2^top`; very small for zero.
    pub(super) fn top(&self) -> i64 {
        if self.is_zero() {
            return i64::MIN / 4;
        }
        self.exponent + self.mantissa.bit_len() as i64
    }

    pub(super) fn neg(&self) -> Self {
        Self { mantissa: -&self.mantissa, exponent: self.exponent }
    }

    pub(super) fn abs(&self) -> Self {
        if self.is_negative() { self.neg() } else { self.clone() }
    }

    pub(super) fn shift(&self, shift: i64) -> Self {
        Self::new(self.mantissa.clone(), self.exponent + shift)
    }

    pub(super) fn mul(&self, other: &Self) -> Self {
        Self::new(&self.mantissa * &other.mantissa, self.exponent + other.exponent)
    }

    /// The exact sum. Its size is the distance between the exponents, which the caller bounds.
    pub(super) fn add(&self, other: &Self) -> Self {
        if self.is_zero() {
            return other.clone();
        }
        if other.is_zero() {
            return self.clone();
        }
        let low = self.exponent.min(other.exponent);
        let left = &self.mantissa << (self.exponent - low) as usize;
        let right = &other.mantissa << (other.exponent - low) as usize;
        Self::new(left + right, low)
    }

    /// The sum to about `bits` bits and a bound of the error; cheap for any exponents.
    pub(super) fn add_rounded(&self, other: &Self, bits: u32) -> (Self, Magnitude) {
        let (large, small) = if self.top() >= other.top() { (self, other) } else { (other, self) };
        if large.top() - small.top() > i64::from(bits) + 4 {
            let (value, error) = large.round(bits);
            return (value, error.add(Magnitude::above_dyadic(small)));
        }
        self.add(other).round(bits)
    }

    /// To the nearest number of `bits` bits, with a bound of the error.
    pub(super) fn round(&self, bits: u32) -> (Self, Magnitude) {
        let excess = self.mantissa.bit_len().saturating_sub(bits as usize);
        if excess == 0 {
            return (self.clone(), Magnitude::ZERO);
        }
        let exponent = self.exponent + excess as i64;
        if self.mantissa.trailing_zeros().is_some_and(|zeros| zeros >= excess) {
            return (Self::new(&self.mantissa >> excess, exponent), Magnitude::ZERO);
        }
        let half = IBig::ONE << (excess - 1);
        let rounded = (&self.mantissa + half) >> excess;
        (Self::new(rounded, exponent), Magnitude::power_of_two(exponent - 1))
    }

    /// The largest number of `bits` bits not above.
    pub(super) fn round_down(&self, bits: u32) -> Self {
        let excess = self.mantissa.bit_len().saturating_sub(bits as usize);
        Self::new(&self.mantissa >> excess, self.exponent + excess as i64)
    }

    /// A number of about `bits` bits not above `self - radius`.
    pub(super) fn sub_radius_down(&self, radius: Magnitude, bits: u32) -> Self {
        let radius = radius.to_dyadic();
        if radius.is_zero() {
            return self.round_down(bits);
        }
        if self.is_zero() {
            return radius.neg();
        }
        let gap = self.top() - radius.top();
        // Only the place of the last kept bit matters when the other summand is far below it.
        let far = i64::from(bits) + 4 + self.mantissa.bit_len() as i64;
        if gap > far {
            let step = Self::new(IBig::ONE, self.top() - far);
            return self.add(&step.neg()).round_down(bits);
        }
        if -gap > far + 32 {
            return radius.add(&Self::new(IBig::ONE, radius.exponent)).neg();
        }
        self.add(&radius.neg()).round_down(bits)
    }

    /// `self / divisor` to at least `bits` bits with a bound of the error; `None` for zero.
    pub(super) fn div(&self, divisor: &Self, bits: u32) -> Option<(Self, Magnitude)> {
        if divisor.is_zero() {
            return None;
        }
        if self.is_zero() {
            return Some((Self::zero(), Magnitude::ZERO));
        }
        let wanted = bits as usize + 1 + divisor.mantissa.bit_len();
        let shift = wanted.saturating_sub(self.mantissa.bit_len());
        let numerator = &self.mantissa << shift;
        let quotient = &numerator / &divisor.mantissa;
        let exponent = self.exponent - shift as i64 - divisor.exponent;
        let exact = &quotient * &divisor.mantissa == numerator;
        let error = if exact { Magnitude::ZERO } else { Magnitude::power_of_two(exponent) };
        Some((Self::new(quotient, exponent), error))
    }

    /// Floor of `self * 2^scale`, and whether it is exact.
    pub(super) fn to_fixed(&self, scale: u32) -> (IBig, bool) {
        let shift = self.exponent + i64::from(scale);
        if shift >= 0 {
            return (&self.mantissa << shift as usize, true);
        }
        let shift = shift.unsigned_abs() as usize;
        let exact = self.mantissa.trailing_zeros().is_none_or(|zeros| zeros >= shift);
        if shift > self.mantissa.bit_len() {
            let floor = if self.is_negative() { IBig::NEG_ONE } else { IBig::ZERO };
            return (floor, exact);
        }
        (&self.mantissa >> shift, exact)
    }

    pub(super) fn cmp(&self, other: &Self) -> Ordering {
        let sign = |value: &Self| i8::from(value.is_positive()) - i8::from(value.is_negative());
        let (left, right) = (sign(self), sign(other));
        if left != right || left == 0 {
            return left.cmp(&right);
        }
        let by_size = self.top().cmp(&other.top());
        if by_size != Ordering::Equal {
            return if left > 0 { by_size } else { by_size.reverse() };
        }
        // Equal tops: the shift is bounded by the lengths of the mantissas.
        let low = self.exponent.min(other.exponent);
        let left = &self.mantissa << (self.exponent - low) as usize;
        left.cmp(&(&other.mantissa << (other.exponent - low) as usize))
    }

    /// The nearest `f64`, ties to even, with gradual underflow and overflow to infinity.
    pub(super) fn to_f64(&self) -> f64 {
        let sign = if self.is_negative() { -1.0 } else { 1.0 };
        if self.is_zero() {
            return 0.0;
        }
        if self.top() > 1024 {
            return sign * f64::INFINITY;
        }
        if self.top() < -1074 {
            return sign * 0.0;
        }
        // The last bit of the result stands for 2^last.
        let last = (self.top() - 53).max(-1074);
        let shift = last - self.exponent;
        let (_, size) = self.mantissa.clone().into_parts();
        let kept = if shift <= 0 {
            size << shift.unsigned_abs() as usize
        } else {
            round_half_even(&size, shift as usize)
        };
        let kept = u64::try_from(kept).unwrap_or(0);
        // Both factors are exact; 2^last is split so that neither half underflows.
        let half = last / 2;
        let scaled = kept as f64 * power_of_two_f64(half) * power_of_two_f64(last - half);
        sign * scaled
    }
}

/// `value / 2^shift` to the nearest integer, ties to even (`shift >= 1`).
pub(super) fn round_half_even(value: &UBig, shift: usize) -> UBig {
    let floor = value >> shift;
    let half = UBig::ONE << (shift - 1);
    let rest = value - (&floor << shift);
    let up = match rest.cmp(&half) {
        Ordering::Less => false,
        Ordering::Greater => true,
        Ordering::Equal => floor.bit(0),
    };
    if up { floor + UBig::ONE } else { floor }
}

/// `2^exponent` for `-1022 <= exponent <= 1023`.
fn power_of_two_f64(exponent: i64) -> f64 {
    f64::from_bits(((exponent + 1023).clamp(0, 2047) as u64) << 52)
}

/// An integer of the given sign.
pub(super) fn signed(negative: bool, value: UBig) -> IBig {
    IBig::from_parts(if negative { Sign::Negative } else { Sign::Positive }, value)
}
