//! Which of the methods to use, from what was measured.

use isotrope_algebra::Budget;
use isotrope_certify::certified;
use isotrope_derive::System;
use isotrope_kernel::integrate::Compiled;
use isotrope_kernel::stepper::Field;
use isotrope_scheme::Method;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Comparison, Row};
use crate::recommend::{Facts, in_words, kept};
use crate::report::{RunReport, significant};

/// The error, in units of the sizes of the problem, for which the work is compared.
const WANTED: f64 = 1e-6;
/// Operations for one certificate.
const OPERATIONS: u64 = 200_000_000;
/// Trajectories that differ by less than this part of their own errors are of one method.
const SAME: f64 = 1e-6;

/// A method whose steps are those of another one here.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
pub struct Same {
    /// The method without a row.
    pub method: String,
    /// The method whose row is the same.
    pub row: String,
}

/// Operations of a step, with the rounds that were measured.
pub(super) fn operations_per_step(compiled: &Compiled, report: &RunReport) -> Option<f64> {
    let done = report.steps_done;
    if done == 0 {
        return None;
    }
    if let Some(programs) = &compiled.stepper.adaptive {
        let tried = report.cost.accepted_steps? + report.cost.rejected_steps?;
        return Some(programs.attempt.ops.len() as f64 * tried as f64 / done as f64);
    }
    let program = &compiled.stepper.program;
    let round = f64::from(program.iterate - program.before);
    let once = program.ops.len() as f64 - round;
    let rounds = report.cost.newton_iterations? as f64 / done as f64;
    Some(once + round * rounds)
}

/// Operations for a unit of time with the wanted error: those that were made, with steps of another length.
fn work(row: &Row) -> Option<f64> {
    let order = row.order.filter(|order| *order > 0)? as f64;
    let error = row.reference_relative_max.filter(|error| error.is_finite())?;
    let each = row.operations_per_step? / row.run.step.abs();
    // An error of zero is one below rounding.
    let error = error.max(f64::EPSILON);
    Some(each * ((error / WANTED).log2() / order).exp2())
}

impl Comparison {
    /// Says which method to use: of those that keep the structure of the system, if there are such, the one with
    /// the least work for six digits.
    pub fn advise(&mut self, (system, field): (&System, &Field), methods: &[Method]) {
        let facts = Facts::of(system, field);
        let keeps: Vec<_> = methods
            .iter()
            .map(|method| {
                let budget = &mut Budget::new(OPERATIONS);
                let certificate = certified(method.clone(), budget).ok();
                let keeps = certificate.map(|known| kept(&facts, method, known.certificate()).0);
                (method.name(), keeps.unwrap_or_default())
            })
            .collect();
        let of = |row: &Row| {
            let found = keeps.iter().find(|(name, _)| *name == row.run.method);
            found.map_or(&[][..], |(_, keeps)| keeps)
        };
        let mut judged: Vec<(&Row, f64, bool)> = self
            .rows
            .iter()
            .filter(|row| row.run.outcome.is_success())
            .filter_map(|row| Some((row, work(row)?, facts.all_kept(of(row)))))
            .collect();
        judged.sort_by(|one, other| other.2.cmp(&one.2).then(one.1.total_cmp(&other.1)));
        let Some(&(best, operations, structure)) = judged.first() else { return };
        let error = best.reference_relative_max.unwrap_or(f64::NAN);
        let mut reason = match (structure, in_words(&facts, of(best))) {
            (_, words) if words.is_empty() => String::new(),
            (_, words) => format!("keeps {words} exactly; "),
        };
        let among = match (structure, judged.iter().all(|one| one.2 == structure)) {
            (true, false) => " of those that keep the structure",
            _ => "",
        };
        reason.push_str(&format!(
            "the least work{among} for six digits: error {} with step {} and {} operations a step, order {}",
            significant(error, 2),
            significant(best.run.step, 6),
            significant(best.operations_per_step.unwrap_or(f64::NAN).round(), 6),
            best.order.unwrap_or(0),
        ));
        let other = judged.iter().find(|(row, ..)| row.run.method != best.run.method);
        if let Some((row, more, _)) = other {
            let factor = more / operations;
            reason.push_str(&match factor < 1.0 {
                true => format!(
                    "; {} needs {} of its work and keeps less",
                    row.run.method,
                    significant(factor, 2)
                ),
                false => {
                    format!("; {} needs {} times as much", row.run.method, significant(factor, 2))
                }
            });
        }
        (self.recommended, self.reason) = (Some(best.run.method.clone()), Some(reason));
    }

    /// Takes out rows whose trajectories are those of a row before: they differ by far less than either is wrong.
    pub fn each_map_once(&mut self) {
        let mut kept: Vec<Row> = Vec::with_capacity(self.rows.len());
        for row in std::mem::take(&mut self.rows) {
            let twin = kept.iter().find(|known| is_same(known, &row));
            match twin {
                Some(known) => self
                    .same
                    .push(Same { method: row.run.method.clone(), row: known.run.method.clone() }),
                None => kept.push(row),
            }
        }
        self.rows = kept;
    }
}

/// Do two runs make the same steps, as far as can be seen?
fn is_same(one: &Row, other: &Row) -> bool {
    let runs = [one, other];
    if one.run.step != other.run.step || !runs.iter().all(|row| row.run.outcome.is_success()) {
        return false;
    }
    let (first, second) = (&one.track.samples, &other.track.samples);
    if first.is_empty() || first.len() != second.len() || one.order != other.order {
        return false;
    }
    let mut apart = 0.0_f64;
    for (a, b) in first.iter().zip(second) {
        for (x, y) in a.state.iter().zip(&b.state) {
            apart = apart.max((x - y).abs());
        }
    }
    runs.iter().all(|row| row.reference_max.is_some_and(|error| apart <= SAME * error))
}
