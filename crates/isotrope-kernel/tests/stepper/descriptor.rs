//! Descriptor systems: steps on the underlying equations, and steps that balance power with a singular matrix E.

use isotrope_derive::System;
use isotrope_kernel::integrate::{Compiled, Integration};
use isotrope_kernel::stepper::{Field, Measured, Options, StepperError};
use isotrope_scheme::DiscretiseError;
use isotrope_tape::backend::Backend;

use super::{made, stepper_with, system, written};

struct End {
    state: Vec<f64>,
    energy: f64,
    supplied: f64,
    dissipated: f64,
    /// The largest defect of the balance in a step, and of all together.
    balance: f64,
    drift: f64,
    /// The largest residual of a constraint.
    violated: f64,
}

fn end((system, field): &(System, Field), method: &str, step: &str, steps: u64) -> End {
    let options = Options { tolerance: 1e-14, ..Options::new(step.parse().unwrap()) };
    let made = stepper_with((system, field), method, &options);
    let layout = made.layout;
    let compiled = Compiled::new(made, Backend::Native).unwrap();
    let mut integration = Integration::new(&compiled).unwrap();
    integration.advance(steps).unwrap_or_else(|failure| panic!("{method}: {failure:?}"));
    integration.fill_row();
    End {
        state: integration.state()[..layout.dimension].to_vec(),
        energy: integration.number(layout.energy()),
        supplied: integration.number(layout.supplied()),
        dissipated: integration.number(layout.dissipated()),
        balance: integration.number(layout.largest_power_balance()),
        drift: integration.number(layout.largest_energy_error(Measured::Own)),
        violated: integration.number(layout.largest_position_error(Measured::Own)),
    }
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// The pendulum in its angle.
const ANGLE: &str = r#"
    coordinates = ["theta"]
    lagrangian.L = "theta'^2/2 + 981/100*cos(theta)"
    forces.theta = "sin(2*t) - theta'/10"
    initial.position = { theta = 0.64350110879328438680 }
    initial.velocity = { theta = 0 }
"#;

#[test]
#[expect(clippy::disallowed_methods, reason = "a reference to 1e-11")]
fn the_pendulum_with_a_multiplier_is_the_pendulum_in_its_angle() {
    let angle = end(&written(ANGLE), "gauss-6", "1/40", 120).state[0];
    for method in ["gauss-6", "dop853"] {
        let End { state, violated, .. } =
            end(&system("port/pendulum_multiplier", vec![]), method, "1/40", 120);
        let off = distance(&state[..2], &[angle.sin(), -angle.cos()]);
        assert!(off < 1e-11, "{method}: {off:e}");
        assert!(violated < 1e-10, "{method}: {violated:e}");
    }
}

/// The same loop with the charge of the first capacitor and the current of the source eliminated by hand.
const REDUCED: &str = r#"
    coordinates = ["q2", "phi"]
    equations."q2'" = "(cos(t) + phi)*2/3 - 2*phi"
    equations."phi'" = "q2/2 - phi/5"
    initial.position = { q2 = -1, phi = 0 }
"#;

#[test]
#[expect(clippy::disallowed_methods, reason = "a reference to 1e-12")]
fn circuits_are_those_that_are_reduced_by_hand() {
    let wanted = end(&written(REDUCED), "gauss-6", "1/20", 100).state;
    let found = end(&system("port/capacitor_loop", vec![]), "gauss-6", "1/20", 100);
    assert!(distance(&found.state[1..3], &wanted) < 1e-12, "{:?} {wanted:?}", found.state);
    assert!(found.violated < 1e-12, "{:e}", found.violated);
    let t = 5.0f64;
    let current = (t.cos() + wanted[1]) * 2.0 / 3.0;
    assert!((found.state[3] - current).abs() < 1e-12);
    // One capacitor between two resistances: q' = a sin 3t − b q.
    let (c, g1) = (0.5, 1.0);
    let g = 1.0 / 3.0 + 2.0 * 0.2 / 2.2;
    let (a, b) = (g / (g1 + g), g1 * g / (c * (g1 + g)));
    let charge = a * (b * (3.0 * t).sin() - 3.0 * (3.0 * t).cos() + 3.0 * (-b * t).exp());
    let charge = charge / (b * b + 9.0);
    let found = end(&system("port/rc_network", vec![]), "gauss-6", "1/20", 100);
    assert!((c * (found.state[0] - found.state[1]) - charge).abs() < 1e-12);
    let v1 = ((3.0 * t).sin() + g * charge / c) / (g1 + g);
    for method in ["avf", "avf-4", "avf-6"] {
        let found = end(&system("port/rc_network", vec![]), method, "1/100", 500);
        assert!((found.state[0] - v1).abs() < 1e-3, "{method}: {}", found.state[0] - v1);
        // Node voltages follow from the constraints at the end of the step.
        assert!(found.violated < 1e-14, "{method}: {:e}", found.violated);
    }
}

const MODELS: [(&str, &str); 3] = [
    ("port/pendulum_multiplier", "1/100"),
    ("port/rc_network", "1/50"),
    ("port/capacitor_loop", "1/50"),
];

/// ΔH = −h Σ b eᵀRe + h Σ b yᵀu whatever E is: 10⁵ steps, to 10⁻¹² of what went through.
#[test]
fn steps_with_a_singular_matrix_balance_power_over_a_hundred_thousand_steps() {
    for (model, step) in MODELS {
        let parts = system(model, vec![]);
        for method in ["avf", "avf-4", "discrete-gradient"] {
            let End { balance, drift, energy, supplied, dissipated, .. } =
                end(&parts, method, step, 100_000);
            let size = energy.abs() + supplied.abs() + dissipated.abs();
            println!("{model} {method}: step {balance:e}, all {drift:e} of {size}");
            assert!(drift < 1e-12 * size, "{model}, {method}: {drift:e} of {size}");
            assert!(balance < 1e-13 * (1.0 + size), "{model}, {method}: {balance:e}");
        }
    }
    // The midpoint rule on the underlying equations does not.
    let End { drift, .. } = end(&system(MODELS[0].0, vec![]), "midpoint", "1/100", 1000);
    assert!(drift > 1e-7, "{drift:e}");
}

/// x·e_p = 0 at the stages, x' = e_p/m, and Gauss' quadrature is exact for (x²)'.
#[test]
fn means_of_efforts_keep_the_length_of_the_pendulum() {
    for method in ["avf", "avf-4", "avf-6"] {
        let End { state, .. } = end(&system(MODELS[0].0, vec![]), method, "1/20", 2000);
        let length = state[0] * state[0] + state[1] * state[1];
        assert!((length - 1.0).abs() < 1e-11, "{method}: {:e}", length - 1.0);
    }
}

/// Index 1 has the orders 2s. Index 2 has those of Gauss' methods with s stages there, s + 1 for odd s and s for even s
/// (E. Hairer, C. Lubich and M. Roche, The Numerical Solution of Differential-Algebraic Systems by Runge–Kutta Methods,
/// 1989).
///
/// Measured at t = 1, against Gauss' method with six stages on the underlying equations, all states and multipliers.
#[test]
fn orders_of_steps_with_a_singular_matrix() {
    let wanted: [(&str, [f64; 3]); 3] = [
        ("port/pendulum_multiplier", [2.0, 2.0, 4.0]),
        ("port/rc_network", [2.0, 4.0, 6.0]),
        ("port/capacitor_loop", [2.0, 2.0, 4.0]),
    ];
    for (model, orders) in wanted {
        let parts = system(model, vec![]);
        let reference = end(&parts, "gauss-6", "1/80", 80).state;
        let error = |method: &str, steps: u64| -> f64 {
            let End { state, .. } = end(&parts, method, &format!("1/{steps}"), steps);
            distance(&state, &reference)
        };
        for ((method, steps), order) in
            [("avf", 40), ("avf-4", 40), ("avf-6", 8)].into_iter().zip(orders)
        {
            let (coarse, fine) = (error(method, steps), error(method, 2 * steps));
            let found = (coarse / fine).log2();
            println!("{model} {method}: {found:.2} ({fine:e})");
            assert!((found - order).abs() < 0.3, "{model}, {method}: {found}");
        }
    }
}

/// x = u, p = u', lam = u'' + u with u = sin 2t.
const INDEX_THREE: &str = r#"
    coordinates = ["x", "p", "lam"]
    inputs.u = "sin(2*t)"
    initial.position = { x = 0, p = 2 }
    [port]
    hamiltonian = "p^2/2 + x^2/2"
    E = { "x,x" = 1, "p,p" = 1 }
    J = { "x,p" = 1, "x,lam" = "-1/2", "p,lam" = "1/2" }
    R = { "x,lam" = "-1/2", "p,lam" = "-1/2" }
    g = { u = { lam = -1 } }
"#;

#[test]
#[expect(clippy::disallowed_methods, reason = "a reference to 1e-12")]
fn a_prescribed_motion_needs_its_force() {
    let parts = written(INDEX_THREE);
    let (x, p) = (4.0f64.sin(), 2.0 * 4.0f64.cos());
    let found = end(&parts, "gauss-6", "1/40", 80);
    assert!(distance(&found.state, &[x, p, -3.0 * x]) < 1e-12, "{:?}", found.state);
    let found = end(&parts, "avf", "1/100", 200);
    assert!(distance(&found.state, &[x, p, -3.0 * x]) < 2e-3, "{:?}", found.state);
    assert!(found.balance < 1e-14, "{:e}", found.balance);
    let refused = made((&parts.0, &parts.1), "avf-4");
    let Err(StepperError::Discretise(DiscretiseError::NotApplicable { reason })) = refused else {
        panic!("avf-4 should not apply");
    };
    assert!(reason.contains("index 3"), "{reason}");
}

#[test]
fn differences_of_energies_along_coordinates_are_refused() {
    let (system, field) = system(MODELS[0].0, vec![]);
    for name in ["itoh-abe", "itoh-abe-2", "splitting-2"] {
        let refused = made((&system, &field), name);
        let Err(StepperError::Discretise(DiscretiseError::NotApplicable { reason })) = refused
        else {
            panic!("{name} should not apply");
        };
        assert!(reason.contains("matrix E"), "{reason}");
    }
}
