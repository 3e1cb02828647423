//! Solutions: the tables at a point, exactly.

use isotrope_algebra::ideal::RealPoint;
use isotrope_algebra::number::field::{FieldElement, NumberField};
use isotrope_algebra::polynomial::Polynomial;

use super::unknowns::Unknowns;
use crate::methods::table::{Coefficients, Table, TableProblem};
use crate::methods::trees::Family;

/// Tables with exact entries, one for each group of a family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupTables {
    /// The field of the entries.
    pub field: NumberField,
    /// By colour: the matrix; empty where the group needs none.
    pub matrices: Vec<Vec<Vec<FieldElement>>>,
    /// By colour: the weights.
    pub weights: Vec<Vec<FieldElement>>,
}

/// The value of a polynomial at a point with coordinates in a field.
pub fn value_at(
    field: &NumberField,
    polynomial: &Polynomial,
    coordinates: &[FieldElement],
) -> FieldElement {
    let mut sum = field.rational(isotrope_algebra::Rational::ZERO);
    for (monomial, coefficient) in polynomial.terms() {
        let mut term = field.rational(coefficient.clone());
        for variable in monomial.variables() {
            let Some(value) = coordinates.get(variable) else { continue };
            for _ in 0..monomial.exponent(variable) {
                term = field.mul(&term, value);
            }
        }
        sum = field.add(&sum, &term);
    }
    sum
}

impl GroupTables {
    /// The tables of the unknowns at a point.
    pub fn at(unknowns: &Unknowns, point: &RealPoint) -> Self {
        let value = |p: &Polynomial| value_at(&point.field, p, &point.coordinates);
        let list = |x: &Vec<Polynomial>| x.iter().map(value).collect::<Vec<_>>();
        let tables = unknowns.tables();
        Self {
            field: point.field.clone(),
            matrices: tables.matrices.iter().map(|m| m.iter().map(list).collect()).collect(),
            weights: tables.weights.iter().map(list).collect(),
        }
    }

    /// All entries rounded, in a fixed order.
    pub fn to_f64(&self) -> Vec<f64> {
        let value = |x: &FieldElement| self.field.to_f64(x).unwrap_or(f64::NAN);
        let matrices = self.matrices.iter().flatten().flatten();
        matrices.chain(self.weights.iter().flatten()).map(value).collect()
    }

    /// The same methods with the stages in another order.
    #[must_use]
    pub fn permuted(&self, order: &[usize]) -> Self {
        let list = |x: &Vec<FieldElement>| -> Vec<FieldElement> {
            order.iter().filter_map(|&i| x.get(i).cloned()).collect()
        };
        let matrix = |x: &Vec<Vec<FieldElement>>| -> Vec<Vec<FieldElement>> {
            order.iter().filter_map(|&i| x.get(i).map(list)).collect()
        };
        Self {
            field: self.field.clone(),
            matrices: self.matrices.iter().map(matrix).collect(),
            weights: self.weights.iter().map(list).collect(),
        }
    }

    /// The table of a method of the (q,v,p) family; one-table methods are methods of it too.
    /// `None` for other families.
    pub fn table(&self, family: &Family, name: &str) -> Option<Result<Table, TableProblem>> {
        let coefficients = match (family.name(), self.matrices.as_slice(), self.weights.as_slice())
        {
            ("qvp", [a, abar, _], [b, bbar, btil]) => Coefficients {
                a: a.clone(),
                abar: abar.clone(),
                b: b.clone(),
                bbar: bbar.clone(),
                btil: btil.clone(),
            },
            (_, [a], [b]) => Coefficients {
                a: a.clone(),
                abar: a.clone(),
                b: b.clone(),
                bbar: b.clone(),
                btil: b.clone(),
            },
            _ => return None,
        };
        Some(Table::pointwise(name, self.field.clone(), coefficients))
    }
}
