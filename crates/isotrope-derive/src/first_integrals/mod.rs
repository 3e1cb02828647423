//! Conserved quantities that are found by linear algebra: an ansatz whose conditions are linear in its coefficients,
//! values at random points of a prime field ([`linear`]), coefficients that are fractions of parameters ([`parameters`]).
//!
//! What is found there is a guess, which [`noether`] and [`direct`] verify with symbols. Quantities that are functions of
//! the others are left out.

mod direct;
mod linear;
mod noether;
mod occurring;
mod parameters;
mod vanishing;

use isotrope_algebra::calculus::gradient;
use isotrope_algebra::evaluate::{Fidelity, FieldPlan, GaussianField};
use isotrope_algebra::linear::Echelon;
use isotrope_algebra::modular::Random;
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};
use rustc_hash::FxHashMap;

use crate::Written;
use crate::conserved::{Conserved, Parts};

pub use noether::Generator;

/// What a search has found.
type Found = Result<Vec<Conserved>, OutOfBudget>;

/// Operations of one search.
const SEARCHING: u64 = 100_000_000;

/// What is conserved beside what is known.
pub(super) fn further(
    pool: &mut Pool,
    parts: Parts<'_>,
    known: &[Conserved],
    budget: &mut Budget,
) -> Vec<Conserved> {
    let mut all = known.to_vec();
    for search in [noether::integrals, direct::integrals] {
        let own = &mut Budget::new(SEARCHING.min(budget.left()));
        // A search that ran out of its operations may have missed everything: it adds nothing.
        let found = search(pool, parts, &all, own).unwrap_or_default();
        all.extend(found);
        if budget.spend(own.spent().min(budget.left()), "searching conserved quantities").is_err() {
            break;
        }
    }
    let mut found = all.split_off(known.len());
    number_names(known, &mut found);
    found
}

/// Which of the quantities are no functions of those before them, of what is known, and of the constraints? Decided by
/// the ranks of gradients at a random point.
pub(super) fn independent(
    pool: &mut Pool,
    parts: Parts<'_>,
    known: &[Conserved],
    candidates: &[ExprId],
    budget: &mut Budget,
) -> Result<Vec<bool>, OutOfBudget> {
    let Parts { symbols, rows, .. } = parts;
    let mut quantities: Vec<ExprId> = rows.velocity_level.clone();
    let positions = rows.expressions.iter().zip(&rows.written);
    quantities.extend(positions.filter(|(_, w)| **w == Written::Position).map(|(&phi, _)| phi));
    quantities.extend(known.iter().map(|quantity| quantity.expression));
    let before = quantities.len();
    quantities.extend(candidates);
    let mut variables = symbols.position.clone();
    variables.extend(&symbols.velocity);
    variables.push(symbols.time);
    let mut slopes = Vec::new();
    for &quantity in &quantities {
        slopes.extend(gradient(pool, quantity, &variables, budget)?);
    }
    let nothing_new = Ok(vec![false; candidates.len()]);
    let Ok(plan) = FieldPlan::new(pool, &slopes, Fidelity::Generic, budget) else {
        return nothing_new;
    };
    let random = &mut Random::new(0x1a5);
    let values =
        (0..64).find_map(|_| plan.evaluate_with_roots(pool, random, &FxHashMap::default()));
    let Some(values) = values else { return nothing_new };
    let field = &mut GaussianField(FieldPlan::PRIME);
    let mut space = Echelon::new(variables.len());
    let rows = values.chunks(variables.len());
    let new: Vec<bool> = rows
        .map(|row| {
            let Ok(new) = space.insert(field, row.to_vec());
            new
        })
        .collect();
    Ok(new[before..].to_vec())
}

/// Names that occur twice, or are taken, get a number.
fn number_names(known: &[Conserved], found: &mut [Conserved]) {
    let names: Vec<String> = found.iter().map(|quantity| quantity.name.clone()).collect();
    for (k, quantity) in found.iter_mut().enumerate() {
        let taken = known.iter().filter(|other| other.name == names[k]).count();
        if taken + names.iter().filter(|name| **name == names[k]).count() > 1 {
            let number = 1 + taken + names[..k].iter().filter(|name| **name == names[k]).count();
            quantity.name = format!("{} {number}", names[k]);
        }
    }
}
