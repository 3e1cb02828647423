//! Constraints in units of their own: φ = 0 and 10⁹ φ = 0 are the same.

use std::path::Path;

use isotrope::rooms::study::report::RunReport;
use isotrope::{Answer as _, CheckRequest, Host, Model, Overrides, RunRequest, System};
use serde_json::Value;

/// Shipped models with constraints, and methods for them.
const MODELS: [(&str, &str); 10] = [
    (
        "pendulum",
        "rattle,dirac-1,dirac-2,rkd-midpoint,gauss-2,shake,project:rk4,symproject:gauss-2,avf",
    ),
    ("ziegler", "rattle,dirac-2,rkd-lobatto,spark-lobatto-3,project:rk4,discrete-gradient"),
    ("parallelogram", "rk4,gauss-2,dirac-1"),
    ("chain", "rattle,dirac-1"),
    ("three_particles", "rattle,rkd-midpoint,dla-midpoint"),
    ("rolling_disc", "dla-midpoint,dirac-1,rkd-midpoint,gauss-2,project:rk4"),
    ("rolling_ball", "lie-midpoint,rkmk-gauss-2,rkmk-rk4"),
    ("nonholonomic_oscillator", "dla-midpoint,dirac-2,rkd-midpoint,gauss-4"),
    ("sphere_drift", "rattle,dirac-1,rk4"),
    ("suslov", "lie-midpoint,rkmk-gauss-2,rkmk-rk4"),
];

/// Two constraints of different kinds: a rod in squared lengths beside an angle, both sides known to `off`.
const MIXED: &str = "coordinates = [\"x\", \"y\", \"theta\"]\n[parameters]\nl = 1\n[lagrangian]\n\
    L = \"(x'^2 + y'^2 + theta'^2/4)/2 - y\"\n[constraints]\nrod = \"x^2 + y^2 = l^2\"\n\
    turn = \"theta = atan2(x, -y)\"\n[initial]\nposition = { x = 0.6, y = -0.8, theta = \"atan2(3, 4)\" }\n\
    velocity = { x = 0.4, y = 0.3, theta = 0.5 }\n";

/// Factors from 1e-9 to 1e9 that look random and are the same on every machine.
struct Factors(u64);

impl Factors {
    fn next(&mut self) -> String {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let power = i64::try_from((self.0 >> 33) % 19).unwrap() - 9;
        format!("{}e{power}", ["1", "2.5", "0.3048"][usize::try_from((self.0 >> 50) % 3).unwrap()])
    }
}

/// The text of a model with both sides of each constraint multiplied by a factor of its own.
fn multiplied(text: &str, factors: &mut Factors) -> String {
    let mut inside = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        let begins = line.trim_start();
        if begins.starts_with('[') {
            inside = begins.starts_with("[constraints]");
        }
        let equation = (inside || begins.starts_with("constraints."))
            .then(|| line.rsplit_once(" = \"").is_some());
        let parts = line.split_once("\" = \"").map(|(key, rest)| (format!("{key}\""), rest));
        let parts =
            parts.or_else(|| line.split_once(" = \"").map(|(key, rest)| (key.to_owned(), rest)));
        match (equation, parts) {
            (Some(true), Some((key, rest))) if !begins.starts_with('#') => {
                let body = rest.split('"').next().unwrap();
                let (left, right) = body.split_once(" = ").unwrap();
                let factor = factors.next();
                lines.push(format!("{key} = \"{factor}*({left}) = {factor}*({right})\""));
            }
            _ => lines.push(line.to_owned()),
        }
    }
    lines.join("\n")
}

fn text(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    std::fs::read_to_string(folder.join(format!("{name}.toml"))).unwrap()
}

fn system(text: &str) -> System {
    let model = Model::parse("model.toml", text.as_bytes(), &Overrides::default());
    let model = model.unwrap_or_else(|failure| unreachable!("{failure:?}\n{text}"));
    model.derive(&Host::new()).unwrap_or_else(|failure| unreachable!("{failure:?}\n{text}"))
}

fn seeds() -> u64 {
    if std::env::var_os("ISOTROPE_LONG").is_some() { 20 } else { 1 }
}

