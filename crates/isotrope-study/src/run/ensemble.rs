//! Many runs of one model.

use isotrope_algebra::calculus::{Substitution, gradient, substitute};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Stop};
use isotrope_derive::System;
use isotrope_kernel::integrate::{Crew, Member, MemberEnd, Outcome, run_ensemble};
use isotrope_kernel::stepper::{Measured, Stepper};
use isotrope_tape::interpret::{Scratch, step};
use isotrope_tape::math::Arithmetic as _;
use isotrope_tape::{Builder, ExpressionError, Formulas, Program, ProgramError};
use schemars::JsonSchema;
use serde::Serialize;

use super::report::{errors, failure, final_state, initial_residuals};
use super::{Prepared, Request};
use crate::ensemble::{Column, Ensemble};
use crate::report::{Errors, Failure, FinalState, InitialResiduals};

/// What became of a member.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct MemberReport {
    /// Its number in the file, from 1.
    pub member: usize,
    /// How it ended.
    pub outcome: &'static str,
    /// The step that was not made.
    pub failure: Option<Failure>,
    /// Its last state.
    #[serde(rename = "final")]
    pub final_state: FinalState,
    /// What was measured.
    pub errors: Errors,
    /// The same at what the steps leave behind, for staggered schemes.
    pub errors_shifted: Option<Errors>,
    /// Steps that were made.
    pub steps_done: u64,
    /// Do its initial values satisfy the constraints? `null` without constraints.
    pub consistent: Option<bool>,
    /// What they leave of them.
    pub initial_residuals: Option<InitialResiduals>,
}

/// What became of an ensemble.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct EnsembleReport {
    /// The name of the model.
    pub model: String,
    /// The name of the method.
    pub method: String,
    /// Step size.
    pub step: f64,
    /// The time asked for.
    pub time: f64,
    /// Steps of each member.
    pub steps: u64,
    /// Members that completed.
    pub completed: usize,
    /// Do the initial values of all members satisfy the constraints? `null` without constraints.
    pub consistent: Option<bool>,
    /// The largest residuals of constraints at the start, of all members.
    pub initial_residuals: Option<InitialResiduals>,
    /// All members.
    pub members: Vec<MemberReport>,
    /// Seconds from the scheme to machine code.
    pub compile_seconds: f64,
    /// Seconds of stepping, all members together.
    pub run_seconds: f64,
}

/// Why there are no members.
#[derive(Debug, thiserror::Error)]
pub enum MembersError {
    /// Expressions of the model that the members change.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// A program; never seen.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The budget ran out.
    #[error(transparent)]
    OutOfBudget(#[from] OutOfBudget),
    /// A member for which the model has no values.
    #[error("member {member} has no finite initial values or parameters")]
    NotFinite {
        /// Its number, from 1.
        member: usize,
    },
}

/// Parameters, positions and velocities (or momenta, where runs begin with them) that follow from the columns of a member.
///
/// A parameter of a column may stand in other parameters and in initial values: these follow it.
struct Dependent {
    program: Program,
    /// For a Hamiltonian: velocities from parameters, positions and momenta.
    velocities: Option<Program>,
    columns: Vec<Column>,
    parameters: usize,
    dimension: usize,
}

impl Dependent {
    fn new(system: &System, ensemble: &Ensemble) -> Result<Self, MembersError> {
        let model = &system.model;
        let columns = ensemble.columns().to_vec();
        let budget = &mut Budget::new(50_000_000);
        let mut pool = model.pool.clone();
        let given = |k: usize| columns.contains(&Column::Parameter(k));
        // Later parameters may stand in earlier ones: replace until nothing changes.
        let replaced: Substitution = model
            .parameters
            .iter()
            .enumerate()
            .filter(|(k, _)| !given(*k))
            .map(|(_, parameter)| (parameter.symbol, parameter.value))
            .collect();
        let mut wanted: Vec<ExprId> = model.parameters.iter().map(|p| p.symbol).collect();
        wanted.extend(&model.initial.position);
        wanted.extend(&model.initial.rate);
        for _ in 0..=model.parameters.len() {
            let next = substitute(&mut pool, &wanted, &replaced, budget)?;
            if next == wanted {
                break;
            }
            wanted = next;
        }
        let formulas = Formulas::new(&pool, &wanted)?;
        let slots = u32::try_from(wanted.len()).unwrap_or(u32::MAX);
        let inputs = u32::try_from(columns.len()).unwrap_or(u32::MAX);
        let mut builder = Builder::new(slots, inputs);
        let mut symbols = rustc_hash::FxHashMap::default();
        for (k, column) in (0u32..).zip(&columns) {
            if let Column::Parameter(index) = column {
                symbols.insert(model.parameters[*index].symbol, builder.parameter(k));
            }
        }
        for (slot, value) in (0u32..).zip(formulas.record(&mut builder, &symbols)?) {
            builder.store(slot, value);
        }
        Ok(Self {
            program: builder.finish()?,
            velocities: velocities(system, budget)?,
            columns,
            parameters: model.parameters.len(),
            dimension: system.symbols.dimension(),
        })
    }

