//! Solutions: the tables at a point, exactly.

use isotrope_algebra::ideal::RealPoint;
use isotrope_algebra::number::field::{FieldElement, NumberField};
use isotrope_algebra::polynomial::Polynomial;
use isotrope_algebra::{Budget, OutOfBudget};

use super::levels::occurring;
use super::weights::SymbolicTables;
use isotrope_methods::classes::Class;
use isotrope_methods::table::{Coefficients, GroupTable, GroupedTable, Table, TableProblem};
use isotrope_methods::trees::{Family, Trees};

/// Orders are looked for up to here,
const LARGEST_ORDER: usize = 12;
/// and as long as there are not more trees.
const MOST_TREES: usize = 20_000;

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

    /// The same as tables for groups with the names of the colours.
    #[must_use]
    pub fn named(&self, family: &Family) -> GroupedTable {
        let groups = family.colours().iter().zip(&self.matrices).zip(&self.weights);
        let groups = groups.map(|((colour, matrix), weights)| GroupTable {
            name: colour.name().to_owned(),
            variables: Vec::new(),
            a: (!matrix.is_empty()).then(|| matrix.clone()),
            b: weights.clone(),
        });
        GroupedTable {
            name: String::new(),
            stages: self.stages(),
            field: self.field.clone(),
            groups: groups.collect(),
            preserved: Vec::new(),
        }
    }

    /// The number of stages.
    #[must_use]
    pub fn stages(&self) -> usize {
        self.weights.first().map_or(0, Vec::len)
    }

    /// The same method without stages that nothing uses, and with equal stages made one.
    #[must_use]
    pub fn reduced(&self) -> Self {
        let mut tables = self.clone();
        while let Some((kept, stage)) = tables.superfluous() {
            for list in tables.matrices.iter_mut().flatten().chain(&mut tables.weights) {
                let part = list.remove(stage);
                if let Some(entry) = kept.and_then(|kept| list.get_mut(kept)) {
                    *entry = tables.field.add(entry, &part);
                }
            }
            for matrix in tables.matrices.iter_mut().filter(|matrix| !matrix.is_empty()) {
                matrix.remove(stage);
            }
        }
        tables
    }

    /// A stage that is not used, or that is equal to one before it.
    fn superfluous(&self) -> Option<(Option<usize>, usize)> {
        let stages = self.stages();
        let matrices = || self.matrices.iter().filter(|matrix| !matrix.is_empty());
        let equal = |i: usize, j: usize| matrices().all(|matrix| matrix[i] == matrix[j]);
        let pairs = (0..stages).flat_map(|j| (0..j).map(move |i| (i, j)));
        if let Some((i, j)) = pairs.into_iter().find(|&(i, j)| equal(i, j)) {
            return Some((Some(i), j));
        }
        let unused = |k: usize| {
            let mut others = matrices().flat_map(|matrix| {
                matrix.iter().enumerate().filter(|(row, _)| *row != k).map(|(_, row)| &row[k])
            });
            stages > 1
                && self.weights.iter().all(|weights| weights[k].is_zero())
                && others.all(FieldElement::is_zero)
        };
        (0..stages).find(|&k| unused(k)).map(|stage| (None, stage))
    }

    /// The order on the systems whose trees a class has, and the norm of what the conditions of the next order are
    /// missed by: √Σ ((w(t) − 1/γ(t))/σ(t))².
    pub fn order_and_error(
        &self,
        family: &Family,
        class: Option<Class>,
        budget: &mut Budget,
    ) -> Result<(usize, f64), OutOfBudget> {
        let table = self.reduced().named(family);
        let groups: Vec<usize> = (0..table.groups.len()).collect();
        let field = &table.field;
        let mut order = 0;
        loop {
            let trees = Trees::up_to(family, order + 1, budget)?;
            budget.spend((trees.len() * table.stages) as u64, "evaluating tree conditions")?;
            let weights = table.weights(&trees, &groups);
            let mut square = 0.0;
            for tree in occurring(&trees, order + 1, class) {
                let wanted = field.rational(trees.inverse_gamma(tree));
                let missed = field.sub(&weights[tree.index()], &wanted);
                if !missed.is_zero() {
                    let missed = field.scale(&missed, &trees.inverse_sigma(tree));
                    let missed = field.to_f64(&missed).unwrap_or(f64::INFINITY);
                    square += missed * missed;
                }
            }
            if square > 0.0 {
                return Ok((order, square.sqrt()));
            }
            order += 1;
            if order >= LARGEST_ORDER || trees.len() > MOST_TREES {
                return Ok((order, f64::NAN));
            }
        }
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
