//! Repair of initial data: positions onto the constraints, then velocities.

use crate::{System, Written};
use isotrope_algebra::syntax::parse_expression;
use isotrope_algebra::{Ball, Budget, ExprId, print};

use super::elimination::{Row, SparseMatrix};
use super::point::{Point, Undefined, precision};
use super::sizes::Sizes;
use super::{Report, check_at};

/// Repaired initial data.
#[derive(Debug, Clone)]
pub struct Projection {
    /// Positions as text for a model file; none on a group, where the placement stays as it is.
    pub position: Option<Vec<String>>,
    /// Velocities (momenta of a Hamiltonian model) as text for a model file.
    pub rate: Vec<String>,
    /// Are the rates momenta?
    pub momenta: bool,
    /// Newton steps taken on the positions and on the velocities.
    pub iterations: (usize, usize),
    /// The check of the data as written.
    pub report: Report,
}

/// Why there are no repaired data.
#[derive(Debug, Clone, PartialEq)]
pub enum ProjectError {
    /// Something has no value on the way.
    Undefined(Undefined),
    /// The constraints are dependent or the inertia singular on the way.
    Singular {
        /// Steps taken before.
        iterations: usize,
    },
    /// Newton's method stopped making progress.
    NotConverged {
        /// Steps taken.
        iterations: usize,
        /// The largest residual left.
        residual: f64,
    },
}

impl std::fmt::Display for ProjectError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Undefined(undefined) => undefined.fmt(f),
            Self::Singular { iterations } => write!(
                f,
                "the constraints are dependent, or the inertia singular, after {iterations} steps"
            ),
            Self::NotConverged { iterations, residual } => write!(
                f,
                "Newton's method made no more progress after {iterations} steps; \
                 the largest residual is {residual:.3e}"
            ),
        }
    }
}

impl From<Undefined> for ProjectError {
    fn from(undefined: Undefined) -> Self {
        Self::Undefined(undefined)
    }
}

const STEPS: usize = 60;
const HALVINGS: usize = 30;
/// Far below the 20 digits that are written, relative to the terms of a constraint.
const TARGET: f64 = 1e-40;
/// Changes of a number that are rounding, relative to its size.
const ROUNDING: f64 = 1e-30;
/// Digits written.
const DIGITS: usize = 20;

/// Projects the initial data of a system on its constraints.
///
/// Positions: Newton's method with the shortest step in the metric of the mass matrix.
/// Velocities: the nearest admissible ones in the same metric, which is what an impulsive
/// reaction would do.
pub fn project(system: &mut System, tolerance: f64) -> Result<Projection, ProjectError> {
    let mut point = Point::initial(system)?;
    let original = point.clone();
    let sizes = Sizes::at(system, &point);
    let first = newton(system, &mut point, &sizes, Level::Position)?;
    let second = newton(system, &mut point, &sizes, Level::Velocity)?;
    write_out(system, &original, point, (first, second), tolerance)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Position,
    Velocity,
}

/// Residuals, their sizes, and the rows of the Jacobian at one level.
fn residual(
    system: &System,
    point: &Point,
    level: Level,
) -> Result<(Vec<Ball>, Vec<Row>), Undefined> {
    let pool = &system.model.pool;
    if let (Some((constraints, jacobian)), Level::Position) = (system.mechanics.on_states(), level)
    {
        let list: Vec<ExprId> = constraints.iter().map(|c| c.driven).collect();
        let values = point.evaluate(pool, &list, || "a constraint".into())?;
        let matrix = point.rows(pool, jacobian, || "a constraint".into())?;
        return Ok((values.iter().map(Ball::midpoint).collect(), matrix));
    }
    let Some((_, rows)) = system.mechanics.constrained() else {
        return Ok((Vec::new(), Vec::new()));
    };
    let chosen: Vec<usize> = (0..rows.len())
        .filter(|&a| level == Level::Velocity || rows.written[a] == Written::Position)
        .collect();
    let expressions: Vec<ExprId> = chosen
        .iter()
        .map(|&a| match level {
            Level::Position => rows.expressions[a],
            Level::Velocity => rows.velocity_level[a],
        })
        .collect();
    let values = point.evaluate(pool, &expressions, || "a constraint".into())?;
    let selected = chosen.iter().map(|&a| rows.matrix[a].clone()).collect();
    let matrix = point.rows(pool, &selected, || "the constraint matrix A".into())?;
    Ok((values.iter().map(Ball::midpoint).collect(), matrix))
}