fn run(system: &mut System, method: &str) -> RunReport {
    let request = RunRequest {
        method: Some(method.to_owned()),
        step: Some("1/50".to_owned()),
        time: Some("2".to_owned()),
        ..RunRequest::default()
    };
    system.run(&request).unwrap_or_else(|failure| unreachable!("{failure:?}"))
}

/// What differs between two runs, in words.
fn difference(own: &RunReport, other: &RunReport) -> Option<String> {
    if own.outcome != other.outcome {
        return Some(format!("{:?} and {:?}: {:?}", own.outcome, other.outcome, other.failure));
    }
    for ((name, a), (_, b)) in own.final_state.q.0.iter().zip(&other.final_state.q.0) {
        if (a - b).abs() > 1e-9 * (1.0 + a.abs()) {
            return Some(format!("{name} {a} and {b}"));
        }
    }
    let (a, b) = (own.cost.newton_iterations?, other.cost.newton_iterations?);
    (a.abs_diff(b) > 1 + a / 50).then(|| format!("{a} and {b} iterations"))
}

#[test]
fn a_trajectory_does_not_depend_on_factors_of_constraints() {
    let shipped = MODELS.iter().map(|&(name, methods)| (name, text(name), methods));
    let mixed = ("mixed", MIXED.to_owned(), "rattle,dirac-2,gauss-2,project:rk4,shake");
    let mut found = Vec::new();
    for (name, text, methods) in shipped.chain([mixed]) {
        let mut own = system(&text);
        for seed in 1..=seeds() {
            let changed = multiplied(&text, &mut Factors(seed));
            assert_ne!(changed, text, "{name}");
            let mut other = system(&changed);
            for method in methods.split(',') {
                let first = run(&mut own, method);
                assert!(first.outcome.is_success(), "{name} {method}: {:?}", first.failure);
                let differs = difference(&first, &run(&mut other, method));
                found.extend(differs.map(|what| format!("{name} {method} {seed}: {what}")));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

fn check(text: &str, project: bool) -> Value {
    let request = CheckRequest { project, ..CheckRequest::default() };
    system(text).check(&request).unwrap().json()
}

#[test]
fn data_are_checked_and_projected_alike_with_all_factors_of_constraints() {
    let hardly_off = MIXED.replace("x = 0.6,", "x = 0.600000001,");
    let off = MIXED.replace("x = 0.6,", "x = 0.61,").replace("theta = 0.5", "theta = 0.4");
    let turned = MIXED.replace("atan2(3, 4)", "0.6435011");
    let shipped = MODELS.iter().map(|(name, _)| text(name));
    let all = shipped.chain([MIXED.to_owned(), hardly_off.clone(), off.clone(), turned.clone()]);
    for text in all {
        let own = check(&text, true);
        let wrong = [&hardly_off, &off, &turned].contains(&&text);
        assert_eq!(own["consistent"], !wrong, "{own:#}");
        for seed in 1..=seeds() {
            let changed = multiplied(&text, &mut Factors(seed));
            let other = check(&changed, true);
            for key in ["good", "consistent", "regular", "rank"] {
                assert_eq!(own[key], other[key], "{key}\n{changed}\n{own:#}\n{other:#}");
            }
            let consistent = |answer: &Value| -> Vec<Value> {
                let list = answer["constraints"].as_array().cloned().unwrap_or_default();
                list.iter().map(|c| c["consistent"].clone()).collect()
            };
            assert_eq!(consistent(&own), consistent(&other), "{changed}");
            for what in ["position", "velocity"] {
                let texts = |answer: &Value| -> Vec<String> {
                    let all = answer["projected"][what].as_object().cloned().unwrap_or_default();
                    all.values().map(|x| x.as_str().unwrap_or_default().to_owned()).collect()
                };
                // Fractions; what was good is shown as it was given.
                let number = |text: &str| -> Option<f64> {
                    let mut parts = text.split('/').map(|part| part.parse::<f64>().ok());
                    Some(parts.next()?? / parts.next().unwrap_or(Some(1.0))?)
                };
                for (a, b) in texts(&own).into_iter().zip(texts(&other)) {
                    let near = number(&a).zip(number(&b)).map(|(a, b)| (a - b).abs() <= 1e-13);
                    assert!(near.unwrap_or(a == b), "{changed}\n{own:#}\n{other:#}");
                }
            }
        }
    }
}
