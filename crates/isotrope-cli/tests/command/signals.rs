//! Signals and streams: a command that is asked to end does, says so, and loses nothing without a word.
#![cfg(unix)]

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::common::models;

fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn isotrope(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isotrope"));
    command
        .args(arguments)
        .current_dir(models())
        .env("NO_COLOR", "1")
        .env("XDG_CACHE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
    command
}

/// A shell runs the command with what is done to its streams.
fn in_shell(folder: &Path, arguments: &str) -> Output {
    let line = format!("{} {arguments}", env!("CARGO_BIN_EXE_isotrope"));
    Command::new("sh").args(["-c", &line]).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Every command that can take long, with a question that takes minutes.
const LONG: &[&[&str]] = &[
    &["derive", "n_pendulum.toml", "--set", "N=120"],
    &["run", "pendulum.toml", "--step", "1/1000", "--time", "100000000"],
    &["run", "pendulum.toml", "--step", "1/1000", "--time", "100000000", "--json"],
    &["compare", "double_pendulum.toml", "--methods", "all", "--time", "1000", "--no-html"],
    &["compare", "double_pendulum.toml", "--methods", "all", "--time", "1000", "--json"],
    &["convergence", "double_pendulum.toml", "--methods", "all"],
    &["convergence", "double_pendulum.toml", "--methods", "all", "--json"],
    &["drift", "pendulum_angle.toml", "--methods", "midpoint,rk4", "--time", "100000000"],
    &["drift", "pendulum_angle.toml", "--methods", "midpoint", "--time", "100000000", "--json"],
    &["methods", "rkmk-gauss-8"],
    &["bench"],
    &["derive", "double_pendulum.toml", "--discrete", "galerkin-8-gauss8"],
    &["conditions", "--class", "generic", "--order", "6"],
    &["construct", "--stages", "3", "--order", "5"],
    &["modified", "rk4", "double_pendulum.toml", "--order", "5"],
    &[
        "flow",
        "double_pendulum.toml",
        "--method",
        "rk4",
        "--step",
        "1/1000",
        "--time",
        "1000000",
        "--lyapunov",
    ],
];

/// The signals and the exit codes that tell them.
const SIGNALS: [(&str, i32); 3] = [("INT", 130), ("TERM", 143), ("HUP", 129)];

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

/// Waits for the end; a command that goes on for a minute after its signal does not end.
fn end(child: &mut Child) -> Option<ExitStatus> {
    for _ in 0..600 {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    None
}

/// What a stream has to say, read while the command is at work.
fn read_beside(mut stream: impl std::io::Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    })
}

#[test]
fn every_long_command_ends_with_a_signal_and_says_so() {
    let mut signalled = 0;
    for (number, arguments) in LONG.iter().enumerate() {
        // Each signal with a third of the commands, in turn; all with the first.
        let signals = SIGNALS.iter().enumerate();
        for (_, (signal, code)) in signals.filter(|(k, _)| number == 1 || number % 3 == *k) {
            let mut command = isotrope(arguments);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().unwrap();
            // Long answers must not wait for a reader.
            let (out, err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
            let (out, err) = (read_beside(out), read_beside(err));
            std::thread::sleep(Duration::from_millis(1500));
            let quick = child.try_wait().unwrap().is_some();
            if !quick {
                send(signal, &child);
            }
            let status = end(&mut child);
            let (answer, said) = (out.join().unwrap(), err.join().unwrap());
            if quick {
                continue;
            }
            signalled += 1;
            let ended = status.and_then(|status| status.code());
            assert_eq!(ended, Some(*code), "{arguments:?}, {signal}: {said}");
            // What there is says that it is a part; where there is nothing, that is said.
            let told = if answer.is_empty() { &said } else { &answer };
            assert!(told.contains("interrupted"), "{arguments:?}: {told}");
            if arguments.contains(&"--json") {
                let json: serde_json::Value = serde_json::from_str(&answer).unwrap();
                assert!(json.is_object(), "{arguments:?}");
            }
        }
    }
    // Machines are fast: some questions may be answered by then.
    assert!(signalled > LONG.len() / 2, "{signalled} commands were still at work");
}

/// `nohup` asks that nobody hears of the end of a terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    let line = format!(
        "trap '' HUP; exec {} run pendulum.toml --step 1/1000 --time 100000000",
        env!("CARGO_BIN_EXE_isotrope")
    );
    let mut child = Command::new("sh")
        .args(["-c", &line])
        .current_dir(models())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    send("HUP", &child);
    std::thread::sleep(Duration::from_millis(700));
    assert_eq!(child.try_wait().unwrap(), None);
    send("TERM", &child);
    assert_eq!(end(&mut child).and_then(|status| status.code()), Some(143));
}

