//! Certificates of schemes in state space.

use isotrope_algebra::Budget;
use isotrope_certify::{
    Certificate, DefectOrder, Evidence, LocalMethod, StateClass, StateOrders, local_orders, method,
};
use isotrope_derive::derive;
use isotrope_scheme::named_table;

const INFINITE: DefectOrder = DefectOrder::Infinite;

fn certificate(name: &str) -> Certificate {
    let budget = &mut Budget::new(4_000_000_000);
    let found = method(name, budget).unwrap().unwrap_or_else(|error| panic!("{name}: {error}"));
    found.certificate().clone()
}

fn on(certificate: &Certificate, class: StateClass) -> &StateOrders {
    certificate.state.iter().find(|orders| orders.class == class).unwrap()
}

fn exactly(order: usize) -> DefectOrder {
    DefectOrder::Exactly(order)
}

/// Discrete gradients balance energy exactly on every class; they are Poisson maps on none.
#[test]
fn discrete_gradients_balance_energy_and_are_no_poisson_maps() {
    for (name, order, symmetric) in
        [("itoh-abe", 1, false), ("itoh-abe-2", 2, true), ("avf-4", 4, true), ("avf-6", 6, true)]
    {
        let found = certificate(name);
        assert_eq!((found.order, found.symmetric), (Some(order), Some(symmetric)), "{name}");
        assert!(matches!(found.evidence, Some(Evidence::SmallSteps { .. })), "{name}");
        assert_eq!(found.state.len(), StateClass::ALL.len(), "{name}");
        for orders in &found.state {
            assert_eq!(orders.energy, INFINITE, "{name}: {orders:?}");
            assert_ne!(orders.bracket, Some(INFINITE), "{name}: {orders:?}");
            assert_eq!(orders.bracket.is_none(), orders.class == StateClass::Port);
        }
        let canonical = on(&found, StateClass::Canonical);
        assert_eq!(canonical.order, exactly(order), "{name}");
    }
}

/// Two roads to the order: coefficients that are proved to solve the conditions, and small steps.
#[test]
fn compositions_have_the_order_that_small_steps_see() {
    for name in ["splitting-2", "splitting-4", "splitting-6", "lie-poisson-2", "lie-poisson-4"] {
        let found = certificate(name);
        let order = found.order.unwrap();
        assert!(name.ends_with(&order.to_string()), "{name}: {order}");
        assert!(matches!(found.evidence, Some(Evidence::Composition { .. })), "{name}");
        assert!(!found.state.is_empty(), "{name}");
        for orders in &found.state {
            assert_eq!(orders.order, exactly(order), "{name}: {orders:?}");
            assert_eq!(orders.bracket, Some(INFINITE), "{name}: {orders:?}");
            assert!(orders.casimirs.is_none_or(|kept| kept == INFINITE), "{name}: {orders:?}");
            assert_eq!(orders.energy, exactly(order + 1), "{name}: {orders:?}");
            assert_eq!(orders.symmetric, Some(true), "{name}: {orders:?}");
        }
    }
    // A Hamiltonian that cannot be split, and a bracket that is not the dual of so(3).
    let splitting = certificate("splitting-2");
    assert!(splitting.state.iter().all(|orders| orders.class != StateClass::Canonical));
    let body = certificate("lie-poisson-2");
    let classes: Vec<StateClass> = body.state.iter().map(|orders| orders.class).collect();
    assert_eq!(classes, [StateClass::Rotations, StateClass::LiePoisson]);
}

/// Methods of both worlds keep the certificate that they have for Lagrangians.
#[test]
fn methods_of_both_worlds_have_both() {
    for name in ["avf", "discrete-gradient"] {
        let found = certificate(name);
        assert_eq!((found.order, found.symmetric), (Some(2), Some(true)), "{name}");
        assert!(!found.classes.is_empty() && found.state.len() == StateClass::ALL.len(), "{name}");
        for orders in &found.state {
            assert_eq!((orders.order, orders.energy), (exactly(2), INFINITE), "{name}: {orders:?}");
        }
    }
}

/// Runge–Kutta tables on x' = f(x): the midpoint rule is a Poisson map for constant brackets, keeps quadratic Casimir
/// functions, and has a defect of order 3 for others.
#[test]
fn tables_in_state_space_step_on_the_state_alone() {
    let file = |bracket: &str| {
        format!(
            "coordinates = [\"x\", \"y\", \"z\"]\ninitial.position = {{ x = 1, y = \"1/2\", z = \"1/3\" }}\n\
             [poisson]\nhamiltonian = \"x^2 + x*y^3/3 + z^4/4 + y^2 + x*z\"\n{bracket}"
        )
    };
    let constant = file("\"x,y\" = 1\n\"y,z\" = 2");
    let linear = file("\"x,y\" = \"-z\"\n\"x,z\" = \"y\"\n\"y,z\" = \"-x\"");
    let orders = |text: &str, name: &str| {
        let source = isotrope_model::ModelText::new("test.toml", text.as_bytes());
        let model = isotrope_model::parse_model(&source).unwrap();
        let budget = &mut Budget::new(1_000_000_000);
        let system = derive(model, budget).unwrap();
        let table = named_table(name, budget).unwrap().unwrap();
        local_orders(&system, LocalMethod::Table(&table), budget).unwrap()
    };
    let found = orders(&constant, "midpoint");
    assert_eq!((found.order, found.form), (exactly(2), Some(INFINITE)));
    let found = orders(&linear, "midpoint");
    assert_eq!((found.order, found.form), (exactly(2), Some(exactly(3))));
    assert_eq!((found.momentum, found.symmetric), (Some(INFINITE), Some(true)));
    let found = orders(&linear, "rk4");
    assert_eq!((found.order, found.structure), (exactly(4), exactly(5)));
    assert_eq!((found.form, found.symmetric), (Some(exactly(5)), Some(false)));
}
