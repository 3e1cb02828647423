//! Maps from the algebra to the group near the neutral element, and their derivatives.
//!
//! The right-trivialised derivative dτ_x is (d τ(x) y) τ(x)⁻¹; the left-trivialised one is dτ_{−x}. For
//! both maps τ(−x) = τ(x)⁻¹, which makes the schemes that use them symmetric.

use isotrope_algebra::{ExprId, Pool};

use super::Series;
use super::angle::Angle;
use super::factor::Factor;
use super::vector::{add, at, cross, dot, half, minus, one_over, quarter_turn, times};

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
            Self::Cayley if factor.spins() == 3 => factor.normalised(pool, &numbers),
            _ => numbers,
        }
    }

    /// τ(x), for rotations of space by cay times a positive number: (1, ω/2) without its norm.
    pub fn unnormalised(self, pool: &mut Pool, factor: Factor, x: &[ExprId]) -> Vec<ExprId> {
        let (omega, v) = factor.split_algebra(x);
        let square = dot(pool, omega, omega);
        let mut numbers = match (self, factor.spins()) {
            (_, 0) => return x.to_vec(),
            (Self::Cayley, 1) => {
                let scale = stretch(pool, square);
                let quarter = pool.scale(&one_over(4), square);
                let above = pool.sub(ExprId::ONE, quarter);
                vec![pool.div(above, scale), pool.div(at(omega, 0), scale)]
            }
            (Self::Cayley, _) => [vec![ExprId::ONE], half(pool, omega)].concat(),
            (Self::Exponential(series), 1) => {
                let angle = Angle::new(pool, square, series);
                let versine = angle.versine(pool);
                let fall = pool.mul(square, versine);
                let sinc = angle.sinc(pool);
                vec![pool.sub(ExprId::ONE, fall), pool.mul(at(omega, 0), sinc)]
            }
            (Self::Exponential(series), _) => {
                let angle = Angle::new(pool, square, series);
                let halves = half(pool, omega);
                [vec![angle.cos_half], times(pool, angle.sinc_half, &halves)].concat()
            }
        };
        if !v.is_empty() {
            let shift = match self {
                Self::Cayley => resolvent(pool, factor, omega, v),
                // V(ω) is dexp of the rotations.
                Self::Exponential(series) => {
                    let angle = Angle::new(pool, square, series);
                    let (first, second) = (angle.versine(pool), angle.sine_rest);
                    let once = act(pool, factor, omega, v);
                    let twice = act(pool, factor, omega, &once);
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
                if factor == Factor::Motions {
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
                if factor == Factor::Motions {
                    // ad has the eigenvalues ±iθ twice: their values and slopes count.
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
        if factor == Factor::Rotations {
            // ad is skew for the scalar product: the adjoint is that of −x, on covectors.
            let x = &signed(pool, side, x);
            return match self {
                Self::Cayley => {
                    // μ + ω×μ/2 + (ω·μ) ω/4.
                    let (halves, inner) = (half(pool, x), dot(pool, x, mu));
                    let turned = cross(pool, &halves, mu);
                    let along = pool.scale(&one_over(4), inner);
                    let along = times(pool, along, x);
                    let sum = add(pool, mu, &turned);
                    add(pool, &sum, &along)
                }
                Self::Exponential(_) => {
                    let back = minus(pool, x);
                    self.inverse_derivative(pool, factor, Side::Right, &back, mu)
                }
            };
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
    if matches!(factor, Factor::PlaneRotations | Factor::Translations(_)) {
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

/// 1 + |ω|²/4.
fn stretch(pool: &mut Pool, square: ExprId) -> ExprId {
    let quarter = pool.scale(&one_over(4), square);
    pool.add(ExprId::ONE, quarter)
}

/// ω acting on vectors: ω × u, or ω J u.
fn act(pool: &mut Pool, factor: Factor, omega: &[ExprId], u: &[ExprId]) -> Vec<ExprId> {
    match factor.spins() {
        1 => {
            let turned = quarter_turn(pool, u);
            times(pool, at(omega, 0), &turned)
        }
        _ => cross(pool, omega, u),
    }
}

/// (1 − ω/2)⁻¹ u = (u + ω u/2 + ω(ω·u)/4)/(1 + |ω|²/4); the last term only in space.
fn resolvent(pool: &mut Pool, factor: Factor, omega: &[ExprId], u: &[ExprId]) -> Vec<ExprId> {
    let square = dot(pool, omega, omega);
    let scale = stretch(pool, square);
    let halves = half(pool, omega);
    let turned = act(pool, factor, &halves, u);
    let mut sum = add(pool, u, &turned);
    if factor.spins() == 3 {
        let inner = dot(pool, omega, u);
        let along = pool.scale(&one_over(4), inner);
        let along = times(pool, along, omega);
        sum = add(pool, &sum, &along);
    }
    let scale = pool.div(ExprId::ONE, scale);
    times(pool, scale, &sum)
}

/// (1 − x/2)⁻¹ y (1 + x/2)⁻¹.
fn cayley_derivative(pool: &mut Pool, factor: Factor, x: &[ExprId], y: &[ExprId]) -> Vec<ExprId> {
    let ((omega, v), (eta, u)) = (factor.split_algebra(x), factor.split_algebra(y));
    let square = dot(pool, omega, omega);
    let mut image = eta.to_vec();
    if factor.spins() == 3 {
        let halves = half(pool, omega);
        let turned = cross(pool, &halves, eta);
        image = add(pool, eta, &turned);
    }
    let scale = stretch(pool, square);
    let scale = pool.div(ExprId::ONE, scale);
    image = times(pool, scale, &image);
    if factor.spins() == 0 {
        return y.to_vec();
    }
    if !v.is_empty() {
        let swept = act(pool, factor, &image, v);
        let swept = half(pool, &swept);
        let swept = minus(pool, &swept);
        let shift = resolvent(pool, factor, omega, u);
        image.extend(add(pool, &shift, &swept));
    }
    image
}

/// (1 − x/2) y (1 + x/2).
fn cayley_inverse(pool: &mut Pool, factor: Factor, x: &[ExprId], y: &[ExprId]) -> Vec<ExprId> {
    let ((omega, v), (eta, u)) = (factor.split_algebra(x), factor.split_algebra(y));
    if factor.spins() == 0 {
        return y.to_vec();
    }
    let halves = half(pool, omega);
    let mut image = match factor.spins() {
        1 => {
            let square = dot(pool, omega, omega);
            let scale = stretch(pool, square);
            times(pool, scale, eta)
        }
        _ => {
            // η − ω×η/2 + ω(ω·η)/4.
            let turned = cross(pool, eta, &halves);
            let inner = dot(pool, omega, eta);
            let along = pool.scale(&one_over(4), inner);
            let along = times(pool, along, omega);
            let sum = add(pool, eta, &turned);
            add(pool, &sum, &along)
        }
    };
    if !v.is_empty() {
        let swept = act(pool, factor, eta, v);
        let swept = half(pool, &swept);
        let moved = add(pool, u, &swept);
        let turned = act(pool, factor, &halves, &moved);
        let turned = minus(pool, &turned);
        image.extend(add(pool, &moved, &turned));
    }
    image
}
