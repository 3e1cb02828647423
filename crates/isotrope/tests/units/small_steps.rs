//! What very small steps show: orders of discrete Lagrangians, forms, and modified equations.

use isotrope::{Host, MODIFIED_ORDER, Model, Overrides, modified};
use serde_json::Value;

use super::kinds::{Body, Case};
use super::rescaled::Units;

fn cases() -> Vec<Case> {
    let case =
        |name: &str, names: &[&'static str], l: &str, constraints: &[&str], initial: &[_]| Case {
            name: name.to_owned(),
            names: names.to_vec(),
            body: Body::Lagrangian {
                l: l.to_owned(),
                constraints: constraints.iter().map(|&c| c.to_owned()).collect(),
                forces: Vec::new(),
            },
            initial: initial.to_vec(),
            methods: "",
        };
    vec![
        case("Duffing", &["x"], "@x'^2/2 - @x^2/2 - @x^4/4", &[], &[(1.0, 0.0)]),
        case(
            "a spring that turns",
            &["r", "a"],
            "(@r'^2 + @r^2*@a'^2)/2 + @r*cos(@a) - 5*(@r - 1)^2/2",
            &[],
            &[(1.1, 0.0), (0.5, 0.0)],
        ),
        case(
            "a sphere",
            &["x", "y", "z"],
            "(@x'^2 + @y'^2 + @z'^2)/2 - @z",
            &["@x^2 + @y^2 + @z^2 - 1"],
            &[(0.6, 0.0), (0.0, 0.7), (-0.8, 0.0)],
        ),
        case(
            "a skate",
            &["x", "y", "a"],
            "(@x'^2 + @y'^2 + @a'^2)/2 - @x/2",
            &["sin(@a)*@x' - cos(@a)*@y'"],
            &[(0.0, 0.0), (0.0, 0.0), (0.0, 1.0)],
        ),
    ]
}

fn seeds() -> u64 {
    if std::env::var_os("ISOTROPE_LONG").is_some() { 12 } else { 2 }
}

fn discrete(case: &Case, units: &Units, method: &str) -> Value {
    case.system(units).discretisation(method).unwrap().json().unwrap()
}

#[test]
fn discrete_lagrangians_have_the_same_orders_in_all_units() {
    for case in cases() {
        for method in ["variational-euler", "variational-midpoint", "galerkin-2-lobatto3"] {
            let own = discrete(&case, &Units::own(case.names.len()), method);
            assert!(own["order"].is_u64(), "{} {method}: {}", case.name, own["order"]);
            for seed in 1..=seeds() {
                let units = Units::random(case.names.len(), seed);
                let other = discrete(&case, &units, method);
                for key in ["order", "form", "self_adjoint"] {
                    let (a, b) = (&own[key], &other[key]);
                    assert_eq!(a, b, "{} {method} {key} {units:?}", case.name);
                }
            }
        }
    }
}

#[test]
fn modified_equations_are_confirmed_in_all_units() {
    for case in cases() {
        for method in ["midpoint", "verlet", "rk4"] {
            let found = |units: &Units| {
                let text = case.text(units);
                let model = Model::parse("case.toml", text.as_bytes(), &Overrides::default());
                let found = modified(&Host::new(), method, MODIFIED_ORDER, Some(&model.unwrap()));
                let found = found.unwrap();
                assert!(!found.is_contradicted(), "{} {method} {units:?}", case.name);
                let defect = found.model.unwrap().defect.unwrap();
                // The first step is the same part of the motion up to a factor of two.
                (defect.slope.unwrap(), defect.steps[0].to_f64() / units.time, defect.errors)
            };
            let own = found(&Units::own(case.names.len()));
            for seed in 1..=seeds() {
                let other = found(&Units::random(case.names.len(), seed));
                assert!((own.0 - other.0).abs() < 0.05, "{} {method} {own:?} {other:?}", case.name);
                let steps = other.1 / own.1;
                assert!((0.49..2.04).contains(&steps), "{} {method} {own:?} {other:?}", case.name);
            }
        }
    }
}
