//! SPARK with the Lobatto tables: the positions by IIIA, momenta and impulses by IIIB.
//!
//! Jay, *Symplectic partitioned Runge–Kutta methods for constrained Hamiltonian systems* (1996), and
//! *Lagrange–d'Alembert SPARK integrators for nonholonomic Lagrangian systems* (2009).

use isotrope_algebra::{ExprId, Rational};

use super::dirac::stage_impulses;
use super::lobatto::{Lobatto, lobatto};
use super::mechanics::{Point, Writer};
use super::registry::{Capabilities, Claim, Entry, Family, Recipe};
use super::{DiscretiseError, UnknownKind};
use isotrope_derive::Written;

/// The family.
pub(super) static FAMILY: Family = Family {
    name: "spark",
    citation: Some("L. O. Jay, SIAM J. Numer. Anal. 33 (1996), 368-387"),
    capabilities: Capabilities { variational: true, ..Capabilities::MECHANICS },
    entries: &[Entry {
        name: "spark-lobatto-",
        about: "Lobatto IIIA–IIIB in q and p with impulses in the stages: φ = 0 in every stage, \
                moments of A v + b vanish, A(q⁺)v⁺ + b = 0",
        recipe: Recipe::Stages { first: 2, last: 5, write: spark },
        claim: Claim::OfStages(|stages| 2 * stages - 2),
        ..Entry::BLANK
    }],
};

/// Q_i = q + h Σ a_ij V_j, L_v(Q_i,V_i) = p + Σ ā_ij G_j with G_j = h (L_q + F)(Q_j,V_j) + A(Q_j)ᵀΛ_j,
/// q⁺ = Q_s, p⁺ = p + Σ b_j G_j. The last impulse acts on p⁺ alone (ā_is = 0) and comes from
/// A(q⁺)v⁺ + b = 0; the others from φ(Q_i) = 0 for i = 2 … s where a constraint is on positions, and
/// from Σ_j b_j c_j^k (A V + b)_j = 0 for k = 0 … s−2 where it is not.
fn spark(writer: &mut Writer<'_>, stages: usize) -> Result<(), DiscretiseError> {
    writer.require_quadratic()?;
    writer.evaluations = super::stages::count(stages);
    let table = lobatto(stages, writer.digits, writer.budget)?;
    let start = writer.here();
    let implicit = writer.coupled || writer.varying_mass;
    let found = if implicit {
        by_velocities(writer, &table, &start)?
    } else {
        by_positions(writer, &table, &start)?
    };
    close(writer, &table, &found.points)?;
    finish(writer, &table, &found)
}

/// Stages with their impulses.
struct Stages {
    points: Vec<Point>,
    /// Λ_j in every stage but the last.
    impulses: Vec<Vec<ExprId>>,
    /// G_j in every stage but the last.
    pushes: Vec<Vec<ExprId>>,
}

/// All velocities of stages are unknown.
fn by_velocities(
    writer: &mut Writer<'_>,
    table: &Lobatto,
    start: &Point,
) -> Result<Stages, DiscretiseError> {
    let stages = table.nodes.len();
    let velocities: Vec<Vec<ExprId>> = (0..stages)
        .map(|i| stage_velocities(writer, &table.nodes[i], &format!("_{}", i + 1)))
        .collect();
    let impulses = all_impulses(writer, stages);
    let mut points = Vec::with_capacity(stages);
    for i in 0..stages {
        let moved = combined(writer, &start.q, &table.a[i], &velocities, true);
        points.push(place(writer, table, start, i, moved, velocities[i].clone()));
    }
    let mut found = Stages { points, impulses, pushes: Vec::new() };
    for j in 0..stages - 1 {
        push(writer, &mut found, j)?;
    }
    let p = writer.symbols.momentum.clone();
    for i in 0..stages {
        let wanted = combined(writer, &p, &table.abar[i], &found.pushes, false);
        let have = writer.at(&found.points[i], &writer.dynamics.momenta)?;
        for (have, wanted) in have.into_iter().zip(wanted) {
            let difference = writer.pool.sub(have, wanted);
            writer.residual.push(difference);
        }
    }
    Ok(found)
}

