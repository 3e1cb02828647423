//! Integrals of systems that are no Lagrangian ones: in state space, Hamilton's equations alone.

use isotrope_algebra::evaluate::GaussianField;
use isotrope_algebra::linear::Echelon;
use isotrope_algebra::modular::Random;
use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId, Function, Node, Pool};

use super::darboux::{as_product, logarithms};
use super::direct::{Constant, Factor, Search, Shape};
use super::lagrangian::{degrees, polynomials};
use super::leaves::Leaves;
use super::linear::{PRIME, SUPPORT};
use super::occurring::occurring;
use super::space::Space;
use super::{Found, Integrals, number_names};
use crate::conserved::{Conserved, Law};
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
    let mut found = casimirs(pool, &space, state, known, asked, budget);
    let mut all: Vec<Conserved> = known.iter().chain(&found.conserved).cloned().collect();
    let more = along.integrals(pool, &all, asked, budget);
    all.extend(more.conserved);
    found.conserved = all.split_off(known.len());
    found.searched.extend(more.searched);
    found
}

/// Casimir functions that the motion keeps, beside known ones.
fn casimirs(
    pool: &mut Pool,
    space: &Space,
    state: &StateSpace,
    known: &[Conserved],
    asked: Integrals,
    budget: &mut Budget,
) -> Found {
    let Some(structure) = &state.structure else { return Found::default() };
    let Some(rank) = generic_rank(pool, space, &structure.skew, budget) else {
        return Found::default();
    };
    // Along the motion, too: there may be ports.
    let mut fields = structure.skew.clone();
    fields.push(state.rate.clone());
    let leaves = Leaves {
        space,
        fields,
        count: space.base.len() - rank,
        search: "casimirs",
        name: "C",
        why: match state.kind {
            isotrope_model::StateKind::Poisson => "a Casimir function: D ∇C = 0",
            _ => "J ∇C = 0, and neither R nor a port acts along ∇C",
        },
        law: Law::Casimir,
    };
    // Polynomials of low degree are known already.
    let degree = asked.degree.unwrap_or(0);
    let own = &mut Budget::new(asked.operations().min(budget.left()));
    let mut found = leaves.functions(pool, known, degree, asked, own);
    let before = known.iter().filter(|quantity| quantity.law == Law::Casimir).count();
    for (k, quantity) in found.conserved.iter_mut().enumerate() {
        quantity.name = format!("C_{}", before + k + 1);
    }
    found
}

/// The rank of a matrix at a random point.
fn generic_rank(
    pool: &mut Pool,
    space: &Space,
    rows: &[Vec<ExprId>],
    budget: &mut Budget,
) -> Option<usize> {
    let entries = rows.concat();
    let plan = space.plan(pool, &entries, budget)?;
    let point = plan.point(space, pool, &mut Random::new(0xca5), None)?;
    let mut echelon = Echelon::new(rows.len());
    for row in point.outputs.chunks(rows.len()) {
        let Ok(_) = echelon.insert(&mut GaussianField(PRIME), row.to_vec());
    }
    Some(echelon.rank())
}

/// Integrals of x' = f(x) that are sums of logarithms and of polynomials of degree one.
pub fn with_logarithms(
    pool: &mut Pool,
    states: &[ExprId],
    rates: &[ExprId],
    budget: &mut Budget,
) -> Vec<ExprId> {
    let mut name = String::from("#time");
    while pool.find_symbol(&name).is_some() {
        name.push('_');
    }
    let space = Space::of_states(states, pool.symbol(&name));
    let factors = logarithms(pool, &space, rates, budget);
    let mut field = rates.to_vec();
    field.push(ExprId::ONE);
    let (fields, shape) = (&[field], Shape::of_states(1));
    let search = Search { space: &space, fields, shape, factors, support: SUPPORT };
    let found = search.constants(pool, &[], budget).unwrap_or_default();
    let mut list = Vec::new();
    for constant in found {
        let nodes = pool.reachable(&[constant.expression]);
        let logarithm = |id| matches!(pool.node(id), Node::Call(Function::Log, _));
        let any = nodes.into_iter().any(logarithm);
        if any && search.proved(pool, constant.expression, budget) == Zero::Yes {
            list.push(constant.expression);
        }
    }
    list
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
        let mut factors: Vec<Factor> =
            factors.into_iter().map(|value| Factor { value, alone: false }).collect();
        if self.space.fibre.is_empty() {
            factors.extend(logarithms(pool, self.space, self.rates, budget));
        }
        let mut field = self.rates.to_vec();
        field.push(ExprId::ONE);
        let support = if asked == Integrals::default() { SUPPORT } else { 4 * SUPPORT };
        let search =
            Search { space: self.space, fields: &[field], shape: self.shape, factors, support };
        let before: Vec<ExprId> = known.iter().map(|quantity| quantity.expression).collect();
        let own = &mut Budget::new(asked.operations().min(budget.left()));
        let why = |_: &Constant| "a polynomial whose rate vanishes along the motion".to_owned();
        let mut found = polynomials(pool, &search, &before, asked, why, own);
        for (quantity, constant) in found.conserved.iter_mut().zip(&found.constants) {
            quantity.expression = as_product(pool, &search.factors, constant);
        }
        number_names(known, &mut found.conserved);
        found
    }
}
