//! Functions of the square s = θ² of an angle that the exponential map is made of.

use isotrope_algebra::{ExprId, Function, OrInternal, Pool, Rational};

use super::vector::one_over;

/// How functions of an angle are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Series {
    /// With sine, cosine and root: exact, but 0/0 where the angle is zero.
    Closed,
    /// As polynomials in θ², accurate to rounding from zero to half a turn: what is left out is below
    /// 2⁻⁶⁰ for |θ| ≤ π. Nothing cancels near zero.
    Polynomial,
}

/// The last power of s in the polynomials: (π²/4)¹³/26! < 2⁻⁷⁰.
const LAST: i64 = 12;
/// The same where the argument is the whole angle: (π²)¹⁹/41! < 2⁻⁷⁰.
const LAST_WHOLE: i64 = 18;

/// C = cos(θ/2), S = sin(θ/2)/(θ/2) and what follows from them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Angle {
    /// C.
    pub cos_half: ExprId,
    /// S.
    pub sinc_half: ExprId,
    /// (1 − sin θ/θ)/s.
    pub sine_rest: ExprId,
    /// The derivative of that in s.
    pub sine_rest_slope: ExprId,
    /// (S − C)/s.
    difference: ExprId,
    /// The derivative of that in s.
    difference_slope: ExprId,
    /// dS/ds.
    sinc_slope: ExprId,
}

impl Angle {
    pub(super) fn new(pool: &mut Pool, square: ExprId, series: Series) -> Self {
        match series {
            Series::Closed => Self::closed(pool, square),
            Series::Polynomial => Self::polynomial(pool, square),
        }
    }

    fn closed(pool: &mut Pool, square: ExprId) -> Self {
        let theta = pool.sqrt(square);
        let half = pool.scale(&one_over(2), theta);
        let cos_half = pool.call(Function::Cos, half);
        let sin = pool.call(Function::Sin, half);
        let sinc_half = pool.div(sin, half);
        let sinc = pool.mul(sinc_half, cos_half);
        let sine_rest = pool.sub(ExprId::ONE, sinc);
        let sine_rest = pool.div(sine_rest, square);
        let apart = pool.sub(sinc_half, cos_half);
        let difference = pool.div(apart, square);
        // dC/ds = −S/8 and dS/ds = −(S − C)/(2s).
        let sinc_slope = pool.scale(&-one_over(2), difference);
        let cos_slope = pool.scale(&-one_over(8), sinc_half);
        let slope = pool.sub(sinc_slope, cos_slope);
        let slope = pool.sub(slope, difference);
        let difference_slope = pool.div(slope, square);
        let (first, second) = (pool.mul(sinc_slope, cos_half), pool.mul(sinc_half, cos_slope));
        let slope = pool.sum(&[first, second, sine_rest]);
        let slope = pool.div(slope, square);
        let sine_rest_slope = pool.neg(slope);
        Self {
            cos_half,
            sinc_half,
            sine_rest,
            sine_rest_slope,
            difference,
            difference_slope,
            sinc_slope,
        }
    }

    fn polynomial(pool: &mut Pool, square: ExprId) -> Self {
        let quarter = -one_over(4);
        let list = |base: &Rational, last: i64, factorial: fn(i64) -> i64| -> Vec<Rational> {
            (0..=last).map(|k| coefficient(base, k, factorial(k))).collect()
        };
        let cosine = list(&quarter, LAST, |k| 2 * k);
        let sinc = list(&quarter, LAST, |k| 2 * k + 1);
        let sine = list(&-Rational::ONE, LAST_WHOLE, |k| 2 * k + 3);
        let apart: Vec<Rational> = sinc.iter().zip(&cosine).map(|(s, c)| s - c).collect();
        let apart = apart.get(1..).or_noticed("a series has a first coefficient");
        let mut write = |list: &[Rational]| horner(pool, list, square);
        Self {
            cos_half: write(&cosine),
            sinc_half: write(&sinc),
            sine_rest: write(&sine),
            sine_rest_slope: write(&slope(&sine)),
            difference: write(apart),
            difference_slope: write(&slope(apart)),
            sinc_slope: write(&slope(&sinc)),
        }
    }

    /// sin θ/θ = S C.
    pub(super) fn sinc(&self, pool: &mut Pool) -> ExprId {
        pool.mul(self.sinc_half, self.cos_half)
    }

    /// (1 − cos θ)/θ² = S²/2.
    pub(super) fn versine(&self, pool: &mut Pool) -> ExprId {
        let square = pool.powi(self.sinc_half, 2);
        pool.scale(&one_over(2), square)
    }

    /// d/ds of (1 − cos θ)/θ².
    pub(super) fn versine_slope(&self, pool: &mut Pool) -> ExprId {
        pool.mul(self.sinc_half, self.sinc_slope)
    }

    /// ψ = (1 − (θ/2) cot(θ/2))/θ² = (S − C)/(s S).
    pub(super) fn cotangent_rest(&self, pool: &mut Pool) -> ExprId {
        pool.div(self.difference, self.sinc_half)
    }

    /// dψ/ds.
    pub(super) fn cotangent_rest_slope(&self, pool: &mut Pool) -> ExprId {
        let first = pool.mul(self.difference_slope, self.sinc_half);
        let second = pool.mul(self.difference, self.sinc_slope);
        let above = pool.sub(first, second);
        let below = pool.powi(self.sinc_half, 2);
        pool.div(above, below)
    }
}

/// base^k / n!.
fn coefficient(base: &Rational, k: i64, n: i64) -> Rational {
    let power = (0..k).fold(Rational::ONE, |power, _| &power * base);
    (1..=n).fold(power, |value, j| &value * &one_over(j))
}

/// The coefficients of the derivative.
fn slope(list: &[Rational]) -> Vec<Rational> {
    (1i64..).zip(list.iter().skip(1)).map(|(k, c)| &Rational::integer(k) * c).collect()
}

fn horner(pool: &mut Pool, list: &[Rational], x: ExprId) -> ExprId {
    let mut value = ExprId::ZERO;
    for coefficient in list.iter().rev() {
        let number = pool.number(coefficient.clone());
        let product = pool.mul(value, x);
        value = pool.add(number, product);
    }
    value
}