/// With a constant mass matrix and forces of positions alone the velocities are functions of the
/// positions of the inner stages, which are unknown as W_i = (Q_i − q)/h, and of the impulses.
fn by_positions(
    writer: &mut Writer<'_>,
    table: &Lobatto,
    start: &Point,
) -> Result<Stages, DiscretiseError> {
    let stages = table.nodes.len();
    let ways: Vec<Vec<ExprId>> = (1..stages - 1)
        .map(|i| stage_velocities(writer, &table.nodes[i], &format!("_{}", i + 1)))
        .collect();
    let impulses = all_impulses(writer, stages);
    let mut points = Vec::with_capacity(stages);
    points.push(start.clone());
    for (i, way) in (1..).zip(&ways) {
        let moved = writer.drifted(&start.q, writer.h, way);
        points.push(place(writer, table, start, i, moved, start.v.clone()));
    }
    let mut found = Stages { points, impulses, pushes: Vec::new() };
    for j in 0..stages - 1 {
        push(writer, &mut found, j)?;
    }
    let p = writer.symbols.momentum.clone();
    let mut velocities = Vec::with_capacity(stages);
    for i in 0..stages {
        let momenta = combined(writer, &p, &table.abar[i], &found.pushes, false);
        let (v, _) = writer.velocities(start, &momenta, &Vec::new(), &[])?;
        velocities.push(writer.define(&format!("'_{}", i + 1), v));
    }
    let moved = combined(writer, &start.q, &table.a[stages - 1], &velocities, true);
    let last = place(writer, table, start, stages - 1, moved, start.v.clone());
    found.points.push(last);
    for (point, v) in found.points.iter_mut().zip(&velocities) {
        point.v.clone_from(v);
    }
    let nothing = vec![ExprId::ZERO; p.len()];
    for (way, row) in ways.iter().zip(&table.a[1..]) {
        let mean = combined(writer, &nothing, row, &velocities, false);
        for (&way, mean) in way.iter().zip(mean) {
            let difference = writer.pool.sub(way, mean);
            writer.residual.push(difference);
        }
    }
    Ok(found)
}

/// Unknown velocities of a stage, told by a mark in the names. The guess is v and a difference to it that is extrapolated from
/// the last two steps; c h v' at the start.
pub(super) fn stage_velocities(
    writer: &mut Writer<'_>,
    node: &Rational,
    mark: &str,
) -> Vec<ExprId> {
    let symbols = writer.symbols;
    let ahead = writer.pool.scale(node, writer.h);
    let accelerations = writer.eliminated.acceleration.clone();
    let mut unknowns = Vec::with_capacity(accelerations.len());
    let named = symbols.names.iter().zip(&symbols.velocity).zip(accelerations).enumerate();
    for (i, ((name, &v), f)) in named {
        let start = writer.pool.mul(ahead, f);
        let last = writer.remember(&format!("{name}'{mark}⁻"), start);
        let before = writer.remember(&format!("{name}'{mark}⁻⁻"), start);
        let minus = writer.pool.neg(before);
        let guess = writer.pool.sum(&[v, last, last, minus]);
        let symbol = writer.unknown(&format!("{name}'{mark}"), UnknownKind::Velocity(i), guess);
        let difference = writer.pool.sub(symbol, v);
        writer.keep(last, difference);
        writer.keep(before, last);
        unknowns.push(symbol);
    }
    unknowns
}

fn all_impulses(writer: &mut Writer<'_>, stages: usize) -> Vec<Vec<ExprId>> {
    let h = writer.h;
    (1..stages).map(|j| stage_impulses(writer, h, &format!("_{j}"))).collect()
}

/// base + Σ row_j values_j, times h where it is asked for.
fn combined(
    writer: &mut Writer<'_>,
    base: &[ExprId],
    row: &[Rational],
    values: &[Vec<ExprId>],
    by_step: bool,
) -> Vec<ExprId> {
    let factors: Vec<ExprId> = row
        .iter()
        .map(|weight| {
            let factor = if by_step { writer.h } else { ExprId::ONE };
            writer.pool.scale(weight, factor)
        })
        .collect();
    (0..base.len())
        .map(|i| {
            let parts = factors.iter().zip(values).filter(|(factor, _)| !factor.is_zero());
            let mut terms: Vec<ExprId> =
                parts.map(|(&factor, value)| writer.pool.mul(factor, value[i])).collect();
            terms.push(base[i]);
            writer.pool.sum(&terms)
        })
        .collect()
}

