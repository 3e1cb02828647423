//! Maps from the algebra to the group near the neutral element, and their derivatives.
//!
//! The right-trivialised derivative dτ_x is (d τ(x) y) τ(x)⁻¹; the left-trivialised one is dτ_{−x}. For
//! both maps τ(−x) = τ(x)⁻¹, which makes the schemes that use them symmetric.

use isotrope_algebra::{ExprId, Pool};

use super::Series;
use super::angle::Angle;
use super::factor::Factor;
use super::turning::stretch;
use super::vector::{add, dot, half, minus, one_over, times};

/// A map from the algebra to the group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retraction {
    /// cay(x) = (1 − x/2)⁻¹(1 + x/2), in matrices: rational, of angles 2 atan(|ω|/2) < π.
    Cayley,
    /// exp(x).
    Exponential(Series),
}

/// Which trivialisation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// τ⁻¹ dτ.
    Left,
    /// dτ τ⁻¹.
    Right,
}

impl Retraction {
    /// τ(x), as an element of norm 1.
    pub fn apply(self, pool: &mut Pool, factor: Factor, x: &[ExprId]) -> Vec<ExprId> {
        let numbers = self.unnormalised(pool, factor, x);
        match self {
            Self::Cayley if factor.turning.is_some_and(|own| !own.cayley_is_normalised()) => {
                factor.normalised(pool, &numbers)
            }
            _ => numbers,
        }
    }

    /// τ(x), for rotations of space by cay times a positive number: (1, ω/2) without its norm.
    pub fn unnormalised(self, pool: &mut Pool, factor: Factor, x: &[ExprId]) -> Vec<ExprId> {
        let (omega, v) = factor.split_algebra(x);
        let Some(turning) = factor.turning else { return x.to_vec() };
        let square = dot(pool, omega, omega);
        let mut numbers = match self {
            Self::Cayley => turning.cayley(pool, omega, square),
            Self::Exponential(series) => {
                let angle = Angle::new(pool, square, series);
                turning.exponential(pool, omega, square, &angle)
            }
        };
        if !v.is_empty() {
            let shift = match self {
                Self::Cayley => turning.resolvent(pool, omega, v),
                // V(ω) is dexp of the rotations.
                Self::Exponential(series) => {
                    let angle = Angle::new(pool, square, series);
                    let (first, second) = (angle.versine(pool), angle.sine_rest);
                    let once = turning.act(pool, omega, v);
                    let twice = turning.act(pool, omega, &once);
                    let (once, twice) = (times(pool, first, &once), times(pool, second, &twice));
                    let sum = add(pool, v, &once);
                    add(pool, &sum, &twice)
                }
            };
            numbers.extend(shift);
        }
        numbers
    }

    /// dτ_x y.
    pub fn derivative(
        self,
        pool: &mut Pool,
        factor: Factor,
        side: Side,
        x: &[ExprId],
        y: &[ExprId],
    ) -> Vec<ExprId> {
        let x = &signed(pool, side, x);
        match self {
            Self::Cayley => cayley_derivative(pool, factor, x, y),
            Self::Exponential(series) => {
                let Some(angle) = angle_of(pool, factor, x, series) else { return y.to_vec() };
                let (versine, rest) = (angle.versine(pool), angle.sine_rest);
                // (e^z − 1)/z as a polynomial in z = ad: odd powers, then even ones.
                let mut coefficients = [ExprId::ONE, versine, rest, ExprId::ZERO, ExprId::ZERO];
                if doubles_eigenvalues(factor) {
                    let square = square_of(pool, factor, x);
                    let (odd, even) = (angle.versine_slope(pool), angle.sine_rest_slope);
                    coefficients[1] = hermite(pool, versine, odd, square);
                    coefficients[3] = pool.neg(odd);
                    coefficients[2] = hermite(pool, rest, even, square);
                    coefficients[4] = pool.neg(even);
                }
                in_powers(pool, factor, x, y, &coefficients)
            }
        }
    }

    /// dτ_x⁻¹ y.
    pub fn inverse_derivative(
        self,
        pool: &mut Pool,
        factor: Factor,
        side: Side,
        x: &[ExprId],
        y: &[ExprId],
    ) -> Vec<ExprId> {
        let x = &signed(pool, side, x);
        match self {
            Self::Cayley => cayley_inverse(pool, factor, x, y),
            Self::Exponential(series) => {
                let Some(angle) = angle_of(pool, factor, x, series) else { return y.to_vec() };
                let rest = angle.cotangent_rest(pool);
                let minus_half = pool.number(-one_over(2));
                let mut coefficients = [ExprId::ONE, minus_half, rest, ExprId::ZERO, ExprId::ZERO];
                if doubles_eigenvalues(factor) {
                    let square = square_of(pool, factor, x);
                    let slope = angle.cotangent_rest_slope(pool);
                    coefficients[2] = hermite(pool, rest, slope, square);
                    coefficients[4] = pool.neg(slope);
                }
                in_powers(pool, factor, x, y, &coefficients)
            }
        }
    }

