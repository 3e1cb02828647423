//! One rule for how answers are written, and what is asked of models without initial data.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::models;

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    for from in
        ["pendulum.toml", "port/coil.toml", "geometry/contact.toml", "tables/sphere-3-2-5.toml"]
    {
        let to = from.rsplit('/').next().unwrap();
        std::fs::copy(models().join(from), folder.join(to)).unwrap();
    }
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isotrope"));
    command.args(arguments).current_dir(folder).env("NO_COLOR", "1").output().unwrap()
}

/// `--json F.json`, `--latex F.tex` and `--html F.html` are the option with `--out F`, in every command that has
/// them: the same bytes, and nothing on standard output.
#[test]
fn a_file_behind_a_format_is_its_output() {
    let folder = folder("formats");
    let cases: [(&[&str], &str, &str); 10] = [
        (&["derive", "pendulum.toml"], "--html", "html"),
        (&["derive", "pendulum.toml"], "--latex", "tex"),
        (&["derive", "pendulum.toml"], "--json", "json"),
        (&["geometry", "contact.toml"], "--html", "html"),
        (&["port", "coil.toml"], "--html", "html"),
        (&["check", "pendulum.toml"], "--json", "json"),
        (&["methods", "gauss-2"], "--json", "json"),
        (&["certify", "sphere-3-2-5.toml"], "--json", "json"),
        (&["trees", "--order", "3"], "--latex", "tex"),
        (&["conditions", "--class", "generic", "--order", "2"], "--json", "json"),
    ];
    for (command, option, ending) in cases {
        let printed = run(&folder, &[command, &[option]].concat());
        assert_eq!(printed.status.code(), Some(0), "{command:?} {option}");
        let file = format!("answer.{ending}");
        for arguments in [&[option, &file][..], &[option, "--out", &file]] {
            let _ = std::fs::remove_file(folder.join(&file));
            let written = run(&folder, &[command, arguments].concat());
            assert_eq!(written.status.code(), Some(0), "{command:?} {arguments:?}");
            assert!(written.stdout.is_empty(), "{command:?} {arguments:?}");
            let found = std::fs::read(folder.join(&file)).unwrap();
            assert!(found == printed.stdout, "{command:?} {arguments:?}");
        }
    }
}

