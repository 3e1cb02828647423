//! Initial data and regularity at the initial point, by rigorous evaluation.
//!
//! Residuals are enclosed in balls of 256 bits, so "consistent" does not depend on rounding;
//! a rank is proved full by elimination with pivots whose enclosures exclude zero.

mod elimination;
mod point;
mod project;
mod sizes;

pub use elimination::RankAnswer;
pub use point::{Undefined, precision};
pub use project::{ProjectError, Projection, project, trimmed};

use crate::{ConstraintRows, Degenerate, Dynamics, OnStates, System, Written};
use isotrope_algebra::Ball;

pub(crate) use point::Point;

use elimination::SparseMatrix;
use sizes::Sizes;

/// The residuals of one constraint.
#[derive(Debug, Clone)]
pub struct Residual {
    /// The constraint's name.
    pub name: String,
    /// `|phi|` for a constraint on positions, or on states.
    pub position: Option<Ball>,
    /// `|A v + b|`; zero on states, whose rates follow.
    pub velocity: Ball,
    /// How large the terms of both are: what they are compared with.
    pub sizes: [f64; 2],
}

/// A given velocity beside the one that follows from positions.
#[derive(Debug, Clone)]
pub struct VelocityDefect {
    /// The coordinate.
    pub name: String,
    /// By how much they differ.
    pub defect: Ball,
    /// How large velocities of this coordinate are.
    pub size: f64,
}

/// Does the initial point determine the motion?
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Regularity {
    /// The constraints are independent and accelerations and multipliers determined.
    Regular,
    /// The rows of the constraints are dependent at this point.
    DependentConstraints {
        /// Their rank here.
        rank: usize,
        /// Their number.
        of: usize,
    },
    /// The constraints are independent but `[M -A^T; A 0]` is singular at this point.
    SingularInertia,
    /// The enclosures do not decide it.
    Undecided,
    /// Something has no value at this point, see [`Report::undefined`].
    NoValue,
}

/// What is known about the initial data.
#[derive(Debug, Clone)]
pub struct Report {
    /// One entry per constraint.
    pub residuals: Vec<Residual>,
    /// Regularity at the initial point.
    pub regularity: Regularity,
    /// Rank of `A` at the initial point.
    pub rank: usize,
    /// By how much given velocities differ from those that follow from the positions, coordinate by
    /// coordinate; of a Lagrangian that is affine in the velocities, if velocities are given.
    pub velocities: Vec<VelocityDefect>,
    /// The energy there.
    pub energy: Option<Ball>,
    /// What has no value there.
    pub undefined: Vec<Undefined>,
    /// Residuals up to this part of the terms of their constraints count as zero.
    pub tolerance: f64,
}

impl Report {
    /// Are all residuals within the tolerance?
    pub fn is_consistent(&self) -> bool {
        let small = |found: &VelocityDefect| found.defect.to_f64() <= self.tolerance * found.size;
        self.undefined.is_empty()
            && self.residuals.iter().all(|r| r.is_small(self.tolerance))
            && self.velocities.iter().all(small)
    }

    /// The energy, if it has a value.
    pub(crate) fn enter_energy(&mut self, energy: Result<Ball, Undefined>) {
        match energy {
            Ok(energy) => self.energy = Some(energy),
            Err(undefined) => self.undefined.push(undefined),
        }
    }

    /// Consistent, regular, and everything defined?
    pub fn is_good(&self) -> bool {
        self.is_consistent() && self.regularity == Regularity::Regular
    }
}

impl Residual {
    /// Are both levels within the tolerance?
    pub fn is_small(&self, tolerance: f64) -> bool {
        let [position, velocity] = self.sizes;
        let small = |ball: &Ball, size: f64| ball.to_f64().abs() <= tolerance * size;
        self.position.as_ref().is_none_or(|phi| small(phi, position))
            && small(&self.velocity, velocity)
    }
}

