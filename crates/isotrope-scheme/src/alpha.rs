//! The generalized-α method for constrained systems.
//!
//! J. Chung and G. M. Hulbert (1993); with constraints M. Arnold and O. Brüls (2007).

use isotrope_algebra::{ExprId, OrInternal, Rational};

use super::dirac::impulses;
use super::mechanics::{Point, Writer};
use super::registry::{Capabilities, Entry, Family, Recipe};
use super::{DiscretiseError, UnknownKind};
use isotrope_derive::Written;
use isotrope_derive::reactions;

/// The family.
pub(super) static FAMILY: Family = Family {
    name: "multibody",
    citation: Some(
        "J. Chung, G. M. Hulbert, J. Appl. Mech. 60 (1993), 371-375; M. Arnold, O. Brüls, Multibody Syst. Dyn. 18 (2007), 185-202",
    ),
    capabilities: Capabilities::MECHANICS,
    entries: &[
        Entry {
            name: "generalized-alpha",
            about: "generalized-α (Chung–Hulbert, Arnold–Brüls) with φ(q⁺) = 0, ρ∞ = 4/5; \
                    constraints on velocities with A(q⁺)v⁺ + b = 0",
            recipe: Recipe::Plain(usual),
            ..Entry::BLANK
        },
        Entry {
            name: "generalized-alpha-",
            about: "the same with another spectral radius at infinity: generalized-alpha-0.9",
            recipe: Recipe::Number(with_radius),
            ..Entry::BLANK
        },
    ],
};

fn usual(writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
    // 4/5: the damping of multibody codes; 1 has none, and multipliers oscillate.
    with_radius(writer, &(&Rational::integer(1) - &fraction(1, 5)))
}

fn fraction(numerator: i64, denominator: i64) -> Rational {
    Rational::new(numerator, denominator).or_noticed("the denominator is not zero")
}

/// α_m, α_f, β, γ for a spectral radius at infinity.
struct Parameters {
    mass: Rational,
    force: Rational,
    beta: Rational,
    gamma: Rational,
}

impl Parameters {
    fn new(radius: &Rational) -> Option<Self> {
        let one = Rational::ONE;
        if radius.is_negative() || (&one - radius).is_negative() {
            return None;
        }
        let sum = radius + &one;
        let mass = (&(radius + radius) - &one).checked_div(&sum)?;
        let force = radius.checked_div(&sum)?;
        let half = Rational::new(1, 2)?;
        let gamma = &(&half + &force) - &mass;
        let twice = &gamma + &half;
        let beta = &(&twice * &twice) * &Rational::new(1, 4)?;
        Some(Self { mass, force, beta, gamma })
    }
}

/// q⁺ = q + h v + h²((1/2 − β) a + β a⁺), v⁺ = v + h((1 − γ) a + γ a⁺) with
/// (1 − α_m) a⁺ + α_m a = (1 − α_f) v̇⁺ + α_f v̇ and M v̇⁺ = k + AᵀΛ/h at the end, φ(q⁺) = 0.
///
/// a belongs to the time t + (α_m − α_f) h: so it begins, and the first steps are of order two.
/// The unknowns are u = h a⁺, velocities, and Λ.
fn with_radius(writer: &mut Writer<'_>, radius: &Rational) -> Result<(), DiscretiseError> {
    let Some(parameters) = Parameters::new(radius) else {
        return Err(DiscretiseError::NotApplicable {
            reason: "the spectral radius at infinity is between 0 and 1",
        });
    };
    if writer.rows.written.contains(&Written::Chetaev) {
        return Err(DiscretiseError::NotApplicable {
            reason: "a constraint is nonlinear in the velocities",
        });
    }
    let h = writer.h;
    let here = writer.here();
    let (a, rate) = carried(writer, &parameters)?;
    let names = writer.symbols.names.clone();
    let mut u = Vec::with_capacity(names.len());
    for (i, (name, &a)) in names.iter().zip(&a).enumerate() {
        let guess = writer.pool.mul(h, a);
        u.push(writer.unknown(&format!("{name}'_u"), UnknownKind::Velocity(i), guess));
    }
    let impulses = impulses(writer, h);
    let there = moved(writer, &parameters, &here, &a, &u)?;
    let next_rate = next_rate(writer, &parameters, &u, &a, &rate);
    let next_rate = writer.define("''⁺", next_rate);
    balance(writer, &there, &next_rate, &impulses)?;
    for i in 0..a.len() {
        let next = writer.pool.div(u[i], h);
        writer.keep(a[i], next);
        writer.keep(rate[i], next_rate[i]);
    }
    finish(writer, &here, there, &impulses)
}

