//! Commutative local algebras over a field: where problems are evaluated.

use super::scalars::{Scalars, Vanishing};

/// A finite-dimensional commutative algebra with one maximal ideal: every element is a scalar
/// plus a nilpotent one. Elements are coordinate vectors; coordinate 0 is the scalar.
///
/// A problem evaluated at a point of such an algebra gives its Taylor expansion there: power
/// series in h ([`super::Jets`]), or all mixed derivatives along given directions
/// ([`super::Nilpotents`]).
pub trait Algebra {
    /// The field below.
    type Scalars: Scalars;

    /// The field below.
    fn scalars(&self) -> &Self::Scalars;

    /// Number of coordinates.
    fn dimension(&self) -> usize;

    /// `x y`.
    fn mul(&self, x: &Element<Self>, y: &Element<Self>) -> Element<Self>;

    /// `1/x`, if the scalar part has an inverse.
    fn inverse(&self, x: &Element<Self>) -> Option<Element<Self>>;

    /// `exp(x)` for a nilpotent `x` (its scalar part is taken for zero).
    fn exponential(&self, x: &Element<Self>) -> Element<Self>;

    /// Zero.
    fn zero(&self) -> Element<Self> {
        vec![self.scalars().zero(); self.dimension()]
    }

    /// A scalar.
    fn constant(&self, value: &ScalarOf<Self>) -> Element<Self> {
        let mut element = self.zero();
        if let Some(first) = element.first_mut() {
            *first = value.clone();
        }
        element
    }

    /// `x + y`.
    fn add(&self, x: &Element<Self>, y: &Element<Self>) -> Element<Self> {
        x.iter().zip(y).map(|(x, y)| self.scalars().add(x, y)).collect()
    }

    /// `x - y`.
    fn sub(&self, x: &Element<Self>, y: &Element<Self>) -> Element<Self> {
        x.iter().zip(y).map(|(x, y)| self.scalars().sub(x, y)).collect()
    }

    /// `-x`.
    fn neg(&self, x: &Element<Self>) -> Element<Self> {
        x.iter().map(|x| self.scalars().neg(x)).collect()
    }

    /// The sum of `coefficients_i elements_i`.
    fn combine(
        &self,
        coefficients: &[ScalarOf<Self>],
        elements: &[Element<Self>],
    ) -> Element<Self> {
        let count = coefficients.len().min(elements.len());
        (0..self.dimension())
            .map(|at| {
                self.scalars().sum_of_products(count, |i| (&coefficients[i], &elements[i][at]))
            })
            .collect()
    }

    /// The sum of `x_i y_i`.
    fn dot(&self, x: &[Element<Self>], y: &[Element<Self>]) -> Element<Self> {
        x.iter().zip(y).fold(self.zero(), |sum, (x, y)| self.add(&sum, &self.mul(x, y)))
    }
}

/// A scalar below an algebra.
pub type ScalarOf<A> = <<A as Algebra>::Scalars as Scalars>::Element;

/// An element of an algebra.
pub type Element<A> = Vec<ScalarOf<A>>;

/// Solves `matrix x = right` by elimination; `None` if the matrix is singular modulo nilpotents
/// (or not certainly regular).
pub(super) fn solve<A: Algebra>(
    algebra: &A,
    mut matrix: Vec<Vec<Element<A>>>,
    mut right: Vec<Element<A>>,
) -> Option<Vec<Element<A>>> {
    let size = right.len();
    let regular = |element: &Element<A>| {
        element.first().map(|first| algebra.scalars().vanishing(first)) == Some(Vanishing::NonZero)
    };
    for column in 0..size {
        let pivot = (column..size).find(|&row| regular(&matrix[row][column]))?;
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let inverse = algebra.inverse(&matrix[column][column])?;
        for entry in &mut matrix[column][column + 1..] {
            *entry = algebra.mul(entry, &inverse);
        }
        right[column] = algebra.mul(&right[column], &inverse);
        let (above, below) = matrix.split_at_mut(column + 1);
        let pivot_row = &above[column];
        for (offset, row) in below.iter_mut().enumerate() {
            let factor = row[column].clone();
            if factor.iter().all(|x| algebra.scalars().is_exactly_zero(x)) {
                continue;
            }
            for (entry, pivot) in row[column + 1..].iter_mut().zip(&pivot_row[column + 1..]) {
                *entry = algebra.sub(entry, &algebra.mul(&factor, pivot));
            }
            let at = column + 1 + offset;
            right[at] = algebra.sub(&right[at], &algebra.mul(&factor, &right[column]));
        }
    }
    for column in (1..size).rev() {
        let (above, below) = right.split_at_mut(column);
        for (row, entry) in above.iter_mut().enumerate() {
            *entry = algebra.sub(entry, &algebra.mul(&matrix[row][column], &below[0]));
        }
    }
    Some(right)
}
