//! The report of a run as people read it.

use std::fmt::Write as _;

use isotrope_algebra::print::visible;

use super::number::{duration, significant};
use super::{Align, Durations, Errors, FinalState, Ports, Quantities, RunReport, Singular, Table};

/// Significant digits of errors, and of the state (all of them are in the JSON).
const ERROR_DIGITS: usize = 3;
const STATE_DIGITS: usize = 12;
/// Lines of a list; of longer ones the first are shown and the others counted.
const LINES: usize = 12;

impl RunReport {
    /// The report without what differs from one run to the next: the same run, the same text.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        let Self { method, steps, .. } = self;
        let model = visible(&self.model);
        let step = significant(self.step, STATE_DIGITS);
        let time = significant(self.time, STATE_DIGITS);
        let _ = writeln!(out, "{model}: {method}, step {step}, time {time}, {steps} steps");
        let _ = writeln!(out, "{}", self.ending());
        if let Some(durations) = &self.durations {
            let _ = writeln!(out, "{}", lengths(durations, self.steps_done));
        }
        if let Some(singular) = &self.singular {
            let _ = writeln!(out, "{}", dependent(singular));
        }
        out.push('\n');
        errors(&mut out, &self.errors, self.errors_shifted.as_ref());
        state(&mut out, &self.final_state);
        if let Some(Ports { supplied, dissipated }) = self.ports {
            let [supplied, dissipated] =
                [supplied, dissipated].map(|energy| significant(energy, STATE_DIGITS));
            let _ = writeln!(out, "\nsupplied  {supplied}, dissipated  {dissipated}");
        }
        if let Some(effort) = self.effort() {
            let _ = writeln!(out, "\n{effort}");
        }
        out
    }

    /// What the run took in time, one line; it differs from run to run.
    pub fn timing(&self) -> Option<String> {
        let cost = &self.cost;
        let parts = [
            cost.compile_seconds.map(|seconds| format!("compiled in {}", duration(seconds))),
            cost.run_seconds.map(|seconds| format!("ran for {}", duration(seconds))),
            cost.ns_per_step.map(|ns| format!("{} a step", duration(ns * 1e-9))),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    fn ending(&self) -> String {
        let Some(failure) = &self.failure else {
            return match self.steps_done {
                done if done == self.steps => self.outcome.to_string(),
                done => format!("{} after {done} steps", self.outcome),
            };
        };
        let t = significant(failure.t, STATE_DIGITS);
        let residual = failure.residual.map_or_else(String::new, |residual| {
            format!(", residual {}", significant(residual, ERROR_DIGITS))
        });
        let reason = &failure.reason;
        format!("{} at step {}, t = {t}{residual}: {reason}", self.outcome, failure.step)
    }

    fn effort(&self) -> Option<String> {
        let taken = self.steps_done;
        let unit = if self.cost.accepted_steps.is_some() { "row" } else { "step" };
        let counted = |count: u64, what: &str| {
            let each = match taken {
                0 => String::new(),
                steps => format!(" ({} a {unit})", significant(count as f64 / steps as f64, 3)),
            };
            format!("{count} {what}{each}")
        };
        let evaluations = match self.cost.accepted_steps {
            Some(_) => "evaluations",
            None => "residual evaluations",
        };
        let parts = [
            self.cost.newton_iterations.map(|count| counted(count, "iterations")),
            self.cost.accepted_steps.map(|count| format!("{count} steps between the rows")),
            self.cost.rejected_steps.map(|count| format!("{count} rejected")),
            self.cost.residual_evaluations.map(|count| counted(count, evaluations)),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| format!("cost: {}", parts.join(", ")))
    }
}

/// What is reported about the lengths of steps.
fn lengths(durations: &Durations, steps: u64) -> String {
    let [shortest, longest] =
        [durations.shortest, durations.longest].map(|length| significant(length, ERROR_DIGITS));
    let held = durations.held.map_or_else(String::new, |held| {
        let exact = steps.saturating_sub(held);
        format!("; the discrete energy is kept in {exact} of {steps} steps")
    });
    format!("steps take from {shortest} to {longest}{held}")
}

/// What is remarked about a place where constraints become dependent.
fn dependent(singular: &Singular) -> String {
    let Singular { step, t, condition } = *singular;
    let [t, condition] = [(t, STATE_DIGITS), (condition, ERROR_DIGITS)]
        .map(|(number, digits)| significant(number, digits));
    format!(
        "singular in step {step}, near t = {t}: the constraints become dependent there (the smallest singular value of A, \
         relative to its size, falls to {condition}); the motion may go on in more than one way, and this is one of them"
    )
}

/// The errors that apply, one a line.
fn errors(out: &mut String, errors: &Errors, shifted: Option<&Errors>) {
    type Pick = fn(&Errors) -> Option<f64>;
    let kinds: [(&str, Pick); 7] = [
        ("energy", |errors| errors.energy_max),
        ("energy (last step)", |errors| errors.energy_final),
        ("constraint (position)", |errors| errors.constraint_position_max),
        ("constraint (velocity)", |errors| errors.constraint_velocity_max),
        ("power balance", |errors| errors.power_balance_max),
        ("R R^T - 1", |errors| errors.orthogonality_max),
        ("p - dL/dv", |errors| errors.legendre_max),
    ];
    let text = |value: Option<f64>| {
        value.map_or_else(|| "-".to_owned(), |value| significant(value, ERROR_DIGITS))
    };
    let mut lines: Vec<[String; 3]> = Vec::new();
    let mut add = |name: String, value: Option<f64>, other: Option<f64>| {
        if value.is_some() || other.is_some() {
            lines.push([name, text(value), shifted.map_or_else(String::new, |_| text(other))]);
        }
    };
    // States have constraints of one kind.
    let of_states = shifted.is_none()
        && errors.legendre_max.is_none()
        && errors.constraint_velocity_max.is_none();
    for (name, pick) in kinds {
        let name = if of_states && name == "constraint (position)" { "constraint" } else { name };
        add(name.to_owned(), pick(errors), shifted.and_then(pick));
    }
    let momenta = &errors.momentum_max;
    for (name, value) in momenta.0.iter().take(LINES) {
        let other = shifted.and_then(|shifted| shifted.momentum_max.get(name));
        let kind = if name.starts_with("momentum") { "" } else { "momentum " };
        add(format!("{kind}{name}"), Some(*value), other);
    }
    let preserved = errors.structure_max.as_ref();
    for (name, value) in preserved.into_iter().flat_map(|list| &list.0).take(LINES) {
        lines.push([format!("structure {name}"), text(Some(*value)), String::new()]);
    }
    if lines.is_empty() {
        return;
    }
    let heading =
        ["errors (largest of all steps)", "", if shifted.is_some() { "shifted" } else { "" }];
    table(out, &heading.map(str::to_owned), &lines);
    more(out, momenta.len());
    if shifted.is_some() {
        out.push_str("  shifted: at (q_{k+1}, M^-1 p_{k+1})\n");
    }
    out.push('\n');
}

/// The last state: a line for each coordinate, then the multipliers.
fn state(out: &mut String, state: &FinalState) {
    let mut title = format!("state at t = {}", significant(state.t, STATE_DIGITS));
    let mut parts = vec![("v", state.v.as_ref()), ("p", state.p.as_ref())];
    if state.rotation.is_some() {
        // On a group velocities have names of their own.
        columns(out, std::mem::replace(&mut title, "body".to_owned()), &[("g", &state.q)]);
        out.push('\n');
    } else {
        parts.insert(0, ("q", Some(&state.q)));
    }
    let present: Vec<(&str, &Quantities)> =
        parts.into_iter().filter_map(|(name, part)| Some((name, part?))).collect();
    columns(out, title, &present);
    if let Some(energy) = state.energy {
        let _ = writeln!(out, "\nenergy  {}", significant(energy, STATE_DIGITS));
    }
    if let Some(outputs) = state.y.as_ref().filter(|outputs| !outputs.is_empty()) {
        out.push('\n');
        columns(out, "outputs".to_owned(), &[("y", outputs)]);
    }
    if let Some(lambda) = state.lambda.as_ref().filter(|lambda| !lambda.is_empty()) {
        let lines: Vec<[String; 2]> = lambda
            .0
            .iter()
            .take(LINES)
            .map(|(name, value)| [name.clone(), significant(*value, STATE_DIGITS)])
            .collect();
        out.push('\n');
        table(out, &["multipliers".to_owned(), "lambda".to_owned()], &lines);
        more(out, lambda.len());
    }
}

/// A line for each name of the first column.
fn columns(out: &mut String, title: String, present: &[(&str, &Quantities)]) {
    let Some((_, first)) = present.first() else { return };
    let mut heading = vec![title];
    heading.extend(present.iter().map(|(name, _)| (*name).to_owned()));
    let lines: Vec<Vec<String>> = first
        .0
        .iter()
        .take(LINES)
        .map(|(name, _)| {
            let value = |(_, part): &(&str, &Quantities)| {
                part.get(name).map_or_else(|| "-".to_owned(), |x| significant(x, STATE_DIGITS))
            };
            std::iter::once(name.clone()).chain(present.iter().map(value)).collect()
        })
        .collect();
    table(out, &heading, &lines);
    more(out, first.len());
}

/// Says how many entries a list left out.
fn more(out: &mut String, entries: usize) {
    if entries > LINES {
        let _ = writeln!(out, "  … and {} more; --json has all", entries - LINES);
    }
}

/// A heading and lines below it, indented; numbers of a column have their points at one place.
fn table<Line: AsRef<[String]>>(out: &mut String, heading: &[String], lines: &[Line]) {
    let mut table = Table::new([Align::Left, Align::Point]);
    table.heading(heading);
    for line in lines {
        let cells = line.as_ref().iter().enumerate();
        table.line(cells.map(|(k, cell)| if k == 0 { format!("  {cell}") } else { cell.clone() }));
    }
    let _ = write!(out, "{table}");
}
