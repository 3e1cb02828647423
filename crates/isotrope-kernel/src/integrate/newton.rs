//! Newton's method with pivots chosen in every round, for steps in which nothing faster converges.

use crate::stepper::{NewtonPrograms, threshold};
use isotrope_tape::backend::{Backend, Machine, MachineError};
use isotrope_tape::interpret::Scratch;

/// The programs, ready to run.
#[derive(Debug)]
pub(super) struct Careful {
    guesses: Vec<Machine>,
    evaluate: Machine,
    finish: Machine,
    pattern: Vec<(usize, usize)>,
    weights: Vec<f64>,
}

/// How the iteration ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Solved {
    /// The step was made.
    Yes,
    /// The iteration did not come to an end.
    Stalled {
        /// What is left.
        residual: f64,
    },
    /// A linear system without a solution.
    Singular {
        /// What is left.
        residual: f64,
    },
    /// Residual or result are not numbers.
    NonFinite,
}

/// When the iteration ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// After so many rounds.
    pub rounds: u32,
    /// When changes are smaller, relative to the size of what moves.
    pub tolerance: f64,
    /// How many numbers, from the first, are positions and velocities.
    pub moving: usize,
}

/// Memory for one integration.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    extended: Vec<f64>,
    matrix: Vec<f64>,
    scratch: Scratch,
}

/// How often a correction is halved before it is taken as it is.
const HALVINGS: u32 = 12;

impl Careful {
    pub(super) fn new(programs: &NewtonPrograms, backend: Backend) -> Result<Self, MachineError> {
        Ok(Self {
            guesses: std::iter::once(&programs.guess)
                .chain(&programs.plain)
                .map(|program| Machine::new(program, backend))
                .collect::<Result<_, _>>()?,
            evaluate: Machine::new(&programs.evaluate, backend)?,
            finish: Machine::new(&programs.finish, backend)?,
            pattern: programs.pattern.clone(),
            weights: programs.weights.clone(),
        })
    }

    /// Makes one step, or leaves the state as it was: from the usual guess, or from a plain one.
    /// Counts rounds.
    pub(super) fn step(
        &self,
        state: &mut [f64],
        parameters: &[f64],
        limits: Limits,
        workspace: &mut Workspace,
        rounds: &mut u64,
    ) -> Solved {
        let mut solved = Solved::NonFinite;
        for guess in &self.guesses {
            solved = self.step_from(guess, state, parameters, limits, workspace, rounds);
            if solved == Solved::Yes {
                break;
            }
        }
        solved
    }

    fn step_from(
        &self,
        guess: &Machine,
        state: &mut [f64],
        parameters: &[f64],
        limits: Limits,
        workspace: &mut Workspace,
        rounds: &mut u64,
    ) -> Solved {
        let (size, count) = (state.len(), self.weights.len());
        let Limits { rounds: max_rounds, tolerance, moving } = limits;
        let Workspace { extended, matrix, scratch } = workspace;
        extended.clear();
        extended.extend_from_slice(state);
        extended.resize(size + 2 * count + self.pattern.len(), 0.0);
        let mut run = |machine: &Machine, extended: &mut Vec<f64>| {
            machine.run(extended, parameters, 1, scratch).is_complete()
        };
        if !run(guess, extended) || !run(&self.evaluate, extended) {
            return Solved::NonFinite;
        }
        let scale = 1.0 + state.iter().take(moving).map(|x| x.abs()).fold(0.0, f64::max);
        let enough = threshold(tolerance, true) * scale;
        let mut left = norm(&extended[size + count..size + 2 * count]);
        for _ in 0..max_rounds {
            *rounds += 1;
            self.fill(matrix, &extended[size..]);
            let Some(correction) = solve(matrix, count) else {
                return Solved::Singular { residual: left };
            };
            let change: f64 =
                correction.iter().zip(&self.weights).map(|(x, w)| (x * w).abs()).sum();
            let old: Vec<f64> = extended[size..size + count].to_vec();
            let mut factor = 1.0;
            for halving in 0..=HALVINGS {
                for k in 0..count {
                    extended[size + k] = old[k] - factor * correction[k];
                }
                let evaluated = run(&self.evaluate, extended);
                let now = norm(&extended[size + count..size + 2 * count]);
                if evaluated && (now < left || change <= enough || halving == HALVINGS) {
                    left = now;
                    break;
                }
                if halving == HALVINGS {
                    return Solved::Stalled { residual: left };
                }
                factor *= 0.5;
            }
            if change <= enough && factor == 1.0 {
                if !run(&self.finish, extended) {
                    return Solved::NonFinite;
                }
                state.copy_from_slice(&extended[..size]);
                return Solved::Yes;
            }
        }
        Solved::Stalled { residual: left }
    }

    /// Matrix and right side, row by row.
    fn fill(&self, matrix: &mut Vec<f64>, unknowns: &[f64]) {
        let count = self.weights.len();
        matrix.clear();
        matrix.resize(count * (count + 1), 0.0);
        for (k, &(i, j)) in self.pattern.iter().enumerate() {
            matrix[i * (count + 1) + j] += unknowns[2 * count + k];
        }
        for i in 0..count {
            matrix[i * (count + 1) + count] = unknowns[count + i];
        }
    }
}

fn norm(values: &[f64]) -> f64 {
    values.iter().map(|x| x.abs()).sum()
}

/// Gaussian elimination with scaled partial pivoting; `None` if a pivot is nothing beside its row.
fn solve(matrix: &mut [f64], count: usize) -> Option<Vec<f64>> {
    let width = count + 1;
    let mut rows: Vec<usize> = (0..count).collect();
    let sizes: Vec<f64> = (0..count)
        .map(|i| matrix[i * width..i * width + count].iter().fold(0.0, |m, x| f64::max(m, x.abs())))
        .collect();
    for k in 0..count {
        let relative = |i: usize| matrix[rows[i] * width + k].abs() / sizes[rows[i]];
        let best = (k..count).max_by(|&a, &b| relative(a).total_cmp(&relative(b)))?;
        let largest = relative(best);
        // NaN (a row of zeros) and tiny pivots alike.
        if !largest.is_finite() || largest < 1e-14 {
            return None;
        }
        rows.swap(k, best);
        let pivot = rows[k];
        for &row in &rows[k + 1..] {
            let factor = matrix[row * width + k] / matrix[pivot * width + k];
            if factor != 0.0 {
                for j in k..width {
                    matrix[row * width + j] -= factor * matrix[pivot * width + j];
                }
            }
        }
    }
    let mut solution = vec![0.0; count];
    for k in (0..count).rev() {
        let row = &matrix[rows[k] * width..(rows[k] + 1) * width];
        let known: f64 = (k + 1..count).map(|j| row[j] * solution[j]).sum();
        solution[k] = (row[count] - known) / row[k];
    }
    solution.iter().all(|x| x.is_finite()).then_some(solution)
}
