//! Variational integrators: measured orders, what they keep, and which of them are the same.

use isotrope_algebra::{Budget, Rational};
use isotrope_derive::System;
use isotrope_kernel::integrate::{Compiled, Integration};
use isotrope_kernel::stepper::{Field, Measured, Options};
use isotrope_scheme::DiscreteLagrangian;
use isotrope_tape::backend::Backend;

use super::{integrate, made, stepper, stepper_with, system, written};

/// Positions and velocities at t = 1.
fn end(system: &(System, Field), method: &str, steps: u64) -> Vec<f64> {
    let stepper = stepper(system, method, &format!("1/{steps}"));
    let mut found = integrate(&stepper, steps).unwrap();
    found.truncate(2 * stepper.layout.dimension);
    found
}

fn distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

/// Measured orders of methods, from the errors with this many steps and twice as many, are the expected
/// ones; all that are not are reported at once.
fn assert_orders(system: &(System, Field), what: &str, cases: &[(&str, u64, usize)]) {
    let wanted = end(system, "gauss-6", 200);
    let mut wrong = Vec::new();
    for &(method, steps, order) in cases {
        let error = |steps: u64| distance(&end(system, method, steps), &wanted);
        let (coarse, fine) = (error(steps), error(2 * steps));
        let slope = (coarse / fine).log2();
        if (slope - order as f64).abs() >= 0.15 {
            wrong
                .push(format!("{method} on {what}: {slope:.3} for {order} ({coarse:e}, {fine:e})"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The order that is computed from degree and quadrature.
fn computed(method: &str) -> usize {
    let budget = &mut Budget::new(1_000_000_000);
    DiscreteLagrangian::named(method, budget).unwrap().unwrap().order(budget).unwrap().unwrap()
}

fn with_computed_orders(cases: &[(&'static str, u64)]) -> Vec<(&'static str, u64, usize)> {
    cases.iter().map(|&(method, steps)| (method, steps, computed(method))).collect()
}

#[test]
fn orders_without_constraints_are_the_smaller_one_of_twice_the_degree_and_the_quadrature() {
    let cases = with_computed_orders(&[
        ("variational-euler", 400),
        ("variational-euler-adjoint", 400),
        ("variational-midpoint", 40),
        ("variational-trapezoid", 40),
        ("variational-simpson", 40),
        ("galerkin-1-gauss3", 40),
        ("galerkin-2-gauss2", 20),
        ("galerkin-2-gauss4", 20),
        ("galerkin-2-lobatto2", 40),
        ("galerkin-2-lobatto3", 20),
        ("galerkin-2-lobatto4", 20),
        ("galerkin-3-gauss3", 8),
        ("galerkin-3-gauss5", 8),
        ("galerkin-3-lobatto3", 20),
        ("galerkin-3-lobatto4", 8),
        ("galerkin-4-gauss4", 6),
        ("galerkin-4-gauss6", 6),
        ("galerkin-4-lobatto4", 8),
        ("galerkin-4-lobatto5", 6),
        ("symmetric:variational-euler", 40),
        ("triple:variational-midpoint", 40),
        ("triple:symmetric:variational-euler", 40),
        ("triple:galerkin-2-gauss2", 12),
    ]);
    let orders: Vec<usize> = cases.iter().map(|case| case.2).collect();
    assert_eq!(orders, [1, 1, 2, 2, 2, 2, 4, 4, 2, 4, 4, 6, 6, 4, 6, 8, 8, 6, 8, 2, 4, 4, 6]);
    assert_orders(&system("pendulum_angle", vec![]), "the pendulum", &cases);
    let double = with_computed_orders(&[
        ("variational-midpoint", 100),
        ("variational-trapezoid", 100),
        ("galerkin-2-gauss2", 40),
        ("galerkin-2-lobatto3", 40),
        ("galerkin-3-gauss3", 32),
        ("galerkin-3-lobatto4", 32),
        ("galerkin-4-gauss4", 32),
        ("galerkin-4-lobatto5", 32),
        ("triple:variational-midpoint", 100),
    ]);
    assert_orders(&system("double_pendulum", vec![]), "the double pendulum", &double);
}

#[test]
fn constraints_on_positions_keep_the_order_and_both_levels() {
    let pendulum = system("pendulum", vec![]);
    let cases = [
        ("variational-euler", 800, 1),
        ("variational-midpoint", 100, 2),
        ("variational-trapezoid", 100, 2),
        ("variational-simpson", 100, 2),
        ("galerkin-2-gauss2", 40, 4),
        ("galerkin-2-lobatto3", 40, 4),
        ("galerkin-3-gauss3", 20, 6),
        ("galerkin-3-lobatto4", 20, 6),
        ("galerkin-4-gauss4", 10, 8),
        ("galerkin-4-lobatto5", 10, 8),
        ("dirac-variational-2", 100, 2),
        ("dirac-variational-4", 40, 4),
        ("symmetric:variational-euler", 100, 2),
        ("triple:variational-midpoint", 80, 4),
        ("nullspace:galerkin-2-gauss2", 40, 4),
    ];
    assert_orders(&pendulum, "the pendulum in the plane", &cases);
    for (method, ..) in cases {
        let stepper = stepper(&pendulum, method, "1/100");
        let state = integrate(&stepper, 1000).unwrap();
        let phi = state[stepper.layout.largest_position_error(Measured::Own) as usize];
        let rate = state[stepper.layout.largest_velocity_error(Measured::Own) as usize];
        assert!(phi <= 1e-12 && rate <= 1e-12, "{method}: {phi} {rate}");
    }
}

#[test]
fn constraints_on_velocities_keep_the_order() {
    for (model, steps) in [
        ("sleigh", [50, 20, 10]),
        ("rolling_disc", [50, 20, 8]),
        ("nonholonomic_oscillator", [50, 20, 8]),
    ] {
        let cases = [
            ("variational-midpoint", steps[0], 2),
            ("dirac-alembert-2", steps[0], 2),
            ("variational-trapezoid", steps[0], 2),
            ("galerkin-2-gauss2", steps[1], 4),
            ("dirac-alembert-4", steps[1], 4),
            ("galerkin-2-lobatto3", steps[1], 4),
            ("galerkin-3-gauss3", steps[2], 6),
            ("galerkin-3-lobatto4", steps[2], 6),
            ("triple:variational-midpoint", 2 * steps[1], 4),
        ];
        let system = system(model, vec![]);
        assert_orders(&system, model, &cases);
        let stepper = stepper(&system, "galerkin-2-gauss2", "1/100");
        let state = integrate(&stepper, 1000).unwrap();
        let rate = state[stepper.layout.largest_velocity_error(Measured::Own) as usize];
        assert!(rate <= 1e-12, "{model}: {rate}");
    }
}

#[test]
fn forces_without_a_potential_keep_the_order() {
    for model in ["ziegler", "ziegler_angles", "ziegler_damped"] {
        let cases = [
            ("variational-midpoint", 20, 2),
            ("variational-trapezoid", 20, 2),
            ("galerkin-2-gauss2", 10, 4),
            ("galerkin-2-lobatto3", 10, 4),
            ("galerkin-3-gauss3", 4, 6),
        ];
        assert_orders(&system(model, vec!["P=3"]), model, &cases);
    }
}

/// Time in L, in a force and in a constraint that moves: the order, and the balance of energy.
const MOVING: &str = r#"
    coordinates = ["x", "y"]
    lagrangian.L = "(1 + t^2/4)*(x'^2 + y'^2)/2 - 3*y - x^2*y*sin(t)"
    constraints.rod = "(x - sin(2*t)/4)^2 + y^2 = (1 + t/5)^2"
    forces.x = "-x'/5 + cos(t)"
    initial.position = { x = 1, y = 0 }
    initial.velocity = { x = "7/10", y = "1/2" }
"#;

#[test]
fn time_in_everything_keeps_the_order_and_the_balance_of_energy() {
    let moving = written(MOVING);
    let cases = [
        ("variational-euler", 400, 1),
        ("variational-midpoint", 40, 2),
        ("variational-trapezoid", 40, 2),
        ("galerkin-2-gauss2", 10, 4),
        ("galerkin-2-lobatto3", 10, 4),
        ("galerkin-3-gauss3", 5, 6),
        ("symmetric:variational-euler", 40, 2),
        ("triple:variational-midpoint", 40, 4),
        ("nullspace:galerkin-2-gauss2", 10, 4),
    ];
    assert_orders(&moving, "a rod that moves", &cases);
    for (method, steps, order) in cases {
        let defect = |steps: u64| {
            let stepper = stepper(&moving, method, &format!("1/{steps}"));
            let state = integrate(&stepper, steps).unwrap();
            let phi = state[stepper.layout.largest_position_error(Measured::Own) as usize];
            assert!(phi <= 1e-12, "{method}: {phi}");
            state[stepper.layout.largest_energy_error(Measured::Own) as usize]
        };
        let slope = (defect(steps) / defect(2 * steps)).log2();
        assert!(slope > order as f64 - 0.3, "{method}: the balance has order {slope}");
    }
}

/// L is not quadratic in the velocities: a relativistic particle, and one on a sphere.
#[test]
fn lagrangians_that_are_not_quadratic_keep_the_order() {
    let free = r#"
        coordinates = ["x", "y"]
        lagrangian.L = "-sqrt(1 - x'^2 - y'^2) - x^2*y/2 - 2*y^2"
        initial.position = { x = 1, y = "1/2" }
        initial.velocity = { x = "1/2", y = "1/3" }
    "#;
    let bound = r#"
        coordinates = ["x", "y"]
        lagrangian.L = "-sqrt(1 - x'^2 - y'^2) - y/2"
        constraints.rod = "x^2 + y^2 = 1"
        initial.position = { x = "3/5", y = "4/5" }
        initial.velocity = { x = "2/5", y = "-3/10" }
    "#;
    let cases = [
        ("variational-midpoint", 40, 2),
        ("variational-trapezoid", 40, 2),
        ("galerkin-2-gauss2", 10, 4),
        ("galerkin-2-lobatto3", 10, 4),
        ("triple:variational-midpoint", 20, 4),
    ];
    assert_orders(&written(free), "a fast particle", &cases);
    assert_orders(&written(free), "a fast particle", &[("galerkin-3-gauss3", 20, 6)]);
    assert_orders(&written(bound), "a fast particle on a circle", &[("galerkin-3-gauss3", 5, 6)]);
    assert_orders(&written(bound), "a fast particle on a circle", &cases);
}

fn assert_same(system: &(System, Field), one: &str, other: &str, tolerance: f64) {
    let difference = distance(&end(system, one, 50), &end(system, other, 50));
    assert!(difference < tolerance, "{one} and {other}: {difference}");
}

#[test]
fn schemes_that_theory_says_are_the_same_are_the_same() {
    let kepler = system("kepler", vec!["e=0.3"]);
    assert_same(&kepler, "variational-midpoint", "midpoint", 1e-12);
    assert_same(&kepler, "variational-trapezoid", "sv", 1e-12);
    // Polynomials of degree s with s points of Gauss are collocation: Marsden and West (2001), 2.6.
    for (one, other) in [
        ("galerkin-2-gauss2", "gauss-2"),
        ("galerkin-3-gauss3", "gauss-3"),
        ("galerkin-2-lobatto3", "lobatto-iiia-iiib-3"),
    ] {
        assert_same(&kepler, one, other, 1e-12);
    }
    let double = system("double_pendulum", vec![]);
    assert_same(&double, "dirac-variational-4", "galerkin-2-gauss2", 1e-13);
    let pendulum = system("pendulum", vec![]);
    assert_same(&pendulum, "variational-trapezoid", "rattle", 1e-12);
    assert_same(&pendulum, "galerkin-2-lobatto3", "spark-lobatto-3", 1e-12);
    for method in ["variational-midpoint", "galerkin-2-gauss2", "galerkin-3-lobatto4"] {
        assert_same(&pendulum, method, &format!("nullspace:{method}"), 1e-12);
    }
    let sleigh = system("sleigh", vec![]);
    assert_same(&sleigh, "variational-midpoint", "nullspace:variational-midpoint", 1e-12);
    assert_same(&sleigh, "galerkin-2-gauss2", "dirac-alembert-4", 1e-13);
}

/// Φ*_h = Φ_{−h}⁻¹: a step and the step back by the adjoint lead to where they began.
#[test]
fn adjoints_undo_steps_backwards() {
    for (model, method, adjoint) in [
        ("pendulum_angle", "variational-euler", "adjoint:variational-euler"),
        ("double_pendulum", "variational-euler", "variational-euler-adjoint"),
        ("pendulum", "variational-euler", "adjoint:variational-euler"),
        ("pendulum", "galerkin-2-gauss2", "adjoint:galerkin-2-gauss2"),
        ("kepler", "triple:variational-midpoint", "adjoint:triple:variational-midpoint"),
        ("sleigh", "galerkin-2-gauss2", "galerkin-2-gauss2"),
    ] {
        let system = system(model, vec![]);
        let there = stepper(&system, method, "1/50");
        let mut back = stepper(&system, adjoint, "-1/50");
        let n = there.layout.dimension;
        let start = there.initial[..2 * n].to_vec();
        let middle = integrate(&there, 1).unwrap();
        back.initial[..2 * n].copy_from_slice(&middle[..2 * n]);
        let end = integrate(&back, 1).unwrap();
        let difference = distance(&start, &end[..2 * n]);
        assert!(difference < 1e-13, "{method} on {model}: {difference}");
        assert!(distance(&start, &middle[..2 * n]) > 1e-3);
    }
}

#[test]
fn fewer_points_than_the_degree_and_other_principles_are_refused() {
    let pendulum = system("pendulum_angle", vec![]);
    let sleigh = system("sleigh", vec![]);
    for (system, method, reason) in [
        (&pendulum, "galerkin-3-gauss2", "fewer points of quadrature"),
        (&pendulum, "variational-own", "no discrete Lagrangian of its own"),
        (&sleigh, "dirac-variational-2", "dirac-alembert-2"),
    ] {
        let refusal = made((&system.0, &system.1), method).unwrap_err().to_string();
        assert!(refusal.contains(reason), "{method}: {refusal}");
    }
}

/// A million steps: no drift of energy, and momenta to rounding.
#[test]
fn energy_does_not_drift_and_momenta_stay_at_rounding_for_a_million_steps() {
    for (model, method, step, energy) in [
        ("kepler", "galerkin-2-gauss2", "1/100", 1e-8),
        ("kepler", "variational-midpoint", "1/100", 1e-3),
        ("henon_heiles", "galerkin-2-gauss2", "1/50", 1e-10),
    ] {
        let (system, field) = system(model, vec![]);
        let options =
            Options { compensated: true, ..Options::new(step.parse::<Rational>().unwrap()) };
        let stepper = stepper_with((&system, &field), method, &options);
        let layout = stepper.layout;
        let compiled = Compiled::new(stepper, Backend::Native).unwrap();
        let mut integration = Integration::new(&compiled).unwrap();
        let error = |state: &[f64]| state[layout.largest_energy_error(Measured::Own) as usize];
        integration.advance(100_000).unwrap();
        let early = error(integration.state());
        integration.advance(900_000).unwrap();
        let state = integration.state();
        let late = error(state);
        assert!(late < energy && late < 1.1 * early, "{method} on {model}: {early:e} {late:e}");
        for k in 0..layout.momenta {
            let momentum = state[layout.largest_momentum_error(Measured::Own, k) as usize];
            assert!(momentum <= 1e-12, "{method} on {model}: {momentum:e}");
        }
    }
}

/// The rod that moves, with a discrete Lagrangian of its own.
fn own(lagrangian: &str) -> (System, Field) {
    let values = |x: &str, y: &str, v: [&str; 2], t: &str| {
        let [a, b] = v;
        format!("h*((1 + ({t})^2/4)*(({a})^2 + ({b})^2)/2 - 3*({y}) - ({x})^2*({y})*sin({t}))")
    };
    let slopes = ["(x_next - x)/h", "(y_next - y)/h"];
    let text = match lagrangian {
        "midpoint" => values("(x + x_next)/2", "(y + y_next)/2", slopes, "t + h/2"),
        _ => values("x", "y", slopes, "t"),
    };
    let forces = if lagrangian == "midpoint" { "" } else { "#" };
    let file = MOVING.replace("    forces.x", &format!("    {forces}forces.x"));
    written(&format!("{file}\n    discrete.L = \"{text}\"\n"))
}

#[test]
fn a_discrete_lagrangian_of_ones_own_makes_the_step_of_its_formula() {
    let midpoint = own("midpoint");
    assert_same(&midpoint, "variational-own", "variational-midpoint", 1e-12);
    assert_same(&midpoint, "adjoint:variational-own", "variational-midpoint", 1e-12);
    assert_same(&midpoint, "nullspace:variational-own", "variational-midpoint", 1e-12);
    let euler = own("euler");
    assert_same(&euler, "variational-own", "variational-euler", 1e-12);
    assert_same(&euler, "adjoint:variational-own", "variational-euler-adjoint", 1e-12);
    assert_same(&euler, "symmetric:variational-own", "symmetric:variational-euler", 1e-12);
    let difference =
        distance(&end(&euler, "variational-own", 50), &end(&euler, "variational-midpoint", 50));
    assert!(difference > 1e-4, "{difference}");
}

const PENDULUM: &str = r#"
    coordinates = ["x", "y"]
    lagrangian.L = "(x'^2 + y'^2)/2 - 981/100*y"
    constraints.rod = "x^2 + y^2 = 1"
    initial.position = { x = 1, y = 0 }
    initial.velocity = { x = 0, y = 0 }
"#;

#[test]
fn a_rod_that_is_given_twice_moves_as_one_and_its_multipliers_have_least_norm() {
    let once = written(PENDULUM);
    let twice = written(&format!("{PENDULUM}    constraints.again = \"2*x^2 + 2*y^2 = 2\"\n"));
    for method in ["variational-trapezoid", "galerkin-2-gauss2", "rattle", "gauss-2", "dirac-1"] {
        let (one, two) = (stepper(&once, method, "1/50"), stepper(&twice, method, "1/50"));
        assert_eq!(two.constraint_names, ["rod", "again"]);
        let run = |stepper: &isotrope_kernel::stepper::Stepper| {
            let compiled = Compiled::new(stepper.clone(), Backend::Native).unwrap();
            let mut integration = Integration::new(&compiled).unwrap();
            integration.advance(100).unwrap();
            integration.fill_row();
            integration.state().to_vec()
        };
        let (x, y) = (run(&one), run(&two));
        assert_eq!(x[..6], y[..6], "{method}");
        // λ A = λ₁ A + λ₂ 2A with the smallest λ₁² + λ₂²: λ/5 and 2λ/5.
        let lambda = x[one.layout.multiplier(0) as usize];
        let all = [0, 1].map(|j| y[two.layout.multiplier(j) as usize]);
        assert!(lambda.abs() > 1.0);
        assert!((all[0] - lambda / 5.0).abs() < 1e-12 * lambda.abs(), "{method}: {lambda} {all:?}");
        assert!((all[1] - 2.0 * lambda / 5.0).abs() < 1e-12 * lambda.abs(), "{method}: {all:?}");
    }
}

/// The bar of a parallelogram moves as a pendulum does; the second crank is kept without being
/// imposed, and takes its part of the load.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a closed form beside the run; last bits do not matter"
)]
fn a_linkage_with_a_rod_too_many_keeps_all_of_them() {
    let linkage = system("parallelogram", vec![]);
    for method in ["variational-midpoint", "galerkin-2-gauss2", "nullspace:galerkin-2-gauss2"] {
        let stepper = stepper(&linkage, method, "1/100");
        let names = ["crank1", "length", "level", "crank2"];
        assert_eq!(stepper.constraint_names, names);
        let compiled = Compiled::new(stepper.clone(), Backend::Native).unwrap();
        let mut integration = Integration::new(&compiled).unwrap();
        integration.advance(1000).unwrap();
        integration.fill_row();
        let state = integration.state();
        let layout = stepper.layout;
        let phi = state[layout.largest_position_error(Measured::Own) as usize];
        let rate = state[layout.largest_velocity_error(Measured::Own) as usize];
        assert!(phi < 1e-12 && rate < 1e-12, "{method}: {phi} {rate}");
        let lambda: Vec<f64> = (0..4).map(|j| state[layout.multiplier(j) as usize]).collect();
        // Where the rows are dependent, A₄ = A₁ + 2x A₂ + 2y A₃, the least norm is orthogonal to it.
        let (x, y) = (state[0], state[1]);
        let along = lambda[0] + 2.0 * x * lambda[1] + 2.0 * y * lambda[2] - lambda[3];
        assert!(along.abs() < 1e-10, "{method}: {along} {lambda:?}");
        // The reactions are those of the pendulum: m₂ takes what gravity and its acceleration leave.
        let v = [state[layout.velocity(0) as usize], state[layout.velocity(1) as usize]];
        let tension = -(v[0] * v[0] + v[1] * v[1] - 9.81 * y);
        let wanted = [2.0 * tension * x, 2.0 * tension * y];
        let found = [lambda[1] + 2.0 * x * lambda[3], lambda[2] + 2.0 * y * lambda[3]];
        assert!(distance(&wanted, &found) < 1e-9, "{method}: {wanted:?} {found:?}");
    }
    let angle = r#"
        coordinates = ["theta"]
        lagrangian.L = "3/2*theta'^2 + 3*981/100*cos(theta)"
        initial.position = { theta = "asin(3/5)" }
        initial.velocity = { theta = 1 }
    "#;
    let (wanted, found) =
        (end(&written(angle), "gauss-6", 100), end(&linkage, "galerkin-3-gauss3", 100));
    assert!(
        (wanted[0].sin() - found[0]).abs() < 1e-11 && (wanted[0].cos() + found[1]).abs() < 1e-11
    );
}
