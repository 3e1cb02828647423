//! The adaptive method against the reference trajectories.

use isotrope_algebra::Stop;
use isotrope_derive::System;
use isotrope_kernel::integrate::{
    Compiled, Crew, Effort, Integration, Member, Outcome, run_ensemble,
};
use isotrope_kernel::stepper::{Field, Measured, Options, Stepper};
use isotrope_tape::backend::Backend;

use super::{integrate, reference, stepper_with, system};

fn rows((system, field): &(System, Field), step: &str, tolerance: f64) -> Stepper {
    let options = Options { tolerance, ..Options::new(step.parse().unwrap()) };
    stepper_with((system, field), "dop853", &options)
}

fn distance(state: &[f64], wanted: &[f64]) -> f64 {
    state.iter().zip(wanted).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

#[test]
fn errors_follow_the_tolerance_down_to_rounding() {
    for (model, name) in [
        ("pendulum_angle", "pendulum_theta_g981"),
        ("sleigh", "sleigh_flat"),
        ("sleigh_incline", "sleigh_incline_rest"),
        ("ziegler_angles", "ziegler_angles_P1.5"),
    ] {
        let problem = system(model, vec![]);
        let wanted = reference(name, "t=10");
        for tolerance in [1e-6, 1e-8, 1e-10, 1e-12] {
            let error =
                distance(&integrate(&rows(&problem, "1/10", tolerance), 100).unwrap(), &wanted);
            assert!(error < 300.0 * tolerance, "{model}: {error} for {tolerance}");
            assert!(error > 1e-4 * tolerance, "{model}: {error} for {tolerance}");
        }
        let error = distance(&integrate(&rows(&problem, "1/10", 1e-15), 100).unwrap(), &wanted);
        assert!(error < 1e-12, "{model}: {error}");
    }
}

/// Rows between the steps are as good as rows at their ends; and they change no step.
#[test]
fn rows_do_not_change_the_solution() {
    let pendulum = system("pendulum_angle", vec![]);
    let wanted = reference("pendulum_theta_g981", "t=1");
    let made = |step: &str, count: u64| {
        let compiled = Compiled::new(rows(&pendulum, step, 1e-9), Backend::Native).unwrap();
        let mut integration = Integration::new(&compiled).unwrap();
        integration.advance(count).unwrap();
        (distance(integration.state(), &wanted), integration.effort)
    };
    let (coarse, few) = made("1", 1);
    let (fine, many) = made("1/1000", 1000);
    assert!((coarse - fine).abs() < 1e-14, "{coarse} {fine}");
    assert_eq!((few.accepted, few.rejected), (many.accepted, many.rejected));
    // One evaluation at first, twelve a step, three for each polynomial.
    let steps = |effort: Effort| 1 + 12 * (effort.accepted + effort.rejected);
    assert_eq!(few.evaluations, steps(few) + 3);
    assert_eq!(many.evaluations, steps(many) + 3 * many.accepted);
}

/// There and back again.
#[test]
fn time_may_go_backwards() {
    let sleigh = system("sleigh", vec![]);
    let stepper = rows(&sleigh, "1/4", 1e-12);
    let there = integrate(&stepper, 8).unwrap();
    let compiled = Compiled::new(rows(&sleigh, "-1/4", 1e-12), Backend::Native).unwrap();
    let mut state = stepper.initial.clone();
    state[..6].copy_from_slice(&there[..6]);
    let mut back = Integration::from(&compiled, state, stepper.parameters.clone()).unwrap();
    back.advance(8).unwrap();
    assert!(distance(&back.state()[..6], &stepper.initial) < 1e-10);
}

/// A follower force does work: the balance of energy is kept to the tolerance.
#[test]
fn the_work_is_integrated_with_the_solution() {
    let column = system("ziegler", vec!["P=3"]);
    let stepper = rows(&column, "1/20", 1e-11);
    let state = integrate(&stepper, 100).unwrap();
    let defect = state[stepper.layout.largest_energy_error(Measured::Own) as usize];
    let work = state[stepper.layout.work() as usize];
    assert!(defect < 1e-9 && work.abs() > 1e-3, "{defect} {work}");
}

#[test]
fn members_of_an_ensemble_have_the_bits_of_single_runs() {
    let stepper = rows(&system("pendulum_angle", vec![]), "1/10", 1e-9);
    let compiled = Compiled::new(stepper.clone(), Backend::Native).unwrap();
    let member = Member { state: stepper.initial.clone(), parameters: stepper.parameters.clone() };
    let crew = Crew { steps: 30, threads: 2, stop: &Stop::new(), made: &|_| {}, watch: None };
    let ends = run_ensemble(&compiled, &[member.clone(), member], crew);
    let mut single = Integration::new(&compiled).unwrap();
    single.advance(30).unwrap();
    single.fill_row();
    for end in ends {
        assert_eq!(end.outcome, Outcome::Completed);
        assert_eq!(end.state, single.state());
    }
}

/// A tolerance below rounding is an outcome, not an endless run.
#[test]
fn what_cannot_be_reached_is_said() {
    let stepper = rows(&system("pendulum_angle", vec![]), "1/10", 1e-25);
    let failure = integrate(&stepper, 10).unwrap_err();
    assert_eq!(failure.outcome, Outcome::StepLimit, "{failure:?}");
}
