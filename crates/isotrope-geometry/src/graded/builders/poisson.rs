//! Multivectors as functions on the shifted cotangent bundle.

use isotrope_algebra::Budget;

use crate::graded::{
    Coefficients, DarbouxBracket, Element, GradedAlgebra, GradedError, GradedField,
};

/// The functions on `T*[1]M`: the base coordinates `x^i` (degree 0), then their momenta `p_i`
/// (degree 1), which stand for `d/dx^i`.
pub fn shifted_cotangent<C: Coefficients>(
    base: &[String],
    momenta: &[String],
    coefficients: C,
    budget: Budget,
) -> Result<GradedAlgebra<C>, GradedError> {
    let (found, needed) = (momenta.len(), base.len());
    if found != needed {
        return Err(GradedError::Shape { what: "the list of momenta", found, needed });
    }
    let x = base.iter().map(|name| (name.clone(), 0));
    let p = momenta.iter().map(|name| (name.clone(), 1));
    GradedAlgebra::new(x.chain(p), coefficients, budget)
}

/// The Schouten–Nijenhuis bracket on `T*[1]M` as laid out by [`shifted_cotangent`]: of degree
/// −1, with `{V,W} = [v,w]` and `{V,f} = v(f)`.
pub fn schouten_bracket<C: Coefficients>(
    algebra: &GradedAlgebra<C>,
) -> Result<DarbouxBracket, GradedError> {
    let dimension = algebra.coordinates().len() / 2;
    algebra.darboux(1, (0..dimension).map(|i| (i, dimension + i)).collect())
}

/// `D = 1/2 D^ij p_i p_j` from its matrix, `sharp(a)^i = D^ij a_j`.
pub fn bivector_function<C: Coefficients>(
    algebra: &mut GradedAlgebra<C>,
    matrix: &[Vec<Element<C::Value>>],
) -> Result<Element<C::Value>, GradedError> {
    let n = algebra.coordinates().len() / 2;
    let mut sum = Element::zero();
    for (i, row) in matrix.iter().enumerate() {
        if row.len() != n || matrix.len() != n {
            let found = row.len().min(matrix.len());
            return Err(GradedError::Shape { what: "the bivector", found, needed: n });
        }
        for (j, value) in row.iter().enumerate().skip(i) {
            if !algebra.add(value, &matrix[j][i])?.is_empty() {
                let (first, second) = (i + 1, j + 1);
                return Err(GradedError::NotAntisymmetric { what: "the bivector", first, second });
            }
            if i < j && !value.is_empty() {
                let (first, second) = (algebra.coordinate(n + i)?, algebra.coordinate(n + j)?);
                let pair = algebra.multiply(&first, &second)?;
                let term = algebra.multiply(value, &pair)?;
                sum = algebra.add(&sum, &term)?;
            }
        }
    }
    Ok(sum)
}

/// `Q_D = -{D, .} = D^ij p_j d/dx^i + 1/2 d_k D^ij p_i p_j d/dp_k`; `Q_D^2 = X_{{D,D}/2}`.
pub fn poisson_field<C: Coefficients>(
    algebra: &mut GradedAlgebra<C>,
    bivector: &Element<C::Value>,
) -> Result<GradedField<C::Value>, GradedError> {
    let bracket = schouten_bracket(algebra)?;
    let opposite = algebra.negate(bivector);
    let field = algebra.hamiltonian_field(&bracket, &opposite)?;
    // The zero bivector leaves the degree open.
    algebra.field(1, field.components().to_vec())
}
