//! De Rham, Chevalley–Eilenberg and Lie algebroid differentials.

use isotrope_algebra::Rational;

use crate::graded::{Coefficients, Element, GradedAlgebra, GradedError, GradedField};

/// The data of a Lie algebroid in a frame `e_a`: `rho(e_a) = rho_a^i d/dx^i` and
/// `[e_a, e_b] = c_ab^c e_c`. Functions are those of the algebra they are used with.
#[derive(Debug, Clone, PartialEq)]
pub struct LieAlgebroid<V> {
    /// The base coordinates `x^i`, numbers of coordinates of degree 0.
    pub base: Vec<usize>,
    /// The fibre coordinates, of degree 1.
    pub fibre: Vec<usize>,
    /// `anchor[a][i]`.
    pub anchor: Vec<Vec<Element<V>>>,
    /// `bracket[a][b][c]`, antisymmetric in `a` and `b`.
    pub bracket: Vec<Vec<Vec<Element<V>>>>,
}

/// `d = dx^i d/dx^i` on the shifted tangent bundle, for pairs of numbers of coordinates
/// `(x^i, dx^i)`.
pub fn de_rham<C: Coefficients>(
    algebra: &mut GradedAlgebra<C>,
    pairs: &[(usize, usize)],
) -> Result<GradedField<C::Value>, GradedError> {
    let mut components = vec![Element::zero(); algebra.coordinates().len()];
    for &(x, dx) in pairs {
        let place = components.get_mut(x).ok_or(GradedError::NoCoordinate { index: x })?;
        *place = algebra.coordinate(dx)?;
    }
    algebra.field(1, components)
}

/// `Q = -1/2 c_ij^k xi^i xi^j d/dxi^k` on the shifted Lie algebra; all coordinates of the
/// algebra belong to it. `constants[i][j][k]` is `c_ij^k`, antisymmetric in `i` and `j`.
///
/// `Q^2 = 0` exactly if the constants satisfy the Jacobi identity.
pub fn chevalley_eilenberg<C: Coefficients>(
    algebra: &mut GradedAlgebra<C>,
    constants: &[Vec<Vec<Rational>>],
) -> Result<GradedField<C::Value>, GradedError> {
    let size = algebra.coordinates().len();
    let mut bracket = Vec::with_capacity(size);
    for rows in constants {
        let mut list = Vec::with_capacity(size);
        for row in rows {
            list.push(row.iter().map(|value| algebra.number(value)).collect());
        }
        bracket.push(list);
    }
    let fibre = (0..size).collect();
    let anchor = vec![Vec::new(); size];
    lie_algebroid(algebra, &LieAlgebroid { base: Vec::new(), fibre, anchor, bracket })
}

/// `Q = rho_a^i xi^a d/dx^i - 1/2 c_ab^c xi^a xi^b d/dxi^c`.
pub fn lie_algebroid<C: Coefficients>(
    algebra: &mut GradedAlgebra<C>,
    data: &LieAlgebroid<C::Value>,
) -> Result<GradedField<C::Value>, GradedError> {
    let rank = data.fibre.len();
    let shape = |what: &'static str, found: usize, needed: usize| {
        if found == needed { Ok(()) } else { Err(GradedError::Shape { what, found, needed }) }
    };
    shape("the anchor", data.anchor.len(), rank)?;
    shape("the bracket", data.bracket.len(), rank)?;
    let mut fibre = Vec::with_capacity(rank);
    for &index in &data.fibre {
        fibre.push(algebra.coordinate(index)?);
    }
    let mut components = vec![Element::zero(); algebra.coordinates().len()];
    for (a, row) in data.anchor.iter().enumerate() {
        shape("a row of the anchor", row.len(), data.base.len())?;
        for (value, &x) in row.iter().zip(&data.base) {
            let term = algebra.multiply(value, &fibre[a])?;
            components[x] = algebra.add(&components[x], &term)?;
        }
    }
    for (a, rows) in data.bracket.iter().enumerate() {
        shape("the bracket", rows.len(), rank)?;
        for (b, row) in rows.iter().enumerate() {
            shape("a row of the bracket", row.len(), rank)?;
            for (c, value) in row.iter().enumerate() {
                let opposite = data.bracket.get(b).and_then(|rows| rows.get(a)?.get(c));
                let opposite = opposite.cloned().unwrap_or(Element { terms: Vec::new() });
                if !algebra.add(value, &opposite)?.is_empty() {
                    return Err(GradedError::NotAntisymmetric {
                        what: "the bracket",
                        first: a + 1,
                        second: b + 1,
                    });
                }
                if a < b && !value.is_empty() {
                    let pair = algebra.multiply(&fibre[a], &fibre[b])?;
                    let term = algebra.multiply(value, &pair)?;
                    let place = data.fibre[c];
                    components[place] = algebra.sub(&components[place], &term)?;
                }
            }
        }
    }
    algebra.field(1, components)
}
