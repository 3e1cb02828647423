//! Steps that balance power.

use isotrope_derive::System;
use isotrope_kernel::integrate::{Compiled, Integration};
use isotrope_kernel::stepper::{Field, Measured, Options, StepperError};
use isotrope_scheme::DiscretiseError;
use isotrope_tape::backend::Backend;

use super::{made, stepper_with, system, written};

/// Not separable, with matrices, a resistance and a port that depend on the state, and an energy and an input that
/// depend on time.
const TANGLED: &str = r#"
    coordinates = ["x", "y", "z"]
    inputs.u = "cos(3*t)"
    initial.position = { x = "1/2", y = "-1/3", z = 1 }
    [port]
    hamiltonian = "(x^2 + 2*y^2 + z^2)/2 + x*y*z/2 + x^2*z^2/4 + x*sin(t)/3 + cos(y)"
    J = { "x,y" = "1 + z^2", "y,z" = "x", "x,z" = "sin(y)" }
    R = { "x,x" = "x^2", "x,y" = "1/10", "z,z" = "1/5" }
    g = { u = { y = "1", z = "x" } }
"#;

const BALANCED: [&str; 6] =
    ["discrete-gradient", "avf", "avf-4", "avf-6", "itoh-abe", "itoh-abe-2"];

struct End {
    state: Vec<f64>,
    energy: f64,
    supplied: f64,
    dissipated: f64,
    /// The largest defect of a step, and the largest sum of all defects.
    balance: f64,
    drift: f64,
    /// The largest energy on the way, at some places.
    scale: f64,
}

fn end((system, field): &(System, Field), method: &str, step: &str, steps: u64) -> End {
    let options = Options { tolerance: 1e-14, ..Options::new(step.parse().unwrap()) };
    let made = stepper_with((system, field), method, &options);
    let layout = made.layout;
    let compiled = Compiled::new(made, Backend::Native).unwrap();
    let mut integration = Integration::new(&compiled).unwrap();
    let mut scale: f64 = 0.0;
    for _ in 0..10 {
        integration.advance(steps / 10).unwrap();
        scale = scale.max(integration.number(layout.energy()).abs());
    }
    integration.fill_row();
    End {
        state: integration.state()[..layout.dimension].to_vec(),
        energy: integration.number(layout.energy()),
        supplied: integration.number(layout.supplied()),
        dissipated: integration.number(layout.dissipated()),
        balance: integration.number(layout.largest_power_balance()),
        drift: integration.number(layout.largest_energy_error(Measured::Own)),
        scale,
    }
}

/// ΔH = −h ∇̄Hᵀ R ∇̄H + h yᵀu whatever the step, and also where H depends on time; the midpoint rule misses it.
#[test]
fn discrete_gradients_balance_power_at_large_steps() {
    let parts = written(TANGLED);
    for method in BALANCED {
        let End { balance, scale, .. } = end(&parts, method, "1/10", 200);
        assert!(balance < 1e-13 * (1.0 + scale), "{method}: {balance:e} of {scale}");
    }
    let End { balance, .. } = end(&parts, "midpoint", "1/10", 200);
    assert!(balance > 1e-5, "midpoint: {balance:e}");
}

/// A well and a root, which no quadrature with few points integrates at such steps: H(x⁺) − H(x) itself is balanced.
/// At steps of 1/8 not all of these methods find their unknowns past the bend.
#[test]
fn energies_that_are_no_polynomials_are_balanced_where_steps_are_solved() {
    let parts = written(
        r#"
        coordinates = ["q", "p"]
        [port]
        hamiltonian = "p^2/2 + 1/(1 + 25*q^2) + sqrt(1 + 100*q^2)"
        J = { "q,p" = "1" }
        R = { "p,p" = "1/10" }
        [initial]
        position = { q = "7/10", p = "1/5" }
        "#,
    );
    for step in ["1/40", "1/20"] {
        for method in BALANCED {
            let End { balance, scale, .. } = end(&parts, method, step, 100);
            assert!(balance < 1e-13 * (1.0 + scale), "{method}, {step}: {balance:e} of {scale}");
        }
    }
    let End { balance, .. } = end(&parts, "gauss-3", "1/20", 100);
    assert!(balance > 1e-8, "gauss-3: {balance:e}");
}

/// The names of all models in `models/port`, with the steps of their runs.
fn examples() -> Vec<(String, String)> {
    let folder = format!("{}/../../models/port", env!("CARGO_MANIFEST_DIR"));
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    let with_step = |name: String| {
        let model = format!("port/{name}");
        let (system, _) = system(&model, vec![]);
        let step = system.model.run.step.expect("every example has a step");
        let step = system.model.pool.as_number(step).unwrap().to_string();
        (model, step)
    };
    names.into_iter().map(with_step).collect()
}

