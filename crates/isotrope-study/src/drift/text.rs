//! The answer as people read it.

use std::fmt::Write as _;

use super::{DriftReport, DriftRow};

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
        let _ = writeln!(out, "{}\n", self.model);
        let mut lines = vec![
            ["method", "step", "time", "energy", "slope", "± slope", "oscillation", "verdict"]
                .map(str::to_owned),
        ];
        lines.extend(self.rows.iter().map(|row| {
            [
                row.method.clone(),
                format!("{}", row.step),
                format!("{}", row.time),
                number(row.energy_max),
                number(row.slope),
                number(row.slope_uncertainty),
                number(row.amplitude),
                row.verdict().to_owned(),
            ]
        }));
        table(&mut out, &lines);
        out.push('\n');
        let bracket = self.rows.iter().any(|row| row.poisson_defect_max.is_some());
        let form = if bracket { "bracket" } else { "dq∧dp" };
        let mut lines = vec![
            ["method", "constraint", "growth", form, "structure", "Lyapunov", "crossings"]
                .map(str::to_owned),
        ];
        lines.extend(self.rows.iter().map(|row| {
            let crossings = row.crossings.as_ref().map(Vec::len);
            [
                row.method.clone(),
                number(row.constraint_max),
                plain(row.constraint_growth),
                number(row.form_defect_max.or(row.poisson_defect_max)),
                number(row.structure_defect_max),
                number(row.lyapunov),
                crossings.map_or_else(|| "-".to_owned(), |count| count.to_string()),
            ]
        }));
        table(&mut out, &lines);
        for row in &self.rows {
            if let Some(failure) = &row.failure {
                let _ = writeln!(
                    out,
                    "\n{}: {} at step {}, t = {}: {}",
                    row.method, row.outcome, failure.step, failure.t, failure.reason
                );
            }
        }
        out
    }
}

/// Lines of the same number of cells, the first column to the left, the others to the right, the
/// last one again to the left.
fn table<const N: usize>(out: &mut String, lines: &[[String; N]]) {
    let width = |k: usize| lines.iter().map(|line| line[k].chars().count()).max().unwrap_or(0);
    for line in lines {
        let mut text = String::new();
        for (k, cell) in line.iter().enumerate() {
            let fill = " ".repeat(width(k) - cell.chars().count());
            match k {
                0 => text.extend([cell.as_str(), &fill]),
                _ if k + 1 == N => text.extend(["  ", cell.as_str()]),
                _ => text.extend(["  ", &fill, cell.as_str()]),
            }
        }
        out.push_str(text.trim_end());
        out.push('\n');
    }
}
