//! Every method of the lists, on models from rest and with constraints of all kinds.

use isotrope::rooms::study::report::{Outcome, RunReport};
use isotrope::{Methods, RunRequest, System};

use super::kinds::{Body, Case};
use super::rescaled::{Units, close};

fn run(system: &mut System, case: &Case, units: &Units, method: &str) -> RunReport {
    let request = RunRequest {
        method: Some(method.to_owned()),
        step: Some(case.steps(units, 1)),
        time: Some(case.steps(units, 24)),
        ..RunRequest::default()
    };
    system.run(&request).unwrap_or_else(|failure| unreachable!("{method}: {failure:?}"))
}

/// What differs between two runs, in words.
fn difference(a: &RunReport, b: &RunReport, units: &Units) -> Option<String> {
    if a.outcome != b.outcome {
        return Some(format!("{:?} {:?}, {:?} {:?}", a.outcome, a.failure, b.outcome, b.failure));
    }
    if a.outcome != Outcome::Completed {
        return None;
    }
    let ends = a.final_state.q.0.iter().zip(&b.final_state.q.0).zip(&units.coordinates);
    for (((name, a), (_, b)), unit) in ends {
        if !close(*a, b / unit, 1e-9) {
            return Some(format!("{name} {a} {}", b / unit));
        }
    }
    let (a, b) = (a.cost.newton_iterations?, b.cost.newton_iterations?);
    // Half an iteration a step: rounding may decide the last one.
    (a.abs_diff(b) > 12 + a / 50).then(|| format!("{a} and {b} iterations"))
}

fn cases() -> Vec<Case> {
    let lagrangian = |l: &str, constraints: &[&str]| Body::Lagrangian {
        l: l.to_owned(),
        constraints: constraints.iter().map(|&c| c.to_owned()).collect(),
        forces: Vec::new(),
    };
    let case = |name: &str, names: &[&'static str], body, initial: &[(f64, f64)], methods| Case {
        name: name.to_owned(),
        names: names.to_vec(),
        body,
        initial: initial.to_vec(),
        methods,
    };
    vec![
        case(
            "two pendulums in a row, at rest",
            &["x", "y", "z", "w"],
            lagrangian(
                "(@x'^2 + @y'^2)/2 + (@z'^2 + @w'^2)/3 - @y - 2*@w/3",
                &["@x^2 + @y^2 - 1", "(@z - @x)^2 + (@w - @y)^2 - 1"],
            ),
            &[(0.6, 0.0), (-0.8, 0.0), (1.4, 0.0), (-1.4, 0.0)],
            "all",
        ),
        case(
            "a sleigh on an incline, at rest",
            &["x", "y", "a"],
            lagrangian(
                "(@x'^2 + @y'^2)/2 + @a'^2/3 + 3*@a'*(@y'*cos(@a) - @x'*sin(@a))/10 - @x/2 - @y/5",
                &["sin(@a)*@x' - cos(@a)*@y'"],
            ),
            &[(0.3, 0.0), (0.0, 0.0), (0.4, 0.0)],
            "all",
        ),
        case(
            "a sphere that grows",
            &["x", "y", "z"],
            lagrangian(
                "(@x'^2 + @y'^2 + @z'^2)/2 - @z",
                &["@x^2 + @y^2 + @z^2 - (1 + sin(@t)^2/5)"],
            ),
            &[(0.6, 0.0), (0.0, 0.7), (-0.8, 0.0)],
            "all",
        ),
        case(
            "a varying mass, at rest",
            &["r", "a"],
            lagrangian("(@r'^2 + @r^2*@a'^2)/2 + @r*cos(@a) - 5*(@r - 1)^2/2", &[]),
            &[(1.1, 0.0), (0.5, 0.0)],
            "all",
        ),
        case(
            "relativistic",
            &["x", "y"],
            Body::Hamiltonian("sqrt(1 + @p_x^2 + @p_y^2/2) + @x^2/2 + @y^4/4 + @x*@y/5".to_owned()),
            &[(0.9, 0.0), (0.2, 0.3)],
            "all,state",
        ),
        case(
            "brackets",
            &["x", "y", "z"],
            Body::Poisson {
                h: "@x^2/2 + @y^2/4 + @z^2/6".to_owned(),
                bracket: vec![
                    (0, 1, "-@z".to_owned()),
                    (0, 2, "@y".to_owned()),
                    (1, 2, "-@x".to_owned()),
                ],
            },
            &[(0.3, 0.0), (1.1, 0.0), (0.1, 0.0)],
            "all,state",
        ),
    ]
}

#[test]
fn every_method_makes_the_same_steps_in_all_units() {
    let seeds = if std::env::var_os("ISOTROPE_LONG").is_some() { 12 } else { 1 };
    let mut found = Vec::new();
    for case in cases() {
        let own = Units::own(case.names.len());
        let mut natural = case.system(&own);
        let mut names = Methods::names(case.methods);
        names.extend(
            [
                "nullspace:galerkin-2-lobatto2",
                "baumgarte:heun",
                "lie-poisson-2",
                "galerkin-2-lobatto2",
            ]
            .map(str::to_owned),
        );
        let reference: Vec<RunReport> =
            names.iter().map(|method| run(&mut natural, &case, &own, method)).collect();
        let completed = reference.iter().filter(|run| run.outcome == Outcome::Completed).count();
        assert!(completed >= 20, "{}: {completed}", case.name);
        for seed in 1..=seeds {
            let units = Units::random(case.names.len(), seed);
            let mut changed = case.system(&units);
            for (method, reference) in names.iter().zip(&reference) {
                let other = run(&mut changed, &case, &units, method);
                let differs = difference(reference, &other, &units);
                found.extend(differs.map(|what| format!("{} {method} {seed}: {what}", case.name)));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// A coefficient times the step may lie half-way between two doubles, however many digits of it are known: 5²³ has 54
/// bits, and a third of three times as much has no fewer.
#[test]
fn steps_whose_coefficients_are_half_way_between_two_doubles_are_made() {
    let case = &cases()[3];
    let mut system = case.system(&Units::own(2));
    for method in ["rk4", "heun3", "ralston3", "dormand-prince"] {
        for factor in [3, 9, 45, 81] {
            let step = format!("{factor}*5^23/2^60");
            let request = RunRequest {
                method: Some(method.to_owned()),
                time: Some(format!("2*({step})")),
                step: Some(step),
                ..RunRequest::default()
            };
            let made = system.run(&request);
            made.unwrap_or_else(|failure| unreachable!("{method} {factor}: {failure:?}"));
        }
    }
}
