//! CPU time and memory of a process, as Linux tells them under `/proc`.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Seconds on the wall after which a process is ended.
const PATIENCE: Duration = Duration::from_secs(120);
/// Between two checks of a process.
const LOOK: Duration = Duration::from_millis(1);
/// Ticks of the clock of processes in a second: the same on all Linux systems (`USER_HZ`).
const TICKS: f64 = 100.0;

/// What a process took.
pub struct Measured {
    /// CPU seconds, user and system, of one run.
    pub seconds: f64,
    /// The most memory that was seen, in megabytes.
    pub megabytes: f64,
    /// The exit code, or why there is none.
    pub ended: String,
}

/// Runs a command this many times, one after the other.
pub fn measure(program: &Path, arguments: &[String], repeats: u32) -> Result<Measured, String> {
    let before = children()?;
    let (mut most, mut ended) = (0.0, String::new());
    for _ in 0..repeats {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot run {}: {error}", program.display()))?;
        let (start, status) = (Instant::now(), format!("/proc/{}/status", child.id()));
        ended = loop {
            most = f64::max(most, peak(&status).unwrap_or(0.0));
            match child.try_wait() {
                Ok(Some(code)) => {
                    break code.code().map_or_else(|| "killed".to_owned(), |code| code.to_string());
                }
                Ok(None) if start.elapsed() > PATIENCE => {
                    let _ = child.kill();
                    let _ = child.wait();
                    break "unfinished".to_owned();
                }
                Ok(None) => sleep(LOOK),
                Err(error) => return Err(format!("cannot wait: {error}")),
            }
        };
    }
    let seconds = (children()? - before) / f64::from(repeats);
    Ok(Measured { seconds, megabytes: most, ended })
}

/// The largest memory that a process has had, in megabytes.
fn peak(status: &str) -> Option<f64> {
    let text = fs::read_to_string(status).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes / 1024.0)
}

/// CPU seconds of all children that have ended.
fn children() -> Result<f64, String> {
    let text = fs::read_to_string("/proc/self/stat")
        .map_err(|error| format!("/proc/self/stat tells CPU times, on Linux only: {error}"))?;
    // Behind the name, which is in brackets, the fields from the third on: cutime and cstime are 16 and 17.
    let rest = text.rsplit_once(')').map_or("", |(_, rest)| rest);
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field - 3).and_then(|text| text.parse::<f64>().ok());
    match (ticks(16), ticks(17)) {
        (Some(user), Some(system)) => Ok((user + system) / TICKS),
        _ => Err("/proc/self/stat has no CPU times".to_owned()),
    }
}
