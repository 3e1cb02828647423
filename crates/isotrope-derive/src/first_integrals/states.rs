//! Integrals of systems that are no Lagrangian ones: in state space, Hamilton's equations alone.

use isotrope_algebra::{Budget, ExprId, Pool};

use super::direct::{Constant, Factor, Search, Shape};
use super::lagrangian::{degrees, polynomials};
use super::linear::SUPPORT;
use super::occurring::occurring;
use super::space::Space;
use super::{Found, Integrals, number_names};
use crate::conserved::Conserved;
use crate::{HamiltonianField, StateSpace, Symbols};

/// The degree in the states that is always sought.
const DEGREE: u32 = 2;

/// Polynomials in the states that are conserved, beside what is known.
pub(crate) fn of_states(
    pool: &mut Pool,
    symbols: &Symbols,
    state: &StateSpace,
    known: &[Conserved],
    asked: Integrals,
    budget: &mut Budget,
) -> Found {
    if state.descriptor.is_some() || state.chain.is_some() {
        return Found::default();
    }
    let space = Space::of_states(&symbols.position, symbols.time);
    let shape = Shape::of_states(asked.degree.unwrap_or(DEGREE));
    let shape = Shape { time: asked.time, ..shape };
    let along = Along { space: &space, rates: &state.rate, shape };
    along.integrals(pool, known, asked, budget)
}

/// Polynomials in the momenta that Hamilton's equations conserve, beside what is known.
pub(crate) fn of_hamiltonian(
    pool: &mut Pool,
    symbols: &Symbols,
    field: &HamiltonianField,
    known: &[Conserved],
    asked: Integrals,
    budget: &mut Budget,
) -> Found {
    let mut space = Space::of_states(&symbols.position, symbols.time);
    space.fibre.clone_from(&symbols.momentum);
    let rates: Vec<ExprId> =
        field.position_rate.iter().chain(&field.momentum_rate).copied().collect();
    let Some(shape) = degrees(symbols.dimension(), true, asked) else { return Found::default() };
    let along = Along { space: &space, rates: &rates, shape };
    along.integrals(pool, known, asked, budget)
}

/// A motion.
struct Along<'s> {
    space: &'s Space,
    rates: &'s [ExprId],
    shape: Shape,
}

impl Along<'_> {
    fn integrals(
        &self,
        pool: &mut Pool,
        known: &[Conserved],
        asked: Integrals,
        budget: &mut Budget,
    ) -> Found {
        let factors = occurring(pool, self.space, self.rates);
        let factors = factors.into_iter().map(|value| Factor { value, alone: false }).collect();
        let mut field = self.rates.to_vec();
        field.push(ExprId::ONE);
        let support = if asked == Integrals::default() { SUPPORT } else { 4 * SUPPORT };
        let search =
            Search { space: self.space, fields: &[field], shape: self.shape, factors, support };
        let before: Vec<ExprId> = known.iter().map(|quantity| quantity.expression).collect();
        let own = &mut Budget::new(asked.operations().min(budget.left()));
        let why = |_: &Constant| "a polynomial whose rate vanishes along the motion".to_owned();
        let mut found = polynomials(pool, &search, &before, asked, why, own);
        number_names(known, &mut found.conserved);
        found
    }
}
