//! The integrators of the discrete Dirac structure.

use isotrope_algebra::ExprId;
use isotrope_algebra::calculus::SparseRows;

use super::mechanics::{Point, Writer};
use super::registry::{Capabilities, Claim, Entry, Family, Recipe, Theory};
use super::{DiscretiseError, Pair, UnknownKind, dirac_repaired};
use isotrope_methods::classes::DiracScheme;

/// The family.
pub(super) static FAMILY: Family = Family {
    name: "dirac",
    citation: Some(
        "D. Loziienko, Intégrateur préservant la structure de Dirac pour les systèmes mécaniques non holonomes (slides, 2020)",
    ),
    capabilities: Capabilities::MECHANICS,
    entries: &[
        Entry {
            name: "dirac-1",
            about: "L_v(q,v) = p + h (L_q + F)(q,v) + AᵀΛ, A v + b = 0, q⁺ = q + h v, p⁺ = L_v(q,v)",
            recipe: Recipe::Plain(first),
            theory: Theory::Expansion(DiracScheme::First),
            ..Entry::BLANK
        },
        Entry {
            name: "dirac-2",
            about: "the same with q⁺ = q₋ + 2h v, as published; one step of dirac-1 to begin with",
            recipe: Recipe::Plain(second),
            theory: Theory::Expansion(DiracScheme::Second),
            claim: Claim::Order(2),
            ..Entry::BLANK
        },
        Entry {
            name: "dirac-1-position",
            about: "dirac-1 with φ(q⁺) = 0 in place of A v + b = 0",
            recipe: Recipe::Plain(first_position),
            theory: Theory::Expansion(DiracScheme::FirstPosition),
            ..Entry::BLANK
        },
        Entry {
            name: "dirac-2-repaired",
            about: "L_v(q⁺,v⁺) = L_v(q₋,v₋) + 2h (L_q + F)(q,v) + AᵀΛ, A(q⁺)v⁺ + b = 0, \
                    q⁺ = q₋ + 2h v; weakly unstable",
            recipe: Recipe::Plain(dirac_repaired::second_repaired),
            theory: Theory::Expansion(DiracScheme::SecondRepaired),
            ..Entry::BLANK
        },
        Entry {
            name: "dirac-rk",
            about: "dirac-1 with q⁺ = q + h/6 (f₁ + 2f₂ + 2f₃ + f₄) of the published stages, which \
                    coincide",
            recipe: Recipe::Plain(runge_kutta),
            claim: Claim::Order(4),
            ..Entry::BLANK
        },
    ],
};

/// What both forms share: the place (q, v) with v unknown where the forces depend on it, the
/// constraints there and p + h (L_q + F).
struct Kick {
    /// v: symbols of unknowns where L_q + F depends on them, the old velocities elsewhere.
    point: Point,
    /// Positions of the unknowns among the velocities.
    implicit: Vec<usize>,
    a: SparseRows,
    momenta: Vec<ExprId>,
}

/// From where a velocity leads to the next position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Steps {
    /// From the last one.
    One,
    /// From the one before.
    Two,
    /// From the last one, by the stages of the published Dirac–Runge–Kutta method.
    Stages,
}

fn kick(writer: &mut Writer<'_>) -> Result<Kick, DiscretiseError> {
    writer.require_quadratic()?;
    let mut point = writer.here();
    let driving = writer.driving(&point)?;
    let below = writer.pool.reachable(&driving);
    let implicit: Vec<usize> =
        (0..point.v.len()).filter(|&i| below.binary_search(&point.v[i]).is_ok()).collect();
    for &i in &implicit {
        let name = format!("{}'⁺", writer.symbols.names[i]);
        point.v[i] = writer.unknown(&name, UnknownKind::Velocity(i), writer.symbols.velocity[i]);
    }
    let driving = writer.driving(&point)?;
    let a = writer.constraints(&point)?;
    let (h, p) = (writer.h, writer.symbols.momentum.clone());
    let momenta = writer.kicked(&p, h, &driving, &Vec::new(), &[]);
    Ok(Kick { point, implicit, a, momenta })
}

fn first(writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
    velocity_form(writer, Steps::One)
}

fn second(writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
    velocity_form(writer, Steps::Two)
}

fn runge_kutta(writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
    velocity_form(writer, Steps::Stages)
}

/// L_v(q,v) = p + h (L_q + F)(q,v) + AᵀΛ, A v + b = 0: linear in v and Λ but for v in L_q + F.
///
/// Over two steps q⁺ = q₋ + 2h v, as published for order two: it is of order one.
fn velocity_form(writer: &mut Writer<'_>, steps: Steps) -> Result<(), DiscretiseError> {
    let kick = kick(writer)?;
    let b = writer.rows.offset.clone();
    let (v, lambda) = writer.velocities(&kick.point, &kick.momenta, &kick.a, &b)?;
    let next: Vec<ExprId> = kick.implicit.iter().map(|&i| v[i]).collect();
    for (k, &value) in next.iter().enumerate() {
        let symbol = writer.unknowns[k].symbol;
        let difference = writer.pool.sub(symbol, value);
        writer.residual.push(difference);
    }
    if !next.is_empty() {
        writer.fixed_point = Some(next);
    }
    let v = writer.define("'°", v);
    let moved = match steps {
        Steps::One => writer.drifted(&kick.point.q, writer.h, &v),
        Steps::Two => over_two_steps(writer, &v),
        Steps::Stages => by_stages(writer)?,
    };
    finish(writer, v, lambda, &kick, moved)
}

