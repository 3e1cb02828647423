//! Pullback of forms along maps.

use super::{Chart, Form};
use crate::graded::{Coefficients, Coordinates, Element, GradedError};

impl<C: Coefficients> Chart<C> {
    /// The pullback of a form along the map from this chart that gives the coordinates of
    /// another one the values `images`: `dx^i` becomes `d(images^i)`.
    ///
    /// `target` are the coordinates of the other chart (with their differentials), `base` its
    /// coordinates of degree 0 as coefficients, empty for polynomials.
    pub fn pull_back(
        &mut self,
        form: &Form<C::Value>,
        target: &Coordinates,
        base: &[C::Value],
        images: &[Element<C::Value>],
    ) -> Result<Form<C::Value>, GradedError> {
        let mut all = images.to_vec();
        for image in images {
            all.push(self.d(&Form(image.clone()))?.0);
        }
        Ok(Form(self.algebra().pull_back(&form.0, target, base, &all)?))
    }

    /// The coordinates of this chart and those of degree 0 as coefficients: what
    /// [`Chart::pull_back`] to another chart needs to know.
    pub fn as_target(&mut self) -> Result<(Coordinates, Vec<C::Value>), GradedError> {
        let base = self.base_values()?;
        Ok((self.algebra_ref().coordinates().clone(), base))
    }
}
