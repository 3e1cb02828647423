//! The graded-commutative algebra of functions on a graded manifold.

use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, Rational};

use super::coordinates::{Monomial, Slot, koszul_sign};
use super::product::Accumulator;
use super::{Coefficients, Coordinates, GradedError};

/// A function: monomials in ascending order with their coefficients, none of which is zero at
/// first sight.
#[derive(Debug, Clone, PartialEq)]
pub struct Element<V> {
    pub(super) terms: Vec<(Monomial, V)>,
}

impl<V> Element<V> {
    /// Zero.
    pub fn zero() -> Self {
        Self { terms: Vec::new() }
    }

    /// The monomials with their coefficients, in ascending order.
    pub fn terms(&self) -> &[(Monomial, V)] {
        &self.terms
    }

    /// Are there no terms? For expressions the coefficients may be zero all the same: see
    /// [`GradedAlgebra::zero_test`].
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

/// Two factors, and whether their product has the opposite sign.
pub type SignedProduct<'e, V> = (&'e Element<V>, &'e Element<V>, bool);

/// The algebra of functions: coordinates, coefficients, and the budget of its computations.
#[derive(Debug)]
pub struct GradedAlgebra<C> {
    coordinates: Coordinates,
    /// The ring of coefficients.
    pub coefficients: C,
    /// What computations may still spend.
    pub budget: Budget,
}

impl<C: Coefficients> GradedAlgebra<C> {
    /// The algebra in coordinates with these names and degrees.
    pub fn new(
        list: impl IntoIterator<Item = (String, i32)>,
        coefficients: C,
        budget: Budget,
    ) -> Result<Self, GradedError> {
        let coordinates = Coordinates::new(list, C::HOLDS_BASE)?;
        Ok(Self { coordinates, coefficients, budget })
    }

    /// The coordinates.
    pub fn coordinates(&self) -> &Coordinates {
        &self.coordinates
    }

    /// A constant.
    pub fn number(&mut self, value: &Rational) -> Element<C::Value> {
        if value.is_zero() {
            return Element::zero();
        }
        let value = self.coefficients.number(value);
        self.scalar(value)
    }

    /// A constant integer.
    pub fn integer(&mut self, value: i64) -> Element<C::Value> {
        self.number(&Rational::integer(value))
    }

    /// A coefficient as a function.
    pub fn scalar(&self, value: C::Value) -> Element<C::Value> {
        Element { terms: vec![(self.coordinates.one(), value)] }
    }

    /// A coordinate as a function.
    pub fn coordinate(&mut self, index: usize) -> Result<Element<C::Value>, GradedError> {
        let mut monomial = self.coordinates.one();
        let mut value = self.coefficients.number(&Rational::ONE);
        match self.coordinates.slot(index)? {
            Slot::Odd(bit) => monomial.odd = 1 << bit,
            Slot::Even(field) => {
                monomial.even = monomial.even.with(field, 1).ok_or(GradedError::Exponent)?;
            }
            Slot::Coefficient(place) => value = self.coefficients.base(place),
        }
        Ok(Element { terms: vec![(monomial, value)] })
    }

    /// The sum of terms in any order.
    pub fn from_terms(
        &mut self,
        terms: impl IntoIterator<Item = (Monomial, C::Value)>,
    ) -> Result<Element<C::Value>, GradedError> {
        let mut sum = Accumulator::new();
        for (monomial, value) in terms {
            sum.add_term(&mut self.coefficients, monomial, &value, false, &mut self.budget)?;
        }
        sum.finish(&mut self.coefficients, &mut self.budget)
    }

    /// The sum.
    pub fn add(
        &mut self,
        f: &Element<C::Value>,
        g: &Element<C::Value>,
    ) -> Result<Element<C::Value>, GradedError> {
        self.combine(&[(f, false), (g, false)])
    }

    /// The difference.
    pub fn sub(
        &mut self,
        f: &Element<C::Value>,
        g: &Element<C::Value>,
    ) -> Result<Element<C::Value>, GradedError> {
        self.combine(&[(f, false), (g, true)])
    }

