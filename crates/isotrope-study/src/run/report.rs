//! What a run leaves behind, as a report.

use isotrope_kernel::integrate::{
    Compiled, Dependence, End, Failure as Failed, Integration, MeasuredSizes, Outcome, Residuals,
};
use isotrope_kernel::stepper::{Field, Layout, Measured, Scales as Sizes, Stepper};

use super::{Prepared, Request};
use crate::report::{
    Cost, Durations, Errors, Failure, FinalState, InitialResiduals, Ports, Quantities, RunReport,
    Scales, Singular,
};

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
    let final_state = final_state(stepper, state);
    // Rows that nobody takes end a run as well.
    let refused = end.sink.as_ref().map(|error| Failure {
        step: steps,
        t: final_state.t,
        residual: None,
        reason: error.to_string(),
    });
    RunReport {
        failure: end
            .failure
            .clone()
            .map(|failed| advised(&prepared.compiled, failure(failed), end))
            .or(refused),
        final_state,
        errors: errors(stepper, state, own),
        errors_shifted: stepper.layout.shifted.then(|| errors(stepper, state, shifted)),
        durations: durations(stepper, state).filter(|_| steps > 0),
        ports: ports(stepper, state),
        consistent: integration.residuals().consistent,
        initial_residuals: initial_residuals(integration.residuals()),
        singular: integration.dependence().map(|Dependence { step, time, condition }| Singular {
            step,
            t: time,
            condition,
        }),
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
        scales: scales(&prepared.compiled, state),
        ..empty(model, request, end.outcome)
    }
}

/// The sizes of the problem.
fn scales(compiled: &Compiled, state: &[f64]) -> Option<Scales> {
    let stepper = &compiled.stepper;
    let sizes = Sizes::of(stepper.layout, state)?;
    // What is measured has the sizes that it has at the start.
    let mut start = state.to_vec();
    start[..stepper.layout.moving()].copy_from_slice(&stepper.initial[..stepper.layout.moving()]);
    let measured = MeasuredSizes::of(compiled, &start, &stepper.parameters)?;
    let largest = |list: &[f64]| list.iter().copied().reduce(f64::max);
    Some(Scales {
        time: sizes.time,
        q: named(&stepper.names, &sizes.position),
        v: named(&stepper.rate_names, &sizes.velocity),
        p: match stepper.has_momenta {
            true => named(&stepper.rate_names, &sizes.momentum),
            false => Quantities::default(),
        },
        energy: stepper.has_energy.then_some(sizes.energy),
        constraint_position: largest(&measured.position_levels).filter(|_| stepper.has_positions),
        constraint_velocity: largest(&measured.velocity_levels),
        conserved: named(&stepper.conserved_names, &measured.conserved),
        structure: structure(stepper, state, 2),
    })
}

