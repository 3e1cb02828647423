//! Shipped models ask for no more than their class.

use isotrope_algebra::Budget;
use isotrope_algebra::modular::Random;
use isotrope_construct::problem::{Parameters, Problem, ProblemError};
use isotrope_construct::symbolic::{Route, conditions as symbolic};
use isotrope_derive::derive;
use isotrope_methods::classes::{Class, Part, Structure, conditions};
use isotrope_model::{ModelText, parse_model};

use crate::support::{contained, shipped, shipped_model};

#[test]
fn shipped_models_ask_for_no_more_than_their_class() {
    let order = 4;
    for (name, class, ranks, proved) in [
        ("pendulum", Class::Sphere, [2, 4, 7, 10], true),
        ("sleigh", Class::Natural, [2, 5, 12, 19], true),
        ("three_particles", Class::Sphere, [2, 4, 8, 17], false),
        ("ziegler", Class::Quadrics, [2, 4, 10, 28], false),
        // Here it is all that the class asks for, and proved.
        ("nonholonomic_oscillator", Class::Bilinear, [2, 4, 11, 33], true),
    ] {
        let problem = shipped_model(name, Parameters::Symbols);
        let budget = &mut Budget::new(1_000_000_000);
        let seen = symbolic(&problem, order, budget).unwrap();
        let random = &mut Random::new(1);
        let budget = &mut Budget::new(100_000_000_000);
        let all = conditions(class, Structure::Submanifold, order, random, budget, &mut |_| {});
        let all = all.unwrap();
        assert_eq!(seen.route() == Route::NormalForms, proved, "{name}");
        for order in 1..=order {
            let rows = all.at(Part::All, order);
            assert_eq!(seen.at(order).len(), ranks[order - 1], "{name} h^{order}");
            assert!(contained(seen.at(order), rows), "{name} h^{order}");
        }
    }
}

#[test]
fn the_pendulum_as_a_file_is_the_pendulum_as_a_model() {
    let budget = &mut Budget::new(1_000_000_000);
    let mut file = shipped("pendulum");
    let model = shipped_model("pendulum", Parameters::Values);
    file.family = model.family.clone();
    let (one, other) = (symbolic(&file, 4, budget).unwrap(), symbolic(&model, 4, budget).unwrap());
    assert!((1..=4).all(|order| one.at(order) == other.at(order)));
}

#[test]
fn equations_that_depend_on_time_are_refused() {
    let file = r#"
        coordinates = ["x"]
        lagrangian.L = "x'^2/2 + x*cos(t)"
        [initial]
        position = { x = 0 }
        velocity = { x = 0 }
    "#;
    let budget = &mut Budget::new(1_000_000);
    let model = parse_model(&ModelText::new("driven.toml", file.as_bytes())).unwrap();
    let system = derive(model, budget).unwrap();
    let refused = Problem::of_model(&system, Parameters::Symbols, budget).unwrap_err();
    assert_eq!(refused, ProblemError::Time);
}
