//! Discrete Lagrangians that are degenerate as the Lagrangian is: half of the coordinates, x, carry the
//! velocities, ϑ = ϑ_x(x, y)·dx.
//!
//! With P = ϑ_x(x, y) and K(x, P) = H the system is P·x' − K(x, P), x' = K_P = X(q), P' = −K_x = G(q), where
//! ∂_yϑ·X = ∂_yH and G = ∂_xϑ·X − ∂_xH are functions of q = (x, y).
//!
//! C. L. Ellison, J. M. Finn, J. W. Burby, M. Kraus, H. Qin, W. M. Tang, Degenerate variational integrators for
//! magnetic field line flow and guiding center trajectories, Physics of Plasmas 25 (2018).

use isotrope_algebra::calculus::jacobian;
use isotrope_algebra::{ExprId, OrInternal, Rational};

use super::{finish, first_order};
use crate::mechanics::{Point, Writer};
use crate::variational::{DiscreteLagrangian, Numbers};
use crate::{DiscretiseError, UnknownKind};
use isotrope_derive::{NotPolarised, Polarisation};

/// ϑ_x, X and G as functions of (q, t).
struct Split<'s> {
    at: &'s Polarisation,
    /// X, G and ϑ_x, one after the other, for each x.
    formulas: Vec<ExprId>,
}

/// The values of a split at a point.
struct Values {
    rate: Vec<ExprId>,
    force: Vec<ExprId>,
    potential: Vec<ExprId>,
}

impl<'s> Split<'s> {
    fn new(writer: &mut Writer<'s>) -> Result<Self, DiscretiseError> {
        let degenerate = first_order(writer)?;
        let reason = match &degenerate.polarisation {
            _ if degenerate.dynamics.forces.iter().any(|force| !force.is_zero()) => {
                "degenerate variational integrators take no forces: project a variational step instead, \
                 projected:variational-midpoint"
            }
            Ok(at) => return Self::of(writer, at),
            Err(NotPolarised::NoLeaves { .. }) => {
                "no half of the coordinates can carry all velocities: dϑ vanishes on no other half; take \
                 other coordinates, or project a variational step, projected:variational-midpoint"
            }
            Err(NotPolarised::NoGauge { .. }) => {
                "half of the coordinates can carry all velocities, but the total derivative that does it \
                 is not a polynomial: write ϑ in that form, or project a variational step, \
                 projected:variational-midpoint"
            }
        };
        Err(DiscretiseError::NotApplicable { reason })
    }

    fn of(writer: &mut Writer<'s>, at: &'s Polarisation) -> Result<Self, DiscretiseError> {
        let degenerate = first_order(writer)?;
        let symbols = writer.symbols;
        let mut functions = vec![degenerate.dynamics.energy, at.gauge];
        functions.extend(&at.potential);
        let mut variables = symbols.position.clone();
        variables.push(symbols.time);
        let partials = jacobian(&mut writer.pool, &functions, &variables, writer.budget)?;
        let partial = |function: usize, variable: usize| -> ExprId {
            let row = partials.get(function).into_iter().flatten();
            row.clone().find(|e| e.0 as usize == variable).map_or(ExprId::ZERO, |e| e.1)
        };
        // The total derivative of g has added ∂g/∂t to L: H − ∂g/∂t takes the place of H.
        let gained = partial(1, symbols.dimension());
        let gained = jacobian(&mut writer.pool, &[gained], &symbols.position, writer.budget)?;
        let rate: Vec<ExprId> = at.base.iter().map(|&i| degenerate.velocity[i]).collect();
        let mut force = Vec::with_capacity(rate.len());
        for &i in &at.base {
            let mut terms = vec![writer.pool.neg(partial(0, i))];
            terms.extend(gained[0].iter().find(|e| e.0 as usize == i).map(|e| e.1));
            for (b, &speed) in rate.iter().enumerate() {
                terms.push(writer.pool.mul(partial(2 + b, i), speed));
            }
            force.push(writer.pool.sum(&terms));
        }
        let mut formulas = rate;
        formulas.extend(force);
        formulas.extend(&at.potential);
        Ok(Self { at, formulas })
    }

    /// X, G and ϑ_x somewhere.
    fn values(
        &self,
        writer: &mut Writer<'_>,
        q: &[ExprId],
        t: ExprId,
    ) -> Result<Values, DiscretiseError> {
        let point = Point { q: q.to_vec(), v: writer.symbols.velocity.clone(), t };
        let mut rate = writer.at(&point, &self.formulas)?;
        let mut force = rate.split_off(self.at.base.len());
        let potential = force.split_off(self.at.base.len());
        Ok(Values { rate, force, potential })
    }

