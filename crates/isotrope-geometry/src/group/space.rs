//! Rotations of space: a unit quaternion (e₀, e₁, e₂, e₃), algebra (ω₁, ω₂, ω₃).

use isotrope_algebra::{ExprId, Pool};

use super::angle::Angle;
use super::turning::Turning;
use super::vector::{add, at, cross, dot, half, one_over, times};

/// SO(3), and what it is covered by.
#[derive(Debug)]
pub(super) struct Space;

impl Turning for Space {
    fn numbers(&self) -> usize {
        4
    }

    fn spins(&self) -> usize {
        3
    }

    fn size(&self) -> usize {
        3
    }

    fn is_commutative(&self) -> bool {
        false
    }

    fn matrix(&self, pool: &mut Pool, e: &[ExprId]) -> Vec<Vec<ExprId>> {
        let square = |pool: &mut Pool, k: usize| pool.powi(at(e, k), 2);
        let squares: Vec<ExprId> = (0..4).map(|k| square(pool, k)).collect();
        let mut rows = vec![vec![ExprId::ZERO; 3]; 3];
        for i in 0..3 {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let others = pool.add(squares[j + 1], squares[k + 1]);
            let own = pool.add(squares[0], squares[i + 1]);
            rows[i][i] = pool.sub(own, others);
            // 2 (e_i e_j ∓ e₀ e_k).
            let (plane, turn) =
                (pool.mul(at(e, i + 1), at(e, j + 1)), pool.mul(at(e, 0), at(e, k + 1)));
            let (less, more) = (pool.sub(plane, turn), pool.add(plane, turn));
            rows[i][j] = pool.add(less, less);
            rows[j][i] = pool.add(more, more);
        }
        rows
    }

    fn hat(&self, pool: &mut Pool, omega: &[ExprId]) -> Vec<Vec<ExprId>> {
        let (a, b, c, zero) = (at(omega, 0), at(omega, 1), at(omega, 2), ExprId::ZERO);
        let (x, y, z) = (pool.neg(a), pool.neg(b), pool.neg(c));
        vec![vec![zero, z, b], vec![c, zero, x], vec![y, a, zero]]
    }

    fn multiply(&self, pool: &mut Pool, a: &[ExprId], b: &[ExprId]) -> Vec<ExprId> {
        let (a0, b0) = (at(a, 0), at(b, 0));
        let (a, b) = (vector(a), vector(b));
        let (scalar, inner) = (pool.mul(a0, b0), dot(pool, a, b));
        let mut product = vec![pool.sub(scalar, inner)];
        let (first, second, third) = (times(pool, a0, b), times(pool, b0, a), cross(pool, a, b));
        let sum = add(pool, &first, &second);
        product.extend(add(pool, &sum, &third));
        product
    }

    fn rates(&self, pool: &mut Pool, e: &[ExprId], omega: &[ExprId]) -> Vec<ExprId> {
        let half = half(pool, omega);
        let pure = [&[ExprId::ZERO][..], &half].concat();
        self.multiply(pool, e, &pure)
    }

    fn trivialised(
        &self,
        pool: &mut Pool,
        _e: &[ExprId],
        back: &[ExprId],
        rates: &[ExprId],
    ) -> Vec<ExprId> {
        let pure = self.multiply(pool, back, rates);
        let two = pool.number(2.into());
        times(pool, two, vector(&pure))
    }

    fn act(&self, pool: &mut Pool, omega: &[ExprId], u: &[ExprId]) -> Vec<ExprId> {
        cross(pool, omega, u)
    }

    fn bracket(&self, pool: &mut Pool, w: &[ExprId], n: &[ExprId]) -> Vec<ExprId> {
        cross(pool, w, n)
    }

    fn bracket_of_shifts(
        &self,
        pool: &mut Pool,
        (w, v): (&[ExprId], &[ExprId]),
        (n, u): (&[ExprId], &[ExprId]),
    ) -> Vec<ExprId> {
        let (first, second) = (cross(pool, w, u), cross(pool, v, n));
        add(pool, &first, &second)
    }

    fn adjoint(&self, pool: &mut Pool, e: &[ExprId], w: &[ExprId]) -> Vec<ExprId> {
        self.matrix(pool, e).iter().map(|row| dot(pool, row, w)).collect()
    }

    fn swept(&self, pool: &mut Pool, w: &[ExprId], x: &[ExprId]) -> Vec<ExprId> {
        cross(pool, x, w)
    }

    fn cayley(&self, pool: &mut Pool, omega: &[ExprId], _square: ExprId) -> Vec<ExprId> {
        [vec![ExprId::ONE], half(pool, omega)].concat()
    }

    fn cayley_is_normalised(&self) -> bool {
        false
    }

    fn exponential(
        &self,
        pool: &mut Pool,
        omega: &[ExprId],
        _square: ExprId,
        angle: &Angle,
    ) -> Vec<ExprId> {
        let halves = half(pool, omega);
        [vec![angle.cos_half], times(pool, angle.sinc_half, &halves)].concat()
    }

    /// η + ω×η/2.
    fn cayley_derivative(&self, pool: &mut Pool, omega: &[ExprId], eta: &[ExprId]) -> Vec<ExprId> {
        let halves = half(pool, omega);
        let turned = cross(pool, &halves, eta);
        add(pool, eta, &turned)
    }

    /// η − ω×η/2 + ω(ω·η)/4.
    fn cayley_inverse(&self, pool: &mut Pool, omega: &[ExprId], eta: &[ExprId]) -> Vec<ExprId> {
        let halves = half(pool, omega);
        let turned = cross(pool, eta, &halves);
        let along = along(pool, omega, eta);
        let sum = add(pool, eta, &turned);
        add(pool, &sum, &along)
    }

    /// μ + ω×μ/2 + (ω·μ) ω/4.
    fn cayley_inverse_dual(
        &self,
        pool: &mut Pool,
        omega: &[ExprId],
        mu: &[ExprId],
    ) -> Option<Vec<ExprId>> {
        let (halves, inner) = (half(pool, omega), dot(pool, omega, mu));
        let turned = cross(pool, &halves, mu);
        let along = pool.scale(&one_over(4), inner);
        let along = times(pool, along, omega);
        let sum = add(pool, mu, &turned);
        Some(add(pool, &sum, &along))
    }

    fn is_skew(&self) -> bool {
        true
    }

    fn doubles_eigenvalues(&self) -> bool {
        true
    }

    fn along(&self, pool: &mut Pool, omega: &[ExprId], u: &[ExprId]) -> Option<Vec<ExprId>> {
        Some(along(pool, omega, u))
    }
}

/// ω(ω·u)/4.
fn along(pool: &mut Pool, omega: &[ExprId], u: &[ExprId]) -> Vec<ExprId> {
    let inner = dot(pool, omega, u);
    let along = pool.scale(&one_over(4), inner);
    times(pool, along, omega)
}

/// The vector part of a quaternion.
fn vector(e: &[ExprId]) -> &[ExprId] {
    e.split_first().map_or(&[], |(_, vector)| vector)
}
