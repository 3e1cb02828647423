//! Steps that are Poisson maps, and steps that are not.

use isotrope_kernel::integrate::{Compiled, Integration};
use isotrope_kernel::stepper::{Measured, StepperError};
use isotrope_tape::backend::Backend;

use super::{begun, first, integrate, made, stepper, system, written};

const MODELS: [&str; 4] = ["rigid_body", "lotka_volterra", "toda", "heavy_top"];

fn model(name: &str) -> String {
    format!("poisson/{name}")
}

/// The largest entry of dΦ D dΦᵀ − D∘Φ in a few steps.
fn defect(name: &str, method: &str, step: &str) -> f64 {
    let compiled =
        Compiled::new(stepper(&system(&model(name), vec![]), method, step), Backend::Native)
            .unwrap();
    let stepper = &compiled.stepper;
    let (layout, n) = (stepper.layout, stepper.layout.dimension);
    let variations = first(&compiled);
    let unit: Vec<Vec<f64>> =
        (0..n).map(|k| (0..2 * n).map(|i| f64::from(i == k)).collect()).collect();
    let mut tangent = begun(&variations, &compiled, &unit);
    let before = stepper.bracket_at(&stepper.initial, &stepper.parameters).unwrap();
    tangent.advance(3).unwrap();
    let after = stepper.bracket_at(tangent.state(), &stepper.parameters).unwrap();
    let change = |i: usize, j: usize| tangent.change(layout.position(i), j);
    let mut worst = 0.0;
    for (i, row) in after.iter().enumerate() {
        for (j, wanted) in row.iter().enumerate() {
            let mut sum = -wanted;
            for (k, row) in before.iter().enumerate() {
                for (l, entry) in row.iter().enumerate() {
                    sum += change(i, k) * entry * change(j, l);
                }
            }
            worst = f64::max(worst, sum.abs());
        }
    }
    worst
}

#[test]
fn compositions_of_exact_flows_are_poisson_maps() {
    for name in MODELS {
        for method in ["splitting-2", "splitting-4", "splitting-6"] {
            let defect = defect(name, method, "1/5");
            assert!(defect < 1e-13, "{name}, {method}: {defect:e}");
        }
    }
}

#[test]
fn steps_on_the_duals_of_so3_and_se3_are_poisson_maps() {
    for name in ["rigid_body", "heavy_top"] {
        for method in ["lie-poisson-2", "lie-poisson-4"] {
            let defect = defect(name, method, "1/5");
            assert!(defect < 1e-12, "{name}, {method}: {defect:e}");
        }
    }
}

/// It keeps quadratic Casimir functions and constant brackets, but not these.
#[test]
fn the_midpoint_rule_is_no_poisson_map_where_the_bracket_is_not_constant() {
    for name in MODELS {
        let [large, small] = ["1/10", "1/20"].map(|step| defect(name, "midpoint", step));
        let power = (large / small).log2();
        assert!(small > 1e-9 && (power - 3.0).abs() < 0.5, "{name}: {large:e} {small:e}");
    }
    let canonical = written(
        r#"
        coordinates = ["x", "p"]
        poisson = { hamiltonian = "p^2/2 - cos(x)", "x,p" = 1 }
        initial.position = { x = 1, p = 0 }
        "#,
    );
    let compiled = Compiled::new(stepper(&canonical, "midpoint", "1/5"), Backend::Native).unwrap();
    let variations = first(&compiled);
    let unit = [vec![1.0, 0.0, 0.0, 0.0], vec![0.0, 1.0, 0.0, 0.0]];
    let mut tangent = begun(&variations, &compiled, &unit);
    tangent.advance(3).unwrap();
    let area =
        tangent.change(0, 0) * tangent.change(1, 1) - tangent.change(0, 1) * tangent.change(1, 0);
    assert!((area - 1.0).abs() < 1e-12, "{area}");
}

