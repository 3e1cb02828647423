//! What a run leaves behind, as a report.

use isotrope_kernel::integrate::{End, Failure as Failed, Integration, Outcome};
use isotrope_kernel::stepper::{Field, Layout, Measured, Stepper};

use super::{Prepared, Request};
use crate::report::{Cost, Durations, Errors, Failure, FinalState, Quantities, RunReport};

/// The report of a run that made steps.
pub(super) fn report(
    model: &str,
    prepared: &Prepared,
    request: &Request,
    integration: &mut Integration<'_>,
    end: &End,
    seconds: f64,
) -> RunReport {
    let stepper = &prepared.compiled.stepper;
    integration.fill_row();
    let effort = stepper.adaptive.as_ref().map(|_| integration.effort);
    let state = integration.state();
    let steps = integration.steps;
    let rounds = integration.rounds;
    let each = u64::from(stepper.evaluations);
    let is_explicit = stepper.program.variables.is_empty();
    let (shifted, own) = (Measured::Shifted, Measured::Own);
    RunReport {
        failure: end.failure.clone().map(failure),
        final_state: final_state(stepper, state),
        errors: errors(stepper, state, own),
        errors_shifted: stepper.layout.shifted.then(|| errors(stepper, state, shifted)),
        durations: durations(stepper, state).filter(|_| steps > 0),
        cost: Cost {
            newton_iterations: effort.is_none().then_some(rounds),
            residual_evaluations: Some(match effort {
                Some(effort) => effort.evaluations,
                None => each * if is_explicit { steps } else { rounds },
            }),
            accepted_steps: effort.map(|effort| effort.accepted),
            rejected_steps: effort.map(|effort| effort.rejected),
            compile_seconds: Some(prepared.seconds),
            run_seconds: Some(seconds),
            ns_per_step: (steps > 0).then(|| seconds * 1e9 / steps as f64),
        },
        steps_done: steps,
        ..empty(model, request, end.outcome)
    }
}

/// The lengths of steps, where they are not all the same.
fn durations(stepper: &Stepper, state: &[f64]) -> Option<Durations> {
    let pace = stepper.pace?;
    let number = |slot: u32| state.get(slot as usize).copied();
    Some(Durations {
        shortest: number(pace.shortest)?,
        longest: number(pace.longest)?,
        held: pace.hold.and_then(|hold| number(hold.count)).map(|count| count as u64),
    })
}

/// The report of a run that could not make its first step.
pub(super) fn not_begun(
    model: &str,
    prepared: &Prepared,
    request: &Request,
    failed: Failed,
) -> RunReport {
    let stepper = &prepared.compiled.stepper;
    let n = stepper.layout.dimension;
    let (q, v) = (&stepper.initial[..n], &stepper.initial[n..2 * n]);
    RunReport {
        final_state: start(&stepper.names, q, v),
        cost: Cost { compile_seconds: Some(prepared.seconds), ..Cost::default() },
        ..with_failure(model, request, failed)
    }
}

/// The report of a method that makes no sense for the model.
pub(super) fn not_applicable(
    model: &str,
    field: &Field,
    request: &Request,
    reason: &str,
) -> RunReport {
    let failed = Failed {
        outcome: Outcome::NotApplicable,
        step: 0,
        time: 0.0,
        residual: None,
        reason: reason.to_owned(),
    };
    let (q, v) = &field.initial;
    let final_state = start(&field.coordinate_names, q, v);
    RunReport { final_state, ..with_failure(model, request, failed) }
}

fn with_failure(model: &str, request: &Request, failed: Failed) -> RunReport {
    let outcome = failed.outcome;
    RunReport { failure: Some(failure(failed)), ..empty(model, request, outcome) }
}

pub(crate) fn failure(failed: Failed) -> Failure {
    let Failed { step, time, residual, reason, .. } = failed;
    Failure { step, t: time, residual, reason }
}

fn start(names: &[String], q: &[f64], v: &[f64]) -> FinalState {
    FinalState {
        t: 0.0,
        q: named(names, q),
        v: Some(named(names, v)),
        p: None,
        lambda: None,
        energy: None,
    }
}

fn empty(model: &str, request: &Request, outcome: Outcome) -> RunReport {
    RunReport {
        model: model.to_owned(),
        method: request.method.name().to_owned(),
        step: request.options.step.to_f64(),
        time: request.time.to_f64(),
        steps: request.steps,
        outcome,
        failure: None,
        final_state: start(&[], &[], &[]),
        errors: Errors::default(),
        errors_shifted: None,
        durations: None,
        cost: Cost::default(),
        steps_done: 0,
    }
}

pub(super) fn final_state(stepper: &Stepper, state: &[f64]) -> FinalState {
    let layout = stepper.layout;
    let n = layout.dimension;
    let first = layout.multiplier(0) as usize;
    let multipliers = &state[first..first + layout.constraints];
    FinalState {
        t: state[layout.time() as usize],
        q: named(&stepper.names, &state[..n]),
        v: Some(named(&stepper.names, &state[n..2 * n])),
        p: Some(named(&stepper.names, &state[2 * n..3 * n])),
        lambda: Some(named(&stepper.constraint_names, multipliers)),
        energy: Some(state[layout.energy() as usize]),
    }
}

fn named(names: &[String], values: &[f64]) -> Quantities {
    names.iter().cloned().zip(values.iter().copied()).collect()
}

pub(super) fn errors(stepper: &Stepper, state: &[f64], place: Measured) -> Errors {
    let layout: Layout = stepper.layout;
    let number = |slot: u32| state.get(slot as usize).copied();
    let constrained = layout.constraints > 0;
    Errors {
        energy_max: number(layout.largest_energy_error(place)),
        energy_final: number(layout.energy_error(place)),
        constraint_position_max: number(layout.largest_position_error(place))
            .filter(|_| stepper.has_positions),
        constraint_velocity_max: number(layout.largest_velocity_error(place))
            .filter(|_| constrained),
        legendre_max: number(layout.largest_legendre_error(place)),
        momentum_max: stepper
            .conserved_names
            .iter()
            .enumerate()
            .filter_map(|(j, name)| {
                Some((name.clone(), number(layout.largest_momentum_error(place, j))?))
            })
            .collect(),
    }
}