    /// Unknown rates of the coordinates of a half, guessed as a part of the velocity.
    fn unknowns(
        writer: &mut Writer<'_>,
        which: &[usize],
        mark: &str,
        part: &Rational,
    ) -> Vec<ExprId> {
        let named = which.iter().map(|&i| {
            let name = format!("{}'{mark}", writer.symbols.names[i]);
            (i, name, writer.symbols.velocity[i])
        });
        let named: Vec<(usize, String, ExprId)> = named.collect();
        let declared = named.into_iter().map(|(i, name, v)| {
            let guess = writer.pool.scale(part, v);
            writer.unknown(&name, UnknownKind::Velocity(i), guess)
        });
        declared.collect()
    }
}

/// q with some of its coordinates moved by step·rates.
fn moved(
    writer: &mut Writer<'_>,
    q: &[ExprId],
    which: &[usize],
    step: ExprId,
    rates: &[ExprId],
) -> Vec<ExprId> {
    let mut q = q.to_vec();
    for (&i, &rate) in which.iter().zip(rates) {
        let way = writer.pool.mul(step, rate);
        q[i] = writer.pool.add(q[i], way);
    }
    q
}

/// (a − b)/step − c must vanish.
fn balance(
    writer: &mut Writer<'_>,
    (a, b): (&[ExprId], &[ExprId]),
    step: ExprId,
    c: impl IntoIterator<Item = ExprId>,
) {
    for ((&a, &b), c) in a.iter().zip(b).zip(c) {
        let change = writer.pool.sub(a, b);
        let rate = writer.pool.div(change, step);
        let difference = writer.pool.sub(rate, c);
        writer.residual.push(difference);
    }
}

/// x⁺ = x + hX(q), ϑ(q⁺) − hG(q⁺) = ϑ(q). The steps keep d(ϑ_x − hG)∧dx, since ϑ(q) − hG(q) is the P of the
/// step before.
pub(super) fn first(writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
    let split = Split::new(writer)?;
    let (h, here) = (writer.h, writer.here());
    let w = Split::unknowns(writer, &split.at.fibre, "", &Rational::ONE);
    let start = split.values(writer, &here.q, here.t)?;
    let q = moved(writer, &here.q, &split.at.base, h, &start.rate);
    let q = moved(writer, &q, &split.at.fibre, h, &w);
    let q = writer.define("⁺", q);
    let t = writer.later();
    let end = split.values(writer, &q, t)?;
    balance(writer, (&end.potential, &start.potential), h, end.force);
    let way = ways(writer, &split, h, &start.rate, &w);
    work(writer, &here, h)?;
    finish(writer, q, way, None)
}

/// x⁺ = x + hX(q⁺), ϑ(q⁺) = ϑ(q) + hG(q): keeps d(ϑ_x + hG)∧dx.
pub(super) fn adjoint(writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
    let split = Split::new(writer)?;
    let (h, here) = (writer.h, writer.here());
    let v = Split::unknowns(writer, &split.at.base, "", &Rational::ONE);
    let w = Split::unknowns(writer, &split.at.fibre, "", &Rational::ONE);
    let start = split.values(writer, &here.q, here.t)?;
    let q = moved(writer, &here.q, &split.at.base, h, &v);
    let q = moved(writer, &q, &split.at.fibre, h, &w);
    let q = writer.define("⁺", q);
    let t = writer.later();
    let end = split.values(writer, &q, t)?;
    for (&v, &rate) in v.iter().zip(&end.rate) {
        let difference = writer.pool.sub(v, rate);
        writer.residual.push(difference);
    }
    balance(writer, (&end.potential, &start.potential), h, start.force);
    let way = ways(writer, &split, h, &v, &w);
    let there = Point { q: q.clone(), v: here.v, t };
    work(writer, &there, h)?;
    finish(writer, q, way, None)
}

/// One symmetric step.
pub(super) fn second(writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
    chain(writer, &[Rational::ONE])
}

/// γ, 1 − 2γ, γ with γ = 1/(2 − 2^{1/3}).
pub(super) fn fourth(writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
    let triple = DiscreteLagrangian::named("triple:variational-midpoint", writer.budget)?
        .or_internal("the triple jump of the midpoint rule has its name")?;
    let mut fractions = Vec::new();
    for piece in triple.pieces {
        fractions.push(Numbers::new(&piece, writer.digits, writer.budget)?.fraction);
    }
    chain(writer, &fractions)
}

