//! Initial values onto the constraints, in double precision: positions first, then velocities.
//!
//! Newton's method with the shortest step in the metric of the mass matrix M, which for velocities is what an
//! impulsive reaction does: with M = L Lᵀ and B = A L⁻ᵀ the step is L⁻ᵀ y, y the shortest solution of
//! B y = −φ. Rows that depend on those before are left out. Without masses the sizes of coordinates are the metric.

use isotrope_tape::interpret::{Scratch, step};

use super::compiled::Compiled;
use crate::stepper::Scales;

/// Steps of Newton's method at each level.
const STEPS: usize = 60;
/// Rows whose new part is smaller than this depend on those before.
const DEPENDENT: f64 = 1e-9;
/// What is left of a constraint, in roundings of its terms.
const ROUNDINGS: f64 = 64.0;

/// Initial values that Newton's method does not bring onto the constraints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Newton's method finds no values nearby that satisfy the constraints on {level}")]
pub struct NotProjected {
    /// `positions` or `velocities`.
    pub level: &'static str,
}

/// Projects a state in which q, v and t are filled in.
pub fn project(
    compiled: &Compiled,
    state: &mut [f64],
    parameters: &[f64],
) -> Result<(), NotProjected> {
    let mut point = Projector { compiled, parameters, state: state.to_vec() };
    let layout = compiled.stepper.layout;
    compiled.stepper.scaling.fill(&mut point.state, parameters);
    // On groups positions are rotations, which are given as such.
    if compiled.stepper.rotations.is_empty() {
        point.newton(Level::Position).ok_or(NotProjected { level: "positions" })?;
    }
    point.newton(Level::Velocity).ok_or(NotProjected { level: "velocities" })?;
    let moving = layout.moving();
    state[..moving].copy_from_slice(&point.state[..moving]);
    Ok(())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Position,
    Velocity,
}

struct Projector<'a> {
    compiled: &'a Compiled,
    parameters: &'a [f64],
    state: Vec<f64>,
}

