//! The final manifold in coordinates of its own.
//!
//! Constraints that are linear in a variable each are solved for these; the other variables y are coordinates. With the
//! one-form ϑ = p dq − (p q_t) dt pulled back, the motion is that of L = ϑ(y, t)·y' − H(y, t) where dϑ is invertible, and
//! y' = X_T(y, t) elsewhere. Gauge directions that are those of coordinates, of which nothing else depends, are left out.

use isotrope_algebra::calculus::{derivative, gradient, substitute};
use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Pool};

use super::chain::ConstraintChain;
use super::elimination::eliminate;
use super::primary::short;
use super::surface::{Lost, Surface};
use super::text;
use crate::{Symbols, System};

/// The motion in coordinates of the final manifold.
#[derive(Debug, Clone)]
pub struct ReducedChain {
    /// The coordinates, by their positions among those of the phase space.
    pub coordinates: Vec<usize>,
    /// All coordinates of the phase space as functions of them; none for gauge coordinates that are left out.
    pub all: Vec<Option<ExprId>>,
    /// The motion.
    pub motion: ReducedMotion,
}

/// How the motion is given.
#[derive(Debug, Clone)]
pub enum ReducedMotion {
    /// L = ϑ·y' − H.
    FirstOrder {
        /// ϑ.
        form: Vec<ExprId>,
        /// H.
        hamiltonian: ExprId,
    },
    /// y' = f(y, t).
    Equations(Vec<ExprId>),
}

/// Why there are no such coordinates, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotReduced(pub String);

type Answer = Result<Result<ReducedChain, NotReduced>, OutOfBudget>;

impl System {
    /// The final manifold of a singular Lagrangian in coordinates of its own, in the gauge that was chosen.
    pub fn reduced_chain(&mut self, budget: &mut Budget) -> Answer {
        let Some(state) = self.mechanics.state().cloned() else {
            return Ok(Err(NotReduced("the Lagrangian is not singular".to_owned())));
        };
        let Some(chain) = &state.chain else {
            return Ok(Err(NotReduced(
                "the system is not given by a singular Lagrangian".to_owned(),
            )));
        };
        let pool = &mut self.model.pool;
        match reduce(pool, &self.symbols, chain, &state.rate, budget) {
            Ok(found) => Ok(found),
            Err(Lost::OutOfBudget(stop)) => Err(stop),
            Err(_) => Ok(Err(NotReduced("a formula is divided by zero there".to_owned()))),
        }
    }
}

fn reduce(
    pool: &mut Pool,
    symbols: &Symbols,
    chain: &ConstraintChain,
    rate: &[ExprId],
    budget: &mut Budget,
) -> Result<Result<ReducedChain, NotReduced>, Lost> {
    let surface = &chain.surface;
    if let Some(curved) = surface.curved(pool) {
        let told = format!("{} = 0 is not linear in a variable", text(pool, curved));
        return Ok(Err(NotReduced(told)));
    }
    let size = symbols.dimension();
    let mut values = Vec::with_capacity(size);
    for &variable in &symbols.position {
        let value = surface.reduced(pool, variable, budget)?;
        values.push(short(pool, value));
    }
    let mut kept: Vec<usize> = (0..size).filter(|&k| values[k] == symbols.position[k]).collect();
    let mut rates = Vec::with_capacity(size);
    for &rate in rate {
        let value = surface.reduced(pool, rate, budget)?;
        rates.push(short(pool, value));
    }
    let mut left_out = Vec::new();
    if !chain.free.is_empty() {
        match without_gauge(pool, symbols, chain, (&kept, &rates), budget)? {
            Some(found) => left_out = found,
            None => {
                let told = "multipliers are free, and no coordinates stand for the gauge \
                            directions alone: choose [gauge_fix]";
                return Ok(Err(NotReduced(told.to_owned())));
            }
        }
        kept.retain(|k| !left_out.contains(k));
    }
    if kept.is_empty() {
        return Ok(Err(NotReduced("nothing moves: the reduced space is a point".to_owned())));
    }
    let gone: Vec<ExprId> = left_out.iter().map(|&k| symbols.position[k]).collect();
    let all = values.iter().map(|&value| (!pool.depends_on(value, &gone)).then_some(value));
    let all: Vec<Option<ExprId>> = all.collect();
    let found = first_order(pool, symbols, chain, (&values, &kept, &gone), budget)?;
    let motion = match found {
        Some(motion) if !chain.forced => motion,
        _ => ReducedMotion::Equations(kept.iter().map(|&k| rates[k]).collect()),
    };
    Ok(Ok(ReducedChain { coordinates: kept, all, motion }))
}

