//! Derivatives of steps against differences of steps.

use isotrope_kernel::backend::Backend;
use isotrope_kernel::integrate::{Compiled, Integration, Tangent};

use super::{stepper, system};

/// q, v and p after two steps from a start with other positions and velocities.
fn moved(compiled: &Compiled, change: &[f64], factor: f64) -> Vec<f64> {
    let mut state = compiled.stepper.initial.clone();
    for (x, y) in state.iter_mut().zip(change) {
        *x += factor * y;
    }
    let parameters = compiled.stepper.parameters.clone();
    let mut integration = Integration::from(compiled, state, parameters).unwrap();
    integration.advance(2).unwrap();
    integration.state()[..3 * compiled.stepper.layout.dimension].to_vec()
}

/// Central differences of two sizes, extrapolated.
fn difference(compiled: &Compiled, change: &[f64]) -> Vec<f64> {
    let quotient = |h: f64| -> Vec<f64> {
        let (more, less) = (moved(compiled, change, h), moved(compiled, change, -h));
        more.iter().zip(&less).map(|(x, y)| (x - y) / (2.0 * h)).collect()
    };
    let (coarse, fine) = (quotient(2e-3), quotient(1e-3));
    coarse.iter().zip(&fine).map(|(c, f)| (4.0 * f - c) / 3.0).collect()
}

#[test]
fn tangents_are_derivatives_of_steps() {
    for (model, method) in [
        ("pendulum_angle", "rk4"),
        ("pendulum_angle", "yoshida-6"),
        ("sphere_drift", "rk4"),
        ("sphere_drift", "gauss-2"),
        ("sphere_drift", "midpoint"),
        ("double_pendulum", "lobatto-iiia-iiib-3"),
        ("pendulum", "trapezoid-c"),
        ("sphere_drift", "rattle"),
        ("double_pendulum", "rattle"),
        ("sleigh", "dirac-1"),
        ("sleigh", "dirac-2"),
        ("sleigh", "dla-midpoint"),
        ("henon_heiles", "midpoint"),
        ("kepler", "gauss-3"),
    ] {
        let stepper = stepper(&system(model, vec![]), method, "1/50");
        let compiled = Compiled::new(stepper, Backend::Native).unwrap();
        let stepper = &compiled.stepper;
        let n = stepper.layout.dimension;
        let changes =
            Tangent::admissible(&compiled, &stepper.initial, &stepper.parameters).unwrap();
        assert_eq!(
            changes.len(),
            2 * n
                - stepper.layout.constraints
                - if stepper.has_positions { stepper.layout.constraints } else { 0 }
        );
        let mut tangent =
            Tangent::new(&compiled, &stepper.initial, &stepper.parameters, &changes).unwrap();
        tangent.step().unwrap();
        tangent.step().unwrap();
        for (k, change) in changes.iter().enumerate() {
            let wanted = difference(&compiled, change);
            for (slot, wanted) in (0u32..).zip(wanted) {
                let found = tangent.change(slot, k);
                let enough = 2e-9 * (1.0 + wanted.abs());
                assert!(
                    (found - wanted).abs() < enough,
                    "{model} {method} {slot}: {found} {wanted}"
                );
            }
        }
    }
}

/// Guesses that are carried along do not count; positions before the last ones do.
#[test]
fn steps_of_one_step_methods_are_maps() {
    let wanted =
        [("rattle", true), ("gauss-2", true), ("rk4", true), ("dirac-1", true), ("dirac-2", false)];
    for (method, one_step) in wanted {
        let stepper = stepper(&system("pendulum", vec![]), method, "1/50");
        assert_eq!(stepper.is_one_step(), one_step, "{method}");
    }
}

/// What a step does to the 2-form dq∧dp on the constraint manifold.
fn form_defect(model: &str, method: &str, step: &str) -> f64 {
    let compiled =
        Compiled::new(stepper(&system(model, vec![]), method, step), Backend::Native).unwrap();
    let stepper = &compiled.stepper;
    let (layout, n) = (stepper.layout, stepper.layout.dimension);
    let changes = Tangent::admissible(&compiled, &stepper.initial, &stepper.parameters).unwrap();
    let mut tangent =
        Tangent::new(&compiled, &stepper.initial, &stepper.parameters, &changes).unwrap();
    let form = |tangent: &Tangent<'_>| -> Vec<f64> {
        let mut all = Vec::new();
        for a in 0..changes.len() {
            for b in 0..a {
                let term = |i: usize| {
                    let (q, p) = (layout.position(i), layout.momentum(i));
                    tangent.change(q, a) * tangent.change(p, b)
                        - tangent.change(q, b) * tangent.change(p, a)
                };
                all.push((0..n).map(term).sum());
            }
        }
        all
    };
    let before = form(&tangent);
    tangent.step().unwrap();
    let after = form(&tangent);
    before.iter().zip(&after).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

#[test]
fn symplectic_steps_keep_the_form_to_rounding() {
    for (model, method) in [
        ("henon_heiles", "midpoint"),
        ("henon_heiles", "yoshida-8"),
        ("double_pendulum", "rattle"),
        ("sphere_drift", "rattle"),
        ("pendulum", "rattle"),
    ] {
        let defect = form_defect(model, method, "1/50");
        assert!(defect < 1e-13, "{model} {method}: {defect}");
    }
}

/// On the sphere of the drift test the defects of one step have these powers of h.
#[test]
fn defects_of_the_form_have_their_powers() {
    for (method, power) in [("midpoint", 3.0), ("rk4", 5.0), ("lobatto-iiia-iiib-3", 5.0)] {
        let defect = |step: &str| form_defect("sphere_drift", method, step);
        let found = (defect("1/50") / defect("1/100")).log2();
        assert!((found - power).abs() < 0.25, "{method}: {found}");
    }
}
