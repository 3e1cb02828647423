//! One factor of a group.

use isotrope_algebra::{ExprId, Pool};

use super::vector::{add, at, cross, dot, minus, quarter_turn, times};

/// A factor of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Factor {
    /// SO(2): numbers (cos, sin), algebra (ω).
    PlaneRotations,
    /// SO(3): a unit quaternion (e₀, e₁, e₂, e₃), algebra (ω₁, ω₂, ω₃).
    Rotations,
    /// SE(2): (cos, sin, x₁, x₂), algebra (ω, v₁, v₂).
    PlaneMotions,
    /// SE(3): a unit quaternion and (x₁, x₂, x₃), algebra (ω, v).
    Motions,
    /// Rⁿ.
    Translations(usize),
}

impl Factor {
    /// The dimension of the group.
    #[must_use]
    pub fn dimension(self) -> usize {
        self.spins() + self.shifts()
    }

    /// How many components of the algebra are angular velocities.
    #[must_use]
    pub fn spins(self) -> usize {
        match self {
            Self::PlaneRotations | Self::PlaneMotions => 1,
            Self::Rotations | Self::Motions => 3,
            Self::Translations(_) => 0,
        }
    }

    /// How many components are velocities; so many numbers of an element are a translation.
    #[must_use]
    pub fn shifts(self) -> usize {
        match self {
            Self::PlaneRotations | Self::Rotations => 0,
            Self::PlaneMotions => 2,
            Self::Motions => 3,
            Self::Translations(n) => n,
        }
    }

    /// How many numbers of an element are its rotation.
    #[must_use]
    pub fn rotation_numbers(self) -> usize {
        match self {
            Self::PlaneRotations | Self::PlaneMotions => 2,
            Self::Rotations | Self::Motions => 4,
            Self::Translations(_) => 0,
        }
    }

    /// The numbers of an element.
    #[must_use]
    pub fn numbers(self) -> usize {
        self.rotation_numbers() + self.shifts()
    }

    /// The neutral element.
    #[must_use]
    pub fn identity(self) -> Vec<ExprId> {
        let first = usize::from(self.rotation_numbers() > 0);
        (0..self.numbers()).map(|k| if k < first { ExprId::ONE } else { ExprId::ZERO }).collect()
    }

    pub(super) fn split(self, g: &[ExprId]) -> (&[ExprId], &[ExprId]) {
        g.split_at(self.rotation_numbers().min(g.len()))
    }

    pub(super) fn split_algebra(self, x: &[ExprId]) -> (&[ExprId], &[ExprId]) {
        x.split_at(self.spins().min(x.len()))
    }

    /// The rotation matrix by rows; empty for translations.
    pub fn rotation(self, pool: &mut Pool, g: &[ExprId]) -> Vec<Vec<ExprId>> {
        let (e, _) = self.split(g);
        match self.spins() {
            1 => {
                let (cos, sin) = (at(e, 0), at(e, 1));
                let down = pool.neg(sin);
                vec![vec![cos, down], vec![sin, cos]]
            }
            3 => of_quaternion(pool, e),
            _ => Vec::new(),
        }
    }

    /// R x for a vector of the space the group acts on.
    pub(super) fn rotate(self, pool: &mut Pool, g: &[ExprId], x: &[ExprId]) -> Vec<ExprId> {
        match self.spins() {
            // Where there are no translations nothing is turned.
            0 => x.to_vec(),
            _ if x.is_empty() => Vec::new(),
            _ => self.rotation(pool, g).iter().map(|row| dot(pool, row, x)).collect(),
        }
    }

    /// g h.
    pub fn multiply(self, pool: &mut Pool, g: &[ExprId], h: &[ExprId]) -> Vec<ExprId> {
        let ((a, x), (b, y)) = (self.split(g), self.split(h));
        let mut product = match a.len() {
            2 => {
                let cos = [pool.mul(at(a, 0), at(b, 0)), pool.mul(at(a, 1), at(b, 1))];
                let sin = [pool.mul(at(a, 0), at(b, 1)), pool.mul(at(a, 1), at(b, 0))];
                vec![pool.sub(cos[0], cos[1]), pool.add(sin[0], sin[1])]
            }
            4 => quaternion_product(pool, a, b),
            _ => Vec::new(),
        };
        let turned = self.rotate(pool, g, y);
        product.extend(add(pool, x, &turned));
        product
    }

    /// g⁻¹.
    pub fn inverse(self, pool: &mut Pool, g: &[ExprId]) -> Vec<ExprId> {
        let (e, x) = self.split(g);
        let mut inverse: Vec<ExprId> = e.iter().take(1).copied().collect();
        inverse.extend(e.iter().skip(1).map(|&x| pool.neg(x)));
        let back = self.rotate(pool, &inverse, x);
        let back = minus(pool, &back);
        inverse.extend(back);
        inverse
    }

