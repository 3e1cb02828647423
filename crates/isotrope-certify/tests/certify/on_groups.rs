//! Certificates of schemes on Lie groups.

use isotrope_algebra::Budget;
use isotrope_certify::{Certificate, DefectOrder, GroupClass, GroupOrders, method, order};
use isotrope_scheme::named_table;

const INFINITE: DefectOrder = DefectOrder::Infinite;

fn certificate(name: &str) -> Certificate {
    let budget = &mut Budget::new(4_000_000_000);
    method(name, budget).unwrap().unwrap().certificate().clone()
}

fn on(certificate: &Certificate, class: GroupClass) -> &GroupOrders {
    certificate.groups.iter().find(|orders| orders.class == class).unwrap()
}

fn finite(order: Option<DefectOrder>) -> bool {
    matches!(order, Some(DefectOrder::Exactly(_)))
}

/// The discrete principle of Hamilton and Noether's theorem, on every group.
#[test]
fn variational_steps_keep_form_and_momentum_and_have_order_two() {
    for name in ["lie-cayley", "lie-exp"] {
        let found = certificate(name);
        assert_eq!((found.order, found.symmetric), (Some(2), Some(true)), "{name}");
        assert_eq!(found.energy, Some(DefectOrder::Exactly(3)), "{name}");
        assert_eq!(found.groups.len(), GroupClass::ALL.len(), "{name}");
        for orders in &found.groups {
            let constrained = orders.class == GroupClass::Constrained;
            assert_eq!(orders.form, (!constrained).then_some(INFINITE), "{name}: {orders:?}");
            assert_eq!(orders.structure, INFINITE, "{name}: {orders:?}");
            assert!(orders.momentum.is_none_or(|kept| kept == INFINITE), "{name}: {orders:?}");
        }
    }
}

/// Coefficients are irrational: rounded ones would show.
#[test]
fn compositions_have_the_order_of_their_coefficients() {
    let found = certificate("lie-cayley-4");
    assert_eq!((found.order, found.symmetric), (Some(4), Some(true)));
    assert_eq!(on(&found, GroupClass::Motions).form, Some(INFINITE));
    assert_eq!(on(&found, GroupClass::Axial).momentum, Some(INFINITE));
}

/// The midpoint rule on the dual of the algebra: the spheres of momentum and the energy of a free body.
#[test]
fn the_reduced_midpoint_rule_keeps_energy_and_momentum_of_a_free_body() {
    let found = certificate("lie-poisson");
    assert_eq!((found.order, found.symmetric), (Some(2), Some(true)));
    let free = on(&found, GroupClass::Free);
    assert_eq!((free.energy, free.momentum), (INFINITE, Some(INFINITE)));
    assert!(finite(Some(on(&found, GroupClass::Rotations).energy)));
    assert!(found.groups.iter().all(|orders| orders.class != GroupClass::Motions));
}

/// Munthe-Kaas: the order in the algebra is that of the table, by small steps as by trees.
#[test]
fn methods_of_munthe_kaas_have_the_order_of_their_table_and_no_form() {
    for name in ["euler", "heun", "rk4", "gauss-2"] {
        let budget = &mut Budget::new(1_000_000_000);
        let table = named_table(name, budget).unwrap().unwrap();
        let by_trees = order(&table, budget).unwrap();
        let found = certificate(&format!("rkmk-{name}"));
        assert_eq!(found.order, Some(by_trees), "{name}");
        assert!(finite(on(&found, GroupClass::Rotations).form), "{name}");
        assert!(finite(on(&found, GroupClass::Axial).momentum), "{name}");
        assert_eq!(on(&found, GroupClass::Constrained).structure, INFINITE, "{name}");
    }
    let middle = certificate("lie-midpoint");
    assert_eq!((middle.order, middle.symmetric), (Some(2), Some(true)));
    assert!(finite(on(&middle, GroupClass::Rotations).form));
    assert_eq!(on(&middle, GroupClass::Constrained).structure, INFINITE);
}
