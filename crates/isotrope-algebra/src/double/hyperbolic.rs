//! Hyperbolic functions: called, not expanded. (Those of the `libm` crate are off by two units in
//! the last place.)

use crate::double::exp::{Parts, parts};
use crate::double::{Arithmetic, Numbers};

/// (sinh x - x)/x³ as a polynomial in x² for |x| <= 1: minimax of the relative error of sinh,
/// 2^-61.4.
const SINH: [f64; 7] = [
    0.166_666_666_666_666_69,
    0.008_333_333_333_332_912,
    0.000_198_412_698_415_934_16,
    2.755_731_910_675_152_7e-6,
    2.505_213_100_340_905e-8,
    1.605_665_783_804_781_3e-10,
    7.776_693_149_102_454e-13,
];

/// (tanh x - x)/x³ likewise for |x| <= 1/4; 2^-64.8.
const TANH: [f64; 8] = [
    -0.333_333_333_333_333_3,
    0.133_333_333_333_319_04,
    -0.053_968_253_965_265_63,
    0.021_869_488_255_156_787,
    -0.008_863_221_365_355_315,
    0.003_591_718_310_036_805,
    -0.001_449_001_730_304_157_5,
    0.000_528_517_613_967_541_9,
];

/// From here on cosh and |sinh| are infinite (from 710.4758…); a quarter of exp is not.
const OVERFLOW: f64 = 710.5;

/// The hyperbolic sine.
pub(crate) fn sinh(x: f64) -> f64 {
    let size = x.abs();
    let value = if size <= 1.0 {
        with_cubic_term(size, &SINH)
    } else if size < OVERFLOW {
        let (e, e_low) = quarter_of_exp(size);
        2.0 * sum(e, -0.0625 / e, e_low)
    } else {
        size * f64::INFINITY
    };
    value.copysign(x)
}

/// The hyperbolic cosine.
pub(crate) fn cosh(x: f64) -> f64 {
    let size = x.abs();
    if size < OVERFLOW {
        let (e, e_low) = quarter_of_exp(size);
        2.0 * sum(e, 0.0625 / e, e_low)
    } else {
        size * f64::INFINITY
    }
}

/// The hyperbolic tangent.
pub(crate) fn tanh(x: f64) -> f64 {
    let size = x.abs();
    let value = if size <= 0.25 {
        with_cubic_term(size, &TANH)
    } else if size < 22.0 {
        // (E - 1)/(E + 1) with E = exp(2x); scaled by 1/4, and with one correction of the quotient.
        let (e, e_low) = quarter_of_exp(2.0 * size);
        let (above, above_error) = larger_plus_smaller(e, -0.25);
        let (below, below_error) = larger_plus_smaller(e, 0.25);
        let quotient = above / below;
        let remainder = (-quotient).mul_add(below, above);
        let remainder = remainder + (above_error + e_low);
        let remainder = (-quotient).mul_add(below_error + e_low, remainder);
        quotient + remainder / below
    } else if size.is_nan() {
        size
    } else {
        1.0
    };
    value.copysign(x)
}

/// x + x³ P(x²).
fn with_cubic_term(x: f64, coefficients: &[f64]) -> f64 {
    let x2 = x * x;
    let p = coefficients.iter().rev().fold(0.0, |sum: f64, &c| sum.mul_add(x2, c));
    (x * x2).mul_add(p, x)
}

/// exp(x)/4 as a number and its error, 0 <= x <= 710.5; the quarter keeps it finite.
fn quarter_of_exp(x: f64) -> (f64, f64) {
    let Parts { head, rest, doublings } = parts(&mut Numbers, x);
    let (value, error) = larger_plus_smaller(head, rest);
    let exponent = Numbers.shift_left(doublings, 52).to_bits();
    let scale = f64::from_bits(0.25_f64.to_bits().wrapping_add(exponent));
    (scale * value, scale * error)
}

/// The rounded sum and its error, |a| >= |b|.
fn larger_plus_smaller(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// a + b + c for |a| >= |b|, with c much smaller.
fn sum(a: f64, b: f64, c: f64) -> f64 {
    let (sum, error) = larger_plus_smaller(a, b);
    sum + (error + c)
}
