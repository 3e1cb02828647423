//! Runge–Kutta steps on the field with eliminated multipliers, projected onto the constraints.
//!
//! E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, sections IV.4 and V.4.1.

use isotrope_algebra::ExprId;
use isotrope_algebra::calculus::SparseRows;

use super::mechanics::{Point, Writer};
use super::registry::{Capabilities, Entry, Family, InStateSpace, Recipe};
use super::stages::{Field, Stages};
use super::{DiscretiseError, UnknownKind, onto_states};
use isotrope_derive::Written;
use isotrope_methods::table::Table;

/// The family.
pub(super) static FAMILY: Family = Family {
    name: "projection",
    citation: Some(
        "E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration (2006), IV.4 and V.4",
    ),
    capabilities: Capabilities::MECHANICS,
    entries: &[
        Entry {
            name: "project:",
            about: "a Runge–Kutta step, then q⁺ = q + M⁻¹Aᵀμ with φ(q⁺) = 0 and v⁺ = v + M⁻¹Aᵀν \
                    with A(q⁺)v⁺ + b = 0",
            recipe: Recipe::Table(standard),
            capabilities: Some(Capabilities {
                state_space: InStateSpace::Also,
                ..Capabilities::MECHANICS
            }),
            ..Entry::BLANK
        },
        Entry {
            name: "symproject:",
            about: "the same μ and ν before the Runge–Kutta step and after it: symmetric if the \
                    method is",
            recipe: Recipe::Table(symmetric),
            ..Entry::BLANK
        },
    ],
};

/// The step leads off the constraints, and back in the metric of the kinetic energy. Velocities are
/// corrected by a linear solve; the impulses μ of constraints on positions are unknown.
fn standard(writer: &mut Writer<'_>, table: &Table) -> Result<(), DiscretiseError> {
    if writer.state.is_some() {
        return onto_states::write(writer, table);
    }
    refuse_nothing_to_keep(writer)?;
    let stages = Stages::declare(writer, table)?;
    let impulses = unknown_impulses(writer, "μ", &on_positions(writer));
    let field = Field::eliminated(writer);
    let here = writer.here();
    let ended = stages.write(writer, &field, &here)?;
    let mut there = ended.point.clone();
    if !impulses.is_empty() {
        let a = writer.constraints(&there)?;
        let a = chosen(&a, &on_positions(writer));
        let way = writer.accelerated(&there, &a, &impulses)?;
        let moved = writer.drifted(&there.q, ExprId::ONE, &way);
        there.q = writer.define("⁺", moved);
        keep_positions(writer, &there)?;
    }
    let a = writer.constraints(&there)?;
    let b = writer.at(&there, &writer.rows.offset)?;
    let violations = writer.violations(&a, &b, &there.v);
    let change = writer.corrections(&there, &a, &violations)?;
    let corrected = writer.drifted(&there.v, ExprId::ONE, &change);
    there.v = writer.define("'⁺", corrected);
    let work = ended.work(writer, &field)?;
    finish(writer, there, work)
}

