//! Steps that keep the energy (in state space: `port`): with Δ for the change in a step and ∇̄H a discrete gradient,
//! ∇̄H·Δz = ΔH, and Δq = h ∇̄_pH, Δp = −h ∇̄_qH + h F + ĀᵀΛ.
//!
//! Then ΔH = h F·w + Λ·Āw with w = Δq/h. For constraints on velocities Ā and b are taken in the middle
//! and Āw + b = 0; for constraints on positions Ā is the mean of A along the chord, so that
//! hĀw + hb̄ = Δφ, and φ(q⁺) = 0. The reactions do no work but that of moving constraints.
//!
//! O. Gonzalez, Time integration and discrete Hamiltonian systems (1996), and for constraints (1999);
//! G. R. W. Quispel and D. I. McLaren, A new class of energy-preserving integration methods (2008).

use isotrope_algebra::calculus::SparseRows;
use isotrope_algebra::{ExprId, OrInternal, Rational};

use super::DiscretiseError;
use super::chord::{Chord, place};
use super::dirac::impulses;
use super::mechanics::{Point, Writer};
use super::port;
use super::projection::{keep_positions, on_positions};
use super::registry::{Capabilities, Entry, Family, InStateSpace, Recipe};
use super::stages::Digits;

/// Steps in state space, too.
const IN_BOTH: Capabilities = Capabilities {
    state_space: InStateSpace::Also,
    balance_power: true,
    ..Capabilities::MECHANICS
};

/// The family.
pub(super) static FAMILY: Family = Family {
    name: "energy",
    citation: None,
    capabilities: Capabilities::MECHANICS,
    entries: &[
        Entry {
            name: "avf",
            about: "average vector field: the mean of ∇H along the chord; keeps the energy balance",
            recipe: Recipe::Plain(average),
            citation: Some("G. R. W. Quispel, D. I. McLaren, J. Phys. A 41 (2008), 045206"),
            capabilities: Some(IN_BOTH),
            ..Entry::BLANK
        },
        Entry {
            name: "discrete-gradient",
            about: "Gonzalez' midpoint gradient of H; keeps the energy balance",
            recipe: Recipe::Plain(midpoint),
            citation: Some("O. Gonzalez, J. Nonlinear Sci. 6 (1996), 449-467"),
            capabilities: Some(IN_BOTH),
            ..Entry::BLANK
        },
    ],
};

/// Beside twice a kinetic energy or the square of a rate this is nothing in all units in which squares are numbers:
/// from 1e-60 to 1e150.
const NOTHING: f64 = 1e-140;
/// So is one half to this power in double precision, where Jacobians have its inverse squared, and the denominator of
/// the number above squared is infinite.
const NOTHING_BITS: i64 = 400;

/// What both share.
struct Step {
    /// (q⁺ − q)/h.
    w: Vec<ExprId>,
    impulses: Vec<ExprId>,
    there: Point,
    p_next: Vec<ExprId>,
    chord: Chord,
    /// The middle of the chord.
    middle: Point,
}

/// H_q = −L_q and H_p = v, discretised.
struct Gradient {
    q: Vec<ExprId>,
    p: Vec<ExprId>,
}

fn average(writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
    if writer.state.is_some() {
        return port::average(writer);
    }
    let step = begin(writer)?;
    let gradient = Gradient {
        q: forces_along(writer, &step.chord)?,
        p: velocities_along(writer, &step.chord),
    };
    finish(writer, step, &gradient)
}

