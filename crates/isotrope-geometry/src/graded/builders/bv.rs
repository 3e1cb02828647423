//! The Batalin–Vilkovisky action of a gauge theory with a Lie algebra of symmetries.

use isotrope_algebra::Rational;

use crate::graded::{Coefficients, DarbouxBracket, Element, GradedAlgebra, GradedError};

/// An action with symmetries `R_i = R_i^a d/dphi^a` that close: `[R_i, R_j] = c_ij^k R_k`.
#[derive(Debug, Clone, PartialEq)]
pub struct GaugeTheory<V> {
    /// The action `S_0`, a function of the fields.
    pub action: Element<V>,
    /// `symmetries[i][a]`, functions of the fields.
    pub symmetries: Vec<Vec<Element<V>>>,
    /// `constants[i][j][k]` is `c_ij^k`.
    pub constants: Vec<Vec<Vec<Rational>>>,
}

/// Fields `phi` (degree 0), ghosts `c` (1), antifields `phi*` (−1), antighosts `c*` (−2), in
/// this order.
pub fn bv_coordinates(fields: &[String], ghosts: &[String]) -> Vec<(String, i32)> {
    let mut list: Vec<(String, i32)> = fields.iter().map(|name| (name.clone(), 0)).collect();
    list.extend(ghosts.iter().map(|name| (name.clone(), 1)));
    list.extend(fields.iter().map(|name| (format!("{name}_star"), -1)));
    list.extend(ghosts.iter().map(|name| (format!("{name}_star"), -2)));
    list
}

/// `S = S_0 + c^i R_i^a phi*_a - 1/2 c_ij^k c^i c^j c*_k` for an algebra in the
/// [`bv_coordinates`], and the bracket of degree 1. The master equation `{S,S} = 0` holds
/// exactly if the `R_i` close with these constants, satisfy the Jacobi identity and preserve
/// `S_0`.
pub fn bv_action<C: Coefficients>(
    algebra: &mut GradedAlgebra<C>,
    theory: &GaugeTheory<C::Value>,
) -> Result<(DarbouxBracket, Element<C::Value>), GradedError> {
    let ghosts = theory.symmetries.len();
    let fields = (algebra.coordinates().len() / 2).saturating_sub(ghosts);
    let of_fields = (0..fields).map(|a| (a, fields + ghosts + a));
    let of_ghosts = (0..ghosts).map(|i| (fields + i, 2 * fields + ghosts + i));
    let bracket = algebra.darboux(-1, of_fields.chain(of_ghosts).collect())?;
    let mut sum = theory.action.clone();
    for (i, row) in theory.symmetries.iter().enumerate() {
        let ghost = algebra.coordinate(fields + i)?;
        for (a, value) in row.iter().enumerate().take(fields) {
            let antifield = algebra.coordinate(fields + ghosts + a)?;
            let term = algebra.multiply(value, &ghost)?;
            let term = algebra.multiply(&term, &antifield)?;
            sum = algebra.add(&sum, &term)?;
        }
    }
    for (i, rows) in theory.constants.iter().enumerate().take(ghosts) {
        for (j, row) in rows.iter().enumerate().take(ghosts).skip(i + 1) {
            for (k, value) in row.iter().enumerate().take(ghosts) {
                let first = algebra.coordinate(fields + i)?;
                let second = algebra.coordinate(fields + j)?;
                let antighost = algebra.coordinate(2 * fields + ghosts + k)?;
                let pair = algebra.multiply(&first, &second)?;
                let term = algebra.multiply(&pair, &antighost)?;
                let term = algebra.scale(&term, value);
                sum = algebra.sub(&sum, &term)?;
            }
        }
    }
    Ok((bracket, sum))
}
