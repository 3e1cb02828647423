//! The programs of a stepper with derivatives, ready to run.

use super::{Batch, Change};
use crate::integrate::Compiled;
use crate::stepper::{Layout, Scales, Scaling};
use isotrope_algebra::double::linear::OrthonormalBasis;
use isotrope_tape::backend::{Backend, Machine, MachineError};
use isotrope_tape::interpret::Scratch;
use isotrope_tape::variation::{Directions, Iteration, carried_slots, differentiate};
use isotrope_tape::{Program, ProgramError};

/// How many derivatives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// First variations.
    First,
    /// First and second ones: of all pairs of directions.
    Second,
}

/// Why steps have no derivatives.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum VariationError {
    /// The method chooses its steps by the error: how the end of a run depends on its beginning is
    /// not what it computes.
    #[error("the method chooses its steps by their error: a step is not a function of the state")]
    Adaptive,
    /// A program; never seen.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// No machine code.
    #[error(transparent)]
    Machine(#[from] MachineError),
}

/// Operations of a program with derivatives, at most, where one direction alone has fewer: more
/// directions are carried along in several batches.
const OPERATIONS: usize = 40_000;
/// Directions of a batch, at most.
const WIDEST: usize = 16;

/// Rows of constraints of which relatively less is left are redundant.
const REDUNDANT: f64 = 1e-9;

/// Steps that carry changes of the state along, compiled; shared by all [`Tangent`](super::Tangent)s.
///
/// ```
/// use isotrope_algebra::{Budget, Rational};
/// use isotrope_tape::backend::Backend;
/// use isotrope_kernel::integrate::{Change, Compiled, Order, Tangent, Variations};
/// use isotrope_kernel::stepper::{Field, Options, stepper};
/// use isotrope_scheme::Method;
/// use isotrope_model::{ModelText, parse_model};
/// use isotrope_derive::derive;
/// let text = "name = \"oscillator\"\ncoordinates = [\"x\"]\n[lagrangian]\nL = \"x'^2/2 - x^2/2\"\n\
///             [initial]\nposition = { x = 1 }\nvelocity = { x = 0 }\n";
/// let model = parse_model(&ModelText::new("oscillator.toml", text.as_bytes())).map_err(|_| "bad model")?;
/// let budget = &mut Budget::new(100_000_000);
/// let system = derive(model, budget).map_err(|_| "no system")?;
/// let field = Field::new(&system, &[])?;
/// let method = Method::named("midpoint", budget).ok().flatten().ok_or("no such method")?;
/// let options = Options::new("1/10".parse::<Rational>()?);
/// let compiled = Compiled::new(stepper(&method, &system, &field, &options, budget)?, Backend::Native)?;
/// let variations = Variations::new(&compiled, Order::First, 1, &[], Backend::Native)?;
/// let change = Change { state: vec![1.0, 0.0], parameters: vec![] };
/// let (state, parameters) = (&compiled.stepper.initial, &compiled.stepper.parameters);
/// let mut tangent = Tangent::new(&variations, state, parameters, &[change]).ok_or("no start")?;
/// tangent.advance(1).map_err(|_| "no step")?;
/// // The system is linear: changes move as the motion that starts at (1, 0) does.
/// assert!((tangent.change(0, 0) - tangent.state()[0]).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Variations {
    scaling: Scaling,
    layout: Layout,
    pub(super) start: Machine,
    pub(super) step: Machine,
    levels: Machine,
    level_directions: Directions,
    /// Numbers in a state.
    pub(super) size: u32,
    /// Numbers of positions and velocities.
    pub(super) moving: u32,
    pub(super) directions: Directions,
    pub(super) order: Order,
}

