//! The kernel, the Casimir covectors and the Casimir functions.

use std::collections::BTreeMap;

use isotrope_algebra::linear::{LinearError, nullspace};
use isotrope_algebra::normal::{AngleSplitting, Generators};
use isotrope_algebra::{Budget, ExprId, Monomial, OutOfBudget, Pool, Rational, calculus};

use super::DiracStructure;
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

/// The most monomials of an ansatz.
const MONOMIALS: usize = 400;

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

    /// Polynomials with rational coefficients, up to `degree`, whose differentials are Casimir
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
        let terms: Vec<ExprId> = monomials
            .iter()
            .map(|exponents| {
                let powers: Vec<ExprId> = self
                    .base
                    .iter()
                    .zip(exponents)
                    .map(|(&x, &exponent)| pool.powi(x, exponent.into()))
                    .collect();
                pool.product(&powers)
            })
            .collect();
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
        let all: Vec<ExprId> = rates.iter().flatten().copied().collect();
        let mut generators = Generators::new(pool, &all, AngleSplitting::Split, budget)?;
        let mut equations: Vec<BTreeMap<usize, Rational>> = Vec::new();
        for list in &rates {
            let fractions =
                generators.fractions(pool, list, budget)?.ok_or(LinearError::Undefined)?;
            let mut common = isotrope_algebra::Polynomial::one();
            for fraction in &fractions {
                let parts = isotrope_algebra::polynomial::gcd_with_cofactors(
                    &common,
                    &fraction.denominator,
                    budget,
                )?;
                common = common.mul(&parts.second, budget)?;
            }
            let mut by_monomial: BTreeMap<Monomial, BTreeMap<usize, Rational>> = BTreeMap::new();
            for (unknown, fraction) in fractions.iter().enumerate() {
                let factor = common.checked_div_exact(&fraction.denominator, budget)?;
                let factor = factor.unwrap_or_default();
                let numerator = fraction.numerator.mul(&factor, budget)?;
                for (monomial, value) in numerator.reduce(generators.rules(), budget)?.terms() {
                    by_monomial.entry(monomial.clone()).or_default().insert(unknown, value.clone());
                }
            }
            equations.extend(by_monomial.into_values());
        }
        let solutions = rational_nullspace(equations, terms.len(), budget)?;
        Ok(solutions
            .into_iter()
            .map(|solution| {
                let parts: Vec<(Rational, ExprId)> =
                    solution.into_iter().map(|(unknown, value)| (value, terms[unknown])).collect();
                pool.linear_combination(&parts)
            })
            .collect())
    }
}

/// The exponents of all monomials of degrees from 1 to `degree`, lower degrees first.
fn monomials(variables: usize, degree: u32) -> Vec<Vec<u32>> {
    let mut layer = vec![vec![0; variables]];
    let mut all = Vec::new();
    for _ in 0..degree {
        let mut next = Vec::new();
        for exponents in &layer {
            // Each monomial once: only at or behind the last variable that occurs.
            let last = exponents.iter().rposition(|e| *e > 0).unwrap_or(0);
            for variable in last..variables {
                let mut longer = exponents.clone();
                longer[variable] += 1;
                next.push(longer);
            }
            if next.len() > MONOMIALS {
                break;
            }
        }
        all.extend(next.iter().cloned());
        layer = next;
        if all.len() > MONOMIALS {
            break;
        }
    }
    all
}

/// A basis of the solutions of homogeneous equations over the rationals.
fn rational_nullspace(
    equations: Vec<BTreeMap<usize, Rational>>,
    unknowns: usize,
    budget: &mut Budget,
) -> Result<Vec<BTreeMap<usize, Rational>>, OutOfBudget> {
    let mut pivots: BTreeMap<usize, BTreeMap<usize, Rational>> = BTreeMap::new();
    let subtract = |row: &mut BTreeMap<usize, Rational>,
                    pivot: &BTreeMap<usize, Rational>,
                    factor: &Rational| {
        for (&column, value) in pivot {
            let place = row.entry(column).or_default();
            *place = &*place - &(factor * value);
            if place.is_zero() {
                row.remove(&column);
            }
        }
    };
    for mut row in equations {
        // Pivots at the highest unknown: solutions then have low leading terms.
        while let Some((&column, value)) = row.last_key_value() {
            let value = value.clone();
            budget.spend(row.len() as u64, "searching Casimir functions")?;
            let Some(pivot) = pivots.get(&column) else {
                let inverse = value.recip().unwrap_or(Rational::ONE);
                row.values_mut().for_each(|entry| *entry = &*entry * &inverse);
                pivots.insert(column, row);
                break;
            };
            subtract(&mut row, pivot, &value);
        }
    }
    let mut solutions = Vec::new();
    for free in (0..unknowns).filter(|column| !pivots.contains_key(column)) {
        let mut solution = BTreeMap::from([(free, Rational::ONE)]);
        for (&column, row) in &pivots {
            budget.spend(row.len() as u64, "searching Casimir functions")?;
            let mut sum = Rational::ZERO;
            for (other, value) in row {
                if let Some(known) = solution.get(other) {
                    sum = &sum + &(value * known);
                }
            }
            if !sum.is_zero() {
                solution.insert(column, -&sum);
            }
        }
        solutions.push(solution);
    }
    Ok(solutions)
}
