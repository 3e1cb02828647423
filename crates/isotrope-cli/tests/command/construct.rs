//! What `construct` finds: the contract, files, exit codes.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::{Value, json};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isotrope"));
    command.current_dir(root()).args(arguments).env("NO_COLOR", "1").output().unwrap()
}

fn construct(arguments: &[&str]) -> (Option<i32>, Value) {
    let words: Vec<&str> = ["construct"].into_iter().chain(arguments.iter().copied()).collect();
    let output = run(&[&words[..], &["--json"]].concat());
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn theorem_a() {
    let (code, two) = construct(&["--stages", "2", "--order", "2"]);
    assert_eq!(code, Some(0));
    assert_eq!(two["conditions"], json!({ "order": 8, "structure": 0, "new": 5 }));
    assert_eq!(two["ideal"]["dimension"], 7);
    assert_eq!((&two["ideal"]["basis"], &two["ideal"]["exact"]), (&json!(12), &json!(true)));
    assert_eq!(two["family"]["components"].as_array().unwrap().len(), 3);
    let (_, three) = construct(&["--stages", "2", "--order", "3"]);
    assert_eq!((&three["conditions"]["new"], &three["ideal"]["dimension"]), (&json!(7), &json!(3)));
    let (_, four) = construct(&["--stages", "2", "--order", "4"]);
    assert_eq!((&four["ideal"]["dimension"], &four["unique"]), (&json!(0), &json!(true)));
    assert_eq!(four["methods"][0]["certified"]["order"], 4);
    let (code, five) = construct(&["--stages", "2", "--order", "5"]);
    assert_eq!(code, Some(1));
    assert_eq!(five["ideal"]["consistent"], false);
    assert!(!five["contradiction"].as_array().unwrap().is_empty());
    let (_, midpoint) = construct(&["--stages", "1", "--order", "2"]);
    assert_eq!(
        (&midpoint["unique"], &midpoint["methods"][0]["a"]),
        (&json!(true), &json!([["1/2"]]))
    );
}

#[test]
fn heun_and_the_family_of_ps3() {
    let strict = |stages: &'static str, structure: &'static str| {
        let pattern = ["--class", "bilinear", "--pattern", "strict"];
        let numbers = ["--stages", stages, "--order", "2", "--structure", structure];
        construct(&[&numbers[..], &pattern[..]].concat()).1
    };
    let heun = strict("2", "4");
    assert_eq!(heun["unique"], true);
    let method = &heun["methods"][0];
    assert_eq!(method["a"], json!([["0", "0"], ["1", "0"]]));
    assert_eq!((&method["abar"], &method["btil"]), (&method["a"], &json!(["1/2", "1/2"])));
    assert_eq!(method["certified"]["structure"], 4);
    assert_eq!(method["cost"], json!({ "explicit": true, "implicit_stages": 0 }));
    assert!(heun["failure_probability"].as_f64().unwrap() < 1e-30);
    let family = strict("3", "5");
    assert_eq!((&family["unique"], &family["family"]["dimension"]), (&json!(false), &json!(1)));
    let methods = family["methods"].as_array().unwrap();
    let ps3 = json!([["0", "0", "0"], ["1/2", "0", "0"], ["0", "1", "0"]]);
    assert!(methods.iter().any(|method| method["a"] == ps3), "{methods:?}");
}

#[test]
fn casimirs_and_a_power_balance() {
    let groups = |file: &'static str, more: &[&'static str]| {
        construct(&[&["--groups", file, "--order", "2"], more].concat()).1
    };
    let body = groups(
        "models/groups/rigid_body.toml",
        &["--stages", "3", "--structure", "5", "--pattern", "strict"],
    );
    assert_eq!((&body["class"], &body["problem"]), (&Value::Null, &json!("rigid body")));
    // One more than was asked for, exactly.
    let certified = json!({ "order": 2, "structure": 6, "form": null });
    assert_eq!(body["methods"][0]["certified"], certified);
    assert_eq!(body["failure_probability"], 0.0);
    let balance =
        groups("models/groups/damped_oscillator.toml", &["--stages", "2", "--structure", "4"]);
    assert_eq!(balance["methods"][0]["certified"]["structure"], 4);
    assert_eq!(balance["methods"][0]["cost"]["explicit"], true);
}

