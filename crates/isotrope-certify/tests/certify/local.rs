//! Exponents by very small steps, against everything else that is known of methods.

use isotrope_algebra::Budget;
use isotrope_certify::{
    Certificate, DefectOrder, LocalMethod, LocalOrders, certify, certify_scheme, local_orders,
    method, stored_names,
};
use isotrope_derive::{System, derive};
use isotrope_methods::classes::{Class, Defect};
use isotrope_model::{ModelText, parse_model};
use isotrope_scheme::{EquationScheme, Method, Steps, Theory, named_table};

use super::support::{budget, named};

const INFINITE: DefectOrder = DefectOrder::Infinite;

fn exactly(power: usize) -> DefectOrder {
    DefectOrder::Exactly(power)
}

fn system(name: &str) -> System {
    let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(&path).unwrap();
    let model = parse_model(&ModelText::new(name, &bytes)).unwrap();
    derive(model, &mut Budget::new(1_000_000_000)).unwrap()
}

fn scheme(name: &str) -> EquationScheme {
    EquationScheme::named(name, &mut budget()).unwrap().unwrap()
}

fn on(system: &System, name: &str) -> LocalOrders {
    local_orders(system, LocalMethod::Equations(&scheme(name)), &mut budget()).unwrap()
}

fn certificate(name: &str) -> Certificate {
    certify_scheme(&scheme(name), Theory::Steps, &mut budget()).unwrap()
}

/// The classes of the certificates are exact expansions and algebra; this road is arithmetic.
#[test]
fn tables_on_the_sphere_are_what_their_certificates_say() {
    let sphere = system("sphere_drift");
    for name in ["euler", "heun", "midpoint", "rk4", "gauss-2", "sv", "lobatto-iiia-iiib-3"] {
        let table = named(name);
        let found = local_orders(&sphere, LocalMethod::Table(&table), &mut budget()).unwrap();
        let wanted = certify(table, &mut budget()).unwrap();
        let wanted = wanted.certificate();
        let class = wanted.on(Class::Sphere).unwrap();
        assert_eq!(found.order, exactly(wanted.order.unwrap()), "{name}");
        assert_eq!(Some(found.structure), class.structure, "{name}");
        assert_eq!(found.form, class.form, "{name}");
        assert_eq!(found.symmetric, wanted.symmetric, "{name}");
    }
}

/// An error of order 13 is seen only if the exact solution is known far better.
#[test]
fn the_exact_solution_is_that_of_a_method_of_order_twelve() {
    let pendulum = system("pendulum");
    let gauss = named("gauss-6");
    let found = local_orders(&pendulum, LocalMethod::Table(&gauss), &mut budget()).unwrap();
    assert_eq!(found.order, exactly(12));
    assert_eq!(found.velocity, Some(INFINITE));
    assert_eq!(found.position, Some(exactly(13)));
}

#[test]
fn a_composition_has_its_order_on_a_given_system() {
    let Some(Ok(yoshida)) = method("yoshida-4", &mut budget()) else { panic!() };
    let Steps::Composition(composed) = yoshida.method().steps() else { panic!() };
    let found =
        local_orders(&system("sphere_drift"), LocalMethod::Composition(composed), &mut budget());
    let found = found.unwrap();
    assert_eq!((found.order, found.symmetric), (exactly(4), Some(true)));
    assert_eq!((found.structure, found.form), (INFINITE, Some(INFINITE)));
}

/// Dirac schemes were expanded exactly over a prime field: order, positions and energy agree.
#[test]
fn both_roads_to_the_dirac_schemes_agree() {
    let sphere = system("sphere_drift");
    for name in ["dirac-1", "dirac-1-position", "dirac-2", "dirac-2-repaired"] {
        let expanded = method(name, &mut budget()).unwrap().unwrap();
        let expanded = expanded.certificate();
        let found = certificate(name);
        assert_eq!(found.order, expanded.order, "{name}");
        let local = &expanded.local.as_ref().unwrap().classes;
        let (_, defects) = local.iter().find(|(class, _)| *class == Class::Sphere).unwrap();
        let power = |of: Defect| of.order().map_or(INFINITE, exactly);
        let here = on(&sphere, name);
        assert_eq!(here.position, Some(power(defects.phi_q)), "{name}");
        // The position form measures velocities half a step away from positions.
        if name != "dirac-1-position" {
            assert_eq!(here.velocity, Some(power(defects.phi_v)), "{name}");
            assert_eq!(here.energy, power(defects.energy), "{name}");
        }
    }
}

