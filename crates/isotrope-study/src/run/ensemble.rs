//! Many runs of one model.

use isotrope_algebra::calculus::{Substitution, gradient, substitute};
use isotrope_algebra::{Budget, ExprId, OutOfBudget, Stop};
use isotrope_derive::{GroupMechanics, System};
use isotrope_kernel::integrate::{Crew, Member, MemberEnd, Outcome, Runner, SinkError, Watch};
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

/// What became of an ensemble without its members: these are told one by one while it runs.
#[derive(Debug, Clone)]
pub struct EnsembleSummary {
    /// How many members there are.
    pub members: usize,
    /// Members that start off their constraints.
    pub inconsistent: usize,
    /// Members that could not make a step.
    pub failed: usize,
    /// The first of these.
    pub first_failed: Vec<MemberReport>,
    /// The first of the others.
    pub first_fine: Vec<MemberReport>,
    /// The report of all of them, with an empty list of members.
    pub report: EnsembleReport,
}

/// Members of either kind that are kept.
const KEPT: usize = 12;

impl EnsembleSummary {
    fn new(prepared: &Prepared, request: &Request, model: &str) -> Self {
        let report = EnsembleReport {
            model: model.to_owned(),
            method: request.method.name().to_owned(),
            step: request.options.step.to_f64(),
            time: request.time.to_f64(),
            steps: request.steps,
            completed: 0,
            consistent: None,
            initial_residuals: None,
            members: Vec::new(),
            compile_seconds: prepared.seconds,
            run_seconds: 0.0,
        };
        let (first_failed, first_fine) = (Vec::new(), Vec::new());
        Self { members: 0, inconsistent: 0, failed: 0, first_failed, first_fine, report }
    }

    fn add(&mut self, member: &MemberReport, outcome: Outcome) {
        let report = &mut self.report;
        self.members += 1;
        report.completed += usize::from(outcome.is_success());
        self.inconsistent += usize::from(member.consistent == Some(false));
        // Are all members consistent of which it is known?
        report.consistent = match (report.consistent, member.consistent) {
            (Some(a), Some(b)) => Some(a && b),
            (a, b) => a.or(b),
        };
        report.initial_residuals = larger(report.initial_residuals, member.initial_residuals);
        let failed = member.failure.is_some();
        self.failed += usize::from(failed);
        let list = if failed { &mut self.first_failed } else { &mut self.first_fine };
        if list.len() < KEPT {
            list.push(member.clone());
        }
    }
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
#[derive(Debug)]
struct Dependent {
    program: Program,
    /// For a Hamiltonian: velocities from parameters, positions and momenta.
    velocities: Option<Program>,
    columns: Vec<Column>,
    parameters: usize,
    /// Numbers of positions, and of rates.
    counts: [usize; 2],
    /// Which positions are rotations: columns give them in any length.
    rotations: Vec<std::ops::Range<usize>>,
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
        let group = system.mechanics.group();
        let position = group.map_or(&model.initial.position, |group| &group.initial);
        wanted.extend(position);
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
            counts: match group {
                Some(group) => [group.numbers.len(), system.symbols.velocity.len()],
                None => [system.symbols.dimension(); 2],
            },
            rotations: group.map_or_else(Vec::new, GroupMechanics::rotations),
        })
    }

    fn member(&self, stepper: &Stepper, row: &[f64], scratch: &mut Scratch) -> Option<Member> {
        let (m, [n, rates]) = (self.parameters, self.counts);
        let mut values = vec![0.0; m + n + rates];
        step(&self.program, &mut values, row, scratch).is_complete().then_some(())?;
        for (column, &value) in self.columns.iter().zip(row) {
            match *column {
                Column::Parameter(_) => {}
                Column::Position(i) => values[m + i] = value,
                Column::Velocity(i) | Column::Momentum(i) => values[m + n + i] = value,
            }
        }
        if let Some(program) = &self.velocities {
            let mut found = vec![0.0; rates];
            step(program, &mut found, &values, scratch).is_complete().then_some(())?;
            values[m + n..].copy_from_slice(&found);
        }
        let turned = |range: &&std::ops::Range<usize>| {
            self.columns.iter().any(|c| matches!(c, Column::Position(i) if range.contains(i)))
        };
        for range in self.rotations.iter().filter(turned) {
            let numbers = values.get_mut(m + range.start..m + range.end)?;
            // The largest first, so that squares are in range.
            let largest = numbers.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            (largest > 0.0).then_some(())?;
            numbers.iter_mut().for_each(|x| *x /= largest);
            let norm = numbers.iter().map(|x| x * x).sum::<f64>().sqrt();
            numbers.iter_mut().for_each(|x| *x /= norm);
        }
        let mut state = stepper.initial.clone();
        // Where a state is all there is, its rates follow.
        let given = if stepper.is_first_order() { n } else { n + rates };
        state[..given].copy_from_slice(&values[m..m + given]);
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

/// The members of an ensemble as states and parameters of a stepper, made when they are needed.
#[derive(Debug)]
pub struct Members {
    dependent: Dependent,
    ensemble: Ensemble,
}

impl Members {
    /// How the columns of a table become members.
    pub fn new(system: &System, ensemble: Ensemble) -> Result<Self, MembersError> {
        Ok(Self { dependent: Dependent::new(system, &ensemble)?, ensemble })
    }

    /// How many there are; at least one.
    #[must_use]
    pub fn count(&self) -> usize {
        self.ensemble.members()
    }

    /// The members, one by one.
    pub fn iter<'a>(
        &'a self,
        stepper: &'a Stepper,
    ) -> impl Iterator<Item = Result<Member, MembersError>> + 'a {
        let mut scratch = Scratch::default();
        self.ensemble.rows().enumerate().map(move |(k, row)| {
            let member = self.dependent.member(stepper, row, &mut scratch);
            member.ok_or(MembersError::NotFinite { member: k + 1 })
        })
    }
}

