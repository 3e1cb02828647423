//! The study as people read it.

use isotrope_algebra::double::linear::Complex;
use std::fmt::Write as _;

use super::report::{Entries, Entry, Kind, StabilityReport};
use crate::report::{Align, Table, columns, significant};

/// Significant digits of numbers (all of them are in the JSON).
const DIGITS: usize = 11;
/// Digits of entries, rates and shifts.
const FEW: usize = 5;
/// Rates below this part of the largest eigenvalue, and shifts below this part of the range, are rounding.
const RATE: f64 = 1e-6;
const SHIFT: f64 = 1e-6;
/// Larger matrices are not printed.
const LARGEST: usize = 10;

impl StabilityReport {
    /// The report as text; it is the same in every run.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        let name = &self.parameter;
        let [low, high] = self.range.map(|x| significant(x, DIGITS));
        let _ = writeln!(out, "{}: stability for {name} = {low} .. {high}", self.model);
        self.equilibrium_text(&mut out);
        self.matrices_text(&mut out);
        let at = significant(self.at, DIGITS);
        let _ = writeln!(out, "\neigenvalues at {name} = {at}: {}", self.state);
        let _ = writeln!(out, "  {}", pairs(&self.eigenvalues).join(", "));
        self.critical_text(&mut out);
        self.nonconservativity_text(&mut out);
        self.methods_text(&mut out);
        for note in &self.notes {
            let _ = writeln!(out, "\n{note}");
        }
        out
    }

    fn equilibrium_text(&self, out: &mut String) {
        let name = &self.parameter;
        let mut lines: Vec<Vec<String>> = Vec::new();
        match &self.equilibrium_exact {
            Some(exact) => {
                let _ = writeln!(out, "\nequilibrium for every {name}, exactly");
                lines.extend(exact.0.iter().map(|(q, value)| vec![q.clone(), value.clone()]));
            }
            None => {
                let at = significant(self.at, DIGITS);
                let _ = writeln!(out, "\nequilibrium at {name} = {at}");
                let numbers = self.equilibrium.0.iter();
                lines.extend(numbers.map(|(q, x)| vec![q.clone(), significant(*x, DIGITS)]));
            }
        }
        table(out, lines);
    }

    fn matrices_text(&self, out: &mut String) {
        let names: Vec<String> = self.displacements.iter().map(|name| format!("d{name}")).collect();
        let _ = writeln!(out, "\nM y'' + (C + G) y' + K y = 0 with y = ({})", names.join(", "));
        if names.len() > LARGEST {
            let _ = writeln!(out, "  matrices of {} rows are in the JSON", names.len());
            return;
        }
        let m = &self.matrices;
        let list = [("M", &m.mass), ("C", &m.damping), ("G", &m.gyroscopic), ("K", &m.stiffness)];
        for (name, matrix) in list {
            matrix_text(out, name, matrix);
        }
        match self.nonconservativity.degree {
            0 => out.push_str("  K_sym = K\n"),
            _ => matrix_text(out, "K_sym", &m.symmetric),
        }
    }

    fn critical_text(&self, out: &mut String) {
        let name = &self.parameter;
        if self.critical.is_empty() {
            let _ = writeln!(out, "\nno critical value of {name} in the range");
            return;
        }
        let _ = writeln!(out, "\ncritical values of {name}");
        let count = |n: Option<usize>| n.map_or_else(|| "?".to_owned(), |n| n.to_string());
        let lines: Vec<Vec<String>> = self
            .critical
            .iter()
            .map(|c| {
                let what = match (c.kind, c.unstable) {
                    (Kind::SymmetricPartSingular, _) => match &c.constraint {
                        Some(row) => format!("diverges under the additional constraint {row}"),
                        None => String::new(),
                    },
                    (_, [None, None]) => String::new(),
                    (_, [a, b]) => format!("unstable eigenvalues: {} -> {}", count(a), count(b)),
                };
                let exact = c.exact.clone().unwrap_or_default();
                let exact = if columns(&exact) > 40 { "(exact: JSON)".to_owned() } else { exact };
                vec![c.kind.name().to_owned(), significant(c.value, DIGITS), exact, what]
            })
            .collect();
        table(out, lines);
    }

    fn nonconservativity_text(&self, out: &mut String) {
        let found = &self.nonconservativity;
        let _ = match found.degree {
            0 => writeln!(
                out,
                "\nK is symmetric: the stiffness is conservative (degree of nonconservativity 0)"
            ),
            degree => writeln!(
                out,
                "\ndegree of nonconservativity {degree}: K is symmetric under {}",
                found.constraints.join(", ")
            ),
        };
    }

    fn methods_text(&self, out: &mut String) {
        let Some(first) = self.methods.first() else { return };
        let name = &self.parameter;
        let step = significant(first.step, DIGITS);
        let _ = writeln!(out, "\nwhere steps of {step} begin to grow");
        let [low, high] = self.range.map(|x| significant(x, DIGITS));
        // Rates beside the fastest motion, shifts beside the range.
        let fastest = self.eigenvalues.iter().fold(0.0, |most, z| f64::max(most, z.abs()));
        let width = self.range[1] - self.range[0];
        let rate = |rate: Option<f64>| {
            rate.map_or_else(|| "-".to_owned(), |rate| cleaned(rate, RATE * fastest))
        };
        let heading = [
            "method".to_owned(),
            name.clone(),
            "shift".to_owned(),
            format!("rate at {low}"),
            format!("rate at {high}"),
        ];
        let mut lines = vec![heading.to_vec()];
        for row in &self.methods {
            let (value, shift) = verdict(row.outcome, (row.value, row.shift), width);
            lines.push(vec![
                row.method.clone(),
                value,
                shift,
                rate(row.growth[0]),
                rate(row.growth[1]),
            ]);
        }
        table(out, lines);
        for row in &self.methods {
            if let Some(reason) = &row.reason {
                let _ = writeln!(out, "  {}: {reason}", row.method);
            }
            if let Some(principal) = &row.principal {
                let (value, shift) =
                    verdict(principal.outcome, (principal.value, principal.shift), width);
                let shift = if shift == "-" { String::new() } else { format!(", shift {shift}") };
                let _ = writeln!(
                    out,
                    "  {}: parasitic roots grow; without them {value}{shift}",
                    row.method
                );
            }
        }
    }
}

