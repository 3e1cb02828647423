//! Magnetic 2-forms: what is proved of them, and what methods make of them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn isotrope(command: &str, model: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_isotrope"))
        .arg(command)
        .arg(model)
        .args(arguments)
        .env("NO_COLOR", "1")
        .output()
        .unwrap()
}

fn shipped(name: &str) -> PathBuf {
    crate::common::models().join(format!("{name}.toml"))
}

fn written(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("magnetic_{name}.toml"));
    std::fs::write(&path, text).unwrap();
    path
}

/// A free mass in the plane with a 2-form.
fn plane(name: &str, magnetic: &str) -> PathBuf {
    let text = format!(
        "coordinates = [\"x\", \"y\"]\n[lagrangian]\nL = \"(x'^2 + y'^2)/2\"\n[magnetic]\n{magnetic}\n\
         [initial]\nposition = {{ x = 1, y = 0 }}\nvelocity = {{ x = 0, y = 1 }}\n"
    );
    written(name, &text)
}

fn json(command: &str, model: &Path, arguments: &[&str]) -> Value {
    let output = isotrope(command, model, &[arguments, &["--json"]].concat());
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    serde_json::from_slice(&output.stdout).expect(&told)
}

fn run(model: &Path, method: &str, step: &str, time: &str) -> Value {
    json("run", model, &["--method", method, "--step", step, "--time", time])
}

fn last(report: &Value) -> [f64; 4] {
    let number = |group: &str, name: &str| report["final"][group][name].as_f64().unwrap();
    [number("q", "x"), number("q", "y"), number("p", "x"), number("p", "y")]
}

fn distance(a: [f64; 4], b: [f64; 4]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

#[test]
fn variational_methods_keep_the_magnetic_form_and_runge_kutta_does_not() {
    let check = |name: &str, method: &str, step: &str, time: &str| {
        let arguments =
            ["--method", method, "--step", step, "--time", time, "--check", "symplectic"];
        isotrope("flow", &shipped(name), &arguments).status.code()
    };
    for method in [
        "variational-euler",
        "variational-midpoint",
        "variational-trapezoid",
        "galerkin-2-gauss2",
        "rattle",
        "spark-lobatto-2",
    ] {
        assert_eq!(check("charged_particle", method, "1/10", "1"), Some(0), "{method}");
    }
    for method in ["rk4", "midpoint", "dirac-1"] {
        assert_eq!(check("charged_particle", method, "1/10", "1"), Some(1), "{method}");
    }
    // With a constraint, and a primitive that has a string.
    assert_eq!(check("monopole_sphere", "rattle", "1/50", "1"), Some(0));
    assert_eq!(check("monopole_sphere", "rk4", "1/10", "1"), Some(1));
}

#[test]
fn a_uniform_field_bends_the_motion_into_circles() {
    // B = -dx∧dy is a field 1 along z for the charge 1: v turns clockwise around (0, 0) + (2, 0).
    let model = plane("uniform", "\"x,y\" = -1");
    let (sin, cos) = 2.0_f64.sin_cos();
    let exact = [2.0 - cos, sin, sin, cos];
    for (method, order) in [("variational-midpoint", 2), ("galerkin-2-gauss2", 4), ("rk4", 4)] {
        let error = |step: &str| distance(last(&run(&model, method, step, "2")), exact);
        let (coarse, fine) = (error("1/10"), error("1/20"));
        let measured = (coarse / fine).log2();
        assert!((measured - f64::from(order)).abs() < 0.2, "{method}: {measured}");
    }
    // Speed is kept: the force does no work, by midpoint exactly.
    let report = run(&model, "variational-midpoint", "1/10", "100");
    assert!(report["errors"]["energy_max"].as_f64().unwrap() < 1e-12);
    assert!(report["errors"]["legendre_max"].as_f64().unwrap() < 1e-12);
}

#[test]
fn gauges_that_differ_by_a_quadratic_function_are_one_motion_of_the_midpoint_rule() {
    let form = "\"x,y\" = \"-1 - x\"\n";
    let gauge = |name: &str, x: &str, y: &str| {
        plane(name, &format!("{form}primitive = {{ x = \"{x}\", y = \"{y}\" }}"))
    };
    // θ = -(x + x²/2) dy, and with d(xy) and d(x²y) added to it.
    let plain = gauge("plain", "0", "-x - x^2/2");
    let quadratic = gauge("quadratic", "y", "-x^2/2");
    let cubic = gauge("cubic", "2*x*y", "-x + x^2/2");
    let end = |model: &Path, step: &str| last(&run(model, "variational-midpoint", step, "2"));
    assert!(distance(end(&plain, "1/10"), end(&quadratic, "1/10")) < 1e-12);
    let differs = |step: &str| distance(end(&plain, step), end(&cubic, step));
    let (coarse, fine) = (differs("1/10"), differs("1/20"));
    assert!(coarse > 1e-6 && ((coarse / fine).log2() - 2.0).abs() < 0.2, "{coarse} {fine}");
    // Two Gauss points integrate d(x²y) along polynomials of degree 1 exactly, and of degree 2 not.
    // Methods that take the force know of no gauge.
    assert!(
        distance(last(&run(&plain, "rk4", "1/10", "2")), last(&run(&cubic, "rk4", "1/10", "2")))
            == 0.0
    );
}

#[test]
fn the_angular_momentum_has_a_term_of_the_field_and_rays_keep_it() {
    let model = shipped("charged_particle");
    let conserved = json("derive", &model, &[])["conserved"].clone();
    let names: Vec<&str> =
        conserved.as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 2, "{conserved}");
    assert_eq!(names[0], "energy");
    let changes = |method: &str| {
        let report = run(&model, method, "1/10", "20");
        let all = report["errors"]["momentum_max"].as_object().unwrap().clone();
        all.values().map(|value| value.as_f64().unwrap()).fold(0.0, f64::max)
    };
    assert!(changes("variational-midpoint") < 1e-12);
    assert!(changes("rk4") > 1e-7);
}

#[test]
fn a_form_without_primitive_is_a_force_and_nothing_is_claimed() {
    let model = plane("none", "\"x,y\" = \"cos(x*y)\"");
    let derived = json("derive", &model, &[]);
    assert_eq!(derived["magnetic"]["primitive"], Value::Null);
    assert_eq!(derived["magnetic"]["force"]["x"], "-y'*cos(x*y)");
    assert_eq!(run(&model, "rk4", "1/10", "1")["outcome"], "completed");
    let arguments = [
        "--method",
        "variational-midpoint",
        "--step",
        "1/5",
        "--time",
        "1",
        "--check",
        "symplectic",
    ];
    assert_eq!(isotrope("flow", &model, &arguments).status.code(), Some(1));
}

#[test]
fn the_graph_of_the_magnetic_form_is_dirac() {
    let report = json("geometry", &shipped("charged_particle"), &[]);
    assert_eq!((&report["dirac"], &report["rank"]), (&Value::Bool(true), &Value::from(6)));
    assert_eq!(report["magnetic"]["closed"], "proved");
    let report = json("geometry", &shipped("monopole_sphere"), &[]);
    assert_eq!(report["dirac"], Value::Bool(true));
    assert!(!report["magnetic"]["excluded"].as_array().unwrap().is_empty());
}
