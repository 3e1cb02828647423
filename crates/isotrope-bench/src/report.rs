//! Measured lines as text and JSON.

use schemars::JsonSchema;
use serde::Serialize;

use super::Row;

/// One line: name, nanoseconds, accuracy, those of C, their ratio, the total, what was done.
#[must_use]
pub fn line(row: &Row) -> String {
    let optional = |number: Option<f64>, format: fn(f64) -> String| {
        number.map_or_else(|| "-".to_owned(), format)
    };
    let accuracy = optional(row.accuracy, |x| format!("{x:.1e}"));
    let c = optional(row.c_ns, nanoseconds);
    let ratio = optional(row.ratio(), |x| format!("{x:.2}"));
    let total = row.total_ms.map_or_else(String::new, |ms| format!(", {ms:.3} ms in all"));
    format!(
        "{:<17} {:>8} {accuracy:>8}  C {c:>8}  ratio {ratio:>5}  {}{total}\n",
        row.name,
        nanoseconds(row.ns),
        row.about,
    )
}

fn nanoseconds(ns: f64) -> String {
    if ns < 10.0 { format!("{ns:.3}") } else { format!("{ns:.1}") }
}

/// What `isotrope bench` answers.
#[derive(Debug, JsonSchema, Serialize)]
pub struct BenchRecord {
    /// What was measured.
    workloads: Vec<WorkloadRecord>,
}

/// A measured line.
#[derive(Debug, JsonSchema, Serialize)]
struct WorkloadRecord {
    /// The workload, with a size or a method where it has several.
    name: String,
    /// Nanoseconds for one of what is counted.
    ns: f64,
    /// `cpu` or `wall`.
    clock: &'static str,
    /// How wrong the result is; what that means is said in `about`.
    accuracy: Option<f64>,
    /// Nanoseconds of the C program.
    c_ns: Option<f64>,
    /// Time over that of the C program.
    ratio: Option<f64>,
    /// Milliseconds for the whole, where that is asked for.
    total_ms: Option<f64>,
    /// What is done, counted and compared.
    about: String,
}

impl BenchRecord {
    /// All lines.
    #[must_use]
    pub fn new(rows: &[Row]) -> Self {
        let record = |row: &Row| WorkloadRecord {
            name: row.name.clone(),
            ns: row.ns,
            clock: row.clock.name(),
            accuracy: row.accuracy,
            c_ns: row.c_ns,
            ratio: row.ratio(),
            total_ms: row.total_ms,
            about: row.about.clone(),
        };
        Self { workloads: rows.iter().map(record).collect() }
    }
}
