//! The fields problems are sampled over.

use std::fmt::Debug;

use isotrope_algebra::Rational;
use isotrope_algebra::modular::Random;

/// Whether an element is zero, as far as its field can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vanishing {
    /// It is zero (in a field of balls: a small ball around zero).
    Zero,
    /// It is not zero.
    NonZero,
    /// A ball that is too wide to say.
    Undecided,
}

/// A field: elements are plain data, the context knows how to compute with them.
pub trait Scalars {
    /// An element.
    type Element: Clone + Debug;

    /// Zero.
    fn zero(&self) -> Self::Element;

    /// One.
    fn one(&self) -> Self::Element;

    /// The image of a rational number; `None` if its denominator has no inverse.
    fn rational(&self, value: &Rational) -> Option<Self::Element>;

    /// `x + y`.
    fn add(&self, x: &Self::Element, y: &Self::Element) -> Self::Element;

    /// `x - y`.
    fn sub(&self, x: &Self::Element, y: &Self::Element) -> Self::Element;

    /// `-x`.
    fn neg(&self, x: &Self::Element) -> Self::Element {
        self.sub(&self.zero(), x)
    }

    /// `x y`.
    fn mul(&self, x: &Self::Element, y: &Self::Element) -> Self::Element;

    /// `1/x`, if `x` is certainly not zero.
    fn inverse(&self, x: &Self::Element) -> Option<Self::Element>;

    /// The sum of `x_i y_i` over `i` below `count`: the inner loop of everything here.
    fn sum_of_products<'a>(
        &self,
        count: usize,
        mut pair: impl FnMut(usize) -> (&'a Self::Element, &'a Self::Element),
    ) -> Self::Element
    where
        Self::Element: 'a,
    {
        (0..count).fold(self.zero(), |sum, i| {
            let (x, y) = pair(i);
            self.add(&sum, &self.mul(x, y))
        })
    }

    /// A random element: uniform over a prime field, a small dyadic number among balls.
    fn random(&self, random: &mut Random) -> Self::Element;

    /// Is it zero without doubt? Then a product with it may be left out.
    fn is_exactly_zero(&self, x: &Self::Element) -> bool;

    /// Is it zero?
    fn vanishing(&self, x: &Self::Element) -> Vanishing;
}
