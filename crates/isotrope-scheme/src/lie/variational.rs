//! Variational steps on a group.
//!
//! L_d(g, g⁺) = h/2 (L(g, ξ) + L(g⁺, ξ)) with g⁺ = g τ(hξ). From δ(hξ) = dτ⁻¹(Ad_τ η⁺ − η), where dτ is the
//! right-trivialised derivative at hξ, the two discrete Legendre maps are
//!
//! μ  = (dτ⁻¹)* ℓ − h/2 ∂_g L(g, ξ),    μ⁺ = Ad*_τ (dτ⁻¹)* ℓ + h/2 ∂_g L(g⁺, ξ),    ℓ = (L_ξ(g, ξ) + L_ξ(g⁺, ξ))/2;
//!
//! the first is solved for ξ. Since Ad*_τ (dτ⁻¹_x)* = (dτ⁻¹_{−x})*, and dτ⁻¹_{−x} − dτ⁻¹_x = ad_x for exp and for cay,
//! the second is μ⁺ = μ + h/2 ∂_g L(g, ξ) + ad*_{hξ} ℓ + h/2 ∂_g L(g⁺, ξ): nothing has to be computed again, and
//! an error in ξ changes μ⁺ − μ by h times as much. Forces act like ∂_g L. Constraints A ξ + b = 0 hold for the
//! mean of both ends of a step, and at its end for the velocity that belongs to μ⁺; their reactions are
//! impulses at the ends (Lagrange and d'Alembert's principle).

use isotrope_algebra::{Ball, Budget, ExprId, OrInternal, Precision, Rational};
use isotrope_geometry::group::{Factor, Retraction, Series, Side};

use super::Written;
use super::writer::{Place, Writer};
use crate::DiscretiseError;
use crate::stages::Digits;
use isotrope_methods::named_composition;

/// What stands for (dτ⁻¹)*.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// (dτ⁻¹)* of the map.
    Variational(Retraction),
    /// 1 − ad*/2: the midpoint rule on the dual of the algebra.
    Midpoint,
}

const EXPONENTIAL: Retraction = Retraction::Exponential(Series::Polynomial);

pub(super) fn cayley(writer: &mut Writer<'_>) -> Written {
    write(writer, Form::Variational(Retraction::Cayley), None)
}

pub(super) fn cayley_4(writer: &mut Writer<'_>) -> Written {
    write(writer, Form::Variational(Retraction::Cayley), Some("yoshida-4"))
}

pub(super) fn cayley_6(writer: &mut Writer<'_>) -> Written {
    write(writer, Form::Variational(Retraction::Cayley), Some("yoshida-6"))
}

pub(super) fn exponential(writer: &mut Writer<'_>) -> Written {
    write(writer, Form::Variational(EXPONENTIAL), None)
}

pub(super) fn exponential_4(writer: &mut Writer<'_>) -> Written {
    write(writer, Form::Variational(EXPONENTIAL), Some("yoshida-4"))
}

pub(super) fn exponential_6(writer: &mut Writer<'_>) -> Written {
    let plane = |factor: &Factor| factor.spins() == 1;
    let in_plane = writer.mechanics.group.factors().iter().any(plane);
    if writer.digits == Digits::Double && in_plane {
        return Err(DiscretiseError::NotApplicable {
            reason: "the iteration for its seven parts does not converge on SO(2) and SE(2): lie-cayley-6 has \
                     the same order there",
        });
    }
    write(writer, Form::Variational(EXPONENTIAL), Some("yoshida-6"))
}

pub(super) fn poisson(writer: &mut Writer<'_>) -> Written {
    let moves = |factor: &Factor| factor.is_of_motions();
    if writer.mechanics.group.factors().iter().any(moves) {
        // Ad of cay is cay of ad for rotations alone.
        return Err(DiscretiseError::NotApplicable {
            reason: "the midpoint rule on the dual of the algebra keeps the spatial momentum of rotations, \
                     not of motions: lie-cayley takes SE(2) and SE(3)",
        });
    }
    write(writer, Form::Midpoint, None)
}

/// The fractions of a step.
fn fractions(
    composition: Option<&str>,
    digits: Digits,
    budget: &mut Budget,
) -> Result<Vec<Rational>, DiscretiseError> {
    const MISSING: DiscretiseError = DiscretiseError::NotApplicable {
        reason: "the coefficients of the composition are missing",
    };
    let Some(name) = composition else { return Ok(vec![Rational::ONE]) };
    let composed = named_composition(name, budget)?.ok_or(MISSING)?;
    let bits = match digits {
        Digits::Double => 128,
        Digits::Bits(bits) => bits,
    };
    let balls = composed.composition.coefficients(Precision::new(bits)).map_err(|_| MISSING)?;
    let rounded = |ball: &Ball| match digits {
        Digits::Double => Rational::from_f64(ball.to_f64()),
        Digits::Bits(_) => Some(ball.midpoint().bounds()?.0),
    };
    balls.iter().map(|ball| rounded(ball).ok_or(MISSING)).collect()
}

