//! Projected Runge–Kutta steps.

use isotrope_derive::System;
use isotrope_kernel::integrate::{Compiled, Integration};
use isotrope_kernel::stepper::{Field, Measured, Stepper, StepperError};
use isotrope_tape::backend::Backend;

use super::{integrate, made, stepper, system, written};

/// A pendulum whose length changes, with friction: constraints, forces and time.
pub(crate) const BREATHING: &str = r#"
    coordinates = ["x", "y"]
    lagrangian.L = "(x'^2 + y'^2)/2 - 981/100*y"
    constraints.rod = "x^2 + y^2 = (1 + sin(t)/4)^2"
    forces = { x = "-x'/5", y = "-y'/5 + cos(3*t)" }
    initial.position = { x = 1, y = 0 }
    initial.velocity = { x = "1/4", y = 1 }
"#;

/// A skate on a table that turns and tilts: A v + b = 0 with b ≠ 0, forces and time.
pub(crate) const TURNING: &str = r#"
    coordinates = ["x", "y", "theta"]
    lagrangian.L = "(x'^2 + y'^2 + theta'^2)/2 + cos(t)*x/2"
    constraints.skate = "sin(theta)*(x' + y/3) - cos(theta)*(y' - x/3) = 0"
    forces = { x = "-x'/10", y = "-y'/10", theta = "sin(2*t)" }
    initial.position = { x = 1, y = 0, theta = 0 }
    initial.velocity = { x = 1, y = "1/3", theta = 1 }
"#;

/// A point on a sphere that writes an area: one constraint of each kind.
pub(crate) const MIXED: &str = r#"
    coordinates = ["x", "y", "z", "s"]
    lagrangian.L = "(x'^2 + y'^2 + 2*z'^2 + s'^2)/2 - z + x*s/2"
    constraints.sphere = "x^2 + y^2 + z^2 = 1"
    constraints.area = "s' = x*y' - y*x'"
    initial.position = { x = 1, y = 0, z = 0, s = 0 }
    initial.velocity = { x = 0, y = 1, z = 1, s = 1 }
"#;

/// A mass matrix that depends on the velocities.
pub(crate) const FAST: &str = r#"
    coordinates = ["x", "y"]
    lagrangian.L = "-sqrt(1 - x'^2 - y'^2) - y/2"
    constraints.rod = "x^2 + y^2 = 1"
    initial.position = { x = 1, y = 0 }
    initial.velocity = { x = 0, y = "1/2" }
"#;

/// The error of positions and velocities at t = 1 against a fine solution, for two steps; its slope.
pub(crate) fn slope(system: &(System, Field), method: &str, coarse: u64) -> f64 {
    let wanted = integrate(&stepper(system, "gauss-6", "1/100"), 100).unwrap();
    let moving = 2 * system.1.dimension;
    let error = |steps: u64| {
        let found = integrate(&stepper(system, method, &format!("1/{steps}")), steps).unwrap();
        let pairs = found[..moving].iter().zip(&wanted);
        pairs.map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
    };
    let errors = (error(coarse), error(2 * coarse));
    (errors.0 / errors.1).log2()
}

/// Largest |φ|, |A v + b| and error of the energy balance.
pub(crate) fn kept(system: &(System, Field), method: &str, step: &str, steps: u64) -> [f64; 3] {
    kept_by(&stepper(system, method, step), steps)
}

pub(crate) fn kept_by(stepper: &Stepper, steps: u64) -> [f64; 3] {
    let state = integrate(stepper, steps).unwrap();
    let layout = stepper.layout;
    [
        state[layout.largest_position_error(Measured::Own) as usize],
        state[layout.largest_velocity_error(Measured::Own) as usize],
        state[layout.largest_energy_error(Measured::Own) as usize],
    ]
}

