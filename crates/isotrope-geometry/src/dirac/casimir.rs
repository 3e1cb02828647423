//! The kernel, the Casimir covectors and the Casimir functions.

use isotrope_algebra::evaluate::Fidelity;
use isotrope_algebra::linear::{LinearError, Matrix, nullspace, rank};
use isotrope_algebra::normal::{AngleSplitting, Generators};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool, calculus};

use super::ansatz::{MONOMIALS, monomials, power_product, solutions};
use super::{Circle, DiracStructure};
use crate::form::normalise_sign;
use crate::generic_rank::{generic_rank, independent_rows};
use crate::work::{simplified, with_share};

/// The part of the budget for a proof of the dimension of the leaves.
const PROOF: u64 = 4;

/// What Casimir functions were found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Casimirs {
    /// Independent Casimir functions, polynomials of lowest degree.
    pub functions: Vec<ExprId>,
    /// How many there are at most: the codimension of the leaves.
    pub codimension: usize,
    /// Polynomials up to this degree were searched.
    pub degree: u32,
}

/// The kernel `D ∩ TM` at generic points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    /// Independent vectors that span it, without denominators.
    pub vectors: Vec<Vec<ExprId>>,
    /// False if an expression was taken for zero because it is at random points.
    pub proved: bool,
}

/// The dimension of the leaves at generic points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeafDimension {
    /// The dimension.
    pub dimension: usize,
    /// False if it is the rank at a random point only.
    pub proved: bool,
}

