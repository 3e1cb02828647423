//! The command at work, and what it costs.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The promise is one second; slow machines and unoptimised builds get some room.
const TIME: Duration = Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 1 });
/// Kilobytes of memory.
const MEMORY: u64 = 256 << 10;

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub struct Outcome {
    pub exit: Option<i32>,
    stdout: Vec<u8>,
    pub stderr: String,
    time: Duration,
    /// Largest resident memory in kilobytes, where the system tells.
    memory: u64,
}

/// Runs the command in `directory` and watches what it costs.
pub fn run(directory: &Path, arguments: &[&str]) -> Outcome {
    let name: String =
        arguments.iter().flat_map(|a| a.chars()).filter(|c| c.is_alphanumeric()).collect();
    let file = |kind: &str| Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.{kind}"));
    let (stdout, stderr) = (file("stdout"), file("stderr"));
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_isotrope"))
        .args(arguments)
        .current_dir(directory)
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .stdout(File::create(&stdout).unwrap())
        .stderr(File::create(&stderr).unwrap())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut memory = 0;
    let exit = loop {
        memory = peak_memory(&status).unwrap_or(0).max(memory);
        if let Some(exit) = child.try_wait().unwrap() {
            break exit;
        }
        if start.elapsed() > TIME * 3 {
            // Its exit code will say that it was killed.
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    Outcome {
        exit: exit.code(),
        time: start.elapsed(),
        stdout: std::fs::read(stdout).unwrap(),
        stderr: std::fs::read_to_string(stderr).unwrap(),
        memory,
    }
}

fn peak_memory(status: &str) -> Option<u64> {
    let text = std::fs::read_to_string(status).ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// The codes in brackets, as they are printed: `error[ISO-MODEL-024]`.
pub fn told(stderr: &str) -> BTreeSet<String> {
    let parts = stderr.split("error[").skip(1);
    parts.filter_map(|part| part.split_once(']')).map(|(code, _)| code.to_owned()).collect()
}

/// What is not as it should be, besides the snapshot.
pub fn complaints(name: &str, expected: &[String], outcome: &Outcome) -> Vec<String> {
    let Outcome { exit, stdout, stderr, time, memory } = outcome;
    let expected: BTreeSet<String> = expected.iter().cloned().collect();
    let mut complaints = Vec::new();
    let mut complain = |wrong: bool, what: String| {
        if wrong {
            complaints.push(format!("{name} {what}"));
        }
    };
    complain(*exit != Some(2), format!("ends with {exit:?}"));
    complain(!stdout.is_empty(), "writes to stdout".to_owned());
    complain(told(stderr) != expected, format!("tells {:?}, not {expected:?}", told(stderr)));
    complain(*time > TIME, format!("takes {time:?}"));
    // A process that ends before it is looked at takes next to nothing.
    if !Path::new("/proc/self/status").exists() {
        skipped!(machine: "no /proc, so the memory that bad models take is not known");
    }
    complain(*memory > MEMORY, format!("takes {memory} kB"));
    if complaints.is_empty() {
        insta::with_settings!({
            snapshot_path => "../snapshots/bad_models",
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!(name, stderr);
        });
    }
    complaints
}
