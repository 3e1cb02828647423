//! The test command: everything that has to hold before a change lands.

use std::process::Command;

/// Runs all checks; `long` adds the heavy sweeps.
pub fn run(long: bool) -> Result<(), String> {
    step("format", &["fmt", "--all", "--check"], long)?;
    step("clippy", &["clippy", "--workspace", "--quiet", "--", "-D", "warnings"], long)?;
    // A test may stop where it fails; otherwise the same rules.
    let mut tests =
        vec!["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"];
    for lint in [
        "clippy::unwrap_used",
        "clippy::expect_used",
        "clippy::panic",
        "clippy::print_stdout",
        "clippy::print_stderr",
    ] {
        tests.extend(["-A", lint]);
    }
    step("clippy on tests", &tests, long)?;
    say("== dependency direction");
    crate::dependencies::check()?;
    say("== pages: the facade for wasm32");
    crate::wasm::check()?;
    step("tests", &["test", "--workspace"], long)?;
    say("all checks passed");
    Ok(())
}

/// Runs the benchmarks.
pub fn bench() -> Result<(), String> {
    let packages = ["bench", "--package", "isotrope-bench", "--package", "isotrope-geometry"];
    step("benchmarks", &packages, false)
}

fn step(name: &str, arguments: &[&str], long: bool) -> Result<(), String> {
    say(&format!("== {name}: cargo {}", arguments.join(" ")));
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments);
    if long {
        command.env("ISOTROPE_LONG", "1");
    }
    let status = command.status().map_err(|error| format!("cannot run cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name} failed")) }
}

/// Talk goes to standard error.
#[expect(clippy::print_stderr, reason = "the one place where this command talks")]
pub fn say(message: &str) {
    eprintln!("{message}");
}