#[test]
fn projections_keep_the_order_of_the_method() {
    let systems = [
        system("pendulum", vec![]),
        system("sleigh", vec![]),
        written(BREATHING),
        written(TURNING),
        written(MIXED),
        system("rolling_disc", vec![]),
    ];
    for system in &systems {
        for (method, order, coarse) in [
            ("project:heun", 2.0, 100),
            ("project:rk4", 4.0, 20),
            ("project:gauss-2", 4.0, 20),
            ("symproject:midpoint", 2.0, 100),
            ("symproject:gauss-2", 4.0, 20),
            ("symproject:lobatto-iiia-iiib-2", 2.0, 100),
            ("symproject:rk4", 4.0, 20),
        ] {
            let slope = slope(system, method, coarse);
            assert!(slope > order - 0.25, "{method}: {slope}");
        }
    }
}

#[test]
fn the_mass_matrix_may_depend_on_velocities() {
    let fast = written(FAST);
    for (method, order) in [("project:rk4", 4.0), ("baumgarte", 4.0), ("generalized-alpha", 2.0)] {
        let slope = slope(&fast, method, 20);
        assert!((slope - order).abs() < 0.3, "{method}: {slope}");
    }
    for method in ["symproject:midpoint", "ggl", "avf", "discrete-gradient"] {
        let error = made((&fast.0, &fast.1), method).unwrap_err().to_string();
        assert_eq!(error, "the Lagrangian is not quadratic in the velocities", "{method}");
    }
}

#[test]
fn projections_keep_both_levels_of_constraints() {
    for system in [
        system("pendulum", vec![]),
        system("rolling_disc", vec![]),
        system("three_particles", vec![]),
        written(BREATHING),
        written(TURNING),
        written(MIXED),
    ] {
        for method in ["project:rk4", "symproject:gauss-2"] {
            let [phi, rate, _] = kept(&system, method, "1/100", 1000);
            assert!(phi < 1e-14 && rate < 1e-13, "{method}: {phi} {rate}");
        }
    }
}

/// Φ₋ₕ Φₕ = 1 for a symmetric method under the symmetric projection, and for no other pair.
#[test]
fn the_symmetric_projection_of_a_symmetric_method_is_symmetric() {
    for system in [system("pendulum", vec![]), system("sleigh", vec![]), written(BREATHING)] {
        let return_error = |method: &str| {
            let there = stepper(&system, method, "1/20");
            let moved = integrate(&there, 20).unwrap();
            let back = stepper(&system, method, "-1/20");
            let compiled = Compiled::new(back.clone(), Backend::Native).unwrap();
            let mut state = back.initial.clone();
            let n = 2 * back.layout.dimension;
            state[..n].copy_from_slice(&moved[..n]);
            state[back.layout.count() as usize] = -20.0;
            state[back.layout.time() as usize] = 1.0;
            let mut integration =
                Integration::from(&compiled, state, back.parameters.clone()).unwrap();
            integration.advance(20).unwrap();
            let ends = integration.state()[..n].iter().zip(&back.initial);
            ends.map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
        };
        for method in ["symproject:midpoint", "symproject:gauss-2", "symproject:trapezoid"] {
            let error = return_error(method);
            assert!(error < 1e-11, "{method}: {error}");
        }
        for method in ["project:gauss-2", "symproject:rk4"] {
            let error = return_error(method);
            assert!(error > 1e-10, "{method}: {error}");
        }
    }
}

/// The energy balance closes with the order of the method: forces, moving constraints and time.
#[test]
fn the_balance_of_energy_closes() {
    for system in [written(BREATHING), written(TURNING)] {
        for (method, order) in [("project:rk4", 4.0), ("symproject:gauss-2", 4.0)] {
            let errors = ["1/40", "1/80"].map(|step| kept(&system, method, step, 40)[2]);
            let slope = (errors[0] / errors[1]).log2();
            assert!(slope > order - 0.3, "{method}: {slope} {errors:?}");
        }
    }
}

#[test]
fn without_constraints_there_is_nothing_to_project_onto() {
    let (system, field) = system("henon_heiles", vec![]);
    for method in ["project:rk4", "symproject:midpoint"] {
        let error = made((&system, &field), method).unwrap_err();
        assert!(matches!(error, StepperError::Discretise(_)), "{method}");
        assert!(error.to_string().contains("no constraints"), "{error}");
    }
}