/// ∇̄H = ∇H(middle) + N GΔz/(Δz·GΔz) with N = ΔH − ∇H(middle)·Δz in the metric G of the kinetic energy:
/// M/h² for positions and, where the mass matrix varies, M⁻¹ for momenta. Otherwise the midpoint is
/// exact for the kinetic energy.
///
/// ΔH is the mean of ∇H·Δz along the chord: near rest the difference of two energies would be
/// nothing but rounding.
fn midpoint(writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
    if writer.state.is_some() {
        return port::gonzalez(writer);
    }
    let step = begin(writer)?;
    let h = writer.h;
    let middle = step.middle.clone();
    // What has kinks goes in by its mean.
    let (smooth, kinks) = step.chord.parts(writer, &writer.dynamics.gradient)?;
    let forces = step.chord.average(writer, &smooth)?;
    let at_middle = writer.at(&middle, &smooth)?;
    let excess = difference(writer, &at_middle, &forces);
    let mut terms = vec![dot(writer, &excess, &step.w)];
    terms[0] = writer.pool.mul(h, terms[0]);
    let mass = writer.rows_at(&middle, &writer.dynamics.mass)?;
    let impetus = times(writer, &mass, &step.w);
    let mut size = vec![dot(writer, &impetus, &step.w), tiny(writer)];
    let mut turned = Vec::new();
    if writer.varying_mass {
        let old = writer.symbols.momentum.clone();
        let change = difference(writer, &step.p_next, &old);
        let along = velocities_along(writer, &step.chord);
        let excess = difference(writer, &along, &middle.v);
        terms.push(dot(writer, &excess, &change));
        let identity = (0..change.len() as u32).map(|i| vec![(i, ExprId::ONE)]).collect();
        turned = writer.accelerated(&middle, &identity, &change)?;
        size.push(dot(writer, &turned, &change));
    }
    let missing = writer.pool.sum(&terms);
    let size = writer.pool.sum(&size);
    let factor = writer.pool.div(missing, size);
    let factor = writer.define_one("excess", factor);
    let over = writer.pool.div(factor, h);
    let at_middle = writer.drifted(&at_middle, ExprId::ONE, &kinks);
    let at_middle: Vec<ExprId> = at_middle.iter().map(|&x| writer.pool.neg(x)).collect();
    let gradient = Gradient {
        q: writer.drifted(&at_middle, over, &impetus),
        p: match turned.is_empty() {
            true => middle.v,
            false => writer.drifted(&middle.v, factor, &turned),
        },
    };
    finish(writer, step, &gradient)
}

/// Unknown v⁺ and, where the mass matrix varies, w; then impulses.
fn begin(writer: &mut Writer<'_>) -> Result<Step, DiscretiseError> {
    writer.require_quadratic()?;
    let h = writer.h;
    let here = writer.here();
    let half = Rational::half();
    let v_next = writer.unknown_stage(&Rational::ONE, 1);
    let w = if writer.varying_mass {
        writer.unknown_stage(&half, 0)
    } else {
        let sum = writer.drifted(&here.v, ExprId::ONE, &v_next);
        let mean = sum.iter().map(|&x| writer.pool.scale(&half, x)).collect();
        writer.define("'_mean", mean)
    };
    let impulses = impulses(writer, h);
    let moved = writer.drifted(&here.q, h, &w);
    let q = writer.define("⁺", moved);
    let there = Point { q, v: v_next.clone(), t: writer.later() };
    let momenta = writer.at(&there, &writer.dynamics.momenta)?;
    let p_next = writer.define("_p⁺", momenta);
    let chord = Chord::new(writer, &w, &v_next, &p_next)?;
    let middle = place(writer, &half, "½", (&w, &v_next, &p_next))?;
    Ok(Step { w, impulses, there, p_next, chord, middle })
}

