//! The exponential function.

use crate::Function;
use crate::double::{Arithmetic, Numbers};

/// Arguments up to this size are expanded: the result and its reciprocal are normal numbers.
const BOUND: f64 = 708.0;

/// Adding it rounds to an integer, which is then in the lowest bits of the sum.
const ROUNDING: f64 = 6_755_399_441_055_744.0;

/// log 2 = LN_2 + LOW + 6e-34.
const LOW: f64 = 2.319_046_813_846_299_6e-17;

/// (exp r - 1 - r)/r² for |r| <= log(2)/2; relative error of the exponential 2^-63.4.
const COEFFICIENTS: [f64; 11] = [
    0.5,
    0.166_666_666_666_666_85,
    0.041_666_666_666_666_526,
    0.008_333_333_333_315_996,
    0.001_388_888_888_896_798,
    0.000_198_412_698_985_056_95,
    2.480_158_715_532_619_6e-5,
    2.755_723_305_055_218_4e-6,
    2.755_741_763_128_99e-7,
    2.511_258_934_906_928_8e-8,
    2.087_108_416_554_513_4e-9,
];

/// The exponential of `x`.
pub fn exp<A: Arithmetic>(a: &mut A, x: A::Value) -> A::Value {
    let fast = expansion(a, x);
    a.guarded(Function::Exp, x, fast, BOUND)
}

/// The exponential of a number.
pub(crate) fn value(x: f64) -> f64 {
    if x.abs() <= BOUND { expansion(&mut Numbers, x) } else { libm::exp(x) }
}

/// The exponential of `x`, |x| <= [`BOUND`].
fn expansion<A: Arithmetic>(a: &mut A, x: A::Value) -> A::Value {
    let Parts { head, rest, doublings } = parts(a, x);
    let value = a.add(head, rest);
    let exponent = a.shift_left(doublings, 52);
    a.add_integer(value, exponent)
}

/// `exp x = 2^n (head + rest)`, good to some bits more than a number holds.
pub(super) struct Parts<V> {
    /// From 0.6 to 1.4.
    pub head: V,
    /// Below 1/8.
    pub rest: V,
    /// The integer `n`, in the lowest bits of this word.
    pub doublings: V,
}

/// The parts of the exponential of `x`, |x| < 1000.
pub(super) fn parts<A: Arithmetic>(a: &mut A, x: A::Value) -> Parts<A::Value> {
    let rounding = a.constant(ROUNDING);
    let per_doubling = a.constant(std::f64::consts::LOG2_E);
    let doublings = a.fma(x, per_doubling, rounding);
    let times = a.sub(doublings, rounding);

    // x - times log 2 = r + r_low; the first difference is exact (a multiple of 2^-54 below
    // 1/2).
    let high = a.constant(std::f64::consts::LN_2);
    let low = a.constant(LOW);
    let coarse = a.fnma(times, high, x);
    let r = a.fnma(times, low, coarse);
    let r_low = a.sub(coarse, r);
    let r_low = a.fnma(times, low, r_low);

    let r2 = a.mul(r, r);
    let r4 = a.mul(r2, r2);
    let [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10] = COEFFICIENTS.map(|c| a.constant(c));
    let p01 = a.fma(r, c1, c0);
    let p23 = a.fma(r, c3, c2);
    let p45 = a.fma(r, c5, c4);
    let p67 = a.fma(r, c7, c6);
    let p89 = a.fma(r, c9, c8);
    let p03 = a.fma(r2, p23, p01);
    let p47 = a.fma(r2, p67, p45);
    let p8 = a.fma(r2, c10, p89);
    let p4 = a.fma(r4, p8, p47);
    let p = a.fma(r4, p4, p03);

    // (1 + r), its error, and the rest.
    let one = a.constant(1.0);
    let head = a.add(one, r);
    let error = a.sub(head, one);
    let error = a.sub(r, error);
    let rest = a.fma(r2, p, r_low);
    let rest = a.add(error, rest);
    Parts { head, rest, doublings }
}
