//! Random problems of a class, with a consistent starting point.

use isotrope_algebra::modular::Random;

use super::algebra::{Algebra, solve};
use super::class::{Class, Mass};
use super::nilpotents::Nilpotents;
use super::scalars::{Scalars, Vanishing};

/// Sizes of a sampled problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dimensions {
    /// Number of coordinates q.
    pub coordinates: usize,
    /// Number of constraints.
    pub constraints: usize,
    /// How many of them have no quadratic term ([`Class::Sphere`]).
    pub affine: usize,
    /// Number of exponentials in each non-polynomial function.
    pub terms: usize,
}

/// A sum of exponentials of linear forms, Σ c_k exp(l_k·q + m_k·u). Its derivatives of order r
/// are Σ c_k (l_k, m_k)^⊗r: none vanishes, and with enough terms they are as generic as wanted.
#[derive(Debug, Clone)]
pub(super) struct Ridges<E> {
    /// c_k.
    pub weights: Vec<E>,
    /// l_k, by term and coordinate.
    pub positions: Vec<Vec<E>>,
    /// m_k, by term and coordinate.
    pub velocities: Vec<Vec<E>>,
}

/// A matrix by rows.
type Matrix<E> = Vec<Vec<E>>;

/// L = vᵀM₀v/2 + Σ c (m·v)² e^{l·q}/2 − Σ c e^{l·q} + Σ c e^{l·q + m·(v − v₀)}, whichever of the
/// terms the class has.
#[derive(Debug, Clone)]
pub(super) struct Lagrangian<E> {
    /// M₀ and, if nothing else contributes to the mass matrix, its inverse.
    pub mass: Option<(Matrix<E>, Option<Matrix<E>>)>,
    pub kinetic: Ridges<E>,
    pub potential: Ridges<E>,
    pub general: Ridges<E>,
}

/// One row of A(q): linear + B q + Σ w_k e^{l_k·q}. If holonomic, B is symmetric, w_k = c_k l_k
/// and φ = linear·q + qᵀBq/2 + Σ c_k (e^{l_k·q} − 1).
#[derive(Debug, Clone)]
pub(super) struct Constraint<E> {
    pub linear: Vec<E>,
    /// B by rows; empty if there is no such term.
    pub quadratic: Vec<Vec<E>>,
    /// c_k, l_k and, as velocities, w_k.
    pub ridges: Ridges<E>,
}

/// A problem of a class, centred at its starting point: q = 0 there, φ(0) = 0 and A(0) v₀ = 0
/// hold by the choice of the linear terms, exactly.
#[derive(Debug, Clone)]
pub struct Problem<E> {
    pub(super) class: Class,
    pub(super) coordinates: usize,
    pub(super) velocity: Vec<E>,
    pub(super) lagrangian: Lagrangian<E>,
    pub(super) constraints: Vec<Constraint<E>>,
}

/// A vector tangent to {φ = 0, A v = 0} at the starting point: its q and its v part.
#[derive(Debug, Clone)]
pub(super) struct Tangent<E> {
    pub q: Vec<E>,
    pub v: Vec<E>,
}

impl<E: Clone> Problem<E> {
    /// A random problem; `None` in the (over a prime field: rare) case that it is singular.
    pub fn sample<S: Scalars<Element = E>>(
        scalars: &S,
        class: Class,
        dimensions: Dimensions,
        random: &mut Random,
    ) -> Option<Self> {
        let Dimensions { coordinates, constraints, affine, terms } = dimensions;
        let mut sampler = Sampler { scalars, random, coordinates };
        let velocity = sampler.velocity();
        let lagrangian = sampler.lagrangian(class, terms)?;
        let count = if class.is_free() { 0 } else { constraints };
        let constraints =
            (0..count).map(|i| sampler.constraint(class, i < affine, terms, &velocity)).collect();
        Some(Self { class, coordinates, velocity, lagrangian, constraints })
    }

    /// The class it was drawn from.
    pub fn class(&self) -> Class {
        self.class
    }

    /// A random tangent vector of the constraint manifold; `None` if A(0) is singular in its last
    /// columns.
    pub(super) fn tangent<S: Scalars<Element = E>>(
        &self,
        scalars: &S,
        random: &mut Random,
    ) -> Option<Tangent<E>> {
        let field = Nilpotents::new(scalars, 0);
        let direction = Nilpotents::new(scalars, 1);
        let zeros = vec![field.zero(); self.coordinates];
        let rows = self.constraint_rows(&field, &zeros);
        let free = self.coordinates.checked_sub(rows.len())?;
        // The last components solve A x = right for random first ones.
        let mut complete = |right: Vec<E>| -> Option<Vec<E>> {
            let mut vector: Vec<E> = (0..free).map(|_| scalars.random(random)).collect();
            let matrix = rows.iter().map(|row| row[free..].to_vec()).collect();
            let right = rows
                .iter()
                .zip(&right)
                .map(|(row, right)| {
                    let known = scalars.sum_of_products(free, |i| (&row[i][0], &vector[i]));
                    vec![scalars.sub(right, &known)]
                })
                .collect();
            let last = solve(&field, matrix, right)?;
            vector.extend(last.into_iter().flatten());
            Some(vector)
        };
        let q = complete(vec![scalars.zero(); rows.len()])?;
        let moved: Vec<Vec<E>> = q.iter().map(|x| vec![scalars.zero(), x.clone()]).collect();
        let velocity: Vec<Vec<E>> = self.velocity.iter().map(|v| direction.constant(v)).collect();
        let turned = self
            .constraint_rows(&direction, &moved)
            .iter()
            .map(|row| direction.dot(row, &velocity).pop().map(|x| scalars.neg(&x)))
            .collect::<Option<Vec<E>>>()?;
        let v = complete(turned)?;
        Some(Tangent { q, v })
    }
}

