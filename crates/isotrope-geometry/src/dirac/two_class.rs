//! The basic 2-class of a Dirac structure and its horizontal primitives.
//!
//! A Dirac structure with its Dorfman bracket is a Lie algebroid over the anchor `v + a -> v`, so
//! that there is a field `Q` with `Q^2 = 0` on the shifted bundle, with coordinates `xi^a` dual to
//! the generators. The function `omega_D = 1/2 (A V^T)_ab xi^a xi^b`, that is
//! `omega_D(e, e') = a(v')`, is closed: its class decides whether the dynamics has a variational
//! principle with a functional of the base. A primitive `theta` with `Q theta = omega_D` is
//! *horizontal* if it is the pullback of a one-form, `theta = beta_i V_a^i xi^a`.
//!
//! Sign: with this `omega_D` the graph of `dq ^ dp` has `theta = -p dq`, a Hamiltonian principle
//! uses `theta + H` and a Lagrangian one `L - theta`.

use isotrope_algebra::calculus::derivative;
use isotrope_algebra::linear::{LinearError, Matrix, rank, solve};
use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId, Pool};

use super::{DiracStructure, Generator};
use crate::graded::{
    Element, Expressions, GradedAlgebra, GradedError, LieAlgebroid, lie_algebroid,
};
use crate::work::zero_test;

/// The basic 2-class of a Dirac structure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BasicTwoClass {
    /// `structure[a][b][c]`: `[e_a, e_b] = structure[a][b][c] e_c`.
    pub structure: Vec<Vec<Vec<ExprId>>>,
    /// Is `Q^2 = 0`?
    pub square: Zero,
    /// Is `Q omega_D = 0`?
    pub closed: Zero,
    /// `omega[a][b] = a_a(v_b)`, antisymmetric.
    pub omega: Matrix,
    /// Is `omega_D` itself zero?
    pub zero: Zero,
}

