//! Composition of Dirac structures over shared ports.

use isotrope_algebra::linear::{LinearError, Matrix};
use isotrope_algebra::{Budget, ExprId, Pool};

use super::images::{negated, relations};
use super::{DiracStructure, Generator};

impl DiracStructure {
    /// The interconnection of two structures over `shared` ports, the last coordinates of the
    /// first one and the first ones of the second: flows are opposite, efforts equal
    /// (`f_2 = -g_2`, `e_2 = h_2`). What remains are the other coordinates of both.
    pub fn composed(
        &self,
        pool: &mut Pool,
        other: &Self,
        shared: usize,
        budget: &mut Budget,
    ) -> Result<Self, LinearError> {
        let own = self.base.len().saturating_sub(shared);
        let port_of = |matrix: &Matrix, from: usize| columns(matrix, from, from + shared);
        let (v, a) = (self.vectors(), self.covectors());
        let (w, b) = (other.vectors(), other.covectors());
        let efforts = port_of(&b, 0).transposed();
        let efforts = negated(pool, &efforts);
        let first = stacked(&port_of(&v, own).transposed(), &port_of(&a, own).transposed());
        let second = stacked(&port_of(&w, 0).transposed(), &efforts);
        let rest = other.base.len();
        let parts = [
            (columns(&v, 0, own), columns(&w, shared, rest)),
            (columns(&a, 0, own), columns(&b, shared, rest)),
        ];
        let mut generators = Vec::new();
        for (left, right) in relations(pool, &first, &second, budget)? {
            let [vector, covector] = parts.each_ref().map(|(of_self, of_other)| {
                let mut row = of_self.transposed().apply(pool, &left);
                row.extend(of_other.transposed().apply(pool, &right));
                row
            });
            if vector.iter().chain(&covector).any(|entry| !entry.is_zero()) {
                generators.push(Generator { vector, covector });
            }
        }
        let base = [&self.base[..own], other.base.get(shared..).unwrap_or(&[])].concat();
        Ok(Self { base, generators })
    }
}

fn columns(matrix: &Matrix, from: usize, to: usize) -> Matrix {
    let rows: Vec<Vec<ExprId>> = (0..matrix.rows())
        .map(|i| matrix.row(i).get(from..to.min(matrix.columns())).unwrap_or(&[]).to_vec())
        .collect();
    Matrix::from_rows(to.saturating_sub(from), &rows)
}

fn stacked(top: &Matrix, bottom: &Matrix) -> Matrix {
    let rows: Vec<Vec<ExprId>> = (0..top.rows())
        .map(|i| top.row(i).to_vec())
        .chain((0..bottom.rows()).map(|i| bottom.row(i).to_vec()))
        .collect();
    Matrix::from_rows(top.columns(), &rows)
}
