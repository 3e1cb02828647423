//! Solutions: the tables at a point, exactly.

use isotrope_algebra::ideal::RealPoint;
use isotrope_algebra::number::field::{FieldElement, NumberField};
use isotrope_algebra::polynomial::Polynomial;
use isotrope_algebra::{Budget, OutOfBudget};

use super::weights::SymbolicTables;
use isotrope_methods::table::{Coefficients, Table, TableProblem};
use isotrope_methods::trees::Family;

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

impl GroupTables {
    /// The tables with their unknowns replaced by the coordinates of a point.
    pub fn of(
        tables: &SymbolicTables,
        point: &RealPoint,
        budget: &mut Budget,
    ) -> Result<Self, OutOfBudget> {
        let mut list = |x: &Vec<Polynomial>| {
            x.iter().map(|p| point.evaluate(p, budget)).collect::<Result<Vec<_>, _>>()
        };
        let mut matrices = Vec::with_capacity(tables.matrices.len());
        for matrix in &tables.matrices {
            matrices.push(matrix.iter().map(&mut list).collect::<Result<Vec<_>, _>>()?);
        }
        let weights = tables.weights.iter().map(list).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { field: point.field.clone(), matrices, weights })
    }

    /// All entries rounded, in a fixed order.
    pub fn to_f64(&self) -> Vec<f64> {
        let value = |x: &FieldElement| self.field.to_f64(x).unwrap_or(f64::NAN);
        let matrices = self.matrices.iter().flatten().flatten();
        matrices.chain(self.weights.iter().flatten()).map(value).collect()
    }

    /// What a step depends on, rounded: of the (q,v,p) family, where q' = v, the products a·1,
    /// a·ā, b·1, b·ā stand for a and b.
    pub fn step(&self, family: &Family) -> Vec<f64> {
        if family.name() != "qvp" {
            return self.to_f64();
        }
        let Some(Coefficients { a, abar, b, bbar, btil }) = self.coefficients(family) else {
            return self.to_f64();
        };
        let value = |x: &FieldElement| self.field.to_f64(x).unwrap_or(f64::NAN);
        let list = |x: &Vec<FieldElement>| x.iter().map(value).collect::<Vec<f64>>();
        let velocity: Vec<Vec<f64>> = abar.iter().map(list).collect();
        let mut all: Vec<f64> = velocity.concat();
        for row in a.iter().chain([&b]).map(list) {
            all.push(row.iter().sum());
            for column in 0..row.len() {
                all.push(row.iter().zip(&velocity).map(|(x, v)| x * v[column]).sum());
            }
        }
        all.extend(list(&bbar));
        all.extend(list(&btil));
        all
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
        let coefficients = self.coefficients(family)?;
        Some(Table::pointwise(name, self.field.clone(), coefficients))
    }

    /// The coefficients of that table.
    pub fn coefficients(&self, family: &Family) -> Option<Coefficients<FieldElement>> {
        match (family.name(), self.matrices.as_slice(), self.weights.as_slice()) {
            ("qvp", [a, abar, _], [b, bbar, btil]) => Some(Coefficients {
                a: a.clone(),
                abar: abar.clone(),
                b: b.clone(),
                bbar: bbar.clone(),
                btil: btil.clone(),
            }),
            (_, [a], [b]) => Some(Coefficients::one_table(a.clone(), b.clone())),
            _ => None,
        }
    }
}
