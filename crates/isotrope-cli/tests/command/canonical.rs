//! Models that are given by H, through the command.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

const MODELS: [(&str, &str); 2] = [
    (
        "nonseparable",
        "coordinates = [\"q\"]\n[hamiltonian]\nH = \"(q^2 + 1)*(p_q^2 + 1)/2\"\n\
         [initial]\nposition = { q = \"3/10\" }\nmomentum = { q = \"1/2\" }\n",
    ),
    (
        "quartic",
        "coordinates = [\"q\"]\n[hamiltonian]\nH = \"p_q^4/4 + q^2/2\"\n\
         [initial]\nposition = { q = \"7/10\" }\nmomentum = { q = \"9/10\" }\n",
    ),
];

fn file(name: &str) -> PathBuf {
    let text = MODELS.iter().find(|(known, _)| *known == name).unwrap().1;
    let directory = std::env::temp_dir().join(format!("isotrope-canonical-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let path = directory.join(format!("{name}.toml"));
    std::fs::write(&path, text).unwrap();
    path
}

fn isotrope(command: &str, model: &str, arguments: &[&str]) -> Output {
    let mut process = Command::new(env!("CARGO_BIN_EXE_isotrope"));
    process.arg(command).arg(file(model)).args(arguments).env("NO_COLOR", "1").output().unwrap()
}

fn answer(command: &str, model: &str, arguments: &[&str]) -> Value {
    let output = isotrope(command, model, &[arguments, &["--json"]].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
}

#[test]
fn steps_of_symplectic_tables_are_symplectic_on_models_given_by_h() {
    for (model, _) in MODELS {
        for (method, symplectic) in [
            ("gauss-1", true),
            ("gauss-2", true),
            ("verlet", true),
            ("symplectic-euler", true),
            ("lobatto-iiia-iiib-3", true),
            ("yoshida-4", true),
            ("rk4", false),
        ] {
            let arguments = ["--method", method, "--step", "1/20", "--time", "2"];
            let checked = [&arguments[..], &["--check", "symplectic"]].concat();
            let code = isotrope("flow", model, &checked).status.code();
            assert_eq!(code, Some(i32::from(!symplectic)), "{method} on {model}");
            let run = answer("run", model, &arguments);
            assert_eq!(run["outcome"], "completed", "{method} on {model}");
            let [q, v, p] = ["q", "v", "p"].map(|part| run["final"][part]["q"].as_f64().unwrap());
            let wanted = if model == "quartic" { p * p * p } else { (q * q + 1.0) * p };
            assert!((v - wanted).abs() < 1e-12, "{method} on {model}: {v}, {wanted}");
        }
    }
}

#[test]
fn rows_have_positions_velocities_and_momenta_in_that_order() {
    let out = file("quartic").with_file_name("rows.csv");
    let arguments = ["--method", "verlet", "--step", "1/10", "--time", "1", "--out"];
    isotrope("run", "quartic", &[&arguments[..], &[out.to_str().unwrap()]].concat());
    let text = std::fs::read_to_string(&out).unwrap();
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(lines.next(), Some("t,q,v_q,p_q,energy"));
    for line in lines {
        let numbers: Vec<f64> = line.split(',').map(|number| number.parse().unwrap()).collect();
        let [_, q, v, p, energy] = numbers[..] else { panic!("{line}") };
        assert!((v - p * p * p).abs() < 1e-14, "{line}");
        assert!((energy - (p * p * p * p / 4.0 + q * q / 2.0)).abs() < 1e-14, "{line}");
    }
}

#[test]
fn comparisons_drift_and_orders_work_without_a_lagrangian() {
    let long = ["--methods", "gauss-2,verlet,dop853,rattle", "--step", "1/20", "--time", "5"];
    let rows = answer("compare", "quartic", &long)["rows"].clone();
    for row in rows.as_array().unwrap() {
        let refused = row["method"] == "rattle";
        assert_eq!(row["outcome"], if refused { "not-applicable" } else { "completed" }, "{row}");
        assert_eq!(row["reason"].to_string().contains("needs a Lagrangian"), refused, "{row}");
    }
    let drift =
        answer("drift", "quartic", &["--methods", "gauss-2", "--step", "1/20", "--time", "200"]);
    assert_eq!(drift["rows"][0]["outcome"], "completed");
    assert_eq!(drift["rows"][0]["drifts"], false, "{drift}");
    let orders =
        answer("convergence", "nonseparable", &["--methods", "gauss-2,verlet", "--time", "1"]);
    for row in orders["rows"].as_array().unwrap() {
        assert_ne!(row["verdict"], "disagrees", "{row}");
    }
}

#[test]
fn members_of_an_ensemble_begin_with_their_momenta() {
    let members = file("quartic").with_file_name("members.csv");
    std::fs::write(&members, "q,p_q\n0.7,0.9\n0.2,-0.4\n").unwrap();
    let arguments = [
        "--method",
        "gauss-2",
        "--step",
        "1/20",
        "--time",
        "2",
        "--ensemble",
        members.to_str().unwrap(),
    ];
    let all = answer("run", "quartic", &arguments);
    let alone = answer("run", "quartic", &arguments[..6]);
    assert_eq!(all["members"][0]["final"], alone["final"]);
    assert_eq!(all["members"][1]["outcome"], "completed");
    assert_ne!(all["members"][1]["final"], alone["final"]);
}

#[test]
fn a_claim_about_the_form_says_which_variables_it_is_about() {
    let methods = |arguments: &[&str]| -> String {
        let mut process = Command::new(env!("CARGO_BIN_EXE_isotrope"));
        let output = process.arg("methods").args(arguments).env("NO_COLOR", "1").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let list = methods(&[]);
    assert!(list.contains("free: no constraints, constant mass"), "{list}");
    for (name, kept) in [
        ("gauss-2", true),
        ("sv", true),
        ("verlet", true),
        ("symplectic-euler", true),
        ("lobatto-iiia-iiib-3", true),
        ("yoshida-4", true),
        ("rk4", false),
        ("trapezoid", false),
    ] {
        assert_eq!(methods(&[name]).contains("any H, (q, p)"), kept, "{name}");
        let record: Value = serde_json::from_str(&methods(&[name, "--json"])).unwrap();
        assert_eq!(record["canonical_form"] == "inf", kept, "{name}");
    }
    assert!(methods(&["gauss-2"]).contains("inf (constant mass matrix)"));
}
