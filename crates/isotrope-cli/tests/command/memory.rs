//! Memory of the command: its peak, which Linux tells under `/proc` while a process lives.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::common::models;

/// Runs the command and returns the largest memory that was seen, in megabytes, and the exit code.
fn peak(arguments: &[&str], folder: &Path) -> (f64, Option<i32>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_isotrope"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most: f64 = 0.0;
    loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok());
        most = most.max(kilobytes.unwrap_or(0.0) / 1024.0);
        if let Some(ended) = child.try_wait().unwrap() {
            return (most, ended.code());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A table of ellipses for the Kepler problem.
fn ellipses(folder: &Path, members: usize) -> String {
    let line = |k: usize| {
        let part = k as f64 / members as f64;
        format!("{:.6},{:.6}\n", 1.0 + part, 0.5 + part)
    };
    let name = format!("ellipses{members}.csv");
    let text: String = (0..members).map(line).collect();
    std::fs::write(folder.join(&name), format!("x,y'\n{text}")).unwrap();
    name
}

/// What is left of a member is written and forgotten: of 600 bytes and more that a member once took, a table of
/// numbers stays.
#[test]
fn ensembles_take_as_much_memory_as_their_tables() {
    let folder = tempfile::tempdir().unwrap();
    let model = models().join("kepler.toml").display().to_string();
    let few = ellipses(folder.path(), 1_000);
    let many = ellipses(folder.path(), 60_000);
    for more in [&["--json"][..], &["--out", "ends.npz"], &["--out", "ends.csv"]] {
        let run = |table: &str| {
            let fixed = ["run", &model, "--method", "verlet", "--step", "1/10", "--time", "1/10"];
            let (megabytes, code) =
                peak(&[&fixed[..], &["--ensemble", table], more].concat(), folder.path());
            assert_eq!(code, Some(0), "{more:?}");
            megabytes
        };
        let (base, all) = (run(&few), run(&many));
        // The table and what is on its way: portions of the list, a block of rows.
        assert!(all - base < 48.0, "{more:?}: {base} MB, {all} MB");
    }
}