/// q₋ + 2h v, in the first step q + h v: with s = 0 there and 1 later, q + h v + s (q₋ − q + h v).
fn over_two_steps(writer: &mut Writer<'_>, v: &[ExprId]) -> Vec<ExprId> {
    let h = writer.h;
    let later = writer.remember("s", ExprId::ZERO);
    writer.keep(later, ExprId::ONE);
    let (q, names) = (writer.symbols.position.clone(), writer.symbols.names.clone());
    let moved = writer.drifted(&q, h, v);
    q.iter()
        .zip(v)
        .zip(names.iter().zip(moved))
        .map(|((&q, &v), (name, moved))| {
            let before = writer.remember(&format!("{name}⁻"), q);
            writer.keep(before, q);
            let way = writer.pool.mul(h, v);
            let back = writer.pool.neg(q);
            let rest = writer.pool.sum(&[before, back, way]);
            let rest = writer.pool.mul(later, rest);
            writer.pool.add(moved, rest)
        })
        .collect()
}

/// q + h/6 (f₁ + 2f₂ + 2f₃ + f₄) with f₁ = q'(q,p) and f_{i+1} = q'(Q, L_v(Q, f_i)) at
/// Q = q + a_i h f_i, a = ½, ½, 1, where v = q'(q,p) inverts p = L_v(q,v).
///
/// As published; so f_{i+1} = f_i, and this is q + h f₁.
fn by_stages(writer: &mut Writer<'_>) -> Result<Vec<ExprId>, DiscretiseError> {
    let (h, here) = (writer.h, writer.here());
    let half = writer.pool.mul(ExprId::HALF, h);
    let (sixth, third) = (writer.pool.ratio(1, 6), writer.pool.ratio(1, 3));
    let (mut place, mut momenta) = (here.clone(), writer.symbols.momentum.clone());
    let mut moved = here.q.clone();
    let ahead = [Some(half), Some(half), Some(h), None];
    for (number, (weight, ahead)) in [sixth, third, third, sixth].into_iter().zip(ahead).enumerate()
    {
        let (f, _) = writer.velocities(&place, &momenta, &Vec::new(), &[])?;
        let f = writer.define(&format!("'_{}", number + 1), f);
        let weight = writer.pool.mul(weight, h);
        moved = writer.drifted(&moved, weight, &f);
        let Some(ahead) = ahead else { break };
        let q = writer.drifted(&here.q, ahead, &f);
        let q = writer.define(&format!("_{}", number + 1), q);
        place = Point { q, v: f, t: writer.pool.add(here.t, ahead) };
        momenta = writer.at(&place, &writer.dynamics.momenta)?;
    }
    Ok(moved)
}

/// The same with φ(q + h v, t + h) = 0: the multipliers are unknown.
fn first_position(writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
    if writer.rows.is_empty() || !writer.rows.all_holonomic() {
        return Err(DiscretiseError::NotApplicable {
            reason: "it needs constraints, all of them on positions",
        });
    }
    let kick = kick(writer)?;
    let multipliers = impulses(writer, writer.h);
    let zeros = vec![ExprId::ZERO; kick.momenta.len()];
    let momenta = writer.kicked(&kick.momenta, ExprId::ONE, &zeros, &kick.a, &multipliers);
    let (v, _) = writer.velocities(&kick.point, &momenta, &Vec::new(), &[])?;
    for (k, &i) in kick.implicit.iter().enumerate() {
        let symbol = writer.unknowns[k].symbol;
        let difference = writer.pool.sub(symbol, v[i]);
        writer.residual.push(difference);
    }
    let v = writer.define("'°", v);
    let moved = writer.drifted(&kick.point.q, writer.h, &v);
    finish(writer, v, multipliers.clone(), &kick, moved)?;
    let (q, t) = (writer.after.position.clone(), writer.later());
    let there = Point { v: kick.point.v.clone(), q, t };
    let phi = writer.at(&there, &writer.rows.expressions)?;
    writer.residual.extend(phi);
    Ok(())
}

/// Unknown impulses Λ, one for each constraint, with the last ones as a guess; `factor` λ at the
/// start.
pub(super) fn impulses(writer: &mut Writer<'_>, factor: ExprId) -> Vec<ExprId> {
    stage_impulses(writer, factor, "")
}