/// The largest residual, relative to the terms of its constraint.
fn largest(values: &[Ball], terms: &[f64]) -> f64 {
    let relative = |(value, size): (&Ball, &f64)| match value.to_f64().abs() {
        0.0 => 0.0,
        value => value / size,
    };
    values.iter().zip(terms).map(relative).fold(0.0, f64::max)
}

/// How large the terms of constraints are at a point; what they leave there counts, too.
fn terms(values: &[Ball], matrix: &[Row], sizes: &Sizes, point: &Point, level: Level) -> Vec<f64> {
    let of = |(value, row): (&Ball, &Row)| {
        let size = match level {
            Level::Position => sizes.of_position(row),
            Level::Velocity => sizes.of_velocity(row, value, point),
        };
        size.max(value.to_f64().abs())
    };
    values.iter().zip(matrix).map(of).collect()
}

fn newton(
    system: &System,
    point: &mut Point,
    sizes: &Sizes,
    level: Level,
) -> Result<usize, ProjectError> {
    let (mut values, mut matrix) = residual(system, point, level)?;
    let terms = terms(&values, &matrix, sizes, point, level);
    let mut size = largest(&values, &terms);
    for iteration in 0..STEPS {
        if size <= TARGET {
            return Ok(iteration);
        }
        let singular = ProjectError::Singular { iterations: iteration };
        let step = shortest_step(system, (point, sizes), &values, &matrix)?.ok_or(singular)?;
        let mut length = Ball::one(precision());
        let mut accepted = false;
        for _ in 0..HALVINGS {
            let mut trial = point.clone();
            let moved = |from: &[Ball]| -> Vec<Ball> {
                from.iter()
                    .zip(&step)
                    .map(|(x, d)| x.add(&d.mul(&length).unwrap_or_else(|_| d.clone())).midpoint())
                    .collect()
            };
            match level {
                Level::Position => {
                    let position = moved(&point.position);
                    trial.set_positions(&system.symbols.position, position);
                }
                Level::Velocity => {
                    let velocity = moved(&point.velocity);
                    trial.set_velocities(&system.symbols.velocity, velocity);
                }
            }
            if let Ok((next, rows)) = residual(system, &trial, level) {
                let next_size = largest(&next, &terms);
                if next_size < size {
                    (values, matrix, size, *point, accepted) = (next, rows, next_size, trial, true);
                    break;
                }
            }
            length = length.shift(-1).unwrap_or(length);
        }
        if !accepted {
            return Err(ProjectError::NotConverged { iterations: iteration, residual: size });
        }
    }
    if size <= TARGET {
        return Ok(STEPS);
    }
    Err(ProjectError::NotConverged { iterations: STEPS, residual: size })
}

/// The shortest `d` with `A d = -values`, in the metric of the mass matrix or, where that
/// does not define one, in units of the sizes of the coordinates.
fn shortest_step(
    system: &System,
    (point, sizes): (&Point, &Sizes),
    values: &[Ball],
    matrix: &[Row],
) -> Result<Option<Vec<Ball>>, Undefined> {
    let n = system.symbols.dimension();
    let mut right = vec![Ball::zero(precision()); n];
    right.extend(values.iter().map(Ball::neg));
    let solved = match system.mechanics.constrained() {
        Some((dynamics, _)) => {
            let mass =
                point.rows(&system.model.pool, &dynamics.mass, || "the mass matrix".into())?;
            SparseMatrix::saddle(mass, matrix).solve(right.clone())
        }
        None => None,
    };
    let solved = solved.or_else(|| {
        let own = (0..n).map(|k| {
            let weight = Ball::from_f64(per_size(sizes, matrix, k), precision());
            Row::from([(k as u32, weight.unwrap_or_else(|| Ball::one(precision())))])
        });
        SparseMatrix::saddle(own.collect(), matrix).solve(right)
    });
    Ok(solved.map(|mut step| {
        step.truncate(n);
        step
    }))
}

