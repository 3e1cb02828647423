//! The methods whose orders are known must come out.

use isotrope_certify::{Certified, DefectOrder, is_symmetric};
use isotrope_methods::classes::Class;
use isotrope_methods::table::Table;
use serde_json::Value;

use crate::support::{certified, form, from_json, named, structure};

fn reference() -> Value {
    serde_json::from_str(include_str!("../../../isotrope-methods/tests/data/tables.json")).unwrap()
}

fn exponent(value: &Value) -> DefectOrder {
    match value.as_u64() {
        Some(power) => DefectOrder::Exactly(usize::try_from(power).unwrap()),
        None if value == "inf" => DefectOrder::Infinite,
        None => panic!("no exponent: {value}"),
    }
}

#[test]
fn every_table_of_the_reference_has_its_order_and_structure_orders() {
    let reference = reference();
    let mut checked = 0;
    for entry in reference["methods"].as_array().unwrap() {
        let table = match entry["a"] {
            Value::Null => Table::gauss(3).unwrap(),
            _ => from_json(entry),
        };
        let one = certified(table);
        let pairs = [
            ("generic", Class::Generic),
            ("bilinear", Class::Bilinear),
            ("sphere_incl_phi_q", Class::Sphere),
        ];
        for (key, class) in pairs {
            let Value::Array(pair) = &entry[key] else { continue };
            let order = one.certificate().order.map(|order| order as u64);
            assert_eq!(order, pair[0].as_u64(), "{} {key}", entry["name"]);
            assert_eq!(structure(&one, class), exponent(&pair[1]), "{} {key}", entry["name"]);
            checked += 1;
        }
        if let Some(explicit) = entry["explicit"].as_bool() {
            let cost = one.certificate().cost.as_ref().unwrap();
            assert_eq!(cost.explicit, explicit, "{}", entry["name"]);
        }
    }
    assert_eq!(checked, 18 + 11 + 4);
}

#[test]
fn conditions_of_one_table_per_equation_do_not_give_order_two() {
    let reference = reference();
    let negative = reference["negative"].as_array().unwrap();
    let one = certified(from_json(&negative[0]));
    assert_eq!(one.certificate().order, Some(1));
    // b.a.1 = 1/2 is violated and no condition: the method is Störmer–Verlet written otherwise.
    let other = certified(from_json(&negative[1]));
    assert_eq!(other.certificate().order, Some(2));
    let verlet = certified(named("sv"));
    assert_eq!(other.certificate().classes, verlet.certificate().classes);
}

fn orders(one: &Certified<Table>) -> (String, String, String) {
    (
        structure(one, Class::Bilinear).to_string(),
        structure(one, Class::Sphere).to_string(),
        form(one, Class::Sphere).to_string(),
    )
}

#[test]
fn keeping_the_constraint_manifold_is_not_keeping_the_form_on_it() {
    let expected = [
        ("midpoint", ("inf", "3", "3")),
        ("gauss-2", ("inf", "5", "5")),
        ("sv", ("inf", "inf", "inf")),
        ("lobatto-iiia-iiib-2", ("inf", "inf", "inf")),
        // The sphere is kept exactly; not only to the digits of a computation.
        ("lobatto-iiia-iiib-3", ("inf", "inf", "5")),
        ("lobatto-iiia-iiib-4", ("inf", "inf", "7")),
        ("rk4", ("5", "5", "5")),
        ("euler", ("2", "2", "2")),
    ];
    for (name, (bilinear, sphere, two_form)) in expected {
        let one = certified(named(name));
        let found = orders(&one);
        assert_eq!(found, (bilinear.to_owned(), sphere.to_owned(), two_form.to_owned()), "{name}");
    }
}

#[test]
fn euler_is_never_geometric() {
    let euler = certified(named("euler"));
    for orders in &euler.certificate().classes {
        assert_ne!(orders.form, Some(DefectOrder::Infinite), "{}", orders.class);
        assert_ne!(orders.structure, Some(DefectOrder::Infinite), "{}", orders.class);
    }
}

#[test]
fn gauss_with_eight_stages_has_order_sixteen() {
    let gauss = certified(named("gauss-8"));
    let certificate = gauss.certificate();
    assert_eq!(certificate.order, Some(16));
    assert_eq!(certificate.first_failing_tree.as_deref(), Some("q[v[qqqqqqqqqqqqqqq]]"));
    assert_eq!(structure(&gauss, Class::Generic), DefectOrder::Exactly(17));
    assert_eq!(form(&gauss, Class::Symplectic), DefectOrder::Infinite);
    assert_eq!(is_symmetric(gauss.method()), Some(true));
}

#[test]
fn coefficients_made_for_a_prime_do_not_flatter_a_method() {
    // Equal to the midpoint rule modulo a prime of the size that is used.
    let table = isotrope_methods::table::Table::from_text(
        "",
        &[&["1/2+1911624879858429161"]],
        &["1"],
        &mut crate::support::budget(),
    );
    let one = certified(table.unwrap());
    assert_eq!(one.certificate().order, Some(1));
    assert_eq!(structure(&one, Class::Generic), DefectOrder::Exactly(2));
    assert_eq!(structure(&one, Class::Bilinear), DefectOrder::Exactly(2));
}

#[test]
fn the_form_sees_the_weights_of_the_momenta_only() {
    let text = isotrope_methods::table::Coefficients {
        a: vec![vec!["0", "0"], vec!["1", "0"]],
        abar: vec![vec!["1/2", "0"], vec!["1/2", "0"]],
        b: vec!["1/2", "1/2"],
        bbar: vec!["1/3", "2/3"],
        btil: vec!["1/2", "1/2"],
    };
    let table = Table::from_texts("", &text, &mut crate::support::budget()).unwrap();
    let one = certified(table);
    for class in [Class::Symplectic, Class::Sphere, Class::Quadrics] {
        assert_eq!(form(&one, class), DefectOrder::Infinite, "{class}");
    }
    assert_eq!(structure(&one, Class::Sphere), DefectOrder::Exactly(2));
}
