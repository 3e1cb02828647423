//! Conserved quantities that are found by linear algebra: an ansatz whose conditions are linear in its coefficients,
//! values at random points of a prime field ([`linear`]), coefficients that are fractions of parameters ([`parameters`]).
//!
//! What is found there is a guess, which [`noether`] and [`direct`] verify with symbols. Quantities that are functions of
//! the others are left out.

mod darboux;
pub(crate) mod direct;
pub(crate) mod group;
mod lagrangian;
mod leaves;
mod linear;
mod noether;
mod occurring;
mod parameters;
pub(crate) mod space;
pub(crate) mod states;
mod vanishing;

use isotrope_algebra::calculus::gradient;
use isotrope_algebra::evaluate::{Fidelity, FieldPlan, GaussianField};
use isotrope_algebra::linear::Echelon;
use isotrope_algebra::modular::Random;
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};
use rustc_hash::FxHashMap;

use crate::Written;
use crate::conserved::{Conserved, Parts};

use direct::Constant;
pub use noether::Generator;

/// Which quantities are asked for, beyond those that are always sought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Integrals {
    /// Polynomials of this degree in the velocities or momenta, or in the states.
    pub degree: Option<u32>,
    /// Their degree in the time.
    pub time: u32,
}

/// A search for conserved quantities, and whether it came to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Searched {
    /// What was sought: `symmetries`, `polynomials`, `casimirs`, ….
    pub search: &'static str,
    /// Among which functions, in words.
    pub ansatz: String,
    /// How many coefficients were unknown.
    pub unknowns: usize,
    /// Did it come to its end?
    pub complete: bool,
}

/// What a search has found, and what was searched.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub conserved: Vec<Conserved>,
    pub searched: Vec<Searched>,
    /// What the conserved quantities are made of, where they are polynomials.
    pub constants: Vec<Constant>,
}

/// Operations of one search.
const SEARCHING: u64 = 100_000_000;
/// Operations of one that was asked for.
const ASKED: u64 = 2_000_000_000;

impl Integrals {
    /// Operations of one search.
    fn operations(self) -> u64 {
        if self == Self::default() { SEARCHING } else { ASKED }
    }
}

/// What is conserved beside what is known.
pub(super) fn further(
    pool: &mut Pool,
    parts: Parts<'_>,
    known: &[Conserved],
    asked: Integrals,
    budget: &mut Budget,
) -> Found {
    let mut all = known.to_vec();
    let mut found = Found::default();
    for search in [noether::integrals, lagrangian::integrals] {
        let own = &mut Budget::new(asked.operations().min(budget.left()));
        let more = search(pool, parts, &all, asked, own);
        all.extend(more.conserved);
        found.searched.extend(more.searched);
        if budget.spend(own.spent().min(budget.left()), "searching conserved quantities").is_err() {
            break;
        }
    }
    found.conserved = all.split_off(known.len());
    number_names(known, &mut found.conserved);
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
pub(super) fn number_names(known: &[Conserved], found: &mut [Conserved]) {
    let names: Vec<String> = found.iter().map(|quantity| quantity.name.clone()).collect();
    for (k, quantity) in found.iter_mut().enumerate() {
        let taken = known.iter().filter(|other| other.name == names[k]).count();
        if taken + names.iter().filter(|name| **name == names[k]).count() > 1 {
            let number = 1 + taken + names[..k].iter().filter(|name| **name == names[k]).count();
            quantity.name = format!("{} {number}", names[k]);
        }
    }
}