/// What initial values leave of the constraints, where there are some.
pub(super) fn initial_residuals(found: Residuals) -> Option<InitialResiduals> {
    let Residuals { position, velocity, consistent, .. } = found;
    consistent.map(|_| InitialResiduals { position, velocity })
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

/// What went through the ports, where it is summed up.
fn ports(stepper: &Stepper, state: &[f64]) -> Option<Ports> {
    let layout = stepper.layout;
    let number = |slot: u32| state.get(slot as usize).copied();
    let supplied = number(layout.supplied()).filter(|_| layout.ports)?;
    Some(Ports { supplied, dissipated: number(layout.dissipated())? })
}

/// The report of a run that could not make its first step.
pub(super) fn not_begun(
    model: &str,
    prepared: &Prepared,
    request: &Request,
    failed: Failed,
) -> RunReport {
    let stepper = &prepared.compiled.stepper;
    let (n, moving) = (stepper.layout.dimension, stepper.layout.moving());
    let (q, rates) = (&stepper.initial[..n], &stepper.initial[n..moving]);
    let rates = (stepper.rate_names.as_slice(), rates, stepper.layout.in_momenta);
    RunReport {
        final_state: start((&stepper.names, q), rates),
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
    let (q, rates) = &field.initial;
    let rates = (field.rate_names.as_slice(), rates.as_slice(), field.is_in_momenta());
    let final_state = start((&field.coordinate_names, q), rates);
    RunReport { final_state, ..with_failure(model, request, failed) }
}

fn with_failure(model: &str, request: &Request, failed: Failed) -> RunReport {
    let outcome = failed.outcome;
    RunReport { failure: Some(failure(failed)), ..empty(model, request, outcome) }
}

/// A failure, with what to do about it where that is known.
fn advised(compiled: &Compiled, mut failure: Failure, end: &End) -> Failure {
    if let Some(advice) = super::stiff::advice(compiled, end.outcome) {
        failure.reason = format!("{}; {advice}", failure.reason);
    }
    failure
}

pub(crate) fn failure(failed: Failed) -> Failure {
    let Failed { step, time, residual, reason, .. } = failed;
    Failure { step, t: time, residual, reason }
}

/// What a motion begins with: positions and velocities, or momenta where these are given.
fn start(
    (names, q): (&[String], &[f64]),
    (rates, values, in_momenta): (&[String], &[f64], bool),
) -> FinalState {
    let given = named(rates, values);
    let (v, p) = if in_momenta { (None, Some(given)) } else { (Some(given), None) };
    FinalState {
        t: 0.0,
        q: named(names, q),
        v,
        p,
        lambda: None,
        rotation: None,
        omega: None,
        energy: None,
        y: None,
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
        final_state: start((&[], &[]), (&[], &[], false)),
        errors: Errors::default(),
        errors_shifted: None,
        durations: None,
        ports: None,
        consistent: None,
        initial_residuals: None,
        singular: None,
        cost: Cost::default(),
        steps_done: 0,
        scales: None,
    }
}

pub(super) fn final_state(stepper: &Stepper, state: &[f64]) -> FinalState {
    let layout = stepper.layout;
    let n = layout.dimension;
    let rotations = &stepper.rotations;
    let turning = !rotations.is_empty();
    let omega = rotations.iter().flat_map(|rotation| {
        let from = n + rotation.rate;
        state[from..from + rotation.size().1].to_vec()
    });
    let matrices = rotations.iter().flat_map(|rotation| rotation.matrix(state));
    let first = layout.multiplier(0) as usize;
    let multipliers = &state[first..first + layout.constraints];
    FinalState {
        t: state[layout.time() as usize],
        q: named(&stepper.names, &state[..n]),
        v: Some(named(&stepper.rate_names, &state[layout.velocities()])),
        p: Some(match stepper.has_momenta {
            true => named(&stepper.rate_names, &state[layout.all_momenta()]),
            false => Quantities::default(),
        }),
        lambda: Some(named(&stepper.constraint_names, multipliers)),
        rotation: turning.then(|| matrices.collect()),
        omega: turning.then(|| omega.collect()),
        energy: stepper.has_energy.then(|| state[layout.energy() as usize]),
        y: (layout.outputs + stepper.shown.len() > 0).then(|| {
            let outputs = stepper.output_names.iter().enumerate();
            let outputs = outputs.map(|(k, name)| (name.clone(), layout.output(k)));
            let numbers = outputs.chain(stepper.shown.iter().cloned());
            numbers.map(|(name, slot)| (name, state[slot as usize])).collect()
        }),
    }
}

fn named(names: &[String], values: &[f64]) -> Quantities {
    names.iter().cloned().zip(values.iter().copied()).collect()
}

/// The changes of conserved momenta. Where a vector is conserved as a whole, its largest component is
/// told under the name of the vector, too.
fn momenta(stepper: &Stepper, state: &[f64], place: Measured) -> Quantities {
    let layout = stepper.layout;
    let names = &stepper.conserved_names;
    let value = |j: usize| state.get(layout.largest_momentum_error(place, j) as usize).copied();
    let mut entries: Vec<(String, f64)> =
        names.iter().enumerate().filter_map(|(j, name)| Some((name.clone(), value(j)?))).collect();
    let mut whole = Vec::new();
    for (name, _) in &entries {
        let Some(base) = name.strip_suffix("[1]").filter(|base| base.starts_with("spatial")) else {
            continue;
        };
        let parts: Vec<f64> = (1..=3)
            .filter_map(|i| {
                let wanted = format!("{base}[{i}]");
                entries.iter().find(|(name, _)| *name == wanted).map(|(_, value)| *value)
            })
            .collect();
        if parts.len() == 3 {
            whole.push((base.to_owned(), parts.into_iter().fold(0.0, f64::max)));
        }
    }
    entries.splice(0..0, whole);
    entries.into_iter().collect()
}

/// The functions that the scheme measures itself: the slot of the kind `which` of each.
fn structure(stepper: &Stepper, state: &[f64], which: usize) -> Option<Quantities> {
    let found: Quantities = stepper
        .defects
        .iter()
        .filter_map(|(name, slots)| Some((name.clone(), *state.get(slots[which] as usize)?)))
        .collect();
    (!found.0.is_empty()).then_some(found)
}

pub(super) fn errors(stepper: &Stepper, state: &[f64], place: Measured) -> Errors {
    let layout: Layout = stepper.layout;
    let number = |slot: u32| state.get(slot as usize).copied();
    let constrained = layout.constraints > 0;
    Errors {
        energy_max: number(layout.largest_energy_error(place)).filter(|_| stepper.has_energy),
        energy_final: number(layout.energy_error(place)).filter(|_| stepper.has_energy),
        constraint_position_max: number(layout.largest_position_error(place))
            .filter(|_| stepper.has_positions),
        constraint_velocity_max: number(layout.largest_velocity_error(place))
            .filter(|_| constrained),
        orthogonality_max: number(layout.largest_position_error(place))
            .filter(|_| !stepper.rotations.is_empty()),
        power_balance_max: number(layout.largest_power_balance()).filter(|_| layout.ports),
        legendre_max: number(layout.largest_legendre_error(place)).filter(|_| stepper.has_momenta),
        momentum_max: momenta(stepper, state, place),
        structure_max: structure(stepper, state, 1),
    }
}
