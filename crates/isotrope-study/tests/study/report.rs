//! What a run says, to programs and to people.

use isotrope_study::report::{
    Cost, Errors, Failure, FinalState, InitialResiduals, Outcome, Quantities, RunReport,
};

fn pendulum() -> RunReport {
    RunReport {
        model: "Planar pendulum".into(),
        method: "gauss-4".into(),
        step: 0.01,
        time: 10.0,
        steps: 1000,
        outcome: Outcome::Completed,
        failure: None,
        final_state: FinalState {
            t: 10.0,
            q: Quantities::from_iter([("x", 0.1 + 0.2), ("y", -0.953_939_201_416_945_6)]),
            v: Some(Quantities::from_iter([("x", -4.0), ("y", 1e-7 / 3.0)])),
            p: Some(Quantities::from_iter([("x", -4.0), ("y", 1e-7 / 3.0)])),
            lambda: Some(Quantities::from_iter([("rod", -12.75)])),
            rotation: None,
            omega: None,
            energy: None,
            y: None,
        },
        errors: Errors {
            energy_max: Some(1.243_449_787_580_175_3e-14),
            energy_final: Some(3.552_713_678_800_501e-15),
            constraint_position_max: Some(2.220_446_049_250_313e-16),
            constraint_velocity_max: Some(0.0),
            orthogonality_max: None,
            power_balance_max: None,
            legendre_max: Some(0.0),
            momentum_max: Quantities::default(),
            structure_max: None,
        },
        errors_shifted: None,
        consistent: Some(true),
        initial_residuals: Some(InitialResiduals { position: Some(0.0), velocity: Some(0.0) }),
        singular: None,
        steps_done: 1000,
        scales: None,
        durations: None,
        ports: None,
        cost: Cost {
            newton_iterations: Some(4123),
            residual_evaluations: Some(4123),
            accepted_steps: None,
            rejected_steps: None,
            compile_seconds: Some(0.000_84),
            run_seconds: Some(0.000_121),
            ns_per_step: Some(121.0),
        },
    }
}

fn chain(links: usize) -> RunReport {
    let named = |scale: f64| -> Quantities {
        (1..=links)
            .flat_map(|k| [(format!("x[{k}]"), k as f64 * scale), (format!("y[{k}]"), -scale)])
            .collect()
    };
    RunReport {
        model: "Chain".into(),
        method: "rattle".into(),
        final_state: FinalState {
            t: 10.0,
            q: named(0.7),
            v: Some(named(0.1)),
            p: Some(named(0.1)),
            lambda: Some((1..=links).map(|k| (format!("rod[{k}]"), 1.0 / k as f64)).collect()),
            rotation: None,
            omega: None,
            energy: None,
            y: None,
        },
        ..pendulum()
    }
}

fn staggered() -> RunReport {
    let errors = Errors {
        energy_max: Some(1e-4),
        momentum_max: Quantities::from_iter([("angular_z", 2.5e-16)]),
        constraint_position_max: Some(3.0e-5),
        ..Errors::default()
    };
    let shifted =
        Errors { energy_max: Some(0.5), constraint_velocity_max: Some(1e-16), ..errors.clone() };
    RunReport { method: "dirac-1".into(), errors, errors_shifted: Some(shifted), ..pendulum() }
}

fn failed() -> RunReport {
    let mut report = pendulum();
    report.outcome = Outcome::NonFinite;
    report.failure = Some(Failure {
        step: 17,
        t: 0.17,
        residual: Some(f64::NAN),
        reason: "the velocity of x is not a number".into(),
    });
    report.final_state.t = 0.17;
    report.final_state.v = Some(Quantities::from_iter([("x", f64::INFINITY), ("y", 1.0)]));
    report.final_state.lambda = None;
    report.errors.energy_max = Some(f64::INFINITY);
    report.cost = Cost { newton_iterations: Some(70), ..Cost::default() };
    report
}

fn json(report: &RunReport) -> String {
    serde_json::to_string_pretty(report).unwrap()
}

#[test]
fn a_completed_run_as_json() {
    insta::assert_snapshot!(json(&pendulum()));
}

#[test]
fn json_has_no_numbers_that_are_none() {
    insta::assert_snapshot!(json(&failed()));
}

#[test]
fn staggered_schemes_have_two_kinds_of_errors() {
    insta::assert_snapshot!(json(&staggered()));
}

#[test]
fn runs_as_text() {
    insta::assert_snapshot!("completed", pendulum().to_text());
    insta::assert_snapshot!("staggered", staggered().to_text());
    insta::assert_snapshot!("failed", failed().to_text());
    insta::assert_snapshot!("chain", chain(1000).to_text());
    assert_eq!(
        pendulum().timing().as_deref(),
        Some("compiled in 840 µs, ran for 121 µs, 121 ns a step")
    );
    assert_eq!(failed().timing(), None);
}

#[test]
fn the_text_of_a_long_chain_is_short() {
    assert!(chain(1000).to_text().lines().count() < 50);
}

#[test]
fn json_reads_back_as_the_same_report() {
    for report in [pendulum(), staggered(), chain(30)] {
        let read: RunReport = serde_json::from_str(&json(&report)).unwrap();
        assert_eq!(read, report);
    }
    // What is not finite comes back as no number; the text of it stays JSON.
    let read: RunReport = serde_json::from_str(&json(&failed())).unwrap();
    assert_eq!(json(&read), json(&failed()));
}

#[test]
fn outcomes_are_written_with_their_names() {
    use Outcome::{
        Completed, Interrupted, NewtonStalled, NonFinite, NotApplicable, Singular, StepLimit,
    };
    for outcome in
        [Completed, Interrupted, NewtonStalled, NonFinite, NotApplicable, Singular, StepLimit]
    {
        let report = RunReport { outcome, ..pendulum() };
        let json = serde_json::to_value(&report).unwrap();
        assert_eq!(json["outcome"], outcome.name());
        assert_eq!(serde_json::from_value::<RunReport>(json).unwrap().outcome, outcome);
        assert_eq!(outcome.is_success(), outcome == Completed);
    }
}
