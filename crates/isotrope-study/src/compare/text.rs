//! A comparison for the terminal.

use std::fmt::Write as _;

use isotrope_algebra::print::visible;

use super::Comparison;
use super::table::short;
use crate::report::{Table, significant};

impl Comparison {
    /// A table, what its columns mean, and the reasons of rows that did not complete.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        let first = self.rows.first();
        let time = first.map_or(0.0, |row| row.run.time);
        let mut steps: Vec<String> = Vec::new();
        for row in &self.rows {
            let step = significant(row.run.step, 6);
            if !steps.contains(&step) {
                steps.push(step);
            }
        }
        let word = if steps.len() == 1 { "step" } else { "steps" };
        let time = significant(time, 6);
        match steps.is_empty() {
            true => {
                let _ = writeln!(out, "{}\n", visible(&self.model));
            }
            false => {
                let steps = steps.join(", ");
                let _ = writeln!(out, "{}: {word} {steps}, time {time}\n", visible(&self.model));
            }
        }
        self.lines(&mut out);
        out.push('\n');
        match &self.reference {
            Some(reference) => {
                let _ = writeln!(
                    out,
                    "reference: {} with step {}, error about {}",
                    reference.method,
                    significant(reference.step, 4),
                    short(reference.estimated_error)
                );
            }
            None if self.interrupted => out.push_str("reference: not computed\n"),
            None => out.push_str(
                "reference: none; no solution reaches the end within four million steps\n",
            ),
        }
        self.reasons(&mut out);
        out
    }

    fn lines(&self, out: &mut String) {
        let found = self.table();
        let mut table = Table::of_numbers(found.headings.len());
        table.heading(found.headings);
        for line in &found.lines {
            let show = |text: &str| if text.is_empty() { "-".to_owned() } else { text.to_owned() };
            table.line(line.iter().map(|cell| show(&cell.text)));
        }
        let _ = write!(out, "{table}");
    }

    /// Why rows did not complete, the same reason once.
    fn reasons(&self, out: &mut String) {
        let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
        for row in &self.rows {
            let Some(reason) = &row.reason else { continue };
            let method = row.run.method.as_str();
            match groups.iter_mut().find(|(known, _)| known == reason) {
                Some((_, methods)) if !methods.contains(&method) => methods.push(method),
                Some(_) => {}
                None => groups.push((reason, vec![method])),
            }
        }
        for (reason, methods) in groups {
            let _ = writeln!(out, "{}: {reason}", methods.join(", "));
        }
        if self.rows.iter().any(|row| row.run.errors_shifted.is_some()) {
            out.push_str(
                "errors of dirac, dla and other staggered schemes: at the pair that belongs to the \
                 scheme; --json has those at what a step leaves behind\n",
            );
        }
        for same in &self.same {
            let _ = writeln!(out, "{}: the same steps as {} here", same.method, same.row);
        }
        if let (Some(method), Some(reason)) = (&self.recommended, &self.reason) {
            let _ = writeln!(out, "\nuse {method}: {reason}");
        }
    }
}
