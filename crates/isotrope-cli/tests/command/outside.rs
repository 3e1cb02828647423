//! The command from outside: exit codes, streams, files.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use crate::common::models;

fn isotrope(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isotrope"));
    command.args(arguments).env("NO_COLOR", "1");
    command
}

fn run(arguments: &[&str]) -> Output {
    isotrope(arguments).output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn model(name: &str) -> String {
    models().join(format!("{name}.toml")).display().to_string()
}

fn scratch(name: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).unwrap();
    directory
}

#[test]
fn derive_puts_data_on_stdout_and_nothing_on_stderr() {
    let output = run(&["derive", &model("sleigh"), "--json"]);
    assert_eq!(code(&output), 0);
    assert!(output.stderr.is_empty());
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["coordinates"], serde_json::json!(["x", "y", "theta"]));
}

#[test]
fn discrete_lagrangians_are_refused_with_a_code_where_there_are_none() {
    for (name, method, expected, hint) in [
        ("pendulum", "variational-middle", "ISO-DISCRETE-001", "variational-midpoint"),
        ("pendulum", "rattle", "ISO-DISCRETE-001", "docs/discrete.md"),
        ("pendulum", "variational-own", "ISO-DISCRETE-002", "[discrete] L"),
        ("sleigh", "dirac-variational-2", "ISO-DISCRETE-002", "dirac-alembert-2"),
        ("sleigh", "galerkin-3-gauss2", "ISO-DISCRETE-002", "r ≥ s"),
    ] {
        let output = run(&["derive", &model(name), "--discrete", method]);
        assert_eq!(code(&output), 2);
        assert!(output.stdout.is_empty());
        let said = text(&output.stderr);
        assert!(said.contains(expected) && said.contains(hint), "{said}");
    }
}

#[test]
fn files_that_cannot_be_read_are_refused_with_a_code() {
    let directory = models().display().to_string();
    for (path, expected) in [("no/such/file.toml", "ISO-FILE-001"), (&directory, "ISO-FILE-002")] {
        let output = run(&["derive", path]);
        assert_eq!(code(&output), 2);
        assert!(output.stdout.is_empty());
        assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
    }
}

#[test]
fn standard_input_is_a_model_too() {
    let mut child = isotrope(&["derive", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let bytes = std::fs::read(model("pendulum")).unwrap();
    child.stdin.take().unwrap().write_all(&bytes).unwrap();
    assert_eq!(code(&child.wait_with_output().unwrap()), 0);
}

#[test]
fn errors_show_file_line_caret_hint_and_code_all_at_once() {
    let path = scratch("bad").join("bad.toml");
    let file = "coordinates = [\"x\"]\n[parameters]\nm = 1\n[lagrangian]\nL = \"m*x'^2/2 - masss*x - kk*x\"\n\
                [initial]\nposition = { x = 0 }\nvelocity = { x = 0 }\n";
    std::fs::write(&path, file).unwrap();
    let output = run(&["derive", &path.display().to_string()]);
    let errors = text(&output.stderr);
    assert_eq!(code(&output), 2);
    assert!(output.stdout.is_empty());
    assert!(errors.contains("bad.toml:5:"), "{errors}");
    assert!(errors.contains("masss") && errors.contains("kk"), "{errors}");
    assert!(errors.contains("ISO-MODEL-024") && errors.contains("help"), "{errors}");
    assert!(!errors.contains('\u{1b}'), "no colour");
}

#[test]
fn a_very_long_line_gives_a_short_error() {
    let path = scratch("long").join("long.toml");
    let sum = "x + ".repeat(200_000);
    let file = format!("coordinates = [\"x\"]\n[lagrangian]\nL = \"{sum}nosuchname\"\n");
    std::fs::write(&path, file).unwrap();
    let output = run(&["derive", &path.display().to_string()]);
    assert_eq!(code(&output), 2);
    assert!(output.stderr.len() < 20_000, "{}", output.stderr.len());
}

#[test]
fn a_reader_that_stops_early_is_no_error() {
    let mut child = isotrope(&["derive", &model("three_particles")])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 0);
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
}

#[test]
fn check_says_no_with_exit_code_one_and_projects() {
    let pendulum = model("pendulum");
    assert_eq!(code(&run(&["check", &pendulum])), 0);
    assert_eq!(code(&run(&["check", &pendulum, "--initial", "x=1.1"])), 1);
    let arguments = ["check", &pendulum, "--initial", "x=1.1", "--initial", "y=0.3", "--project"];
    let output = run(&arguments);
    assert_eq!(code(&output), 0);
    // What it prints can be pasted: the file with the new table checks out.
    let answer = text(&output.stdout);
    let table = &answer[answer.find("[initial]").unwrap()..];
    let file = std::fs::read_to_string(&pendulum).unwrap();
    let start = file.find("[initial]").unwrap();
    let rest = file[start..].find("\n[run]").map_or("", |at| &file[start + at..]);
    let path = scratch("projected").join("pendulum.toml");
    std::fs::write(&path, format!("{}{table}{rest}", &file[..start])).unwrap();
    let output = run(&["check", &path.display().to_string()]);
    assert_eq!(code(&output), 0, "{}{}", text(&output.stdout), text(&output.stderr));
    // At the origin the rod has no direction.
    assert_eq!(code(&run(&["check", &pendulum, "--initial", "x=0", "--project"])), 1);
    assert_eq!(code(&run(&["check", &pendulum, "--tolerance=-1"])), 2);
}

#[test]
fn every_shipped_model_checks_out() {
    for path in crate::common::all_systems() {
        let output = run(&["check", &path.display().to_string(), "--json"]);
        assert_eq!(code(&output), 0, "{}: {}", path.display(), text(&output.stdout));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["consistent"], true);
        assert_eq!(json["regular"], true);
    }
}

