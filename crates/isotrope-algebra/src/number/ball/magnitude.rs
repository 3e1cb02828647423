//! Upper bounds of nonnegative numbers: a 32-bit mantissa, always rounded up.

use std::cmp::Ordering;

use dashu_base::{BitTest, UnsignedAbs};

use super::dyadic::Dyadic;

/// Radii below 2^`MIN_EXPONENT` are rounded up to it, so that exponents never wrap.
const MIN_EXPONENT: i64 = -(1 << 40);

/// `mantissa * 2^exponent` with `2^31 <= mantissa < 2^32`, or zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Magnitude {
    mantissa: u64,
    exponent: i64,
}

impl Magnitude {
    pub(super) const ZERO: Self = Self { mantissa: 0, exponent: 0 };

    /// The smallest representable bound of `mantissa * 2^exponent`.
    pub(super) fn above(mantissa: u128, exponent: i64) -> Self {
        if mantissa == 0 {
            return Self::ZERO;
        }
        let length = 128 - i64::from(mantissa.leading_zeros());
        let (mut mantissa, mut exponent) = if length > 32 {
            let shift = length - 32;
            let cut = mantissa >> shift;
            (if cut << shift == mantissa { cut } else { cut + 1 }, exponent + shift)
        } else {
            (mantissa << (32 - length), exponent - (32 - length))
        };
        if mantissa == 1 << 32 {
            (mantissa, exponent) = (1 << 31, exponent + 1);
        }
        Self { mantissa: mantissa as u64, exponent: exponent.max(MIN_EXPONENT) }
    }

    /// `2^exponent`.
    pub(super) fn power_of_two(exponent: i64) -> Self {
        Self::above(1, exponent)
    }

    /// An upper bound of `|value|`.
    pub(super) fn above_dyadic(value: &Dyadic) -> Self {
        let (cut, shift) = top_bits(value);
        let (back, exponent) = (u128::from(cut), value.exponent.saturating_add(shift));
        let exact = value.mantissa.trailing_zeros().is_none_or(|zeros| zeros as i64 >= shift);
        Self::above(if exact { back } else { back + 1 }, exponent)
    }

    pub(super) fn is_zero(self) -> bool {
        self.mantissa == 0
    }

    /// The bound itself as an exact number.
    pub(super) fn to_dyadic(self) -> Dyadic {
        Dyadic::new(self.mantissa.into(), self.exponent)
    }

    /// The bound is below `2^top()`; meaningless for zero.
    pub(super) fn top(self) -> i64 {
        self.exponent + 32
    }

    pub(super) fn add(self, other: Self) -> Self {
        let (large, small) =
            if self.cmp(&other) == Ordering::Less { (other, self) } else { (self, other) };
        if small.is_zero() {
            return large;
        }
        let gap = large.exponent - small.exponent;
        if gap > 64 {
            return Self::above((u128::from(large.mantissa) << 8) + 1, large.exponent - 8);
        }
        Self::above(
            (u128::from(large.mantissa) << gap) + u128::from(small.mantissa),
            small.exponent,
        )
    }

    pub(super) fn mul(self, other: Self) -> Self {
        Self::above(
            u128::from(self.mantissa) * u128::from(other.mantissa),
            self.exponent.saturating_add(other.exponent),
        )
    }

    /// `self * 2^shift`.
    pub(super) fn shift(self, shift: i64) -> Self {
        Self::above(self.mantissa.into(), self.exponent.saturating_add(shift))
    }

    /// An upper bound of `self / |divisor|`; `None` for a zero divisor.
    pub(super) fn div(self, divisor: &Dyadic) -> Option<Self> {
        let (cut, shift) = top_bits(divisor);
        let cut = u128::from(cut);
        if cut == 0 {
            return None;
        }
        let quotient = (u128::from(self.mantissa) << 64).div_ceil(cut);
        let exponent = self.exponent - 64 - divisor.exponent.saturating_add(shift);
        Some(Self::above(quotient, exponent))
    }

    pub(super) fn cmp(&self, other: &Self) -> Ordering {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => (self.exponent, self.mantissa).cmp(&(other.exponent, other.mantissa)),
        }
    }
}

/// The leading 62 bits of `|mantissa|` rounded down, and how far they were shifted.
fn top_bits(value: &Dyadic) -> (u64, i64) {
    let length = value.mantissa.bit_len();
    let shift = length.saturating_sub(62);
    let cut = (&value.mantissa).unsigned_abs() >> shift;
    (u64::try_from(cut).unwrap_or(u64::MAX), shift as i64)
}