/// Δq = h ∇̄_pH, Δp = −h ∇̄_qH + h F + ĀᵀΛ, the constraints, and the balance of energy.
fn finish(writer: &mut Writer<'_>, step: Step, gradient: &Gradient) -> Result<(), DiscretiseError> {
    let h = writer.h;
    let Step { w, impulses, there, p_next, chord, middle } = step;
    // Forces are taken in the middle, with the velocity of the chord.
    let middle = Point { v: w.clone(), ..middle };
    let forces = writer.at(&middle, &writer.dynamics.forces)?;
    let (a, b) = rows(writer, &chord, &middle)?;
    let driving = difference(writer, &forces, &gradient.q);
    let p = writer.symbols.momentum.clone();
    let wanted = writer.kicked(&p, h, &driving, &a, &impulses);
    let residual = difference(writer, &p_next, &wanted);
    writer.residual.extend(residual);
    if writer.varying_mass {
        let residual = difference(writer, &w, &gradient.p);
        writer.residual.extend(residual);
    }
    keep_positions(writer, &there)?;
    let violations = writer.violations(&a, &b, &w);
    let positions = on_positions(writer);
    let on_velocities = violations.iter().enumerate().filter(|(k, _)| !positions.contains(k));
    writer.residual.extend(on_velocities.map(|(_, &violation)| violation));
    let power = dot(writer, &forces, &w);
    let time = chord.average(writer, &[writer.dynamics.explicit_time])?;
    let mut terms = vec![writer.pool.mul(h, power)];
    for loss in time {
        let loss = writer.pool.mul(h, loss);
        terms.push(writer.pool.neg(loss));
    }
    for (&impulse, &b) in impulses.iter().zip(&b) {
        let product = writer.pool.mul(impulse, b);
        terms.push(writer.pool.neg(product));
    }
    writer.after.work = writer.pool.sum(&terms);
    writer.after.multipliers = impulses.iter().map(|&x| writer.pool.div(x, h)).collect();
    writer.after.position = there.q;
    writer.after.velocity = there.v;
    writer.after.momentum = p_next;
    Ok(())
}

/// Ā and b̄: means along the chord for constraints on positions, in the middle for the others.
fn rows(
    writer: &mut Writer<'_>,
    chord: &Chord,
    middle: &Point,
) -> Result<(SparseRows, Vec<ExprId>), DiscretiseError> {
    let mut a = writer.constraints(middle)?;
    let mut b = writer.at(middle, &writer.rows.offset)?;
    for k in on_positions(writer) {
        let row: SparseRows = vec![writer.rows.matrix[k].clone()];
        let mean = chord.rows(writer, &row)?;
        let offset = chord.average(writer, &[writer.rows.offset[k]])?;
        if let (Some(row), Some(&offset)) = (mean.into_iter().next(), offset.first()) {
            (a[k], b[k]) = (row, offset);
        }
    }
    Ok((a, b))
}

/// The mean of H_q = −L_q.
fn forces_along(writer: &mut Writer<'_>, chord: &Chord) -> Result<Vec<ExprId>, DiscretiseError> {
    let means = chord.average(writer, &writer.dynamics.gradient)?;
    Ok(means.iter().map(|&x| writer.pool.neg(x)).collect())
}

/// The mean of H_p = v.
fn velocities_along(writer: &mut Writer<'_>, chord: &Chord) -> Vec<ExprId> {
    let values: Vec<Vec<ExprId>> = chord.places.iter().map(|place| place.v.clone()).collect();
    chord.mean(writer, &values)
}

fn dot(writer: &mut Writer<'_>, x: &[ExprId], y: &[ExprId]) -> ExprId {
    let terms: Vec<ExprId> = x.iter().zip(y).map(|(&x, &y)| writer.pool.mul(x, y)).collect();
    writer.pool.sum(&terms)
}

fn difference(writer: &mut Writer<'_>, x: &[ExprId], y: &[ExprId]) -> Vec<ExprId> {
    x.iter().zip(y).map(|(&x, &y)| writer.pool.sub(x, y)).collect()
}

fn times(writer: &mut Writer<'_>, matrix: &SparseRows, x: &[ExprId]) -> Vec<ExprId> {
    let row = |writer: &mut Writer<'_>, row: &[(u32, ExprId)]| {
        let terms: Vec<ExprId> =
            row.iter().map(|&(j, m)| writer.pool.mul(m, x[j as usize])).collect();
        writer.pool.sum(&terms)
    };
    matrix.iter().map(|entries| row(writer, entries)).collect()
}

/// Keeps 0/0 at rest from being undefined: it is 0 there.
pub(super) fn tiny(writer: &mut Writer<'_>) -> ExprId {
    match writer.digits {
        Digits::Double => writer.pool.powi(ExprId::HALF, NOTHING_BITS),
        Digits::Bits(_) => {
            let number = Rational::from_f64(NOTHING).or_noticed("the number is finite");
            writer.pool.number(number)
        }
    }
}