impl Projector<'_> {
    /// The slots that a level moves.
    fn moving(&self, level: Level) -> std::ops::Range<usize> {
        let layout = self.compiled.stepper.layout;
        match level {
            Level::Position => 0..layout.dimension,
            Level::Velocity => layout.dimension..layout.moving(),
        }
    }

    /// The residuals of a level.
    fn residual(&self, level: Level, state: &[f64]) -> Option<Vec<f64>> {
        let (layout, program) = (self.compiled.stepper.layout, &self.compiled.stepper.levels);
        let size = layout.size() as usize;
        let mut extended: Vec<f64> = state.iter().copied().take(size).collect();
        extended.resize(program.state as usize, 0.0);
        let end = step(program, &mut extended, self.parameters, &mut Scratch::new(program));
        end.is_complete().then_some(())?;
        let mut positions = extended.split_off(size);
        let velocities = positions.split_off(positions.len().checked_sub(layout.constraints)?);
        Some(if level == Level::Position { positions } else { velocities })
    }

    /// Rows of the Jacobian of a level by central differences, which are exact for the linear level of velocities.
    fn jacobian(&self, level: Level, sizes: &[f64]) -> Option<Vec<Vec<f64>>> {
        let columns = self.moving(level).zip(sizes).map(|(slot, size)| {
            let by = match level {
                Level::Position => f64::EPSILON.cbrt() * size,
                Level::Velocity => *size,
            };
            let at = |by: f64| {
                let mut state = self.state.clone();
                state[slot] += by;
                self.residual(level, &state)
            };
            let pairs = at(by)?.into_iter().zip(at(-by)?);
            Some(pairs.map(|(there, back)| (there - back) / (2.0 * by)).collect::<Vec<f64>>())
        });
        let columns = columns.collect::<Option<Vec<_>>>()?;
        let rows = columns.first().map_or(0, Vec::len);
        Some((0..rows).map(|a| columns.iter().map(|column| column[a]).collect()).collect())
    }

    /// The lower triangle L with M = L Lᵀ; of the sizes, where that is not positive.
    fn metric(&self, sizes: &[f64]) -> Vec<Vec<f64>> {
        self.mass().and_then(|mass| cholesky(&mass)).unwrap_or_else(|| {
            let entry = |i: usize, j: usize| if i == j { 1.0 / sizes[i] } else { 0.0 };
            let n = sizes.len();
            (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
        })
    }

    /// M = ∂p/∂v, by differences of momenta.
    fn mass(&self) -> Option<Vec<Vec<f64>>> {
        let stepper = &self.compiled.stepper;
        let layout = stepper.layout;
        if !stepper.has_momenta || layout.rates == 0 {
            return None;
        }
        let scales = Scales::of(layout, &self.state)?;
        let momenta = |state: &[f64]| {
            let mut state = state.to_vec();
            let start = &self.compiled.start;
            let end = start.run(&mut state, self.parameters, 1, &mut Scratch::default());
            end.is_complete().then(|| state[layout.moving()..layout.mechanical()].to_vec())
        };
        let columns = (0..layout.rates).map(|j| {
            let at = |by: f64| {
                let mut state = self.state.clone();
                state[layout.dimension + j] += by;
                momenta(&state)
            };
            let by = scales.velocity[j];
            let pairs = at(by)?.into_iter().zip(at(-by)?);
            Some(pairs.map(|(there, back)| (there - back) / (2.0 * by)).collect())
        });
        columns.collect()
    }

    fn newton(&mut self, level: Level) -> Option<()> {
        let scales = Scales::of(self.compiled.stepper.layout, &self.state)?;
        let sizes = match level {
            Level::Position => &scales.position,
            Level::Velocity => &scales.velocity,
        };
        let mut values = self.residual(level, &self.state)?;
        if values.is_empty() {
            return Some(());
        }
        for _ in 0..STEPS {
            let rows = self.jacobian(level, sizes)?;
            let terms = |row: &Vec<f64>| {
                let slots = self.moving(level).zip(sizes);
                let parts = row.iter().zip(slots);
                parts.map(|(a, (slot, size))| a.abs() * size.max(self.state[slot].abs())).sum()
            };
            let terms: Vec<f64> = rows.iter().map(terms).collect();
            let relative = |values: &[f64]| {
                let parts = values.iter().zip(&terms).filter(|(value, _)| **value != 0.0);
                parts.map(|(value, terms)| value.abs() / terms).fold(0.0, f64::max)
            };
            let size = relative(&values);
            if size <= ROUNDINGS * f64::EPSILON {
                return Some(());
            }
            let step = shortest(&rows, &values, &self.metric(sizes))?;
            // Half of the step as often as it leads away.
            let mut length = 1.0;
            let better = loop {
                let mut state = self.state.clone();
                for (slot, by) in self.moving(level).zip(&step) {
                    state[slot] += length * by;
                }
                let found = self.residual(level, &state).filter(|new| relative(new) < size);
                if let Some(values) = found {
                    break Some((state, values));
                }
                length *= 0.5;
                if length < f64::EPSILON {
                    break None;
                }
            };
            match better {
                Some((state, new)) => (self.state, values) = (state, new),
                // Rounding ends the progress: what is left has to be rounding.
                None => return (size <= f64::EPSILON.sqrt()).then_some(()),
            }
        }
        None
    }
}

/// L with M = L Lᵀ, if M is positive.
fn cholesky(mass: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let n = mass.len();
    let mut lower = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| lower[i][k] * lower[j][k]).sum();
            let rest = mass[j][i] - known;
            lower[i][j] = match i == j {
                true => Some(rest).filter(|x| x.is_normal() && *x > 0.0)?.sqrt(),
                false => rest / lower[j][j],
            };
        }
    }
    Some(lower)
}

/// The step δ with A δ = −φ that is shortest in the metric L Lᵀ.
fn shortest(rows: &[Vec<f64>], values: &[f64], lower: &[Vec<f64>]) -> Option<Vec<f64>> {
    let n = lower.len();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let mut basis: Vec<(Vec<f64>, f64)> = Vec::new();
    for (row, value) in rows.iter().zip(values) {
        // b = L⁻¹ a.
        let mut b = row.clone();
        for i in 0..n {
            let known: f64 = (0..i).map(|k| lower[i][k] * b[k]).sum();
            b[i] = (b[i] - known) / lower[i][i];
        }
        let whole = dot(&b, &b).sqrt();
        let mut wanted = -value;
        for (unit, along) in &basis {
            let part = dot(&b, unit);
            wanted -= part * along;
            b.iter_mut().zip(unit).for_each(|(x, u)| *x -= part * u);
        }
        let new = dot(&b, &b).sqrt();
        if new > DEPENDENT * whole {
            b.iter_mut().for_each(|x| *x /= new);
            basis.push((b, wanted / new));
        }
    }
    if basis.is_empty() {
        return None;
    }
    let mut step = vec![0.0; n];
    for (unit, along) in &basis {
        step.iter_mut().zip(unit).for_each(|(x, u)| *x += along * u);
    }
    // δ = L⁻ᵀ y.
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|k| lower[k][i] * step[k]).sum();
        step[i] = (step[i] - known) / lower[i][i];
    }
    step.iter().all(|x| x.is_finite()).then_some(step)
}
