//! What became of an ensemble, for people and programs.

use std::fmt::Write as _;

use isotrope_algebra::print::visible;
use isotrope_study::report::{Align, Table, shortest};
use isotrope_study::run::EnsembleReport;

/// Members that are listed; of longer ensembles the first, and all that failed up to this number.
const LISTED: usize = 12;

/// The report as text: the same run, the same text.
pub fn to_text(report: &EnsembleReport) -> String {
    let mut out = String::new();
    let EnsembleReport { method, steps, completed, members, .. } = report;
    let [step, time] = [report.step, report.time].map(shortest);
    let model = visible(&report.model);
    let _ = writeln!(out, "{model}: {method}, step {step}, time {time}, {steps} steps");
    let _ = writeln!(out, "{completed} of {} members completed\n", members.len());
    let aligns = [Align::Right, Align::Left, Align::Right, Align::Left];
    // The outcome is followed by one blank.
    let mut table = Table::new(aligns).at_least([8, 14, 12]);
    table.heading(["member", "outcome", "energy", "reason"]);
    let (failed, fine): (Vec<_>, Vec<_>) =
        members.iter().partition(|member| member.failure.is_some());
    let shown = failed.iter().take(LISTED).chain(fine.iter().take(LISTED));
    for member in shown {
        let energy = member.errors.energy_max.filter(|x| x.is_finite());
        let energy = energy.map_or_else(|| "-".to_owned(), |x| format!("{x:.2e}"));
        let reason = member.failure.as_ref().map_or_else(String::new, |failure| {
            format!("t = {}: {}", shortest(failure.t), failure.reason)
        });
        table.line([member.member.to_string(), member.outcome.to_owned(), energy, reason]);
    }
    let _ = write!(out, "{table}");
    let hidden = failed.len().saturating_sub(LISTED) + fine.len().saturating_sub(LISTED);
    if hidden > 0 {
        let _ = writeln!(out, "... and {hidden} more; --json has all of them");
    }
    out
}
