//! From a homological vector field back to anchor and bracket.

use super::LieAlgebroid;
use crate::graded::{Coefficients, Element, GradedAlgebra, GradedError, GradedField};

/// The contraction `i_a = d/dxi^a` with an element of the frame, or with any combination of
/// them: `values` are its components along `fibre`, functions of degree 0.
pub fn contraction<C: Coefficients>(
    algebra: &GradedAlgebra<C>,
    fibre: &[usize],
    values: &[Element<C::Value>],
) -> Result<GradedField<C::Value>, GradedError> {
    let mut components = vec![Element::zero(); algebra.coordinates().len()];
    for (&index, value) in fibre.iter().zip(values) {
        let place = components.get_mut(index).ok_or(GradedError::NoCoordinate { index })?;
        *place = value.clone();
    }
    algebra.field(-1, components)
}

/// The Lie algebroid of a field of degree 1 on coordinates of degrees 0 and 1: the anchor is
/// `[Q, i_a]` on functions, the bracket `[[Q, i_a], i_b] = i_[a,b]`. They satisfy the axioms of a
/// Lie algebroid exactly if `Q^2 = 0`.
pub fn anchor_and_bracket<C: Coefficients>(
    algebra: &mut GradedAlgebra<C>,
    q: &GradedField<C::Value>,
) -> Result<LieAlgebroid<C::Value>, GradedError> {
    let degrees = algebra.coordinates().degrees().to_vec();
    if let Some(index) = degrees.iter().position(|degree| !(0..=1).contains(degree)) {
        return Err(GradedError::Inhomogeneous {
            coordinate: algebra.coordinates().name(index).to_owned(),
            field: 0,
            needed: 1,
            found: degrees[index],
        });
    }
    let of_degree = |wanted: i32| -> Vec<usize> {
        (0..degrees.len()).filter(|&index| degrees[index] == wanted).collect()
    };
    let (base, fibre) = (of_degree(0), of_degree(1));
    let one = algebra.integer(1);
    let mut frame = Vec::with_capacity(fibre.len());
    for &index in &fibre {
        frame.push(contraction(algebra, &[index], std::slice::from_ref(&one))?);
    }
    let (mut anchor, mut bracket) = (Vec::new(), Vec::new());
    for first in &frame {
        let derivation = algebra.commutator(q, first)?;
        anchor.push(base.iter().map(|&x| derivation.components()[x].clone()).collect());
        let mut rows = Vec::with_capacity(fibre.len());
        for second in &frame {
            let both = algebra.commutator(&derivation, second)?;
            rows.push(fibre.iter().map(|&c| both.components()[c].clone()).collect());
        }
        bracket.push(rows);
    }
    Ok(LieAlgebroid { base, fibre, anchor, bracket })
}
