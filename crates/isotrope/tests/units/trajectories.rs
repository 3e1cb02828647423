//! Runs in other units.

use isotrope::RunRequest;
use isotrope::rooms::study::report::RunReport;

use super::change::{PROBLEMS, Problem, Units, changes};

fn run(problem: &Problem, units: &Units, method: &str) -> RunReport {
    let request = RunRequest {
        method: Some(method.to_owned()),
        step: Some(problem.step(units)),
        time: Some(problem.time(units, problem.steps)),
        ..RunRequest::default()
    };
    problem.system(units).run(&request).unwrap_or_else(|failure| unreachable!("{failure:?}"))
}

/// How far positions may be apart: rounding, amplified by the motion.
const CLOSE: f64 = 1e-9;

#[test]
fn a_trajectory_is_the_same_in_all_units() {
    for problem in &PROBLEMS {
        for method in problem.methods.split(',') {
            let natural = run(problem, &Units::NATURAL, method);
            assert!(natural.outcome.is_success(), "{} {method}: {natural:?}", problem.name);
            for units in changes(problem) {
                let other = run(problem, &units, method);
                let place = format!("{} {method} {units:?}", problem.name);
                assert_eq!(natural.outcome, other.outcome, "{place}: {other:?}");
                for ((name, a), (_, b)) in
                    natural.final_state.q.0.iter().zip(&other.final_state.q.0)
                {
                    let b = b / problem.size(&units, name);
                    assert!((a - b).abs() <= CLOSE, "{place}: {name} {a} {b}");
                }
                let [a, b] = [&natural, &other].map(|run| run.cost.newton_iterations);
                if let (Some(a), Some(b)) = (a, b) {
                    let most = 1 + a / 50;
                    assert!(a.abs_diff(b) <= most, "{place}: {a} and {b} iterations");
                }
                let [a, b] = [&natural, &other].map(|run| run.cost.accepted_steps);
                if let (Some(a), Some(b)) = (a, b) {
                    assert!(a.abs_diff(b) <= 1, "{place}: {a} and {b} steps");
                }
            }
        }
    }
}

#[test]
fn sizes_change_with_the_units() {
    for problem in &PROBLEMS {
        let method = problem.methods.split(',').next().unwrap_or_default();
        let natural = run(problem, &Units::NATURAL, method).scales.unwrap();
        for units in changes(problem) {
            let other = run(problem, &units, method).scales.unwrap();
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * a.abs();
            assert!(close(natural.time, other.time / units.time), "{natural:?} {other:?}");
            for ((name, a), (_, b)) in natural.q.0.iter().zip(&other.q.0) {
                assert!(close(*a, b / problem.size(&units, name)), "{natural:?} {other:?}");
            }
            if let (Some(a), Some(b)) = (natural.energy, other.energy) {
                assert!(close(a, b / units.energy), "{natural:?} {other:?}");
            }
        }
    }
}
