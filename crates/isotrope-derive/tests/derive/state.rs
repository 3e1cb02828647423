//! Systems in state space.

use isotrope_algebra::normal::Zero;
use isotrope_derive::{DeriveError, StateSpace, System, analyse, derive};

use super::support::{analysed, assert_equals, budget, parsed, refusals};

fn state(system: &System) -> StateSpace {
    let Some(state) = system.mechanics.state() else { panic!("not in state space") };
    state.clone()
}

fn derived(text: &str) -> System {
    derive(parsed(text), &mut budget()).unwrap()
}

#[test]
fn the_bracket_of_the_rigid_body_gives_the_equations_of_euler() {
    let (mut system, analysis) = analysed("poisson/rigid_body");
    let found = state(&system);
    let pool = &mut system.model.pool;
    assert_equals(pool, found.rate[0], "m2*m3*(1/I3 - 1/I2)");
    assert_equals(pool, found.rate[1], "m3*m1*(1/I1 - 1/I3)");
    assert_equals(pool, found.rate[2], "m1*m2*(1/I2 - 1/I1)");
    assert_eq!(found.structure.unwrap().jacobi, Zero::Yes);
    let conserved = &analysis.conservation.conserved;
    let names: Vec<&str> = conserved.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["energy", "C_1"]);
    assert!(conserved.iter().all(|c| c.proof == Zero::Yes));
    assert_equals(pool, conserved[1].expression, "m1^2 + m2^2 + m3^2");
}

#[test]
fn the_heavy_top_has_two_casimir_functions_and_the_toda_chain_one() {
    for (name, casimirs) in [("heavy_top", 2), ("toda", 1), ("lotka_volterra", 0)] {
        let (_, analysis) = analysed(&format!("poisson/{name}"));
        assert_eq!(analysis.conservation.conserved.len(), 1 + casimirs, "{name}");
    }
}

#[test]
fn a_bracket_without_the_jacobi_identity_is_refused_with_its_component() {
    let text = r#"
        coordinates = ["x", "y", "z"]
        poisson = { hamiltonian = "x^2 + z", "x,y" = 1, "y,z" = "y" }
        initial.position = { x = 1, y = 1, z = 1 }
    "#;
    let errors = refusals(text);
    let [DeriveError::NotPoisson { component, value, .. }] = &errors[..] else {
        panic!("{errors:?}")
    };
    assert_eq!((component.join(","), value.as_str()), ("x,y,z".to_owned(), "1"));
}

#[test]
fn ports_balance_power_and_a_table_is_its_function() {
    let mut system = derived(
        r#"
        coordinates = ["x", "p"]
        parameters.c = "1/10"
        inputs.u = { table = [[0, 0], [1, 2], [3, 0]] }
        inputs.w = { table = [[0, 5], [1, 7]], between = "hold" }
        initial.position = { x = 1, p = 0 }
        [port]
        hamiltonian = "x^4/4 + p^2/2"
        J = { "x,p" = 1 }
        R = { "p,p" = "c*x^2", "x,p" = "c" }
        g = { u = { p = 1 }, w = { x = "p" } }
        "#,
    );
    let analysis = analyse(&mut system, &budget());
    let found = state(&system);
    let pool = &mut system.model.pool;
    assert_equals(pool, found.rate_of_inputs[0], "p - c*p + p*w");
    assert_equals(pool, found.rate_of_inputs[1], "-x^3 - c*x^3 - c*x^2*p + u");
    let structure = found.structure.unwrap();
    assert_eq!(structure.balance, Zero::Yes);
    assert_equals(pool, structure.dissipated, "2*c*x^3*p + c*x^2*p^2");
    assert_equals(pool, structure.supplied, "p*u + x^3*p*w");
    assert!(analysis.conservation.conserved.is_empty());
    // Values on, between and after the rows.
    for (t, u, w) in [("0", "0", "5"), ("1/2", "1", "5"), ("1", "2", "7"), ("2", "1", "7")] {
        let time = isotrope_algebra::syntax::parse_expression(pool, t).unwrap();
        let map = [(system.symbols.time, time)].into_iter().collect();
        let values: Vec<_> = found.inputs.iter().map(|input| input.value).collect();
        let at = isotrope_algebra::calculus::substitute(pool, &values, &map, &mut budget());
        let at = at.unwrap();
        assert_equals(pool, at[0], u);
        assert_equals(pool, at[1], w);
    }
}

#[test]
fn an_equation_of_second_order_is_two_of_first_order() {
    let mut system = derived(
        r#"
        coordinates = ["q", "z"]
        equations = { "q''" = "-q - 2*q' + u", "z'" = "q*q'" }
        inputs.u = "cos(t)"
        initial = { position = { q = 1, z = 3 }, velocity = { q = 2 } }
        "#,
    );
    assert_eq!(system.symbols.names, ["q", "z", "q'"]);
    let (found, initial) = (state(&system), system.model.initial.clone());
    let pool = &mut system.model.pool;
    for (k, rate) in ["q'", "q*q'", "-q - 2*q' + cos(t)"].into_iter().enumerate() {
        assert_equals(pool, found.rate[k], rate);
    }
    for (k, value) in ["1", "3", "2"].into_iter().enumerate() {
        assert_equals(pool, initial.position[k], value);
    }
}
