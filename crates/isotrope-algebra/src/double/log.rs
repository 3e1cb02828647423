//! The natural logarithm.

use crate::Function;
use crate::double::{Arithmetic, Numbers};

/// All finite arguments are expanded.
const BOUND: f64 = f64::MAX;

/// log 2 = HIGH + LOW + 2e-31; HIGH has 42 bits, so that its product with an exponent is exact.
const HIGH: f64 = 0.693_147_180_559_890_3;
const LOW: f64 = 5.497_923_018_708_371e-14;

/// (log((1 + s)/(1 - s)) - 2s)/s³ as a polynomial in s², s up to (√2 - 1)/(√2 + 1): minimax of the
/// relative error of the logarithm, 2^-59.5.
const COEFFICIENTS: [f64; 7] = [
    0.666_666_666_666_673_4,
    0.399_999_999_994_170_7,
    0.285_714_287_418_856_1,
    0.222_221_986_223_262,
    0.181_835_618_756_791_86,
    0.153_141_109_562_888_48,
    0.147_953_654_554_582_73,
];

/// Subnormal numbers are multiplied by it.
const LIFT: f64 = 18_014_398_509_481_984.0;
const LIFT_EXPONENT: f64 = 54.0;

const SQRT_HALF: u64 = std::f64::consts::FRAC_1_SQRT_2.to_bits();
const ONE: u64 = 1.0_f64.to_bits();
const MANTISSA: u64 = (1 << 52) - 1;
/// Its lowest bits are an integer; and the exponent of 1 as a word.
const INTEGER: f64 = 4_503_599_627_370_496.0;
const BIAS: f64 = 1023.0;

/// The logarithm of `x`.
pub fn log<A: Arithmetic>(a: &mut A, x: A::Value) -> A::Value {
    let fast = expansion(a, x);
    a.guarded(Function::Log, x, fast, BOUND)
}

/// The logarithm of a number.
pub(crate) fn value(x: f64) -> f64 {
    if x.abs() <= BOUND { expansion(&mut Numbers, x) } else { libm::log(x) }
}

/// The logarithm of a finite number.
fn expansion<A: Arithmetic>(a: &mut A, x: A::Value) -> A::Value {
    let smallest_normal = a.constant(f64::MIN_POSITIVE);
    let lift = a.constant(LIFT);
    let is_small = a.less(x, smallest_normal);
    let lifted = a.mul(x, lift);
    let normal = a.select(is_small, lifted, x);
    let bias_lifted = a.constant(INTEGER + (BIAS + LIFT_EXPONENT));
    let bias = a.constant(INTEGER + BIAS);
    let bias = a.select(is_small, bias_lifted, bias);

    // x = 2^exponent (1 + f) with 1 + f from √½ to √2. Moving √½ to 1 makes the exponent the one
    // wanted.
    let to_one = a.bits(ONE - SQRT_HALF);
    let mantissa = a.bits(MANTISSA);
    let sqrt_half = a.bits(SQRT_HALF);
    let integer = a.constant(INTEGER);
    let one = a.constant(1.0);
    let moved = a.add_integer(normal, to_one);
    let exponent = a.shift_right(moved, 52);
    let exponent = a.or(exponent, integer);
    let exponent = a.sub(exponent, bias);
    let fraction = a.and(moved, mantissa);
    let fraction = a.add_integer(fraction, sqrt_half);
    let f = a.sub(fraction, one);

    // log(1 + f) = 2 atanh(s) = f - f²/2 + s (f²/2 + s² Q(s²)), s = f/(2 + f).
    let two = a.constant(2.0);
    let below = a.add(two, f);
    let s = a.div(f, below);
    let s2 = a.mul(s, s);
    let s4 = a.mul(s2, s2);
    let [c0, c1, c2, c3, c4, c5, c6] = COEFFICIENTS.map(|c| a.constant(c));
    let p01 = a.fma(s2, c1, c0);
    let p23 = a.fma(s2, c3, c2);
    let p45 = a.fma(s2, c5, c4);
    let p4 = a.fma(s4, c6, p45);
    let p2 = a.fma(s4, p4, p23);
    let q = a.fma(s4, p2, p01);
    let one_half = a.constant(0.5);
    let half = a.mul(f, one_half);
    let half_square = a.mul(half, f);
    let q = a.fma(s2, q, half_square);

    // exponent log 2 + f as a sum with its error (the first is larger, or zero).
    let high = a.constant(HIGH);
    let low = a.constant(LOW);
    let whole = a.mul(exponent, high);
    let head = a.add(whole, f);
    let error = a.sub(whole, head);
    let error = a.add(error, f);
    let rest = a.fma(exponent, low, error);
    let rest = a.fma(s, q, rest);
    let rest = a.fnma(half, f, rest);
    let value = a.add(head, rest);

    let zero = a.constant(0.0);
    let minus_infinity = a.constant(f64::NEG_INFINITY);
    let not_a_number = a.constant(f64::NAN);
    let is_negative = a.less(x, zero);
    let special = a.select(is_negative, not_a_number, minus_infinity);
    let is_positive = a.less(zero, x);
    a.select(is_positive, value, special)
}