#[test]
fn a_new_model_derives_and_checks_and_is_not_overwritten() {
    let directory = scratch("new");
    let kinds = [
        ("first", None),
        ("second", Some("--hamiltonian")),
        ("third", Some("--lie")),
        ("fourth", Some("--nonholonomic")),
        ("fifth", Some("--poisson")),
        ("sixth", Some("--port")),
        ("seventh", Some("--equations")),
    ];
    for (name, option) in kinds {
        let mut arguments = vec!["new", name];
        arguments.extend(option);
        let output = isotrope(&arguments).current_dir(&directory).output().unwrap();
        assert_eq!(code(&output), 0);
        assert!(output.stdout.is_empty());
        let again = isotrope(&arguments).current_dir(&directory).output().unwrap();
        assert_eq!(code(&again), 2);
        let path = directory.join(format!("{name}.toml")).display().to_string();
        let wanted = [vec!["derive"], vec!["check"], vec!["run", "--step", "1/100", "--time", "1"]];
        for mut command in wanted {
            command.push(&path);
            let output = run(&command);
            assert_eq!(code(&output), 0, "{option:?}: {}", text(&output.stderr));
        }
    }
    let two =
        isotrope(&["new", "two", "--port", "--lie"]).current_dir(&directory).output().unwrap();
    assert_eq!(code(&two), 2);
    let odd = isotrope(&["new", "a b"]).current_dir(&directory).output().unwrap();
    assert_eq!(code(&odd), 0);
    assert!(directory.join("a_b.toml").exists());
    let folder = isotrope(&["new", "../c"]).current_dir(&directory).output().unwrap();
    assert_eq!(code(&folder), 2);
    assert!(text(&folder.stderr).contains("ISO-FILE-007"));
}

#[test]
fn schema_completions_and_manual_pages_are_printed() {
    let schema = run(&["schema"]);
    assert!(serde_json::from_slice::<serde_json::Value>(&schema.stdout).is_ok());
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(text(&run(&["completions", shell]).stdout).contains("isotrope"));
    }
    assert!(text(&run(&["man"]).stdout).contains("isotrope"));
    let directory = scratch("man");
    assert_eq!(code(&run(&["man", "--out", &directory.display().to_string()])), 0);
    assert!(directory.join("isotrope-derive.1").exists());
}