#[test]
fn a_saved_method_is_certified_and_runs() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("constructed.toml");
    let file = path.to_str().unwrap();
    let arguments =
        ["construct", "models/pendulum.toml", "--stages", "2", "--order", "2", "--structure", "5"];
    let output = run(&[&arguments[..], &["--save", file]].concat());
    assert_eq!(output.status.code(), Some(0));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("of the class sphere"), "{told}");
    let certified = run(&["certify", file, "--json"]);
    assert_eq!(certified.status.code(), Some(0), "{certified:?}");
    let certificate: Value = serde_json::from_slice(&certified.stdout).unwrap();
    assert_eq!(certificate["order"], 2);
    let method = format!("rkd:{file}");
    let run = run(&[
        "run",
        "models/pendulum.toml",
        "--method",
        &method,
        "--step",
        "0.01",
        "--time",
        "1",
        "--json",
    ]);
    assert_eq!(run.status.code(), Some(0), "{run:?}");
}

#[test]
fn the_conditions_of_a_model_alone_are_fewer_than_those_of_its_class() {
    let arguments = ["models/sleigh.toml", "--stages", "2", "--order", "2", "--structure", "4"];
    let (_, class) = construct(&arguments);
    let (_, model) = construct(&[&arguments[..], &["--symbolic"]].concat());
    let count = |answer: &Value| answer["conditions"]["structure"].as_u64().unwrap();
    assert!(count(&model) < count(&class), "{} {}", count(&model), count(&class));
}

#[test]
fn less_structure_costs_less() {
    let (_, found) = construct(&[
        "--stages",
        "2",
        "--order",
        "2",
        "--structure",
        "5",
        "--class",
        "sphere",
        "--pareto",
    ]);
    let choices = found["choices"].as_array().unwrap();
    let explicit = |choice: &Value| choice["method"]["cost"]["explicit"].clone();
    assert_eq!(explicit(&choices[0]), true);
    assert_eq!(explicit(choices.last().unwrap()), false);
}

