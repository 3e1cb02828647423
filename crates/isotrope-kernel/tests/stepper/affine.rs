//! Constraints that move: A v + b = 0 with b ≠ 0, and forces that depend on velocities and time.

use isotrope_derive::System;
use isotrope_kernel::stepper::{Field, Measured};
use isotrope_model::ModelText;

use super::{derived, integrate, stepper};

/// A pendulum of a length that changes, with friction and a push.
const LENGTH: &str = r#"
    coordinates = ["x", "y"]
    lagrangian.L = "(x'^2 + y'^2)/2 - 4*y"
    forces = { x = "-x'/5 + sin(2*t)/3", y = "-y'/5" }
    constraints.rod = "x^2 + y^2 = (1 + sin(t)/5)^2"
    initial.position = { x = 1, y = 0 }
    initial.velocity = { x = "1/5", y = "1/2" }
"#;

/// A blade on a turning table, its centre of mass ahead, with friction and a push.
const TABLE: &str = r#"
    coordinates = ["x", "y", "theta"]
    lagrangian.L = "(x'^2 + y'^2 + 2*theta'^2)/2 + theta'*(y'*cos(theta) - x'*sin(theta)) - x^2/2"
    forces = { x = "-x'/5 + sin(2*t)/3", theta = "-theta'/5" }
    constraints.blade = "sin(theta)*(x' + y/2) - cos(theta)*(y' - x/2) = 0"
    initial.position = { x = 1, y = 2, theta = 0 }
    initial.velocity = { x = 1, y = "1/2", theta = 1 }
"#;

/// Largest difference to a fine solution, of positions and velocities, and largest errors.
fn outcome(system: &(System, Field), method: &str, step: &str, steps: u64) -> (f64, [f64; 2]) {
    let wanted = integrate(&stepper(system, "gauss-6", "1/100"), 100).unwrap();
    let stepper = stepper(system, method, step);
    let found = integrate(&stepper, steps).unwrap();
    let numbers = 2 * stepper.layout.dimension;
    let pairs = found[..numbers].iter().zip(&wanted);
    let distance = pairs.map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
    let layout = stepper.layout;
    let rate = found[layout.largest_velocity_error(Measured::Own) as usize];
    let balance = found[layout.largest_energy_error(Measured::Own) as usize];
    (distance, [rate, balance])
}

fn check(model: &str, methods: &[(&str, f64)], exact: bool) {
    let system = derived(&ModelText::new("affine.toml", model.as_bytes()));
    for &(method, order) in methods {
        let (coarse, [_, first]) = outcome(&system, method, "1/50", 50);
        let (fine, [rate, second]) = outcome(&system, method, "1/100", 100);
        let slopes = [(coarse / fine).log2(), (first / second).log2()];
        let near = slopes.iter().all(|slope| (slope - order).abs() < 0.3);
        assert!(near, "{method}: {slopes:?} {coarse} {fine} {first} {second}");
        assert!(!exact || rate < 1e-13, "{method}: {rate}");
    }
}

#[test]
fn moving_constraints_on_positions_keep_the_orders() {
    let exact = [
        ("rk4-c", 3.0),
        ("dirac-2-repaired", 2.0),
        ("dla-leapfrog", 2.0),
        ("spark-lobatto-2", 2.0),
    ];
    check(LENGTH, &exact, true);
    check(LENGTH, &[("rattle", 2.0), ("spark-lobatto-3", 4.0)], true);
    check(LENGTH, &[("ab3", 3.0)], false);
}

/// The velocities that it carries belong to the middle of a step.
#[test]
fn shake_follows_a_moving_constraint() {
    let system = derived(&ModelText::new("affine.toml", LENGTH.as_bytes()));
    let wanted = integrate(&stepper(&system, "gauss-6", "1/100"), 100).unwrap();
    let run = |step: &str, steps| {
        let stepper = stepper(&system, "shake", step);
        let found = integrate(&stepper, steps).unwrap();
        let distance = (found[0] - wanted[0]).abs().max((found[1] - wanted[1]).abs());
        [distance, found[stepper.layout.largest_energy_error(Measured::Own) as usize]]
    };
    let (coarse, fine) = (run("1/50", 50), run("1/100", 100));
    for (coarse, fine) in coarse.into_iter().zip(fine) {
        assert!(((coarse / fine).log2() - 2.0).abs() < 0.3, "{coarse} {fine}");
    }
}

#[test]
fn moving_constraints_on_velocities_keep_the_orders() {
    let exact = [
        ("rk4-c", 3.0),
        ("dirac-2-repaired", 2.0),
        ("dla-leapfrog", 2.0),
        ("spark-lobatto-2", 2.0),
        ("spark-lobatto-3", 4.0),
    ];
    check(TABLE, &exact, true);
    check(TABLE, &[("ab3", 3.0)], false);
}