/// a and v̇, carried from step to step.
fn carried(
    writer: &mut Writer<'_>,
    parameters: &Parameters,
) -> Result<(Vec<ExprId>, Vec<ExprId>), DiscretiseError> {
    let f = writer.eliminated.acceleration.clone();
    let here = writer.here();
    let shift = &parameters.mass - &parameters.force;
    let shift = writer.pool.scale(&shift, writer.h);
    let ahead = Point {
        q: writer.drifted(&here.q, shift, &here.v),
        v: writer.drifted(&here.v, shift, &f),
        t: writer.pool.add(here.t, shift),
    };
    let start = writer.at(&ahead, &f)?;
    let names = writer.symbols.names.clone();
    let mut a = Vec::with_capacity(f.len());
    let mut rate = Vec::with_capacity(f.len());
    for ((name, start), f) in names.iter().zip(start).zip(f) {
        a.push(writer.remember(&format!("{name}''_a"), start));
        rate.push(writer.remember(&format!("{name}''"), f));
    }
    Ok((a, rate))
}

/// q⁺ and v⁺.
fn moved(
    writer: &mut Writer<'_>,
    parameters: &Parameters,
    here: &Point,
    a: &[ExprId],
    u: &[ExprId],
) -> Result<Point, DiscretiseError> {
    let h = writer.h;
    let Parameters { beta, gamma, .. } = parameters;
    let (half, one) = (fraction(1, 2), Rational::ONE);
    let old = writer.pool.scale(&(&half - beta), h);
    let old = writer.pool.mul(h, old);
    let new = writer.pool.scale(beta, h);
    let q = writer.drifted(&here.q, h, &here.v);
    let q = writer.drifted(&q, old, a);
    let q = writer.drifted(&q, new, u);
    let q = writer.define("⁺", q);
    let old = writer.pool.scale(&(&one - gamma), h);
    let new = writer.pool.number(gamma.clone());
    let v = writer.drifted(&here.v, old, a);
    let v = writer.drifted(&v, new, u);
    let v = writer.define("'⁺", v);
    Ok(Point { q, v, t: writer.later() })
}

/// v̇⁺ = ((1 − α_m) u/h + α_m a − α_f v̇)/(1 − α_f).
fn next_rate(
    writer: &mut Writer<'_>,
    parameters: &Parameters,
    u: &[ExprId],
    a: &[ExprId],
    rate: &[ExprId],
) -> Vec<ExprId> {
    let Parameters { mass, force, .. } = parameters;
    let one = Rational::ONE;
    // 1 − α_f = 1/(1 + ρ) ≥ 1/2.
    let over = (&one - force).recip().unwrap_or(one.clone());
    let (new, old) = (&(&one - mass) * &over, mass * &over);
    let back = &(-force.clone()) * &over;
    (0..u.len())
        .map(|i| {
            let u = writer.pool.div(u[i], writer.h);
            let terms = [(new.clone(), u), (old.clone(), a[i]), (back.clone(), rate[i])];
            let scaled = terms.map(|(factor, x)| writer.pool.scale(&factor, x));
            writer.pool.sum(&scaled)
        })
        .collect()
}

/// h (M v̇⁺ − k) = AᵀΛ, φ(q⁺) = 0, and A v⁺ + b = 0 for constraints on velocities.
fn balance(
    writer: &mut Writer<'_>,
    there: &Point,
    rate: &[ExprId],
    impulses: &[ExprId],
) -> Result<(), DiscretiseError> {
    let h = writer.h;
    let mass = writer.rows_at(there, &writer.dynamics.mass)?;
    let impressed = writer.at(there, &writer.dynamics.impressed)?;
    let a = writer.constraints(there)?;
    let reaction = reactions(&mut writer.pool, rate.len(), &a, impulses);
    for i in 0..rate.len() {
        let mut terms: Vec<ExprId> =
            mass[i].iter().map(|&(j, m)| writer.pool.mul(m, rate[j as usize])).collect();
        terms.push(writer.pool.neg(impressed[i]));
        let sum = writer.pool.sum(&terms);
        let sum = writer.pool.mul(h, sum);
        let difference = writer.pool.sub(sum, reaction[i]);
        writer.residual.push(difference);
    }
    let rows = writer.rows;
    let levels: Vec<ExprId> = (0..rows.len())
        .map(|k| match rows.written[k] {
            Written::Position => rows.expressions[k],
            _ => rows.velocity_level[k],
        })
        .collect();
    let levels = writer.at(there, &levels)?;
    writer.residual.extend(levels);
    Ok(())
}

/// The work by the trapezoidal rule: the power at the end is carried to the next step.
fn finish(
    writer: &mut Writer<'_>,
    here: &Point,
    there: Point,
    impulses: &[ExprId],
) -> Result<(), DiscretiseError> {
    let h = writer.h;
    let multipliers: Vec<ExprId> = impulses.iter().map(|&x| writer.pool.div(x, h)).collect();
    let lambda = writer.multipliers.to_vec();
    let start = writer.work(here, ExprId::ONE, &lambda)?;
    let next = writer.work(&there, ExprId::ONE, &multipliers)?;
    if !start.is_zero() {
        let before = writer.remember("power", start);
        writer.keep(before, next);
        let sum = writer.pool.add(before, next);
        writer.after.work = writer.pool.product(&[ExprId::HALF, h, sum]);
    }
    writer.after.multipliers = multipliers;
    writer.after.momentum = writer.at(&there, &writer.dynamics.momenta)?;
    writer.after.position = there.q;
    writer.after.velocity = there.v;
    Ok(())
}