/// One command of each kind of output.
const ANSWERS: &[&str] = &[
    "derive pendulum.toml",
    "derive pendulum.toml --json",
    "derive pendulum.toml --latex",
    "derive pendulum.toml --html",
    "run pendulum_angle.toml --step 0.1 --time 1",
    "run pendulum_angle.toml --step 0.1 --time 1 --json",
    "convergence pendulum_angle.toml --methods rk4 --json",
    "compare pendulum_angle.toml --methods rk4 --step 0.1 --time 1 --no-html",
    "methods",
    "schema",
    "explain ISO-FILE-006",
    "man",
    "completions bash",
    "--help",
    "--version",
    "run --help",
];

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_is_lost_is_an_error() {
    for answer in ANSWERS {
        for (lost, reason) in [(">/dev/full", "No space left"), (">&-", "is closed")] {
            let output = in_shell(&models(), &format!("{answer} {lost}"));
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{answer} {lost}: {said}");
            assert!(said.contains("ISO-FILE-006") && said.contains(reason), "{answer}: {said}");
        }
        // What nobody wants is not lost.
        let output = in_shell(&models(), &format!("{answer} >/dev/null"));
        assert_eq!(output.status.code(), Some(0), "{answer}: {}", text(&output.stderr));
    }
}

/// `isotrope … | head -1`: a reader that has seen enough is no error.
#[test]
fn a_reader_that_leaves_ends_a_command_quietly() {
    for answer in ["derive pendulum.toml", "schema", "methods", "--help"] {
        let words: Vec<&str> = answer.split(' ').collect();
        let mut child =
            isotrope(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut reader = BufReader::with_capacity(1, child.stdout.take().unwrap());
        let mut first = String::new();
        reader.read_line(&mut first).unwrap();
        drop(reader);
        let output = child.wait_with_output().unwrap();
        assert!(!first.is_empty());
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
    }
}

/// A limit on the size of files is a disk that is full.
#[test]
fn a_run_that_meets_a_full_disk_tells_what_it_has() {
    let folder = scratch("full_disk");
    std::fs::copy(models().join("pendulum_angle.toml"), folder.join("m.toml")).unwrap();
    for (name, json) in [("a.csv", ""), ("b.parquet", "--json"), ("c.npz", "--json")] {
        std::fs::write(folder.join(name), "old").unwrap();
        let steps = "--step 0.001 --time 2000";
        let line = format!("run m.toml {steps} --out {name} {json}");
        let limited =
            format!("ulimit -f 8192; trap '' XFSZ; exec {} {line}", env!("CARGO_BIN_EXE_isotrope"));
        let output =
            Command::new("sh").args(["-c", &limited]).current_dir(&folder).output().unwrap();
        let (answer, said) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(2), "{name}: {said}");
        assert!(said.contains("ISO-OUTPUT-006"), "{name}: {said}");
        // What could be written is beside, and an old file as it was; an archive may be whole.
        assert!(said.contains("rows are in") && said.contains(".partial"), "{name}: {said}");
        let kept = std::fs::read(folder.join(name)).unwrap();
        assert!(kept == b"old" || name == "c.npz" && kept.starts_with(b"PK"), "{name}");
        assert!(said.contains("File too large"), "{name}: {said}");
        if json.is_empty() {
            assert!(answer.contains("interrupted at step"), "{name}: {answer}");
            assert!(answer.contains("File too large"), "{name}: {answer}");
        } else {
            let json: serde_json::Value = serde_json::from_str(&answer).unwrap();
            assert!(json["steps_done"].as_u64().unwrap() > 0, "{name}");
            let ended = (json["outcome"].as_str().unwrap(), json["failure"]["reason"].as_str());
            // An archive is made of what was gathered, at the end.
            assert!(
                matches!(ended, ("interrupted", Some(reason)) if reason.contains("too large"))
                    || ended == ("completed", None),
                "{name}: {ended:?}"
            );
        }
    }
    // Nor do pictures take the answer with them.
    let output = in_shell(&folder, "run m.toml --step 0.1 --time 1 --plot no/where.svg");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stdout).contains("completed"), "{}", text(&output.stdout));
}