/// A state between two parts of a step.
struct State {
    place: Place,
    momenta: Vec<ExprId>,
}

/// Sums over the parts.
#[derive(Default)]
struct Total {
    work: Vec<ExprId>,
    impulses: Vec<Vec<ExprId>>,
    turns: Vec<Vec<ExprId>>,
}

/// A part of a step with its unknowns.
struct Part {
    fraction: Rational,
    /// Where it ends, as a part of the step.
    end: Rational,
    mark: String,
    xi: Vec<ExprId>,
    impulses: Vec<ExprId>,
}

fn write(writer: &mut Writer<'_>, form: Form, composition: Option<&str>) -> Written {
    let fractions = fractions(composition, writer.digits, writer.budget)?;
    let parts = declare(writer, &fractions)?;
    writer.evaluations = u32::try_from(parts.len()).unwrap_or(u32::MAX);
    let start = writer.here();
    let mut state = State { place: start, momenta: writer.symbols.momentum.clone() };
    let mut total = Total::default();
    for part in &parts {
        state = advance(writer, form, part, state, &mut total)?;
    }
    let (velocity, last) = writer.velocities(&state.place, &state.momenta)?;
    let velocity = writer.define("v_end", &velocity);
    let last = writer.define("Λ_end", &last);
    let momenta = writer.kicked(&state.place, &state.momenta, &last)?;
    total.work.push(writer.reaction_work(&state.place, &last)?);
    total.impulses.push(last);
    let turned = writer.scaled(writer.h, &velocity);
    total.turns.push(turned);
    if let [part] = &parts[..] {
        // Another solution of the equations would be far from the velocity at the beginning.
        let twice = writer.pool.add(writer.h, writer.h);
        let before = writer.symbols.velocity.clone();
        let apart: Vec<ExprId> =
            part.xi.iter().zip(before).map(|(&x, v)| writer.pool.sub(x, v)).collect();
        total.turns.push(writer.scaled(twice, &apart));
    }
    writer.bound(&total.turns);
    let per_step = writer.pool.div(ExprId::ONE, writer.h);
    let multipliers = (0..writer.mechanics.rows.len())
        .map(|a| {
            let list: Vec<ExprId> =
                total.impulses.iter().filter_map(|part| part.get(a).copied()).collect();
            let sum = writer.pool.sum(&list);
            writer.pool.mul(per_step, sum)
        })
        .collect();
    let work = writer.pool.sum(&total.work);
    writer.leave(&state.place, velocity, momenta, multipliers, work);
    Ok(())
}

/// The unknowns of all parts: ξ, extrapolated from the steps before where there is one part.
fn declare(writer: &mut Writer<'_>, fractions: &[Rational]) -> Result<Vec<Part>, DiscretiseError> {
    let mechanics = writer.mechanics;
    let acceleration = writer.before(&mechanics.eliminated.acceleration)?;
    let multipliers = writer.before(&mechanics.eliminated.multipliers)?;
    let velocity = writer.symbols.velocity.clone();
    let half = ExprId::HALF;
    let (single, mut begun) = (fractions.len() == 1, Rational::ZERO);
    let mut parts = Vec::with_capacity(fractions.len());
    for (k, fraction) in fractions.iter().enumerate() {
        let mark = if single { String::new() } else { format!("_{}", k + 1) };
        let end = &begun + fraction;
        let xi = if single {
            remembered(writer, &velocity, &acceleration)
        } else {
            let middle = &(&begun + &end) * &Rational::half();
            let ahead = writer.pool.scale(&middle, writer.h);
            let guesses = writer.drifted(&velocity, ahead, &acceleration);
            writer.unknown_velocities(&mark, &guesses)
        };
        parts.push(Part {
            fraction: fraction.clone(),
            end: end.clone(),
            mark,
            xi,
            impulses: Vec::new(),
        });
        begun = end;
    }
    for part in &mut parts {
        let length = writer.pool.scale(&part.fraction, writer.h);
        let length = writer.pool.mul(half, length);
        let guesses = writer.scaled(length, &multipliers);
        part.impulses = writer.unknown_impulses(&part.mark, &guesses);
    }
    Ok(parts)
}

/// Coefficients of the polynomial of degree 4 through the last five ξ, one step ahead.
const AHEAD: [i64; 5] = [5, -10, 10, -5, 1];