    fn member(&self, stepper: &Stepper, row: &[f64], scratch: &mut Scratch) -> Option<Member> {
        let (m, n) = (self.parameters, self.dimension);
        let mut values = vec![0.0; m + 2 * n];
        step(&self.program, &mut values, row, scratch).is_complete().then_some(())?;
        for (column, &value) in self.columns.iter().zip(row) {
            match *column {
                Column::Parameter(_) => {}
                Column::Position(i) => values[m + i] = value,
                Column::Velocity(i) | Column::Momentum(i) => values[m + n + i] = value,
            }
        }
        if let Some(program) = &self.velocities {
            let mut found = vec![0.0; n];
            step(program, &mut found, &values, scratch).is_complete().then_some(())?;
            values[m + n..].copy_from_slice(&found);
        }
        let mut state = stepper.initial.clone();
        state[..2 * n].copy_from_slice(&values[m..]);
        values.truncate(m);
        Some(Member { state, parameters: values })
    }
}

/// H_p as a program, if the model is given by a Hamiltonian and runs begin with velocities.
fn velocities(system: &System, budget: &mut Budget) -> Result<Option<Program>, MembersError> {
    // Without a Lagrangian a motion begins with its momenta.
    if system.mechanics.hamiltonian_field().is_some() {
        return Ok(None);
    }
    let Some(hamiltonian) = system.model.system.hamiltonian() else { return Ok(None) };
    let mut pool = system.model.pool.clone();
    let (names, model) = (&system.symbols, &system.model);
    let velocities = gradient(&mut pool, hamiltonian, &names.momentum, budget)?;
    let formulas = Formulas::new(&pool, &velocities)?;
    let inputs = model.parameters.iter().map(|p| p.symbol);
    let inputs: Vec<ExprId> =
        inputs.chain(names.position.iter().chain(&names.momentum).copied()).collect();
    let count = |list: &[ExprId]| u32::try_from(list.len()).unwrap_or(u32::MAX);
    let mut builder = Builder::new(count(&velocities), count(&inputs));
    let mut symbols: rustc_hash::FxHashMap<ExprId, _> =
        (0u32..).zip(&inputs).map(|(k, &input)| (input, builder.parameter(k))).collect();
    symbols.insert(names.time, builder.constant(0.0));
    for (slot, value) in (0u32..).zip(formulas.record(&mut builder, &symbols)?) {
        builder.store(slot, value);
    }
    Ok(Some(builder.finish()?))
}

/// The members of an ensemble as states and parameters of a stepper.
pub fn members(
    system: &System,
    stepper: &Stepper,
    ensemble: &Ensemble,
) -> Result<Vec<Member>, MembersError> {
    let dependent = Dependent::new(system, ensemble)?;
    let scratch = &mut Scratch::default();
    ensemble
        .rows()
        .enumerate()
        .map(|(k, row)| {
            dependent.member(stepper, row, scratch).ok_or(MembersError::NotFinite { member: k + 1 })
        })
        .collect()
}

/// Runs all members; the states they end with come beside the report.
pub fn run_members(
    model: &str,
    prepared: &Prepared,
    request: &Request,
    members: &[Member],
    threads: usize,
    (stop, made): (&Stop, &(dyn Fn(u64) + Sync)),
) -> (EnsembleReport, Vec<MemberEnd>) {
    let allowed = request.limit.unwrap_or(u64::MAX);
    let crew = Crew { steps: request.steps.min(allowed), threads, stop, made };
    let start = crate::clock::Stopwatch::start();
    let mut ends = run_ensemble(&prepared.compiled, members, crew);
    for end in &mut ends {
        if end.outcome.is_success() && end.steps < request.steps {
            end.outcome = Outcome::StepLimit;
        }
    }
    let run_seconds = start.seconds();
    let stepper = &prepared.compiled.stepper;
    let reports: Vec<MemberReport> = ends
        .iter()
        .enumerate()
        .map(|(k, end)| MemberReport {
            member: k + 1,
            outcome: end.outcome.name(),
            failure: end.failure.clone().map(failure),
            final_state: final_state(stepper, &end.state),
            errors: errors(stepper, &end.state, Measured::Own),
            errors_shifted: stepper
                .layout
                .shifted
                .then(|| errors(stepper, &end.state, Measured::Shifted)),
            steps_done: end.steps,
            consistent: end.residuals.consistent,
            initial_residuals: initial_residuals(end.residuals),
        })
        .collect();
    let report = EnsembleReport {
        model: model.to_owned(),
        method: request.method.name().to_owned(),
        step: request.options.step.to_f64(),
        time: request.time.to_f64(),
        steps: request.steps,
        completed: ends.iter().filter(|end| end.outcome.is_success()).count(),
        consistent: all_consistent(&reports),
        initial_residuals: largest_residuals(&reports),
        members: reports,
        compile_seconds: prepared.seconds,
        run_seconds,
    };
    (report, ends)
}

/// Are all members consistent of which it is known?
fn all_consistent(members: &[MemberReport]) -> Option<bool> {
    members.iter().filter_map(|member| member.consistent).reduce(|a, b| a && b)
}

/// The largest residuals of all members.
fn largest_residuals(members: &[MemberReport]) -> Option<InitialResiduals> {
    let larger = |a: Option<f64>, b: Option<f64>| match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    };
    let all = members.iter().filter_map(|member| member.initial_residuals);
    all.reduce(|a, b| InitialResiduals {
        position: larger(a.position, b.position),
        velocity: larger(a.velocity, b.velocity),
    })
}
