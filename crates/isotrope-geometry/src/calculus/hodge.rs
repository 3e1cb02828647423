//! Hodge's star of a metric.

use isotrope_algebra::linear::{self, LinearError, Matrix};
use isotrope_algebra::{Budget, ExprId, Pool};

use super::{Chart, Form, Vector};
use crate::graded::{Coefficients, Element, GradedError};

/// What Hodge's star needs of a metric: the inverse matrix, and the density of the volume
/// `sqrt|det g|`. Coefficients of the chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Metric<V> {
    /// `g^ij`; `None` for zero.
    pub inverse: Vec<Vec<Option<V>>>,
    /// `sqrt|det g|`.
    pub density: V,
}

impl Metric<ExprId> {
    /// From the matrix `g_ij` of expressions.
    pub fn new(pool: &mut Pool, matrix: &Matrix, budget: &mut Budget) -> Result<Self, LinearError> {
        let size = matrix.rows();
        let mut columns = Vec::with_capacity(size);
        for j in 0..size {
            let unit: Vec<ExprId> =
                (0..size).map(|i| if i == j { ExprId::ONE } else { ExprId::ZERO }).collect();
            columns.push(linear::solve(pool, matrix, &unit, budget)?.solution);
        }
        let entry = |value: ExprId| (!value.is_zero()).then_some(value);
        let row = |i: usize| columns.iter().map(|column| entry(column[i])).collect();
        let inverse = (0..size).map(row).collect();
        let determinant = linear::determinant(pool, matrix, budget)?;
        let size = pool.call(isotrope_algebra::Function::Abs, determinant);
        Ok(Self { inverse, density: pool.sqrt(size) })
    }
}

impl<C: Coefficients> Chart<C> {
    /// Hodge's star: `alpha ^ *beta = <alpha, beta> vol` with `vol = sqrt|det g| dx^1 ^ ... ^ dx^n`.
    /// For a product of one-forms it is `i_(b_k) ... i_(b_1) vol` with the raised forms `b`.
    pub fn hodge(
        &mut self,
        metric: &Metric<C::Value>,
        form: &Form<C::Value>,
    ) -> Result<Form<C::Value>, GradedError> {
        let n = self.dimension();
        let mut raised = Vec::with_capacity(n);
        for row in &metric.inverse {
            let entries = row.iter().map(|entry| match entry {
                Some(value) => self.algebra_ref().scalar(value.clone()),
                None => Element::zero(),
            });
            let vector = Vector(entries.collect());
            raised.push(self.contraction(&vector)?);
        }
        let mut volume = self.algebra_ref().scalar(metric.density.clone());
        for i in 0..n {
            let basis = self.differential(i)?.0;
            volume = self.algebra().multiply(&volume, &basis)?;
        }
        let mut sum = Element::zero();
        for (monomial, value) in form.0.terms() {
            let mut image = volume.clone();
            for (i, contraction) in raised.iter().enumerate() {
                if monomial.odd >> i & 1 == 1 {
                    image = self.algebra().apply(contraction, &image)?;
                }
            }
            let mut even = self.algebra_ref().coordinates().one();
            even.even = monomial.even.clone();
            let factor = self.algebra().from_terms([(even, value.clone())])?;
            let term = self.algebra().multiply(&factor, &image)?;
            sum = self.algebra().add(&sum, &term)?;
        }
        Ok(Form(sum))
    }
}