#[test]
fn rattle_keeps_the_constraints_and_the_form() {
    let rattle = certificate("rattle");
    assert_eq!((rattle.order, rattle.symmetric), (Some(2), Some(true)));
    for class in [Class::Sphere, Class::Quadrics, Class::Holonomic] {
        let orders = rattle.on(class).unwrap();
        assert_eq!((orders.structure, orders.form), (Some(INFINITE), Some(INFINITE)));
    }
    assert_eq!(rattle.on(Class::Symplectic).unwrap().form, Some(INFINITE));
    assert!(rattle.on(Class::Natural).is_none());
}

/// Orders that are measured over long times elsewhere.
#[test]
fn orders_are_the_measured_ones() {
    for (name, order, symmetric) in [
        ("euler-c", 1, Some(false)),
        ("implicit-euler-c", 1, Some(false)),
        ("symplectic-euler-c", 1, Some(false)),
        ("trapezoid-c", 2, Some(true)),
        ("rk4-c", 3, Some(false)),
        ("dla-midpoint", 2, Some(true)),
        ("dla-leapfrog", 2, Some(true)),
        ("ab3", 3, None),
        ("dirac-rk", 1, Some(false)),
    ] {
        let found = certificate(name);
        assert_eq!((found.order, found.symmetric), (Some(order), symmetric), "{name}");
    }
}

/// The order that was published for a method.
fn claimed(name: &str) -> usize {
    let method = Method::named(name, &mut Budget::new(1_000_000)).unwrap().unwrap();
    method.published_claim().unwrap().order
}

/// The published orders of these schemes are not theirs.
#[test]
fn known_deficiencies_are_deficient() {
    for name in ["dirac-2", "dirac-rk"] {
        assert!(certificate(name).order.unwrap() < claimed(name), "{name}");
    }
    assert!(certificate("rattle").order.unwrap() >= claimed("rattle"));
}

/// A sleigh with forces and a blade: where constraints do not integrate.
#[test]
fn schemes_on_the_sleigh_keep_its_blade() {
    let sleigh = system("sleigh_incline");
    for name in ["euler-c", "trapezoid-c", "dla-midpoint", "dla-leapfrog", "dirac-1"] {
        assert_eq!(on(&sleigh, name).velocity, Some(INFINITE), "{name}");
    }
    let table = named_table("rk4", &mut budget()).unwrap().unwrap();
    let found = local_orders(&sleigh, LocalMethod::Table(&table), &mut budget()).unwrap();
    assert_eq!((found.order, found.structure), (exactly(4), exactly(5)));
    assert_eq!(found.form, None);
}

/// The others are in the list with what was computed of them, or not at all.
#[test]
fn every_scheme_has_a_computed_order() {
    for name in stored_names() {
        let found = method(&name, &mut budget()).unwrap().unwrap();
        // No class of the certifier has Lagrangians that are linear in the velocities.
        let first_order = found.method().capabilities().first_order;
        assert_eq!(found.certificate().order.is_none(), first_order, "{name}");
    }
}

/// Coefficients are irrational: rounded ones would show.
#[test]
fn spark_has_order_2s_minus_2_and_keeps_everything() {
    for stages in [3, 4] {
        let spark = certificate(&format!("spark-lobatto-{stages}"));
        assert_eq!((spark.order, spark.symmetric), (Some(2 * stages - 2), Some(true)));
        for class in [Class::Sphere, Class::Quadrics, Class::Holonomic] {
            let orders = spark.on(class).unwrap();
            assert_eq!((orders.structure, orders.form), (Some(INFINITE), Some(INFINITE)));
        }
    }
}
