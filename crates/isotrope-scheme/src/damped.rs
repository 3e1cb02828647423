//! Linear damping that keeps its structure: forces F = −c p with one constant c.
//!
//! p' = −H_q − c p contracts dq ∧ dp at the same rate everywhere: the flow is conformally symplectic,
//! dΦᵀ ω dΦ = e^{−ct} ω (R. McLachlan and M. Perlmutter, Conformal Hamiltonian systems, 2001). So is a symplectic
//! step between two half steps p ↦ e^{−ch/2} p of the damping.
//!
//! With the action s, s' = L − c s, it is the flow of the contact Hamiltonian H + c s on (q, p, s), and
//! Φ*(ds − p dq) = e^{−ch} (ds − p dq) (A. Bravetti, M. Seri, M. Vermeeren, F. Zadra, Numerical integration in celestial
//! mechanics: a case for contact geometry, 2020). Flows of c s, of T(p) and of U(q) have formulas.

use isotrope_algebra::normal::{Zero, is_zero, simplify};
use isotrope_algebra::{Budget, ExprId, Function, Rational};

use super::DiscretiseError;
use super::mechanics::{Point, Writer};
use super::poisson::fractions;
use super::registry::{Capabilities, Entry, Family, Recipe, Written};

/// The family.
pub(super) static FAMILY: Family = Family {
    name: "damped",
    citation: None,
    capabilities: Capabilities::MECHANICS,
    entries: &[
        Entry {
            name: "conformal-verlet",
            about: "Störmer–Verlet between half steps of F = −c p: dq ∧ dp shrinks by e^(−ch), exactly",
            recipe: Recipe::Plain(|writer| verlet(writer, 2, false)),
            ..Entry::BLANK
        },
        Entry {
            name: "conformal-verlet-4",
            about: "three steps of conformal-verlet, one of them backwards",
            recipe: Recipe::Plain(|writer| verlet(writer, 4, false)),
            ..Entry::BLANK
        },
        Entry {
            name: "conformal-midpoint",
            about: "the midpoint rule between half steps of F = −c p, for mass matrices that vary",
            recipe: Recipe::Plain(midpoint),
            ..Entry::BLANK
        },
        Entry {
            name: "contact-2",
            about: "conformal-verlet with the action s of Herglotz: a contact map of (q, p, s)",
            recipe: Recipe::Plain(|writer| verlet(writer, 2, true)),
            ..Entry::BLANK
        },
        Entry {
            name: "contact-4",
            about: "three steps of contact-2, one of them backwards",
            recipe: Recipe::Plain(|writer| verlet(writer, 4, true)),
            ..Entry::BLANK
        },
    ],
};

/// What one proof may cost.
const PROOF: u64 = 1_000_000;

fn refused<T>(reason: &'static str) -> Result<T, DiscretiseError> {
    Err(DiscretiseError::NotApplicable { reason })
}

/// c of F = −c p; zero without forces.
fn rate(writer: &mut Writer<'_>) -> Result<ExprId, DiscretiseError> {
    writer.require_quadratic()?;
    if !writer.rows.is_empty() {
        return refused(
            "the system has constraints, and their reactions do not shrink dq ∧ dp evenly",
        );
    }
    let dynamics = writer.dynamics;
    if !dynamics.explicit_time.is_zero() {
        return refused("the Lagrangian depends on time");
    }
    let pairs: Vec<(ExprId, ExprId)> =
        dynamics.forces.iter().copied().zip(dynamics.momenta.iter().copied()).collect();
    let Some(&(force, momentum)) = pairs.iter().find(|pair| !pair.0.is_zero()) else {
        return Ok(ExprId::ZERO);
    };
    let quotient = writer.pool.div(force, momentum);
    let quotient = writer.pool.neg(quotient);
    let c = simplify(&mut writer.pool, quotient, &mut Budget::new(PROOF));
    let symbols = writer.symbols;
    let mut moving = symbols.position.clone();
    moving.extend(&symbols.velocity);
    moving.push(symbols.time);
    let even = !writer.pool.depends_on(c, &moving)
        && pairs.iter().all(|&(force, momentum)| {
            let drag = writer.pool.mul(c, momentum);
            let rest = writer.pool.add(force, drag);
            is_zero(&mut writer.pool, rest, &mut Budget::new(PROOF)) == Zero::Yes
        });
    match even {
        true => Ok(c),
        false => refused(
            "the forces are not −c p with one constant c for all momenta: dq ∧ dp does not shrink evenly",
        ),
    }
}

