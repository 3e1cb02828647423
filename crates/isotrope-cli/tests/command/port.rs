//! `isotrope port` from outside: the contract of its JSON, exit codes, formats.

use std::path::Path;
use std::process::{Command, Output};

use crate::common::models;
use serde_json::{Value, json};

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isotrope"));
    command.arg("port").args(arguments).env("NO_COLOR", "1").output().unwrap()
}

fn model(name: &str) -> String {
    models().join(format!("{name}.toml")).display().to_string()
}

fn read(arguments: &[&str], exit: i32) -> Value {
    let output = run(&[arguments, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(exit), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn viv_has_the_form_of_its_source_and_two_that_are_dirac() {
    let found = read(&[&model("viv")], 0);
    assert_eq!(found["obstruction"], Value::Null);
    let forms = found["forms"].as_array().unwrap();
    assert!(forms.iter().all(|form| form["power_balance"] == "proved"));
    let of = |origin: &str, residual: &str, support: Value| -> Value {
        let test = |form: &&Value| {
            form["origin"] == origin
                && form["residual"] == residual
                && form["residual_support"] == support
                && (form["dissipation"] == "zero" || residual == "none")
        };
        forms.iter().find(test).unwrap_or_else(|| panic!("{origin} {residual}")).clone()
    };
    let v1 = of("uncoupled", "modulated", json!([2, 4]));
    assert_eq!(v1["J"][0], json!(["0", "1", "0", "0"]));
    assert_eq!(v1["inputs"], json!(["1"]));
    assert_eq!(v1["g"].as_array().unwrap().len(), 4);
    assert_eq!(v1["courant"], json!({ "2,4,5": "m*O^2 + A", "3,4,5": "eps*(1 - x3^2)" }));
    assert_eq!(v1["schouten"]["2,4,5"], "2*(m*O^2 + A)");
    // The corrected Q.
    assert_eq!(v1["Q"]["p_x1"], "A*p_x4*p_x5");
    assert_eq!(v1["Q"]["x4"], "p_x3 + (eps*x4*(x3^2 - 1) + A*x1)*p_x5");
    assert_eq!(v1["Q"]["x5"], "m*O^2*x3*p_x2 + (eps*x4*(1 - x3^2) - A*x1)*p_x4");
    let v3 = of("uncoupled", "constant-ports", json!([2, 4]));
    let v4 = of("mechanical", "none", json!([]));
    for form in [&v3, &v4] {
        assert_eq!((&form["courant"], &form["Q_squared_zero"]), (&json!("0"), &json!("yes")));
    }
    assert_eq!(v4["J"][0][1], "1/A");
}

#[test]
fn an_energy_without_structure_is_an_obstruction_and_exit_code_1() {
    let lorenz = model("equations/lorenz");
    let found = read(&[&lorenz, "--hamiltonian", "(x^2 + y^2 + (z - r - s)^2)/2"], 1);
    let outside = &found["obstruction"]["not_in_ideal"];
    assert_eq!(outside[0]["state"], "z");
    assert_eq!(found["obstruction"]["critical_point"]["z"], "r + s");
    // Every form that is listed has a port for the residual.
    let forms = found["forms"].as_array().unwrap();
    assert!(!forms.is_empty() && forms.iter().all(|form| form["residual"] != "none"));
    // In the distance from the origin there is one, though it is not passive.
    let found = read(&[&lorenz, "--hamiltonian", "(x^2 + y^2 + z^2)/2"], 0);
    assert_eq!(found["obstruction"]["power_nowhere_positive"]["answer"], "if");
}

#[test]
fn what_is_no_question_is_refused() {
    let lorenz = model("equations/lorenz");
    for (arguments, code, words) in [
        (vec![lorenz.as_str(), "--hamiltonian", "x^2 + w"], "ISO-PORT-004", "w"),
        (vec![lorenz.as_str(), "--hamiltonian", "x^2 +"], "ISO-PORT-004", "read"),
        (vec![lorenz.as_str(), "--hamiltonian", "log(0)"], "ISO-PORT-001", "undefined"),
        (vec![model("pendulum").leak() as &str], "ISO-PORT-008", "[equations]"),
    ] {
        let output = run(&arguments);
        let talk = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{talk}");
        assert!(talk.contains(code) && talk.contains(words), "{talk}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_file_with_an_energy_and_every_format() {
    let found = read(&[&model("poisson/rigid_body")], 0);
    assert_eq!(found["forms"][0]["origin"], "given");
    assert_eq!(found["forms"][0]["freedom"], 1);
    let found = read(&[&model("equations/dc_motor")], 0);
    let motor = &found["forms"][0];
    assert_eq!(motor["J"], json!([["0", "-K"], ["K", "0"]]));
    assert_eq!(motor["R"], json!([["Ra", "0"], ["0", "b"]]));
    assert_eq!((&motor["inputs"], &motor["outputs"]), (&json!(["u"]), &json!(["phi/L"])));
    // A value that is set is a number: without damping the energy is kept.
    let found = read(&[&model("viv"), "--set", "eps=0"], 0);
    assert_eq!(found["forms"][0]["dissipation"], "zero");
    assert_eq!(found["definite_invariant"]["answer"], "if");
    for (flag, start) in [("--latex", "\\documentclass"), ("--html", "<!DOCTYPE html>")] {
        let output = run(&[&model("equations/van_der_pol"), flag]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.trim_start().to_lowercase().starts_with(&start.to_lowercase()), "{flag}");
    }
}

/// A form becomes a file that derives, and a file that is there is not replaced.
#[test]
fn a_form_is_saved_as_a_model_once() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("viv_3.toml");
    let _ = std::fs::remove_file(&path);
    let path = path.display().to_string();
    let viv = model("viv");
    let output = run(&[&viv, "--form", "5", "--save", &path]);
    let talk = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{talk}");
    assert!(output.stdout.is_empty() && talk.contains("isotrope derive"), "{talk}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_isotrope"));
    let derived = command.args(["derive", &path, "--json"]).output().unwrap();
    let derived: Value = serde_json::from_slice(&derived.stdout).unwrap();
    assert_eq!(derived["state"]["structure"]["power_balance"], "proved");
    let output = run(&[&viv, "--form", "5", "--save", &path]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("ISO-FILE-004"));
    let output = run(&[&viv, "--form", "8", "--save", &path, "--force"]);
    assert_eq!(output.status.code(), Some(0));
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(run(&[&viv, "--form", "8", "--save", "-"]).stdout, text.into_bytes());
    for (arguments, words) in [
        (vec!["--form", "99", "--save", "-"], "ISO-PORT-009"),
        (vec!["--form", "0", "--save", "-"], "ISO-PORT-009"),
        (vec!["--form", "3"], "--save"),
        (vec!["--save", "-"], "--form"),
    ] {
        let output = run(&[&[viv.as_str()], arguments.as_slice()].concat());
        let talk = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{talk}");
        assert!(talk.contains(words), "{talk}");
    }
}

#[test]
fn an_energy_may_begin_with_a_minus() {
    let file = model("equations/dc_motor");
    let found = read(&[&file, "--hamiltonian", "-phi^2/2 - p^2/2"], 0);
    assert_eq!(found["forms"][0]["origin"], "given");
}

#[test]
fn signs_and_momenta_of_velocities_are_written_in_latex() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("port_latex.toml");
    let text = "coordinates = [\"x\"]\n[parameters]\nc = \"1/5\"\ne = -1\n[equations]\n\"x''\" = \"-x - (x^2 + e)*x'\"\n[initial]\nposition = { x = 1 }\nvelocity = { x = 0 }\n";
    std::fs::write(&file, text).unwrap();
    let file = file.display().to_string();
    let output = run(&[&file, "--hamiltonian", "(x^2 + x'^2)/2", "--latex"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(r"R $\succeq$ 0") && text.contains(r"p_{\dot{x}}"), "{text}");
    assert!(!text.contains(r"\dot{p}"));
    // The energy grows at the value of e in the file, and nothing is said of others.
    let output = run(&[&file, "--hamiltonian", "(x^2 + x'^2)/2"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("at the values of the file: there a port is mandatory"), "{text}");
}

/// Refusals of `port` and `connect` point at what they are about: a state, a table, a part of an argument.
#[test]
fn refusals_have_places() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("port_places");
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    let begin = "[initial]\nposition = { x = 1 }\n";
    write("time.toml", &format!("coordinates = [\"x\"]\n[equations]\n\"x'\" = \"-x*t\"\n{begin}"));
    write(
        "square.toml",
        &format!(
            "coordinates = [\"x\"]\n[inputs]\nu = \"t\"\n[equations]\n\"x'\" = \"-x + u^2\"\n{begin}"
        ),
    );
    write(
        "port.toml",
        &format!(
            "coordinates = [\"x\"]\n[inputs]\nu = \"t\"\n[port]\nhamiltonian = \"x^2/2\"\nR = {{ \"x,x\" = 1 }}\ng = {{ u = {{ x = 1 }} }}\n{begin}"
        ),
    );
    let pendulum = model("pendulum");
    let cases: [(&[&str], &str); 9] = [
        (&["port", "time.toml"], "time.toml:1:16"),
        (&["port", "square.toml"], "square.toml:1:16"),
        (&["port", &pendulum], "pendulum.toml:"),
        (&["port", "port.toml", "--hamiltonian", "x^2 + w"], "--hamiltonian:1:1"),
        (&["connect", "a=port.toml", "b=time.toml", "--join", "a.u,b.v"], "time.toml:2:"),
        (&["connect", "a=port.toml", "b=port.toml", "--join", "a.u,b.v"], "--join:1:5"),
        (&["connect", "a=port.toml", "b=port.toml", "--join", "a.u"], "--join:1:1"),
        (&["connect", "a=port.toml", "b=port.toml", "--join", "a.u,b.u=k"], "--join:1:9"),
        (&["connect", "a=port.toml", "b=port.toml", "--join", "a.u,a.u"], "--join:1:1"),
    ];
    for (arguments, place) in cases {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_isotrope"))
            .args(arguments)
            .current_dir(&folder)
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(told.contains(place), "{arguments:?}: {told}");
    }
}