/// The place of a stage; the first is the beginning of the step.
fn place(
    writer: &mut Writer<'_>,
    table: &Lobatto,
    start: &Point,
    stage: usize,
    moved: Vec<ExprId>,
    v: Vec<ExprId>,
) -> Point {
    let ahead = writer.pool.scale(&table.nodes[stage], writer.h);
    let t = writer.pool.add(start.t, ahead);
    let q =
        if stage == 0 { start.q.clone() } else { writer.define(&format!("_{}", stage + 1), moved) };
    Point { q, v, t }
}

/// G of a stage.
fn push(writer: &mut Writer<'_>, found: &mut Stages, stage: usize) -> Result<(), DiscretiseError> {
    let h = writer.h;
    let point = &found.points[stage];
    let driving = writer.driving(point)?;
    let rows = writer.constraints(point)?;
    let nothing = vec![ExprId::ZERO; driving.len()];
    let pushed = writer.kicked(&nothing, h, &driving, &rows, &found.impulses[stage]);
    found.pushes.push(writer.define(&format!("_G{}", stage + 1), pushed));
    Ok(())
}

/// What the impulses have to bring about.
fn close(
    writer: &mut Writer<'_>,
    table: &Lobatto,
    points: &[Point],
) -> Result<(), DiscretiseError> {
    let rows = writer.rows;
    let on_positions = |row: usize| rows.written[row] == Written::Position;
    let of_kind = |kind: bool| -> Vec<usize> {
        (0..rows.len()).filter(|&r| on_positions(r) == kind).collect()
    };
    let positions: Vec<ExprId> =
        of_kind(true).into_iter().map(|row| rows.expressions[row]).collect();
    for point in &points[1..] {
        let phi = writer.at(point, &positions)?;
        writer.residual.extend(phi);
    }
    let others = of_kind(false);
    if others.is_empty() {
        return Ok(());
    }
    let mut rates = Vec::with_capacity(points.len());
    for point in points {
        let all = writer.rates(point)?;
        rates.push(others.iter().map(|&row| all[row]).collect::<Vec<ExprId>>());
    }
    let nothing = vec![ExprId::ZERO; others.len()];
    for power in 0..points.len() - 1 {
        let moments: Vec<Rational> = table
            .b
            .iter()
            .zip(&table.nodes)
            .map(|(weight, node)| (0..power).fold(weight.clone(), |product, _| &product * node))
            .collect();
        let sums = combined(writer, &nothing, &moments, &rates, false);
        writer.residual.extend(sums);
    }
    Ok(())
}

fn finish(writer: &mut Writer<'_>, table: &Lobatto, found: &Stages) -> Result<(), DiscretiseError> {
    let Some((end, inner)) = found.points.split_last() else { return Ok(()) };
    let Some((last_weight, weights)) = table.b.split_last() else { return Ok(()) };
    let p = writer.symbols.momentum.clone();
    let pushed = combined(writer, &p, weights, &found.pushes, false);
    let driving = writer.driving(end)?;
    let factor = writer.pool.scale(last_weight, writer.h);
    let kicked = writer.kicked(&pushed, factor, &driving, &Vec::new(), &[]);
    let a = writer.constraints(end)?;
    let b = writer.at(end, &writer.rows.offset)?;
    let (v, impulses) = writer.velocities(end, &kicked, &a, &b)?;
    let v = writer.define("'⁺", v);
    let mut work = vec![writer.work(end, factor, &impulses)?];
    for ((point, weight), impulses) in inner.iter().zip(weights).zip(&found.impulses) {
        let factor = writer.pool.scale(weight, writer.h);
        let weighted: Vec<ExprId> =
            impulses.iter().map(|&x| writer.pool.scale(weight, x)).collect();
        work.push(writer.work(point, factor, &weighted)?);
    }
    writer.after.work = writer.pool.sum(&work);
    let there = Point { v: v.clone(), ..end.clone() };
    writer.after.momentum = writer.at(&there, &writer.dynamics.momenta)?;
    writer.after.position = there.q;
    writer.after.velocity = v;
    Ok(())
}