struct Sampler<'a, S> {
    scalars: &'a S,
    random: &'a mut Random,
    coordinates: usize,
}

impl<S: Scalars> Sampler<'_, S> {
    fn vector(&mut self) -> Vec<S::Element> {
        (0..self.coordinates).map(|_| self.scalars.random(self.random)).collect()
    }

    /// The last component is one: linear terms are then adjusted without a division.
    fn velocity(&mut self) -> Vec<S::Element> {
        let mut velocity = self.vector();
        if let Some(last) = velocity.last_mut() {
            *last = self.scalars.one();
        }
        velocity
    }

    /// A symmetric matrix; the large diagonal keeps balls small and is not a restriction.
    fn symmetric(&mut self, diagonal: usize) -> Vec<Vec<S::Element>> {
        let scalars = self.scalars;
        let mut matrix: Vec<Vec<S::Element>> =
            (0..self.coordinates).map(|_| self.vector()).collect();
        for i in 0..matrix.len() {
            let (above, below) = matrix.split_at_mut(i);
            let Some(row) = below.first_mut() else { continue };
            for _ in 0..diagonal {
                row[i] = scalars.add(&row[i], &scalars.one());
            }
            for (entry, above) in row.iter_mut().zip(above.iter()) {
                *entry = above[i].clone();
            }
        }
        matrix
    }

    fn ridges(&mut self, terms: usize, with_velocities: bool) -> Ridges<S::Element> {
        Ridges {
            weights: (0..terms).map(|_| self.scalars.random(self.random)).collect(),
            positions: (0..terms).map(|_| self.vector()).collect(),
            velocities: if with_velocities {
                (0..terms).map(|_| self.vector()).collect()
            } else {
                Vec::new()
            },
        }
    }

    fn lagrangian(&mut self, class: Class, terms: usize) -> Option<Lagrangian<S::Element>> {
        if class.mass() == Mass::Any {
            return Some(Lagrangian {
                mass: None,
                kinetic: self.ridges(0, true),
                potential: self.ridges(0, false),
                general: self.ridges(terms, true),
            });
        }
        let mass = self.symmetric(self.coordinates);
        let varies = class.mass() == Mass::Varying;
        let inverse = if varies { None } else { Some(invert(self.scalars, &mass)?) };
        Some(Lagrangian {
            mass: Some((mass, inverse)),
            kinetic: self.ridges(if varies { terms } else { 0 }, true),
            potential: self.ridges(terms, false),
            general: self.ridges(0, true),
        })
    }

    fn constraint(
        &mut self,
        class: Class,
        affine: bool,
        terms: usize,
        velocity: &[S::Element],
    ) -> Constraint<S::Element> {
        let scalars = self.scalars;
        let mut linear = self.vector();
        let polynomial = class.is_polynomial();
        let quadratic = match (polynomial, class.is_holonomic()) {
            (true, true) if !affine => self.symmetric(0),
            (true, false) => (0..self.coordinates).map(|_| self.vector()).collect(),
            _ => Vec::new(),
        };
        let mut ridges = self.ridges(if polynomial { 0 } else { terms }, true);
        if class.is_holonomic() {
            let scaled = ridges.weights.iter().zip(&ridges.positions).map(|(weight, position)| {
                position.iter().map(|x| scalars.mul(weight, x)).collect()
            });
            ridges.velocities = scaled.collect();
        }
        // A(0) v = 0, by the coefficient that multiplies the last velocity (which is one).
        let mut defect = scalars.sum_of_products(linear.len(), |i| (&linear[i], &velocity[i]));
        for covector in &ridges.velocities {
            let more = scalars.sum_of_products(covector.len(), |i| (&covector[i], &velocity[i]));
            defect = scalars.add(&defect, &more);
        }
        if let Some(last) = linear.last_mut() {
            *last = scalars.sub(last, &defect);
        }
        Constraint { linear, quadratic, ridges }
    }
}

/// The inverse of a matrix of scalars; `None` if singular.
fn invert<S: Scalars>(scalars: &S, matrix: &[Vec<S::Element>]) -> Option<Vec<Vec<S::Element>>> {
    let size = matrix.len();
    let mut left: Vec<Vec<S::Element>> = matrix.to_vec();
    let mut right: Vec<Vec<S::Element>> = (0..size)
        .map(|i| (0..size).map(|j| if i == j { scalars.one() } else { scalars.zero() }).collect())
        .collect();
    for column in 0..size {
        let pivot = (column..size)
            .find(|&row| scalars.vanishing(&left[row][column]) == Vanishing::NonZero)?;
        left.swap(column, pivot);
        right.swap(column, pivot);
        let inverse = scalars.inverse(&left[column][column])?;
        for entry in left[column].iter_mut().chain(&mut right[column]) {
            *entry = scalars.mul(entry, &inverse);
        }
        let (pivot_left, pivot_right) = (left[column].clone(), right[column].clone());
        for row in (0..size).filter(|&row| row != column) {
            let factor = left[row][column].clone();
            for (entry, pivot) in left[row].iter_mut().zip(&pivot_left) {
                *entry = scalars.sub(entry, &scalars.mul(&factor, pivot));
            }
            for (entry, pivot) in right[row].iter_mut().zip(&pivot_right) {
                *entry = scalars.sub(entry, &scalars.mul(&factor, pivot));
            }
        }
    }
    Some(right)
}
