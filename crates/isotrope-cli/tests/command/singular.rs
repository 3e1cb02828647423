//! Singular Lagrangians from the command line: reports, gauges, runs, reduced models.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn isotrope(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isotrope"));
    command.args(arguments).env("NO_COLOR", "1").output().unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = isotrope(arguments);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    serde_json::from_slice(&output.stdout).expect(&told)
}

fn shipped(name: &str) -> String {
    crate::common::models().join(format!("singular/{name}.toml")).to_str().unwrap().to_owned()
}

fn written(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

/// The model of Christ and Lee in a gauge, with the initial values of the table.
fn christ_lee(name: &str, gauge: &str, start: &str) -> String {
    let text = std::fs::read_to_string(shipped("christ_lee")).unwrap();
    let text = text.replace("z = \"sin(t)\"", gauge).replace("z = 0 }\nvelocity", start);
    written(name, &text).to_str().unwrap().to_owned()
}

fn radius(model: &str, method: &str, step: &str) -> f64 {
    let found = json(&["run", model, "--method", method, "--step", step, "--json"]);
    let state = &found["final"]["q"];
    let at = |name: &str| state[name].as_f64().expect("a number");
    at("x").hypot(at("y"))
}

/// Distances do not depend on the gauge, but what a method makes of them does: the numbers of the literature with
/// gauss-1 and h = 0.02, and the exact one, 0.222143, with a method of order 6.
#[test]
fn distances_of_christ_and_lee_depend_on_the_gauge_for_methods_only() {
    // q' is such that p = (0.8, 0.4): x' = p_x - y z, y' = p_y + x z.
    let three = "z = 3 }\nvelocity";
    let gauges = [
        ("z = \"0\"", "z = 0 }\nvelocity", 0.22354),
        ("z = \"sin(t)\"", "z = 0 }\nvelocity", 0.22434),
        ("z = \"3\"", three, 0.23926),
    ];
    for (k, (gauge, start, wanted)) in gauges.into_iter().enumerate() {
        let model = christ_lee(&format!("christ_lee_{k}.toml"), gauge, start);
        if k == 2 {
            let text = std::fs::read_to_string(&model).unwrap();
            let text = text.replace("x = 0.8, y = 0.4", "x = \"0.8 - 1.5\", y = \"0.4 + 3\"");
            std::fs::write(&model, text).unwrap();
        }
        let found = radius(&model, "gauss-1", "0.02");
        assert!((found - wanted).abs() < 1e-5, "{gauge}: {found}, not {wanted}");
        let exact = radius(&model, "project:gauss-3", "0.01");
        assert!((exact - 0.222_143).abs() < 1e-6, "{gauge}: {exact}");
    }
}

#[test]
fn projected_steps_keep_all_constraints_to_rounding() {
    for name in ["christ_lee", "cawley", "rotor", "proca", "first_order", "relativistic_particle"] {
        let found = json(&["run", &shipped(name), "--json"]);
        assert_eq!(found["outcome"], "completed", "{name}");
        let error = found["errors"]["constraint_position_max"].as_f64().expect("a number");
        assert!(error < 1e-13, "{name}: {error}");
    }
}

#[test]
fn the_record_of_a_chain_has_rounds_classes_gauge_and_bracket() {
    let found = json(&["derive", &shipped("cawley"), "--json"]);
    let rounds: Vec<usize> = found["constraint_chain"]
        .as_array()
        .unwrap()
        .iter()
        .map(|round| round.as_array().unwrap().len())
        .collect();
    assert_eq!(rounds, [1, 1, 1]);
    assert_eq!(found["constraint_chain"][1][0]["power"], 2);
    assert_eq!(found["classes"]["first"], 3);
    assert_eq!(found["classes"]["second"], 0);
    assert_eq!(found["dimensions"]["final"], 3);
    assert_eq!(found["dimensions"]["gauge"], 1);
    assert_eq!(found["dimensions"]["reduced"], 2);
    assert_eq!(found["gauge"][0]["y"], "1");
    assert!(found["multipliers"]["u_y"].is_null());
    let found = json(&["derive", &shipped("proca"), "--json"]);
    let bracket = found["dirac_bracket"].as_array().unwrap();
    assert!(bracket.iter().any(|entry| entry["of"][0] == "x" && entry["of"][1] == "y"));
    for shape in ["--latex", "--html"] {
        let output = isotrope(&["derive", &shipped("christ_lee"), shape]);
        assert!(output.status.success());
        assert!(String::from_utf8(output.stdout).unwrap().contains("Constraint chain"));
    }
}

/// A reduced model is run with the methods of its own kind, and moves as the one that it comes from.
#[test]
fn reduced_models_run_and_move_as_the_models_they_come_from() {
    for name in ["christ_lee", "cawley", "proca", "first_order"] {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("reduced_{name}.toml"));
        let path = path.to_str().unwrap();
        let saved = isotrope(&["derive", &shipped(name), "--reduce", "--save", path, "--force"]);
        assert!(saved.status.success(), "{}", String::from_utf8_lossy(&saved.stderr));
        let course = ["--step", "1/100", "--time", "1/2", "--json"];
        let whole =
            json(&[&["run", &shipped(name), "--method", "project:gauss-3"], &course[..]].concat());
        let reduced = json(&[&["run", path, "--method", "gauss-3"], &course[..]].concat());
        let state = reduced["final"]["q"].as_object().unwrap();
        assert!(!state.is_empty());
        for (coordinate, value) in state {
            let other = whole["final"]["q"][coordinate].as_f64().expect(coordinate);
            assert!((value.as_f64().unwrap() - other).abs() < 1e-9, "{name}: {coordinate}");
        }
    }
    for name in ["rotor", "relativistic_particle"] {
        let refused = isotrope(&["derive", &shipped(name), "--reduce"]);
        assert_eq!(refused.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&refused.stderr).contains("ISO-RUN-015"));
    }
}

/// A condition may demand others: where the rotation is fixed by y = 0, also z = 0. The rules are made anew there.
#[test]
fn a_gauge_may_bring_another_with_it() {
    let model = christ_lee("christ_lee_y.toml", "y = \"0\"", "z = 0 }\nvelocity");
    let text = std::fs::read_to_string(&model).unwrap();
    let text = text.replace("y = \"1/2\"", "y = 0").replace("y = 0.4", "y = 0");
    std::fs::write(&model, text).unwrap();
    let found = json(&["derive", &model, "--json"]);
    assert_eq!(found["gauge_fix"]["dimension"], 2);
    let reduced = isotrope(&["derive", &model, "--reduce"]);
    let text = String::from_utf8(reduced.stdout).unwrap();
    assert!(text.contains("[lagrangian]"), "{text}");
}
