//! What `conditions` prints, and what it refuses.

use std::process::{Command, Output};

use isotrope::rooms::construct::{ConditionsError, list};
use isotrope::rooms::report::conditions::{to_latex, to_text};
use serde_json::{Value, json};

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isotrope"));
    command.arg("conditions").args(arguments).env("NO_COLOR", "1").output().unwrap()
}

/// The JSON that a command prints; it says nothing else.
fn answer(arguments: &[&str]) -> Value {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stderr.is_empty());
    serde_json::from_slice(&output.stdout).unwrap()
}

fn counts(answer: &Value, part: &str) -> Vec<u64> {
    let powers = answer["powers"].as_array().unwrap();
    powers.iter().map(|power| power["counts"][part].as_u64().unwrap()).collect()
}

#[test]
fn numbers_of_conditions() {
    let sphere = answer(&["--class", "sphere", "--json"]);
    assert_eq!(counts(&sphere, "all"), [2, 4, 10, 27]);
    assert_eq!(counts(&sphere, "phi-q"), [0, 1, 1, 3]);
    assert_eq!(sphere["powers"][3]["conditions"].as_array().unwrap().len(), 27);
    let bilinear = answer(&["--class", "bilinear", "--order", "3", "--json"]);
    assert_eq!(counts(&bilinear, "all"), [2, 4, 11]);
    let form = answer(&["--class", "symplectic", "--json"]);
    assert_eq!((form["part"].clone(), counts(&form, "form")), (json!("form"), vec![0, 1, 1, 3]));
}

#[test]
fn json_says_how_sure_it_is() {
    let answer = answer(&["--class", "generic", "--order", "2", "--json"]);
    assert_eq!(answer["class"], "generic");
    assert_eq!(answer["powers"][1]["given"], 1);
    assert_eq!(answer["powers"][1]["conditions"][0]["text"], "w(p[q]) = 1/2");
    let terms = json!([
        { "trees": ["p[q]"], "coefficient": "1" },
        { "trees": [], "coefficient": "-1/2" },
    ]);
    assert_eq!(answer["powers"][1]["conditions"][0]["terms"], terms);
    assert!(answer["failure_probability"].as_f64().unwrap() < 1e-30);
    assert!(answer["checks"].as_u64().unwrap() > 0);
}

#[test]
fn the_same_answer_every_time() {
    let [one, other] = [(); 2].map(|()| run(&["--class", "sphere", "--order", "3"]).stdout);
    assert_eq!(one, other);
}

#[test]
fn a_given_order_is_presupposed_everywhere() {
    let listing = list("bilinear", None, 3, Some(1)).unwrap();
    assert!(listing.powers.iter().all(|(known, _)| *known == 1));
    let text = to_text(&listing);
    assert!(text.contains("h^3, given order 1: 11 conditions"), "{text}");
    let latex = to_latex(&listing);
    assert!(latex.starts_with("\\documentclass") && latex.ends_with("\\end{document}\n"));
}

#[test]
fn refusals() {
    let refused = |class: &str, order, given| list(class, None, order, given).unwrap_err();
    assert!(matches!(refused("round", 2, None), ConditionsError::Class { .. }));
    assert!(matches!(refused("sphere", 0, None), ConditionsError::Order { order: 0 }));
    assert!(matches!(refused("sphere", 3, Some(3)), ConditionsError::Given { .. }));
    let output = run(&["--class", "round"]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("ISO-CONDITIONS-001") && told.contains("quadrics"), "{told}");
}

#[test]
fn one_problem_is_asked_like_a_class() {
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
    let body = answer(&["--groups", &format!("{models}/groups/rigid_body.toml"), "--json"]);
    assert_eq!(counts(&body, "casimir"), [0, 1, 1, 2]);
    assert_eq!(counts(&body, "all"), [0, 1, 1, 2]);
    assert_eq!((&body["route"], &body["failure_bits"]), (&json!("normal-forms"), &Value::Null));
    assert_eq!(body["family"], "m=m^2");
    let sleigh = answer(&[&format!("{models}/sleigh.toml"), "--order", "3", "--json"]);
    assert_eq!(counts(&sleigh, "all"), [2, 5, 12]);
    let kepler = answer(&[&format!("{models}/kepler.toml"), "--order", "3", "--json"]);
    assert_eq!(kepler["route"], "points");
    assert!(kepler["failure_bits"].as_u64().unwrap() > 60);
}

#[test]
fn a_problem_that_is_none_is_refused() {
    let bad = concat!(env!("CARGO_MANIFEST_DIR"), "/../isotrope-construct/tests/groups/bad");
    let output = run(&["--groups", &format!("{bad}/invariant.toml")]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("ISO-GROUPS-016") && told.contains("3*m1*m2*m3"), "{told}");
}