/// e^{−cτ}.
fn decay(writer: &mut Writer<'_>, c: ExprId, tau: ExprId) -> ExprId {
    let exponent = writer.pool.mul(c, tau);
    let exponent = writer.pool.neg(exponent);
    writer.pool.call(Function::Exp, exponent)
}

/// T(p) = p·M⁻¹p/2 with the velocity M⁻¹p.
fn kinetic(writer: &mut Writer<'_>, p: &[ExprId], v: &[ExprId]) -> ExprId {
    let terms: Vec<ExprId> = p.iter().zip(v).map(|(&p, &v)| writer.pool.mul(p, v)).collect();
    let sum = writer.pool.sum(&terms);
    writer.pool.mul(ExprId::HALF, sum)
}

/// M⁻¹p at a place.
fn velocities(
    writer: &mut Writer<'_>,
    place: &Point,
    p: &[ExprId],
    mark: &str,
) -> Result<Vec<ExprId>, DiscretiseError> {
    let (v, _) = writer.velocities(place, p, &Vec::new(), &[])?;
    Ok(writer.define(mark, v))
}

/// For L = v·Mv/2 − U(q) with a constant M. The work of the damping is what its half steps take of T.
fn verlet(writer: &mut Writer<'_>, order: usize, contact: bool) -> Written {
    let c = rate(writer)?;
    let zeros = vec![ExprId::ZERO; writer.symbols.dimension()];
    let still = Point { v: zeros.clone(), ..writer.here() };
    let offset = writer.at(&still, &writer.dynamics.momenta)?;
    let bound = writer.dynamics.gradient.iter();
    let velocity = writer.symbols.velocity.clone();
    if writer.varying_mass
        || offset.iter().any(|x| !x.is_zero())
        || bound.copied().any(|slope| writer.pool.depends_on(slope, &velocity))
    {
        return refused(
            "the Lagrangian is not v·Mv/2 − U(q) with a constant mass matrix; take conformal-midpoint",
        );
    }
    let lagrangian = writer.dynamics.lagrangian;
    let resting = writer.at(&still, &[lagrangian])?[0];
    let action = contact.then(|| writer.remember_as("action", ExprId::ZERO));
    let mut s = action.unwrap_or(ExprId::ZERO);
    let (mut place, mut p) = (writer.here(), writer.symbols.momentum.clone());
    let mut work = Vec::new();
    let parts: Vec<Rational> = fractions(writer, order)?;
    for (k, part) in parts.iter().enumerate() {
        let mark = |what: &str| format!("{what}_{}", k + 1);
        let h = writer.pool.scale(part, writer.h);
        let half = writer.pool.mul(ExprId::HALF, h);
        let shrink = decay(writer, c, half);
        // −U for half of the step.
        let potential =
            |writer: &mut Writer<'_>, place: &Point| -> Result<ExprId, DiscretiseError> {
                let value = writer.at(place, &[resting])?[0];
                Ok(writer.pool.mul(half, value))
            };
        let before = velocities(writer, &place, &p, &mark("'_a"))?;
        let was = kinetic(writer, &p, &before);
        let square = writer.pool.mul(shrink, shrink);
        let lost = writer.pool.sub(square, ExprId::ONE);
        work.push(writer.pool.mul(lost, was));
        let shrunk: Vec<ExprId> = p.iter().map(|&p| writer.pool.mul(shrink, p)).collect();
        let force = writer.at(&place, &writer.dynamics.gradient)?;
        let kicked = writer.drifted(&shrunk, half, &force);
        let middle = writer.define(&mark("_p½"), kicked);
        let v = velocities(writer, &place, &middle, &mark("'½"))?;
        let energy = kinetic(writer, &middle, &v);
        let mut terms = vec![writer.pool.mul(shrink, s)];
        terms.push(potential(writer, &place)?);
        terms.push(writer.pool.mul(h, energy));
        let moved = writer.drifted(&place.q, h, &v);
        let q = writer.define(&mark("⁺"), moved);
        let t = writer.pool.add(place.t, h);
        place = Point { q, v: place.v, t };
        terms.push(potential(writer, &place)?);
        let sum = writer.pool.sum(&terms);
        s = writer.pool.mul(shrink, sum);
        let force = writer.at(&place, &writer.dynamics.gradient)?;
        let kicked = writer.drifted(&middle, half, &force);
        let kicked = writer.define(&mark("_p⁻"), kicked);
        let after = velocities(writer, &place, &kicked, &mark("'_b"))?;
        let was = kinetic(writer, &kicked, &after);
        work.push(writer.pool.mul(lost, was));
        let shrunk = kicked.iter().map(|&p| writer.pool.mul(shrink, p)).collect();
        p = writer.define(&mark("_p⁺"), shrunk);
    }
    if let Some(action) = action {
        writer.keep(action, s);
    }
    leave(writer, place, p, work)
}

