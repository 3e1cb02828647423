//! From generators to bivectors and 2-forms.

use isotrope_algebra::linear::{LinearError, Matrix, solve};
use isotrope_algebra::{Budget, ExprId, Pool};

use super::DiracStructure;
use crate::work::simplified;

impl DiracStructure {
    /// The matrix `D` of the bivector whose graph it is: `D^T = A^-1 V`, and where that fails
    /// (`det A = 0`). The error is [`LinearError::Singular`] if it is not a graph over `T*M`.
    pub fn to_bivector(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<(Matrix, Vec<ExprId>), LinearError> {
        let (matrix, conditions) =
            quotient(pool, &self.covectors(), &self.vectors(), self.base.len(), budget)?;
        Ok((matrix.transposed(), conditions))
    }

    /// The matrix `W = V^-1 A` of the 2-form whose graph it is. The error is
    /// [`LinearError::Singular`] if it is not a graph over `TM`.
    pub fn to_two_form(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<(Matrix, Vec<ExprId>), LinearError> {
        quotient(pool, &self.vectors(), &self.covectors(), self.base.len(), budget)
    }
}

/// `L^-1 R` for square matrices.
fn quotient(
    pool: &mut Pool,
    left: &Matrix,
    right: &Matrix,
    size: usize,
    budget: &mut Budget,
) -> Result<(Matrix, Vec<ExprId>), LinearError> {
    if left.rows() != size {
        return Err(LinearError::Singular { rank: left.rows().min(size) });
    }
    let mut result = Matrix::zero(size, size);
    let mut conditions = Vec::new();
    for j in 0..size {
        let column: Vec<ExprId> = (0..size).map(|i| right.get(i, j)).collect();
        let solved = solve(pool, left, &column, budget)?;
        for (i, value) in solved.solution.into_iter().enumerate() {
            let value = simplified(pool, value, budget);
            result.set(i, j, value);
        }
        conditions = solved.conditions;
    }
    Ok((result, conditions))
}
