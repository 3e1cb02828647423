//! Steppers against reference trajectories.

use isotrope_algebra::{Budget, Rational};
use isotrope_kernel::interpret::{Scratch, run, step};
use isotrope_kernel::stepper::{Field, Options, Stepper, runge_kutta};
use isotrope_model::{ModelText, parse_model};
use isotrope_scheme::derive::derive;
use isotrope_scheme::methods::table::catalogue;
use serde_json::Value;

fn field(model: &str, set: Vec<&str>) -> Field {
    let path = format!("{}/../../models/{model}.toml", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).unwrap();
    let text = ModelText { set, ..ModelText::new(model, &bytes) };
    let model = parse_model(&text).unwrap();
    let system = derive(model, &mut Budget::new(200_000_000)).unwrap();
    Field::new(&system).unwrap()
}

fn stepper(field: &Field, method: &str, step: &str) -> Stepper {
    let budget = &mut Budget::new(1_000_000_000);
    let table = catalogue(method, budget).unwrap().unwrap();
    let step: Rational = step.parse().unwrap();
    let tolerance = 1e-13 / step.to_f64();
    let options = Options { step, tolerance, max_iterations: 100 };
    runge_kutta(field, &table, &options, budget).unwrap()
}

fn integrate(stepper: &Stepper, steps: u64) -> Vec<f64> {
    let mut state = stepper.initial.clone();
    let parameters = &stepper.parameters;
    assert!(
        step(&stepper.start, &mut state, parameters, &mut Scratch::new(&stepper.start))
            .is_complete()
    );
    let scratch = &mut Scratch::new(&stepper.program);
    let outcome = run(&stepper.program, &mut state, parameters, steps, scratch);
    assert!(outcome.is_complete(), "{outcome:?}");
    state
}

fn reference(name: &str, time: &str) -> Vec<f64> {
    let all: Value = serde_json::from_str(include_str!("../data/refs.json")).unwrap();
    let list = all[name][time]["y"].as_array().unwrap();
    list.iter().map(|x| x.as_str().unwrap().parse().unwrap()).collect()
}

#[test]
fn gauss_4_reproduces_the_reference_trajectories() {
    let cases = [
        ("pendulum", vec![], "pendulum_cart_A"),
        ("sleigh", vec![], "sleigh_flat"),
        ("sleigh_incline", vec![], "sleigh_incline_rest"),
        ("three_particles", vec![], "three_particle"),
        ("ziegler", vec![], "ziegler_cart_P1.5"),
    ];
    for (model, set, name) in cases {
        let field = field(model, set);
        let stepper = stepper(&field, "gauss-4", "1/100");
        let state = integrate(&stepper, 1000);
        let wanted = reference(name, "t=10");
        for (i, (found, wanted)) in state.iter().zip(&wanted).enumerate() {
            assert!((found - wanted).abs() < 1e-9, "{model} component {i}: {found} {wanted}");
        }
    }
}

/// The error at t = 1 with steps 1/20 and 1/40: its slope is the order.
#[test]
fn measured_orders_are_the_certified_ones() {
    let field = field("pendulum", vec![]);
    let wanted = reference("pendulum_cart_A", "t=1");
    for method in [
        "euler",
        "symplectic-euler",
        "midpoint",
        "heun",
        "kutta3",
        "rk4",
        "sv",
        "gauss-2",
        "gauss-3",
        "radau-iia-2",
        "lobatto-iiia-iiib-3",
        "sdirk-crouzeix-2",
        "edirk2",
    ] {
        let budget = &mut Budget::new(1_000_000_000);
        let order = isotrope_scheme::certify::method(method, budget)
            .unwrap()
            .unwrap()
            .certificate()
            .order
            .unwrap();
        let error = |step: &str, steps: u64| {
            let state = integrate(&stepper(&field, method, step), steps);
            state.iter().zip(&wanted).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
        };
        let (coarse, fine) = if order <= 3 {
            (error("1/400", 400), error("1/800", 800))
        } else {
            (error("1/20", 20), error("1/40", 40))
        };
        let slope = (coarse / fine).log2();
        assert!((slope - order as f64).abs() < 0.35, "{method}: {slope} instead of {order}");
    }
}
