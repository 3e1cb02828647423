//! Baumgarte's stabilisation: accelerations that pull back to the constraints.

use isotrope_algebra::calculus::SparseRows;
use isotrope_algebra::{ExprId, Rational};

use super::DiscretiseError;
use super::equations::UnknownKind;
use super::mechanics::Writer;
use super::registry::named_table;
use super::registry::{Capabilities, Entry, Family, Recipe};
use super::stages::{Field, Stages};
use isotrope_derive::Written;
use isotrope_derive::{Saddle, reactions};
use isotrope_methods::table::Table;

/// The family.
pub(super) static FAMILY: Family = Family {
    name: "multibody",
    citation: Some("J. Baumgarte, Comput. Methods Appl. Mech. Engrg. 1 (1972), 1-16"),
    capabilities: Capabilities::MECHANICS,
    entries: &[
        Entry {
            name: "baumgarte",
            about: "rk4 with λ from φ'' + 2αφ' + α²φ = 0, α = 5/T, T the time of the motion (J. Baumgarte, 1972)",
            recipe: Recipe::Plain(usual),
            ..Entry::BLANK
        },
        Entry {
            name: "baumgarte-",
            about: "the same with an α in the model's unit of time: baumgarte-20",
            recipe: Recipe::Number(with_rate),
            ..Entry::BLANK
        },
        Entry {
            name: "baumgarte:",
            about: "the same with another Runge–Kutta method, α = 5/T",
            recipe: Recipe::Table(with_method),
            ..Entry::BLANK
        },
    ],
};

/// α in units of 1/time of the motion. A multiple of 1/h would return faster, but stages are off the
/// constraints by O(h²), α²φ would be O(1) there, and the order would be lost.
const RATE: i64 = 5;

/// 5/T.
fn usual_rate(writer: &mut Writer<'_>) -> ExprId {
    let time = writer.size("t", UnknownKind::Time);
    let rate = writer.pool.number(Rational::integer(RATE));
    writer.pool.div(rate, time)
}

fn usual(writer: &mut Writer<'_>) -> Result<(), DiscretiseError> {
    let rate = usual_rate(writer);
    with_rk4(writer, rate)
}

fn with_rate(writer: &mut Writer<'_>, rate: &Rational) -> Result<(), DiscretiseError> {
    if rate.is_negative() {
        return Err(DiscretiseError::NotApplicable {
            reason: "α must not be negative: motions would be pushed off the constraints",
        });
    }
    let rate = writer.pool.number(rate.clone());
    with_rk4(writer, rate)
}

fn with_rk4(writer: &mut Writer<'_>, rate: ExprId) -> Result<(), DiscretiseError> {
    match named_table("rk4", writer.budget)? {
        Some(table) => stabilised(writer, &table, rate),
        None => Err(DiscretiseError::NotApplicable { reason: "there is no rk4 to begin with" }),
    }
}

fn with_method(writer: &mut Writer<'_>, table: &Table) -> Result<(), DiscretiseError> {
    let rate = usual_rate(writer);
    stabilised(writer, table, rate)
}

/// The method on the stabilised field; p is carried with the weights of the momenta.
fn stabilised(writer: &mut Writer<'_>, table: &Table, rate: ExprId) -> Result<(), DiscretiseError> {
    if writer.rows.is_empty() {
        return Err(DiscretiseError::NotApplicable {
            reason: "there are no constraints to stabilise",
        });
    }
    if writer.rows.written.contains(&Written::Chetaev) {
        return Err(DiscretiseError::NotApplicable {
            reason: "a constraint is nonlinear in the velocities",
        });
    }
    let stages = Stages::declare(writer, table)?;
    let field = field(writer, rate);
    let here = writer.here();
    let ended = stages.write(writer, &field, &here)?;
    let momenta = writer.symbols.momentum.clone();
    writer.after.momentum = ended.momenta(writer, &field, &momenta)?;
    writer.after.work = ended.work(writer, &field)?;
    writer.after.position = ended.point.q;
    writer.after.velocity = ended.point.v;
    Ok(())
}

/// M v' = k + Aᵀλ with A v' + c + 2α(A v + b) + α²φ = 0, for constraints on velocities
/// A v' + c + α(A v + b) = 0.
fn field(writer: &mut Writer<'_>, rate: ExprId) -> Field {
    let (rows, dynamics) = (writer.rows, writer.dynamics);
    let pool = &mut writer.pool;
    let square = pool.powi(rate, 2);
    let twice = pool.scale(&Rational::integer(2), rate);
    let curvature: Vec<ExprId> = (0..rows.len())
        .map(|a| {
            let (c, level) = (rows.curvature[a], rows.velocity_level[a]);
            let terms = if rows.written[a] == Written::Position {
                let phi = rows.expressions[a];
                [c, pool.mul(twice, level), pool.mul(square, phi)]
            } else {
                [c, pool.mul(rate, level), ExprId::ZERO]
            };
            pool.sum(&terms)
        })
        .collect();
    let matrix: &SparseRows = &rows.matrix;
    let saddle = Saddle {
        mass: &dynamics.mass,
        constraints: matrix,
        reactions: matrix,
        impressed: &dynamics.impressed,
        curvature: &curvature,
    };
    let (acceleration, multipliers) = saddle.solve(pool);
    let reaction = reactions(pool, acceleration.len(), matrix, &multipliers);
    let momentum_rate = (0..acceleration.len())
        .map(|i| pool.sum(&[dynamics.gradient[i], dynamics.forces[i], reaction[i]]))
        .collect();
    Field { acceleration, momentum_rate, multipliers }
}
