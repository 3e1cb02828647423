//! Variational steps that are not of equal length in time.
//!
//! *Sundman.* In a time s with dt/ds = g(q) the Lagrangian L̃(q, q°) = g(q)(L(q, q°/g(q)) + E₀) has the momenta
//! p = L_v and the energy g(q)(E − E₀); where that vanishes its motions are those of L, run through at another
//! pace. A variational method with equal steps in s is symplectic in (q, p) for each E₀. The derivative of
//! L̃_d in E₀, which its equations keep paired with E₀, is the time that a step takes: h Σ b_i g(Q_i).
//! With V = q°/g, ∂L̃/∂q = g L_q − (E − E₀) g_q. Unknown are not q° but q°/g(q) with g at the beginning of
//! the step, which are close to the velocities; then all is as in a step of length h g(q), with the
//! ratios ρ_i = g(Q_i)/g(q).
//!
//! *Energy-exact.* The length h of a step is an unknown, and −∂L_d/∂h = Σ b_i E(Q_i, V_i) has in all steps
//! the value that it has in the first, which has the length asked for: the discrete equations of the
//! variation of the times. They need not have a solution; a step can then be told to have the length that
//! was asked for.
//!
//! B. Leimkuhler and S. Reich, Simulating Hamiltonian Dynamics (2004), chapter 9; C. Kane, J. E. Marsden and
//! M. Ortiz, Symplectic-energy-momentum preserving variational integrators (1999); Y. Shibberu, Is
//! symplectic-energy-momentum integration well-posed? (2006).

use isotrope_algebra::calculus::gradient;
use isotrope_algebra::{ExprId, Function, Rational};

use super::coefficients::Numbers;
use super::lagrangian::{Action, DiscreteLagrangian, Pace};
use super::step::{
    Part, Start, Total, Varied, constrain, finish, place, refusal, time, unknown_velocities,
};
use crate::DiscretiseError;
use crate::equations::{Duration, Hold, UnknownKind};
use crate::mechanics::{Point, Writer};
use crate::stages::count;
use isotrope_derive::Written as Kind;

/// How far a step may be from the one asked for, and from the one before: by these factors.
const FARTHEST: i64 = 64;
const FARTHEST_FROM_THE_LAST: i64 = 2;

/// Writes the step of a discrete Lagrangian with steps of its own.
pub(super) fn write(
    writer: &mut Writer<'_>,
    lagrangian: &DiscreteLagrangian,
) -> Result<(), DiscretiseError> {
    if let Some(reason) = refusal(writer.rows, lagrangian) {
        return Err(DiscretiseError::NotApplicable { reason });
    }
    refuse_what_changes_the_energy(writer, lagrangian)?;
    let mut numbers = Vec::with_capacity(lagrangian.pieces.len());
    for piece in &lagrangian.pieces {
        numbers.push(Numbers::new(piece, writer.digits, writer.budget)?);
    }
    match lagrangian.pace {
        Pace::Sundman => sundman(writer, lagrangian, &numbers),
        Pace::Even | Pace::EnergyExact => energy_exact(writer, lagrangian, &numbers),
    }
}

fn refuse_what_changes_the_energy(
    writer: &mut Writer<'_>,
    lagrangian: &DiscreteLagrangian,
) -> Result<(), DiscretiseError> {
    let rows = writer.rows;
    let time = writer.symbols.time;
    let contains_time =
        |expressions: &[ExprId]| writer.pool.reachable(expressions).binary_search(&time).is_ok();
    let own = |action: Action| matches!(action, Action::Own { .. });
    let reason = if writer.dynamics.forces.iter().any(|force| !force.is_zero()) {
        "steps of a length of their own need an energy that is kept, and forces without a potential change it"
    } else if contains_time(&[writer.dynamics.lagrangian]) {
        "steps of a length of their own need an energy that is kept, and the Lagrangian depends on time"
    } else if rows.written.iter().any(|kind| *kind != Kind::Position) {
        "steps of a length of their own are variational, and a constraint is not one on positions"
    } else if contains_time(&rows.expressions) {
        "steps of a length of their own need an energy that is kept, and a constraint depends on time"
    } else if lagrangian.pace == Pace::EnergyExact && !rows.is_empty() {
        "steps that keep the discrete energy are made for systems without constraints"
    } else if lagrangian.pieces.iter().any(|piece| own(piece.action)) {
        "the discrete Lagrangian of the model is one of steps of equal length; take one that comes from L, \
         like variational-midpoint"
    } else if lagrangian.pace == Pace::Sundman && writer.rate.is_none() {
        "the model does not say how fast time passes in steps of equal length: write `[time]` with \
         `rate = \"…\"`, a positive function of the positions that is small where steps should be short"
    } else {
        return Ok(());
    };
    Err(DiscretiseError::NotApplicable { reason })
}

