//! Every kind of model, and every study of it.

use isotrope::rooms::study::report::RunReport;
use isotrope::{
    Answer as _, CompareRequest, ConvergenceRequest, DriftRequest, FlowRequest, RunRequest, System,
};
use serde_json::Value;

use super::kinds::{Case, Random, written};
use super::rescaled::{Units, close};

fn is_long() -> bool {
    std::env::var_os("ISOTROPE_LONG").is_some()
}

fn units(case: &Case, seed: u64) -> Units {
    Units::random(case.names.len(), seed)
}

fn run(system: &mut System, case: &Case, units: &Units, method: &str) -> RunReport {
    let request = RunRequest {
        method: Some(method.to_owned()),
        step: Some(case.steps(units, 1)),
        time: Some(case.steps(units, 40)),
        ..RunRequest::default()
    };
    system.run(&request).unwrap_or_else(|failure| unreachable!("{failure:?}"))
}

/// The same end, the same iterations, the same verdict; or what differs, in words.
fn differences(case: &Case, seed: u64) -> Vec<String> {
    let (own, units) = (Units::own(case.names.len()), units(case, seed));
    let [mut natural, mut changed] = [&own, &units].map(|units| case.system(units));
    let mut found = Vec::new();
    for method in case.methods.split(',') {
        let a = run(&mut natural, case, &own, method);
        let b = run(&mut changed, case, &units, method);
        let mut differs =
            |what: String| found.push(format!("{} {method} {seed}: {what}", case.name));
        if !a.outcome.is_success() || a.outcome != b.outcome {
            differs(format!("{:?} {:?}, {:?} {:?}", a.outcome, a.failure, b.outcome, b.failure));
            continue;
        }
        for (i, ((name, a), (_, b))) in a.final_state.q.0.iter().zip(&b.final_state.q.0).enumerate()
        {
            // In state space the velocities of equations of second order follow the positions.
            let unit = match units.coordinates.get(i) {
                Some(unit) => *unit,
                None => units.coordinates[i - units.coordinates.len()] / units.time,
            };
            if !close(*a, b / unit, 1e-9) {
                differs(format!("{name} {a} {}", b / unit));
            }
        }
        if let (Some(a), Some(b)) = (a.cost.newton_iterations, b.cost.newton_iterations)
            && a.abs_diff(b) > 1 + a / 50
        {
            differs(format!("{a} and {b} iterations"));
        }
        if let (Some(a), Some(b)) = (a.cost.accepted_steps, b.cost.accepted_steps)
            && a.abs_diff(b) > 1
        {
            differs(format!("{a} and {b} steps"));
        }
    }
    if !found.is_empty() {
        found.push(case.text(&units));
    }
    found
}

