//! Schemes that look back.

use isotrope_kernel::integrate::Outcome;

use super::{integrate, stepper, system};

/// The difference of positions, velocities and momenta to a fine solution at t = 1.
fn distance(model: &str, method: &str, step: &str, steps: u64) -> f64 {
    let system = system(model, vec![]);
    let wanted = integrate(&stepper(&system, "gauss-6", "1/100"), 100).unwrap();
    let found = integrate(&stepper(&system, method, step), steps).unwrap();
    let numbers = 3 * stepper(&system, method, step).layout.dimension;
    found[..numbers].iter().zip(&wanted).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

/// Also in the first steps, so that the values before the start are right.
#[test]
fn schemes_that_look_back_have_their_orders() {
    for model in ["sleigh", "sleigh_incline", "double_pendulum"] {
        for (method, order) in [("ab3", 3.0), ("dirac-2-repaired", 2.0)] {
            let slope = (distance(model, method, "1/200", 200)
                / distance(model, method, "1/400", 400))
            .log2();
            assert!((slope - order).abs() < 0.2, "{method} on {model}: {slope}");
        }
    }
}

#[test]
fn adams_bashforth_evaluates_the_field_once_a_step() {
    assert_eq!(stepper(&system("sleigh", vec![]), "ab3", "1/100").evaluations, 1);
    assert_eq!(stepper(&system("sleigh", vec![]), "rk4-c", "1/100").evaluations, 4);
}

/// Its root −1 grows where the motion is damped along the constraint: an outcome, not an accident.
#[test]
fn the_repaired_two_step_scheme_blows_up_on_the_incline() {
    let stepper = stepper(&system("sleigh_incline", vec![]), "dirac-2-repaired", "1/100");
    let failure = integrate(&stepper, 800).unwrap_err();
    assert_eq!(failure.outcome, Outcome::NonFinite);
}
