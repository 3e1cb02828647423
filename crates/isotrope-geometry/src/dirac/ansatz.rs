//! Linear equations for the coefficients of polynomial ansatzes.

use std::collections::BTreeMap;

use isotrope_algebra::linear::LinearError;
use isotrope_algebra::normal::{AngleSplitting, Generators};
use isotrope_algebra::{Budget, ExprId, Monomial, OutOfBudget, Pool, Rational};

/// The most monomials of an ansatz.
pub(super) const MONOMIALS: usize = 400;

/// The product of powers of the coordinates.
pub(super) fn power_product(pool: &mut Pool, base: &[ExprId], exponents: &[u32]) -> ExprId {
    let powers: Vec<ExprId> =
        base.iter().zip(exponents).map(|(&x, &e)| pool.powi(x, e.into())).collect();
    pool.product(&powers)
}

/// What the rational unknowns `c` have to satisfy so that `sum_k c_k rates[r][k]` vanishes
/// identically for every row `r`: one equation for every monomial in the generators of the
/// functions, after clearing denominators.
pub(super) fn equations(
    pool: &mut Pool,
    rates: &[Vec<ExprId>],
    budget: &mut Budget,
) -> Result<Vec<BTreeMap<usize, Rational>>, LinearError> {
    let all: Vec<ExprId> = rates.iter().flatten().copied().collect();
    let mut generators = Generators::new(pool, &all, AngleSplitting::Split, budget)?;
    let mut equations: Vec<BTreeMap<usize, Rational>> = Vec::new();
    for list in rates {
        let fractions = generators.fractions(pool, list, budget)?.ok_or(LinearError::Undefined)?;
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
    Ok(equations)
}

/// The exponents of all monomials of degrees from 1 to `degree`, lower degrees first.
pub(super) fn monomials(variables: usize, degree: u32) -> Vec<Vec<u32>> {
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
pub(super) fn rational_nullspace(
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
            budget.spend(row.len() as u64, "solving for the coefficients of an ansatz")?;
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
            budget.spend(row.len() as u64, "solving for the coefficients of an ansatz")?;
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
