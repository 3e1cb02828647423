//! Forms, vector fields, and Cartan's operations on them.

use isotrope_algebra::Budget;

use crate::graded::{
    Coefficients, Element, GradedAlgebra, GradedError, GradedField, Slot, de_rham,
};

/// A differential form, not necessarily of one degree.
#[derive(Debug, Clone, PartialEq)]
pub struct Form<V>(pub(super) Element<V>);

/// A vector field by its components, functions of the coordinates.
#[derive(Debug, Clone, PartialEq)]
pub struct Vector<V>(pub(super) Vec<Element<V>>);

impl<V> Form<V> {
    /// A function of the algebra of the chart as a form.
    pub fn from_element(element: Element<V>) -> Self {
        Self(element)
    }

    /// The function of `x` and `dx`.
    pub fn element(&self) -> &Element<V> {
        &self.0
    }

    /// Are there no terms? For expressions see [`GradedAlgebra::zero_test`].
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }
}

impl<V> Vector<V> {
    /// From components.
    pub fn new(components: Vec<Element<V>>) -> Self {
        Self(components)
    }

    /// The components.
    pub fn components(&self) -> &[Element<V>] {
        &self.0
    }
}

/// A chart: `n` coordinates with their differentials.
#[derive(Debug)]
pub struct Chart<C: Coefficients> {
    algebra: GradedAlgebra<C>,
    dimension: usize,
    d: GradedField<C::Value>,
}

impl<C: Coefficients> Chart<C> {
    /// A chart with these coordinates.
    pub fn new(names: &[String], coefficients: C, budget: Budget) -> Result<Self, GradedError> {
        let base = names.iter().map(|name| (name.clone(), 0));
        let fibre = names.iter().map(|name| (format!("d{name}"), 1));
        let mut algebra = GradedAlgebra::new(base.chain(fibre), coefficients, budget)?;
        let dimension = names.len();
        let pairs: Vec<_> = (0..dimension).map(|i| (i, dimension + i)).collect();
        let d = de_rham(&mut algebra, &pairs)?;
        Ok(Self { algebra, dimension, d })
    }

    /// The number of coordinates.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The algebra of functions of `x` and `dx`: coordinates `0..n` and `n..2n`.
    pub fn algebra(&mut self) -> &mut GradedAlgebra<C> {
        &mut self.algebra
    }

    pub(super) fn algebra_ref(&self) -> &GradedAlgebra<C> {
        &self.algebra
    }

    /// The exterior derivative as a vector field of degree 1.
    pub fn d_field(&self) -> &GradedField<C::Value> {
        &self.d
    }

    /// The coordinate `x^i` as a 0-form.
    pub fn coordinate(&mut self, i: usize) -> Result<Form<C::Value>, GradedError> {
        Ok(Form(self.algebra.coordinate(i)?))
    }

    /// The differential `dx^i`.
    pub fn differential(&mut self, i: usize) -> Result<Form<C::Value>, GradedError> {
        Ok(Form(self.algebra.coordinate(self.dimension + i)?))
    }

    /// The base coordinates as coefficients, where the coefficients hold them.
    pub(super) fn base_values(&mut self) -> Result<Vec<C::Value>, GradedError> {
        let mut values = Vec::new();
        for i in 0..self.dimension {
            if let Slot::Coefficient(place) = self.algebra.coordinates().slot(i)? {
                values.push(self.algebra.coefficients.base(place));
            }
        }
        Ok(values)
    }

    /// The sum.
    pub fn add(
        &mut self,
        a: &Form<C::Value>,
        b: &Form<C::Value>,
    ) -> Result<Form<C::Value>, GradedError> {
        Ok(Form(self.algebra.add(&a.0, &b.0)?))
    }

    /// The difference.
    pub fn subtract(
        &mut self,
        a: &Form<C::Value>,
        b: &Form<C::Value>,
    ) -> Result<Form<C::Value>, GradedError> {
        Ok(Form(self.algebra.sub(&a.0, &b.0)?))
    }

    /// The exterior product.
    pub fn wedge(
        &mut self,
        a: &Form<C::Value>,
        b: &Form<C::Value>,
    ) -> Result<Form<C::Value>, GradedError> {
        Ok(Form(self.algebra.multiply(&a.0, &b.0)?))
    }

    /// The exterior derivative.
    pub fn d(&mut self, form: &Form<C::Value>) -> Result<Form<C::Value>, GradedError> {
        Ok(Form(self.algebra.apply(&self.d, &form.0)?))
    }

    /// `i_v = v^i d/d(dx^i)` as a vector field of degree −1.
    pub fn contraction(&self, v: &Vector<C::Value>) -> Result<GradedField<C::Value>, GradedError> {
        let (found, needed) = (v.0.len(), self.dimension);
        if found != needed {
            return Err(GradedError::Shape { what: "a vector field", found, needed });
        }
        let zeros = vec![Element::zero(); needed];
        self.algebra.field(-1, zeros.into_iter().chain(v.0.iter().cloned()).collect())
    }

    /// The interior product `i_v`.
    pub fn interior(
        &mut self,
        v: &Vector<C::Value>,
        form: &Form<C::Value>,
    ) -> Result<Form<C::Value>, GradedError> {
        let contraction = self.contraction(v)?;
        Ok(Form(self.algebra.apply(&contraction, &form.0)?))
    }

    /// The Lie derivative `L_v = [i_v, d]` as a vector field of degree 0.
    pub fn lie_field(
        &mut self,
        v: &Vector<C::Value>,
    ) -> Result<GradedField<C::Value>, GradedError> {
        let contraction = self.contraction(v)?;
        self.algebra.commutator(&contraction, &self.d)
    }

    /// The Lie derivative of a form.
    pub fn lie_derivative(
        &mut self,
        v: &Vector<C::Value>,
        form: &Form<C::Value>,
    ) -> Result<Form<C::Value>, GradedError> {
        let derivation = self.lie_field(v)?;
        Ok(Form(self.algebra.apply(&derivation, &form.0)?))
    }

    /// The Lie bracket `[v, w]^i = v(w^i) - w(v^i)`.
    pub fn lie_bracket(
        &mut self,
        v: &Vector<C::Value>,
        w: &Vector<C::Value>,
    ) -> Result<Vector<C::Value>, GradedError> {
        let (along_v, along_w) = (self.lie_field(v)?, self.lie_field(w)?);
        let mut components = Vec::with_capacity(self.dimension);
        for (a, b) in v.0.iter().zip(&w.0) {
            let (forth, back) =
                (self.algebra.apply(&along_v, b)?, self.algebra.apply(&along_w, a)?);
            components.push(self.algebra.sub(&forth, &back)?);
        }
        Ok(Vector(components))
    }
}
