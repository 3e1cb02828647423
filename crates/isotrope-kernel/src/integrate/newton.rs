//! Newton's method with pivots chosen in every round, for steps in which nothing faster converges.

use crate::stepper::{Balanced, Layout, NewtonPrograms, Weight, threshold};
use isotrope_algebra::double::linear::{DenseMatrix, Pivots, TriangularFactorisation};
use isotrope_tape::backend::{Backend, Machine, MachineError};
use isotrope_tape::interpret::Scratch;

/// The programs, ready to run.
#[derive(Debug)]
pub(super) struct Careful {
    guesses: Vec<Machine>,
    evaluate: Machine,
    finish: Machine,
    pattern: Vec<(usize, usize)>,
    weights: Vec<Weight>,
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
    /// After this many rounds.
    pub rounds: u32,
    /// When changes are smaller, in units of the sizes of the problem or of what moves.
    pub tolerance: f64,
    /// Where sizes are.
    pub layout: Layout,
}

/// Memory for one integration.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    extended: Vec<f64>,
    scratch: Scratch,
}

/// A pivot that is smaller, relative to its row, has drowned in rounding errors.
const SMALLEST_PIVOT: f64 = 1e-14;

/// How far above what is enough changes may stay that rounding keeps from falling.
const FLOOR: f64 = 1e3;

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
        let Limits { rounds: max_rounds, tolerance, layout } = limits;
        let Workspace { extended, scratch } = workspace;
        extended.clear();
        extended.extend_from_slice(state);
        extended.resize(size + 2 * count + self.pattern.len(), 0.0);
        let mut run = |machine: &Machine, extended: &mut Vec<f64>| {
            machine.run(extended, parameters, 1, scratch).is_complete()
        };
        if !run(guess, extended) || !run(&self.evaluate, extended) {
            return Solved::NonFinite;
        }
        let positions = (0..layout.dimension).map(|i| {
            let [q, size] =
                [layout.position(i), layout.position_size(i)].map(|s| state[s as usize]);
            (q / size).abs()
        });
        let enough = threshold(tolerance, true) * (1.0 + positions.fold(0.0, f64::max));
        // Residuals are compared row by row, in units of what the unknowns do to them at the guess.
        let rows = self.balanced(&extended[..size], &extended[size..]).rows;
        let norm = |extended: &[f64]| -> f64 {
            let residual = &extended[size + count..size + 2 * count];
            residual.iter().zip(&rows).map(|(x, row)| (x / row).abs()).sum()
        };
        let mut left = norm(extended);
        let mut before = f64::INFINITY;
        for _ in 0..max_rounds {
            *rounds += 1;
            let (unknowns, rest) = (&extended[..size], &extended[size..]);
            let Some(correction) = self.correction(unknowns, rest) else {
                return Solved::Singular { residual: left };
            };
            let changes = correction.iter().zip(&self.weights);
            let change: f64 = changes.map(|(x, weight)| (x * weight.at(state)).abs()).sum();
            // Changes that are small and fall no longer are rounding.
            let settled = change <= enough || (change >= before && change <= FLOOR * enough);
            before = change;
            let old: Vec<f64> = extended[size..size + count].to_vec();
            let mut factor = 1.0;
            for halving in 0..=HALVINGS {
                for k in 0..count {
                    extended[size + k] = old[k] - factor * correction[k];
                }
                let evaluated = run(&self.evaluate, extended);
                let now = norm(extended);
                if evaluated && (now < left || settled || halving == HALVINGS) {
                    left = now;
                    break;
                }
                if halving == HALVINGS {
                    return Solved::Stalled { residual: left };
                }
                factor *= 0.5;
            }
            if settled && factor == 1.0 {
                if !run(&self.finish, extended) {
                    return Solved::NonFinite;
                }
                state.copy_from_slice(&extended[..size]);
                return Solved::Yes;
            }
        }
        Solved::Stalled { residual: left }
    }

    /// What Newton's method subtracts from the unknowns, which their residuals and the entries of the
    /// Jacobian follow; `None` if a pivot is nothing beside its row.
    fn correction(&self, state: &[f64], unknowns: &[f64]) -> Option<Vec<f64>> {
        let count = self.weights.len();
        let Balanced { entries, rows, columns } = self.balanced(state, unknowns);
        let mut jacobian = DenseMatrix::zero(count, count);
        for (&(i, j), &value) in self.pattern.iter().zip(&entries) {
            jacobian.add(i, j, value);
        }
        let pivots = Pivots::LargestInItsRow { smallest: SMALLEST_PIVOT };
        let factored = TriangularFactorisation::new(jacobian, pivots).ok()?;
        let residual = unknowns[count..2 * count].iter().zip(&rows);
        let residual: Vec<f64> = residual.map(|(x, row)| x / row).collect();
        let mut solution = factored.solve(&residual)?;
        solution.iter_mut().zip(&columns).for_each(|(x, column)| *x *= column);
        Some(solution)
    }

    fn balanced(&self, state: &[f64], unknowns: &[f64]) -> Balanced {
        let entries = &unknowns[2 * self.weights.len()..];
        Balanced::new(&self.pattern, &self.weights, state, entries)
    }
}
