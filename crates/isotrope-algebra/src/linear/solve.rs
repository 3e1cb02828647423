//! Solve, determinant, rank and nullspace.

use super::Matrix;
use super::eliminate::Elimination;
use crate::normal::Fraction;
use crate::polynomial::{Polynomial, gcd_of_all, gcd_with_cofactors};
use crate::pool::{ExprId, Pool};
use crate::{Budget, OutOfBudget};

/// Why a linear problem has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LinearError {
    /// The matrix of a square system does not have full rank.
    #[error("the matrix is singular (rank {rank})")]
    Singular {
        /// Its generic rank.
        rank: usize,
    },
    /// An entry is undefined.
    #[error("an entry of the matrix is undefined")]
    Undefined,
    /// Too large for explicit formulas.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
}

/// The solution of a linear system.
#[derive(Debug, Clone)]
pub struct Solved {
    /// One expression per unknown.
    pub solution: Vec<ExprId>,
    /// The solution holds where none of these vanishes.
    pub conditions: Vec<ExprId>,
}

/// The rank of a matrix of functions at a generic point.
#[derive(Debug, Clone)]
pub struct Rank {
    /// The generic rank.
    pub rank: usize,
    /// Columns of the pivots: a maximal set of independent columns.
    pub pivot_columns: Vec<usize>,
    /// The rank can drop only where one of these vanishes.
    pub conditions: Vec<ExprId>,
    /// False if some entry was taken for zero on the evidence of random points only.
    pub proved: bool,
}

/// A basis of the nullspace over the field of functions.
#[derive(Debug, Clone)]
pub struct NullSpace {
    /// Basis vectors without denominators or common factors.
    pub basis: Vec<Vec<ExprId>>,
    /// The basis is complete where none of these vanishes.
    pub conditions: Vec<ExprId>,
    /// False if some entry was taken for zero on the evidence of random points only.
    pub proved: bool,
}

/// Solves `A x = b` for a square matrix, by formulas.
pub fn solve(
    pool: &mut Pool,
    matrix: &Matrix,
    right: &[ExprId],
    budget: &mut Budget,
) -> Result<Solved, LinearError> {
    let size = matrix.rows();
    let mut augmented = Matrix::zero(size, size + 1);
    for (i, &value) in right.iter().enumerate().take(size) {
        for j in 0..size {
            augmented.set(i, j, matrix.get(i, j));
        }
        augmented.set(i, size, value);
    }
    let mut elimination = eliminated(pool, &augmented, size, budget)?;
    if elimination.pivots.len() < size {
        return Err(LinearError::Singular { rank: elimination.pivots.len() });
    }
    let mut solution = vec![ExprId::ZERO; size];
    for &(row, column) in &elimination.pivots {
        let (numerator, pivot) = (&elimination.rows[row][size], &elimination.rows[row][column]);
        solution[column] = elimination.quotient(pool, numerator, pivot, budget)?;
    }
    let conditions = elimination.condition_expressions(pool, budget)?;
    elimination.rows.clear();
    Ok(Solved { solution, conditions })
}

fn eliminated(
    pool: &mut Pool,
    matrix: &Matrix,
    columns: usize,
    budget: &mut Budget,
) -> Result<Elimination, LinearError> {
    let mut elimination = Elimination::new(pool, matrix, budget)?.ok_or(LinearError::Undefined)?;
    elimination.run(pool, columns, budget)?;
    Ok(elimination)
}

/// The determinant of a square matrix.
pub fn determinant(
    pool: &mut Pool,
    matrix: &Matrix,
    budget: &mut Budget,
) -> Result<ExprId, LinearError> {
    let elimination = eliminated(pool, matrix, matrix.columns(), budget)?;
    if elimination.pivots.len() < matrix.rows() {
        return Ok(ExprId::ZERO);
    }
    let mut value = elimination.scale.clone();
    for &(row, column) in &elimination.pivots {
        let pivot = Fraction::from_polynomial(elimination.rows[row][column].clone());
        value = value.mul(&pivot, budget)?;
    }
    Ok(elimination.quotient(pool, &value.numerator, &value.denominator, budget)?)
}

/// The rank at a generic point.
pub fn rank(pool: &mut Pool, matrix: &Matrix, budget: &mut Budget) -> Result<Rank, LinearError> {
    let elimination = eliminated(pool, matrix, matrix.columns(), budget)?;
    Ok(Rank {
        rank: elimination.pivots.len(),
        pivot_columns: elimination.pivots.iter().map(|pivot| pivot.1).collect(),
        conditions: elimination.condition_expressions(pool, budget)?,
        proved: !elimination.unproved,
    })
}

