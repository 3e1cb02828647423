//! One factor of a group: rotations, translations, or both as a semidirect product.

use isotrope_algebra::{ExprId, Pool};

use super::plane::Plane;
use super::space::Space;
use super::turning::Turning;
use super::vector::{add, dot, minus, times};

/// A factor of a group: how it turns, and in how many directions it moves.
#[derive(Debug, Clone, Copy)]
pub struct Factor {
    name: &'static str,
    pub(super) turning: Option<&'static dyn Turning>,
    shifts: usize,
}

impl PartialEq for Factor {
    fn eq(&self, other: &Self) -> bool {
        (self.name, self.shifts) == (other.name, other.shifts)
    }
}

impl Eq for Factor {}

const fn factor(name: &'static str, turning: &'static dyn Turning, shifts: usize) -> Factor {
    Factor { name, turning: Some(turning), shifts }
}

impl Factor {
    /// All factors with a name: SO(2) has the numbers (cos, sin) and the algebra (ω), SO(3) a unit quaternion
    /// and (ω₁, ω₂, ω₃); motions have the translation besides, and v.
    pub const ALL: [Self; 4] = [
        factor("SO(2)", &Plane, 0),
        factor("SO(3)", &Space, 0),
        factor("SE(2)", &Plane, 2),
        factor("SE(3)", &Space, 3),
    ];

    /// The factor of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|factor| factor.name == name)
    }

    /// Rⁿ.
    #[must_use]
    pub const fn translations(n: usize) -> Self {
        Self { name: "R", turning: None, shifts: n }
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.name
    }

    /// The dimension of the group.
    #[must_use]
    pub fn dimension(self) -> usize {
        self.spins() + self.shifts()
    }

    /// How many components of the algebra are angular velocities.
    #[must_use]
    pub fn spins(self) -> usize {
        self.turning.map_or(0, |turning| turning.spins())
    }

    /// How many components are velocities; an element has as many numbers for its translation.
    #[must_use]
    pub fn shifts(self) -> usize {
        self.shifts
    }

    /// The size of its matrices.
    #[must_use]
    pub fn size(self) -> usize {
        self.turning.map_or(0, |turning| turning.size())
    }

    /// How many numbers of an element are its rotation.
    #[must_use]
    pub fn rotation_numbers(self) -> usize {
        self.turning.map_or(0, |turning| turning.numbers())
    }

    /// Are these rotations and translations that act on each other?
    #[must_use]
    pub fn is_of_motions(self) -> bool {
        self.turning.is_some() && self.shifts > 0
    }

    /// Do all elements commute?
    pub(super) fn is_commutative(self) -> bool {
        !self.is_of_motions() && self.turning.is_none_or(|turning| turning.is_commutative())
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
        self.turning.map_or_else(Vec::new, |turning| turning.matrix(pool, e))
    }

    /// R x for a vector of the space the group acts on.
    fn rotate(self, pool: &mut Pool, g: &[ExprId], x: &[ExprId]) -> Vec<ExprId> {
        match self.turning {
            // Where there are no rotations nothing is turned.
            None => x.to_vec(),
            Some(_) if x.is_empty() => Vec::new(),
            Some(_) => self.rotation(pool, g).iter().map(|row| dot(pool, row, x)).collect(),
        }
    }

    /// g h.
    pub fn multiply(self, pool: &mut Pool, g: &[ExprId], h: &[ExprId]) -> Vec<ExprId> {
        let ((a, x), (b, y)) = (self.split(g), self.split(h));
        let mut product =
            self.turning.map_or_else(Vec::new, |turning| turning.multiply(pool, a, b));
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
        if self.turning.is_none() {
            return g.to_vec();
        }
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
        let mut rates = self.turning.map_or_else(Vec::new, |turning| turning.rates(pool, e, omega));
        rates.extend(self.rotate(pool, g, v));
        rates
    }

    /// The ξ of g' = g ξ, for rates of the numbers that keep the norm of rotations.
    pub fn trivialised(self, pool: &mut Pool, g: &[ExprId], rates: &[ExprId]) -> Vec<ExprId> {
        let ((e, _), (turning, moving)) = (self.split(g), self.split(rates));
        let back = self.inverse(pool, &[e, &vec![ExprId::ZERO; self.shifts()]].concat());
        let (back_e, _) = self.split(&back);
        let mut xi =
            self.turning.map_or_else(Vec::new, |own| own.trivialised(pool, e, back_e, turning));
        xi.extend(self.rotate(pool, &back, moving));
        xi
    }

    /// [x, y] = ad_x y.
    pub fn bracket(self, pool: &mut Pool, x: &[ExprId], y: &[ExprId]) -> Vec<ExprId> {
        let ((w, v), (n, u)) = (self.split_algebra(x), self.split_algebra(y));
        let Some(turning) = self.turning else { return vec![ExprId::ZERO; self.dimension()] };
        let mut bracket = turning.bracket(pool, w, n);
        if !v.is_empty() {
            bracket.extend(turning.bracket_of_shifts(pool, (w, v), (n, u)));
        }
        bracket
    }

    /// Ad_g x = g x g⁻¹.
    pub fn adjoint(self, pool: &mut Pool, g: &[ExprId], x: &[ExprId]) -> Vec<ExprId> {
        let ((e, place), (w, v)) = (self.split(g), self.split_algebra(x));
        let turned = self.rotate(pool, g, v);
        let Some(turning) = self.turning else { return x.to_vec() };
        let mut image = turning.adjoint(pool, e, w);
        if !v.is_empty() {
            let swept = turning.swept(pool, &image, place);
            image.extend(add(pool, &turned, &swept));
        }
        image
    }
}
