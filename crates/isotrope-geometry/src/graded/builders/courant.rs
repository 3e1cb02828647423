//! The standard Courant algebroid on `T*[2]T[1]M`, perhaps twisted by a 3-form.

use crate::graded::{Coefficients, DarbouxBracket, Element, GradedAlgebra, GradedError};

/// The coordinates of `T*[2]T[1]M` over `n` base coordinates: `x^i` (0), `psi^i = dx^i` (1),
/// `chi_i` for `d/dx^i` (1), `p_i` (2), in this order.
pub fn courant_coordinates(base: &[String]) -> Vec<(String, i32)> {
    let named = |prefix: &'static str, degree| {
        base.iter().map(move |name| (format!("{prefix}{name}"), degree))
    };
    let mut list: Vec<(String, i32)> = base.iter().map(|name| (name.clone(), 0)).collect();
    list.extend(named("d", 1));
    list.extend(named("e_", 1));
    list.extend(named("p_", 2));
    list
}

/// The bracket of degree −2 with its pairs `(x, p)` and `(psi, chi)`, and `Theta_H`.
#[derive(Debug, Clone, PartialEq)]
pub struct Courant<V> {
    /// The bracket: on sections `v^i chi_i + a_i psi^i` it is their pairing.
    pub bracket: DarbouxBracket,
    /// `Theta_H = psi^i p_i + H`; `{Theta_H, Theta_H} = 2 dH`.
    pub theta: Element<V>,
    dimension: usize,
}

impl<V: Clone> Courant<V> {
    /// For an algebra in the [`courant_coordinates`]; `twist` is the 3-form `H`, a cubic function
    /// of the `psi`.
    pub fn new<C: Coefficients<Value = V>>(
        algebra: &mut GradedAlgebra<C>,
        twist: &Element<V>,
    ) -> Result<Self, GradedError> {
        let n = algebra.coordinates().len() / 4;
        let pairs = (0..n).map(|i| (i, 3 * n + i)).chain((0..n).map(|i| (n + i, 2 * n + i)));
        let bracket = algebra.darboux(2, pairs.collect())?;
        if let Some(found) = algebra.degree(twist)?.filter(|degree| *degree != 3) {
            return Err(GradedError::MixedDegrees { first: 3, second: found });
        }
        let mut theta = twist.clone();
        for i in 0..n {
            let (psi, p) = (algebra.coordinate(n + i)?, algebra.coordinate(3 * n + i)?);
            let term = algebra.multiply(&psi, &p)?;
            theta = algebra.add(&theta, &term)?;
        }
        Ok(Self { bracket, theta, dimension: n })
    }

    /// The section `v + a` as the function `v^i chi_i + a_i psi^i`.
    pub fn section<C: Coefficients<Value = V>>(
        &self,
        algebra: &mut GradedAlgebra<C>,
        vector: &[Element<V>],
        covector: &[Element<V>],
    ) -> Result<Element<V>, GradedError> {
        let n = self.dimension;
        let mut sum = Element::zero();
        for (start, list) in [(2 * n, vector), (n, covector)] {
            for (i, value) in list.iter().enumerate().take(n) {
                let basis = algebra.coordinate(start + i)?;
                let term = algebra.multiply(value, &basis)?;
                sum = algebra.add(&sum, &term)?;
            }
        }
        Ok(sum)
    }

    /// The Dorfman bracket `{{e, Theta_H}, f}` of two sections.
    pub fn dorfman<C: Coefficients<Value = V>>(
        &self,
        algebra: &mut GradedAlgebra<C>,
        e: &Element<V>,
        f: &Element<V>,
    ) -> Result<Element<V>, GradedError> {
        algebra.derived_bracket(&self.bracket, &self.theta, e, f)
    }
}