/// q⁺ = q + hV and p₃ = p₁ + hL_q(Q, V) with Q = q + h/2 V and L_v(Q, V) = p₁ + h/2 L_q(Q, V), where p₁ = e^{−ch/2} p
/// and p⁺ = e^{−ch/2} p₃. The work of the damping is that of −cL_v in the middle.
fn midpoint(writer: &mut Writer<'_>) -> Written {
    let c = rate(writer)?;
    let h = writer.h;
    let half = writer.pool.mul(ExprId::HALF, h);
    let shrink = decay(writer, c, half);
    let v = writer.unknown_stage(&Rational::half(), 0);
    let here = writer.here();
    let moved = writer.drifted(&here.q, half, &v);
    let q = writer.define("_½", moved);
    let t = writer.pool.add(here.t, half);
    let middle = Point { q, v: v.clone(), t };
    let p = writer.symbols.momentum.clone();
    let shrunk: Vec<ExprId> = p.iter().map(|&p| writer.pool.mul(shrink, p)).collect();
    let force = writer.at(&middle, &writer.dynamics.gradient)?;
    let force = writer.define("_f", force);
    let wanted = writer.drifted(&shrunk, half, &force);
    let momenta = writer.at(&middle, &writer.dynamics.momenta)?;
    for (&found, &wanted) in momenta.iter().zip(&wanted) {
        let difference = writer.pool.sub(found, wanted);
        writer.residual.push(difference);
    }
    let power: Vec<ExprId> = momenta.iter().zip(&v).map(|(&p, &v)| writer.pool.mul(p, v)).collect();
    let power = writer.pool.sum(&power);
    let drag = writer.pool.product(&[c, h, power]);
    let work = writer.pool.neg(drag);
    let moved = writer.drifted(&here.q, h, &v);
    let q = writer.define("⁺", moved);
    let kicked = writer.drifted(&shrunk, h, &force);
    let shrunk = kicked.iter().map(|&p| writer.pool.mul(shrink, p)).collect();
    let p = writer.define("_p⁺", shrunk);
    let there = Point { q, v: here.v, t: writer.later() };
    leave(writer, there, p, vec![work])
}

fn leave(writer: &mut Writer<'_>, place: Point, p: Vec<ExprId>, work: Vec<ExprId>) -> Written {
    let there = Point { t: writer.later(), ..place };
    let v = velocities(writer, &there, &p, "'⁺")?;
    writer.after.work = writer.pool.sum(&work);
    writer.after.position = there.q;
    writer.after.velocity = v;
    writer.after.momentum = p;
    Ok(())
}