    /// A sum of functions, those marked with the opposite sign.
    pub fn combine(
        &mut self,
        parts: &[(&Element<C::Value>, bool)],
    ) -> Result<Element<C::Value>, GradedError> {
        let mut sum = Accumulator::new();
        for (part, negative) in parts {
            for (monomial, value) in &part.terms {
                let monomial = monomial.clone();
                sum.add_term(&mut self.coefficients, monomial, value, *negative, &mut self.budget)?;
            }
        }
        sum.finish(&mut self.coefficients, &mut self.budget)
    }

    /// The product with a number.
    pub fn scale(&mut self, f: &Element<C::Value>, factor: &Rational) -> Element<C::Value> {
        if factor.is_zero() {
            return Element::zero();
        }
        let terms = f.terms.iter();
        Element {
            terms: terms.map(|(m, c)| (m.clone(), self.coefficients.scale(c, factor))).collect(),
        }
    }

    /// The opposite.
    pub fn negate(&mut self, f: &Element<C::Value>) -> Element<C::Value> {
        self.scale(f, &Rational::integer(-1))
    }

    /// The product, with Koszul's signs.
    pub fn multiply(
        &mut self,
        f: &Element<C::Value>,
        g: &Element<C::Value>,
    ) -> Result<Element<C::Value>, GradedError> {
        self.products(&[(f, g, false)])
    }

