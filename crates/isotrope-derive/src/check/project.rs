//! Repair of initial data: positions onto the constraints, then velocities.

use crate::{System, Written};
use isotrope_algebra::syntax::parse_expression;
use isotrope_algebra::{Ball, Budget, ExprId, print};

use super::elimination::{Row, SparseMatrix};
use super::point::{Point, Undefined, precision};
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
/// Far below the 20 digits that are written.
const TARGET: f64 = 1e-40;
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
    let first = newton(system, &mut point, Level::Position)?;
    let second = newton(system, &mut point, Level::Velocity)?;
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
    if let (Some(descriptor), Level::Position) = (system.mechanics.descriptor(), level) {
        let list: Vec<ExprId> = descriptor.constraints.iter().map(|c| c.driven).collect();
        let values = point.evaluate(pool, &list, || "a constraint".into())?;
        let matrix = point.rows(pool, &descriptor.jacobian, || "a constraint".into())?;
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

fn largest(values: &[Ball]) -> f64 {
    values.iter().map(|value| value.to_f64().abs()).fold(0.0, f64::max)
}

fn newton(system: &System, point: &mut Point, level: Level) -> Result<usize, ProjectError> {
    let (mut values, mut matrix) = residual(system, point, level)?;
    let mut size = largest(&values);
    for iteration in 0..STEPS {
        if size <= TARGET {
            return Ok(iteration);
        }
        let singular = ProjectError::Singular { iterations: iteration };
        let step = shortest_step(system, point, &values, &matrix)?.ok_or(singular)?;
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
                let next_size = largest(&next);
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
/// does not define one, of the coordinates.
fn shortest_step(
    system: &System,
    point: &Point,
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
        let unit = (0..n).map(|k| Row::from([(k as u32, Ball::one(precision()))])).collect();
        SparseMatrix::saddle(unit, matrix).solve(right)
    });
    Ok(solved.map(|mut step| {
        step.truncate(n);
        step
    }))
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
    let (position, q) = texts(system, &initial.position, &original.position, &point.position);
    let (rate, r) = texts(system, &initial.rate, &rates.0, &rates.1);
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
    before: &[Ball],
    after: &[Ball],
) -> (Vec<String>, Vec<Ball>) {
    let pool = &mut system.model.pool;
    let mut texts = Vec::new();
    let mut values = Vec::new();
    for ((&given, before), after) in given.iter().zip(before).zip(after) {
        let moved = after.sub(before).to_f64().abs();
        if moved <= 1e-30 * (1.0 + before.to_f64().abs()) {
            // What is too long to be written is written in decimals, as what has moved.
            if let Ok(text) = print::to_text(pool, given, &mut Budget::new(1_000_000)) {
                let plain = text.parse::<i64>().is_ok();
                texts.push(if plain { text } else { format!("\"{text}\"") });
                values.push(before.clone());
                continue;
            }
        }
        let text = if after.to_f64().abs() < 1e-30 {
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
