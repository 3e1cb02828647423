//! What became of an ensemble, for people and programs.

use std::fmt::Write as _;
use std::io::{self, Read, Seek, SeekFrom, Write};

use isotrope_algebra::print::visible;
use isotrope_study::report::{Align, Table, shortest};
use isotrope_study::run::{EnsembleReport, EnsembleSummary, MemberReport};

/// The report as text: the same run, the same text. Of long ensembles the first members, and the first that failed.
pub fn to_text(summary: &EnsembleSummary) -> String {
    let mut out = String::new();
    let EnsembleReport { method, steps, completed, .. } = &summary.report;
    let [step, time] = [summary.report.step, summary.report.time].map(shortest);
    let model = visible(&summary.report.model);
    let _ = writeln!(out, "{model}: {method}, step {step}, time {time}, {steps} steps");
    let _ = writeln!(out, "{completed} of {} members completed\n", summary.members);
    let aligns = [Align::Right, Align::Left, Align::Right, Align::Left];
    // The outcome is followed by one blank.
    let mut table = Table::new(aligns).at_least([8, 14, 12]);
    table.heading(["member", "outcome", "energy", "reason"]);
    for member in summary.first_failed.iter().chain(&summary.first_fine) {
        let energy = member.errors.energy_max.filter(|x| x.is_finite());
        let energy = energy.map_or_else(|| "-".to_owned(), |x| format!("{x:.2e}"));
        let reason = member.failure.as_ref().map_or_else(String::new, |failure| {
            format!("t = {}: {}", shortest(failure.t), failure.reason)
        });
        table.line([member.member.to_string(), member.outcome.to_owned(), energy, reason]);
    }
    let _ = write!(out, "{table}");
    let hidden = summary.members - summary.first_failed.len() - summary.first_fine.len();
    if hidden > 0 {
        let _ = writeln!(out, "... and {hidden} more; --json has all of them");
    }
    out
}

/// Text that is gathered before it goes to the spool.
const PORTION: usize = 1 << 18;
/// The list of members in the report around them.
const EMPTY: &str = "\n  \"members\": []";

/// The JSON of an ensemble in constant memory: members go to a spool while it runs, and then between the two halves
/// of the report, which begins with sums over all of them.
#[derive(Debug)]
pub struct Json<S> {
    spool: S,
    /// Text that is not yet there.
    waiting: Vec<u8>,
    any: bool,
}

impl<S: Read + Write + Seek> Json<S> {
    /// Begins with an empty spool.
    pub fn new(spool: S) -> Self {
        Self { spool, waiting: Vec::new(), any: false }
    }

    /// The next member.
    pub fn push(&mut self, member: &MemberReport) -> io::Result<()> {
        self.waiting.extend_from_slice(if self.any { b",\n" } else { b"\n" });
        self.any = true;
        // Strings of JSON have no line breaks: every line is moved to the right by two levels.
        for (k, line) in serde_json::to_string_pretty(member)?.lines().enumerate() {
            if k > 0 {
                self.waiting.push(b'\n');
            }
            self.waiting.extend_from_slice(b"    ");
            self.waiting.extend_from_slice(line.as_bytes());
        }
        if self.waiting.len() >= PORTION {
            self.spool.write_all(&self.waiting)?;
            self.waiting.clear();
        }
        Ok(())
    }

    /// Writes the report, whose own list of members is empty, with the members in their place.
    pub fn write(mut self, report: &EnsembleReport, out: &mut dyn Write) -> io::Result<()> {
        let around = serde_json::to_string_pretty(report)?;
        let (before, after) = around.split_once(EMPTY).ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidData, "the report has its own members")
        })?;
        write!(out, "{before}{}", EMPTY.trim_end_matches(']'))?;
        self.spool.seek(SeekFrom::Start(0))?;
        io::copy(&mut self.spool, out)?;
        out.write_all(&self.waiting)?;
        let end = if self.any { "\n  ]" } else { "]" };
        writeln!(out, "{end}{after}")
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use isotrope_study::report::{Errors, FinalState, Quantities};

    use super::*;

    fn member(member: usize) -> MemberReport {
        let q: Quantities = [("x", 0.5 * member as f64), ("y", f64::NAN)].into_iter().collect();
        MemberReport {
            member,
            outcome: "completed",
            failure: None,
            final_state: FinalState {
                t: 1e-300,
                q,
                v: None,
                p: None,
                lambda: None,
                rotation: None,
                omega: None,
                energy: Some(1.0),
                y: None,
            },
            errors: Errors::default(),
            errors_shifted: None,
            steps_done: 10,
            consistent: None,
            initial_residuals: None,
        }
    }

    /// Two roads: members in a spool, and the whole report at once.
    #[test]
    fn json_of_members_one_by_one_is_that_of_all_at_once() {
        for count in [0, 1, 3, 1000] {
            let mut report = EnsembleReport {
                model: "a \"name\"\n  \"members\": []".to_owned(),
                method: "verlet".to_owned(),
                step: 0.1,
                time: 1.0,
                steps: 10,
                completed: count,
                consistent: None,
                initial_residuals: None,
                members: Vec::new(),
                compile_seconds: 0.25,
                run_seconds: 0.5,
            };
            let mut json = Json::new(Cursor::new(Vec::new()));
            let members: Vec<MemberReport> = (1..=count).map(member).collect();
            members.iter().for_each(|member| json.push(member).unwrap());
            let mut written = Vec::new();
            json.write(&report, &mut written).unwrap();
            report.members = members;
            let whole = format!("{:#}\n", crate::value(&report));
            assert_eq!(String::from_utf8(written).unwrap(), whole, "{count}");
        }
    }
}
