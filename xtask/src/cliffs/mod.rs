//! What used to take unreasonably long or much memory: every line with its goal, measured.
//!
//! A report and no test: times depend on the machine.

mod measure;
mod models;

use std::fs;
use std::path::{Path, PathBuf};

use crate::test::say;
use measure::{Measured, measure};

/// A line of the report.
struct Row {
    /// What it is about.
    about: &'static str,
    /// Arguments of the command; `@NAME` is a file that is written for it.
    command: String,
    /// CPU seconds.
    seconds: f64,
    /// Megabytes, where they are limited.
    megabytes: Option<f64>,
}

/// A row without a limit of memory.
fn row(about: &'static str, seconds: f64, command: &str) -> Row {
    Row { about, command: command.to_owned(), seconds, megabytes: None }
}

fn rows() -> Vec<Row> {
    let within = |megabytes: f64, row: Row| Row { megabytes: Some(megabytes), ..row };
    let ensemble = "run models/kepler.toml --method verlet --step 1/10 --time 1/10 \
                    --ensemble @ellipses.csv";
    vec![
        row("unicycle, 2 trailers", 2.0, "derive @trailers2.toml"),
        row("unicycle, 3 trailers", 2.0, "derive @trailers3.toml"),
        row("unicycle, 3 trailers", 2.0, "check @trailers3.toml"),
        row("unicycle, 3 trailers", 2.0, "run @trailers3.toml"),
        within(256.0, row("3000 different cosines", 2.0, "derive @cosines.toml")),
        within(256.0, row("3000 different cosines", 2.0, "run @cosines.toml")),
        within(256.0, row("1000 nested sines", 2.0, "derive @nested.toml")),
        within(256.0, row("1000 nested sines", 2.0, "run @nested.toml")),
        within(256.0, row("500 nested sines", 2.0, "geometry @nested_form.toml")),
        row("modified, order 3", 3.0, "modified euler models/double_pendulum.toml --order 3"),
        row("modified, order 3", 3.0, "modified verlet models/ziegler.toml --order 3"),
        row(
            "discrete gradients",
            1.0,
            "compare models/sphere_drift.toml --methods discrete-gradient --no-html",
        ),
        row(
            "discrete gradients",
            1.0,
            "compare models/n_pendulum.toml --methods discrete-gradient --no-html",
        ),
        row("four-bar linkage", 1.0, "derive @four_bar.toml"),
        row("page of a comparison", 1.0, "compare models/pendulum.toml --html @page.html"),
        within(200.0, row("10⁶ members", 10.0, &format!("{ensemble} --out @members.npz"))),
        within(200.0, row("10⁶ members, JSON", 10.0, &format!("{ensemble} --json"))),
        row("300 columns, 2000 members", 1.0, "run @oscillators.toml --ensemble @wide.csv"),
        row("80 links", 1.0, "derive models/n_pendulum.toml --set N=80"),
        row(
            "flow of a chain, a direction",
            1.0,
            "flow models/chain.toml --set N=50 --method rattle --sensitivity g",
        ),
        row("three bodies", 0.05, "run @bodies3.toml --json"),
        row("forty bodies", 0.5, "run @bodies40.toml --json"),
        row("pendulum", 0.0025, "run models/pendulum.toml --json"),
        row("double pendulum", 0.008, "run models/double_pendulum.toml --json"),
        row(
            "3000 links, 200 steps",
            60.0,
            "run models/chain.toml --set N=3000 --method gauss-2 --time 1/5",
        ),
    ]
}

/// Writes the files that the rows name.
fn write(folder: &Path) -> Result<(), String> {
    let files = [
        ("trailers2.toml", models::trailers(2)),
        ("trailers3.toml", models::trailers(3)),
        ("cosines.toml", models::on_a_line("sum(i, 1, 3000, cos(i*x)/i^2)")),
        ("nested.toml", models::on_a_line(&models::nested(1000))),
        ("nested_form.toml", models::nested_distribution(500)),
        ("four_bar.toml", models::four_bar()),
        ("ellipses.csv", models::ellipses(1_000_000)),
        ("oscillators.toml", models::oscillators(150)),
        ("wide.csv", models::wide(150, 2000)),
        ("bodies3.toml", models::bodies(3)),
        ("bodies40.toml", models::bodies(40)),
    ];
    let failed = |error: std::io::Error| format!("cannot write {}: {error}", folder.display());
    fs::create_dir_all(folder).map_err(failed)?;
    files.iter().try_for_each(|(name, text)| fs::write(folder.join(name), text).map_err(failed))
}

/// Measures all rows whose command contains one of the words, or all.
pub fn run(words: &[&str]) -> Result<(), String> {
    let program = match std::env::var_os("ISOTROPE") {
        Some(program) => PathBuf::from(program),
        None => {
            crate::test::release()?;
            PathBuf::from("target/release/isotrope")
        }
    };
    let folder = std::env::temp_dir().join(format!("isotrope-cliffs-{}", std::process::id()));
    let outcome = write(&folder).and_then(|()| report(&program, &folder, words));
    let _ = fs::remove_dir_all(&folder);
    outcome
}

fn report(program: &Path, folder: &Path, words: &[&str]) -> Result<(), String> {
    say("| what | command | goal, s | CPU, s | goal, MB | MB | ended | |");
    say("|---|---|---:|---:|---:|---:|---|---|");
    for row in rows() {
        if !words.is_empty() && !words.iter().any(|word| row.command.contains(word)) {
            continue;
        }
        let arguments: Vec<String> = row
            .command
            .split_whitespace()
            .map(|word| match word.strip_prefix('@') {
                Some(name) => folder.join(name).display().to_string(),
                None => word.to_owned(),
            })
            .collect();
        // What is short is repeated: the clock of processes ticks a hundred times a second.
        let repeats = if row.seconds < 0.1 { 40 } else { 1 };
        let Measured { seconds, megabytes, ended } = measure(program, &arguments, repeats)?;
        let good = ended == "0"
            && seconds <= row.seconds
            && row.megabytes.is_none_or(|most| megabytes <= most);
        let most = row.megabytes.map_or_else(String::new, |most| format!("{most:.0}"));
        say(&format!(
            "| {} | `{}` | {} | {seconds:.4} | {most} | {megabytes:.0} | {ended} | {} |",
            row.about,
            row.command.replace('@', ""),
            row.seconds,
            if good { "reached" } else { "missed" }
        ));
    }
    Ok(())
}