/// Files of every command: whole, or as they were.
#[test]
fn a_file_that_cannot_be_written_stays_as_it_was() {
    let folder = scratch("old_files");
    std::fs::copy(models().join("pendulum_angle.toml"), folder.join("m.toml")).unwrap();
    std::fs::copy(models().join("port/coil.toml"), folder.join("port.toml")).unwrap();
    let steps = "--step 0.01 --time 1";
    for (name, line) in [
        ("a.html", "derive m.toml --html --out a.html".to_owned()),
        ("a.json", "derive m.toml --json --out a.json".to_owned()),
        ("b.html", format!("compare m.toml --methods rk4 {steps} --html b.html")),
        ("c.svg", format!("run m.toml {steps} --plot c.svg")),
        ("d.png", format!("run m.toml {steps} --plot d.png")),
        ("e.npz", format!("run m.toml {steps} --out e.npz")),
        ("e.csv", format!("run m.toml {steps} --out e.csv")),
        ("e.parquet", format!("run m.toml {steps} --out e.parquet")),
        ("f.svg", "convergence m.toml --methods rk4 --plot f.svg".to_owned()),
        ("g.toml", "port port.toml --form 1 --save g.toml --force".to_owned()),
    ] {
        std::fs::write(folder.join(name), "old").unwrap();
        // Nothing longer than a block of the shell's can be written.
        let limited =
            format!("ulimit -f 0; trap '' XFSZ; exec {} {line}", env!("CARGO_BIN_EXE_isotrope"));
        let output =
            Command::new("sh").args(["-c", &limited]).current_dir(&folder).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}: {}", text(&output.stderr));
        assert_eq!(std::fs::read(folder.join(name)).unwrap(), b"old", "{line}");
    }
    let left: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 12, "{left:?}");
}

#[test]
fn long_numbers_are_written_as_powers_of_ten() {
    let pendulum = "pendulum_angle.toml";
    for arguments in [
        &["run", pendulum, "--step", "1e300", "--time", "1e300"][..],
        &["run", pendulum, "--step", "1e300", "--time", "1"],
        &["run", pendulum, "--step", "1", "--time", "1e300"],
        &["run", pendulum, "--step", "1e-300", "--time", "1e-299", "--json"],
        &["flow", pendulum, "--method", "rk4", "--step", "1e300", "--time", "1e300"],
        &["drift", pendulum, "--methods", "rk4", "--step", "1e300", "--time", "3e300"],
        &[
            "compare",
            pendulum,
            "--methods",
            "rk4",
            "--step",
            "1e300",
            "--time",
            "3e300",
            "--no-html",
        ],
        &["convergence", pendulum, "--methods", "rk4", "--step", "1e300", "--time", "1e300"],
        &["stability", pendulum, "--vary", "g=1..2", "--methods", "rk4", "--step", "1e300"],
    ] {
        let output = isotrope(arguments).output().unwrap();
        let shown = text(&output.stdout) + &text(&output.stderr);
        let digits = |c: char| c.is_ascii_digit();
        let longest = shown.split(|c| !digits(c)).map(str::len).max();
        assert!(longest < Some(40), "{arguments:?}: {shown}");
    }
}
