//! What `modified` prints, and what it refuses.

use std::process::{Command, Output};

use serde_json::{Value, json};

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isotrope"));
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    command.arg("modified").args(arguments).env("NO_COLOR", "1").output().unwrap()
}

fn text(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stderr.is_empty());
    String::from_utf8(output.stdout).unwrap()
}

fn answer(arguments: &[&str]) -> Value {
    serde_json::from_str(&text(arguments)).unwrap()
}

const PENDULUM: &str = "models/pendulum_angle.toml";

#[test]
fn texts() {
    insta::assert_snapshot!("euler.txt", text(&["euler"]));
    insta::assert_snapshot!("midpoint.txt", text(&["midpoint", PENDULUM, "--order", "3"]));
    insta::assert_snapshot!("verlet.txt", text(&["verlet", PENDULUM, "--order", "4"]));
    insta::assert_snapshot!("verlet.tex", text(&["verlet", "--order", "3", "--latex"]));
}

#[test]
fn json_of_a_method_has_its_coefficients() {
    let euler = answer(&["euler", "--order", "3", "--json"]);
    for key in ["model", "equations", "hamiltonian", "defect"] {
        assert_eq!(euler.get(key), Some(&Value::Null), "{key}");
    }
    assert_eq!((&euler["method"], &euler["order"]), (&json!("euler"), &json!(3)));
    assert_eq!(euler["symplectic"], false);
    assert_eq!(euler["coefficients"][1], json!({ "tree": "y[y]", "beta": "-1/2", "sigma": "1" }));
    // γ = 1/(2 - 2^(1/3)): numbers of the field that this root generates.
    let jump = answer(&["yoshida-4", "--order", "5", "--json"]);
    let coefficients = jump["coefficients"].as_array().unwrap();
    let last = coefficients.iter().rev().find(|one| one["beta"] != "0").unwrap();
    assert!(last["beta"].as_str().unwrap().contains("2^(1/3)"), "{last}");
    assert_eq!(jump["symplectic"], true);
}

#[test]
fn json_of_a_model_has_equations_by_powers_of_h() {
    let verlet = answer(&["verlet", PENDULUM, "--order", "4", "--json"]);
    assert_eq!(verlet["model"], "Pendulum (angle)");
    let rates = &verlet["equations"];
    assert_eq!(rates["theta"], json!(["theta'", "0", "g*theta'*cos(theta)/(6*l)", "0"]));
    assert_eq!(rates["theta'"].as_array().unwrap().len(), 4);
    assert_eq!(verlet["hamiltonian"].as_array().unwrap().len(), 4);
    let defect = &verlet["defect"];
    assert!((defect["slope"].as_f64().unwrap() - 5.0).abs() < 0.01);
    assert_eq!(
        defect["steps"].as_array().unwrap().len(),
        defect["errors"].as_array().unwrap().len()
    );
}

/// The midpoint rule keeps A(q) v on constraints of degree two, but leaves the constraint itself.
#[test]
fn constraints_have_rates_of_their_own() {
    let pendulum = answer(&["midpoint", "models/pendulum.toml", "--order", "3", "--json"]);
    assert_eq!(pendulum["hamiltonian"], Value::Null);
    assert_eq!(pendulum["hamiltonian_reason"], "the system has constraints");
    assert_eq!(pendulum["energy_rate"][0], "0");
    let rates = &pendulum["constraint_rates"];
    assert_eq!((&rates[0]["name"], &rates[0]["level"]), (&json!("rod"), &json!("position")));
    assert_ne!(rates[0]["rate"][2], "0");
    assert_eq!(
        (&rates[1]["level"], &rates[1]["rate"]),
        (&json!("velocity"), &json!(["0", "0", "0"]))
    );
}

/// A letter for numbers that no roots write.
#[test]
fn a_cubic_field_has_a_letter() {
    let text = text(&["sdirk-alexander-3", PENDULUM]);
    assert!(text.contains("with zeta = root(6*x^3-18*x^2+9*x-1,2) = 0.435866521508459"), "{text}");
    assert!(text.contains("slope 5.000"), "{text}");
}

#[test]
fn refusals() {
    let told = |arguments: &[&str]| {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(told(&["rattle"]).contains("ISO-MODIFIED-001"));
    assert!(told(&["ab3"]).contains("depends on earlier steps"));
    assert!(told(&["dop853"]).contains("dormand-prince"));
    assert!(told(&["project:rk4"]).contains("ISO-MODIFIED-001"));
    assert!(told(&["dirac-2"]).contains("ISO-MODIFIED-001"));
    assert!(told(&["yoshida-8"]).contains("ISO-MODIFIED-002"));
    assert!(told(&["euler", "--order", "0"]).contains("ISO-MODIFIED-003"));
    assert!(told(&["eulr"]).contains("did you mean `euler`"));
    assert!(told(&["euler", "--set", "g=1"]).contains("MODEL"));
}