/// `--out` of `run` and `drift` takes trajectories: the report has its file behind `--json`.
#[test]
fn a_report_beside_a_trajectory_has_a_file_of_its_own() {
    let folder = folder("reports");
    std::fs::write(folder.join("members.csv"), "x,y,x',y'\n1,0,0,0\n0,-1,1,0\n").unwrap();
    let steps = ["pendulum.toml", "--method", "rattle", "--step", "0.1", "--time", "1"];
    for (command, more, key) in [
        ("run", &["--out", "way.csv"][..], "errors"),
        ("run", &["--ensemble", "members.csv", "--out", "ends.csv"], "members"),
        ("explain", &[], "code"),
    ] {
        let words = match command {
            "explain" => vec![command, "ISO-FILE-001"],
            _ => [&[command][..], &steps].concat(),
        };
        let output = run(&folder, &[&words[..], &["--json", "report.json"], more].concat());
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{command} {more:?}: {told}");
        assert!(output.stdout.is_empty(), "{command} {more:?}");
        let bytes = std::fs::read(folder.join("report.json")).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        assert!(json.get(key).is_some(), "{command} {more:?}: {json}");
        std::fs::remove_file(folder.join("report.json")).unwrap();
    }
    // What is read is not overwritten.
    std::fs::copy(folder.join("pendulum.toml"), folder.join("m.json")).unwrap();
    let output =
        run(&folder, &["run", "m.json", "--step", "0.1", "--time", "1", "--json", "m.json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("ISO-FILE-010"));
}

#[test]
fn the_page_of_compare_stands_beside_its_table() {
    let folder = folder("page_of_compare");
    let compare =
        ["compare", "pendulum.toml", "--methods", "rattle", "--steps", "0.1", "--time", "1"];
    for (arguments, page) in [
        (&["--html"][..], "pendulum-compare.html"),
        (&["--html", "mine"], "mine"),
        (&[], "pendulum-compare.html"),
    ] {
        let _ = std::fs::remove_file(folder.join(page));
        let output = run(&folder, &[&compare, arguments].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("rattle") && text.contains(&format!("report: {page}")), "{text}");
        assert!(std::fs::read_to_string(folder.join(page)).unwrap().contains("<html"));
    }
    let output = run(&folder, &[&compare[..], &["--csv", "table.csv"]].concat());
    assert!(output.stdout.is_empty());
    assert!(std::fs::read_to_string(folder.join("table.csv")).unwrap().contains("rattle"));
}

/// Equations, geometry and ports need no initial data; motions do, and say where they are missed.
#[test]
fn initial_data_are_asked_for_by_what_needs_them() {
    let folder = folder("no_initial");
    let cases = [
        (
            "lagrangian",
            "coordinates = [\"x\", \"y\"]\n[parameters]\nl = 1\n[lagrangian]\nL = \"(x'^2 + y'^2)/2 - y\"\n[constraints]\nrod = \"x^2 + y^2 = l^2\"\n",
        ),
        ("hamiltonian", "coordinates = [\"q\"]\n[hamiltonian]\nH = \"p_q^2/2 + q^4\"\n"),
        ("equations", "coordinates = [\"x\"]\n[equations]\n\"x''\" = \"-x\"\n"),
        (
            "poisson",
            "coordinates = [\"a\", \"b\"]\n[poisson]\nhamiltonian = \"a^2 + b^2\"\n\"a,b\" = 1\n",
        ),
        (
            "port",
            "coordinates = [\"q\", \"p\"]\n[port]\nhamiltonian = \"q^2 + p^2\"\nJ = { \"q,p\" = 1 }\nR = { \"p,p\" = 1 }\n",
        ),
        ("group", "[lie_group]\ngroup = \"SO(3)\"\ninertia = [1, 2, 3]\n"),
    ];
    let timed = ["--step", "0.1", "--time", "1"];
    for (name, text) in cases {
        let file = format!("{name}.toml");
        std::fs::write(folder.join(&file), text).unwrap();
        let derived = run(&folder, &["derive", &file, "--json"]);
        let told = String::from_utf8_lossy(&derived.stderr).into_owned();
        assert_eq!(derived.status.code(), Some(0), "{name}: {told}");
        for command in [
            vec!["check", &file],
            [&["run", &file][..], &timed].concat(),
            [&["compare", &file, "--no-html"][..], &timed].concat(),
            [&["drift", &file, "--methods", "rk4"][..], &timed].concat(),
            vec!["convergence", &file, "--methods", "rk4"],
        ] {
            let refused = run(&folder, &command);
            let told = String::from_utf8_lossy(&refused.stderr).into_owned();
            assert_eq!(refused.status.code(), Some(2), "{command:?}: {told}");
            assert!(told.contains("ISO-MODEL-050"), "{command:?}: {told}");
        }
    }
    let saved = run(&folder, &["port", "port.toml", "--form", "1", "--save", "saved.toml"]);
    assert_eq!(saved.status.code(), Some(0), "{}", String::from_utf8_lossy(&saved.stderr));
    assert_eq!(run(&folder, &["derive", "saved.toml"]).status.code(), Some(0));
}

/// An explicit method with too long a step is told from a motion that has no end.
#[test]
fn a_run_that_is_too_stiff_for_its_method_says_what_to_do() {
    let folder = folder("stiff");
    let write = |file: &str, equation: &str| {
        let text = format!(
            "coordinates = [\"x\"]\n[parameters]\ns = 1\n[equations]\n\"x'\" = \"{equation}\"\n[initial]\nposition = {{ x = \"s\" }}\n"
        );
        std::fs::write(folder.join(file), text).unwrap();
    };
    write("stiff.toml", "-2000*(x - s*cos(t))");
    write("blows.toml", "x^2/s");
    let reason = |file: &str, method: &str, unit: &str| {
        let set = format!("s={unit}");
        let time = if file == "blows.toml" { "3" } else { "10" };
        let step = ["--method", method, "--step", "0.01", "--time", time, "--set", &set, "--json"];
        let output = run(&folder, &[&["run", file][..], &step].concat());
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        (answer["outcome"].as_str().unwrap().to_owned(), answer["failure"]["reason"].to_string())
    };
    for unit in ["1", "1e-9", "1e9"] {
        for method in ["rk4", "euler"] {
            let (outcome, told) = reason("stiff.toml", method, unit);
            assert_eq!(outcome, "non-finite", "{method}");
            assert!(told.contains("stiff: try radau-iia-2 or gauss-2"), "{method}: {told}");
        }
        assert_eq!(reason("stiff.toml", "radau-iia-2", unit).0, "completed");
        let (outcome, told) = reason("blows.toml", "rk4", unit);
        assert_eq!(outcome, "non-finite");
        assert!(!told.contains("stiff"), "{told}");
    }
}
