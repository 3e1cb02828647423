//! Vector-valued forms and the Frölicher–Nijenhuis bracket.

use super::{Chart, Form};
use crate::graded::{Coefficients, Element, GradedError, GradedField};

/// A form with values in vector fields, `K = K^i ⊗ d/dx^i`, of one degree.
#[derive(Debug, Clone, PartialEq)]
pub struct VectorForm<V> {
    /// The forms `K^i`.
    pub components: Vec<Form<V>>,
    /// Their degree.
    pub degree: i32,
}

impl<C: Coefficients> Chart<C> {
    /// `i_K = K^i d/d(dx^i)`, a vector field of degree `k - 1`.
    pub fn contraction_with(
        &self,
        k: &VectorForm<C::Value>,
    ) -> Result<GradedField<C::Value>, GradedError> {
        let zeros = vec![Element::zero(); self.dimension()];
        let parts = zeros.into_iter().chain(k.components.iter().map(|form| form.0.clone()));
        self.field(k.degree - 1, parts.collect())
    }

    fn field(
        &self,
        degree: i32,
        components: Vec<Element<C::Value>>,
    ) -> Result<GradedField<C::Value>, GradedError> {
        self.algebra_ref().field(degree, components)
    }

    /// The Nijenhuis–Lie derivative `L_K = [i_K, d]`, of degree `k`.
    pub fn nijenhuis_lie_derivative(
        &mut self,
        k: &VectorForm<C::Value>,
    ) -> Result<GradedField<C::Value>, GradedError> {
        let contraction = self.contraction_with(k)?;
        let d = self.d_field().clone();
        self.algebra().commutator(&contraction, &d)
    }

    /// The Frölicher–Nijenhuis bracket, defined by `[L_K, L_M] = L_[K,M]`: since
    /// `L_K x^i = K^i`, its components are `L_K M^i - (-1)^{km} L_M K^i`.
    pub fn frolicher_nijenhuis(
        &mut self,
        k: &VectorForm<C::Value>,
        m: &VectorForm<C::Value>,
    ) -> Result<VectorForm<C::Value>, GradedError> {
        let (of_k, of_m) = (self.nijenhuis_lie_derivative(k)?, self.nijenhuis_lie_derivative(m)?);
        let minus = k.degree % 2 == 0 || m.degree % 2 == 0;
        let mut components = Vec::with_capacity(self.dimension());
        for (a, b) in k.components.iter().zip(&m.components) {
            let forth = self.algebra().apply(&of_k, &b.0)?;
            let back = self.algebra().apply(&of_m, &a.0)?;
            components.push(Form(self.algebra().combine(&[(&forth, false), (&back, minus)])?));
        }
        Ok(VectorForm { components, degree: k.degree + m.degree })
    }
}
