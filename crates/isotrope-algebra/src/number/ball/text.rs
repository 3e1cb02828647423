//! Decimal digits of balls.

use std::cmp::Ordering;

use dashu_base::{BitTest, UnsignedAbs};
use dashu_int::UBig;

use super::Ball;
use super::dyadic::Dyadic;

/// Decimal exponents beyond this are written as powers of two instead.
const MAX_DECIMAL_BITS: i64 = 1 << 18;

impl Ball {
    /// The midpoint to `digits` significant digits (rounded to nearest, ties away from zero).
    ///
    /// Written plainly for moderate sizes, otherwise as `1.25e-30`.
    pub fn to_decimal(&self, digits: usize) -> String {
        decimal(&self.mid, digits)
    }

    /// The digits, only if every point of the ball has the same ones.
    pub fn to_decimal_certain(&self, digits: usize) -> Option<String> {
        let low = decimal(&self.lower(), digits);
        (low == decimal(&self.upper(), digits)).then_some(low)
    }
}

fn power_of_ten(exponent: usize) -> UBig {
    UBig::from(10u8).pow(exponent)
}

/// `|value| * 10^power` to the nearest integer, ties up.
fn scaled(value: &Dyadic, power: i64) -> UBig {
    let mut numerator = (&value.mantissa).unsigned_abs();
    let mut denominator = UBig::ONE;
    let shift = value.exponent.unsigned_abs() as usize;
    if value.exponent >= 0 {
        numerator <<= shift;
    } else {
        denominator <<= shift;
    }
    let ten = power_of_ten(power.unsigned_abs() as usize);
    if power >= 0 {
        numerator *= ten;
    } else {
        denominator *= ten;
    }
    ((numerator << 1) + &denominator) / (denominator << 1)
}

fn decimal(value: &Dyadic, digits: usize) -> String {
    let digits = digits.max(1);
    if value.is_zero() {
        return "0".to_owned();
    }
    let sign = if value.is_negative() { "-" } else { "" };
    if value.top().abs() > MAX_DECIMAL_BITS {
        let shift = value.mantissa.bit_len() as i64 - 1;
        let leading = Dyadic::new(value.mantissa.clone(), -shift);
        return format!("{}*2^{}", decimal(&leading, digits), value.exponent + shift);
    }
    // floor((top - 1) log10(2)) is at most one below the decimal exponent.
    let mut exponent = ((value.top() - 1) * 30_103).div_euclid(100_000);
    let limit = power_of_ten(digits);
    let mut integer = scaled(value, digits as i64 - 1 - exponent);
    while integer.cmp(&limit) != Ordering::Less {
        exponent += 1;
        integer = scaled(value, digits as i64 - 1 - exponent);
    }
    let lowest = power_of_ten(digits - 1);
    while integer < lowest {
        exponent -= 1;
        integer = scaled(value, digits as i64 - 1 - exponent);
        if integer >= limit {
            // 9.99...95 rounds up across the power of ten at either scale.
            exponent += 1;
            integer = lowest.clone();
        }
    }
    let text = integer.to_string();
    let count = digits as i64;
    if (0..count).contains(&exponent) {
        let (whole, fraction) = text.split_at(exponent as usize + 1);
        let point = if fraction.is_empty() { "" } else { "." };
        format!("{sign}{whole}{point}{fraction}")
    } else if (-5..0).contains(&exponent) {
        let zeros = "0".repeat(exponent.unsigned_abs() as usize - 1);
        format!("{sign}0.{zeros}{text}")
    } else {
        let (whole, fraction) = text.split_at(1);
        let point = if fraction.is_empty() { "" } else { "." };
        format!("{sign}{whole}{point}{fraction}e{exponent}")
    }
}