#[test]
fn tables_that_are_shipped_do_what_they_declare() {
    let folder = root().join("models/tables");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let output = run(&["certify", path.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        count += 1;
    }
    assert!(count >= 13);
}

#[test]
fn a_negative_answer_is_told_even_if_it_was_to_be_saved() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("none.toml");
    let _ = std::fs::remove_file(&file);
    let output =
        run(&["construct", "--stages", "1", "--order", "3", "--save", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains("There is no such method"));
    assert!(!file.exists());
}

/// What becomes possible when the other part is given up (docs/construct.md).
#[test]
fn parts_of_the_structure_leave_more_freedom() {
    let freedom = |kept: (&str, &str), class: &str, part: Option<&str>| {
        let mut words = vec!["--stages", "2", "--order", kept.0, "--structure", kept.1];
        words.extend(["--class", class, "--pattern", "explicit", "--methods", "1"]);
        words.extend(part.iter().flat_map(|part| ["--part", part]));
        let (_, answer) = construct(&words);
        assert_eq!(answer["part"], json!(part));
        (answer["standing"].clone(), answer["ideal"]["dimension"].as_u64())
    };
    let (legendre, constraints) = (Some("legendre"), Some("constraints"));
    assert_eq!(freedom(("1", "4"), "sphere", None), (json!("found"), Some(1)));
    assert_eq!(freedom(("1", "4"), "sphere", legendre), (json!("found"), Some(6)));
    assert_eq!(freedom(("1", "4"), "sphere", constraints), (json!("found"), Some(2)));
    assert_eq!(freedom(("2", "5"), "bilinear", legendre), (json!("found"), Some(3)));
    assert_eq!(freedom(("2", "5"), "bilinear", constraints), (json!("proved"), Some(0)));
    assert_eq!(freedom(("1", "4"), "generic", constraints), (json!("proved"), None));
    let output = run(&[
        "construct",
        "--stages",
        "2",
        "--order",
        "2",
        "--structure",
        "5",
        "--part",
        "constraints",
        "--class",
        "symplectic",
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("ISO-CONSTRUCT-011"));
}

/// Radau IIA with two stages, and nothing else.
#[test]
fn stiffly_accurate_methods_end_with_a_stage() {
    let (code, answer) =
        construct(&["--stages", "2", "--order", "3", "--pattern", "stiffly-accurate,equal-tables"]);
    assert_eq!((code, answer["unique"].as_bool()), (Some(0), Some(true)));
    assert_eq!(answer["methods"][0]["a"], json!([["5/12", "-1/12"], ["3/4", "1/4"]]));
}

/// Three answers, three words; a method found by another road is a method found.
#[test]
fn what_is_found_proved_and_not_found_are_told_apart() {
    let words = |question: &str| {
        let (code, answer) = construct(&question.split(' ').collect::<Vec<_>>());
        (code, answer["standing"].as_str().unwrap().to_owned(), answer)
    };
    // By the combination of known tables that the basis did not reach.
    let (code, word, answer) =
        words("--stages 3 --order 4 --structure 6 --class sphere --methods 1 --time-limit 60");
    assert_eq!((code, word.as_str()), (Some(0), "found"), "{answer}");
    let (code, word, answer) = words("--stages 1 --order 3");
    assert_eq!((code, word.as_str()), (Some(1), "proved"), "{answer}");
    // There is none (Butcher 1964), and bases out of reach do not show it.
    let question = "--stages 5 --order 6 --pattern strict --time-limit 2";
    let (code, word, answer) = words(question);
    assert_eq!((code, word.as_str()), (Some(1), "not-found"), "{answer}");
    let output = run(&[&["construct"], &question.split(' ').collect::<Vec<_>>()[..]].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("Not found: ") && text.contains("is not decided"), "{text}");
    assert!(!text.contains("There is no such method"), "{text}");
}

#[test]
fn prescribed_entries_are_part_of_the_question() {
    let (code, found) = construct(&[
        "--stages",
        "2",
        "--order",
        "3",
        "--class",
        "symplectic",
        "--pattern",
        "explicit",
        "--fix",
        "b1=1/4",
    ]);
    // Forces that depend on positions only ask for fewer trees.
    assert_eq!(code, Some(0), "{found}");
    assert_eq!(found["fixed"], json!({ "b1": "1/4" }));
    assert_eq!(found["methods"][0]["certified"]["order"], 3);
}

/// The dimension of the set of solutions; `None` if the conditions contradict each other.
fn dimension(stages: &str, kept: (&str, &str), class: &str, pattern: &str) -> Option<u64> {
    let numbers = ["--stages", stages, "--order", kept.0, "--structure", kept.1];
    let rest = ["--class", class, "--pattern", pattern, "--methods", "1"];
    let (_, found) = construct(&[&numbers[..], &rest[..]].concat());
    assert!(found["ideal"]["consistent"].is_boolean(), "out of reach: {found}");
    found["ideal"]["dimension"].as_u64()
}

#[test]
fn what_explicit_methods_can_keep() {
    // The table of docs/construct.md.
    assert_eq!(dimension("2", ("1", "4"), "sphere", "strict"), None);
    assert_eq!(dimension("2", ("2", "4"), "sphere", "strict"), None);
    assert_eq!(dimension("2", ("1", "4"), "sphere", "explicit"), Some(1));
    assert_eq!(dimension("2", ("1", "5"), "sphere", "explicit"), None);
    assert_eq!(dimension("2", ("2", "4"), "sphere", "explicit"), None);
    assert_eq!(dimension("2", ("2", "5"), "bilinear", "strict"), None);
    assert_eq!(dimension("3", ("2", "6"), "bilinear", "strict"), Some(0));
    assert_eq!(dimension("3", ("3", "5"), "bilinear", "strict"), None);
    assert_eq!(dimension("3", ("3", "5"), "bilinear", "explicit"), Some(1));
    if std::env::var_os("ISOTROPE_LONG").is_none() {
        return;
    }
    assert_eq!(dimension("3", ("1", "6"), "sphere", "strict"), None);
    assert_eq!(dimension("3", ("2", "5"), "sphere", "strict"), None);
    assert_eq!(dimension("3", ("3", "5"), "sphere", "strict"), None);
    assert_eq!(dimension("3", ("1", "6"), "sphere", "explicit"), Some(0));
    assert_eq!(dimension("3", ("3", "5"), "sphere", "explicit"), None);
    assert_eq!(dimension("3", ("2", "7"), "bilinear", "strict"), None);
    assert_eq!(dimension("3", ("3", "6"), "bilinear", "explicit"), None);
}
