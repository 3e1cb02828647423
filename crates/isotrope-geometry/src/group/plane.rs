//! Rotations of the plane: numbers (cos, sin), algebra (ω).

use isotrope_algebra::{ExprId, Pool};

use super::angle::Angle;
use super::turning::{Turning, stretch};
use super::vector::{add, at, dot, minus, one_over, quarter_turn, times};

/// SO(2).
#[derive(Debug)]
pub(super) struct Plane;

impl Turning for Plane {
    fn numbers(&self) -> usize {
        2
    }

    fn spins(&self) -> usize {
        1
    }

    fn size(&self) -> usize {
        2
    }

    fn is_commutative(&self) -> bool {
        true
    }

    fn matrix(&self, pool: &mut Pool, e: &[ExprId]) -> Vec<Vec<ExprId>> {
        let (cos, sin) = (at(e, 0), at(e, 1));
        let down = pool.neg(sin);
        vec![vec![cos, down], vec![sin, cos]]
    }

    fn hat(&self, pool: &mut Pool, omega: &[ExprId]) -> Vec<Vec<ExprId>> {
        let w = at(omega, 0);
        let down = pool.neg(w);
        vec![vec![ExprId::ZERO, down], vec![w, ExprId::ZERO]]
    }

    fn multiply(&self, pool: &mut Pool, a: &[ExprId], b: &[ExprId]) -> Vec<ExprId> {
        let cos = [pool.mul(at(a, 0), at(b, 0)), pool.mul(at(a, 1), at(b, 1))];
        let sin = [pool.mul(at(a, 0), at(b, 1)), pool.mul(at(a, 1), at(b, 0))];
        vec![pool.sub(cos[0], cos[1]), pool.add(sin[0], sin[1])]
    }

    fn rates(&self, pool: &mut Pool, e: &[ExprId], omega: &[ExprId]) -> Vec<ExprId> {
        let turned = quarter_turn(pool, e);
        times(pool, at(omega, 0), &turned)
    }

    fn trivialised(
        &self,
        pool: &mut Pool,
        e: &[ExprId],
        _back: &[ExprId],
        rates: &[ExprId],
    ) -> Vec<ExprId> {
        let turned = quarter_turn(pool, e);
        vec![dot(pool, &turned, rates)]
    }

    fn act(&self, pool: &mut Pool, omega: &[ExprId], u: &[ExprId]) -> Vec<ExprId> {
        let turned = quarter_turn(pool, u);
        times(pool, at(omega, 0), &turned)
    }

    fn bracket(&self, _pool: &mut Pool, _w: &[ExprId], _n: &[ExprId]) -> Vec<ExprId> {
        vec![ExprId::ZERO]
    }

    fn bracket_of_shifts(
        &self,
        pool: &mut Pool,
        (w, v): (&[ExprId], &[ExprId]),
        (n, u): (&[ExprId], &[ExprId]),
    ) -> Vec<ExprId> {
        let (turned, other) = (quarter_turn(pool, u), quarter_turn(pool, v));
        let (first, second) = (times(pool, at(w, 0), &turned), times(pool, at(n, 0), &other));
        let second = minus(pool, &second);
        add(pool, &first, &second)
    }

    fn adjoint(&self, _pool: &mut Pool, _e: &[ExprId], w: &[ExprId]) -> Vec<ExprId> {
        w.to_vec()
    }

    fn swept(&self, pool: &mut Pool, w: &[ExprId], x: &[ExprId]) -> Vec<ExprId> {
        let arm = quarter_turn(pool, x);
        let back = pool.neg(at(w, 0));
        times(pool, back, &arm)
    }

    fn cayley(&self, pool: &mut Pool, omega: &[ExprId], square: ExprId) -> Vec<ExprId> {
        let scale = stretch(pool, square);
        let quarter = pool.scale(&one_over(4), square);
        let above = pool.sub(ExprId::ONE, quarter);
        vec![pool.div(above, scale), pool.div(at(omega, 0), scale)]
    }

    fn cayley_is_normalised(&self) -> bool {
        true
    }

    fn exponential(
        &self,
        pool: &mut Pool,
        omega: &[ExprId],
        square: ExprId,
        angle: &Angle,
    ) -> Vec<ExprId> {
        let versine = angle.versine(pool);
        let fall = pool.mul(square, versine);
        let sinc = angle.sinc(pool);
        vec![pool.sub(ExprId::ONE, fall), pool.mul(at(omega, 0), sinc)]
    }

    fn cayley_derivative(
        &self,
        _pool: &mut Pool,
        _omega: &[ExprId],
        eta: &[ExprId],
    ) -> Vec<ExprId> {
        eta.to_vec()
    }

    fn cayley_inverse(&self, pool: &mut Pool, omega: &[ExprId], eta: &[ExprId]) -> Vec<ExprId> {
        let square = dot(pool, omega, omega);
        let scale = stretch(pool, square);
        times(pool, scale, eta)
    }

    fn doubles_eigenvalues(&self) -> bool {
        false
    }
}
