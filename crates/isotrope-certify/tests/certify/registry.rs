//! Every method of the registry, by a second road.

use isotrope_algebra::modular::Random;
use isotrope_certify::{DefectOrder, exactness, method, method_names, order_by_trees};
use isotrope_methods::Stages;
use isotrope_methods::classes::{Class, Defect, measure};
use isotrope_methods::trees::{Family, Trees};

use crate::support::{budget, certified, image, stored, tables};

#[test]
fn the_expansion_of_a_step_confirms_every_order() {
    for table in tables() {
        let image = image(&table);
        let name = table.name.clone();
        let order = stored(&table.name).order.unwrap();
        let random = &mut Random::new(11);
        let defects =
            measure(&image.field, &image.coefficients, Class::Generic, order + 1, 1, random)
                .unwrap();
        assert_eq!(defects.solution, Defect::Order(order + 1), "{name}");
    }
}

#[test]
fn trees_confirm_the_simplifying_assumptions() {
    let trees = Trees::up_to(&Family::qvp(), 7, &mut budget()).unwrap();
    for table in tables() {
        let by_trees = order_by_trees(&table, &trees, 7);
        let name = table.name.clone();
        let order = stored(&table.name).order.unwrap();
        assert_eq!(by_trees, order.min(7), "{name}");
    }
}

#[test]
fn what_is_proved_exact_shows_no_defect_and_the_rest_does() {
    for table in tables().into_iter().filter(|table| table.stages <= 4) {
        let image = image(&table);
        let exact = exactness(&image);
        let name = table.name.clone();
        let order = stored(&table.name).order.unwrap();
        let seen = |class: Class| {
            let random = &mut Random::new(7);
            measure(&image.field, &image.coefficients, class, order + 5, 4, random).unwrap()
        };
        let (bilinear, sphere, free) =
            (seen(Class::Bilinear), seen(Class::Sphere), seen(Class::Symplectic));
        let kept = |defect: Defect| defect == Defect::None;
        assert_eq!(exact.legendre, kept(sphere.psi), "{name}: psi");
        assert_eq!(exact.bilinear_velocity, kept(bilinear.phi_v), "{name}: A v, bilinear");
        assert_eq!(exact.sphere_velocity, kept(sphere.phi_v), "{name}: A v, sphere");
        assert_eq!(exact.sphere_position, kept(sphere.phi_q), "{name}: phi, sphere");
        assert_eq!(exact.sphere_form, kept(sphere.form), "{name}: form, sphere");
        assert_eq!(exact.symplectic_form, kept(free.form), "{name}: form");
    }
}

#[test]
fn collocation_tables_give_the_same_conditions_written_out_stage_by_stage() {
    for name in ["gauss-2", "gauss-3", "radau-iia-2", "radau-iia-3", "lobatto-iiia-3"] {
        let table = crate::support::named(name);
        let written = table.to_pointwise(&mut budget()).unwrap();
        assert!(!table.is_pointwise() && written.is_pointwise());
        let (one, other) = (exactness(&table), exactness(&written));
        assert_eq!(one.bilinear_velocity, other.bilinear_velocity, "{name}");
        assert_eq!(one.sphere_position, other.sphere_position, "{name}");
        assert_eq!(one.symplectic_form, other.symplectic_form, "{name}");
        assert_eq!(
            certified(table).certificate().symmetric,
            certified(written).certificate().symmetric,
            "{name}"
        );
    }
}

/// Multistep methods, compositions and Dirac schemes, beside the tables.
#[test]
fn the_methods_that_are_no_tables_have_their_orders() {
    let expected = [
        ("ab3", 3),
        ("yoshida-4", 4),
        ("yoshida-6", 6),
        ("yoshida-8", 8),
        ("suzuki-umeno-8", 8),
        ("dirac-1", 1),
        ("dirac-1-position", 1),
        ("dirac-2", 1),
        ("dirac-2-repaired", 2),
    ];
    for (name, order) in expected {
        let one = method(name, &mut budget()).unwrap().unwrap();
        assert_eq!(one.certificate().order, Some(order), "{name}");
        assert!(one.method().table().is_none());
    }
}

#[test]
fn dirac_2_has_slopes_three_two_three() {
    let one = method("dirac-2", &mut budget()).unwrap().unwrap();
    let local = one.certificate().local.clone().unwrap();
    let (_, sphere) = local.classes.iter().find(|(class, _)| *class == Class::Sphere).unwrap();
    assert_eq!(sphere.position, Defect::Order(3));
    assert_eq!(sphere.velocity, Defect::Order(2));
    assert_eq!(sphere.phi_q, Defect::Order(3));
    assert_eq!(sphere.phi_v, Defect::None);
}

#[test]
fn compositions_inherit_what_their_base_keeps_exactly() {
    let one = method("yoshida-4", &mut budget()).unwrap().unwrap();
    let sphere = one.certificate().on(Class::Sphere).unwrap();
    assert_eq!(sphere.structure, Some(DefectOrder::Infinite));
    assert_eq!(sphere.form, Some(DefectOrder::Infinite));
    let generic = one.certificate().on(Class::Generic).unwrap();
    assert_eq!(generic.structure, Some(DefectOrder::Exactly(5)));
    assert_eq!(one.certificate().symmetric, Some(true));
}

#[test]
fn no_order_of_a_table_is_left_open() {
    for table in tables() {
        let certificate = stored(&table.name);
        for orders in &certificate.classes {
            for order in [orders.structure, orders.form].into_iter().flatten() {
                assert!(!matches!(order, DefectOrder::AtLeast(_)), "{}", table.name);
            }
        }
    }
}

#[test]
fn names_are_unique_and_known() {
    let names = method_names();
    let mut sorted = names.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!(sorted.len(), names.len());
    for wanted in [
        "euler",
        "midpoint",
        "verlet",
        "rkd-lobatto",
        "gauss-8",
        "yoshida-8",
        "ab3",
        "dirac-2-repaired",
    ] {
        assert!(names.iter().any(|name| name == wanted), "{wanted}");
    }
    assert!(method("gauss-0", &mut budget()).unwrap().is_err());
    assert!(method("no-such-method", &mut budget()).is_none());
}
