//! The Lobatto schemes with impulses in their stages.

use isotrope_derive::System;
use isotrope_kernel::stepper::{Field, Measured};
use isotrope_model::ModelText;

use super::{derived, integrate, stepper, system};

/// The slope of the difference to a fine solution, of positions and velocities, at t = 1, and |A v|.
fn slope(system: &(System, Field), method: &str, coarse: u64) -> (f64, f64) {
    let wanted = integrate(&stepper(system, "gauss-6", "1/200"), 200).unwrap();
    let run = |steps: u64| {
        let stepper = stepper(system, method, &format!("1/{steps}"));
        let found = integrate(&stepper, steps).unwrap();
        let rate = found[stepper.layout.largest_velocity_error(Measured::Own) as usize];
        let pairs = found[..2 * stepper.layout.dimension].iter().zip(&wanted);
        (pairs.map(|(x, y)| (x - y).abs()).fold(0.0, f64::max), rate)
    };
    let ((first, _), (second, rate)) = (run(coarse), run(2 * coarse));
    ((first / second).log2(), rate)
}

#[test]
fn lobatto_schemes_with_impulses_have_order_2s_minus_2() {
    for (model, method, steps, order) in [
        ("pendulum", "spark-lobatto-2", 100, 2.0),
        ("pendulum", "spark-lobatto-3", 40, 4.0),
        ("pendulum", "spark-lobatto-4", 20, 6.0),
        ("pendulum", "spark-lobatto-5", 10, 8.0),
        ("sleigh", "spark-lobatto-2", 50, 2.0),
        ("sleigh", "spark-lobatto-3", 20, 4.0),
        ("sleigh", "spark-lobatto-4", 10, 6.0),
        ("rolling_disc", "spark-lobatto-3", 20, 4.0),
        ("rolling_disc", "spark-lobatto-4", 5, 6.0),
        ("nonholonomic_oscillator", "spark-lobatto-3", 20, 4.0),
        ("sphere_drift", "spark-lobatto-3", 40, 4.0),
    ] {
        let (slope, rate) = slope(&system(model, vec![]), method, steps);
        assert!((slope - order).abs() < 0.15, "{method} on {model}: {slope}");
        assert!(rate < 1e-12, "{method} on {model}: {rate}");
    }
}

#[test]
fn both_constraints_stay_at_rounding_for_a_long_time() {
    for (model, method) in [("pendulum", "spark-lobatto-3"), ("sleigh", "spark-lobatto-3")] {
        let stepper = stepper(&system(model, vec![]), method, "1/100");
        let state = integrate(&stepper, 100_000).unwrap();
        let layout = stepper.layout;
        let phi = state[layout.largest_position_error(Measured::Own) as usize];
        let rate = state[layout.largest_velocity_error(Measured::Own) as usize];
        assert!(phi < 1e-12 && rate < 1e-12, "{model}: {phi} {rate}");
    }
}

/// Both are written down in other ways; the second only with a constant mass matrix.
#[test]
fn two_stages_are_rattle_and_the_leapfrog() {
    for (model, other) in [
        ("pendulum", "rattle"),
        ("three_particles", "rattle"),
        ("double_pendulum", "rattle"),
        ("rolling_disc", "dla-leapfrog"),
        ("knife_edge", "dla-leapfrog"),
    ] {
        let system = system(model, vec![]);
        let run = |method: &str| integrate(&stepper(&system, method, "1/50"), 50).unwrap();
        let (found, wanted) = (run("spark-lobatto-2"), run(other));
        let numbers = 3 * stepper(&system, other, "1/50").layout.dimension;
        for (x, y) in found[..numbers].iter().zip(&wanted) {
            assert!((x - y).abs() < 1e-11, "{model}: {x} {y}");
        }
    }
}

/// A constraint on positions and one on velocities, each closed by its kind.
#[test]
fn constraints_of_both_kinds_go_together() {
    let file = r#"
        coordinates = ["x", "y", "z", "w"]
        lagrangian.L = "(x'^2 + y'^2 + 2*z'^2 + w'^2)/2 - x*y - z^2 - 2*w"
        constraints.circle = "x^2 + w^2 = 1"
        constraints.slide = "z' = y*x'"
        initial.position = { x = "3/5", y = "1/2", z = 0, w = "4/5" }
        initial.velocity = { x = "4/5", y = 1, z = "2/5", w = "-3/5" }
    "#;
    let system = derived(&ModelText::new("both.toml", file.as_bytes()));
    for (method, steps, order) in [("spark-lobatto-3", 20, 4.0), ("spark-lobatto-4", 10, 6.0)] {
        let (slope, rate) = slope(&system, method, steps);
        assert!((slope - order).abs() < 0.15 && rate < 1e-14, "{method}: {slope} {rate}");
        let stepper = stepper(&system, method, "1/20");
        let state = integrate(&stepper, 1000).unwrap();
        let phi = state[stepper.layout.largest_position_error(Measured::Own) as usize];
        assert!(phi < 1e-14, "{method}: {phi}");
    }
}
