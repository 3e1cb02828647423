//! Exact numbers behind decimals: a guess, which exact computation has to confirm.

use isotrope_algebra::{ExprId, Pool, Rational};

/// How near a decimal has to be to what it is taken for.
const NEAR: f64 = 1e-10;

/// A rational number with a small denominator, a rational multiple of π with a very small one, or
/// the root of a rational number; `None` if the decimal is near none of them.
pub(super) fn recognise(pool: &mut Pool, x: f64) -> Option<ExprId> {
    if x.abs() < NEAR {
        return Some(ExprId::ZERO);
    }
    if let Some(value) = rational(x, 720) {
        return Some(pool.number(value));
    }
    if let Some(value) = rational(x / std::f64::consts::PI, 48) {
        let factor = pool.number(value);
        return Some(pool.mul(factor, ExprId::PI));
    }
    let radicand = pool.number(rational(x * x, 720)?);
    let root = pool.sqrt(radicand);
    Some(if x < 0.0 { pool.neg(root) } else { root })
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
        if (x - p.0 as f64 / q.0 as f64).abs() <= NEAR * x.abs().max(1.0) {
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
        ];
        for (x, text) in known {
            let found = recognise(&mut pool, x).unwrap();
            assert_eq!(print::to_text(&pool, found, &mut Budget::new(1000)).unwrap(), text);
        }
        // sin(1/10) is none of these.
        assert_eq!(recognise(&mut pool, 0.099_833_416_646_828_15), None);
    }
}
