//! Graded vector fields.

use isotrope_algebra::normal::Zero;

use super::{Coefficients, Element, GradedAlgebra, GradedError};

/// A homogeneous vector field `X = X^c d/dc`, components on the left of left derivatives.
///
/// Homogeneity is checked at construction; the degree of the zero field is a matter of choice
/// and kept as given.
#[derive(Debug, Clone, PartialEq)]
pub struct GradedField<V> {
    components: Vec<Element<V>>,
    degree: i32,
}

impl<V> GradedField<V> {
    /// One component per coordinate.
    pub fn components(&self) -> &[Element<V>] {
        &self.components
    }

    /// The degree: that of every component less that of its coordinate.
    pub fn degree(&self) -> i32 {
        self.degree
    }
}

impl<C: Coefficients> GradedAlgebra<C> {
    /// A vector field of the given degree; every term of every component must fit.
    pub fn field(
        &self,
        degree: i32,
        components: Vec<Element<C::Value>>,
    ) -> Result<GradedField<C::Value>, GradedError> {
        let (found, needed) = (components.len(), self.coordinates().len());
        if found != needed {
            return Err(GradedError::Shape { what: "a vector field", found, needed });
        }
        for (index, component) in components.iter().enumerate() {
            let needed = degree + self.coordinates().degree(index)?;
            for (monomial, _) in component.terms() {
                let found = self.coordinates().degree_of(monomial);
                if found != needed {
                    let coordinate = self.coordinates().name(index).to_owned();
                    return Err(GradedError::Inhomogeneous {
                        coordinate,
                        field: degree,
                        needed,
                        found,
                    });
                }
            }
        }
        Ok(GradedField { components, degree })
    }

    /// The zero field with the given degree.
    pub fn zero_field(&self, degree: i32) -> GradedField<C::Value> {
        let zero = || Element { terms: Vec::new() };
        GradedField {
            components: self.coordinates().names().iter().map(|_| zero()).collect(),
            degree,
        }
    }

    /// `X(f) = X^c df/dc`.
    pub fn apply(
        &mut self,
        field: &GradedField<C::Value>,
        f: &Element<C::Value>,
    ) -> Result<Element<C::Value>, GradedError> {
        let mut slopes = Vec::new();
        for (index, component) in field.components.iter().enumerate() {
            if !component.is_empty() {
                slopes.push((component, self.left_derivative(f, index)?));
            }
        }
        let products: Vec<_> =
            slopes.iter().map(|(component, slope)| (*component, slope, false)).collect();
        self.products(&products)
    }

    /// The graded commutator `[X,Y] = XY - (-1)^{|X||Y|} YX`.
    pub fn commutator(
        &mut self,
        x: &GradedField<C::Value>,
        y: &GradedField<C::Value>,
    ) -> Result<GradedField<C::Value>, GradedError> {
        // Both odd: XY + YX.
        let minus = x.degree % 2 == 0 || y.degree % 2 == 0;
        let mut components = Vec::with_capacity(x.components.len());
        for (of_x, of_y) in x.components.iter().zip(&y.components) {
            let forth = self.apply(x, of_y)?;
            let back = self.apply(y, of_x)?;
            components.push(self.combine(&[(&forth, false), (&back, minus)])?);
        }
        self.field(x.degree + y.degree, components)
    }

    /// The square of an odd field, `Q^2 = [Q,Q]/2`, by its values on the coordinates: it is a
    /// derivation.
    pub fn square(
        &mut self,
        q: &GradedField<C::Value>,
    ) -> Result<GradedField<C::Value>, GradedError> {
        let mut components = Vec::with_capacity(q.components.len());
        for component in &q.components {
            components.push(self.apply(q, component)?);
        }
        self.field(2 * q.degree, components)
    }

    /// Is a field identically zero?
    pub fn field_zero_test(&mut self, field: &GradedField<C::Value>) -> Zero {
        let mut answer = Zero::Yes;
        for component in &field.components {
            answer = answer.and(self.zero_test(component));
        }
        answer
    }

    /// The sum of two fields of the same degree.
    pub fn add_fields(
        &mut self,
        x: &GradedField<C::Value>,
        y: &GradedField<C::Value>,
    ) -> Result<GradedField<C::Value>, GradedError> {
        let mut components = Vec::with_capacity(x.components.len());
        for (a, b) in x.components.iter().zip(&y.components) {
            components.push(self.add(a, b)?);
        }
        self.field(x.degree, components)
    }
}
