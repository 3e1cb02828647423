//! A scheme for a system, as programs.

use isotrope_algebra::{OutOfBudget, Rational};
use isotrope_scheme::DiscretiseError;

use super::bracket::BracketProgram;
use super::coefficients::CoefficientsError;
use super::constraint_matrix::MatrixProgram;
use super::dop853::AdaptiveSlots;
use super::field::{FieldError, Rotation};
use super::layout::Layout;
use super::pace::PaceSlots;
use super::scales::Scaling;
use super::scheme::Weight;
use super::switches::Switches;
use super::trivialisation::Trivialisation;
use isotrope_tape::interpret::{Scratch, step};
use isotrope_tape::{EliminationError, ExpressionError, Op, Program, ProgramError};

/// Choices for a stepper.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// The step, exactly.
    pub step: Rational,
    /// Iterations end when positions and velocities change by less than this, in units of the sizes of the
    /// problem ([`Scales`](super::Scales)) or of what they are at the moment, if that is more.
    pub tolerance: f64,
    /// Rounds after which an iteration gives up.
    pub max_iterations: u32,
    /// Sum up with what rounding loses (Runge–Kutta methods and variational ones).
    pub compensated: bool,
    /// Measure energy, constraints, Legendre map and momenta in every step.
    pub monitors: bool,
    /// Rows for each step: 1, or more for values inside of steps (collocation methods).
    pub dense: u32,
    /// For methods that choose their steps by the error.
    pub adaptive: AdaptiveOptions,
}

/// Choices for a method that chooses its steps by the error.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AdaptiveOptions {
    /// Absolute tolerances of positions, then of velocities. Those that are missing are the relative tolerance
    /// times the size that belongs to them.
    pub absolute: Vec<Option<f64>>,
    /// Lengths of steps.
    pub lengths: AdaptiveLengths,
}

/// Lengths of steps that were asked for.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct AdaptiveLengths {
    /// The longest; otherwise a thousand rows.
    pub longest: Option<f64>,
    /// The first; otherwise it is found.
    pub first: Option<f64>,
}

impl Options {
    /// The usual choices for a step.
    #[must_use]
    pub fn new(step: Rational) -> Self {
        Self {
            step,
            tolerance: 1e-13,
            max_iterations: 50,
            compensated: false,
            monitors: true,
            dense: 1,
            adaptive: AdaptiveOptions::default(),
        }
    }
}

/// What a method is between its steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Polynomial {
    /// The polynomial of a collocation method: accelerations are interpolated at its stages, so velocities have degree
    /// s and positions s + 1.
    Collocation {
        /// s.
        stages: u32,
    },
    /// Degree 5 in (q, p), through values and two derivatives at both ends.
    Hermite,
}

impl Polynomial {
    /// The degree.
    #[must_use]
    pub fn degree(self) -> u32 {
        match self {
            Self::Collocation { stages } => stages + 1,
            Self::Hermite => 5,
        }
    }
}