/// Every example: 10⁵ steps of its own length, and what is stored is what was supplied and not dissipated, to 10⁻¹² of
/// the largest of the three.
#[test]
fn examples_balance_power_over_a_hundred_thousand_steps() {
    let examples = examples();
    assert!(examples.len() >= 14);
    let mut failed = Vec::new();
    for (model, step) in &examples {
        let parts = system(model, vec![]);
        let whole = parts.0.mechanics.state().is_some_and(|state| state.descriptor.is_none());
        for method in ["discrete-gradient", "avf", "itoh-abe-2", "avf-4"] {
            // Descriptor systems have no differences of H along coordinates.
            if method == "itoh-abe-2" && !whole {
                continue;
            }
            let End { balance, drift, scale, energy, supplied, dissipated, .. } =
                end(&parts, method, step, 100_000);
            let size = scale.max(supplied.abs()).max(dissipated.abs());
            let report = format!("{model}, {method}: {drift:e} of {size:e}, {balance:e} in a step");
            println!("{report}");
            if !energy.is_finite() || drift > 1e-12 * size || balance > 1e-14 * size {
                failed.push(report);
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

/// Measured orders on examples, against Gauss' method with six stages.
#[test]
fn collocation_has_its_order_on_the_examples() {
    for (model, time, steps) in [
        ("port/lotka_volterra", 2, [20, 40]),
        ("port/viv_3", 2, [10, 20]),
        ("port/rigid_body", 4, [20, 40]),
        ("port/dc_motor", 1, [20, 40]),
        ("port/lc_circuit", 2, [20, 40]),
    ] {
        let parts = system(model, vec![]);
        let at =
            |method: &str, steps: u64| end(&parts, method, &format!("{time}/{steps}"), steps).state;
        let reference = at("gauss-6", 400);
        let error = |method: &str, steps: u64| -> f64 {
            let state = at(method, steps);
            state.iter().zip(&reference).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        for (method, order) in [("avf-4", 4.0), ("avf-6", 6.0)] {
            let (coarse, fine) = (error(method, steps[0]), error(method, steps[1]));
            let measured = logarithm(coarse / fine);
            println!("{model}, {method}: {measured}, {fine:e}");
            assert!((measured - order).abs() < 0.15, "{model}, {method}: {measured}, {fine:e}");
        }
    }
}

/// log₂.
fn logarithm(x: f64) -> f64 {
    x.log2()
}

/// A second road to the balance: the energies of the states by the formula of the file.
#[test]
#[expect(clippy::disallowed_methods, reason = "a reference to 1e-12")]
fn what_is_stored_is_supplied_and_not_dissipated() {
    let parts = system("port/dc_motor", vec![]);
    let energy = |x: &[f64]| x[0] * x[0] / 0.4 + x[2] * x[2] / 0.2 + 0.5 * (1.0 - x[1].cos());
    for method in BALANCED {
        let end = end(&parts, method, "1/20", 400);
        let change = energy(&end.state) - energy(&[0.0, 0.5, 0.0]);
        let defect = (change - end.supplied + end.dissipated).abs();
        assert!(defect < 1e-12, "{method}: {defect:e}");
        assert!(end.dissipated > 1.0 && end.supplied > 1.0);
    }
}

/// Global errors at t = 1 against Gauss' method with six stages.
#[test]
fn orders_are_those_of_the_theorems() {
    let parts = written(TANGLED);
    let reference = end(&parts, "gauss-6", "1/80", 80).state;
    let error = |method: &str, steps: u64| -> f64 {
        let End { state, .. } = end(&parts, method, &format!("1/{steps}"), steps);
        state.iter().zip(&reference).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    for (method, order) in [
        ("discrete-gradient", 2),
        ("avf", 2),
        ("avf-4", 4),
        ("avf-6", 6),
        ("itoh-abe", 1),
        ("itoh-abe-2", 2),
    ] {
        let (coarse, fine) = (error(method, 20), error(method, 40));
        let ratio = coarse / fine;
        let wanted = f64::from(1 << order);
        assert!((0.75 * wanted..1.4 * wanted).contains(&ratio), "{method}: {ratio}, {fine:e}");
    }
}

/// Four energies and structures of one motion, with ports whose inputs are 1 or feed the state back.
#[test]
fn forms_of_the_same_equations_move_alike() {
    let wanted = end(&system("viv", vec![]), "gauss-4", "1/50", 250);
    for form in 1..=4 {
        let parts = system(&format!("port/viv_{form}"), vec![]);
        let found = end(&parts, "gauss-4", "1/50", 250);
        for (a, b) in found.state.iter().zip(&wanted.state) {
            assert!((a - b).abs() < 1e-12, "form {form}: {a} {b}");
        }
        // The power through ports is that of each form, and it is balanced to the order of the method.
        let other = end(&parts, "avf-4", "1/50", 250);
        assert!(other.drift < 1e-13 * (1.0 + other.scale), "form {form}: {:e}", other.drift);
    }
}

/// With a quadratic energy all discrete gradients that are symmetric are the midpoint rule.
#[test]
fn quadratic_energies_make_the_midpoint_rule_of_discrete_gradients() {
    let parts = system("port/van_der_pol", vec![]);
    let wanted = end(&parts, "midpoint", "1/20", 500).state;
    for method in ["discrete-gradient", "avf", "itoh-abe-2"] {
        let found = end(&parts, method, "1/20", 500).state;
        for (a, b) in found.iter().zip(&wanted) {
            assert!((a - b).abs() < 1e-11, "{method}: {a} {b}");
        }
    }
}

#[test]
fn equations_without_a_hamiltonian_are_refused() {
    let file = r#"
        coordinates = ["x"]
        equations."x'" = "-x"
        initial.position = { x = 1 }
    "#;
    let (system, field) = written(file);
    for name in BALANCED {
        let refused = made((&system, &field), name);
        let Err(StepperError::Discretise(DiscretiseError::NotApplicable { reason })) = refused
        else {
            panic!("{name} should not apply");
        };
        assert!(reason.contains("[port]"), "{reason}");
    }
}
