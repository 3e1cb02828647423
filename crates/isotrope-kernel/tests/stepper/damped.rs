//! Damping that keeps its structure.

use isotrope_kernel::integrate::{Compiled, Integration};
use isotrope_kernel::stepper::StepperError;
use isotrope_scheme::DiscretiseError;
use isotrope_tape::backend::Backend;

use super::{begun, first, made, stepper, written};

/// Two coupled pendulums of different masses, F = -c p.
const COUPLED: &str = r#"
    coordinates = ["x", "y"]
    parameters.c = "1/4"
    lagrangian.L = "x'^2 + 3*y'^2/2 + cos(x) + 2*cos(y) - (x - y)^2/4"
    forces = { x = "-2*c*x'", y = "-3*c*y'" }
    initial.position = { x = 1, y = "-1/2" }
    initial.velocity = { x = 0, y = 1 }
"#;

/// A mass matrix that varies.
const VARYING: &str = r#"
    coordinates = ["x", "y"]
    parameters.c = "1/4"
    lagrangian.L = "(x'^2 + (2 + cos(x))*y'^2)/2 - x^2/2 + cos(y)"
    forces = { x = "-c*x'", y = "-c*(2 + cos(x))*y'" }
    initial.position = { x = 1, y = "-1/2" }
    initial.velocity = { x = 0, y = 1 }
"#;

/// dq ∧ dp on pairs of changes, after a step and after the next.
fn ratios(model: &str, method: &str, step: &str) -> Vec<f64> {
    let compiled = Compiled::new(stepper(&written(model), method, step), Backend::Native).unwrap();
    let layout = compiled.stepper.layout;
    let variations = first(&compiled);
    let directions = layout.moving();
    let unit = |k: usize| (0..directions).map(|i| f64::from(i == k)).collect();
    let changes: Vec<Vec<f64>> = (0..directions).map(unit).collect();
    let mut tangent = begun(&variations, &compiled, &changes);
    let mut forms = Vec::new();
    for _ in 0..2 {
        tangent.advance(1).unwrap();
        let change = |slot: u32, k: usize| tangent.change(slot, k);
        let form = |a: usize, b: usize| -> f64 {
            let part = |i: usize| {
                let (q, p) = (layout.position(i), layout.momentum(i));
                change(q, a) * change(p, b) - change(p, a) * change(q, b)
            };
            (0..layout.dimension).map(part).sum()
        };
        let pairs = (0..directions).flat_map(|a| (0..a).map(move |b| (a, b)));
        forms.push(pairs.map(|(a, b)| form(a, b)).collect::<Vec<f64>>());
    }
    let pairs = forms[0].iter().zip(&forms[1]);
    pairs.filter(|(before, _)| before.abs() > 1e-3).map(|(before, after)| after / before).collect()
}

/// dΦᵀ ω dΦ = e^(−ch) ω, by compiled derivatives of steps; Gauss' method misses it.
#[test]
#[expect(clippy::disallowed_methods, reason = "a reference value, to 1e-12")]
fn conformal_steps_shrink_the_form_at_the_rate_of_the_damping() {
    let wanted = (-0.25f64 / 10.0).exp();
    let cases = [
        (COUPLED, "conformal-verlet", true),
        (COUPLED, "conformal-verlet-4", true),
        (COUPLED, "contact-2", true),
        (COUPLED, "conformal-midpoint", true),
        (VARYING, "conformal-midpoint", true),
        (VARYING, "gauss-1", false),
    ];
    for (model, method, kept) in cases {
        let ratios = ratios(model, method, "1/10");
        assert!(!ratios.is_empty());
        let worst = ratios.iter().map(|ratio| (ratio - wanted).abs()).fold(0.0, f64::max);
        assert_eq!(worst < 1e-11, kept, "{method}: {worst:e}");
    }
}

fn state(model: &str, method: &str, steps: u64) -> Vec<f64> {
    let step = format!("1/{steps}");
    let compiled = Compiled::new(stepper(&written(model), method, &step), Backend::Native).unwrap();
    let mut integration = Integration::new(&compiled).unwrap();
    integration.advance(steps).unwrap();
    let layout = integration.layout();
    let mut found = integration.state()[..layout.moving()].to_vec();
    found.extend(compiled.stepper.shown.iter().map(|&(_, slot)| integration.number(slot)));
    found
}

/// Also the action of contact steps, against s' = L − c s as a third coordinate.
#[test]
fn orders_of_damped_steps() {
    const WITH_ACTION: &str = r#"
        coordinates = ["x", "y", "a", "b", "s"]
        parameters.c = "1/4"
        initial.position = { x = 1, y = "-1/2", a = 0, b = 1, s = 0 }
        [equations]
        "x'" = "a"
        "y'" = "b"
        "a'" = "(-sin(x) - (x - y)/2)/2 - c*a"
        "b'" = "(-2*sin(y) + (x - y)/2)/3 - c*b"
        "s'" = "a^2 + 3*b^2/2 + cos(x) + 2*cos(y) - (x - y)^2/4 - c*s"
    "#;
    let reference = state(WITH_ACTION, "gauss-6", 50);
    for (method, order) in [
        ("conformal-verlet", 2),
        ("conformal-midpoint", 2),
        ("contact-2", 2),
        ("contact-4", 4),
        ("conformal-verlet-4", 4),
    ] {
        let error = |steps: u64| -> f64 {
            let found = state(COUPLED, method, steps);
            found.iter().zip(&reference).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let ratio = error(20) / error(40);
        let wanted = f64::from(1 << order);
        assert!((0.75 * wanted..1.4 * wanted).contains(&ratio), "{method}: {ratio}");
    }
}

#[test]
fn damping_that_is_not_even_is_refused() {
    let uneven = COUPLED.replace("-3*c*y'", "-c*y'");
    for model in [uneven.as_str(), VARYING] {
        let (system, field) = written(model);
        let refused = made((&system, &field), "conformal-verlet");
        let expected =
            matches!(refused, Err(StepperError::Discretise(DiscretiseError::NotApplicable { .. })));
        assert!(expected);
    }
}