/// Why there is no stepper.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StepperError {
    /// The coefficients of a table.
    #[error(transparent)]
    Coefficients(#[from] CoefficientsError),
    /// The equations of a scheme.
    #[error(transparent)]
    Discretise(#[from] DiscretiseError),
    /// The field.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// An expression that cannot be recorded.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// A linear system that is not written out.
    #[error(transparent)]
    Elimination(#[from] EliminationError),
    /// The budget ran out.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
    /// A program; never seen.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// Values inside of steps for a method that has none.
    #[error("the method has no values inside a step: it is not a collocation method")]
    NoDense,
    /// Newton's method for a scheme without derivatives; never seen.
    #[error("the scheme has no Jacobian")]
    NoJacobian,
}

/// Newton's method outside of compiled code, for steps in which nothing else converges: programs
/// on a state followed by the unknowns, the residual and the entries of the Jacobian.
#[derive(Debug, Clone)]
pub struct NewtonPrograms {
    /// Writes the guess to the unknowns.
    pub guess: Program,
    /// Writes a plainer guess, for steps in which the first one leads nowhere.
    pub plain: Option<Program>,
    /// Writes residual and Jacobian.
    pub evaluate: Program,
    /// Makes the step with the unknowns.
    pub finish: Program,
    /// Where the entries of the Jacobian are.
    pub pattern: Vec<(usize, usize)>,
    /// By how much a change of each unknown counts.
    pub weights: Vec<Weight>,
}

impl NewtonPrograms {
    /// The Jacobian in the sizes of a state.
    #[must_use]
    pub fn balanced(&self, state: &[f64], entries: &[f64]) -> Balanced {
        Balanced::new(&self.pattern, &self.weights, state, entries)
    }
}

/// A Jacobian with unknowns in their own sizes, and rows divided by their largest number.
#[derive(Debug, Clone, PartialEq)]
pub struct Balanced {
    /// The entries, in the order of the pattern.
    pub entries: Vec<f64>,
    /// What rows were divided by.
    pub rows: Vec<f64>,
    /// The sizes of the unknowns.
    pub columns: Vec<f64>,
}

impl Balanced {
    pub(crate) fn new(
        pattern: &[(usize, usize)],
        weights: &[Weight],
        state: &[f64],
        entries: &[f64],
    ) -> Self {
        let size = |weight: &Weight| 1.0 / weight.at(state);
        let sized: Vec<bool> = weights.iter().map(|weight| is_size(size(weight))).collect();
        let pairs = || pattern.iter().zip(entries);
        let rows_of = |columns: &[f64]| {
            let mut rows = vec![0.0_f64; weights.len()];
            for (&(i, j), &entry) in pairs() {
                rows[i] = rows[i].max((entry * columns[j]).abs());
            }
            rows.iter_mut().filter(|row| !is_size(**row)).for_each(|row| *row = 1.0);
            rows
        };
        // Impulses that move nothing get the sizes at which they do as much to a row as the others.
        let columns_of = |rows: &[f64]| -> Vec<f64> {
            let mut largest = vec![0.0_f64; weights.len()];
            for (&(i, j), &entry) in pairs() {
                largest[j] = largest[j].max((entry / rows[i]).abs());
            }
            let found = largest.iter().map(|&x| if is_size(x) { 1.0 / x } else { 1.0 });
            let known = weights.iter().zip(&sized);
            known
                .zip(found)
                .map(|((w, &sized), found)| if sized { size(w) } else { found })
                .collect()
        };
        let from = |first: &[f64]| {
            let columns = columns_of(&rows_of(&columns_of(first)));
            let rows = rows_of(&columns);
            (columns, rows)
        };
        let (mut columns, mut rows) = from(&vec![1.0; weights.len()]);
        if !are_alike(&columns) && sized.contains(&false) {
            // Units are far apart: rows have the sizes that unknowns with sizes give them.
            let known = weights.iter().zip(&sized);
            let known: Vec<f64> =
                known.map(|(weight, &sized)| if sized { size(weight) } else { 0.0 }).collect();
            (columns, rows) = from(&rows_of(&known));
        }
        // Sizes that are not far apart are left alone: scaling gains nothing there.
        if are_alike(&columns) {
            columns.fill(1.0);
            rows = rows_of(&columns);
        }
        if are_alike(&rows) {
            rows.fill(1.0);
        }
        let entries = pairs().map(|(&(i, j), &entry)| entry * columns[j] / rows[i]).collect();
        Self { entries, rows, columns }
    }
}

fn are_alike(sizes: &[f64]) -> bool {
    let largest = sizes.iter().copied().fold(0.0, f64::max);
    sizes.iter().all(|&size| size * APART >= largest)
}

/// Sizes further apart than this factor are scaled.
const APART: f64 = 1e6;

fn is_size(x: f64) -> bool {
    x.is_normal() && x > 0.0
}

/// Steps of the solution itself, where the steps of the program are rows of output: programs on a
/// state followed by the numbers of a step in progress.
#[derive(Debug, Clone)]
pub struct AdaptivePrograms {
    /// Writes a small step, and the size of the derivatives for the choice of the first one.
    pub first: Program,
    /// Makes a step: its end, and the squares of two estimates of its error.
    pub attempt: Program,
    /// Writes the polynomial of the step.
    pub dense: Program,
    /// Writes the rates where a step begins, on the side of a switching time to which it goes; none without such times.
    pub again: Option<Program>,
    /// The times at which steps end.
    pub switches: Switches,
    /// Writes what switches by the state, with its rates, at both ends of a step; none where nothing does.
    pub watch: Option<Program>,
    /// Where the numbers are.
    pub slots: AdaptiveSlots,
    /// Lengths of steps that were asked for.
    pub lengths: AdaptiveLengths,
    /// Evaluations of the field in each of the first three.
    pub evaluations: [u32; 3],
}

/// A scheme for a system, as programs on a state.
#[derive(Debug, Clone)]
pub struct Stepper {
    /// Where the numbers of the state are.
    pub layout: Layout,
    /// Measures the sizes of the problem, before everything else.
    pub scaling: Scaling,
    /// Fills what is carried along, before the first step.
    pub start: Program,
    /// A step: explicit, by a fixed-point iteration or by Newton's method.
    pub program: Program,
    /// The same by Newton's method, where the first is a fixed-point iteration.
    pub newton: Option<Program>,
    /// The same with pivots chosen again in each round.
    pub careful: Option<NewtonPrograms>,
    /// Steps of the solution, where the program only reads rows off them.
    pub adaptive: Option<AdaptivePrograms>,
    /// What is known of the lengths of steps, where they are not all the same.
    pub pace: Option<PaceSlots>,
    /// Fills in energy and multipliers of a row of output.
    pub row: Program,
    /// Writes φ(q) and A v + b after the state.
    pub levels: Program,
    /// Writes A after the state; nothing without constraints.
    pub matrix: Option<MatrixProgram>,
    /// Writes the entries of a magnetic 2-form after the state.
    pub magnetic: Option<Program>,
    /// Turn the state into one inside of the last step, at 1/k, 2/k, … of it.
    pub dense: Vec<Program>,
    /// The polynomial that they read it off; not looked for unless there are some.
    pub inside: Option<Polynomial>,
    /// The state before the first step; only q, v and t are filled in.
    pub initial: Vec<f64>,
    /// Values of the parameters.
    pub parameters: Vec<f64>,
    /// Rounds of the careful iteration.
    pub max_iterations: u32,
    /// When it ends, relative to the size of the state.
    pub tolerance: f64,
    /// The step.
    pub step: f64,
    /// Evaluations of the field or of the residual in one round, or in an explicit step.
    pub evaluations: u32,
    /// Names of the coordinates.
    pub names: Vec<String>,
    /// Names of velocities and momenta where they are not those of coordinates.
    pub rate_names: Vec<String>,
    /// The bracket of a system in state space.
    pub bracket: Option<BracketProgram>,
    /// Are there momenta? Not in state space.
    pub has_momenta: bool,
    /// Is there an energy?
    pub has_energy: bool,
    /// Names of the outputs of a system in state space.
    pub output_names: Vec<String>,
    /// Numbers carried along that are shown in rows of output: names and slots.
    pub shown: Vec<(String, u32)>,
    /// Functions that the scheme is to preserve and measures itself: names, and the slots of the defect so far, of the
    /// largest one and of the size.
    pub defects: Vec<(String, [u32; 3])>,
    /// The rotations of a configuration on a Lie group.
    pub rotations: Vec<Rotation>,
    /// How changes of such a configuration are seen from the body.
    pub trivialisation: Option<Trivialisation>,
    /// Numbers that are not finite where a step is too large, and what is too large then.
    pub bounds: Vec<(u32, &'static str)>,
    /// Names of the constraints.
    pub constraint_names: Vec<String>,
    /// Names of the conserved momenta that are watched.
    pub conserved_names: Vec<String>,
    /// Are there constraints on positions?
    pub has_positions: bool,
    /// Are all constraints on positions? Only there can dq∧dp be a symplectic form.
    pub holonomic: bool,
    /// Is `program` a fixed-point iteration?
    pub contracts: bool,
}

impl Stepper {
    /// Is a state all that a motion begins with, without velocities or momenta?
    #[must_use]
    pub fn is_first_order(&self) -> bool {
        self.scaling.is_first_order()
    }

    /// The entries of the magnetic 2-form at a state, row by row; none without one, and where it has no
    /// value not-a-numbers.
    #[must_use]
    pub fn magnetic_form(&self, state: &[f64]) -> Vec<f64> {
        let Some(program) = &self.magnetic else { return Vec::new() };
        let size = self.layout.size() as usize;
        let mut state: Vec<f64> = state.iter().copied().take(size).collect();
        state.resize(program.state as usize, 0.0);
        let end = step(program, &mut state, &self.parameters, &mut Scratch::new(program));
        let mut entries = state.split_off(size);
        if !end.is_complete() {
            entries.fill(f64::NAN);
        }
        entries
    }

    /// Is a step a function of positions, velocities, momenta and the time alone? What is carried
    /// along may serve as a guess for unknowns, but not more.
    #[must_use]
    pub fn is_one_step(&self) -> bool {
        let program = &self.program;
        let memory = self.layout.memory(0);
        let mut reached = vec![false; program.ops.len()];
        let mut variables = vec![false; program.variables.len()];
        // Variables carry it on from round to round, all of them in one pass at the latest.
        for _ in 0..=variables.len() {
            for (at, &op) in program.ops.iter().enumerate() {
                reached[at] = match op {
                    Op::State(slot) => slot >= memory,
                    Op::Variable(k) | Op::Final(k) => variables[k as usize],
                    _ => op.operands().iter().any(|operand| reached[operand.0 as usize]),
                };
            }
            let before = variables.clone();
            for (known, variable) in variables.iter_mut().zip(&program.variables) {
                *known |= reached[variable.next.0 as usize];
            }
            if variables == before {
                break;
            }
        }
        let mut stores = program.stores.iter();
        self.adaptive.is_none()
            && !stores.any(|&(slot, id)| slot < memory && reached[id.0 as usize])
    }
}
