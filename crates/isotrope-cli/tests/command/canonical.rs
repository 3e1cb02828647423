//! Models that are given by H, through the command.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

const MODELS: [(&str, &str); 5] = [
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
    (
        "relativistic",
        "coordinates = [\"q\"]\n[parameters]\nk = 1\n[hamiltonian]\nH = \"sqrt(1 + p_q^2) + k*q^2/2\"\n\
         [initial]\nposition = { q = \"7/10\" }\nmomentum = { q = \"9/10\" }\n",
    ),
    (
        "turning",
        "coordinates = [\"q\", \"r\"]\n[hamiltonian]\n\
         H = \"(p_q^2 + p_r^2)/2 + p_q^4/9 + (p_q*r - p_r*q)/2 + q^2/2 + r^2\"\n\
         [initial]\nposition = { q = \"2/5\", r = \"-3/10\" }\nmomentum = { q = \"3/5\", r = \"1/5\" }\n",
    ),
    (
        "driven",
        "coordinates = [\"q\"]\n[hamiltonian]\nH = \"p_q^4/4 + q^2/2 + q*sin(t)/5\"\n\
         [initial]\nposition = { q = \"7/10\" }\nmomentum = { q = \"9/10\" }\n",
    ),
];
/// Two of them have known velocities.
const TWO: [&str; 2] = ["nonseparable", "quartic"];

fn file(name: &str) -> PathBuf {
    let text = MODELS.iter().find(|(known, _)| *known == name).unwrap().1;
    // Tests run at the same time: each has a folder of its own.
    let test = std::thread::current().name().unwrap_or_default().replace("::", "-");
    let directory = std::env::temp_dir().join(format!("isotrope-{test}-{}", std::process::id()));
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
    for model in TWO {
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

const BALANCED: [&str; 6] =
    ["avf", "avf-4", "avf-6", "discrete-gradient", "itoh-abe", "itoh-abe-2"];

#[test]
fn every_study_takes_every_h() {
    for (model, _) in MODELS {
        for method in BALANCED {
            let run = answer("run", model, &["--method", method, "--step", "1/8", "--time", "10"]);
            assert_eq!(run["outcome"], "completed", "{method} on {model}: {run}");
            let error = run["errors"]["energy_max"].as_f64().unwrap();
            assert!(error < 1e-14 * 80.0, "{method} on {model}: {error:e}");
        }
        let methods = ["--methods", "gauss-2,avf,avf-4,discrete-gradient,itoh-abe-2"];
        let compared = answer(
            "compare",
            model,
            &[&methods[..], &["--steps", "1/10", "--time", "5", "--no-html"]].concat(),
        );
        let orders = answer("convergence", model, &[&methods[..], &["--time", "1"]].concat());
        let drift = answer(
            "drift",
            model,
            &[&methods[..], &["--step", "1/10", "--time", "50", "--section", "p_q = 0"]].concat(),
        );
        for row in compared["rows"].as_array().unwrap() {
            assert_eq!(row["outcome"], "completed", "compare of {model}: {row}");
        }
        for row in drift["rows"].as_array().unwrap() {
            assert_eq!(row["outcome"], "completed", "drift of {model}: {row}");
            assert!(!row["crossings"].as_array().unwrap().is_empty(), "drift of {model}: {row}");
        }
        for row in orders["rows"].as_array().unwrap() {
            assert_ne!(row["verdict"], "disagrees", "convergence of {model}: {row}");
        }
        let flow =
            isotrope("flow", model, &["--method", "gauss-2", "--step", "1/20", "--time", "2"]);
        assert_eq!(flow.status.code(), Some(0), "flow of {model}: {flow:?}");
    }
}

#[test]
fn sections_know_momenta_and_velocities() {
    let crossings = |section: &str| -> Vec<Value> {
        let arguments =
            ["--methods", "gauss-4", "--step", "1/10", "--time", "50", "--section", section];
        answer("drift", "quartic", &arguments)["rows"][0]["crossings"].as_array().unwrap().clone()
    };
    let found = crossings("p_q = 0");
    // H is kept: with p = 0 all of it is q²/2.
    let energy: f64 = 0.9_f64.powi(4) / 4.0 + 0.49 / 2.0;
    for crossing in &found {
        let [q, v, p] = ["q", "v", "p"].map(|part| crossing[part][0].as_f64().unwrap());
        assert!((q * q / 2.0 - energy).abs() < 1e-7, "{crossing}");
        assert!(p.abs() < 1e-12 && (v - p * p * p).abs() < 1e-15, "{crossing}");
    }
    assert!(found.len() > 10);
    // v = p³ vanishes where p does, and q' and p' are v and −q.
    assert_eq!(crossings("q' = 1/8").len(), crossings("p_q = 1/2").len());
    for (one, other) in crossings("q' = 1/8").iter().zip(crossings("p_q = 1/2")) {
        assert!((one["t"].as_f64().unwrap() - other["t"].as_f64().unwrap()).abs() < 1e-9);
    }
}

#[test]
fn rows_inside_of_steps_lie_on_the_motion() {
    for model in ["nonseparable", "quartic", "turning", "driven"] {
        let out = file(model).with_file_name(format!("dense-{model}.csv"));
        let rows = |step: &str, more: &[&str]| -> Vec<Vec<f64>> {
            let arguments = [
                "--method",
                "gauss-3",
                "--step",
                step,
                "--time",
                "2",
                "--out",
                out.to_str().unwrap(),
            ];
            let output = isotrope("run", model, &[&arguments[..], more].concat());
            assert_eq!(output.status.code(), Some(0), "{output:?}");
            let text = std::fs::read_to_string(&out).unwrap();
            let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
            lines.map(|line| line.split(',').map(|x| x.parse().unwrap()).collect()).collect()
        };
        let (dense, fine) = (rows("1/10", &["--dense", "4"]), rows("1/40", &[]));
        assert_eq!(dense.len(), fine.len(), "{model}");
        for (one, other) in dense.iter().zip(&fine) {
            for (x, y) in one.iter().zip(other) {
                assert!((x - y).abs() < 2e-7, "{model}: {one:?} {other:?}");
            }
        }
    }
}
