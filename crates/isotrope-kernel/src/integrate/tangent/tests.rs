//! Compiled derivatives against the reference, which executes rates one operation after the other.

use isotrope_algebra::{Budget, Rational};
use isotrope_derive::derive;
use isotrope_model::{ModelText, parse_model};

use super::reference::{Differentiated, Forward, Moving};
use super::{Change, Order, Tangent, Variations};
use crate::integrate::Compiled;
use crate::stepper::{Field, Options, stepper};
use isotrope_scheme::Method;
use isotrope_tape::backend::Backend;

fn compiled(model: &str, method: &str) -> Compiled {
    let path = format!("{}/../../models/{model}.toml", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).unwrap();
    let model = parse_model(&ModelText::new(model, &bytes)).unwrap();
    let budget = &mut Budget::new(1_000_000_000);
    let system = derive(model, budget).unwrap();
    let field = Field::new(&system, &[]).unwrap();
    let method = Method::named(method, budget).unwrap().unwrap();
    let options = Options::new("1/50".parse::<Rational>().unwrap());
    let stepper = stepper(&method, &system, &field, &options, budget).unwrap();
    Compiled::new(stepper, Backend::Native).unwrap()
}

/// All families: tables, compositions, variational and Galerkin methods, projections, constraints.
const PAIRS: [(&str, &str); 14] = [
    ("pendulum_angle", "rk4"),
    ("pendulum_angle", "yoshida-6"),
    ("sphere_drift", "rk4"),
    ("sphere_drift", "gauss-2"),
    ("double_pendulum", "lobatto-iiia-iiib-3"),
    ("pendulum", "trapezoid-c"),
    ("double_pendulum", "rattle"),
    ("sleigh", "dirac-1"),
    ("sleigh", "dirac-2"),
    ("sleigh", "dla-midpoint"),
    ("henon_heiles", "midpoint"),
    ("kepler", "gauss-3"),
    ("kepler", "variational-midpoint"),
    ("pendulum_angle", "galerkin-2-gauss2"),
];

#[test]
fn compiled_rates_are_those_of_the_reference() {
    for (model, method) in PAIRS {
        let compiled = compiled(model, method);
        let stepper = &compiled.stepper;
        let native = Variations::new(&compiled, Order::First, 16, &[], Backend::Native).unwrap();
        let (initial, parameters) = (&stepper.initial, &stepper.parameters);
        let changes = native.admissible(initial, parameters).unwrap();
        let list: Vec<Change> = changes
            .iter()
            .map(|change| Change { state: change.clone(), parameters: vec![] })
            .collect();
        let mut tangent = Tangent::new(&native, initial, parameters, &list).unwrap();
        tangent.advance(3).unwrap();
        let directions = changes.len();
        let mut rates = vec![0.0; initial.len() * directions];
        for (k, change) in changes.iter().enumerate() {
            for (i, &x) in change.iter().enumerate() {
                rates[i * directions + k] = x;
            }
        }
        let mut state = initial.clone();
        stepper.scaling.fill(&mut state, parameters);
        let mut moving = Moving { state, rates, directions };
        let mut forward = Forward::default();
        forward.step(&Differentiated::new(&stepper.start), &mut moving, parameters).unwrap();
        let program = stepper.newton.as_ref().unwrap_or(&stepper.program);
        for _ in 0..3 {
            forward.step(&Differentiated::new(program), &mut moving, parameters).unwrap();
        }
        for slot in 0..3 * stepper.layout.dimension {
            for k in 0..directions {
                let (found, wanted) =
                    (tangent.change(slot as u32, k), moving.rates[slot * directions + k]);
                assert!(
                    (found - wanted).abs() < 1e-12 * (1.0 + wanted.abs()),
                    "{model} {method} {slot} {k}: {found} {wanted}"
                );
            }
        }
        // Another executor: the same bits.
        let interpreted =
            Variations::new(&compiled, Order::First, 16, &[], Backend::Interpreter).unwrap();
        let mut other = Tangent::new(&interpreted, initial, parameters, &list).unwrap();
        other.advance(3).unwrap();
        for (a, b) in tangent.batches.iter().zip(&other.batches) {
            assert!(a.state.iter().zip(&b.state).all(|(x, y)| x.to_bits() == y.to_bits()));
        }
    }
}

#[test]
fn directions_in_many_batches_are_those_in_one() {
    let compiled = compiled("double_pendulum", "rattle");
    let (initial, parameters) = (&compiled.stepper.initial, &compiled.stepper.parameters);
    let rates = |width: usize| -> Vec<u64> {
        let variations =
            Variations::new(&compiled, Order::First, width, &[], Backend::Native).unwrap();
        assert_eq!(variations.width(), width);
        let vectors = variations.admissible(initial, parameters).unwrap();
        assert!(vectors.len() > 3);
        let change = |state: &Vec<f64>| Change { state: state.clone(), parameters: vec![] };
        let changes: Vec<Change> = vectors.iter().map(change).collect();
        let mut tangent = Tangent::new(&variations, initial, parameters, &changes).unwrap();
        tangent.advance(3).unwrap();
        assert_eq!(tangent.change(0, changes.len()), 0.0, "there is no such direction");
        let slots = 0..compiled.stepper.layout.mechanical() as u32;
        let all = slots.flat_map(|slot| (0..changes.len()).map(move |k| (slot, k)));
        all.map(|(slot, k)| tangent.change(slot, k).to_bits()).collect()
    };
    let alone = rates(1);
    assert!(alone.iter().any(|&bits| bits != 0));
    assert_eq!(rates(3), alone);
}
