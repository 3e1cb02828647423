//! Nyström methods for q'' = f(q) as tables of positions and velocities.

use isotrope_algebra::Rational;
use isotrope_algebra::number::field::{FieldElement, NumberField};

use super::Coefficients;

/// Q_i = q + h c_i v + h² Σ Â_ij F_j, q₊ = q + h v + h² Σ β_j F_j, v₊ = v + h Σ bbar_j F_j.
pub(super) struct Nystrom {
    pub c: Vec<FieldElement>,
    pub ahat: Vec<Vec<FieldElement>>,
    pub beta: Vec<FieldElement>,
    pub bbar: Vec<FieldElement>,
    pub btil: Vec<FieldElement>,
}

impl Nystrom {
    /// The table with the same steps wherever f does not depend on v: a stage more, with V_0 = v and no force that is used,
    /// and V_j = v + h F_j, so that Σ_j Â_ij V_j and (c_i − Σ_j Â_ij) V_0 make up Q_i.
    pub fn coefficients(self, field: &NumberField) -> Coefficients<FieldElement> {
        let rest = |whole: &FieldElement, parts: &[FieldElement]| {
            parts.iter().fold(whole.clone(), |rest, part| field.sub(&rest, part))
        };
        let before = |first: FieldElement, others: Vec<FieldElement>| {
            std::iter::once(first).chain(others).collect::<Vec<_>>()
        };
        let (zero, one) = (field.rational(Rational::ZERO), field.rational(Rational::ONE));
        let stages = self.beta.len();
        let unused = vec![zero.clone(); stages + 1];
        let mut a = vec![unused.clone()];
        let mut abar = vec![unused];
        for (i, (node, row)) in self.c.iter().zip(self.ahat).enumerate() {
            a.push(before(rest(node, &row), row));
            let velocity = (0..stages).map(|j| if i == j { one.clone() } else { zero.clone() });
            abar.push(before(zero.clone(), velocity.collect()));
        }
        Coefficients {
            a,
            abar,
            b: before(rest(&one, &self.beta), self.beta),
            bbar: before(zero.clone(), self.bbar),
            btil: before(zero, self.btil),
        }
    }
}