/// g, its gradient, and E₀.
struct Rate {
    function: ExprId,
    gradient: Vec<ExprId>,
    energy: ExprId,
}

/// What the pieces of a step add up to.
#[derive(Default)]
struct Sums {
    /// γ b_i ρ_i.
    duration: Vec<ExprId>,
    /// γ b_i E_i.
    energy: Vec<ExprId>,
    /// ρ_i.
    ratios: Vec<ExprId>,
}

fn sundman(
    writer: &mut Writer<'_>,
    lagrangian: &DiscreteLagrangian,
    numbers: &[Numbers],
) -> Result<(), DiscretiseError> {
    let Some(function) = writer.rate else { return Ok(()) };
    let position = writer.symbols.position.clone();
    let slopes = gradient(&mut writer.pool, function, &position, writer.budget)?;
    let first = writer.dynamics.energy;
    let energy = writer.remember("E_0", first);
    let positive = writer.pool.call(Function::Log, function);
    let guard = writer.remember("_positive", positive);
    let h = writer.h;
    // No definition: what is guessed before the first step cannot use one.
    writer.h = writer.pool.mul(h, function);
    let velocities = velocities(writer, lagrangian, numbers);
    let rate = Rate { function, gradient: slopes, energy };
    let sums = pieces(writer, lagrangian, numbers, velocities, Some(&rate))?;
    let ratio = writer.pool.sum(&sums.duration);
    let value = writer.pool.mul(writer.h, ratio);
    // Roots of what should be positive.
    let mut roots = vec![writer.pool.sqrt(rate.function)];
    roots.extend(sums.ratios.iter().map(|&ratio| writer.pool.sqrt(ratio)));
    let next = writer.pool.sum(&roots);
    writer.keep(guard, next);
    let reason = "the rate of time is not positive";
    writer.duration = Some(Duration { value, guard, reason, hold: None });
    Ok(())
}