/// Over many steps with a large step.
#[test]
fn casimir_functions_are_kept_to_rounding_and_the_energy_does_not_drift() {
    for (name, method) in [
        ("rigid_body", "splitting-2"),
        ("toda", "splitting-2"),
        ("heavy_top", "splitting-4"),
        ("rigid_body", "lie-poisson-2"),
        ("heavy_top", "lie-poisson-2"),
    ] {
        let compiled =
            Compiled::new(stepper(&system(&model(name), vec![]), method, "1/10"), Backend::Native)
                .unwrap();
        let layout = compiled.stepper.layout;
        let mut integration = Integration::new(&compiled).unwrap();
        integration.advance(20_000).unwrap();
        for k in 0..layout.momenta {
            let error = integration.number(layout.largest_momentum_error(Measured::Own, k));
            // Rounding adds up: 1e-16 in each of the steps.
            assert!(error < 5e-12, "{name}, {method}, C_{}: {error:e}", k + 1);
        }
        let energy = integration.number(layout.largest_energy_error(Measured::Own));
        assert!(energy < 0.05, "{name}, {method}: {energy:e}");
    }
}

#[test]
fn orders_are_those_of_the_compositions() {
    for name in MODELS {
        let problem = system(&model(name), vec![]);
        let n = problem.0.symbols.dimension();
        let end = |method: &str, step: &str, steps: u64| {
            integrate(&stepper(&problem, method, step), steps).unwrap()[..n].to_vec()
        };
        let exact = end("gauss-6", "1/20", 20);
        let mut methods = vec![("splitting-2", 2.0), ("splitting-4", 4.0), ("splitting-6", 6.0)];
        if ["rigid_body", "heavy_top"].contains(&name) {
            methods.extend([("lie-poisson-2", 2.0), ("lie-poisson-4", 4.0)]);
        }
        for (method, order) in methods {
            let [large, small] = [("1/5", 5), ("1/10", 10)].map(|(step, steps)| {
                let found = end(method, step, steps);
                let parts = found.iter().zip(&exact).map(|(x, y)| (x - y).abs());
                parts.fold(0.0, f64::max)
            });
            let measured = (large / small).log2();
            assert!((measured - order).abs() < 0.5, "{name}, {method}: {measured}");
        }
    }
}

/// Two roads: the steps of the body on SO(3), and those of its momentum alone.
#[test]
fn steps_on_the_dual_are_those_of_the_group_in_the_frame_of_the_body() {
    let group = written(
        r#"
        lie_group = { group = "SO(3)", inertia = [1, 2, 3] }
        initial.velocity = { "omega[1]" = "1/2", "omega[2]" = 1, "omega[3]" = "1/10" }
        "#,
    );
    let dual = written(
        r#"
        coordinates = ["m1", "m2", "m3"]
        initial.position = { m1 = "1/2", m2 = 2, m3 = "3/10" }
        [poisson]
        hamiltonian = "m1^2/2 + m2^2/4 + m3^2/6"
        "m1,m2" = "-m3"
        "m1,m3" = "m2"
        "m2,m3" = "-m1"
        "#,
    );
    let on_group = stepper(&group, "lie-cayley", "1/10");
    let first = on_group.layout.momentum(0) as usize;
    let momentum = integrate(&on_group, 100).unwrap()[first..first + 3].to_vec();
    let found = integrate(&stepper(&dual, "lie-poisson-2", "1/10"), 100).unwrap();
    for (x, y) in found.iter().zip(&momentum) {
        assert!((x - y).abs() < 1e-11, "{found:?} {momentum:?}");
    }
}

#[test]
fn what_cannot_be_split_or_recognised_is_refused() {
    let refused = |text: &str, method: &str| {
        let problem = written(text);
        match made((&problem.0, &problem.1), method) {
            Err(StepperError::Discretise(error)) => error.to_string(),
            other => panic!("{other:?}"),
        }
    };
    let coupled = r#"
        coordinates = ["x", "p"]
        poisson = { hamiltonian = "p^2*exp(x)*sin(x)", "x,p" = 1 }
        initial.position = { x = 1, p = 1 }
    "#;
    assert!(refused(coupled, "splitting-2").contains("not a sum of terms"));
    assert!(refused(coupled, "lie-poisson-2").contains("so(3)*"));
    let damped = r#"
        coordinates = ["x", "p"]
        port = { hamiltonian = "x^2/2 + p^2/2", J = { "x,p" = 1 }, R = { "p,p" = 1 } }
        initial.position = { x = 1, p = 1 }
    "#;
    assert!(refused(damped, "splitting-2").contains("Poisson maps"));
    assert!(refused(damped, "rattle").contains("state space"));
    let driven = r#"
        coordinates = ["x", "p"]
        poisson = { hamiltonian = "x^2/2 + p^2/2 + x*sin(t)", "x,p" = 1 }
        initial.position = { x = 1, p = 1 }
    "#;
    assert!(refused(driven, "splitting-2").contains("depends on time"));
}
