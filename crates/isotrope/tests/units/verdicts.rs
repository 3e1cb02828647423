//! Verdicts in other units.

use isotrope::{Answer as _, ConvergenceRequest, DriftRequest};
use serde_json::Value;

use super::change::{PROBLEMS, Problem, Units, changes};

/// Problems in coordinates with an energy.
fn problems() -> impl Iterator<Item = &'static Problem> {
    PROBLEMS.iter().filter(|problem| ["oscillators", "ellipse", "momenta"].contains(&problem.name))
}

fn methods(problem: &Problem) -> String {
    let few = problem.methods.split(',').filter(|name| *name != "dop853").take(4);
    few.collect::<Vec<_>>().join(",")
}

fn rows(answer: Value) -> Vec<Value> {
    answer["rows"].as_array().cloned().unwrap_or_default()
}

#[test]
fn drift_says_the_same_in_all_units() {
    for problem in problems() {
        let ask = |units: &Units| {
            let request = DriftRequest {
                methods: Some(methods(problem)),
                steps: vec![problem.step(units)],
                time: Some(problem.time(units, 4000)),
                section: None,
            };
            let answer = problem.system(units).drift(&request);
            rows(answer.unwrap_or_else(|failure| unreachable!("{failure:?}")).json())
        };
        let natural = ask(&Units::NATURAL);
        for units in changes(problem) {
            for (a, b) in natural.iter().zip(ask(&units)) {
                for key in ["outcome", "drifts", "rounding", "wanders"] {
                    assert_eq!(a[key], b[key], "{} {units:?} {key}: {a} {b}", problem.name);
                }
            }
        }
    }
}

#[test]
fn convergence_says_the_same_in_all_units() {
    for problem in problems() {
        let ask = |units: &Units| {
            let request = ConvergenceRequest {
                methods: Some(methods(problem)),
                step: Some(format!("4*({})", problem.step(units))),
                time: Some(problem.time(units, 40)),
                levels: 7,
            };
            let answer = problem.system(units).convergence(&request);
            rows(answer.unwrap_or_else(|failure| unreachable!("{failure:?}")).json())
        };
        let natural = ask(&Units::NATURAL);
        for units in changes(problem).iter().take(2) {
            for (a, b) in natural.iter().zip(ask(units)) {
                let place = format!("{} {units:?}: {a} {b}", problem.name);
                assert_eq!(a["verdict"], b["verdict"], "{place}");
                for key in ["solution", "energy"] {
                    let [x, y] = [&a, &&b].map(|row| row["global"][key].as_f64());
                    match (x, y) {
                        (Some(x), Some(y)) => assert!((x - y).abs() < 0.05, "{place}"),
                        _ => assert_eq!(x.is_some(), y.is_some(), "{place}"),
                    }
                }
            }
        }
    }
}