fn energy_exact(
    writer: &mut Writer<'_>,
    lagrangian: &DiscreteLagrangian,
    numbers: &[Numbers],
) -> Result<(), DiscretiseError> {
    let asked_for = writer.h;
    let last = writer.remember("_h", asked_for);
    let energy = writer.remember("E_d", ExprId::ZERO);
    let first = writer.remember("_first", ExprId::ONE);
    let asked = writer.remember("_hold", ExprId::ZERO);
    let held = writer.remember("_held", ExprId::ZERO);
    let guard = writer.remember("_within", ExprId::ONE);
    // The logarithm of the ratio: whatever it is, the step goes forwards.
    let growth = writer.unknown("_growth", UnknownKind::Number, ExprId::ZERO);
    let velocities = velocities(writer, lagrangian, numbers);
    let ratio = writer.pool.call(Function::Exp, growth);
    let ratio = writer.define_one("_ratio", ratio);
    let step = writer.pool.mul(last, ratio);
    let step = writer.define_one("_h⁺", step);
    writer.h = step;
    // The length of the step is an unknown like the velocities, and stands before the impulses.
    let sums = pieces(writer, lagrangian, numbers, velocities, None)?;
    let found = writer.pool.sum(&sums.energy);
    let found = writer.define_one("_E", found);
    // In the first step, and in every step that is held, the length is the requested one.
    let keep = writer.pool.add(first, asked);
    let free = writer.pool.sub(ExprId::ONE, keep);
    let defect = writer.pool.sub(found, energy);
    let defect = writer.pool.mul(free, defect);
    let from_the_first = writer.pool.div(step, asked_for);
    let kept = writer.pool.sub(from_the_first, ExprId::ONE);
    let kept = writer.pool.mul(keep, kept);
    let condition = writer.pool.add(defect, kept);
    writer.residual.push(condition);
    let old = writer.pool.sub(ExprId::ONE, first);
    let terms = [writer.pool.mul(first, found), writer.pool.mul(old, energy)];
    let next = writer.pool.sum(&terms);
    writer.keep(energy, next);
    writer.keep(first, ExprId::ZERO);
    writer.keep(last, step);
    writer.keep(asked, ExprId::ZERO);
    let count = writer.pool.add(held, asked);
    writer.keep(held, count);
    let free_ratio = writer.pool.mul(free, ratio);
    let free_ratio = writer.pool.add(free_ratio, keep);
    let within =
        [room(writer, from_the_first, FARTHEST), room(writer, free_ratio, FARTHEST_FROM_THE_LAST)];
    let within = writer.pool.sum(&within);
    writer.keep(guard, within);
    let reason = "the step that keeps the discrete energy is out of bounds";
    let hold = Some(Hold { asked, count: held });
    writer.duration = Some(Duration { value: step, guard, reason, hold });
    Ok(())
}

/// √((x − 1/m)(m − x)): a number only where x is between 1/m and m.
fn room(writer: &mut Writer<'_>, x: ExprId, most: i64) -> ExprId {
    let pool = &mut writer.pool;
    let most = pool.number(Rational::integer(most));
    let least = pool.div(ExprId::ONE, most);
    let above = pool.sub(x, least);
    let below = pool.sub(most, x);
    let product = pool.mul(above, below);
    pool.sqrt(product)
}

/// What is unknown in each piece.
fn velocities(
    writer: &mut Writer<'_>,
    lagrangian: &DiscreteLagrangian,
    numbers: &[Numbers],
) -> Vec<Vec<Vec<ExprId>>> {
    let mut before = Rational::ZERO;
    let mut all = Vec::with_capacity(numbers.len());
    for (k, numbers) in numbers.iter().enumerate() {
        all.push(unknown_velocities(writer, numbers, &before, &mark(lagrangian, k)));
        before = &before + &numbers.fraction;
    }
    all
}

fn mark(lagrangian: &DiscreteLagrangian, k: usize) -> String {
    if lagrangian.pieces.len() > 1 { format!("_{}", k + 1) } else { String::new() }
}

/// All pieces, and the end of the step.
fn pieces(
    writer: &mut Writer<'_>,
    lagrangian: &DiscreteLagrangian,
    numbers: &[Numbers],
    velocities: Vec<Vec<Vec<ExprId>>>,
    rate: Option<&Rate>,
) -> Result<Sums, DiscretiseError> {
    writer.evaluations = count(numbers.iter().map(|numbers| numbers.nodes.len()).sum());
    let end_velocities =
        if writer.quadratic { None } else { Some(writer.unknown_velocities("⁺")) };
    let here = writer.here();
    let momentum = writer.symbols.momentum.clone();
    let zeros = vec![ExprId::ZERO; momentum.len()];
    let mut total = Total { way: zeros.clone(), push: zeros, work: Vec::new() };
    let mut start = Start { q: here.q.clone(), p: momentum, t: here.t };
    let mut sums = Sums::default();
    for (k, (numbers, velocities)) in numbers.iter().zip(velocities).enumerate() {
        let step = writer.pool.scale(&numbers.fraction, writer.h);
        let part = Part { numbers, step, velocities, mark: mark(lagrangian, k) };
        let varied = vary(writer, &part, &start, rate, &mut sums)?;
        start = constrain(writer, &part, start, varied, lagrangian.form, false, &mut total)?;
    }
    finish(writer, start, end_velocities, total)?;
    Ok(sums)
}

