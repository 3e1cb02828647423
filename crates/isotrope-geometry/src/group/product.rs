//! Products of factors.

use isotrope_algebra::{ExprId, Pool};

use super::vector::{at, dot, unit};
use super::{Factor, Retraction, Side};

/// A product of factors; numbers and components of the algebra one factor after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    factors: Vec<Factor>,
}

/// Where a factor is in lists of numbers and of components.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The factor.
    pub factor: Factor,
    /// Its numbers.
    pub numbers: std::ops::Range<usize>,
    /// Its components of the algebra.
    pub components: std::ops::Range<usize>,
}

impl Group {
    /// The product.
    #[must_use]
    pub fn new(factors: Vec<Factor>) -> Self {
        Self { factors }
    }

    /// The factors.
    #[must_use]
    pub fn factors(&self) -> &[Factor] {
        &self.factors
    }

    /// The dimension.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.factors.iter().map(|factor| factor.dimension()).sum()
    }

    /// The numbers of an element.
    #[must_use]
    pub fn numbers(&self) -> usize {
        self.factors.iter().map(|factor| factor.numbers()).sum()
    }

    /// The factors with their places.
    #[must_use]
    pub fn parts(&self) -> Vec<Part> {
        let (mut number, mut component) = (0, 0);
        self.factors
            .iter()
            .map(|&factor| {
                let numbers = number..number + factor.numbers();
                let components = component..component + factor.dimension();
                (number, component) = (numbers.end, components.end);
                Part { factor, numbers, components }
            })
            .collect()
    }

    /// Something done factor by factor.
    fn by_factor(&self, each: impl FnMut(&Part) -> Vec<ExprId>) -> Vec<ExprId> {
        self.parts().iter().flat_map(each).collect()
    }

    /// g h.
    pub fn multiply(&self, pool: &mut Pool, g: &[ExprId], h: &[ExprId]) -> Vec<ExprId> {
        self.by_factor(|part| {
            part.factor.multiply(pool, piece(g, &part.numbers), piece(h, &part.numbers))
        })
    }

    /// g⁻¹.
    pub fn inverse(&self, pool: &mut Pool, g: &[ExprId]) -> Vec<ExprId> {
        self.by_factor(|part| part.factor.inverse(pool, piece(g, &part.numbers)))
    }

    /// The same element with rotations of norm 1.
    pub fn normalised(&self, pool: &mut Pool, g: &[ExprId]) -> Vec<ExprId> {
        self.by_factor(|part| part.factor.normalised(pool, piece(g, &part.numbers)))
    }

    /// g' = g ξ.
    pub fn rates(&self, pool: &mut Pool, g: &[ExprId], xi: &[ExprId]) -> Vec<ExprId> {
        self.by_factor(|part| {
            part.factor.rates(pool, piece(g, &part.numbers), piece(xi, &part.components))
        })
    }

    /// The ξ of g' = g ξ, for rates of the numbers that keep the norm of rotations.
    pub fn trivialised(&self, pool: &mut Pool, g: &[ExprId], rates: &[ExprId]) -> Vec<ExprId> {
        self.by_factor(|part| {
            part.factor.trivialised(pool, piece(g, &part.numbers), piece(rates, &part.numbers))
        })
    }

    /// The part of the canonical form that the trivialisation brings, ⟨μ, [x, y]⟩: with g' = g ξ and θ = ⟨μ, ξ⟩
    /// it is −dθ((x, ν), (y, ρ)) = ⟨ρ, x⟩ − ⟨ν, y⟩ + ⟨μ, [x, y]⟩.
    pub fn curvature(&self, pool: &mut Pool, mu: &[ExprId], x: &[ExprId], y: &[ExprId]) -> ExprId {
        let bracket = self.bracket(pool, x, y);
        dot(pool, mu, &bracket)
    }

    /// ad_x y.
    pub fn bracket(&self, pool: &mut Pool, x: &[ExprId], y: &[ExprId]) -> Vec<ExprId> {
        self.by_factor(|part| {
            part.factor.bracket(pool, piece(x, &part.components), piece(y, &part.components))
        })
    }

    /// ad*_x μ: ⟨ad*_x μ, y⟩ = ⟨μ, [x, y]⟩.
    pub fn bracket_dual(&self, pool: &mut Pool, x: &[ExprId], mu: &[ExprId]) -> Vec<ExprId> {
        self.dual(pool, mu, |pool, y| self.bracket(pool, x, y))
    }

    /// Ad_g x.
    pub fn adjoint(&self, pool: &mut Pool, g: &[ExprId], x: &[ExprId]) -> Vec<ExprId> {
        self.by_factor(|part| {
            part.factor.adjoint(pool, piece(g, &part.numbers), piece(x, &part.components))
        })
    }

    /// Ad*_g μ: ⟨Ad*_g μ, x⟩ = ⟨μ, Ad_g x⟩.
    pub fn adjoint_dual(&self, pool: &mut Pool, g: &[ExprId], mu: &[ExprId]) -> Vec<ExprId> {
        self.dual(pool, mu, |pool, x| self.adjoint(pool, g, x))
    }

    /// τ(x).
    pub fn retract(&self, pool: &mut Pool, map: Retraction, x: &[ExprId]) -> Vec<ExprId> {
        self.by_factor(|part| map.apply(pool, part.factor, piece(x, &part.components)))
    }

    /// τ(x) up to the norm of rotations.
    pub fn retract_unnormalised(
        &self,
        pool: &mut Pool,
        map: Retraction,
        x: &[ExprId],
    ) -> Vec<ExprId> {
        self.by_factor(|part| map.unnormalised(pool, part.factor, piece(x, &part.components)))
    }

    /// dτ_x y.
    pub fn derivative(
        &self,
        pool: &mut Pool,
        map: Retraction,
        side: Side,
        x: &[ExprId],
        y: &[ExprId],
    ) -> Vec<ExprId> {
        self.by_factor(|part| {
            let (x, y) = (piece(x, &part.components), piece(y, &part.components));
            map.derivative(pool, part.factor, side, x, y)
        })
    }

    /// dτ_x⁻¹ y.
    pub fn inverse_derivative(
        &self,
        pool: &mut Pool,
        map: Retraction,
        side: Side,
        x: &[ExprId],
        y: &[ExprId],
    ) -> Vec<ExprId> {
        self.by_factor(|part| {
            let (x, y) = (piece(x, &part.components), piece(y, &part.components));
            map.inverse_derivative(pool, part.factor, side, x, y)
        })
    }

    /// (dτ_x⁻¹)* μ.
    pub fn inverse_derivative_dual(
        &self,
        pool: &mut Pool,
        map: Retraction,
        side: Side,
        x: &[ExprId],
        mu: &[ExprId],
    ) -> Vec<ExprId> {
        self.by_factor(|part| {
            let (x, mu) = (piece(x, &part.components), piece(mu, &part.components));
            map.inverse_derivative_dual(pool, part.factor, side, x, mu)
        })
    }

    /// The adjoint of a linear map of the algebra.
    fn dual(
        &self,
        pool: &mut Pool,
        mu: &[ExprId],
        map: impl Fn(&mut Pool, &[ExprId]) -> Vec<ExprId>,
    ) -> Vec<ExprId> {
        let size = self.dimension();
        (0..size)
            .map(|k| {
                let image = map(pool, &unit(size, k));
                dot(pool, &image, mu)
            })
            .collect()
    }

    /// Entries of rotation matrices and translations, factor by factor: R by rows, then x.
    pub fn entries(&self, pool: &mut Pool, g: &[ExprId]) -> Vec<ExprId> {
        self.by_factor(|part| {
            let g = piece(g, &part.numbers);
            let mut entries: Vec<ExprId> = part.factor.rotation(pool, g).concat();
            entries.extend_from_slice(part.factor.split(g).1);
            entries
        })
    }

    /// The rates of these entries where their values are given: R' = R ω^, x' = R v.
    pub fn entry_rates(&self, pool: &mut Pool, entries: &[ExprId], xi: &[ExprId]) -> Vec<ExprId> {
        let mut first = 0;
        self.by_factor(|part| {
            let factor = part.factor;
            let size = factor.size();
            let count = size * size + factor.shifts();
            let own = piece(entries, &(first..first + count));
            first += count;
            let (omega, v) = factor.split_algebra(piece(xi, &part.components));
            let hat = factor.turning.map_or_else(Vec::new, |turning| turning.hat(pool, omega));
            let mut rates = Vec::with_capacity(count);
            for i in 0..size {
                let row = piece(own, &(i * size..(i + 1) * size));
                for j in 0..size {
                    let column: Vec<ExprId> = hat.iter().map(|row| at(row, j)).collect();
                    rates.push(dot(pool, row, &column));
                }
            }
            if size == 0 {
                rates.extend_from_slice(v);
            } else {
                for i in 0..factor.shifts() {
                    let row = piece(own, &(i * size..(i + 1) * size));
                    rates.push(dot(pool, row, v));
                }
            }
            rates
        })
    }
}

/// The part of a list that belongs to a factor. Lists that are too short are a mistake of the caller.
fn piece<'l>(list: &'l [ExprId], range: &std::ops::Range<usize>) -> &'l [ExprId] {
    &list[range.clone()]
}
