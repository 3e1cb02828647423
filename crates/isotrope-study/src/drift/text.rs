//! The answer as people read it.

use std::fmt::Write as _;

use isotrope_algebra::print::visible;

use super::{DriftReport, DriftRow};
use crate::report::{Table, shortest};

impl DriftRow {
    /// What became of the energy, in a word.
    #[must_use]
    pub fn verdict(&self) -> &'static str {
        if self.is_rounding == Some(true) {
            return "rounding";
        }
        match (self.drifts, self.wanders) {
            (Some(true), _) => "drifts",
            (_, Some(true)) => "wanders",
            (Some(false), _) => "bounded",
            (None, _) if self.failure.is_some() => self.outcome,
            (None, _) => "too short to tell",
        }
    }
}

impl DriftReport {
    /// The report: the same runs, the same text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        let number =
            |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |x| format!("{x:.2e}"));
        let plain =
            |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |x| format!("{x:.3}"));
        let _ = writeln!(out, "{}\n", visible(&self.model));
        let mut table = Table::of_numbers(8);
        let titles =
            ["method", "step", "time", "energy", "slope", "± slope", "oscillation", "verdict"];
        table.heading(titles);
        for row in &self.rows {
            table.line([
                row.method.clone(),
                format!("{}", row.step),
                format!("{}", row.time),
                number(row.energy_max),
                number(row.slope),
                number(row.slope_uncertainty),
                number(row.amplitude),
                row.verdict().to_owned(),
            ]);
        }
        let _ = writeln!(out, "{table}");
        let bracket = self.rows.iter().any(|row| row.poisson_defect_max.is_some());
        let form = if bracket { "bracket" } else { "dq∧dp" };
        let mut table = Table::of_numbers(7);
        let titles = ["method", "constraint", "growth", form, "structure", "Lyapunov", "crossings"];
        table.heading(titles);
        for row in &self.rows {
            let crossings = row.crossings.as_ref().map(Vec::len);
            table.line([
                row.method.clone(),
                number(row.constraint_max),
                plain(row.constraint_growth),
                number(row.form_defect_max.or(row.poisson_defect_max)),
                number(row.structure_defect_max),
                number(row.lyapunov),
                crossings.map_or_else(|| "-".to_owned(), |count| count.to_string()),
            ]);
        }
        let _ = write!(out, "{table}");
        for row in &self.rows {
            if let Some(failure) = &row.failure {
                let _ = writeln!(
                    out,
                    "\n{}: {} at step {}, t = {}: {}",
                    row.method,
                    row.outcome,
                    failure.step,
                    shortest(failure.t),
                    failure.reason
                );
            }
        }
        out
    }
}
