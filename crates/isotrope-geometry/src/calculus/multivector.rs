//! Multivectors and the Schouten–Nijenhuis bracket.

use super::{Chart, Form, Vector};
use crate::graded::{Coefficients, Element, GradedError};

/// A multivector field: a function of `x` and of odd variables that stand for `d/dx`.
#[derive(Debug, Clone, PartialEq)]
pub struct Multivector<V>(pub(super) Element<V>);

impl<V> Multivector<V> {
    /// A function of the algebra of the chart as a multivector.
    pub fn from_element(element: Element<V>) -> Self {
        Self(element)
    }

    /// The function.
    pub fn element(&self) -> &Element<V> {
        &self.0
    }

    /// Are there no terms?
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }
}

impl<C: Coefficients> Chart<C> {
    /// `d/dx^i` as a multivector.
    pub fn partial(&mut self, i: usize) -> Result<Multivector<C::Value>, GradedError> {
        Ok(Multivector(self.differential(i)?.0))
    }

    /// A vector field as a multivector.
    pub fn multivector(
        &mut self,
        v: &Vector<C::Value>,
    ) -> Result<Multivector<C::Value>, GradedError> {
        let mut sum = Element::zero();
        for (i, component) in v.0.iter().enumerate() {
            let basis = self.partial(i)?.0;
            let term = self.algebra().multiply(component, &basis)?;
            sum = self.algebra().add(&sum, &term)?;
        }
        Ok(Multivector(sum))
    }

    /// `D = 1/2 D^ij d_i ^ d_j` from an antisymmetric matrix.
    pub fn bivector(
        &mut self,
        matrix: &[Vec<Element<C::Value>>],
    ) -> Result<Multivector<C::Value>, GradedError> {
        Ok(Multivector(crate::graded::bivector_function(self.algebra(), matrix)?))
    }

    /// The exterior product of multivectors.
    pub fn wedge_multivectors(
        &mut self,
        a: &Multivector<C::Value>,
        b: &Multivector<C::Value>,
    ) -> Result<Multivector<C::Value>, GradedError> {
        Ok(Multivector(self.algebra().multiply(&a.0, &b.0)?))
    }

    /// The Schouten–Nijenhuis bracket.
    pub fn schouten(
        &mut self,
        a: &Multivector<C::Value>,
        b: &Multivector<C::Value>,
    ) -> Result<Multivector<C::Value>, GradedError> {
        let bracket = crate::graded::schouten_bracket(self.algebra())?;
        Ok(Multivector(self.algebra().bracket(&bracket, &a.0, &b.0)?))
    }

    /// The interior product with a multivector: `i_(v ^ w) = i_w i_v`, so that
    /// `i_(v ^ w) omega = omega(v, w)`.
    pub fn interior_multivector(
        &mut self,
        multivector: &Multivector<C::Value>,
        form: &Form<C::Value>,
    ) -> Result<Form<C::Value>, GradedError> {
        let mut sum = Element::zero();
        for (monomial, value) in multivector.0.terms() {
            let mut contracted = form.0.clone();
            for i in 0..self.dimension() {
                if monomial.odd >> i & 1 == 1 {
                    let place = self.dimension() + i;
                    contracted = self.algebra().left_derivative(&contracted, place)?;
                }
            }
            let mut even = self.algebra().coordinates().one();
            even.even = monomial.even.clone();
            let factor = self.algebra().from_terms([(even, value.clone())])?;
            let term = self.algebra().multiply(&factor, &contracted)?;
            sum = self.algebra().add(&sum, &term)?;
        }
        Ok(Form(sum))
    }
}