/// ξ with the polynomial through the five of the steps before as a guess, which is right to h⁵: one round of
/// Newton's method is enough then.
fn remembered(
    writer: &mut Writer<'_>,
    velocity: &[ExprId],
    acceleration: &[ExprId],
) -> Vec<ExprId> {
    let mut guesses = Vec::with_capacity(velocity.len());
    let mut kept = Vec::with_capacity(velocity.len());
    for (k, (&v, &a)) in velocity.iter().zip(acceleration).enumerate() {
        let earlier: Vec<ExprId> = (0..5)
            .map(|age| {
                // Before the first step as if the acceleration were constant.
                let back = Rational::new(-(2 * age + 1), 2).or_noticed("2 is not zero");
                let back = writer.pool.scale(&back, writer.h);
                let change = writer.pool.mul(back, a);
                let start = writer.pool.add(v, change);
                writer.remember(&format!("xi{}_before{age}", k + 1), start)
            })
            .collect();
        let terms: Vec<(Rational, ExprId)> =
            AHEAD.iter().map(|&c| Rational::integer(c)).zip(earlier.iter().copied()).collect();
        guesses.push(writer.pool.linear_combination(&terms));
        kept.push(earlier);
    }
    let xi = writer.unknown_velocities("", &guesses);
    for (earlier, &xi) in kept.iter().zip(&xi) {
        for pair in earlier.windows(2) {
            writer.keep(pair[1], pair[0]);
        }
        writer.keep(earlier[0], xi);
    }
    xi
}

fn advance(
    writer: &mut Writer<'_>,
    form: Form,
    part: &Part,
    state: State,
    total: &mut Total,
) -> Result<State, DiscretiseError> {
    let Part { fraction, end, mark, xi, impulses } = part;
    let State { place: start, momenta } = state;
    let group = &writer.mechanics.group;
    let length = writer.pool.scale(fraction, writer.h);
    let half = writer.pool.mul(ExprId::HALF, length);
    let turn: Vec<ExprId> = writer.scaled(length, xi);
    let turn = writer.define(&format!("x{mark}_"), &turn);
    let map = match form {
        Form::Variational(map) => map,
        Form::Midpoint => Retraction::Cayley,
    };
    let step = group.retract_unnormalised(&mut writer.pool, map, &turn);
    let moved = group.multiply(&mut writer.pool, &start.numbers, &step);
    let moved = writer.define(&format!("g{mark}_"), &moved);
    let moved = group.normalised(&mut writer.pool, &moved);
    let time = writer.later(end);
    let after = writer.place(&format!("{mark}_end"), &moved, time);
    let dynamics = &writer.mechanics.dynamics;
    let mut inner = writer.at(&start, xi, &dynamics.momenta)?;
    if writer.varying {
        let there = writer.at(&after, xi, &dynamics.momenta)?;
        let sums: Vec<ExprId> =
            inner.iter().zip(there).map(|(&x, y)| writer.pool.add(x, y)).collect();
        inner = writer.scaled(ExprId::HALF, &sums);
    }
    let inner = writer.define(&format!("l{mark}_"), &inner);
    let pulled = match form {
        Form::Variational(map) => {
            group.inverse_derivative_dual(&mut writer.pool, map, Side::Right, &turn, &inner)
        }
        Form::Midpoint => {
            let bent = group.bracket_dual(&mut writer.pool, &turn, &inner);
            let minus_half = writer.pool.ratio(-1, 2);
            writer.drifted(&inner, minus_half, &bent)
        }
    };
    let first = writer.driving(&start, xi)?;
    let kicked = writer.drifted(&momenta, half, &first);
    let kicked = writer.kicked(&start, &kicked, impulses)?;
    for (&p, &l) in kicked.iter().zip(&pulled) {
        let difference = writer.pool.sub(l, p);
        writer.residual.push(difference);
    }
    if !impulses.is_empty() {
        let (here, there) = (writer.rates(&start, xi)?, writer.rates(&after, xi)?);
        for (x, y) in here.into_iter().zip(there) {
            let sum = writer.pool.add(x, y);
            let mean = writer.pool.mul(ExprId::HALF, sum);
            writer.residual.push(mean);
        }
    }
    let bent = group.bracket_dual(&mut writer.pool, &turn, &inner);
    let second = writer.driving(&after, xi)?;
    let ended: Vec<ExprId> = kicked.iter().zip(bent).map(|(&p, b)| writer.pool.add(p, b)).collect();
    let ended = writer.drifted(&ended, half, &second);
    let momenta = writer.define(&format!("p{mark}_"), &ended);
    for place in [&start, &after] {
        let work = writer.work(place, xi, half)?;
        total.work.push(work);
    }
    total.work.push(writer.reaction_work(&start, impulses)?);
    total.impulses.push(impulses.clone());
    total.turns.push(turn);
    Ok(State { place: after, momenta })
}
