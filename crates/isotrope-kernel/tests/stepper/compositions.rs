//! Compositions run with the orders that were proved.

use isotrope_algebra::Budget;
use isotrope_certify::method_names;
use isotrope_derive::System;
use isotrope_kernel::stepper::Field;
use isotrope_methods::named_composition;
use isotrope_scheme::Method;

use super::{integrate, reference, stepper, system};

/// log₂ of the quotient of the errors at a time with a step and half of it.
fn slope(problem: &(System, Field), name: &str, time: u64, method: &str, steps: u64) -> f64 {
    let wanted = reference(name, &format!("t={time}"));
    let error = |steps: u64| {
        let stepper = stepper(problem, method, &format!("1/{steps}"));
        let state = integrate(&stepper, time * steps).unwrap();
        state.iter().zip(&wanted).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
    };
    (error(steps) / error(2 * steps)).log2()
}

#[test]
fn compositions_have_their_orders_on_the_angle_pendulum() {
    let pendulum = system("pendulum_angle", vec![]);
    for (method, order, time, steps) in [
        ("yoshida-4", 4.0, 1, 80),
        ("yoshida-6", 6.0, 1, 40),
        ("yoshida-8", 8.0, 1, 60),
        ("suzuki-umeno-8", 8.0, 10, 16),
    ] {
        let found = slope(&pendulum, "pendulum_theta_g981", time, method, steps);
        assert!((found - order).abs() < 0.15, "{method}: {found}");
    }
}

/// Multipliers depend on velocities: each of the steps is implicit.
#[test]
fn compositions_have_their_orders_where_forces_depend_on_velocities() {
    let pendulum = system("pendulum", vec![]);
    for (method, order, steps) in [("yoshida-4", 4.0, 160), ("suzuki-umeno-8", 8.0, 40)] {
        let found = slope(&pendulum, "pendulum_cart_A", 1, method, steps);
        assert!((found - order).abs() < 0.3, "{method}: {found}");
    }
}

/// One evaluation for each step of Störmer-Verlet, and one at the end: neighbours share theirs.
#[test]
fn steps_of_a_composition_share_evaluations() {
    let pendulum = system("pendulum_angle", vec![]);
    for (method, steps) in [("verlet", 1), ("yoshida-4", 3), ("yoshida-8", 15)] {
        let stepper = stepper(&pendulum, method, "1/100");
        assert!(stepper.program.variables.is_empty(), "{method} is explicit");
        assert_eq!(stepper.evaluations, steps + 1, "{method}");
    }
}

#[test]
fn compositions_of_the_list_can_be_run() {
    let budget = &mut Budget::new(u64::MAX);
    let compositions = |name: &String| named_composition(name, &mut Budget::new(u64::MAX));
    let names: Vec<String> =
        method_names().into_iter().filter(|name| compositions(name).unwrap().is_some()).collect();
    assert_eq!(names.len(), 4);
    for name in names {
        assert_eq!(Method::named(&name, budget).unwrap().unwrap().name(), name);
    }
}
