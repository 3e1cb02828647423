//! The algebra of stage vectors.

use isotrope_algebra::Rational;
use isotrope_algebra::number::field::FieldElement;

use super::{StageProduct, Table};

impl Table {
    /// The stage vector of ones.
    pub fn unit(&self) -> Vec<FieldElement> {
        match self.product {
            StageProduct::Pointwise => vec![FieldElement::one(); self.stages],
            StageProduct::Modulo(_) => {
                let mut unit = vec![FieldElement::zero(); self.stages];
                if let Some(first) = unit.first_mut() {
                    *first = FieldElement::one();
                }
                unit
            }
        }
    }

    /// The componentwise product of two stage vectors.
    pub fn multiply(&self, x: &[FieldElement], y: &[FieldElement]) -> Vec<FieldElement> {
        let field = &self.field;
        match &self.product {
            StageProduct::Pointwise => x.iter().zip(y).map(|(x, y)| field.mul(x, y)).collect(),
            StageProduct::Modulo(nodes) => {
                let mut product = vec![FieldElement::zero(); x.len() + y.len()];
                for (i, x) in x.iter().enumerate().filter(|(_, x)| !x.is_zero()) {
                    for (j, y) in y.iter().enumerate().filter(|(_, y)| !y.is_zero()) {
                        product[i + j] = field.add(&product[i + j], &field.mul(x, y));
                    }
                }
                self.reduce(product, nodes)
            }
        }
    }

    /// The remainder of a polynomial modulo the (monic) node polynomial.
    fn reduce(&self, mut polynomial: Vec<FieldElement>, nodes: &[Rational]) -> Vec<FieldElement> {
        let (field, s) = (&self.field, self.stages);
        while polynomial.len() > s {
            let Some(top) = polynomial.pop() else { break };
            if top.is_zero() {
                continue;
            }
            let start = polynomial.len() - s;
            for (value, c) in polynomial[start..].iter_mut().zip(nodes) {
                *value = field.sub(value, &field.scale(&top, c));
            }
        }
        polynomial.resize(s, FieldElement::zero());
        polynomial
    }

    /// An operator (`a` or `abar`) applied to a stage vector.
    pub fn apply(&self, operator: &[Vec<FieldElement>], x: &[FieldElement]) -> Vec<FieldElement> {
        operator.iter().map(|row| self.pair(row, x)).collect()
    }

    /// A functional (`b`, `bbar` or `btil`) of a stage vector.
    pub fn pair(&self, functional: &[FieldElement], x: &[FieldElement]) -> FieldElement {
        let field = &self.field;
        let terms = functional.iter().zip(x).filter(|(b, x)| !b.is_zero() && !x.is_zero());
        terms.fold(FieldElement::zero(), |sum, (b, x)| field.add(&sum, &field.mul(b, x)))
    }

    /// Is it an ordinary method: `a = abar` and `b = bbar = btil`?
    pub fn is_one_table(&self) -> bool {
        self.a == self.abar && self.b == self.bbar && self.b == self.btil
    }

    /// Is every coefficient of the pointwise table, or of the quotient algebra, rational?
    pub fn is_rational(&self) -> bool {
        self.field.is_rationals()
    }
}