    /// A sum of products, those marked with the opposite sign.
    pub fn products(
        &mut self,
        pairs: &[SignedProduct<'_, C::Value>],
    ) -> Result<Element<C::Value>, GradedError> {
        let mut sum = Accumulator::new();
        for (f, g, negative) in pairs {
            sum.add_product(&mut self.coefficients, f, g, *negative, &mut self.budget)?;
        }
        sum.finish(&mut self.coefficients, &mut self.budget)
    }

    /// The derivative along a coordinate from the left: it passes what stands before it.
    pub fn left_derivative(
        &mut self,
        f: &Element<C::Value>,
        coordinate: usize,
    ) -> Result<Element<C::Value>, GradedError> {
        self.derivative(f, coordinate, |odd, bit| odd & ((1 << bit) - 1))
    }

    /// The derivative along a coordinate from the right: it passes what stands behind it.
    pub fn right_derivative(
        &mut self,
        f: &Element<C::Value>,
        coordinate: usize,
    ) -> Result<Element<C::Value>, GradedError> {
        self.derivative(f, coordinate, |odd, bit| (odd >> bit) >> 1)
    }

    fn derivative(
        &mut self,
        f: &Element<C::Value>,
        coordinate: usize,
        passed: impl Fn(u128, usize) -> u128,
    ) -> Result<Element<C::Value>, GradedError> {
        self.budget.spend(f.terms.len() as u64, "differentiating a graded function")?;
        let mut terms = Vec::new();
        match self.coordinates.slot(coordinate)? {
            Slot::Odd(bit) => {
                for (monomial, value) in &f.terms {
                    if monomial.odd >> bit & 1 == 0 {
                        continue;
                    }
                    let negative = passed(monomial.odd, bit).count_ones() & 1 == 1;
                    let rest =
                        Monomial { odd: monomial.odd & !(1 << bit), even: monomial.even.clone() };
                    let sign = Rational::integer(if negative { -1 } else { 1 });
                    terms.push((rest, self.coefficients.scale(value, &sign)));
                }
            }
            Slot::Even(field) => {
                for (monomial, value) in &f.terms {
                    let exponent = monomial.even.get(field);
                    let Some(even) =
                        exponent.checked_sub(1).and_then(|less| monomial.even.with(field, less))
                    else {
                        continue;
                    };
                    let factor = Rational::integer(exponent.into());
                    let rest = Monomial { odd: monomial.odd, even };
                    terms.push((rest, self.coefficients.scale(value, &factor)));
                }
            }
            Slot::Coefficient(place) => {
                for (monomial, value) in &f.terms {
                    let slope = self.coefficients.derivative(value, place, &mut self.budget)?;
                    terms.extend(slope.map(|slope| (monomial.clone(), slope)));
                }
            }
        }
        // Taking the same factor out of every monomial keeps them different and in order.
        Ok(Element { terms })
    }

    /// The degree of a homogeneous function; `None` for zero.
    pub fn degree(&self, f: &Element<C::Value>) -> Result<Option<i32>, GradedError> {
        let mut degrees = f.terms.iter().map(|(monomial, _)| self.coordinates.degree_of(monomial));
        let Some(first) = degrees.next() else { return Ok(None) };
        match degrees.find(|degree| *degree != first) {
            Some(second) => Err(GradedError::MixedDegrees { first, second }),
            None => Ok(Some(first)),
        }
    }

    /// Is it identically zero?
    pub fn zero_test(&mut self, f: &Element<C::Value>) -> Zero {
        let mut answer = Zero::Yes;
        for (_, value) in &f.terms {
            answer = answer.and(self.coefficients.zero(value, &mut self.budget));
            if answer == Zero::No {
                break;
            }
        }
        answer
    }

    /// The same function without the coefficients that are proved to be zero.
    pub fn without_zeros(&mut self, f: &Element<C::Value>) -> Element<C::Value> {
        let mut terms = Vec::with_capacity(f.terms.len());
        for (monomial, value) in &f.terms {
            if self.coefficients.zero(value, &mut self.budget) != Zero::Yes {
                terms.push((monomial.clone(), value.clone()));
            }
        }
        Element { terms }
    }

    /// The image of a function on another graded manifold under the map that gives its
    /// coordinates the values `images`, functions here. The map must preserve degrees.
    ///
    /// `source` are the other coordinates, `base` those of degree 0 as coefficients.
    pub fn pull_back(
        &mut self,
        f: &Element<C::Value>,
        source: &Coordinates,
        base: &[C::Value],
        images: &[Element<C::Value>],
    ) -> Result<Element<C::Value>, GradedError> {
        if images.len() != source.len() {
            let (found, needed) = (images.len(), source.len());
            return Err(GradedError::Shape { what: "the map", found, needed });
        }
        let values = self.images_in_coefficients(source, images)?;
        let mut sum = Element::zero();
        for (monomial, value) in &f.terms {
            let value = self.coefficients.substitute(value, base, &values, &mut self.budget)?;
            let Some(value) = value else {
                return Err(isotrope_algebra::linear::LinearError::Undefined.into());
            };
            let mut term = self.scalar(value);
            for (field, &index) in source.even().iter().enumerate() {
                for _ in 0..monomial.even.get(field) {
                    term = self.multiply(&term, &images[index])?;
                }
            }
            for (bit, &index) in source.odd().iter().enumerate() {
                if monomial.odd >> bit & 1 == 1 {
                    term = self.multiply(&term, &images[index])?;
                }
            }
            sum = self.add(&sum, &term)?;
        }
        Ok(sum)
    }

    fn images_in_coefficients(
        &mut self,
        source: &Coordinates,
        images: &[Element<C::Value>],
    ) -> Result<Vec<C::Value>, GradedError> {
        let mut values = Vec::new();
        for (index, image) in images.iter().enumerate() {
            if !matches!(source.slot(index)?, Slot::Coefficient(_)) {
                continue;
            }
            values.push(match image.terms.as_slice() {
                [] => self.coefficients.number(&Rational::ZERO),
                [(monomial, value)] if *monomial == self.coordinates.one() => value.clone(),
                _ => {
                    let coordinate = source.name(index).to_owned();
                    let found = self.degree(image)?.unwrap_or(0);
                    return Err(GradedError::Inhomogeneous {
                        coordinate,
                        field: 0,
                        needed: 0,
                        found,
                    });
                }
            });
        }
        Ok(values)
    }
}

impl Coordinates {
    /// The product of two monomials and whether it has the opposite sign; `Ok(None)` if it is zero.
    pub fn product(
        &self,
        left: &Monomial,
        right: &Monomial,
    ) -> Result<Option<(Monomial, bool)>, GradedError> {
        let Some(negative) = koszul_sign(left.odd, right.odd) else { return Ok(None) };
        let even = left.even.times(&right.even).ok_or(GradedError::Exponent)?;
        Ok(Some((Monomial { odd: left.odd | right.odd, even }, negative)))
    }
}