/// The same for one of several stages, told by a mark in the names.
pub(super) fn stage_impulses(writer: &mut Writer<'_>, factor: ExprId, mark: &str) -> Vec<ExprId> {
    let start = writer.multipliers.to_vec();
    let names = writer.rows.names.clone();
    let mut symbols = Vec::with_capacity(names.len());
    for (name, lambda) in names.iter().zip(start) {
        let impulse = writer.pool.mul(factor, lambda);
        let last = writer.remember(&format!("Λ_{name}{mark}⁻"), impulse);
        let before = writer.remember(&format!("Λ_{name}{mark}⁻⁻"), impulse);
        let change = writer.pool.sub(last, before);
        let guess = writer.pool.add(last, change);
        let symbol = writer.unknown(&format!("Λ_{name}{mark}"), UnknownKind::Impulse, guess);
        writer.keep(last, symbol);
        writer.keep(before, last);
        symbols.push(symbol);
    }
    writer.impulses += symbols.len();
    symbols
}

/// q⁺ as given, p⁺ = L_v(q, v), v⁺ from p⁺ at q⁺; errors belong to (q, v).
fn finish(
    writer: &mut Writer<'_>,
    v: Vec<ExprId>,
    impulses: Vec<ExprId>,
    kick: &Kick,
    moved: Vec<ExprId>,
) -> Result<(), DiscretiseError> {
    let h = writer.h;
    let q = writer.symbols.position.clone();
    let q_next = writer.define("⁺", moved);
    let here = Point { v: v.clone(), ..kick.point.clone() };
    let momenta = writer.at(&here, &writer.dynamics.momenta)?;
    let p_next = writer.define("_p⁺", momenta);
    let later = writer.later();
    let there = Point { q: q_next.clone(), v: v.clone(), t: later };
    let v_next = if writer.varying_mass {
        writer.velocities(&there, &p_next, &Vec::new(), &[])?.0
    } else {
        v.clone()
    };
    writer.after.work = writer.work(&here, h, &impulses)?;
    writer.after.multipliers = impulses.iter().map(|&x| writer.pool.div(x, h)).collect();
    writer.after.position = q_next;
    writer.after.velocity = v_next;
    writer.after.momentum = p_next;
    writer.pair = Some(Pair {
        position: q,
        velocity: v,
        momentum: writer.symbols.momentum.clone(),
        time: writer.symbols.time,
        work: ExprId::ZERO,
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use isotrope_algebra::calculus::{Substitution, substitute};
    use isotrope_algebra::normal::{Zero, is_zero};
    use isotrope_algebra::{Budget, Rational};
    use isotrope_model::{ModelText, parse_model};

    use super::super::{EquationScheme, discretise};
    use isotrope_derive::derive;

    /// The known deficiency of the published method: a theorem about any Lagrangian, here with a
    /// mass matrix that varies.
    #[test]
    fn stages_of_dirac_runge_kutta_coincide() {
        let file = r#"
            coordinates = ["x", "y", "theta"]
            parameters = { m = 2, a = 3, J = 5 }
            lagrangian.L = """m/2*(x'^2 + y'^2) + (J + m*a^2)/2*theta'^2
                + m*a*theta'*(y'*cos(theta) - x'*sin(theta)) - x*y"""
            constraints.blade = "sin(theta)*x' - cos(theta)*y' = 0"
            initial.position = { x = 1, y = 2, theta = 0 }
            initial.velocity = { x = 1, y = 0, theta = 1 }
        "#;
        let model = parse_model(&ModelText::new("sleigh.toml", file.as_bytes())).unwrap();
        let budget = &mut Budget::new(100_000_000);
        let system = derive(model, budget).unwrap();
        let scheme = EquationScheme::named("dirac-rk", budget).unwrap().unwrap();
        let step = "1/10".parse::<Rational>().unwrap();
        let mut equations = discretise(&system, &scheme, &step, budget).unwrap();
        let definitions: Vec<_> = equations.definitions.iter().flatten().copied().collect();
        let pool = &mut equations.pool;
        let stage = |pool: &isotrope_algebra::Pool, number: usize| -> Vec<_> {
            let mark = format!("'_{number}");
            let named = |symbol| pool.name_of(symbol).is_some_and(|name| name.ends_with(&mark));
            definitions.iter().map(|d| d.symbol).filter(|&symbol| named(symbol)).collect()
        };
        let first = stage(pool, 1);
        assert_eq!(first.len(), 3);
        // f₁ stays a symbol.
        let unfolded = definitions.iter().rev().filter(|d| !first.contains(&d.symbol));
        for number in 2..=4 {
            for (other, &first) in stage(pool, number).into_iter().zip(&first) {
                let mut difference = pool.sub(other, first);
                for definition in unfolded.clone() {
                    let map = Substitution::from_iter([(definition.symbol, definition.value)]);
                    difference = substitute(pool, &[difference], &map, budget).unwrap()[0];
                }
                assert_eq!(is_zero(pool, difference, budget), Zero::Yes);
            }
        }
    }
}