impl DiracStructure {
    /// The kernel `D ∩ TM`: the vectors `V^T ker(A^T)`, without denominators.
    pub fn kernel_and_proof(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<Kernel, LinearError> {
        let (vectors, covectors) = (self.vectors().transposed(), self.covectors().transposed());
        let space = nullspace(pool, &covectors, budget)?;
        let mut proved = space.proved;
        let mut list = self.combined(pool, &vectors, space.basis, budget);
        // Generators that are dependent give vectors that are.
        if list.len() > 1 {
            let columns = Matrix::from_rows(self.base.len(), &list).transposed();
            let found = rank(pool, &columns, budget)?;
            proved &= found.proved;
            let mut kept = found.pivot_columns;
            kept.sort_unstable();
            list = kept.into_iter().map(|at| list[at].clone()).collect();
        }
        Ok(Kernel { vectors: list, proved })
    }

    /// The vectors of the kernel.
    pub fn kernel(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<Vec<Vec<ExprId>>, LinearError> {
        Ok(self.kernel_and_proof(pool, budget)?.vectors)
    }

    /// The Casimir covectors `D ∩ T*M`: `A^T ker(V^T)`, without denominators.
    pub fn casimir_covectors(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<Vec<Vec<ExprId>>, LinearError> {
        let (vectors, covectors) = (self.vectors().transposed(), self.covectors().transposed());
        let space = nullspace(pool, &vectors, budget)?;
        Ok(self.combined(pool, &covectors, space.basis, budget))
    }

    fn combined(
        &self,
        pool: &mut Pool,
        matrix: &Matrix,
        combinations: Vec<Vec<ExprId>>,
        budget: &mut Budget,
    ) -> Vec<Vec<ExprId>> {
        let mut list = Vec::new();
        for combination in combinations {
            let row = matrix.apply(pool, &combination);
            let mut row: Vec<ExprId> =
                row.into_iter().map(|entry| simplified(pool, entry, budget)).collect();
            normalise_sign(pool, &mut row);
            if row.iter().any(|entry| !entry.is_zero()) {
                list.push(row);
            }
        }
        list
    }

    /// The rank of the characteristic distribution, the span of the vectors of the generators:
    /// the dimension of the leaves at generic points.
    pub fn leaf_dimension(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<LeafDimension, LinearError> {
        let rows: Vec<Vec<ExprId>> = self.generators.iter().map(|g| g.vector.clone()).collect();
        if rows.is_empty() {
            return Ok(LeafDimension { dimension: 0, proved: true });
        }
        // Rows that are independent at an exact point are; that there are no more takes an elimination.
        let exact = independent_rows(pool, &rows, Fidelity::Exact, budget)?;
        let most = self.base.len().min(rows.len());
        if exact.as_ref().is_some_and(|found| found.len() == most) {
            return Ok(LeafDimension { dimension: most, proved: true });
        }
        let matrix = Matrix::from_rows(self.base.len(), &rows);
        match with_share(budget, PROOF, |part| rank(pool, &matrix, part)) {
            Ok(found) => Ok(LeafDimension { dimension: found.rank, proved: found.proved }),
            Err(LinearError::OutOfBudget(_)) => {
                let dimension = generic_rank(pool, &rows, budget)?;
                Ok(LeafDimension { dimension, proved: false })
            }
            Err(error) => Err(error),
        }
    }

    /// Polynomials up to `degree` with coefficients rational in the parameters whose differentials are Casimir
    /// covectors: those that all vectors of the generators leave constant. Independent ones of
    /// lowest degree.
    pub fn casimirs(
        &self,
        pool: &mut Pool,
        degree: u32,
        budget: &mut Budget,
    ) -> Result<Casimirs, LinearError> {
        self.casimirs_over(pool, degree, &[], budget)
    }

    /// The same on a base with coordinates of circles: no polynomial in them is a function on a circle.
    pub fn casimirs_over(
        &self,
        pool: &mut Pool,
        degree: u32,
        circles: &[Circle],
        budget: &mut Budget,
    ) -> Result<Casimirs, LinearError> {
        let leaves = self.leaf_dimension(pool, budget)?.dimension;
        let codimension = self.base.len() - leaves.min(self.base.len());
        let on_circle: Vec<bool> = self
            .base
            .iter()
            .map(|x| circles.iter().any(|circle| circle.coordinate == *x))
            .collect();
        let mut functions: Vec<ExprId> = Vec::new();
        let mut searched = 0;
        for bound in 1..=degree {
            if functions.len() == codimension {
                break;
            }
            let mut monomials = monomials(self.base.len(), bound);
            if monomials.len() > MONOMIALS {
                break;
            }
            monomials.retain(|exponents| {
                exponents.iter().zip(&on_circle).all(|(exponent, circle)| *exponent == 0 || !circle)
            });
            for function in self.constants_of_motion(pool, &monomials, budget)? {
                let mut extended = functions.clone();
                extended.push(function);
                let mut rows = Vec::with_capacity(extended.len());
                for &function in &extended {
                    rows.push(calculus::gradient(pool, function, &self.base, budget)?);
                }
                if generic_rank(pool, &rows, budget)? == extended.len() {
                    functions = extended;
                }
            }
            searched = bound;
        }
        Ok(Casimirs { functions, codimension, degree: searched })
    }

    /// The combinations of monomials that all vectors of the generators leave constant.
    fn constants_of_motion(
        &self,
        pool: &mut Pool,
        monomials: &[Vec<u32>],
        budget: &mut Budget,
    ) -> Result<Vec<ExprId>, LinearError> {
        let terms: Vec<ExprId> =
            monomials.iter().map(|exponents| power_product(pool, &self.base, exponents)).collect();
        // One row of unknowns for every monomial of every derivative v(f), cleared of
        // denominators: the derivatives of the terms side by side.
        let mut rates = Vec::new();
        for generator in &self.generators {
            if generator.vector.iter().all(|entry| entry.is_zero()) {
                continue;
            }
            let mut list = Vec::with_capacity(terms.len());
            for (&term, exponents) in terms.iter().zip(monomials) {
                let mut parts = Vec::new();
                for (i, &component) in generator.vector.iter().enumerate() {
                    if !component.is_zero() && exponents.get(i).is_some_and(|e| *e > 0) {
                        let slope = calculus::derivative(pool, term, self.base[i], budget)?;
                        parts.push(pool.mul(component, slope));
                    }
                }
                list.push(pool.sum(&parts));
            }
            rates.push(list);
        }
        let solved = solutions(pool, &self.base, &rates, terms.len(), budget)?;
        let mut functions = Vec::with_capacity(solved.basis.len());
        for solution in solved.basis {
            let parts: Vec<ExprId> =
                solution.into_iter().map(|(at, value)| pool.mul(value, terms[at])).collect();
            let function = pool.sum(&parts);
            functions.push(without_denominator(pool, &self.base, function, budget));
        }
        Ok(functions)
    }
}

/// The function times the parameters it divides by.
fn without_denominator(
    pool: &mut Pool,
    base: &[ExprId],
    function: ExprId,
    budget: &mut Budget,
) -> ExprId {
    if pool.symbols_in(&[function]).iter().all(|symbol| base.contains(symbol)) {
        return function;
    }
    let polynomial = |pool: &mut Pool, budget: &mut Budget| {
        let mut generators = Generators::new(pool, &[function], AngleSplitting::Whole, budget)?;
        let Some(fractions) = generators.fractions(pool, &[function], budget)? else {
            return Ok::<_, OutOfBudget>(function);
        };
        let Some(fraction) = fractions.first() else { return Ok(function) };
        let numerator = fraction.cancelled(budget)?.numerator.primitive_part();
        Ok(generators.polynomial_to_expression(pool, &numerator))
    };
    polynomial(pool, budget).map_or(function, |found| simplified(pool, found, budget))
}
