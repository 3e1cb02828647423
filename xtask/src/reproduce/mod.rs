//! `cargo xtask reproduce`: the tables of the sources beside our numbers, as docs/reproduction.md.

mod published;
mod verdict;

use std::fmt::Write as _;
use std::process::Command;

use published::{Line, Pair, Published, Quantity, TABLES};
use serde_json::Value;
use verdict::{slope, verdict};

const PAGE: &str = "docs/reproduction.md";

const HEAD: &str = "\
# The tables of the sources, once more

The published work behind this project compares integrators in tables. This page puts our numbers beside each of
them; `cargo xtask reproduce` computes them all again and writes it. Seconds differ from machine to machine, nothing
else does.

A number is *reproduced* if ours is within 5 % of it, 15 % where one digit is printed; *same size* if it is within a
factor of three. What cannot be reproduced says why. Misprints of formulas are in [errata](errata.md).

";

/// Computes the page and writes it.
pub(crate) fn run() -> Result<(), String> {
    let mut page = HEAD.to_owned();
    for table in &TABLES {
        page.push_str(&section(table)?);
    }
    page.push_str(&ziegler()?);
    std::fs::write(PAGE, page).map_err(|error| format!("cannot write {PAGE}: {error}"))
}

/// What the program answers, as JSON.
fn isotrope(arguments: &[&str]) -> Result<Value, String> {
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--release", "--package", "isotrope-cli", "--"])
        .args(arguments)
        .output()
        .map_err(|error| format!("cannot run isotrope: {error}"))?;
    serde_json::from_slice(&output.stdout).map_err(|_| {
        format!("isotrope {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr))
    })
}

/// A printed line and our numbers.
type Found<'a> = (&'a Line, Vec<Option<f64>>);

fn distinct<'a>(values: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut list: Vec<&str> = Vec::new();
    for value in values {
        if !list.contains(&value) {
            list.push(value);
        }
    }
    list
}

fn section(table: &Published) -> Result<String, String> {
    let methods = distinct(table.lines.iter().map(|line| line.method)).join(",");
    let steps = distinct(table.lines.iter().map(|line| line.step)).join(",");
    let model = format!("models/{}.toml", table.model);
    let mut arguments =
        vec!["compare", &model, "--methods", &methods, "--steps", &steps, "--time", table.time];
    arguments.extend(table.arguments);
    let command = format!("isotrope {}", arguments.join(" "));
    arguments.push("--json");
    let answer = isotrope(&arguments)?;
    let rows = answer["rows"].as_array().ok_or("compare has no rows")?;
    let mut out = format!("## {}\n\n{}\n\n`{command}`\n\n", table.title, table.about);
    out.push_str("| source | method | h |");
    for (heading, _) in table.columns {
        let _ = write!(out, " {heading}, printed | ours |");
    }
    out.push_str(" verdict |\n|---|---|---|");
    out.push_str(&"---|---|".repeat(table.columns.len()));
    out.push_str("---|\n");
    let mut found: Vec<Found<'_>> = Vec::new();
    for line in table.lines {
        let step: f64 = line.step.parse().map_err(|_| format!("the step {}", line.step))?;
        let row = rows
            .iter()
            .find(|row| row["method"] == line.method && row["step"].as_f64() == Some(step))
            .ok_or_else(|| format!("no row for {} with {}", line.method, line.step))?;
        let ours: Vec<Option<f64>> =
            table.columns.iter().map(|(_, quantity)| value(row, *quantity, table.pair)).collect();
        let _ = write!(out, "| {} | `{}` | {} |", line.source, line.method, line.step);
        for (printed, ours) in line.printed.iter().zip(&ours) {
            let _ = write!(out, " {} | {} |", short(*printed), short(*ours));
        }
        let _ = writeln!(out, " {} |", verdict(table, line, &ours));
        found.push((line, ours));
    }
    out.push('\n');
    out.push_str(&slopes(table, &found));
    out.push_str(&ranking(table, &found));
    if !table.conclusion.is_empty() {
        let _ = writeln!(out, "{}\n", table.conclusion);
    }
    Ok(out)
}