/// The threshold of a method, and its shift.
fn verdict(
    outcome: &str,
    (value, shift): (Option<f64>, Option<f64>),
    width: f64,
) -> (String, String) {
    let none = || "-".to_owned();
    match outcome {
        "threshold" => (
            value.map_or_else(none, |x| significant(x, 7)),
            shift.map_or_else(none, |x| cleaned(x, SHIFT * width)),
        ),
        "unstable" => ("everywhere".to_owned(), none()),
        "stable" => ("nowhere".to_owned(), none()),
        other => (other.to_owned(), none()),
    }
}

/// A number without the digits that are rounding.
fn cleaned(x: f64, rounding: f64) -> String {
    significant(if x.abs() < rounding { 0.0 } else { x }, 3)
}

/// Conjugate pairs and opposite ones are written together.
fn pairs(list: &[Complex]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    let size = list.iter().fold(0.0, |size, z| f64::max(size, z.abs()));
    let clean = |x: f64| if x.abs() <= 1e-12 * size { 0.0 } else { x };
    for z in list {
        let (re, im) = (clean(z.re), clean(z.im));
        let text = match (re == 0.0, im == 0.0) {
            (true, true) => "0".to_owned(),
            (true, false) => format!("±{}i", significant(im.abs(), FEW)),
            (false, true) => significant(re, FEW),
            (false, false) => format!("{} ± {}i", significant(re, FEW), significant(im.abs(), FEW)),
        };
        if im <= 0.0 {
            texts.push(text);
        }
    }
    texts
}

fn matrix_text(out: &mut String, name: &str, matrix: &Entries) {
    let text = |entry: &Entry| match entry {
        Entry::Exact(text) => text.clone(),
        Entry::Number(x) => significant(*x, FEW),
    };
    let rows: Vec<Vec<String>> = matrix.iter().map(|row| row.iter().map(text).collect()).collect();
    if rows.iter().flatten().all(|entry| entry == "0") {
        let _ = writeln!(out, "  {name:<5} = 0");
        return;
    }
    let mut table = Table::new([Align::Right]);
    for row in rows {
        table.line(row);
    }
    for (i, cells) in table.cells().iter().enumerate() {
        let label = if i == 0 { format!("{name:<5} =") } else { " ".repeat(7) };
        let _ = writeln!(out, "  {label} [ {} ]", cells.join("  "));
    }
}

/// Words in columns.
fn table(out: &mut String, lines: Vec<Vec<String>>) {
    let mut table = Table::new([Align::Left]).indented(2);
    for line in lines {
        table.line(line);
    }
    let _ = write!(out, "{table}");
}
