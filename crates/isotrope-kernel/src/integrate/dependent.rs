//! Does the motion pass a place where constraints become dependent?
//!
//! A linkage that folds flat, a slider at its dead centre: there the rank of A drops, multipliers are not determined, and
//! more than one motion may go on. Steps seldom hit such a place and pass it without a difficulty. So A is looked
//! at between steps, outside of them: a step pays nothing, and its bits stay the same.
//!
//! A is made free of units: columns are multiplied by the sizes of velocities, rows divided by the largest norm that they
//! have had. Two looks, before and after a step, give A₀ and A₁. With the left singular vector w of the smallest singular
//! value of A₀, the vector A(s)ᵀ w goes from A₀ᵀ w to A₁ᵀ w while the step is made. If the segment between the two comes
//! closer to zero than a sixteenth of its length, the rank has dropped as far as steps of this length can tell: on the
//! chord from A₀ to A₁ there is a matrix whose smallest singular value is not larger than that distance.
//!
//! How soon the next look is due follows from Weyl's inequality: no singular value changes by more than A does. It comes before A,
//! as fast as it has changed at most, has changed by half of its smallest singular value, after twice as many steps as the
//! last time at the latest, since motions gather speed, and not so often that looking costs more than a quarter of the
//! operations of the steps.

use isotrope_algebra::double::linear::{dot, norm};
use isotrope_tape::interpret::{Scratch, step};

use super::compiled::Compiled;
use crate::stepper::{MatrixProgram, Scales};

/// Not looked at with more constraints: the factorisation of a dense matrix would cost more than steps do.
const ROWS: usize = 64;
/// Steps between looks, at most.
const LONGEST: u64 = 256;
/// The part of the smallest singular value that A may change by, unseen.
const PART: f64 = 0.5;
/// What comes closer to zero than this part of its change in a step has passed it.
const CLOSE: f64 = 1.0 / 16.0;
/// A is singular where nothing but rounding keeps it from being so.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// Rounds of inverse iteration.
const ROUNDS: usize = 3;

/// A place where constraints become dependent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dependence {
    /// The step that passes it, from 0.
    pub step: u64,
    /// When, between the ends of that step.
    pub time: f64,
    /// The smallest singular value of A there, relative to what its rows are elsewhere.
    pub condition: f64,
}

/// A at a state, with columns in the sizes of velocities.
#[derive(Debug)]
struct Look {
    step: u64,
    time: f64,
    rows: Vec<Vec<f64>>,
    /// The left singular vector of the smallest singular value, rows in their sizes.
    weakest: Vec<f64>,
}

/// Looks at A during an integration.
#[derive(Debug)]
pub(super) struct Independence<'c> {
    matrix: &'c MatrixProgram,
    columns: Vec<f64>,
    /// The largest norm of each row so far.
    sizes: Vec<f64>,
    scratch: Scratch,
    /// The step after which A is looked at next.
    next: u64,
    /// Steps between looks, at least.
    least: u64,
    /// Steps since the last look.
    pause: u64,
    /// The largest change of A in a step so far.
    fastest: f64,
    before: Option<Look>,
    pub(super) found: Option<Dependence>,
}

impl<'c> Independence<'c> {
    /// From a state with its sizes; none without constraints, and with too many.
    pub(super) fn new(compiled: &'c Compiled, state: &[f64]) -> Option<Self> {
        let stepper = &compiled.stepper;
        let matrix = stepper.matrix.as_ref().filter(|matrix| matrix.rows <= ROWS)?;
        let columns = Scales::of(stepper.layout, state)?.velocity;
        let operations = compiled.program.program().ops.len() as u64;
        let looking = 6 * (matrix.rows * matrix.rows * columns.len()) as u64;
        Some(Self {
            matrix,
            sizes: vec![0.0; matrix.rows],
            columns,
            scratch: Scratch::new(&matrix.program),
            next: 0,
            least: looking / operations.max(1),
            pause: 1,
            fastest: 0.0,
            before: None,
            found: None,
        })
    }

    /// How many steps may be made before the next look.
    pub(super) fn allowed(&self, steps: u64) -> u64 {
        if self.found.is_some() { u64::MAX } else { self.next.saturating_sub(steps).max(1) }
    }

    /// Looks at a state after some steps, if that is due. Steps that are made again are not looked at again.
    pub(super) fn look(&mut self, (steps, time): (u64, f64), state: &[f64], parameters: &[f64]) {
        if self.found.is_some() || steps != self.next {
            return;
        }
        // Where A has no value, nothing is known.
        let Some(rows) = self.evaluate(state, parameters) else {
            self.before = None;
            self.next = steps + LONGEST.max(self.least);
            return;
        };
        for (size, row) in self.sizes.iter_mut().zip(&rows) {
            *size = size.max(norm(row));
        }
        let last = self.before.take();
        let measured = last.is_some();
        if let Some(before) = last {
            let between = steps - before.step;
            if between == 1 {
                self.found = self.passed(&before, &rows, time);
            }
            let change = rows.iter().zip(&before.rows).zip(&self.sizes).map(|((a, b), size)| {
                let change: Vec<f64> = a.iter().zip(b).map(|(a, b)| (a - b) / size).collect();
                dot(&change, &change)
            });
            let change = change.filter(|part| part.is_finite()).sum::<f64>().sqrt();
            self.fastest = self.fastest.max(change / between as f64);
        }
        let (weakest, smallest) = weakest(&rows, &self.sizes);
        if smallest <= ROUNDING * rows.len() as f64 {
            let step = steps.saturating_sub(1);
            self.found = self.found.or(Some(Dependence { step, time, condition: smallest }));
        }
        let pause = if measured {
            let safe = PART * smallest / self.fastest;
            // Without any change as well.
            let safe = if safe < LONGEST as f64 { safe as u64 } else { LONGEST };
            safe.min(2 * self.pause).max(self.least)
        } else {
            0
        };
        self.pause = pause.max(1);
        self.before = Some(Look { step: steps, time, rows, weakest });
        self.next = steps + self.pause;
    }

