//! Sine and cosine together.

use crate::Function;
use crate::double::{Arithmetic, Numbers};

/// Arguments up to this size are expanded: their quotient by π/2 has at most 20 bits.
const BOUND: f64 = 1_048_576.0;

/// Adding it rounds to an integer, which is then in the lowest bits of the sum.
const ROUNDING: f64 = 6_755_399_441_055_744.0;

// π/2 = FIRST + SECOND + THIRD + 2e-43. FIRST has all 53 bits, SECOND only 33: its product with
// an integer of 20 bits is exact.
const FIRST: f64 = std::f64::consts::FRAC_PI_2;
const SECOND: f64 = 6.123_233_995_384_61e-17;
const THIRD: f64 = 3.521_559_865_183_2e-27;

/// (r - sin r)/r³ as a polynomial in r² for |r| <= π/4: minimax of the relative error of the
/// sine, 2^-57.8 with these rounded coefficients.
const SINE: [f64; 6] = [
    0.166_666_666_666_666_3,
    -0.008_333_333_333_321_84,
    0.000_198_412_698_293_583_33,
    -2.755_731_353_808_598_2e-6,
    2.505_073_424_294_766_6e-8,
    -1.589_541_988_072_876_5e-10,
];

/// (cos r - 1 + r²/2)/r⁴, likewise; 2^-63.8.
const COSINE: [f64; 6] = [
    0.041_666_666_666_666_595,
    -0.001_388_888_888_887_334_2,
    2.480_158_728_900_200_5e-5,
    -2.755_731_421_698_574_6e-7,
    2.087_570_538_403_211e-9,
    -1.135_874_825_897_701_3e-11,
];

/// Sine and cosine of `x`.
pub fn sincos<A: Arithmetic>(a: &mut A, x: A::Value) -> (A::Value, A::Value) {
    let (sine, cosine) = expansion(a, x);
    (a.guarded(Function::Sin, x, sine, BOUND), a.guarded(Function::Cos, x, cosine, BOUND))
}

/// The sine of a number.
pub(crate) fn sine(x: f64) -> f64 {
    if x.abs() <= BOUND { expansion(&mut Numbers, x).0 } else { libm::sin(x) }
}

/// The cosine of a number.
pub(crate) fn cosine(x: f64) -> f64 {
    if x.abs() <= BOUND { expansion(&mut Numbers, x).1 } else { libm::cos(x) }
}

/// Sine and cosine of `x`, |x| <= [`BOUND`].
fn expansion<A: Arithmetic>(a: &mut A, x: A::Value) -> (A::Value, A::Value) {
    let rounding = a.constant(ROUNDING);
    let two_over_pi = a.constant(std::f64::consts::FRAC_2_PI);
    let shifted = a.fma(x, two_over_pi, rounding);
    let turns = a.sub(shifted, rounding);

    // x - turns π/2 = r - low. The first difference is exact: a multiple of the last bit of FIRST
    // (or of x, if that is smaller) below 1. So is turns SECOND, hence the second difference and
    // its error are those of Dekker's sum, which needs no order here since `coarse` is a multiple
    // of the last bit of the subtrahend.
    // Low is kept with the opposite sign because then a zero argument keeps its sign.
    let first = a.constant(FIRST);
    let second = a.constant(SECOND);
    let third = a.constant(THIRD);
    let coarse = a.fnma(turns, first, x);
    let r = a.fnma(turns, second, coarse);
    let lost = a.sub(r, coarse);
    let lost = a.fma(turns, second, lost);
    let low = a.fma(turns, third, lost);

    let r2 = a.mul(r, r);
    let r4 = a.mul(r2, r2);

    // sin(r - low) = r - (r³ S + low).
    let s = polynomial(a, SINE, r2, r4);
    let r3 = a.mul(r, r2);
    let s = a.fma(r3, s, low);
    let sine = a.sub(r, s);

    // cos(r - low) = (1 - r²/2) + r⁴ C + r low, with the error of the bracket. The last term is
    // below 0.4 units in the last place, the error without it below 0.95: it would lengthen the
    // longest chain of operations.
    let c = polynomial(a, COSINE, r2, r4);
    let one = a.constant(1.0);
    let one_half = a.constant(0.5);
    let half = a.mul(r, one_half);
    let head = a.fnma(half, r, one);
    let error = a.sub(one, head);
    let error = a.fnma(half, r, error);
    let rest = a.fma(r4, c, error);
    let cosine = a.add(head, rest);

    // The quadrant is in the two lowest bits: the first exchanges, the second changes the signs
    // (of the cosine: if they differ).
    let exchange = a.shift_left(shifted, 63);
    let second_bit = a.shift_left(shifted, 62);
    let sign = a.constant(-0.0);
    let sine_sign = a.and(second_bit, sign);
    let differ = a.xor(second_bit, exchange);
    let cosine_sign = a.and(differ, sign);
    let sine_size = a.select(exchange, cosine, sine);
    let cosine_size = a.select(exchange, sine, cosine);
    (a.xor(sine_size, sine_sign), a.xor(cosine_size, cosine_sign))
}

/// Neighbours first: half the depth of Horner's scheme, with as many operations.
fn polynomial<A: Arithmetic>(
    a: &mut A,
    coefficients: [f64; 6],
    r2: A::Value,
    r4: A::Value,
) -> A::Value {
    let [c0, c1, c2, c3, c4, c5] = coefficients.map(|c| a.constant(c));
    let low = a.fma(r2, c1, c0);
    let middle = a.fma(r2, c3, c2);
    let high = a.fma(r2, c5, c4);
    let high = a.fma(r4, high, middle);
    a.fma(r4, high, low)
}
