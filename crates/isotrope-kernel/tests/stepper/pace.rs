//! Steps that are not of equal length in time, on Kepler's problem and a pendulum.

use isotrope_kernel::integrate::{Compiled, Integration, Outcome, Tangent};
use isotrope_kernel::stepper::{Measured, Options, Stepper, StepperError};
use isotrope_tape::backend::Backend;

use super::{begun, first, integrate, made, stepper, stepper_with, system, written};

/// Kepler's orbit of eccentricity e from perihelion: a point at a time, by his equation.
#[expect(
    clippy::disallowed_methods,
    reason = "a closed form beside the run; last bits do not matter"
)]
fn kepler(e: f64, t: f64) -> [f64; 2] {
    let mut anomaly = t;
    for _ in 0..200 {
        anomaly -= (anomaly - e * anomaly.sin() - t) / (1.0 - e * anomaly.cos());
    }
    [anomaly.cos() - e, (1.0 - e * e).sqrt() * anomaly.sin()]
}

/// The distance to the orbit at the time that was reached.
fn distance(stepper: &Stepper, steps: u64) -> f64 {
    let state = integrate(stepper, steps).unwrap();
    let [x, y] = kepler(0.9, state[stepper.layout.time() as usize]);
    (state[0] - x).hypot(state[1] - y)
}

#[test]
fn orders_in_time_are_those_of_the_method_and_steps_follow_the_rate() {
    let kepler = system("kepler_eccentric", vec![]);
    for (method, order) in [
        ("sundman:variational-midpoint", 2.0),
        ("sundman:variational-trapezoid", 2.0),
        ("sundman:galerkin-2-gauss2", 4.0),
        ("sundman:galerkin-2-lobatto3", 4.0),
        ("sundman:triple:variational-midpoint", 4.0),
        ("sundman:variational-euler", 1.0),
    ] {
        let [coarse, fine] = [("1/80", 320), ("1/160", 640)]
            .map(|(step, steps)| distance(&stepper(&kepler, method, step), steps));
        let found = (coarse / fine).log2();
        assert!((found - order).abs() < 0.15, "{method}: {found}");
    }
}

#[test]
fn a_time_of_its_own_is_worth_orders_of_magnitude_at_equal_cost() {
    let kepler = system("kepler_eccentric", vec![]);
    let largest = |method: &str, step: &str, steps: u64| {
        let stepper = stepper(&kepler, method, step);
        let state = integrate(&stepper, steps).unwrap();
        let error = stepper.layout.largest_energy_error(Measured::Own);
        (state[error as usize], distance(&stepper, steps))
    };
    // 1600 steps, a bit less than two revolutions.
    let even = largest("variational-midpoint", "1/160", 1600);
    let own = largest("sundman:variational-midpoint", "1/120", 1600);
    assert!(own.0 < 1e-3 * even.0 && own.1 < 0.02 * even.1, "{even:?} {own:?}");
}

#[test]
fn momenta_are_kept_and_energy_does_not_drift() {
    let (system, field) = system("kepler_eccentric", vec![]);
    let options = Options { compensated: true, ..Options::new("1/20".parse().unwrap()) };
    let stepper = stepper_with((&system, &field), "sundman:variational-midpoint", &options);
    let compiled = Compiled::new(stepper.clone(), Backend::Native).unwrap();
    let mut integration = Integration::new(&compiled).unwrap();
    let layout = stepper.layout;
    let mut largest = Vec::new();
    for _ in 0..2 {
        integration.advance(50_000).unwrap();
        largest.push(integration.number(layout.largest_energy_error(Measured::Own)));
    }
    assert!(largest[1] < 1.001 * largest[0] && largest[0] < 1e-3, "{largest:?}");
    assert!(integration.number(layout.largest_momentum_error(Measured::Own, 0)) < 1e-14);
    let pace = stepper.pace.unwrap();
    // The rate is r^(3/2), from 0.1 to 1.9.
    let ratio = integration.number(pace.longest) / integration.number(pace.shortest);
    assert!((ratio / (19.0 * 19.0_f64.sqrt()) - 1.0).abs() < 0.02, "{ratio}");
}

