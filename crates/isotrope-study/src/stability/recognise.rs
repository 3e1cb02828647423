//! Exact numbers behind decimals: a guess, which exact computation has to confirm.

use isotrope_algebra::{ExprId, Pool, Rational};

/// How near a decimal has to be to what it is taken for, relative to it.
const NEAR: f64 = 1e-10;
/// Denominators of rational numbers, of their multiples of π, and of multiples of numbers of the model, at most.
const NUMBERS: i64 = 720;
const ANGLES: i64 = 48;
const MULTIPLES: i64 = 12;

/// A rational number with a small denominator times a power of ten, a rational multiple of π with a very small one, the
/// root of a rational number, or a small multiple of a number of the model or of its root; `None` if the decimal is near
/// none of them. Beside `size` decimals below [`NEAR`] are zero.
pub(super) fn recognise(pool: &mut Pool, x: f64, size: f64, known: &[Rational]) -> Option<ExprId> {
    if x.abs() <= NEAR * size {
        return Some(ExprId::ZERO);
    }
    if let Some(value) = rational(x / std::f64::consts::PI, ANGLES) {
        let factor = pool.number(value);
        return Some(pool.mul(factor, ExprId::PI));
    }
    if let Some(value) = decimal(x) {
        return Some(pool.number(value));
    }
    let sign = pool.integer(if x < 0.0 { -1 } else { 1 });
    if let Some(square) = decimal(x * x) {
        let radicand = pool.number(square);
        let root = pool.sqrt(radicand);
        return Some(pool.mul(sign, root));
    }
    known.iter().find_map(|number| {
        let (value, unit) = (number.to_f64().abs(), pool.number(number.clone()));
        if let Some(factor) = rational(x / value, MULTIPLES) {
            let factor = pool.number(factor);
            let product = pool.mul(factor, unit);
            return Some(if number.to_f64() < 0.0 { pool.neg(product) } else { product });
        }
        let factor = rational(x / value.sqrt(), MULTIPLES).filter(|_| number.to_f64() > 0.0)?;
        let (factor, root) = (pool.number(factor), pool.sqrt(unit));
        Some(pool.mul(factor, root))
    })
}

/// A rational number between 1 and 10 with a small denominator, times a power of ten: units do not matter.
fn decimal(x: f64) -> Option<Rational> {
    let ten = Rational::integer(10);
    let (mut mantissa, mut power) = (x.abs(), Rational::integer(1));
    if !mantissa.is_normal() {
        return None;
    }
    while mantissa >= 10.0 {
        (mantissa, power) = (mantissa / 10.0, &power * &ten);
    }
    while mantissa < 1.0 {
        (mantissa, power) = (mantissa * 10.0, power.checked_div(&ten)?);
    }
    let found = &rational(mantissa, NUMBERS)? * &power;
    Some(if x < 0.0 { -&found } else { found })
}

/// The first convergent of the continued fraction that is near.
fn rational(x: f64, largest: i64) -> Option<Rational> {
    if x.abs() > 1e6 {
        return None;
    }
    let (mut p, mut q) = ((1i64, 0i64), (0i64, 1i64));
    let mut rest = x;
    for _ in 0..20 {
        let whole = rest.floor();
        if whole.abs() > 1e9 {
            return None;
        }
        let a = whole as i64;
        p = (a.checked_mul(p.0)?.checked_add(p.1)?, p.0);
        q = (a.checked_mul(q.0)?.checked_add(q.1)?, q.0);
        if q.0 > largest {
            return None;
        }
        if (x - p.0 as f64 / q.0 as f64).abs() <= NEAR * x.abs() {
            return Rational::new(p.0, q.0);
        }
        rest = 1.0 / (rest - whole);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use isotrope_algebra::{Budget, print};

    #[test]
    fn what_was_written_is_recognised() {
        let mut pool = Pool::new();
        let known = [
            (0.0, "0"),
            (-1.0, "-1"),
            (22.0 / 7.0, "22/7"),
            (std::f64::consts::PI, "pi"),
            (-std::f64::consts::FRAC_PI_6, "-pi/6"),
            (-(2.0f64.sqrt()), "-sqrt(2)"),
            (3e-13, "0"),
            (2e-3, "1/500"),
            (2e30 / 7.0, "2000000000000000000000000000000/7"),
        ];
        for (x, text) in known {
            let found = recognise(&mut pool, x, 1.0, &[]).unwrap();
            assert_eq!(print::to_text(&pool, found, &mut Budget::new(1000)).unwrap(), text);
        }
        // sin(1/10) is not among these.
        assert_eq!(recognise(&mut pool, 0.099_833_416_646_828_15, 1.0, &[]), None);
        // In small units 3e-13 is not zero.
        let small = recognise(&mut pool, 3e-13, 3e-13, &[]).unwrap();
        assert_eq!(
            print::to_text(&pool, small, &mut Budget::new(1000)).unwrap(),
            "3/10000000000000"
        );
        // A length that the model knows.
        let length: Rational = "0.30481234567".parse().unwrap();
        let twice = recognise(&mut pool, 2.0 * length.to_f64(), 1.0, std::slice::from_ref(&length))
            .unwrap();
        assert_eq!(pool.as_number(twice), Some(&(&length * &Rational::integer(2))));
        let square = &length * &length;
        assert!(recognise(&mut pool, length.to_f64(), 1.0, &[square]).is_some());
    }
}