    /// The same element with a rotation of norm 1: what rounding, and nothing else, takes away.
    pub fn normalised(self, pool: &mut Pool, g: &[ExprId]) -> Vec<ExprId> {
        let (e, x) = self.split(g);
        let square = dot(pool, e, e);
        let norm = pool.sqrt(square);
        let scale = pool.div(ExprId::ONE, norm);
        let mut numbers = times(pool, scale, e);
        numbers.extend_from_slice(x);
        numbers
    }

    /// g' = g ξ: the rates of the numbers.
    pub fn rates(self, pool: &mut Pool, g: &[ExprId], xi: &[ExprId]) -> Vec<ExprId> {
        let ((e, _), (omega, v)) = (self.split(g), self.split_algebra(xi));
        let mut rates = match e.len() {
            2 => {
                let turned = quarter_turn(pool, e);
                times(pool, at(omega, 0), &turned)
            }
            4 => {
                let half = super::vector::half(pool, omega);
                let pure = [&[ExprId::ZERO][..], &half].concat();
                quaternion_product(pool, e, &pure)
            }
            _ => Vec::new(),
        };
        rates.extend(self.rotate(pool, g, v));
        rates
    }

    /// The ξ of g' = g ξ, for rates of the numbers that keep the norm of rotations.
    pub fn trivialised(self, pool: &mut Pool, g: &[ExprId], rates: &[ExprId]) -> Vec<ExprId> {
        let ((e, _), (turning, moving)) = (self.split(g), self.split(rates));
        let back = self.inverse(pool, &[e, &vec![ExprId::ZERO; self.shifts()]].concat());
        let (back_e, _) = self.split(&back);
        let mut xi = match e.len() {
            2 => {
                let turned = quarter_turn(pool, e);
                vec![dot(pool, &turned, turning)]
            }
            4 => {
                let pure = quaternion_product(pool, back_e, turning);
                let two = pool.number(2.into());
                times(pool, two, pure.get(1..).unwrap_or_default())
            }
            _ => Vec::new(),
        };
        xi.extend(self.rotate(pool, &back, moving));
        xi
    }

    /// [x, y] = ad_x y.
    pub fn bracket(self, pool: &mut Pool, x: &[ExprId], y: &[ExprId]) -> Vec<ExprId> {
        let ((w, v), (n, u)) = (self.split_algebra(x), self.split_algebra(y));
        match self.spins() {
            1 => {
                let mut bracket = vec![ExprId::ZERO];
                if !v.is_empty() {
                    let (turned, other) = (quarter_turn(pool, u), quarter_turn(pool, v));
                    let (first, second) =
                        (times(pool, at(w, 0), &turned), times(pool, at(n, 0), &other));
                    let second = minus(pool, &second);
                    bracket.extend(add(pool, &first, &second));
                }
                bracket
            }
            3 => {
                let mut bracket = cross(pool, w, n);
                if !v.is_empty() {
                    let (first, second) = (cross(pool, w, u), cross(pool, v, n));
                    bracket.extend(add(pool, &first, &second));
                }
                bracket
            }
            _ => vec![ExprId::ZERO; self.dimension()],
        }
    }

    /// Ad_g x = g x g⁻¹.
    pub fn adjoint(self, pool: &mut Pool, g: &[ExprId], x: &[ExprId]) -> Vec<ExprId> {
        let ((_, place), (w, v)) = (self.split(g), self.split_algebra(x));
        let turned = self.rotate(pool, g, v);
        match self.spins() {
            1 => {
                let mut image = w.to_vec();
                if !v.is_empty() {
                    let arm = quarter_turn(pool, place);
                    let back = pool.neg(at(w, 0));
                    let swept = times(pool, back, &arm);
                    image.extend(add(pool, &turned, &swept));
                }
                image
            }
            3 => {
                let mut image = self.rotate(pool, g, w);
                if !v.is_empty() {
                    let swept = cross(pool, place, &image);
                    image.extend(add(pool, &turned, &swept));
                }
                image
            }
            _ => x.to_vec(),
        }
    }
}

fn quaternion_product(pool: &mut Pool, a: &[ExprId], b: &[ExprId]) -> Vec<ExprId> {
    let (a0, b0) = (at(a, 0), at(b, 0));
    let (a, b) = (a.get(1..).unwrap_or_default(), b.get(1..).unwrap_or_default());
    let (scalar, inner) = (pool.mul(a0, b0), dot(pool, a, b));
    let mut product = vec![pool.sub(scalar, inner)];
    let (first, second, third) = (times(pool, a0, b), times(pool, b0, a), cross(pool, a, b));
    let sum = add(pool, &first, &second);
    product.extend(add(pool, &sum, &third));
    product
}

/// R of a quaternion; that of one of norm n is n² times a rotation.
fn of_quaternion(pool: &mut Pool, e: &[ExprId]) -> Vec<Vec<ExprId>> {
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
