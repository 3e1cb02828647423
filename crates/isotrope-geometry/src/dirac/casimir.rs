//! The kernel, the Casimir covectors and the Casimir functions.

use isotrope_algebra::linear::{LinearError, nullspace};
use isotrope_algebra::normal::{AngleSplitting, Generators};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool, calculus};

use super::DiracStructure;
use super::ansatz::{MONOMIALS, monomials, power_product, solutions};
use crate::form::normalise_sign;
use crate::generic_rank::generic_rank;
use crate::work::simplified;

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

impl DiracStructure {
    /// The kernel `D ∩ TM`: the vectors `V^T ker(A^T)`, without denominators.
    pub fn kernel(
        &self,
        pool: &mut Pool,
        budget: &mut Budget,
    ) -> Result<Vec<Vec<ExprId>>, LinearError> {
        let (vectors, covectors) = (self.vectors().transposed(), self.covectors().transposed());
        let space = nullspace(pool, &covectors, budget)?;
        Ok(self.combined(pool, &vectors, space.basis, budget))
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
        matrix: &isotrope_algebra::linear::Matrix,
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
    ) -> Result<usize, LinearError> {
        let rows: Vec<Vec<ExprId>> = self.generators.iter().map(|g| g.vector.clone()).collect();
        if rows.is_empty() {
            return Ok(0);
        }
        generic_rank(pool, &rows, budget)
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
        let codimension = self.base.len() - self.leaf_dimension(pool, budget)?.min(self.base.len());
        let mut functions: Vec<ExprId> = Vec::new();
        let mut searched = 0;
        for bound in 1..=degree {
            if functions.len() == codimension {
                break;
            }
            let monomials = monomials(self.base.len(), bound);
            if monomials.len() > MONOMIALS {
                break;
            }
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