/// dq∧dp − dt∧dE of two directions, where E is a number that the method carries along.
fn extended_form(tangent: &Tangent<'_>, stepper: &Stepper, energy: usize) -> [f64; 2] {
    let layout = stepper.layout;
    let wedge = |a: u32, b: u32| {
        tangent.change(a, 0) * tangent.change(b, 1) - tangent.change(a, 1) * tangent.change(b, 0)
    };
    let plain = (0..layout.dimension).map(|i| wedge(layout.position(i), layout.momentum(i))).sum();
    [plain, plain - wedge(layout.time(), layout.memory(energy))]
}

#[test]
fn the_form_of_the_extended_phase_space_is_kept_and_that_of_phase_space_on_a_level_of_energy() {
    for (method, energy) in [
        ("sundman:variational-midpoint", 0),
        ("sundman:galerkin-2-lobatto3", 0),
        ("energy-exact:variational-midpoint", 1),
        ("energy-exact:galerkin-2-gauss3", 1),
    ] {
        let stepper = stepper(&system("kepler_eccentric", vec!["e=1/2"]), method, "1/20");
        let compiled = Compiled::new(stepper, Backend::Native).unwrap();
        let stepper = &compiled.stepper;
        let variations = first(&compiled);
        let go = |changes: &[Vec<f64>]| {
            let mut tangent = begun(&variations, &compiled, changes);
            let before = extended_form(&tangent, stepper, 0)[0];
            tangent.advance(40).unwrap();
            (before, extended_form(&tangent, stepper, energy))
        };
        let (before, [plain, extended]) =
            go(&[vec![1.0, 0.3, 0.2, -0.4], vec![0.1, -0.7, 0.5, 0.9]]);
        assert!((extended - before).abs() < 1e-10, "{method}: {before} {extended}");
        assert!((plain - before).abs() > 1e-3, "{method}: energies differ, and so do times");
        if energy == 0 {
            // At (1/2, 0) with v = (0, √3) the differential of the energy is 4 dx + √3 dv_y.
            let root = 3.0_f64.sqrt();
            let (before, [plain, _]) = go(&[vec![root, 0.3, 0.2, -4.0], vec![0.0, -0.7, 0.5, 0.0]]);
            assert!((plain - before).abs() < 1e-10, "{method}: {before} {plain}");
        }
    }
}

#[test]
fn symmetric_methods_come_back_when_velocities_are_turned() {
    for method in ["sundman:variational-midpoint", "sundman:galerkin-2-gauss2"] {
        let stepper = stepper(&system("kepler_eccentric", vec![]), method, "1/10");
        let compiled = Compiled::new(stepper.clone(), Backend::Native).unwrap();
        let mut there = Integration::new(&compiled).unwrap();
        there.advance(30).unwrap();
        // E₀ is that of the beginning, so the way back begins as a continuation.
        let mut state = there.state().to_vec();
        for x in &mut state[2..6] {
            *x = -*x;
        }
        let mut back = Integration::new(&compiled).unwrap();
        back.resume(state, 30);
        back.advance(30).unwrap();
        for i in 0..2 {
            assert!((back.state()[i] - stepper.initial[i]).abs() < 1e-11, "{method}");
        }
        let half = there.time();
        assert!((back.time() - 2.0 * half).abs() < 1e-11, "{method}: as long back as there");
    }
}

/// κ = X·H''X vanishes nowhere on the orbit exactly if e² < 5/8: then lengths of steps can follow.
#[test]
fn energy_exact_steps_exist_up_to_an_eccentricity_of_the_root_of_five_eighths() {
    for (e, all) in [("e=3/5", true), ("e=77/100", true), ("e=81/100", false), ("e=9/10", false)] {
        let stepper = stepper(
            &system("kepler_eccentric", vec![e]),
            "energy-exact:variational-midpoint",
            "1/1000",
        );
        let state = integrate(&stepper, 2500).unwrap();
        let held = state[stepper.pace.unwrap().hold.unwrap().count as usize];
        assert_eq!(held == 0.0, all, "{e}: {held}");
        let layout = stepper.layout;
        assert!(state[layout.largest_momentum_error(Measured::Own, 0) as usize] < 1e-13, "{e}");
    }
}

