//! Measured lines as text and JSON.

use serde_json::{Value, json};

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

/// All lines.
#[must_use]
pub fn to_json(rows: &[Row]) -> Value {
    let workloads: Vec<Value> = rows
        .iter()
        .map(|row| {
            json!({
                "name": row.name,
                "ns": row.ns,
                "clock": row.clock.name(),
                "accuracy": row.accuracy,
                "c_ns": row.c_ns,
                "ratio": row.ratio(),
                "total_ms": row.total_ms,
                "about": row.about,
            })
        })
        .collect();
    json!({ "workloads": workloads })
}