/// What is done with a member that has ended: its report, and the state it ended with.
pub type Told<'a> = dyn FnMut(&MemberReport, &MemberEnd) -> Result<(), SinkError> + 'a;

/// The members of a stepper side by side; the code for lanes is made once.
#[derive(Debug)]
pub struct Together<'a> {
    prepared: &'a Prepared,
    steps: u64,
    wanted: u64,
    runner: Runner<'a>,
}

impl<'a> Together<'a> {
    /// Makes the code for lanes.
    #[must_use]
    pub fn new(prepared: &'a Prepared, request: &Request) -> Self {
        let allowed = request.limit.unwrap_or(u64::MAX);
        let (steps, wanted) = (request.steps.min(allowed), request.steps);
        Self { prepared, steps, wanted, runner: Runner::new(&prepared.compiled) }
    }

    /// How many members fill all threads without taking much memory.
    #[must_use]
    pub fn portion(&self, threads: usize) -> usize {
        self.runner.portion(threads)
    }

    /// Runs members, each looked at on its way where somebody wants to, under the number it has in the list.
    #[must_use]
    pub fn run(
        &self,
        members: &[Member],
        threads: usize,
        (stop, made): (&Stop, &(dyn Fn(u64) + Sync)),
        watch: Option<&dyn Watch>,
    ) -> Vec<MemberEnd> {
        let crew = Crew { steps: self.steps, threads, stop, made, watch };
        let mut ends = self.runner.run(members, crew);
        if self.steps < self.wanted {
            for end in &mut ends {
                if end.outcome.is_success() && end.steps == self.steps {
                    end.outcome = Outcome::StepLimit;
                }
            }
        }
        ends
    }

    /// What became of a member.
    #[must_use]
    pub fn report(&self, member: usize, end: &MemberEnd) -> MemberReport {
        member_report(&self.prepared.compiled.stepper, member, end)
    }
}

/// Runs all members, portion by portion, and tells what became of each in the order of the members. Ends early
/// where that is refused.
pub fn run_members(
    model: &str,
    (prepared, request): (&Prepared, &Request),
    mut members: impl Iterator<Item = Member>,
    threads: usize,
    (stop, made): (&Stop, &(dyn Fn(u64) + Sync)),
    tell: &mut Told<'_>,
) -> (EnsembleSummary, Result<(), SinkError>) {
    let mut start = crate::clock::Stopwatch::start();
    let together = Together::new(prepared, request);
    let portion = together.portion(threads);
    let mut summary = EnsembleSummary::new(prepared, request, model);
    let mut told = Ok(());
    while told.is_ok() {
        let some: Vec<Member> = members.by_ref().take(portion).collect();
        if some.is_empty() {
            break;
        }
        let ends = together.run(&some, threads, (stop, made), None);
        summary.report.run_seconds += start.seconds();
        told = ends.into_iter().try_for_each(|end| {
            let report = together.report(summary.members + 1, &end);
            summary.add(&report, end.outcome);
            tell(&report, &end)
        });
        start = crate::clock::Stopwatch::start();
    }
    (summary, told)
}

fn member_report(stepper: &Stepper, member: usize, end: &MemberEnd) -> MemberReport {
    let shifted = stepper.layout.shifted;
    MemberReport {
        member,
        outcome: end.outcome.name(),
        failure: end.failure.clone().map(failure),
        final_state: final_state(stepper, &end.state),
        errors: errors(stepper, &end.state, Measured::Own),
        errors_shifted: shifted.then(|| errors(stepper, &end.state, Measured::Shifted)),
        steps_done: end.steps,
        consistent: end.residuals.consistent,
        initial_residuals: initial_residuals(end.residuals),
    }
}

/// The larger residuals of two.
fn larger(a: Option<InitialResiduals>, b: Option<InitialResiduals>) -> Option<InitialResiduals> {
    let (Some(a), Some(b)) = (a, b) else { return a.or(b) };
    let larger = |a: Option<f64>, b: Option<f64>| match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    };
    Some(InitialResiduals {
        position: larger(a.position, b.position),
        velocity: larger(a.velocity, b.velocity),
    })
}
