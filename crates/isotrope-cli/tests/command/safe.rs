//! Files and signals: what is read is not overwritten, and every stop is reported.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::models;

fn isotrope(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isotrope"));
    command.args(arguments).current_dir(folder).env("NO_COLOR", "1");
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    isotrope(folder, arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder with a model, a table of a method, a port system, members and a problem in groups.
fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    for (from, to) in [
        ("pendulum_angle.toml", "m.svg"),
        ("port/coil.toml", "port.toml"),
        ("groups/rigid_body.toml", "groups.html"),
    ] {
        std::fs::copy(models().join(from), folder.join(to)).unwrap();
    }
    let table = "name = \"mine\"\na = [[0, 0], [1, 0]]\nb = [\"1/2\", \"1/2\"]\n";
    std::fs::write(folder.join("table.csv"), table).unwrap();
    std::fs::write(folder.join("members.csv"), "theta\n0.1\n").unwrap();
    folder
}

/// A command with an output, `OUT`, which leads to the input that is named first.
const SAME: &[(&str, &[&str])] = &[
    ("m.svg", &["derive", "m.svg", "--out", "OUT"]),
    ("m.svg", &["geometry", "m.svg", "--out", "OUT"]),
    ("m.svg", &["conditions", "m.svg", "--out", "OUT"]),
    ("groups.html", &["conditions", "--groups", "groups.html", "--out", "OUT"]),
    ("m.svg", &["modified", "euler", "m.svg", "--out", "OUT"]),
    ("table.csv", &["modified", "rkd:table.csv", "--out", "OUT"]),
    (
        "m.svg",
        &["flow", "m.svg", "--method", "rk4", "--step", "0.1", "--time", "1", "--out", "OUT"],
    ),
    ("m.svg", &["stability", "m.svg", "--vary", "g=1..2", "--out", "OUT"]),
    ("m.svg", &["compare", "m.svg", "--methods", "rk4", "--no-html", "--out", "OUT"]),
    ("m.svg", &["compare", "m.svg", "--methods", "rk4", "--html", "OUT"]),
    ("table.csv", &["compare", "m.svg", "--methods", "rkd:table.csv", "--html", "OUT"]),
    ("m.svg", &["convergence", "m.svg", "--methods", "rk4", "--out", "OUT"]),
    ("m.svg", &["convergence", "m.svg", "--methods", "rk4", "--plot", "OUT"]),
    ("m.svg", &["run", "m.svg", "--step", "0.1", "--time", "1", "--plot", "OUT"]),
    (
        "table.csv",
        &[
            "run",
            "m.svg",
            "--method",
            "rkd:table.csv",
            "--step",
            "0.1",
            "--time",
            "1",
            "--out",
            "OUT",
        ],
    ),
    (
        "members.csv",
        &[
            "run",
            "m.svg",
            "--ensemble",
            "members.csv",
            "--step",
            "0.1",
            "--time",
            "1",
            "--out",
            "OUT",
        ],
    ),
    (
        "table.csv",
        &[
            "drift",
            "m.svg",
            "--methods",
            "rkd:table.csv",
            "--step",
            "0.1",
            "--time",
            "1",
            "--section",
            "theta = 0",
            "--out",
            "OUT",
        ],
    ),
    ("port.toml", &["port", "port.toml", "--out", "OUT"]),
    ("port.toml", &["port", "port.toml", "--form", "1", "--save", "OUT", "--force"]),
    ("port.toml", &["connect", "a=port.toml", "--out", "OUT"]),
    (
        "groups.html",
        &["construct", "--groups", "groups.html", "--stages", "1", "--order", "1", "--save", "OUT"],
    ),
    (
        "groups.html",
        &[
            "construct",
            "--groups",
            "groups.html",
            "--stages",
            "1",
            "--order",
            "1",
            "--explain",
            "OUT",
        ],
    ),
];

#[test]
fn what_is_read_is_not_overwritten_by_any_command_under_any_name() {
    let folder = scratch("same_file");
    for (input, arguments) in SAME {
        let ending = Path::new(input).extension().unwrap().to_str().unwrap();
        let before = std::fs::read(folder.join(input)).unwrap();
        let (link, hard) = (format!("link.{ending}"), format!("hard.{ending}"));
        for name in [&link, &hard] {
            let _ = std::fs::remove_file(folder.join(name));
        }
        std::os::unix::fs::symlink(input, folder.join(&link)).unwrap();
        std::fs::hard_link(folder.join(input), folder.join(&hard)).unwrap();
        let absolute = folder.join(input).display().to_string();
        for output in [*input, &format!("./{input}"), &absolute, &link, &hard] {
            let line: Vec<&str> =
                arguments.iter().map(|word| if *word == "OUT" { output } else { word }).collect();
            let told = run(&folder, &line);
            let said = text(&told.stderr);
            assert_eq!(told.status.code(), Some(2), "{line:?}: {said}");
            assert!(said.contains("ISO-FILE-010"), "{line:?}: {said}");
            assert!(told.stdout.is_empty(), "{line:?}");
            assert_eq!(std::fs::read(folder.join(input)).unwrap(), before, "{line:?}");
        }
    }
}