/// q̃ = q + (M⁻¹Aᵀ)(q) μ, ṽ = v + (M⁻¹Aᵀ)(q) ν, a step from there to q̂, v̂, and
/// q⁺ = q̂ + (M⁻¹Aᵀ)(q⁺) μ, v⁺ = v̂ + (M⁻¹Aᵀ)(q⁺) ν with φ(q⁺) = 0 and A(q⁺)v⁺ + b = 0.
///
/// q⁺ is a function of itself where there are constraints on positions: (q⁺ − q)/h is unknown.
fn symmetric(writer: &mut Writer<'_>, table: &Table) -> Result<(), DiscretiseError> {
    refuse_nothing_to_keep(writer)?;
    writer.require_quadratic()?;
    let positions = on_positions(writer);
    let h = writer.h;
    let mean = if positions.is_empty() { Vec::new() } else { writer.unknown_velocities("_mean") };
    let stages = Stages::declare(writer, table)?;
    let mu = unknown_impulses(writer, "μ", &positions);
    let all: Vec<usize> = (0..writer.rows.len()).collect();
    let nu = unknown_impulses(writer, "ν", &all);
    let here = writer.here();
    let start = shifted(writer, &here, &here, (&mu, &nu))?;
    let start = Point {
        q: if mu.is_empty() { start.q } else { writer.define("_start", start.q) },
        v: writer.define("'_start", start.v),
        t: start.t,
    };
    let field = Field::eliminated(writer);
    let ended = stages.write(writer, &field, &start)?;
    let mut there = ended.point.clone();
    if !mu.is_empty() {
        let moved = writer.drifted(&here.q, h, &mean);
        there.q = writer.define("⁺", moved);
    }
    let moved = shifted(writer, &ended.point, &there, (&mu, &nu))?;
    if !mu.is_empty() {
        for (&found, wanted) in there.q.iter().zip(moved.q) {
            let difference = writer.pool.sub(found, wanted);
            let difference = writer.pool.div(difference, h);
            writer.residual.push(difference);
        }
        keep_positions(writer, &there)?;
    }
    there.v = writer.define("'⁺", moved.v);
    let a = writer.constraints(&there)?;
    let b = writer.at(&there, &writer.rows.offset)?;
    let violations = writer.violations(&a, &b, &there.v);
    writer.residual.extend(violations);
    let work = ended.work(writer, &field)?;
    finish(writer, there, work)
}

/// A place moved by M⁻¹Aᵀ, taken at another place, times μ and ν.
fn shifted(
    writer: &mut Writer<'_>,
    from: &Point,
    at: &Point,
    (mu, nu): (&[ExprId], &[ExprId]),
) -> Result<Point, DiscretiseError> {
    let all = writer.constraints(at)?;
    let mut moved = from.clone();
    if !mu.is_empty() {
        let a = chosen(&all, &on_positions(writer));
        let way = writer.accelerated(at, &a, mu)?;
        moved.q = writer.drifted(&from.q, ExprId::ONE, &way);
    }
    let change = writer.accelerated(at, &all, nu)?;
    moved.v = writer.drifted(&from.v, ExprId::ONE, &change);
    Ok(moved)
}

fn refuse_nothing_to_keep(writer: &Writer<'_>) -> Result<(), DiscretiseError> {
    if writer.rows.is_empty() {
        return Err(DiscretiseError::NotApplicable {
            reason: "there are no constraints to project onto",
        });
    }
    if writer.rows.written.contains(&Written::Chetaev) {
        return Err(DiscretiseError::NotApplicable {
            reason: "a constraint is nonlinear in the velocities",
        });
    }
    Ok(())
}

/// Which constraints are on positions.
pub(super) fn on_positions(writer: &Writer<'_>) -> Vec<usize> {
    let written = writer.rows.written.iter().enumerate();
    written.filter(|(_, w)| **w == Written::Position).map(|(a, _)| a).collect()
}

/// Some of the rows.
pub(super) fn chosen(rows: &SparseRows, which: &[usize]) -> SparseRows {
    which.iter().filter_map(|&a| rows.get(a).cloned()).collect()
}

/// φ(q⁺) = 0.
pub(super) fn keep_positions(
    writer: &mut Writer<'_>,
    there: &Point,
) -> Result<(), DiscretiseError> {
    let phi: Vec<ExprId> =
        on_positions(writer).into_iter().map(|a| writer.rows.expressions[a]).collect();
    let phi = writer.at(there, &phi)?;
    writer.residual.extend(phi);
    Ok(())
}

/// Unknown impulses for some of the constraints; there are none if nothing has to be corrected.
fn unknown_impulses(writer: &mut Writer<'_>, letter: &str, which: &[usize]) -> Vec<ExprId> {
    let names: Vec<String> =
        which.iter().map(|&a| format!("{letter}_{}", writer.rows.names[a])).collect();
    writer.impulses += names.len();
    names.iter().map(|name| writer.unknown(name, UnknownKind::Impulse, ExprId::ZERO)).collect()
}

fn finish(writer: &mut Writer<'_>, there: Point, work: ExprId) -> Result<(), DiscretiseError> {
    writer.after.momentum = writer.at(&there, &writer.dynamics.momenta)?;
    writer.after.position = there.q;
    writer.after.velocity = there.v;
    writer.after.work = work;
    Ok(())
}