impl Variations {
    /// Differentiates the steps of a stepper in this many directions, in the initial positions and
    /// velocities and in parameters, which are given by their numbers. By Newton's method, where there
    /// is one.
    pub fn new(
        compiled: &Compiled,
        order: Order,
        count: usize,
        parameters: &[u32],
        backend: Backend,
    ) -> Result<Self, VariationError> {
        let stepper = &compiled.stepper;
        if stepper.adaptive.is_some() {
            return Err(VariationError::Adaptive);
        }
        let (program, iteration) = match &stepper.newton {
            Some(newton) => (newton, Iteration::Newton),
            None if stepper.contracts => (&stepper.program, Iteration::Contraction),
            None => (&stepper.program, Iteration::Newton),
        };
        let layout = stepper.layout;
        let moving: Vec<u32> = (0..layout.moving() as u32).collect();
        let mut results: Vec<u32> = (0..layout.mechanical() as u32).collect();
        // Times that depend on where a step begins move, too.
        results.extend(stepper.pace.map(|_| layout.time()));
        let moves = !parameters.is_empty();
        let slots = carried_slots(&stepper.start, program, &moving, moves, &results);
        let (count, pairs) = match order {
            Order::First => (width(program, count), Vec::new()),
            Order::Second => (2, vec![(0, 1)]),
        };
        let parameters = parameters.to_vec();
        let moved = parameters.clone();
        let directions = Directions { slots, count, pairs, parameters, iteration };
        let levels = &stepper.levels;
        let level_directions = Directions {
            slots: moving.iter().copied().chain(levels.stores.iter().map(|&(s, _)| s)).collect(),
            count: width(levels, layout.moving()),
            pairs: Vec::new(),
            parameters: moved,
            iteration,
        };
        Ok(Self {
            scaling: stepper.scaling.clone(),
            layout,
            start: Machine::new(
                &differentiate(&stepper.start, &directions)?,
                Backend::Interpreter,
            )?,
            step: Machine::new(&differentiate(program, &directions)?, backend)?,
            levels: Machine::new(&differentiate(levels, &level_directions)?, Backend::Interpreter)?,
            level_directions,
            size: layout.size(),
            moving: layout.moving() as u32,
            directions,
            order,
        })
    }

    /// The program of a step with derivatives.
    #[must_use]
    pub fn program(&self) -> &Program {
        self.step.program()
    }

    /// Directions that one execution of [`Variations::program`] carries along.
    #[must_use]
    pub fn width(&self) -> usize {
        self.directions.count
    }

    pub(super) fn batch(
        &self,
        state: &[f64],
        parameters: &[f64],
        members: Vec<usize>,
        changes: &[Change],
    ) -> Batch {
        let directions = &self.directions;
        let (mut state, mut parameters) = (state.to_vec(), parameters.to_vec());
        self.scaling.fill(&mut state, &parameters);
        let (size, given) = (self.size, parameters.len() as u32);
        state.resize(directions.state_size(size) as usize, 0.0);
        parameters.resize(directions.parameter_size(given) as usize, 0.0);
        for (local, &member) in members.iter().enumerate() {
            let Some(change) = changes.get(member) else { continue };
            for (index, &slot) in directions.slots.iter().enumerate() {
                if slot < self.moving {
                    let rate = change.state.get(slot as usize).copied().unwrap_or(0.0);
                    state[directions.rate(size, local, index) as usize] = rate;
                }
            }
            for index in 0..directions.parameters.len() {
                let rate = change.parameters.get(index).copied().unwrap_or(0.0);
                parameters[directions.parameter_rate(given, local, index) as usize] = rate;
            }
        }
        Batch { members, state, parameters, saved: Vec::new() }
    }

    /// Tangent vectors (δq, δv) of the constraints at a state: those that change neither φ(q) nor A v + b;
    /// orthonormal in units of the sizes of the problem. `None` where they have no value.
    #[must_use]
    pub fn admissible(&self, state: &[f64], parameters: &[f64]) -> Option<Vec<Vec<f64>>> {
        let size = self.moving as usize;
        let sizes = self.sizes(state, parameters);
        let unit = |k: usize| (0..size).map(|i| if i == k { sizes[k] } else { 0.0 }).collect();
        let changes: Vec<Change> =
            (0..size).map(|k| Change { state: unit(k), parameters: Vec::new() }).collect();
        let columns = self.level_rates(state, parameters, &changes)?;
        let levels = columns.first().map_or(0, Vec::len);
        let row = |level: usize| columns.iter().map(|column| column[level]).collect();
        let basis = OrthonormalBasis::orthogonal_to((0..levels).map(row), size, REDUNDANT);
        let mut vectors = basis.into_vectors();
        for vector in &mut vectors {
            vector.iter_mut().zip(&sizes).for_each(|(x, size)| *x *= size);
        }
        Some(vectors)
    }