fn value(row: &Value, quantity: Quantity, pair: Pair) -> Option<f64> {
    let shifted = &row["errors_shifted"];
    let errors = if pair == Pair::Shifted && !shifted.is_null() { shifted } else { &row["errors"] };
    let number = |key: &str| errors[key].as_f64();
    match quantity {
        Quantity::Seconds => row["cost"]["run_seconds"].as_f64(),
        Quantity::Energy => number("energy_max"),
        Quantity::EnergySquared => number("energy_max").map(|error| error * error),
        Quantity::Position => number("constraint_position_max"),
        Quantity::Velocity => number("constraint_velocity_max"),
    }
}

/// Measured powers of h where a method has several steps, printed and ours.
fn slopes(table: &Published, found: &[Found<'_>]) -> String {
    let mut out = String::new();
    for method in distinct(table.lines.iter().map(|line| line.method)) {
        let lines: Vec<_> = found.iter().filter(|(line, _)| line.method == method).collect();
        if lines.len() < 2 {
            continue;
        }
        for (k, (heading, quantity)) in table.columns.iter().enumerate() {
            if *quantity == Quantity::Seconds {
                continue;
            }
            let steps = || lines.iter().map(|(line, _)| line.step.parse().unwrap_or(f64::NAN));
            let printed = slope(steps().zip(lines.iter().map(|(line, _)| line.printed[k])));
            let ours = slope(steps().zip(lines.iter().map(|(_, ours)| ours[k])));
            if let (Some(printed), Some(ours)) = (printed, ours) {
                let _ = writeln!(
                    out,
                    "Power of h in the {heading} column of `{method}`: printed {printed:.2}, ours {ours:.2}.\n"
                );
            }
        }
    }
    out
}

/// The order of the methods from the best to the worst, where each has one step.
fn ranking(table: &Published, found: &[Found<'_>]) -> String {
    if table.data_known || distinct(table.lines.iter().map(|line| line.step)).len() > 1 {
        return String::new();
    }
    let ranked = |pick: &dyn Fn(&Found<'_>) -> Option<f64>| {
        let mut list: Vec<(f64, &str)> =
            found.iter().filter_map(|entry| Some((pick(entry)?, entry.0.source))).collect();
        list.sort_by(|a, b| a.0.total_cmp(&b.0));
        list.into_iter().map(|entry| entry.1).collect::<Vec<_>>().join(" < ")
    };
    let printed = ranked(&|(line, _)| line.printed.first().copied().flatten());
    let ours = ranked(&|(_, ours)| ours.first().copied().flatten());
    let same = if printed == ours { "The ranking is reproduced" } else { "The ranking differs" };
    format!("{same}. Printed: {printed}. Ours: {ours}.\n\n")
}

/// The critical loads of the column, which the sources give as an application.
fn ziegler() -> Result<String, String> {
    let answer =
        isotrope(&["stability", "models/ziegler_angles.toml", "--vary", "P=1..3", "--json"])?;
    let mut out = String::from(
        "## Ziegler column\n\nThe sources name the column under a follower load as an application and print no \
         numbers; these are exact.\n\n`isotrope stability models/ziegler_angles.toml --vary P=1..3`\n\n\
         | what | P | exactly |\n|---|---|---|\n",
    );
    for critical in answer["critical"].as_array().into_iter().flatten() {
        let _ = writeln!(
            out,
            "| {} | {} | {} |",
            critical["kind"].as_str().unwrap_or("?"),
            critical["value"].as_f64().map_or_else(|| "–".to_owned(), |x| format!("{x:.10}")),
            critical["exact"].as_str().unwrap_or("–"),
        );
    }
    let degree = &answer["nonconservativity"]["degree"];
    let _ = writeln!(out, "\nGeometric degree of nonconservativity: {degree}.");
    Ok(out)
}

fn short(value: Option<f64>) -> String {
    match value {
        None => "–".to_owned(),
        Some(0.0) => "0".to_owned(),
        Some(x) if (1e-3..1e3).contains(&x.abs()) => format!("{x:.4}"),
        Some(x) => format!("{x:.2e}"),
    }
}
