//! How a factor turns: everything about a group of rotations, one file each.

use std::fmt::Debug;

use isotrope_algebra::{ExprId, Pool};

use super::angle::Angle;
use super::vector::{add, dot, half, one_over, times};

/// A group of rotations and its action on vectors. With translations it makes a group of motions, whose
/// laws follow; see [`Factor`](super::Factor).
///
/// An element is a list of numbers of norm 1, the first of which is 1 and the others 0 for the neutral one;
/// the opposites of the others give the inverse.
pub(super) trait Turning: Debug + Sync {
    /// The numbers of an element.
    fn numbers(&self) -> usize;

    /// The dimension of the algebra: how many components an angular velocity has.
    fn spins(&self) -> usize;

    /// The size of matrices, and of the vectors they act on.
    fn size(&self) -> usize;

    /// Do all elements commute?
    fn is_commutative(&self) -> bool;

    /// The matrix by rows; of numbers of norm n it is n or n² times a rotation.
    fn matrix(&self, pool: &mut Pool, e: &[ExprId]) -> Vec<Vec<ExprId>>;

    /// ω^ as a matrix.
    fn hat(&self, pool: &mut Pool, omega: &[ExprId]) -> Vec<Vec<ExprId>>;

    /// a b.
    fn multiply(&self, pool: &mut Pool, a: &[ExprId], b: &[ExprId]) -> Vec<ExprId>;

    /// e' = e ω: the rates of the numbers.
    fn rates(&self, pool: &mut Pool, e: &[ExprId], omega: &[ExprId]) -> Vec<ExprId>;

    /// The ω of e' = e ω, where `back` is e⁻¹.
    fn trivialised(
        &self,
        pool: &mut Pool,
        e: &[ExprId],
        back: &[ExprId],
        rates: &[ExprId],
    ) -> Vec<ExprId>;

    /// ω u, the action on vectors.
    fn act(&self, pool: &mut Pool, omega: &[ExprId], u: &[ExprId]) -> Vec<ExprId>;

    /// [w, n].
    fn bracket(&self, pool: &mut Pool, w: &[ExprId], n: &[ExprId]) -> Vec<ExprId>;

    /// w u − n v, the other part of the bracket of the first, (w, v), and the second, (n, u).
    fn bracket_of_shifts(
        &self,
        pool: &mut Pool,
        first: (&[ExprId], &[ExprId]),
        second: (&[ExprId], &[ExprId]),
    ) -> Vec<ExprId>;

    /// Ad_e w.
    fn adjoint(&self, pool: &mut Pool, e: &[ExprId], w: &[ExprId]) -> Vec<ExprId>;

    /// −w x: the velocity that a turn w, seen from space, lends to what is at the origin of the body.
    fn swept(&self, pool: &mut Pool, w: &[ExprId], x: &[ExprId]) -> Vec<ExprId>;

    /// cay(ω) times a positive number, where |ω|² is given.
    fn cayley(&self, pool: &mut Pool, omega: &[ExprId], square: ExprId) -> Vec<ExprId>;

    /// Has [`Self::cayley`] norm 1?
    fn cayley_is_normalised(&self) -> bool;

    /// exp(ω), where |ω|² and the functions of the angle are given.
    fn exponential(
        &self,
        pool: &mut Pool,
        omega: &[ExprId],
        square: ExprId,
        angle: &Angle,
    ) -> Vec<ExprId>;

    /// dcay_ω η · (1 + |ω|²/4).
    fn cayley_derivative(&self, pool: &mut Pool, omega: &[ExprId], eta: &[ExprId]) -> Vec<ExprId>;

    /// dcay_ω⁻¹ η.
    fn cayley_inverse(&self, pool: &mut Pool, omega: &[ExprId], eta: &[ExprId]) -> Vec<ExprId>;

    /// (dcay_ω⁻¹)* μ, if there is a shorter formula than component by component.
    fn cayley_inverse_dual(
        &self,
        _pool: &mut Pool,
        _omega: &[ExprId],
        _mu: &[ExprId],
    ) -> Option<Vec<ExprId>> {
        None
    }

    /// Is ad skew for the scalar product, so that adjoints are those of −ω?
    fn is_skew(&self) -> bool {
        false
    }

    /// With translations: has ad the eigenvalues ±iθ twice?
    fn doubles_eigenvalues(&self) -> bool;

    /// ω(ω·u)/4, where (1 − ω/2)⁻¹ has such a term.
    fn along(&self, _pool: &mut Pool, _omega: &[ExprId], _u: &[ExprId]) -> Option<Vec<ExprId>> {
        None
    }

    /// (1 − ω/2)⁻¹ u = (u + ω u/2 + ω(ω·u)/4)/(1 + |ω|²/4).
    fn resolvent(&self, pool: &mut Pool, omega: &[ExprId], u: &[ExprId]) -> Vec<ExprId> {
        let square = dot(pool, omega, omega);
        let scale = stretch(pool, square);
        let halves = half(pool, omega);
        let turned = self.act(pool, &halves, u);
        let mut sum = add(pool, u, &turned);
        if let Some(along) = self.along(pool, omega, u) {
            sum = add(pool, &sum, &along);
        }
        let scale = pool.div(ExprId::ONE, scale);
        times(pool, scale, &sum)
    }
}

/// 1 + |ω|²/4.
pub(super) fn stretch(pool: &mut Pool, square: ExprId) -> ExprId {
    let quarter = pool.scale(&one_over(4), square);
    pool.add(ExprId::ONE, quarter)
}