impl DiracStructure {
    /// The structure functions of the frame; `None` if the bracket of two generators is no
    /// combination of the generators, that is if the structure is not involutive.
    #[expect(clippy::needless_range_loop, reason = "two entries are written for a pair of indices")]
    pub fn structure_functions(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<Option<Vec<Vec<Vec<ExprId>>>>, LinearError> {
        let count = self.generators.len();
        let found = self.rank(pool, budget)?;
        if found.rank < count {
            return Err(LinearError::Singular { rank: found.rank });
        }
        let columns = found.pivot_columns;
        let size = self.base.len();
        let entry = |generator: &Generator, column: usize| {
            let part = if column < size { &generator.vector } else { &generator.covector };
            part.get(column % size).copied().unwrap_or(ExprId::ZERO)
        };
        // Column c of the matrix: the entries of e_c at independent places.
        let rows: Vec<Vec<ExprId>> = columns
            .iter()
            .map(|&column| self.generators.iter().map(|g| entry(g, column)).collect())
            .collect();
        let matrix = Matrix::from_rows(count, &rows);
        let mut structure = vec![vec![vec![ExprId::ZERO; count]; count]; count];
        for a in 0..count {
            for b in a + 1..count {
                let bracket = self.dorfman(pool, a, b, budget)?;
                let right: Vec<ExprId> =
                    columns.iter().map(|&column| entry(&bracket, column)).collect();
                let solved = solve(pool, &matrix, &right, budget)?.solution;
                for column in 0..2 * size {
                    let parts: Vec<ExprId> = self
                        .generators
                        .iter()
                        .zip(&solved)
                        .map(|(g, &factor)| pool.mul(factor, entry(g, column)))
                        .collect();
                    let sum = pool.sum(&parts);
                    let difference = pool.sub(entry(&bracket, column), sum);
                    if zero_test(pool, difference, budget) == Zero::No {
                        return Ok(None);
                    }
                }
                structure[b][a] = solved.iter().map(|&value| pool.neg(value)).collect();
                structure[a][b] = solved;
            }
        }
        Ok(Some(structure))
    }

    /// `[e_a, e_b] = [v,w] + L_v b - i_w da`.
    fn dorfman(
        &self,
        pool: &mut Pool,
        a: usize,
        b: usize,
        budget: &mut Budget,
    ) -> Result<Generator, LinearError> {
        let (e, f) = (&self.generators[a], &self.generators[b]);
        let size = self.base.len();
        let (mut vector, mut covector) = (Vec::with_capacity(size), Vec::with_capacity(size));
        for k in 0..size {
            let (mut of_vector, mut of_covector) = (Vec::new(), Vec::new());
            let x = &self.base;
            for i in 0..size {
                let mut push = |list: &mut Vec<ExprId>, factor: ExprId, of, by: usize, minus| {
                    if factor.is_zero() {
                        return Ok::<(), LinearError>(());
                    }
                    let slope = derivative(pool, of, x[by], budget)?;
                    let term = pool.mul(factor, slope);
                    list.push(if minus { pool.neg(term) } else { term });
                    Ok(())
                };
                push(&mut of_vector, e.vector[i], f.vector[k], i, false)?;
                push(&mut of_vector, f.vector[i], e.vector[k], i, true)?;
                push(&mut of_covector, e.vector[i], f.covector[k], i, false)?;
                push(&mut of_covector, f.covector[i], e.vector[i], k, false)?;
                push(&mut of_covector, f.vector[i], e.covector[k], i, true)?;
                push(&mut of_covector, f.vector[i], e.covector[i], k, false)?;
            }
            vector.push(pool.sum(&of_vector));
            covector.push(pool.sum(&of_covector));
        }
        Ok(Generator { vector, covector })
    }

    /// The structure by generators that are independent at generic points, the first ones possible.
    pub fn with_independent_generators(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<Self, LinearError> {
        let rows: Vec<Vec<ExprId>> = self
            .generators
            .iter()
            .map(|g| g.vector.iter().chain(&g.covector).copied().collect())
            .collect();
        let columns = Matrix::from_rows(2 * self.base.len(), &rows).transposed();
        let mut kept = rank(pool, &columns, budget)?.pivot_columns;
        kept.sort_unstable();
        let generators = kept.iter().map(|&at| self.generators[at].clone()).collect();
        Ok(Self { base: self.base.clone(), generators })
    }

    /// The matrix `A V^T` of `omega_D`.
    pub(super) fn omega(&self, pool: &mut Pool) -> Matrix {
        self.covectors().times(pool, &self.vectors().transposed())
    }

    /// The basic 2-class; `None` if the structure is not involutive.
    pub fn basic_two_class(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<Option<BasicTwoClass>, GradedError> {
        let Some(structure) = self.structure_functions(pool, budget)? else { return Ok(None) };
        let omega = self.omega(pool);
        let (n, count) = (self.base.len(), self.generators.len());
        let base = self
            .base
            .iter()
            .enumerate()
            .map(|(i, &x)| (pool.name_of(x).map_or_else(|| format!("x{i}"), str::to_owned), 0));
        let fibre = (1..=count).map(|a| (format!("xi{a}"), 1));
        let list: Vec<(String, i32)> = base.chain(fibre).collect();
        let coefficients = Expressions { pool, base: self.base.clone() };
        let mut algebra = GradedAlgebra::new(list, coefficients, Budget::new(budget.left()))?;
        let scalar = |algebra: &GradedAlgebra<Expressions<'_>>, value: ExprId| {
            if value.is_zero() { Element::zero() } else { algebra.scalar(value) }
        };
        let anchor = self
            .generators
            .iter()
            .map(|g| g.vector.iter().map(|&value| scalar(&algebra, value)).collect())
            .collect();
        let bracket = structure
            .iter()
            .map(|rows| {
                let row =
                    |row: &Vec<ExprId>| row.iter().map(|&value| scalar(&algebra, value)).collect();
                rows.iter().map(row).collect()
            })
            .collect();
        let (places, fibre) = ((0..n).collect(), (n..n + count).collect());
        let data = LieAlgebroid { base: places, fibre, anchor, bracket };
        let q = lie_algebroid(&mut algebra, &data)?;
        let square = algebra.square(&q)?;
        let square = algebra.field_zero_test(&square);
        let mut form = Element::zero();
        let mut zero = Zero::Yes;
        for a in 0..count {
            for b in a + 1..count {
                let value = omega.get(a, b);
                if value.is_zero() {
                    continue;
                }
                let (first, second) = (algebra.coordinate(n + a)?, algebra.coordinate(n + b)?);
                let pair = algebra.multiply(&first, &second)?;
                let value = algebra.scalar(value);
                zero = zero.and(algebra.zero_test(&value));
                let term = algebra.multiply(&value, &pair)?;
                form = algebra.add(&form, &term)?;
            }
        }
        let slope = algebra.apply(&q, &form)?;
        let closed = algebra.zero_test(&slope);
        budget.spend(algebra.budget.spent().min(budget.left()), "computing the basic 2-class")?;
        Ok(Some(BasicTwoClass { structure, square, closed, omega, zero }))
    }
}