/// The equations of a piece without constraints, and its part of the sums.
fn vary(
    writer: &mut Writer<'_>,
    part: &Part<'_>,
    start: &Start,
    rate: Option<&Rate>,
    sums: &mut Sums,
) -> Result<Varied, DiscretiseError> {
    let numbers = part.numbers;
    let zeros = vec![ExprId::ZERO; start.q.len()];
    let (mut drivings, mut momenta) = (Vec::new(), Vec::new());
    for (i, node) in numbers.nodes.iter().enumerate() {
        let mark = format!("{}{}", part.mark, i + 1);
        let q = if node.is_zero() {
            start.q.clone()
        } else {
            let moved = place(writer, part, &start.q, &numbers.places[i]);
            writer.define(&format!("_Q{mark}"), moved)
        };
        let v = writer.combined(&zeros, &numbers.speeds[i], ExprId::ONE, &part.velocities);
        let t = time(writer, part, start.t, node);
        let mut point = Point { q, v, t };
        let share = &numbers.fraction * &numbers.weights[i];
        let driving = match rate {
            None => {
                point.v = writer.define(&format!("_V{mark}"), point.v);
                let energy = writer.at(&point, &[writer.dynamics.energy])?[0];
                sums.energy.push(writer.pool.scale(&share, energy));
                writer.at(&point, &writer.dynamics.gradient)?
            }
            Some(rate) => slowed(writer, rate, &mut point, &mark, &share, sums)?,
        };
        drivings.push(writer.define(&format!("_G{mark}"), driving));
        momenta.push(writer.at(&point, &writer.dynamics.momenta)?);
    }
    let weighted = |row: &[Rational]| -> Vec<Rational> {
        row.iter().zip(&numbers.weights).map(|(x, weight)| x * weight).collect()
    };
    let mut residual = Vec::with_capacity(numbers.degree());
    for k in 0..numbers.degree() {
        let base = if k == 0 { &start.p } else { &zeros };
        let pushed = writer.combined(base, &weighted(&numbers.values[k]), part.step, &drivings);
        let slopes = weighted(&numbers.slopes[k]);
        residual.push(writer.combined(&pushed, &slopes, ExprId::ONE, &momenta));
    }
    let push = writer.combined(&zeros, &numbers.weights, part.step, &drivings);
    Ok(Varied { residual, push, work: Vec::new() })
}

/// Divides the velocity at a node by ρ; gives ρ L_q − (E − E₀) g_q(Q)/g(q).
fn slowed(
    writer: &mut Writer<'_>,
    rate: &Rate,
    point: &mut Point,
    mark: &str,
    share: &Rational,
    sums: &mut Sums,
) -> Result<Vec<ExprId>, DiscretiseError> {
    let there = writer.at(point, &[rate.function])?[0];
    let ratio = writer.pool.div(there, rate.function);
    let ratio = writer.define_one(&format!("_ρ{mark}"), ratio);
    sums.ratios.push(ratio);
    sums.duration.push(writer.pool.scale(share, ratio));
    let v: Vec<ExprId> = point.v.iter().map(|&w| writer.pool.div(w, ratio)).collect();
    point.v = writer.define(&format!("_V{mark}"), v);
    let energy = writer.at(point, &[writer.dynamics.energy])?[0];
    let excess = writer.pool.sub(energy, rate.energy);
    let excess = writer.pool.div(excess, rate.function);
    let excess = writer.define_one(&format!("_excess{mark}"), excess);
    let forces = writer.at(point, &writer.dynamics.gradient)?;
    let slopes = writer.at(point, &rate.gradient)?;
    let both = forces.into_iter().zip(slopes);
    Ok(both
        .map(|(force, slope)| {
            let force = writer.pool.mul(ratio, force);
            let slope = writer.pool.mul(excess, slope);
            writer.pool.sub(force, slope)
        })
        .collect())
}