/// Checks the initial data of a system.
pub fn check(system: &mut System, tolerance: f64) -> Report {
    match Point::initial(system) {
        Ok(point) => check_at(system, &point, tolerance),
        Err(undefined) => Report {
            residuals: Vec::new(),
            regularity: Regularity::NoValue,
            rank: 0,
            velocities: Vec::new(),
            energy: None,
            undefined: vec![undefined],
            tolerance,
        },
    }
}

fn check_at(system: &System, point: &Point, tolerance: f64) -> Report {
    let mut report = Report {
        residuals: Vec::new(),
        regularity: Regularity::Regular,
        rank: 0,
        velocities: Vec::new(),
        energy: None,
        undefined: Vec::new(),
        tolerance,
    };
    system.mechanics.check(system, point, &mut report);
    if !report.undefined.is_empty() {
        report.regularity = Regularity::NoValue;
    }
    report
}

/// A Lagrangian with masses: constraints on both levels, the energy, the forces, and whether the point
/// determines accelerations and multipliers.
pub(crate) fn of_lagrangian(
    system: &System,
    (dynamics, rows): (&Dynamics, &ConstraintRows),
    point: &Point,
    report: &mut Report,
) {
    let pool = &system.model.pool;
    let aside = rows.redundant.iter();
    let redundant =
        aside.map(|row| (&row.name, Some(row.expression), row.velocity_level, &row.row));
    let independent = (0..rows.len()).map(|a| {
        let on_positions = rows.written[a] == Written::Position;
        let phi = on_positions.then_some(rows.expressions[a]);
        (&rows.names[a], phi, rows.velocity_level[a], &rows.matrix[a])
    });
    let sizes = Sizes::at(system, point);
    for (name, phi, level, row) in independent.chain(redundant) {
        let position = phi
            .map(|phi| point.evaluate_one(pool, phi, || format!("the constraint {name}")))
            .transpose();
        let velocity =
            point.evaluate_one(pool, level, || format!("the constraint {name} on the velocities"));
        let gradient = point.rows(pool, &vec![row.clone()], || format!("the row of {name}"));
        match (position, velocity, gradient) {
            (Ok(position), Ok(velocity), Ok(gradient)) => {
                let sizes = gradient.first().map_or([0.0; 2], |row| {
                    [sizes.of_position(row), sizes.of_velocity(row, &velocity, point)]
                });
                report.residuals.push(Residual {
                    name: name.clone(),
                    position: position.map(|ball| ball.abs()),
                    velocity: velocity.abs(),
                    sizes,
                });
            }
            (Err(undefined), ..) | (_, Err(undefined), _) | (.., Err(undefined)) => {
                report.undefined.push(undefined);
            }
        }
    }
    report.enter_energy(point.evaluate_one(pool, dynamics.energy, || "the energy".into()));
    if let Err(undefined) = point.evaluate(pool, &dynamics.impressed, || "a force".into()) {
        report.undefined.push(undefined);
    }
    match regularity(system, (dynamics, rows), point) {
        Ok((regularity, rank)) => (report.regularity, report.rank) = (regularity, rank),
        Err(undefined) => report.undefined.push(undefined),
    }
}

/// What states satisfy.
pub(crate) fn on_states(
    system: &System,
    (constraints, jacobian): OnStates<'_>,
    point: &Point,
    report: &mut Report,
) {
    let pool = &system.model.pool;
    let rows = match point.rows(pool, jacobian, || "a constraint".into()) {
        Ok(rows) => rows,
        Err(undefined) => return report.undefined.push(undefined),
    };
    let sizes = Sizes::at(system, point);
    for (k, constraint) in constraints.iter().enumerate() {
        let name = format!("c_{}", k + 1);
        match point.evaluate_one(pool, constraint.driven, || format!("the constraint {name}")) {
            Ok(value) => report.residuals.push(Residual {
                name,
                position: Some(value.abs()),
                velocity: Ball::zero(precision()),
                sizes: [rows.get(k).map_or(0.0, |row| sizes.of_position(row)), 0.0],
            }),
            Err(undefined) => report.undefined.push(undefined),
        }
    }
    report.rank = match SparseMatrix::new(rows, system.symbols.dimension()).rank() {
        RankAnswer::Certain(rank) | RankAnswer::AtLeast(rank) => rank,
    };
}

