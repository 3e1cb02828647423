//! Power series in fixed point: integers stand for `value * 2^-scale`.
//!
//! Every function returns the sum and a bound of its error in units of the last place.
//! The pattern of the bounds: if a term is computed from the one before as
//! `t_n = t_{n-1} q / d` with `|q| <= 3/4` by a shift (error below 1) and an integer
//! division (error below 1), its error `e_n <= 3/4 e_{n-1}/d + 2` stays below 4 when
//! `d >= 2`. The sum of `N` terms is then off by at most `4 N`, and what is left out
//! after a term that is computed as zero is at most 4 units times a geometric series.

use std::sync::OnceLock;

use dashu_int::IBig;

/// Constants up to this many bits are computed once.
const CACHED_SCALE: u32 = 1024;

fn cached(cell: &OnceLock<IBig>, scale: u32, compute: impl Fn(u32) -> IBig) -> IBig {
    if scale > CACHED_SCALE {
        return compute(scale);
    }
    let guard = 8;
    cell.get_or_init(|| compute(CACHED_SCALE + guard)) >> (CACHED_SCALE + guard - scale) as usize
}

/// `pi * 2^scale`, off by less than two units (Machin: 16 atan 1/5 - 4 atan 1/239).
pub(super) fn pi(scale: u32) -> IBig {
    static PI: OnceLock<IBig> = OnceLock::new();
    cached(&PI, scale, |scale| {
        // Each inverse tangent of N terms is off by at most 2 N + 2 units, N < scale.
        let guard = 48;
        let working = scale + guard;
        let sum = inverse_tangent_of_inverse(5, working, true) * IBig::from(16)
            - inverse_tangent_of_inverse(239, working, true) * IBig::from(4);
        sum >> guard as usize
    })
}

/// `log(2) * 2^scale`, off by less than two units
/// (18 artanh 1/26 - 2 artanh 1/4801 + 8 artanh 1/8749).
pub(super) fn log_two(scale: u32) -> IBig {
    static LOG_TWO: OnceLock<IBig> = OnceLock::new();
    cached(&LOG_TWO, scale, |scale| {
        let guard = 48;
        let working = scale + guard;
        let sum = inverse_tangent_of_inverse(26, working, false) * IBig::from(18)
            - inverse_tangent_of_inverse(4801, working, false) * IBig::from(2)
            + inverse_tangent_of_inverse(8749, working, false) * IBig::from(8);
        sum >> guard as usize
    })
}

/// `atan(1/q)` (alternating) or `artanh(1/q)`.
fn inverse_tangent_of_inverse(q: u64, scale: u32, alternating: bool) -> IBig {
    let square = IBig::from(q * q);
    let mut power = (IBig::ONE << scale as usize) / IBig::from(q);
    let mut sum = power.clone();
    let mut odd = 1u64;
    let mut negative = false;
    while !power.is_zero() {
        power /= &square;
        odd += 2;
        negative = alternating && !negative;
        let term = &power / IBig::from(odd);
        if negative {
            sum -= term;
        } else {
            sum += term;
        }
    }
    sum
}

/// `exp(x)` for `|x| <= 1/2`.
pub(super) fn exponential(x: &IBig, scale: u32) -> (IBig, u128) {
    let one = IBig::ONE << scale as usize;
    let mut sum = &one + x;
    let mut term = x.clone();
    let mut n = 1u64;
    while !term.is_zero() {
        n += 1;
        term = ((term * x) >> scale as usize) / IBig::from(n);
        sum += &term;
    }
    (sum, 4 * u128::from(n) + 8)
}

/// `sin(x)` for `|x| <= 0.8`.
pub(super) fn sine(x: &IBig, scale: u32) -> (IBig, u128) {
    let square = (x * x) >> scale as usize;
    alternating_factorials(x.clone(), &square, scale, 1)
}

/// `cos(x)` for `|x| <= 0.8`.
pub(super) fn cosine(x: &IBig, scale: u32) -> (IBig, u128) {
    let square = (x * x) >> scale as usize;
    alternating_factorials(IBig::ONE << scale as usize, &square, scale, 0)
}

/// `first (1 - x^2 / ((k+1)(k+2)) + ...)`. The square is off by one unit, which adds at
/// most half a unit to each term: inside the bound of 4 per term.
fn alternating_factorials(first: IBig, square: &IBig, scale: u32, start: u64) -> (IBig, u128) {
    let mut sum = first.clone();
    let mut term = first;
    let mut k = start;
    while !term.is_zero() {
        term = -((term * square) >> scale as usize) / IBig::from((k + 1) * (k + 2));
        k += 2;
        sum += &term;
    }
    (sum, 4 * u128::from(k) + 8)
}

/// `atan(x)` (alternating) or `artanh(x)` for `0 <= x <= 1/2`.
pub(super) fn inverse_tangent(x: &IBig, scale: u32, alternating: bool) -> (IBig, u128) {
    let square = (x * x) >> scale as usize;
    let mut power = x.clone();
    let mut sum = x.clone();
    let mut odd = 1u64;
    let mut negative = false;
    while !power.is_zero() {
        // The power is off by e_n <= e_{n-1}/4 + 1/2 + 1 < 2 units.
        power = (power * &square) >> scale as usize;
        odd += 2;
        negative = alternating && !negative;
        let term = &power / IBig::from(odd);
        if negative {
            sum -= term;
        } else {
            sum += term;
        }
    }
    (sum, 2 * u128::from(odd) + 8)
}