    /// The rows of A, columns in the sizes of velocities.
    fn evaluate(&mut self, state: &[f64], parameters: &[f64]) -> Option<Vec<Vec<f64>>> {
        let MatrixProgram { program, pattern, rows } = self.matrix;
        let size = (program.state as usize).checked_sub(pattern.len())?;
        let mut extended: Vec<f64> = state.iter().copied().take(size).collect();
        extended.resize(program.state as usize, 0.0);
        let end = step(program, &mut extended, parameters, &mut self.scratch);
        end.is_complete().then_some(())?;
        let mut dense = vec![vec![0.0; self.columns.len()]; *rows];
        for (&(row, column), value) in pattern.iter().zip(&extended[size..]) {
            *dense.get_mut(row)?.get_mut(column)? = value * self.columns.get(column)?;
        }
        Some(dense)
    }

    /// Has the step between two looks passed a place where A is singular?
    fn passed(&self, before: &Look, rows: &[Vec<f64>], time: f64) -> Option<Dependence> {
        let start = combined(&before.weakest, &before.rows, &self.sizes);
        let end = combined(&before.weakest, rows, &self.sizes);
        let way: Vec<f64> = end.iter().zip(&start).map(|(b, a)| b - a).collect();
        let length = norm(&way);
        let part = (-dot(&start, &way) / (length * length)).clamp(0.0, 1.0);
        let nearest: Vec<f64> = start.iter().zip(&way).map(|(a, d)| a + part * d).collect();
        let condition = norm(&nearest);
        // Not where nothing moves: then the part is not a number.
        (condition <= CLOSE * length).then_some(Dependence {
            step: before.step,
            time: before.time + part * (time - before.time),
            condition,
        })
    }
}

/// Σ w_a A_a / size_a; rows that have always been zero stay so.
fn combined(weights: &[f64], rows: &[Vec<f64>], sizes: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; rows.first().map_or(0, Vec::len)];
    for ((weight, row), size) in weights.iter().zip(rows).zip(sizes) {
        if *size > 0.0 {
            for (sum, x) in sum.iter_mut().zip(row) {
                *sum += weight * x / size;
            }
        }
    }
    sum
}

/// The left singular vector of the smallest singular value, and that value: by inverse iteration with L of A = L Q.
fn weakest(rows: &[Vec<f64>], sizes: &[f64]) -> (Vec<f64>, f64) {
    let m = rows.len();
    let mut basis: Vec<Vec<f64>> = Vec::with_capacity(m);
    let mut lower = vec![vec![0.0; m]; m];
    for (a, (row, &size)) in rows.iter().zip(sizes).enumerate() {
        let mut rest: Vec<f64> = match size > 0.0 {
            true => row.iter().map(|x| x / size).collect(),
            false => vec![0.0; row.len()],
        };
        // Twice is enough.
        for _ in 0..2 {
            for (known, entry) in basis.iter().zip(&mut lower[a]) {
                let along = dot(known, &rest);
                *entry += along;
                rest.iter_mut().zip(known).for_each(|(x, k)| *x -= along * k);
            }
        }
        // A row that depends on those before leaves rounding, which serves as well as any other direction.
        let left = norm(&rest).max(f64::EPSILON * f64::EPSILON);
        lower[a][a] = left;
        rest.iter_mut().for_each(|x| *x /= left);
        basis.push(rest);
    }
    // No symmetry of a mechanism makes this one orthogonal to what is sought.
    let mut vector: Vec<f64> = (1..=m).map(|a| (a as f64).sqrt()).collect();
    for _ in 0..ROUNDS {
        for a in 0..m {
            let known = dot(&lower[a][..a], &vector[..a]);
            vector[a] = (vector[a] - known) / lower[a][a];
        }
        for a in (0..m).rev() {
            let known: f64 = (a + 1..m).map(|b| lower[b][a] * vector[b]).sum();
            vector[a] = (vector[a] - known) / lower[a][a];
        }
        let length = norm(&vector);
        vector.iter_mut().for_each(|x| *x /= length);
    }
    let value = norm(&combined(&vector, rows, sizes));
    (vector, value)
}

#[cfg(test)]
mod tests {
    use super::weakest;

    #[test]
    fn the_weakest_direction_is_that_of_the_smallest_singular_value() {
        // A Aᵀ = [[1, c], [c, 1]] has the eigenvalues 1 ± c.
        let (c, s) = (0.8_f64, 0.6_f64);
        let (vector, value) = weakest(&[vec![1.0, 0.0], vec![c, s]], &[1.0, 1.0]);
        assert!((value - (1.0 - c).sqrt()).abs() < 1e-3, "{value}");
        // Three rounds leave (1/9)³ of the other direction, which was there six times.
        assert!((vector[0] + vector[1]).abs() < 2e-2, "{vector:?}");
        // Dependent rows: 3 times the first less the second.
        let (vector, value) = weakest(&[vec![1.0, 2.0], vec![3.0, 6.0]], &[1.0, 1.0]);
        assert!(value < 1e-14, "{value}");
        assert!((vector[0] + 3.0 * vector[1]).abs() < 1e-12, "{vector:?}");
    }
}