#[test]
fn the_discrete_energy_is_the_same_in_all_steps_that_are_not_held() {
    let stepper = stepper(
        &system("kepler_eccentric", vec!["e=3/5"]),
        "energy-exact:variational-midpoint",
        "1/50",
    );
    let compiled = Compiled::new(stepper, Backend::Native).unwrap();
    let mut integration = Integration::new(&compiled).unwrap();
    let length = compiled.stepper.layout.memory(0);
    let mut energies: Vec<f64> = Vec::new();
    let mut lengths: Vec<f64> = Vec::new();
    for _ in 0..1000 {
        let before = integration.state().to_vec();
        integration.advance(1).unwrap();
        // The length itself: a difference of times has lost digits.
        let (after, h) = (integration.state(), integration.number(length));
        let [dx, dy] = [0, 1].map(|i| (after[i] - before[i]) / h);
        let [x, y] = [0, 1].map(|i| 0.5 * (after[i] + before[i]));
        energies.push(0.5 * (dx * dx + dy * dy) - 1.0 / x.hypot(y));
        lengths.push(h);
    }
    let spread = energies.iter().map(|e| (e - energies[0]).abs()).fold(0.0, f64::max);
    assert!(spread < 2e-13, "{spread}");
    assert!(lengths.iter().all(|&h| h > 0.0) && lengths.iter().any(|&h| h > 0.06));
}

#[test]
fn constraints_on_positions_are_kept_in_a_time_of_its_own() {
    let model = r#"
        coordinates = ["x", "y"]
        lagrangian.L = "(x'^2 + y'^2)/2 - 981/100*y"
        constraints.rod = "x^2 + y^2 = 1"
        time.rate = "1/(2 - y)"
        initial.position = { x = 1, y = 0 }
        initial.velocity = { x = 0, y = 0 }
    "#;
    for method in ["sundman:variational-midpoint", "sundman:galerkin-2-gauss2"] {
        let stepper = stepper(&written(model), method, "1/100");
        let state = integrate(&stepper, 1000).unwrap();
        let layout = stepper.layout;
        assert!(state[layout.largest_position_error(Measured::Own) as usize] < 1e-12, "{method}");
        assert!(state[layout.largest_velocity_error(Measured::Own) as usize] < 1e-12, "{method}");
        assert!(state[layout.largest_energy_error(Measured::Own) as usize] < 2e-2, "{method}");
    }
}

const FREE: &str = r#"
    coordinates = ["x"]
    lagrangian.L = "x'^2/2"
    initial.position = { x = 1 }
    initial.velocity = { x = -1 }
"#;

#[test]
fn a_rate_that_is_not_positive_ends_the_run_where_that_happens() {
    for (rate, begun) in [("x", true), ("-x", false), ("x - 1", false), ("sqrt(x - 1/2)", true)] {
        let model = format!("{FREE}\ntime.rate = \"{rate}\"");
        let stepper = stepper(&written(&model), "sundman:variational-trapezoid", "2");
        let compiled = Compiled::new(stepper, Backend::Native).unwrap();
        let failure = match Integration::new(&compiled) {
            Ok(mut integration) => {
                assert!(begun, "{rate}");
                integration.advance(10_000).unwrap_err()
            }
            Err(failure) => {
                assert!(!begun, "{rate}");
                assert!(failure.reason.contains("rate of time"), "{rate}: {}", failure.reason);
                failure
            }
        };
        assert_ne!(failure.outcome, Outcome::Completed, "{rate}");
    }
}

#[test]
fn what_changes_the_energy_is_refused_with_a_reason() {
    let refused = |text: &str, method: &str| -> String {
        let (system, field) = written(text);
        match made((&system, &field), method) {
            Err(StepperError::Discretise(error)) => error.to_string(),
            other => panic!("{method}: {:?}", other.map(|_| ())),
        }
    };
    let method = "sundman:variational-midpoint";
    assert!(refused(FREE, method).contains("[time]"));
    let force = format!("{FREE}\ntime.rate = \"1 + x^2\"\nforces.x = \"-x'\"");
    assert!(refused(&force, method).contains("forces"));
    assert!(refused(&force, "energy-exact:variational-midpoint").contains("forces"));
    let moving = FREE.replace("x'^2/2", "x'^2/2 - x*t") + "\ntime.rate = \"1 + x^2\"";
    assert!(refused(&moving, method).contains("depends on time"));
    let (sleigh, field) = system("sleigh", vec![]);
    assert!(made((&sleigh, &field), "energy-exact:variational-midpoint").is_err());
}