#[test]
fn every_kind_of_model_moves_alike_in_all_units() {
    let mut found = Vec::new();
    for case in written() {
        for seed in 0..if is_long() { 20 } else { 1 } {
            found.extend(differences(&case, seed));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn random_models_move_alike_in_all_units() {
    let mut found = Vec::new();
    for seed in 1..=if is_long() { 200 } else { 8 } {
        found.extend(differences(&Random(seed).case(), seed));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// One of the keys of all rows.
fn rows(answer: &Value) -> Vec<Value> {
    answer["rows"].as_array().cloned().unwrap_or_default()
}

fn few(case: &Case) -> String {
    let few = case.methods.split(',').filter(|name| *name != "dop853").take(3);
    few.collect::<Vec<_>>().join(",")
}

#[test]
fn studies_say_the_same_of_every_kind_in_all_units() {
    let seeds = if is_long() { 8 } else { 1 };
    let every = if is_long() { 1 } else { 2 };
    for case in written().into_iter().step_by(every) {
        let own = Units::own(case.names.len());
        let mut natural = case.system(&own);
        for seed in 1..=seeds {
            let units = units(&case, seed);
            let mut changed = case.system(&units);
            let place = format!("{} {seed}\n{}", case.name, case.text(&units));
            let compare = |system: &mut System, units: &Units| {
                let request = CompareRequest {
                    methods: Some(few(&case)),
                    steps: vec![case.steps(units, 1)],
                    time: Some(case.steps(units, 32)),
                    ..CompareRequest::default()
                };
                system.compare(&request).unwrap().json()
            };
            let (a, b) = (compare(&mut natural, &own), compare(&mut changed, &units));
            assert_eq!(rows(&a).len(), rows(&b).len(), "{place}");
            for (a, b) in rows(&a).iter().zip(rows(&b)) {
                for key in ["method", "outcome"] {
                    assert_eq!(a[key], b[key], "{place}\n{a:#}\n{b:#}");
                }
                let [x, y] = [a, &b].map(|row| row["reference_relative_max"].as_f64());
                assert_eq!(x.is_some(), y.is_some(), "{place}\n{a:#}\n{b:#}");
                if let (Some(x), Some(y)) = (x, y) {
                    assert!(close(x, y, 1e-11 + 1e-4 * x), "{place}: {x} {y}");
                }
            }
            let drift = |system: &mut System, units: &Units| {
                let request = DriftRequest {
                    methods: Some(few(&case)),
                    steps: vec![case.steps(units, 1)],
                    time: Some(case.steps(units, 1024)),
                    section: None,
                };
                system.drift(&request).map(|mut answer| answer.json())
            };
            match (drift(&mut natural, &own), drift(&mut changed, &units)) {
                (Ok(a), Ok(b)) => {
                    for (a, b) in rows(&a).iter().zip(rows(&b)) {
                        for key in ["outcome", "drifts", "rounding", "wanders"] {
                            assert_eq!(a[key], b[key], "{place} {key}\n{a}\n{b}");
                        }
                    }
                }
                (a, b) => assert_eq!(a.is_err(), b.is_err(), "{place}"),
            }
            let convergence = |system: &mut System, units: &Units| {
                let request = ConvergenceRequest {
                    methods: Some(few(&case)),
                    step: Some(case.steps(units, 8)),
                    time: Some(case.steps(units, 32)),
                    levels: 6,
                };
                system.convergence(&request).unwrap().json()
            };
            let (a, b) = (convergence(&mut natural, &own), convergence(&mut changed, &units));
            for (a, b) in rows(&a).iter().zip(rows(&b)) {
                assert_eq!(a["verdict"], b["verdict"], "{place}\n{a}\n{b}");
                let [x, y] = [a, &b].map(|row| row["global"]["solution"].as_f64());
                assert_eq!(x.is_some(), y.is_some(), "{place}\n{a}\n{b}");
                let near = x.zip(y).is_none_or(|(x, y)| (x - y).abs() < 0.05);
                assert!(near, "{place}\n{a}\n{b}");
            }
            let flow = |system: &mut System, units: &Units| {
                let request = FlowRequest {
                    method: few(&case).split(',').next().map(str::to_owned),
                    step: Some(case.steps(units, 1)),
                    time: Some(case.steps(units, 32)),
                    ..FlowRequest::default()
                };
                system.flow(&request).map(|answer| answer.report)
            };
            match (flow(&mut natural, &own), flow(&mut changed, &units)) {
                (Ok(a), Ok(b)) => {
                    assert_eq!(a.outcome, b.outcome, "{place}");
                    assert_eq!(a.symplectic.verdict, b.symplectic.verdict, "{place}");
                    let determinants =
                        [&a, &b].map(|it| it.monodromy.as_ref().and_then(|m| m.determinant));
                    if let [Some(x), Some(y)] = determinants {
                        assert!(close(x, y, 1e-8 * x.abs()), "{place}: {x} {y}");
                    }
                }
                (a, b) => assert_eq!(a.is_err(), b.is_err(), "{place}"),
            }
        }
    }
}

/// A narrow hill of energy: quadrature of its gradient does not close the balance by itself, and in small units fourth
/// powers of energies are no numbers.
#[test]
fn a_balance_of_power_holds_in_every_unit() {
    let case = Case {
        name: "hill".to_owned(),
        names: vec!["x", "y"],
        body: super::kinds::Body::Port {
            h: "@x^2/2 + @y^2/2 + 1/(10*(1 + 400*@x^2))".to_owned(),
            j: vec![(0, 1, "1".to_owned())],
            r: vec![(1, 1, "1/50".to_owned())],
            input: Some((1, "sin(@t)".to_owned())),
        },
        initial: vec![(0.5, 0.0), (1.0, 0.0)],
        methods: "avf,discrete-gradient",
    };
    for energy in [1.0, 1e-12, 1e-30, 1e-50, 1e30, 1e60] {
        let units = Units { energy, ..Units::own(2) };
        let mut system = case.system(&units);
        for method in case.methods.split(',') {
            let request = RunRequest {
                method: Some(method.to_owned()),
                step: Some("1/10".to_owned()),
                time: Some("4".to_owned()),
                ..RunRequest::default()
            };
            let run = system.run(&request).unwrap();
            assert!(run.outcome.is_success(), "{method} {energy}: {:?}", run.failure);
            let defect = run.errors.power_balance_max.unwrap() / energy;
            assert!(defect <= 1e-13, "{method} {energy}: {defect}");
        }
    }
}

/// Without a step and a time `convergence` takes them from the motion, also where it begins at rest at zero and is
/// pushed by what is zero there: the same steps of the motion in every unit, so that slopes and verdicts are the same.
#[test]
fn steps_that_convergence_chooses_are_the_same_in_all_units() {
    use super::kinds::Body;
    let case = |name: &str, body: Body, start: [f64; 4], methods| Case {
        name: name.to_owned(),
        names: vec!["x", "y"],
        body,
        initial: vec![(start[0], start[1]), (start[2], start[3])],
        methods,
    };
    let cases = [
        case(
            "pushed from rest at zero",
            Body::Port {
                h: "@x^2/2 + @y^2/2 + @x^4/4".to_owned(),
                j: vec![(0, 1, "1".to_owned())],
                r: vec![(1, 1, "1/10".to_owned())],
                input: Some((1, "sin(13/10*@t)/2".to_owned())),
            },
            [0.0; 4],
            "midpoint,gauss-2,rk4",
        ),
        case(
            "relativistic, at rest, the second at zero",
            Body::Hamiltonian(
                "sqrt(1 + @p_x^2) + @p_y^2/2 + @x^2/2 + 2*@y^2 + @x*@y^2/5".to_owned(),
            ),
            [1.0, 0.0, 0.0, 0.0],
            "verlet,midpoint,rk4",
        ),
        case(
            "of fourth degree in the momenta",
            Body::Hamiltonian("@p_x^4/4 + @x^2/2 + @p_y^2/2 + @y^2".to_owned()),
            [1.0, 0.0, 0.5, 0.0],
            "gauss-2,rk4,verlet",
        ),
    ];
    for case in cases {
        let methods = Some(case.methods.to_owned());
        let request = ConvergenceRequest { methods, ..ConvergenceRequest::default() };
        let own = case.system(&Units::own(2)).convergence(&request).unwrap().json();
        for row in rows(&own) {
            assert_eq!(row["verdict"], "agrees", "{} {row}", case.name);
        }
        for seed in 1..=if is_long() { 20 } else { 3 } {
            let units = units(&case, seed);
            let other = case.system(&units).convergence(&request).unwrap().json();
            for (a, b) in rows(&own).iter().zip(rows(&other)) {
                assert_eq!(a["verdict"], b["verdict"], "{} {units:?}\n{a}\n{b}", case.name);
                let [x, y] = [a, &b].map(|row| row["global"]["solution"].as_f64().unwrap());
                assert!((x - y).abs() < 0.05, "{} {units:?}\n{a}\n{b}", case.name);
            }
        }
    }
}

/// A momentum that begins at zero and is pushed by the third power of a position at zero: its size is that of the
/// motion, not of the first moments.
#[test]
fn what_is_hardly_pushed_at_first_moves_alike_in_all_units() {
    let case = Case {
        name: "hardly pushed".to_owned(),
        names: vec!["x", "y"],
        body: super::kinds::Body::Hamiltonian(
            "@p_x^2/2 + @p_y^2/4 + @x^2/2 + 2*@x*@p_y/5 + 7*@y^4/10".to_owned(),
        ),
        initial: vec![(0.7, 0.0), (0.0, 0.0)],
        methods: "discrete-gradient,avf,itoh-abe-2,gauss-2",
    };
    for method in case.methods.split(',') {
        let request = RunRequest {
            method: Some(method.to_owned()),
            step: Some("1/20".to_owned()),
            time: Some("5".to_owned()),
            ..RunRequest::default()
        };
        let run = case.system(&Units::own(2)).run(&request).unwrap();
        assert!(run.outcome.is_success(), "{method}: {:?}", run.failure);
    }
    // x' = p³ and p' = -x: rates and second derivatives of x vanish at rest.
    let quartic = Case {
        name: "fourth degree".to_owned(),
        names: vec!["x"],
        body: super::kinds::Body::Hamiltonian("@p_x^4/4 + @x^2/2".to_owned()),
        initial: vec![(1.0, 0.0)],
        methods: "discrete-gradient,avf,itoh-abe-2,gauss-2,midpoint",
    };
    for seed in 1..=if is_long() { 20 } else { 2 } {
        for case in [&case, &quartic] {
            let found = differences(case, seed);
            assert!(found.is_empty(), "{}", found.join("\n"));
        }
    }
}