/// Ratios are for idle machines; here only that everything is measured, and what is computed.
#[test]
fn bench_measures_what_it_is_asked_for() {
    let output = run(&["bench", "w1", "W7", "--json"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = json["workloads"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["W1", "W7-3", "W7-6", "W7-10"]);
    for row in rows {
        assert!(row["ns"].as_f64().unwrap() > 0.0, "{row}");
        assert_eq!(row["clock"], "cpu");
        assert_eq!(row["c_ns"].is_null(), row["ratio"].is_null());
    }
    assert!(rows[0]["accuracy"].as_f64().unwrap() < 1e-10, "{}", rows[0]);
    // Without a C compiler there is nothing to compare with.
    if rows.iter().all(|row| row["c_ns"].is_null()) {
        skipped!("no C compiler `cc`, so no times of C beside those of compiled steps");
    }
    for row in &rows[1..] {
        assert!(row["accuracy"].as_f64().is_none_or(|error| error < 1e-13), "{row}");
    }
    let unknown = run(&["bench", "W99"]);
    assert_eq!(code(&unknown), 2);
    assert!(unknown.stdout.is_empty());
}

#[test]
fn geometry_of_the_sleigh_has_one_component_and_that_of_the_pendulum_none() {
    let output = run(&["geometry", &model("sleigh"), "--json"]);
    assert_eq!((code(&output), text(&output.stderr)), (0, String::new()));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["kind"], "model");
    assert_eq!(json["rank"], 6);
    assert_eq!(json["isotropic"], true);
    assert_eq!(json["dirac"], false);
    assert_eq!(json["frobenius"], false);
    assert_eq!(json["courant"], serde_json::json!({ "1,2,6": "1" }));
    let output = run(&["geometry", &model("pendulum"), "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&json["dirac"], &json["rank"]), (&true.into(), &4.into()));
    assert_eq!(json["courant"], serde_json::json!({}));
    assert_eq!(json["rank_drops"], serde_json::json!(["x^2 + y^2"]));
}

/// What the preamble sets up: printable ASCII, and letters with accents of T1 fonts.
fn is_typeset(character: char) -> bool {
    matches!(character, '\n' | ' '..='~') || ('\u{c0}'..='\u{17e}').contains(&character)
}

#[test]
fn latex_of_geometry_has_only_characters_that_are_set_up() {
    let files = std::fs::read_dir(models().join("geometry")).unwrap();
    let mut all: Vec<String> =
        files.map(|file| file.unwrap().path().display().to_string()).collect();
    all.sort();
    all.extend(["charged_particle", "monopole_sphere", "sleigh", "pendulum"].map(model));
    for file in all {
        let output = run(&["geometry", &file, "--latex"]);
        assert_eq!(code(&output), 0, "{file}");
        let page = text(&output.stdout);
        let strange: String = page.chars().filter(|c| !is_typeset(*c)).collect();
        assert_eq!(strange, "", "{file}");
        assert!(!page.contains(r"\text{"), "{file}: {page}");
    }
    let page = text(&run(&["geometry", &model("charged_particle"), "--latex"]).stdout);
    assert!(page.contains(r"\mathrm{d}x\wedge\mathrm{d}y"), "{page}");
    let page = text(&run(&["geometry", &model("geometry/wake_oscillator"), "--latex"]).stdout);
    assert!(page.contains("Q^{2}"), "{page}");
    let page = text(&run(&["geometry", &model("charged_particle"), "--html"]).stdout);
    assert!(page.contains("<mo>∧</mo>"), "{page}");
}

#[test]
fn arguments_for_models_and_broken_geometry_files_have_codes_of_their_own() {
    let file = model("geometry/heisenberg");
    for argument in [["--set", "a=1"], ["--methods", "rk4"]] {
        let output = run(&["geometry", &file, argument[0], argument[1]]);
        assert_eq!(code(&output), 2);
        assert!(text(&output.stderr).contains("ISO-GEOMETRY-024"), "{}", text(&output.stderr));
    }
    let broken = scratch("geometry_broken").join("broken.toml");
    std::fs::write(&broken, "coordinates = [\"x\"]\n[bivector]\n\"x,y\" = = 1\n").unwrap();
    let output = run(&["geometry", &broken.display().to_string()]);
    assert!(text(&output.stderr).contains("ISO-GEOMETRY-004"), "{}", text(&output.stderr));
    for (name, hint) in [("viv", "isotrope port"), ("guiding_centre", "[two_form]")] {
        let output = run(&["geometry", &model(name)]);
        assert_eq!(code(&output), 2, "{name}");
        assert!(text(&output.stderr).contains(hint), "{}", text(&output.stderr));
    }
}

/// A dense bivector in forty dimensions is answered with lists that are cut.
#[test]
fn lists_of_large_structures_are_cut() {
    let names: Vec<String> = (1..=40).map(|k| format!("\"x{k}\"")).collect();
    let mut content = format!("coordinates = [{}]\n[bivector]\n", names.join(", "));
    for i in 1..40_usize {
        for j in i + 1..=40 {
            let (a, b) = ((i * j) % 40 + 1, (i + 7 * j) % 40 + 1);
            content.push_str(&format!("\"x{i},x{j}\" = \"x{a}*x{b} - {i}*x{j}^2 + x{i}*x{a}\"\n"));
        }
    }
    let file = scratch("geometry_large").join("large.toml");
    std::fs::write(&file, content).unwrap();
    let output = run(&["geometry", &file.display().to_string(), "--json"]);
    assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    assert!(output.stdout.len() < 4_000_000, "{}", output.stdout.len());
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["dirac"], false);
    assert!(json["courant_left_out"].as_u64().unwrap() > 1000);
}

#[test]
fn geometry_files_have_their_keys_in_every_format() {
    let file = model("geometry/heisenberg");
    let output = run(&["geometry", &file, "--json"]);
    assert_eq!(code(&output), 0);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for key in [
        "kind",
        "rank",
        "rank_drops",
        "isotropic",
        "courant",
        "dirac",
        "frobenius",
        "casimirs",
        "kernel",
        "Q",
        "Q_squared_zero",
        "betti",
    ] {
        assert!(json.get(key).is_some(), "{key}");
    }
    assert_eq!(json["betti"], serde_json::json!([1, 2, 2, 1]));
    assert_eq!(json["Q_squared_zero"], "yes");
    assert_eq!(json["Q"], serde_json::json!({ "c": "-p*q" }));
    assert_eq!(json["casimirs"], serde_json::json!(["c"]));
    for (format, begin) in [("--latex", "\\documentclass"), ("--html", "<!DOCTYPE html>")] {
        let output = run(&["geometry", &file, format]);
        assert_eq!(code(&output), 0);
        let page = text(&output.stdout);
        assert!(page.trim_start().to_lowercase().starts_with(&begin.to_lowercase()), "{page}");
    }
    // A file that makes no sense is refused with its place and code.
    let directory = scratch("geometry");
    let bad = directory.join("bad.toml");
    std::fs::write(&bad, "[graded]\ncoordinates = { x = 0, c = 1 }\nfield = { c = \"x\" }\n")
        .unwrap();
    let output = run(&["geometry", &bad.display().to_string()]);
    assert_eq!(code(&output), 2);
    assert!(output.stdout.is_empty());
    assert!(text(&output.stderr).contains("ISO-GEOMETRY-016"), "{}", text(&output.stderr));
}

/// Names come from outside: neither a terminal nor LaTeX obeys them.
#[test]
fn a_name_with_control_characters_is_shown_and_not_obeyed() {
    let source = std::fs::read_to_string(model("pendulum")).unwrap();
    let named: Vec<&str> = source.lines().filter(|line| !line.starts_with("name")).collect();
    let source = format!("name = \"red\\u001b[31m\\n% \\\\input{{x}}\"\n{}\n", named.join("\n"));
    let path = scratch("control_characters").join("red.toml");
    std::fs::write(&path, source).unwrap();
    let path = path.display().to_string();
    let steps = ["--step", "0.01", "--time", "0.1"];
    for command in [
        &["derive", &path][..],
        &["check", &path],
        &["run", &path, steps[0], steps[1], steps[2], steps[3]],
        &["compare", &path, "--methods", "rk4", steps[0], steps[1], steps[2], steps[3]],
        &["drift", &path, "--methods", "rk4", steps[0], steps[1], steps[2], steps[3]],
        &["flow", &path, "--method", "rattle", steps[0], steps[1], steps[2], steps[3]],
    ] {
        let output = run(command);
        assert_eq!(code(&output), 0, "{command:?}: {}", text(&output.stderr));
        let shown = text(&output.stdout);
        assert!(shown.contains("red␛[31m␊% \\input{x}"), "{command:?}: {shown}");
        assert!(!shown.contains('\u{1b}'), "{command:?}");
    }
    for command in [
        &["derive", &path, "--latex"][..],
        &["compare", &path, "--methods", "rk4", "--latex", steps[0], steps[1], steps[2], steps[3]],
    ] {
        let output = run(command);
        assert_eq!(code(&output), 0, "{command:?}: {}", text(&output.stderr));
        let shown = text(&output.stdout);
        let safe = r"red\textless{}1B\textgreater{}[31m \% \textbackslash{}input\{x\}";
        assert!(shown.contains(safe), "{command:?}: {shown}");
        assert!(!shown.contains(r"\input"), "{command:?}");
    }
}

#[test]
fn words_that_people_try_are_understood_or_answered() {
    let pendulum = crate::common::models().join("pendulum_angle.toml").display().to_string();
    let pendulum = pendulum.as_str();
    let run_with = |method: &str, step: &str| {
        let output =
            run(&["run", pendulum, "--method", method, step, "1/100", "--time", "1", "--json"]);
        assert_eq!(code(&output), 0, "{method}: {}", text(&output.stderr));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        json["final"].clone()
    };
    // The same map, to the last bit.
    let verlet = run_with("verlet", "--step");
    assert!(!verlet.is_null());
    for name in ["leapfrog", "velocity-verlet", "stormer-verlet"] {
        assert_eq!(run_with(name, "--dt"), verlet, "{name}");
    }
    for (name, word) in
        [("ode45", "dop853"), ("dopri5", "dormand-prince"), ("radau", "radau-iia-3")]
    {
        let output = run(&["run", pendulum, "--method", name]);
        assert_eq!(code(&output), 2);
        assert!(text(&output.stderr).contains(word), "{}", text(&output.stderr));
    }
    let plot = run(&["plot", pendulum]);
    assert_eq!(code(&plot), 2);
    assert!(text(&plot.stderr).contains(&format!("isotrope run {pendulum} --plot")));
}