    /// The adjoint of dτ_x⁻¹: ⟨(dτ_x⁻¹)* μ, y⟩ = ⟨μ, dτ_x⁻¹ y⟩.
    pub fn inverse_derivative_dual(
        self,
        pool: &mut Pool,
        factor: Factor,
        side: Side,
        x: &[ExprId],
        mu: &[ExprId],
    ) -> Vec<ExprId> {
        if let Some(turning) = factor.turning.filter(|own| own.is_skew() && factor.shifts() == 0) {
            // ad is skew for the scalar product: the adjoint is that of −x, on covectors.
            let x = &signed(pool, side, x);
            let short = match self {
                Self::Cayley => turning.cayley_inverse_dual(pool, x, mu),
                Self::Exponential(_) => None,
            };
            return short.unwrap_or_else(|| {
                let back = minus(pool, x);
                self.inverse_derivative(pool, factor, Side::Right, &back, mu)
            });
        }
        (0..factor.dimension())
            .map(|k| {
                let unit = super::vector::unit(factor.dimension(), k);
                let image = self.inverse_derivative(pool, factor, side, x, &unit);
                dot(pool, &image, mu)
            })
            .collect()
    }
}

fn signed(pool: &mut Pool, side: Side, x: &[ExprId]) -> Vec<ExprId> {
    match side {
        Side::Right => x.to_vec(),
        Side::Left => minus(pool, x),
    }
}

fn square_of(pool: &mut Pool, factor: Factor, x: &[ExprId]) -> ExprId {
    let (omega, _) = factor.split_algebra(x);
    dot(pool, omega, omega)
}

/// The functions of the angle; none for commutative groups, where dexp is 1.
fn angle_of(pool: &mut Pool, factor: Factor, x: &[ExprId], series: Series) -> Option<Angle> {
    if factor.is_commutative() {
        return None;
    }
    let square = square_of(pool, factor, x);
    Some(Angle::new(pool, square, series))
}

/// f − s f'.
fn hermite(pool: &mut Pool, value: ExprId, slope: ExprId, square: ExprId) -> ExprId {
    let product = pool.mul(square, slope);
    pool.sub(value, product)
}

/// Σ c_k ad_x^k y.
fn in_powers(
    pool: &mut Pool,
    factor: Factor,
    x: &[ExprId],
    y: &[ExprId],
    coefficients: &[ExprId],
) -> Vec<ExprId> {
    let last = coefficients.iter().rposition(|c| !c.is_zero()).unwrap_or(0);
    let mut power = y.to_vec();
    let mut sum = vec![ExprId::ZERO; y.len()];
    for (k, &coefficient) in coefficients.iter().enumerate().take(last + 1) {
        if k > 0 {
            power = factor.bracket(pool, x, &power);
        }
        let term = times(pool, coefficient, &power);
        sum = add(pool, &sum, &term);
    }
    sum
}

/// Has ad the eigenvalues ±iθ twice? Then their values and slopes count.
fn doubles_eigenvalues(factor: Factor) -> bool {
    factor.is_of_motions() && factor.turning.is_some_and(|own| own.doubles_eigenvalues())
}

/// (1 − x/2)⁻¹ y (1 + x/2)⁻¹.
fn cayley_derivative(pool: &mut Pool, factor: Factor, x: &[ExprId], y: &[ExprId]) -> Vec<ExprId> {
    let Some(turning) = factor.turning else { return y.to_vec() };
    let ((omega, v), (eta, u)) = (factor.split_algebra(x), factor.split_algebra(y));
    let square = dot(pool, omega, omega);
    let image = turning.cayley_derivative(pool, omega, eta);
    let scale = stretch(pool, square);
    let scale = pool.div(ExprId::ONE, scale);
    let mut image = times(pool, scale, &image);
    if !v.is_empty() {
        let swept = turning.act(pool, &image, v);
        let swept = half(pool, &swept);
        let swept = minus(pool, &swept);
        let shift = turning.resolvent(pool, omega, u);
        image.extend(add(pool, &shift, &swept));
    }
    image
}

/// (1 − x/2) y (1 + x/2).
fn cayley_inverse(pool: &mut Pool, factor: Factor, x: &[ExprId], y: &[ExprId]) -> Vec<ExprId> {
    let Some(turning) = factor.turning else { return y.to_vec() };
    let ((omega, v), (eta, u)) = (factor.split_algebra(x), factor.split_algebra(y));
    let halves = half(pool, omega);
    let mut image = turning.cayley_inverse(pool, omega, eta);
    if !v.is_empty() {
        let swept = turning.act(pool, eta, v);
        let swept = half(pool, &swept);
        let moved = add(pool, u, &swept);
        let turned = turning.act(pool, &halves, &moved);
        let turned = minus(pool, &turned);
        image.extend(add(pool, &moved, &turned));
    }
    image
}