/// A Lagrangian that is affine in the velocities: they follow from the positions, where dϑ is invertible.
pub(crate) fn first_order(system: &System, all: &Degenerate, point: &Point, report: &mut Report) {
    let pool = &system.model.pool;
    let rows = all.form.iter().map(|row| {
        let entries = row.iter().enumerate().filter(|(_, value)| !value.is_zero());
        entries.map(|(j, &value)| (j as u32, value)).collect()
    });
    match point.rows(pool, &rows.collect(), || "the form dϑ".into()) {
        Ok(rows) => {
            let n = system.symbols.dimension();
            report.regularity = match SparseMatrix::new(rows, n).rank() {
                RankAnswer::Certain(rank) | RankAnswer::AtLeast(rank) if rank == n => {
                    Regularity::Regular
                }
                RankAnswer::Certain(_) => Regularity::SingularInertia,
                RankAnswer::AtLeast(_) => Regularity::Undecided,
            };
        }
        Err(undefined) => report.undefined.push(undefined),
    }
    let mut wanted_rates: Vec<(usize, Ball)> = Vec::new();
    for (k, name) in system.symbols.names.iter().enumerate() {
        match point.evaluate_one(pool, all.velocity[k], || format!("the velocity of {name}")) {
            Ok(wanted) if system.model.initial.has_rates => wanted_rates.push((k, wanted)),
            Ok(_) => {}
            Err(_) if report.regularity == Regularity::SingularInertia => {}
            Err(undefined) => report.undefined.push(undefined),
        }
    }
    // A velocity has its own size, or that of the coordinate in the time of the fastest.
    let place = |k: usize| point.position.get(k).map_or(0.0, |q| q.to_f64().abs());
    let rates = wanted_rates.iter().map(|(k, wanted)| wanted.to_f64().abs() / place(*k));
    let fastest = rates.filter(|rate| rate.is_finite()).fold(0.0, f64::max);
    for (k, wanted) in wanted_rates {
        report.velocities.push(VelocityDefect {
            name: system.symbols.names[k].clone(),
            defect: wanted.sub(&point.velocity[k]).abs(),
            size: wanted.to_f64().abs().max(fastest * place(k)),
        });
    }
    report.enter_energy(point.evaluate_one(pool, all.dynamics.energy, || "the energy".into()));
}

fn regularity(
    system: &System,
    (dynamics, rows): (&Dynamics, &ConstraintRows),
    point: &Point,
) -> Result<(Regularity, usize), Undefined> {
    let pool = &system.model.pool;
    let n = system.symbols.dimension();
    let matrix = point.rows(pool, &rows.matrix, || "the constraint matrix A".into())?;
    let mass = point.rows(pool, &dynamics.mass, || "the mass matrix".into())?;
    let of = rows.len();
    let rank = match SparseMatrix::new(matrix.clone(), n).rank() {
        RankAnswer::Certain(rank) if rank < of => {
            return Ok((Regularity::DependentConstraints { rank, of }, rank));
        }
        RankAnswer::Certain(rank) => rank,
        RankAnswer::AtLeast(rank) if rank == of => rank,
        RankAnswer::AtLeast(rank) => return Ok((Regularity::Undecided, rank)),
    };
    let size = n + of;
    let answer = match SparseMatrix::saddle(mass, &matrix).rank() {
        RankAnswer::Certain(found) | RankAnswer::AtLeast(found) if found == size => {
            Regularity::Regular
        }
        RankAnswer::Certain(_) => Regularity::SingularInertia,
        RankAnswer::AtLeast(_) => Regularity::Undecided,
    };
    Ok((answer, rank))
}