/// One over the square of the size of a coordinate. One that has none is as large as the others in the constraint
/// where they are smallest.
fn per_size(sizes: &Sizes, matrix: &[Row], k: usize) -> f64 {
    let own = sizes.position.get(k).copied().unwrap_or(0.0);
    let shared = || {
        let rows = matrix.iter().filter_map(|row| {
            let entry = row.get(&(k as u32))?.to_f64().abs();
            Some(sizes.of_position(row) / entry)
        });
        rows.filter(|size| size.is_normal()).fold(f64::INFINITY, f64::min)
    };
    let size = if own > 0.0 { own } else { shared() };
    let weight = 1.0 / (size * size);
    if weight.is_normal() { weight } else { 1.0 }
}

/// Text for a model file; what did not move keeps the text it had.
fn write_out(
    system: &mut System,
    original: &Point,
    mut point: Point,
    iterations: (usize, usize),
    tolerance: f64,
) -> Result<Projection, ProjectError> {
    let momenta = system.model.system.hamiltonian().is_some();
    let rates = match (system.mechanics.constrained(), &original.momentum) {
        (Some((dynamics, _)), Some(given)) => {
            let new =
                point.evaluate(&system.model.pool, &dynamics.momenta, || "a momentum".into())?;
            (given.clone(), new)
        }
        (_, Some(given)) => (given.clone(), given.clone()),
        (_, None) => (original.velocity.clone(), point.velocity.clone()),
    };
    let initial = system.model.initial.clone();
    let sizes = Sizes::at(system, original);
    let (before, after) = (&original.position, &point.position);
    let (position, q) = texts(system, &initial.position, (before, after), &sizes.position);
    let of_rates = match original.momentum {
        Some(_) => (0..rates.0.len()).map(|i| sizes.momentum(i)).collect(),
        None => sizes.velocity,
    };
    let (rate, r) = texts(system, &initial.rate, (&rates.0, &rates.1), &of_rates);
    point.set_positions(&system.symbols.position, q);
    if !momenta {
        point.set_velocities(&system.symbols.velocity, r);
    }
    let report = check_at(system, &point, tolerance);
    let position = system.model.group.is_none().then_some(position);
    Ok(Projection { position, rate, momenta, iterations, report })
}

/// A decimal without the zeros at its end.
pub fn trimmed(decimal: &str) -> String {
    if decimal.contains('.') && !decimal.contains('e') {
        return decimal.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    decimal.to_owned()
}

fn texts(
    system: &mut System,
    given: &[ExprId],
    (before, after): (&[Ball], &[Ball]),
    sizes: &[f64],
) -> (Vec<String>, Vec<Ball>) {
    let pool = &mut system.model.pool;
    let mut texts = Vec::new();
    let mut values = Vec::new();
    for (k, ((&given, before), after)) in given.iter().zip(before).zip(after).enumerate() {
        let moved = after.sub(before).to_f64().abs();
        let size = sizes.get(k).copied().unwrap_or(0.0).max(before.to_f64().abs());
        if moved <= ROUNDING * size {
            // What is too long to be written is written in decimals, as what has moved.
            if let Ok(text) = print::to_text(pool, given, &mut Budget::new(1_000_000)) {
                let plain = text.parse::<i64>().is_ok();
                texts.push(if plain { text } else { format!("\"{text}\"") });
                values.push(before.clone());
                continue;
            }
        }
        let text = if after.to_f64().abs() < ROUNDING * size.max(moved) {
            "0".to_owned()
        } else {
            trimmed(&after.to_decimal(DIGITS))
        };
        let value = parse_expression(pool, &text)
            .ok()
            .and_then(|id| pool.as_number(id).cloned())
            .map_or_else(|| after.clone(), |number| Ball::from_rational(&number, precision()));
        texts.push(text);
        values.push(value);
    }
    (texts, values)
}
