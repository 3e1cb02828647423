//! Vectors of expressions.

use isotrope_algebra::{ExprId, OrInternal, Pool, Rational};

/// x + y.
pub(super) fn add(pool: &mut Pool, x: &[ExprId], y: &[ExprId]) -> Vec<ExprId> {
    x.iter().zip(y).map(|(&x, &y)| pool.add(x, y)).collect()
}

/// c x.
pub(super) fn times(pool: &mut Pool, c: ExprId, x: &[ExprId]) -> Vec<ExprId> {
    x.iter().map(|&x| pool.mul(c, x)).collect()
}

/// c x with a number c.
pub(super) fn scale(pool: &mut Pool, c: &Rational, x: &[ExprId]) -> Vec<ExprId> {
    x.iter().map(|&x| pool.scale(c, x)).collect()
}

/// x / 2.
pub(super) fn half(pool: &mut Pool, x: &[ExprId]) -> Vec<ExprId> {
    scale(pool, &one_over(2), x)
}

/// −x.
pub(super) fn minus(pool: &mut Pool, x: &[ExprId]) -> Vec<ExprId> {
    x.iter().map(|&x| pool.neg(x)).collect()
}

/// x · y.
pub(super) fn dot(pool: &mut Pool, x: &[ExprId], y: &[ExprId]) -> ExprId {
    let terms: Vec<ExprId> = x.iter().zip(y).map(|(&x, &y)| pool.mul(x, y)).collect();
    pool.sum(&terms)
}

/// x × y; vectors of three.
pub(super) fn cross(pool: &mut Pool, x: &[ExprId], y: &[ExprId]) -> Vec<ExprId> {
    (0..3)
        .map(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let (first, second) = (pool.mul(at(x, j), at(y, k)), pool.mul(at(x, k), at(y, j)));
            pool.sub(first, second)
        })
        .collect()
}

/// J x = (−x₂, x₁).
pub(super) fn quarter_turn(pool: &mut Pool, x: &[ExprId]) -> Vec<ExprId> {
    vec![pool.neg(at(x, 1)), at(x, 0)]
}

/// A component; zero beyond the end.
pub(super) fn at(x: &[ExprId], k: usize) -> ExprId {
    x.get(k).copied().unwrap_or(ExprId::ZERO)
}

/// 1 / n.
pub(super) fn one_over(n: i64) -> Rational {
    Rational::integer(n).recip().or_noticed("the divisor is not zero")
}

/// A unit vector.
pub(super) fn unit(size: usize, k: usize) -> Vec<ExprId> {
    (0..size).map(|i| if i == k { ExprId::ONE } else { ExprId::ZERO }).collect()
}
