//! Integrals that are polynomials in the velocities, whether a symmetry of L belongs to them or not.
//!
//! I = Σ c_k b_k with functions b_k of an [`ansatz`]: dI/dt = 0 along the motion is linear in c. The same search finds
//! what several fields leave constant: Casimir functions, functions of integrable constraints.

mod ansatz;
mod conditions;

use isotrope_algebra::calculus::directional_derivative;
use isotrope_algebra::normal::{Zero, is_zero};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};
use rustc_hash::FxHashMap;

use super::linear::Linear;
use super::space::Space;
use crate::conserved::simplify_small;
use ansatz::Term;
pub(crate) use ansatz::{Factor, Shape};
use conditions::Conditions;

/// Unknowns of a search that nobody asked for.
pub(super) const UNASKED: usize = 1_000;
/// Unknowns of one that was asked for.
pub(super) const ASKED: usize = 3_000;
/// Operations for a proof that a rate vanishes.
const PROOF: u64 = 3_000_000;

/// Where constants are sought, and among which functions.
pub(crate) struct Search<'s> {
    /// The variables.
    pub space: &'s Space,
    /// Fields, each by the rates of base, fibre and time.
    pub fields: &'s [Vec<ExprId>],
    /// The degrees.
    pub shape: Shape,
    /// What monomials are multiplied with, or what stands beside them.
    pub factors: Vec<Factor>,
    /// Coefficients of one quantity, at most.
    pub support: usize,
}

/// A function that the fields leave constant, unless its coefficients were guessed wrong.
#[derive(Debug, Clone)]
pub(crate) struct Constant {
    /// The function.
    pub expression: ExprId,
    /// The coefficients of factors, where it is a combination of these alone.
    pub of_factors: Option<Vec<(usize, ExprId)>>,
}

impl Search<'_> {
    /// How many unknowns there are.
    pub fn unknowns(&self) -> usize {
        ansatz::count(self.space, self.shape, &self.factors)
    }

    /// Independent functions that the fields leave constant, beside known ones.
    pub fn constants(
        &self,
        pool: &mut Pool,
        known: &[ExprId],
        budget: &mut Budget,
    ) -> Result<Vec<Constant>, OutOfBudget> {
        let terms = ansatz::terms(self.space, self.shape, &self.factors);
        let ansatz = (terms, self.factors.clone());
        let Some(mut conditions) =
            Conditions::new(pool, self.space, self.fields, ansatz, self.support, budget)?
        else {
            return Ok(Vec::new());
        };
        let parameters = conditions.some_parameters();
        let mut solutions = conditions.solutions(pool, &parameters, budget)?;
        solutions.sort_by_key(|solution| {
            let sizes = solution.columns.iter().map(|&column| conditions.terms[column].size());
            (solution.columns.len(), sizes.max())
        });
        let mut found = Vec::new();
        let mut coefficients = FxHashMap::default();
        // What has no simple coefficients says nothing about what depends on it.
        let new = loop {
            let new = conditions.independent(pool, known, &solutions, &parameters, budget)?;
            let mut failed = None;
            for (k, solution) in solutions.iter().enumerate().filter(|(k, _)| new[*k]) {
                if coefficients.contains_key(&solution.columns) {
                    continue;
                }
                let Some(own) = conditions.coefficients(pool, solution, budget)? else {
                    failed = Some(k);
                    break;
                };
                coefficients.insert(solution.columns.clone(), own);
            }
            match failed {
                Some(k) => solutions.remove(k),
                None => break new,
            };
        };
        for (solution, _) in solutions.iter().zip(new).filter(|pair| pair.1) {
            let Some(coefficients) = coefficients.remove(&solution.columns) else { continue };
            let sum = conditions.written(pool, &solution.columns, &coefficients);
            let pure = solution.columns.iter().zip(&coefficients).map(|(&column, &coefficient)| {
                match &conditions.terms[column] {
                    Term { powers, factor: Some(k) } if powers.is_empty() => {
                        Some((*k, coefficient))
                    }
                    _ => None,
                }
            });
            let of_factors = pure.collect();
            found.push(Constant { expression: simplify_small(pool, sum), of_factors });
        }
        Ok(found)
    }

    /// Is a function constant along all fields? With symbols, on what constraints and rotations leave of the space.
    pub fn proved(&self, pool: &mut Pool, function: ExprId, budget: &mut Budget) -> Zero {
        let mut proof = Zero::Yes;
        for field in self.fields {
            let own = &mut Budget::new(PROOF.min(budget.left()));
            match vanishing(pool, self.space, field, function, own) {
                Ok(Zero::Yes) => {}
                Ok(Zero::No) => return Zero::No,
                Ok(unknown) => proof = unknown,
                Err(_) => proof = Zero::Unknown { points: 0 },
            }
        }
        proof
    }
}

/// Does a function not change along a field?
fn vanishing(
    pool: &mut Pool,
    space: &Space,
    field: &[ExprId],
    function: ExprId,
    budget: &mut Budget,
) -> Result<Zero, OutOfBudget> {
    let mut variables = space.variables();
    variables.push(space.time);
    let along: Vec<(ExprId, ExprId)> = variables.into_iter().zip(field.iter().copied()).collect();
    let rate = directional_derivative(pool, &[function], &along, budget)?[0];
    let Some(rate) = space.restricted(pool, rate, budget)? else {
        return Ok(Zero::Unknown { points: 0 });
    };
    if space.turned.is_empty() {
        return Ok(is_zero(pool, rate, budget));
    }
    // Often the entries need not be those of a rotation.
    let half = &mut Budget::new(budget.left() / 2);
    if is_zero(pool, rate, half) == Zero::Yes {
        return Ok(Zero::Yes);
    }
    let rate = space.turned(pool, rate, budget)?;
    Ok(is_zero(pool, rate, budget))
}
