//! Steppers against reference trajectories, and what they keep.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod adaptive;
mod affine;
mod canonical;
mod compositions;
mod contacts;
mod damped;
mod degenerate;
mod descriptor;
mod discrete;
mod energies;
mod ensembles;
mod failures;
mod groups;
mod multibody;
mod pace;
mod phase_space;
mod poisson;
mod port;
mod projections;
mod promises;
mod schemes;
mod spark;
mod state;
mod switching;
mod tangents;
mod two_steps;
mod variational;

use isotrope_algebra::{Budget, Rational};
use isotrope_derive::{Law, System, analyse, derive};
use isotrope_kernel::integrate::{
    Change, Compiled, Failure, Integration, Order, Tangent, Variations,
};
use isotrope_kernel::stepper::{Field, Options, Stepper, StepperError};
use isotrope_model::{ModelText, parse_model};
use isotrope_scheme::Method;
use isotrope_tape::backend::Backend;
use serde_json::Value;

pub(crate) fn system(model: &str, set: Vec<&str>) -> (System, Field) {
    let path = format!("{}/../../models/{model}.toml", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).unwrap();
    derived(&ModelText { set, ..ModelText::new(model, &bytes) })
}

/// The system of a model that is written in a test.
pub(crate) fn written(text: &str) -> (System, Field) {
    derived(&ModelText::new("test.toml", text.as_bytes()))
}

pub(crate) fn derived(text: &ModelText<'_>) -> (System, Field) {
    let model = parse_model(text).unwrap();
    let budget = &mut Budget::new(200_000_000);
    let mut system = derive(model, budget).unwrap();
    let analysis = analyse(&mut system, budget);
    let conserved: Vec<_> = analysis
        .conservation
        .conserved
        .iter()
        // What methods may keep: momenta of symmetries.
        .filter(|quantity| quantity.name != "energy" && quantity.law != Law::Direct)
        .map(|quantity| (quantity.name.clone(), quantity.expression))
        .collect();
    let field = Field::new(&system, &conserved).unwrap();
    (system, field)
}

pub(crate) fn stepper((system, field): &(System, Field), method: &str, step: &str) -> Stepper {
    stepper_with((system, field), method, &Options::new(step.parse::<Rational>().unwrap()))
}

pub(crate) fn stepper_with(
    (system, field): (&System, &Field),
    method: &str,
    options: &Options,
) -> Stepper {
    let budget = &mut Budget::new(1_000_000_000);
    let method = Method::named(method, budget).unwrap().unwrap();
    isotrope_kernel::stepper::stepper(&method, system, field, options, budget).unwrap()
}

/// First derivatives of steps.
pub(crate) fn first(compiled: &Compiled) -> Variations {
    Variations::new(compiled, Order::First, 16, &[], Backend::Native).unwrap()
}

/// At the initial values of the model, with changes of positions and velocities.
pub(crate) fn begun<'v>(
    variations: &'v Variations,
    compiled: &Compiled,
    changes: &[Vec<f64>],
) -> Tangent<'v> {
    let of = |state: &Vec<f64>| Change { state: state.clone(), parameters: vec![] };
    let changes: Vec<Change> = changes.iter().map(of).collect();
    let stepper = &compiled.stepper;
    Tangent::new(variations, &stepper.initial, &stepper.parameters, &changes).unwrap()
}

/// A scheme with the step 1/100, or why it does not apply to a system.
pub(crate) fn made(
    (system, field): (&System, &Field),
    method: &str,
) -> Result<Stepper, StepperError> {
    let budget = &mut Budget::new(1_000_000_000);
    let method = Method::named(method, budget).unwrap().unwrap();
    let options = Options::new("1/100".parse::<Rational>().unwrap());
    isotrope_kernel::stepper::stepper(&method, system, field, &options, budget)
}

/// The state after this many steps, by machine code, compared bit for bit with the interpreter.
pub(crate) fn integrate(stepper: &Stepper, steps: u64) -> Result<Vec<f64>, Failure> {
    let compiled = Compiled::new(stepper.clone(), Backend::Native).unwrap();
    let mut integration = Integration::new(&compiled)?;
    integration.advance(steps)?;
    let reference = Compiled::new(stepper.clone(), Backend::Interpreter).unwrap();
    let mut other = Integration::new(&reference)?;
    let few = steps.min(20);
    other.advance(few)?;
    let mut again = Integration::new(&compiled)?;
    again.advance(few)?;
    let bits = |state: &[f64]| state.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(other.state()), bits(again.state()));
    Ok(integration.state().to_vec())
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
        let stepper = stepper(&system(model, set), "gauss-4", "1/100");
        let state = integrate(&stepper, 1000).unwrap();
        let wanted = reference(name, "t=10");
        for (i, (found, wanted)) in state.iter().zip(&wanted).enumerate() {
            assert!((found - wanted).abs() < 1e-9, "{model} component {i}: {found} {wanted}");
        }
    }
}

/// The error at t = 1 with steps 1/20 and 1/40: its slope is the order.
#[test]
fn measured_orders_are_the_certified_ones() {
    let pendulum = system("pendulum", vec![]);
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
        let order =
            isotrope_certify::method(method, budget).unwrap().unwrap().certificate().order.unwrap();
        let error = |step: &str, steps: u64| {
            let state = integrate(&stepper(&pendulum, method, step), steps).unwrap();
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
