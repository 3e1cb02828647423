//! Steps that balance energy on Hamilton's equations: those of state space (`port`), with the state x = (q, p).
//!
//! Hamilton's equations are a Poisson system with the canonical bracket, whether H has a Lagrangian or not. So
//! x⁺ − x = h J ∇̄H(x, x⁺) + h F with a discrete gradient ∇̄H has ΔH = h F·(q⁺ − q)/h for every H(q, p), and with
//! H_t for every H(q, p, t).

use isotrope_algebra::Budget;
use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_derive::{LagrangianMechanics, System};

use super::chord::degree;
use super::equations::Increments;
use super::{DiscretiseError, EquationScheme, Equations, UnknownKind};

/// The system with the state (q, p), if a scheme makes its steps there: where the model is given by H, unless
/// p = M v + c with M and c of parameters alone and H is a polynomial. There (q, v) are as good, for schemes that know
/// them, and have half as many unknowns.
pub(super) fn space(
    system: &System,
    scheme: &EquationScheme,
    budget: &mut Budget,
) -> Result<Option<System>, DiscretiseError> {
    let balances = scheme.takes_state_space() && scheme.capabilities().balance_power;
    let grouped = scheme.grouped().is_some();
    if !(balances || grouped) || system.model.system.hamiltonian().is_none() {
        return Ok(None);
    }
    if !grouped
        && !scheme.is_in_state_space()
        && let Some(LagrangianMechanics { dynamics, .. }) = system.mechanics.lagrangian()
    {
        let symbols = &system.symbols;
        let mut moving: Vec<_> = symbols.position.iter().chain([&symbols.time]).copied().collect();
        let pool = &system.model.pool;
        let constant = !dynamics.momenta.iter().any(|&p| pool.depends_on(p, &moving));
        moving.extend(&symbols.velocity);
        let mut slopes = dynamics.gradient.clone();
        slopes.push(dynamics.explicit_time);
        if constant && degree(pool, &slopes, &moving).is_some() {
            return Ok(None);
        }
    }
    Ok(system.in_phase_space(budget)?)
}

/// Equations of the state (q, p) as equations of positions and momenta.
pub(super) fn in_positions_and_momenta(
    equations: &mut Equations,
    phase: &System,
    budget: &mut Budget,
) -> Result<(), DiscretiseError> {
    let n = phase.symbols.dimension() / 2;
    let kind = |kind: UnknownKind| match kind {
        UnknownKind::Position(i) if i >= n => UnknownKind::Momentum(i - n),
        UnknownKind::Velocity(i) if i >= n => UnknownKind::MomentumRate(i - n),
        other => other,
    };
    equations.unknowns.iter_mut().for_each(|unknown| unknown.kind = kind(unknown.kind));
    equations.sizes.iter_mut().for_each(|size| size.of = kind(size.of));
    // Rates of momenta are no numbers of the state: guesses have them as functions of (q, p).
    if let Some(rates) = phase.mechanics.first_order() {
        let map: Substitution =
            phase.symbols.velocity.iter().copied().zip(rates.iter().copied()).collect();
        let guesses: Vec<_> = equations.unknowns.iter().map(|unknown| unknown.guess).collect();
        let guesses = substitute(&mut equations.pool, &guesses, &map, budget)?;
        for (unknown, guess) in equations.unknowns.iter_mut().zip(guesses) {
            unknown.guess = guess;
        }
    }
    let after = &mut equations.after;
    after.momentum = after.position.split_off(n);
    // H_p at the end.
    after.velocity.truncate(n);
    if let Some(Increments { position, momentum }) = &mut after.increments {
        *momentum = position.split_off(n);
    }
    Ok(())
}