    /// The sizes of positions, then of velocities or momenta: those of the run that led to a state, or of one that starts
    /// there.
    #[must_use]
    pub fn sizes(&self, state: &[f64], parameters: &[f64]) -> Vec<f64> {
        let scales = match Scales::of(self.layout, state) {
            Some(scales) => scales,
            None => self.scaling.measure(state, parameters),
        };
        scales.moving(self.layout)
    }

    /// Do rates follow from the state?
    pub(super) fn is_first_order(&self) -> bool {
        self.scaling.is_first_order()
    }

    /// Where a state has its numbers.
    pub(super) fn layout(&self) -> Layout {
        self.layout
    }

    /// By how much a change leaves the constraints: the largest rate of φ(q) and A v + b, relative to the largest
    /// that a change of one coordinate or velocity makes, each in units of its size and parameters in units of
    /// themselves. `None` where they have no value.
    #[must_use]
    pub fn leaves(&self, state: &[f64], parameters: &[f64], change: &Change) -> Option<f64> {
        let size = self.moving as usize;
        let sizes = self.sizes(state, parameters);
        let unit = |k: usize| (0..size).map(|i| if i == k { sizes[k] } else { 0.0 }).collect();
        let mut changes: Vec<Change> =
            (0..size).map(|k| Change { state: unit(k), parameters: Vec::new() }).collect();
        changes.push(change.clone());
        let mut rates = self.level_rates(state, parameters, &changes)?;
        let own = rates.pop()?;
        // How much of its unit a change is: rates are those of a whole unit.
        let moved = change.state.iter().zip(&sizes).filter(|(x, _)| **x != 0.0);
        let varied = change.parameters.iter().zip(&self.directions.parameters);
        let varied = varied.filter(|(x, _)| **x != 0.0).map(|(x, &number)| {
            let value = parameters.get(number as usize).copied().unwrap_or(0.0).abs();
            x.abs() / if value > 0.0 { value } else { 1.0 }
        });
        let part = moved.map(|(x, size)| x.abs() / size).chain(varied).fold(0.0, f64::max);
        let relative = own.iter().enumerate().map(|(level, rate)| {
            let largest =
                rates.iter().fold(0.0, |most, column| f64::max(most, column[level].abs()));
            match rate.abs() / part {
                0.0 => 0.0,
                rate => rate / largest,
            }
        });
        Some(relative.fold(0.0, f64::max))
    }

    /// Rates of φ(q) and A v + b, for each change.
    fn level_rates(
        &self,
        state: &[f64],
        parameters: &[f64],
        changes: &[Change],
    ) -> Option<Vec<Vec<f64>>> {
        let (machine, directions) = (&self.levels, &self.level_directions);
        let size = self.moving as usize;
        // Numbers of the program without rates.
        let whole = machine.program().state - (directions.count * directions.slots.len()) as u32;
        let given = parameters.len() as u32;
        let levels = directions.slots.len() - size;
        let mut scratch = Scratch::default();
        let mut rates = Vec::with_capacity(changes.len());
        for batch in changes.chunks(directions.count) {
            let (mut extended, mut values) = (state.to_vec(), parameters.to_vec());
            extended.resize(machine.program().state as usize, 0.0);
            values.resize(machine.program().parameters as usize, 0.0);
            for (local, change) in batch.iter().enumerate() {
                for (i, &rate) in change.state.iter().enumerate().take(size) {
                    extended[directions.rate(whole, local, i) as usize] = rate;
                }
                for (i, &rate) in change.parameters.iter().enumerate() {
                    values[directions.parameter_rate(given, local, i) as usize] = rate;
                }
            }
            let outcome = machine.run(&mut extended, &values, 1, &mut scratch);
            outcome.is_complete().then_some(())?;
            for local in 0..batch.len() {
                let level = |k: usize| extended[directions.rate(whole, local, size + k) as usize];
                rates.push((0..levels).map(level).collect());
            }
        }
        Some(rates)
    }
}

/// How many directions go together.
fn width(program: &Program, count: usize) -> usize {
    let most = (OPERATIONS / program.ops.len().max(1)).saturating_sub(1);
    count.min(most.min(WIDEST)).max(1)
}
