//! A comparison as a table of short texts, for every format.

use super::{Comparison, Row};
use crate::report::{Errors, significant};

/// A table of texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Headings.
    pub headings: Vec<&'static str>,
    /// What the headings mean.
    pub meanings: Vec<&'static str>,
    /// Lines of cells.
    pub lines: Vec<Vec<Cell>>,
}

/// A cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// What is shown; empty where nothing applies.
    pub text: String,
    /// More about it.
    pub note: Option<String>,
}

/// A column: heading, meaning, and what it shows of a row.
type Column = (&'static str, &'static str, fn(&Row) -> Cell);

const COLUMNS: [Column; 10] = [
    ("method", "the method", |row| text(row.run.method.clone())),
    ("step", "the step h", |row| text(significant(row.run.step, 6))),
    ("order", "the order, computed", |row| {
        text(row.order.map_or_else(String::new, |order| order.to_string()))
    }),
    ("energy", "largest |E - E0 - work|", |row| error(row, |errors| errors.energy_max)),
    ("|phi|", "largest violation of a constraint on positions", |row| {
        error(row, |errors| errors.constraint_position_max)
    }),
    ("|Av+b|", "largest violation of a constraint on velocities", |row| {
        error(row, |errors| errors.constraint_velocity_max)
    }),
    ("|p-L_v|", "largest defect of the Legendre map", |row| {
        error(row, |errors| errors.legendre_max)
    }),
    ("momenta", "largest change of a conserved momentum", |row| {
        error(row, |errors| errors.momentum_max.0.iter().map(|entry| entry.1).reduce(f64::max))
    }),
    ("distance", "largest distance to the reference solution", |row| number(row.reference_max)),
    ("cost", "evaluations of a step", |row| {
        let done = row.run.steps_done;
        let each = |count: u64| count as f64 / done as f64;
        let count = row.run.cost.residual_evaluations.filter(|_| done > 0);
        text(count.map_or_else(String::new, |count| significant(each(count), 3)))
    }),
];

fn text(text: String) -> Cell {
    Cell { text, note: None }
}

fn number(value: Option<f64>) -> Cell {
    text(value.map_or_else(String::new, short))
}

/// Two digits, so that columns stay narrow.
pub(super) fn short(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() || !(1e-3..1e4).contains(&value.abs()) {
        return format!("{value:.1e}");
    }
    significant(value, 3)
}

fn error(row: &Row, pick: fn(&Errors) -> Option<f64>) -> Cell {
    number(pick(&row.run.errors))
}

fn outcome(row: &Row) -> Cell {
    let name = row.run.outcome.name();
    let text = match &row.run.failure {
        Some(failure) if row.run.steps_done > 0 => {
            format!("{name} at t = {}", significant(failure.t, 4))
        }
        _ => name.to_owned(),
    };
    Cell { text, note: row.reason.clone() }
}

impl Comparison {
    /// Columns in which nothing applies are left out; so is the step if there is only one.
    #[must_use]
    pub fn table(&self) -> Table {
        let first = self.rows.first().map(|row| row.run.step);
        let one_step = self.rows.iter().all(|row| Some(row.run.step) == first);
        let mut headings = Vec::new();
        let mut meanings = Vec::new();
        let mut lines: Vec<Vec<Cell>> = self.rows.iter().map(|_| Vec::new()).collect();
        for (heading, meaning, show) in COLUMNS {
            let cells: Vec<Cell> = self.rows.iter().map(show).collect();
            let empty = cells.iter().all(|cell| cell.text.is_empty());
            if empty || heading == "step" && one_step {
                continue;
            }
            headings.push(heading);
            meanings.push(meaning);
            for (line, cell) in lines.iter_mut().zip(cells) {
                line.push(cell);
            }
        }
        headings.push("outcome");
        meanings.push("how the run ended");
        for (line, row) in lines.iter_mut().zip(&self.rows) {
            line.push(outcome(row));
        }
        Table { headings, meanings, lines }
    }
}
