//! Derivatives of the discrete flow: how a step carries small changes of the state along
//! (its variational equations), exact to rounding.

mod forward;
mod partials;

use super::compiled::Compiled;
use forward::{Differentiated, Forward, Moving};

/// A state on its way together with tangent vectors.
#[derive(Debug, Clone)]
pub struct Tangent<'c> {
    /// By Newton's method where there is one, which has the rates after one round; then by what
    /// the stepper does otherwise.
    ways: Vec<Differentiated<'c>>,
    parameters: Vec<f64>,
    moving: Moving,
    forward: Forward,
}

impl<'c> Tangent<'c> {
    /// From positions, velocities and the time of a state, with changes (δq, δv): momenta and what the
    /// method carries along begin as in a run that starts there. `None` where that has no value, and
    /// for methods whose steps are not functions of the state.
    #[must_use]
    pub fn new(
        compiled: &'c Compiled,
        state: &[f64],
        parameters: &[f64],
        changes: &[Vec<f64>],
    ) -> Option<Self> {
        if compiled.stepper.adaptive.is_some() {
            return None;
        }
        let directions = changes.len();
        let mut rates = vec![0.0; state.len() * directions];
        for (k, change) in changes.iter().enumerate() {
            for (i, &x) in change.iter().enumerate().take(compiled.stepper.layout.moving()) {
                rates[i * directions + k] = x;
            }
        }
        let stepper = &compiled.stepper;
        let ways = stepper.newton.iter().chain([&stepper.program]);
        let mut tangent = Self {
            ways: ways.map(Differentiated::new).collect(),
            parameters: parameters.to_vec(),
            moving: Moving { state: state.to_vec(), rates, directions },
            forward: Forward::default(),
        };
        let Self { moving, forward, parameters, .. } = &mut tangent;
        forward.step(&Differentiated::new(&stepper.start), moving, parameters)?;
        Some(tangent)
    }

    /// Makes a step; `None` if it cannot be made, which leaves everything as it was.
    #[must_use]
    pub fn step(&mut self) -> Option<()> {
        let Self { ways, moving, forward, parameters } = self;
        ways.iter().find_map(|way| forward.step(way, moving, parameters))
    }

    /// The state.
    #[must_use]
    pub fn state(&self) -> &[f64] {
        &self.moving.state
    }

    /// How a number of the state changes in a direction.
    #[must_use]
    pub fn change(&self, slot: u32, direction: usize) -> f64 {
        let at = slot as usize * self.moving.directions + direction;
        self.moving.rates.get(at).copied().unwrap_or(f64::NAN)
    }

    /// Multiplies all directions by a number.
    pub fn scale(&mut self, factor: f64) {
        for rate in &mut self.moving.rates {
            *rate *= factor;
        }
    }

    /// Tangent vectors (δq, δv) of the constraints at a state, orthonormal: those that change neither
    /// φ(q) nor A v + b. `None` where they have no value.
    #[must_use]
    pub fn admissible(
        compiled: &Compiled,
        state: &[f64],
        parameters: &[f64],
    ) -> Option<Vec<Vec<f64>>> {
        let stepper = &compiled.stepper;
        let size = stepper.layout.moving();
        let program = &stepper.levels;
        let mut extended = state.to_vec();
        extended.resize(program.state as usize, 0.0);
        let mut rates = vec![0.0; extended.len() * size];
        for i in 0..size {
            rates[i * size + i] = 1.0;
        }
        let mut moving = Moving { state: extended, rates, directions: size };
        Forward::default().step(&Differentiated::new(program), &mut moving, parameters)?;
        let rows = program.stores.iter().map(|&(slot, _)| {
            let first = slot as usize * size;
            moving.rates[first..first + size].to_vec()
        });
        Some(kernel(rows, size))
    }
}

/// An orthonormal basis of what is orthogonal to all rows.
fn kernel(rows: impl Iterator<Item = Vec<f64>>, size: usize) -> Vec<Vec<f64>> {
    let mut basis: Vec<Vec<f64>> = Vec::new();
    // Twice, against rounding.
    let reduce = |vector: &mut Vec<f64>, basis: &[Vec<f64>]| {
        for _ in 0..2 {
            for known in basis {
                let product: f64 = known.iter().zip(vector.iter()).map(|(x, y)| x * y).sum();
                for (x, y) in vector.iter_mut().zip(known) {
                    *x -= product * y;
                }
            }
        }
        vector.iter().map(|x| x * x).sum::<f64>().sqrt()
    };
    for mut row in rows {
        let before = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        let length = reduce(&mut row, &basis);
        // Redundant rows add nothing.
        if length > 1e-9 * before {
            row.iter_mut().for_each(|x| *x /= length);
            basis.push(row);
        }
    }
    let rows = basis.len();
    while basis.len() < size {
        // The unit vector that sticks out most.
        let outside = |i: usize| 1.0 - basis.iter().map(|b| b[i] * b[i]).sum::<f64>();
        let Some(best) = (0..size).max_by(|&i, &j| outside(i).total_cmp(&outside(j))) else {
            break;
        };
        let mut vector = vec![0.0; size];
        vector[best] = 1.0;
        let length = reduce(&mut vector, &basis);
        vector.iter_mut().for_each(|x| *x /= length);
        basis.push(vector);
    }
    basis.split_off(rows)
}