/// Coordinates that stand for the gauge directions, if these are the directions of coordinates and neither the rates of the
/// others nor these know of them.
fn without_gauge(
    pool: &mut Pool,
    symbols: &Symbols,
    chain: &ConstraintChain,
    (kept, rates): (&[usize], &[ExprId]),
    budget: &mut Budget,
) -> Result<Option<Vec<usize>>, Lost> {
    let rows = chain.gauge.iter().map(|field| kept.iter().map(|&k| field[k]).collect()).collect();
    let echelon = eliminate(pool, &chain.surface, rows, kept.len(), budget)?;
    let found: Vec<usize> = echelon.columns.iter().map(|&column| kept[column]).collect();
    for (row, &pivot) in echelon.rows.iter().zip(&echelon.columns) {
        for (column, &entry) in row.iter().enumerate() {
            if column != pivot && chain.surface.vanishes(pool, entry, budget)? != Zero::Yes {
                return Ok(None);
            }
        }
    }
    let mut unknown: Vec<ExprId> = found.iter().map(|&k| symbols.position[k]).collect();
    unknown.extend(&chain.free);
    let others = kept.iter().filter(|k| !found.contains(k));
    let alone = others.into_iter().all(|&k| !pool.depends_on(rates[k], &unknown));
    Ok(alone.then_some(found))
}

/// ϑ and H, where they know nothing of what is left out, and dϑ is invertible.
fn first_order(
    pool: &mut Pool,
    symbols: &Symbols,
    chain: &ConstraintChain,
    (values, kept, gone): (&[ExprId], &[usize], &[ExprId]),
    budget: &mut Budget,
) -> Result<Option<ReducedMotion>, Lost> {
    let n = symbols.dimension() / 2;
    let (q, p) = values.split_at(n);
    let own: Vec<ExprId> = kept.iter().map(|&k| symbols.position[k]).collect();
    let mut form = vec![Vec::new(); own.len()];
    let map = symbols.position.iter().copied().zip(values.iter().copied()).collect();
    let mut energy = vec![substitute(pool, &[chain.hamiltonian], &map, budget)?[0]];
    for (&q, &p) in q.iter().zip(p) {
        for (terms, slope) in form.iter_mut().zip(gradient(pool, q, &own, budget)?) {
            terms.push(pool.mul(p, slope));
        }
        let explicit = derivative(pool, q, symbols.time, budget)?;
        let part = pool.mul(p, explicit);
        energy.push(pool.neg(part));
    }
    let form: Vec<ExprId> = form
        .into_iter()
        .map(|terms| {
            let sum = pool.sum(&terms);
            short(pool, sum)
        })
        .collect();
    let sum = pool.sum(&energy);
    let hamiltonian = short(pool, sum);
    let known = form.iter().chain([&hamiltonian]);
    if known.into_iter().any(|&value| pool.depends_on(value, gone)) {
        return Ok(None);
    }
    let mut slopes = Vec::with_capacity(form.len());
    for &theta in &form {
        slopes.push(gradient(pool, theta, &own, budget)?);
    }
    let count = own.len();
    let mut rows = vec![vec![ExprId::ZERO; count]; count];
    for i in 0..count {
        for j in 0..count {
            rows[i][j] = pool.sub(slopes[j][i], slopes[i][j]);
        }
    }
    let plain = Surface::new(&own, &[]);
    let rank = eliminate(pool, &plain, rows, count, budget)?.rank();
    Ok((rank == count).then_some(ReducedMotion::FirstOrder { form, hamiltonian }))
}
