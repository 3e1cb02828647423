//! The test command: everything that has to hold before a change lands.

mod left_out;
mod phase;
mod python;
mod slowest;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use left_out::LeftOut;
use phase::Phases;

/// What is asked of a run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Asked {
    /// The heavy sweeps as well.
    pub long: bool,
    /// The table of phases with wall and processor time.
    pub times: bool,
}

impl Asked {
    /// Reads the arguments.
    pub fn read(arguments: &[&str]) -> Result<Self, String> {
        let mut asked = Self::default();
        for argument in arguments {
            match *argument {
                "--long" => asked.long = true,
                "--times" => asked.times = true,
                other => return Err(format!("`test` takes --long and --times, not `{other}`")),
            }
        }
        Ok(asked)
    }
}

/// Runs all checks.
pub fn run(asked: Asked) -> Result<(), String> {
    let mut phases = Phases::default();
    let mut left_out = LeftOut::new(&target_folder())?;
    let outcome = checks(asked, &mut phases, &mut left_out);
    if asked.times {
        phases.print();
    }
    let left_out = left_out.print(in_ci());
    outcome?;
    left_out?;
    say("\nall checks passed");
    Ok(())
}

fn checks(asked: Asked, phases: &mut Phases, left_out: &mut LeftOut) -> Result<(), String> {
    let skipped = left_out.file().to_owned();
    let cargo = |arguments: &[&str]| {
        let mut command = cargo(arguments);
        command.env("ISOTROPE_SKIPPED", &skipped);
        if asked.long {
            command.env("ISOTROPE_LONG", "1");
        }
        finish(command, arguments)
    };
    phases.time("format", || cargo(&["fmt", "--all", "--check"]))?;
    let clippy = ["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"];
    phases.time("clippy", || cargo(&clippy))?;
    phases.time("dependency direction", || {
        say("== dependency direction");
        crate::dependencies::check()
    })?;
    if crate::wasm::is_installed() {
        phases.time("wasm32", crate::wasm::check)?;
    } else {
        left_out.note(crate::wasm::ABSENT);
    }
    if !asked.long {
        left_out.note("the long sweeps: cargo xtask test --long");
    }
    if has_nextest() {
        phases.time("compile tests", || {
            cargo(&["nextest", "run", "--workspace", "--no-run", "--cargo-quiet"])
        })?;
        let run = phases.time("run tests", || {
            cargo(&["nextest", "run", "--workspace", "--cargo-quiet", "--no-tests", "pass"])
        });
        slowest::print(&target_folder().join("nextest/default/junit.xml"));
        run?;
    } else {
        left_out.note("the times of single tests: cargo-nextest is not installed");
        let tests = ["test", "--workspace", "--lib", "--bins", "--tests"];
        phases.time("compile tests", || cargo(&[&tests[..], &["--no-run", "--quiet"]].concat()))?;
        phases
            .time("run tests", || cargo(&[&tests[..], &["--no-fail-fast", "--quiet"]].concat()))?;
    }
    phases.time("documentation tests", || cargo(&["test", "--workspace", "--doc", "--quiet"]))?;
    match python::interpreter() {
        Some(python) => {
            phases.time("python", || python::check(python, &target_folder(), asked.long))?;
        }
        None => left_out.skip(python::ABSENT)?,
    }
    Ok(())
}

/// Runs the tests of the Python package and nothing else.
pub fn python_alone(long: bool) -> Result<(), String> {
    let python = python::interpreter().ok_or(python::ABSENT)?;
    python::check(python, &target_folder(), long)
}

/// Measures the Python package beside others.
pub fn bench_python() -> Result<(), String> {
    let python = python::interpreter().ok_or(python::ABSENT)?;
    python::bench(python, &target_folder())
}

/// Runs the benchmarks.
pub fn bench() -> Result<(), String> {
    let packages = ["bench", "--package", "isotrope-bench", "--package", "isotrope-geometry"];
    finish(cargo(&packages), &packages)
}

/// Builds the command as users have it.
pub fn release() -> Result<(), String> {
    let arguments = ["build", "--release", "--package", "isotrope-cli"];
    finish(cargo(&arguments), &arguments)
}

/// The cargo that runs this; incremental artefacts are never used again in CI.
fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments);
    if in_ci() {
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}

fn finish(mut command: Command, arguments: &[&str]) -> Result<(), String> {
    let line = format!("cargo {}", arguments.join(" "));
    say(&format!("== {line}"));
    let status = command.status().map_err(|error| format!("cannot run cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("failed: {line}")) }
}

fn has_nextest() -> bool {
    let mut version = cargo(&["nextest", "--version"]);
    version
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| value == "true")
}

/// Where cargo builds.
fn target_folder() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root.join(folder),
        None => root.join("target"),
    }
}

/// Talk goes to standard error.
#[expect(clippy::print_stderr, reason = "the one place where this command talks")]
pub fn say(message: &str) {
    eprintln!("{message}");
}
