//! Initial data on constraints.

use isotrope::{Answer, CheckRequest};
use serde_json::Value;

use crate::rescaled::{CARTESIAN, Mechanics, PENDULUM, Units, close};

fn answer(problem: &Mechanics, units: &Units, project: bool) -> Value {
    let request = CheckRequest { project, ..CheckRequest::default() };
    problem.system(units).check(&request).unwrap().json()
}

fn agree(problem: &Mechanics, seed: u64) {
    let count = problem.coordinates.len();
    let units = Units::random(count, seed);
    let (own, other) = (answer(problem, &Units::own(count), true), answer(problem, &units, true));
    for key in ["good", "consistent", "regular", "rank"] {
        assert_eq!(own[key], other[key], "{key} {units:?}\n{own:#}\n{other:#}");
    }
    let consistent = |answer: &Value| -> Vec<bool> {
        let list = answer["constraints"].as_array().unwrap();
        list.iter().map(|c| c["consistent"].as_bool().unwrap()).collect()
    };
    assert_eq!(consistent(&own), consistent(&other), "{units:?}\n{own:#}\n{other:#}");
    for (i, name) in problem.coordinates.iter().enumerate() {
        let number = |answer: &Value, what: &str| -> f64 {
            let text = answer["projected"][what][*name].as_str().unwrap();
            let mut parts = text.split('/').map(|part| part.parse::<f64>().unwrap());
            parts.next().unwrap() / parts.next().unwrap_or(1.0)
        };
        let unit = units.coordinates[i];
        let (a, b) = (number(&own, "position"), number(&other, "position") / unit);
        assert!(close(a, b, 1e-15), "{name}: {a} {b} {units:?}");
        let (a, b) = (number(&own, "velocity"), number(&other, "velocity") * units.time / unit);
        assert!(close(a, b, 1e-15), "{name}': {a} {b} {units:?}");
    }
}

#[test]
fn data_off_the_constraints_are_told_and_projected_alike_in_all_units() {
    let off = Mechanics { initial: &[(0.61, 0.0), (0.0, 0.5), (-0.8, 0.1)], ..PENDULUM };
    // Off by a part of 1e-9: much more than rounding, in every unit.
    let hardly =
        Mechanics { initial: &[(0.6, 0.0), (0.0, 0.5), (-0.800_000_001, 0.0)], ..PENDULUM };
    let moving =
        Mechanics { initial: &[(0.1, 0.3), (0.99, 0.1), (0.15, -0.2), (1.98, 0.2)], ..CARTESIAN };
    for seed in 0..6 {
        for problem in [&off, &hardly, &moving] {
            assert_eq!(
                answer(problem, &Units::own(problem.coordinates.len()), false)["good"],
                false
            );
            agree(problem, seed);
        }
    }
}

#[test]
fn data_on_the_constraints_to_all_digits_are_consistent_in_all_units() {
    // 0.3048 and powers of ten: decimals that are not quite on the sphere once they are multiplied and rounded.
    for seed in 0..12 {
        let units = Units::random(3, seed);
        let answer = answer(&PENDULUM, &units, false);
        assert_eq!(answer["good"], true, "{units:?}\n{answer:#}");
    }
}