/// Steps one after the other, each
///
/// ϑ(x, y₁) = ϑ(x, y) + h/2 G(x, y₁), x⁺ = x + h/2 (X(x, y₁) + X(x⁺, y₂)), ϑ(x⁺, y₂) = ϑ(x, y₁),
/// ϑ(x⁺, y⁺) = ϑ(x⁺, y₂) + h/2 G(x⁺, y₂):
///
/// the method of Störmer and Verlet in (x, P), which keeps dP∧dx = dϑ.
fn chain(writer: &mut Writer<'_>, fractions: &[Rational]) -> Result<(), DiscretiseError> {
    let split = Split::new(writer)?;
    let half = Rational::half();
    let (x, y) = (&split.at.base, &split.at.fibre);
    let mut unknown = Vec::with_capacity(fractions.len());
    for k in 0..fractions.len() {
        let mark = |name: &str| {
            if fractions.len() > 1 { format!("_{}{name}", k + 1) } else { name.into() }
        };
        let first = Split::unknowns(writer, y, &mark("_a"), &half);
        let speed = Split::unknowns(writer, x, &mark(""), &Rational::ONE);
        let last = Split::unknowns(writer, y, &mark("_b"), &half);
        let end = Split::unknowns(writer, y, &mark(""), &Rational::ONE);
        unknown.push((first, speed, last, end));
    }
    let here = writer.here();
    let (mut q, mut t) = (here.q.clone(), here.t);
    let mut way = vec![ExprId::ZERO; q.len()];
    let mut works = Vec::new();
    for (k, (fraction, (first, speed, last, end))) in fractions.iter().zip(&unknown).enumerate() {
        let step = writer.pool.scale(fraction, writer.h);
        let half = writer.pool.mul(ExprId::HALF, step);
        let later = writer.pool.add(t, step);
        let before = moved(writer, &q, y, step, first);
        let before = writer.define(&format!("_a{}", k + 1), before);
        let there = moved(writer, &q, x, step, speed);
        let after = moved(writer, &there, y, step, last);
        let after = writer.define(&format!("_b{}", k + 1), after);
        let ended = moved(writer, &there, y, step, end);
        let ended = writer.define(&format!("_c{}", k + 1), ended);
        let (zero, a) = (split.values(writer, &q, t)?, split.values(writer, &before, t)?);
        let (b, c) = (split.values(writer, &after, later)?, split.values(writer, &ended, later)?);
        let nothing = vec![ExprId::ZERO; x.len()];
        balance(writer, (&a.potential, &zero.potential), half, a.force.iter().copied());
        balance(writer, (&b.potential, &a.potential), half, nothing);
        balance(writer, (&c.potential, &b.potential), half, b.force.iter().copied());
        for ((&v, &one), &two) in speed.iter().zip(&a.rate).zip(&b.rate) {
            let sum = writer.pool.add(one, two);
            let mean = writer.pool.mul(ExprId::HALF, sum);
            let difference = writer.pool.sub(v, mean);
            writer.residual.push(difference);
        }
        let here = ways(writer, &split, step, speed, end);
        way = writer.drifted(&way, ExprId::ONE, &here);
        for (q, t) in [(&before, t), (&after, later)] {
            let point = Point { q: q.clone(), v: writer.symbols.velocity.clone(), t };
            works.push(explicit_work(writer, &point, half)?);
        }
        (q, t) = (ended, later);
    }
    writer.evaluations = 4 * u32::try_from(fractions.len()).unwrap_or(u32::MAX);
    writer.after.work = writer.pool.sum(&works);
    finish(writer, q, way, None)
}

/// q⁺ − q.
fn ways(
    writer: &mut Writer<'_>,
    split: &Split<'_>,
    step: ExprId,
    x: &[ExprId],
    y: &[ExprId],
) -> Vec<ExprId> {
    let zeros = vec![ExprId::ZERO; writer.symbols.dimension()];
    let way = moved(writer, &zeros, &split.at.base, step, x);
    moved(writer, &way, &split.at.fibre, step, y)
}

/// −h L_t with v = f(q).
fn explicit_work(
    writer: &mut Writer<'_>,
    point: &Point,
    factor: ExprId,
) -> Result<ExprId, DiscretiseError> {
    if first_order(writer)?.dynamics.explicit_time.is_zero() {
        return Ok(ExprId::ZERO);
    }
    let velocity = &first_order(writer)?.velocity;
    let v = writer.at(point, velocity)?;
    Ok(writer.work(&Point { v, ..point.clone() }, factor, &[])?)
}

fn work(writer: &mut Writer<'_>, point: &Point, factor: ExprId) -> Result<(), DiscretiseError> {
    writer.after.work = explicit_work(writer, point, factor)?;
    Ok(())
}