/// The vectors `x` with `A x = 0`, over the field of functions.
pub fn nullspace(
    pool: &mut Pool,
    matrix: &Matrix,
    budget: &mut Budget,
) -> Result<NullSpace, LinearError> {
    let columns = matrix.columns();
    let elimination = eliminated(pool, matrix, columns, budget)?;
    let is_pivot = |column: usize| elimination.pivots.iter().any(|pivot| pivot.1 == column);
    let mut basis = Vec::new();
    for free in (0..columns).filter(|&column| !is_pivot(column)) {
        // x_free = common multiple of the pivots met; x_pivot = -row[free] common / pivot.
        let mut common = Polynomial::one();
        for &(row, column) in &elimination.pivots {
            if !elimination.rows[row][free].is_zero() {
                let reduced = gcd_with_cofactors(
                    &elimination.rows[row][column],
                    &elimination.rows[row][free],
                    budget,
                )?;
                let extra = gcd_with_cofactors(&common, &reduced.first, budget)?;
                common = common.mul(&extra.second, budget)?;
            }
        }
        let mut vector = vec![Polynomial::zero(); columns];
        for &(row, column) in &elimination.pivots {
            let entry = &elimination.rows[row][free];
            if !entry.is_zero() {
                let product = entry.mul(&common, budget)?.negate();
                let pivot = &elimination.rows[row][column];
                vector[column] = product.div_exact(pivot, budget)?;
            }
        }
        vector[free] = common;
        let nonzero: Vec<_> = vector.iter().filter(|p| !p.is_zero()).cloned().collect();
        let scale = nonzero.iter().fold(crate::Rational::ZERO, |g, p| g.gcd(&p.content()));
        let content = gcd_of_all(nonzero, budget)?;
        // Numeric factors too: (-2 y, 2 x) is (-y, x).
        let content = content.primitive_part().scale(&scale, budget)?;
        let mut expressions = Vec::with_capacity(columns);
        for entry in &vector {
            let entry = entry.div_exact(&content, budget)?;
            expressions.push(elimination.generators.polynomial_to_expression(pool, &entry));
        }
        basis.push(expressions);
    }
    let conditions = elimination.condition_expressions(pool, budget)?;
    Ok(NullSpace { basis, conditions, proved: !elimination.unproved })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functions::Function;
    use crate::normal::{Zero, is_zero};

    fn budget() -> Budget {
        Budget::new(1_000_000)
    }

    #[test]
    fn a_rotation_matrix_has_determinant_one() {
        let mut pool = Pool::new();
        let x = pool.symbol("x");
        let (s, c) = (pool.call(Function::Sin, x), pool.call(Function::Cos, x));
        let minus = pool.neg(s);
        let matrix = Matrix::from_rows(2, &[vec![c, minus], vec![s, c]]);
        assert_eq!(determinant(&mut pool, &matrix, &mut budget()), Ok(ExprId::ONE));
    }

    #[test]
    fn the_solution_satisfies_the_system_and_records_the_determinant() {
        let mut pool = Pool::new();
        let names = ["a", "b", "c", "d", "e", "f"];
        let [a, b, c, d, e, f] = names.map(|name| pool.symbol(name));
        let matrix = Matrix::from_rows(2, &[vec![a, b], vec![c, d]]);
        let solved = solve(&mut pool, &matrix, &[e, f], &mut budget()).unwrap();
        let product = matrix.apply(&mut pool, &solved.solution);
        for (left, right) in product.into_iter().zip([e, f]) {
            let residual = pool.sub(left, right);
            assert_eq!(is_zero(&mut pool, residual, &mut budget()), Zero::Yes);
        }
        assert!(!solved.conditions.is_empty());
    }

    #[test]
    fn a_zero_hidden_in_trigonometry_is_no_pivot() {
        // Rows (sin(x+y), 1) and (sin x cos y + cos x sin y, 1) are dependent.
        let mut pool = Pool::new();
        let (x, y) = (pool.symbol("x"), pool.symbol("y"));
        let sum = pool.add(x, y);
        let whole = pool.call(Function::Sin, sum);
        let (sx, cx) = (pool.call(Function::Sin, x), pool.call(Function::Cos, x));
        let (sy, cy) = (pool.call(Function::Sin, y), pool.call(Function::Cos, y));
        let (p, q) = (pool.mul(sx, cy), pool.mul(cx, sy));
        let split = pool.add(p, q);
        let matrix = Matrix::from_rows(2, &[vec![whole, ExprId::ONE], vec![split, ExprId::ONE]]);
        let found = rank(&mut pool, &matrix, &mut budget()).unwrap();
        assert_eq!((found.rank, found.proved), (1, true));
    }

    #[test]
    fn the_nullspace_of_the_sleighs_blade_is_its_heading() {
        let mut pool = Pool::new();
        let theta = pool.symbol("theta");
        let (s, c) = (pool.call(Function::Sin, theta), pool.call(Function::Cos, theta));
        let minus = pool.neg(c);
        let blade = Matrix::from_rows(3, &[vec![s, minus, ExprId::ZERO]]);
        let found = nullspace(&mut pool, &blade, &mut budget()).unwrap();
        assert_eq!(
            found.basis,
            vec![vec![c, s, ExprId::ZERO], vec![ExprId::ZERO, ExprId::ZERO, ExprId::ONE]]
        );
    }
}
