//! Descriptor systems: E x' = (J − R) z + g u by the constraint algorithm.

use isotrope_algebra::normal::Zero;
use isotrope_algebra::print::to_text;
use isotrope_derive::{DeriveError, Descriptor, StateSpace, System, derive};

use super::support::{assert_equals, budget, parsed, refusals, system};

fn state(system: &System) -> (StateSpace, Descriptor) {
    let Some(state) = system.mechanics.state() else { panic!("not in state space") };
    (state.clone(), state.descriptor.clone().unwrap())
}

fn derived(text: &str) -> System {
    derive(parsed(text), &mut budget()).unwrap()
}

fn levels(descriptor: &Descriptor) -> Vec<usize> {
    descriptor.constraints.iter().map(|constraint| constraint.level).collect()
}

#[test]
fn without_a_matrix_and_with_the_identity_the_equations_are_the_same() {
    let body = r#"
        coordinates = ["x", "p"]
        inputs.u = "sin(t)"
        initial.position = { x = 1, p = 0 }
        [port]
        hamiltonian = "p^2/2 + x^4"
        J = { "x,p" = "1 + x^2" }
        R = { "p,p" = "1/3" }
        g = { u = { p = "x" } }
    "#;
    let plain = derived(body);
    let mut whole = derived(&format!("{body}\nE = {{ \"x,x\" = 1, \"p,p\" = 1 }}"));
    let Some(own) = plain.mechanics.state() else { panic!("not in state space") };
    let (found, descriptor) = state(&whole);
    assert!(own.descriptor.is_none());
    assert_eq!((descriptor.index, descriptor.constraints.len()), (0, 0));
    for (&rate, &wanted) in found.rate.iter().zip(&own.rate) {
        let wanted = to_text(&plain.model.pool, wanted, &mut budget()).unwrap();
        assert_equals(&mut whole.model.pool, rate, &wanted);
    }
    assert_eq!(found.structure.unwrap().balance, Zero::Yes);
}

/// Index 2: the velocities of the rod at once, its force by differentiating, the rate of the force by differentiating again.
#[test]
fn the_pendulum_with_a_multiplier_has_index_two_and_its_tension() {
    let mut system = system("port/pendulum_multiplier");
    let (found, descriptor) = state(&system);
    assert_eq!((descriptor.index, levels(&descriptor)), (2, vec![0, 1]));
    assert_eq!(descriptor.solved, Zero::Yes);
    assert_eq!(found.structure.unwrap().balance, Zero::Yes);
    let pool = &mut system.model.pool;
    assert_equals(pool, descriptor.constraints[0].expression, "-(x*px + y*py)/m");
    assert_equals(pool, found.rate_of_inputs[2], "x*lam - friction*px/m - y*torque");
    // The tension at rest: lam (x² + y²) = m g y.
    assert_equals(pool, system.model.initial.position[4], "-4/5*m*gravity");
}

#[test]
fn a_network_in_node_voltages_has_index_one() {
    let mut system = system("port/rc_network");
    let (found, descriptor) = state(&system);
    assert_eq!((descriptor.index, levels(&descriptor)), (1, vec![0, 0]));
    assert_eq!((descriptor.solved, found.structure.unwrap().balance), (Zero::Yes, Zero::Yes));
    // The vectors of ker E: both nodes together, and the third.
    assert_eq!(descriptor.kernel.len(), 2);
    assert_equals(&mut system.model.pool, descriptor.kernel[0].1[0], "1");
}

#[test]
fn a_loop_of_capacitors_has_index_two_and_differentiates_its_source() {
    let mut system = system("port/capacitor_loop");
    let (found, descriptor) = state(&system);
    assert_eq!((descriptor.index, levels(&descriptor)), (2, vec![0, 1]));
    assert_eq!((descriptor.solved, found.structure.unwrap().balance), (Zero::Yes, Zero::Yes));
    let names: Vec<&str> = descriptor.signals.iter().map(|signal| signal.name.as_str()).collect();
    assert_eq!(names, ["u'", "u''"]);
    let pool = &mut system.model.pool;
    assert_equals(pool, descriptor.signals[1].value, "-sin(t)");
    // i (1/C1 + 1/C2) = u' + phi/(L C2), at the start.
    assert_equals(pool, system.model.initial.position[3], "1/(1/C1 + 1/C2)");
}

/// x = u, p = u', lam = u'' + x: the position is given, and its second derivative is a force.
const INDEX_THREE: &str = r#"
    coordinates = ["x", "p", "lam"]
    inputs.u = "sin(2*t)"
    initial.position = { x = 0, p = 2 }
    [port]
    hamiltonian = "p^2/2 + x^2/2"
    E = { "x,x" = 1, "p,p" = 1 }
    J = { "x,p" = 1, "x,lam" = "-1/2", "p,lam" = "1/2" }
    R = { "x,lam" = "-1/2", "p,lam" = "-1/2" }
    g = { u = { lam = -1 } }
"#;

#[test]
fn a_position_that_is_prescribed_has_index_three() {
    let mut system = derived(INDEX_THREE);
    let (found, descriptor) = state(&system);
    assert_eq!((descriptor.index, levels(&descriptor)), (3, vec![0, 1, 2]));
    assert_eq!((descriptor.solved, found.structure.unwrap().balance), (Zero::Yes, Zero::Yes));
    let pool = &mut system.model.pool;
    assert_equals(pool, descriptor.constraints[0].expression, "x - u");
    assert_equals(pool, system.model.initial.position[2], "0");
    assert_equals(pool, found.rate[2], "-8*cos(2*t) + p");
}

/// A rod as a constraint on positions, written with the efforts of a spring and of a constant force on s.
const ROD: &str = r#"
    coordinates = ["x", "y", "px", "py", "s", "lam"]
    parameters = { k = 2, g = 1 }
    initial.position = { x = "3/5", y = "-4/5", px = 0, py = 0, s = 0 }
    [port]
    hamiltonian = "(px^2 + py^2)/2 + k*(x^2 + y^2)/2 + g*y + s"
    E = { "x,x" = 1, "y,y" = 1, "px,px" = 1, "py,py" = 1, "s,s" = 1 }
    J = { "x,px" = 1, "y,py" = 1, "px,lam" = "x/2", "py,lam" = "y/2", "x,lam" = "-x/2", "y,lam" = "-y/2", "s,lam" = "(k + g*y)/2" }
    R = { "px,lam" = "-x/2", "py,lam" = "-y/2", "x,lam" = "-x/2", "y,lam" = "-y/2", "s,lam" = "(k + g*y)/2" }
"#;

#[test]
fn a_rod_on_positions_has_index_three() {
    let mut system = derived(ROD);
    let (_, descriptor) = state(&system);
    assert_eq!((descriptor.index, levels(&descriptor)), (3, vec![0, 1, 2]));
    let pool = &mut system.model.pool;
    assert_equals(pool, descriptor.constraints[0].expression, "k*(x^2 + y^2 - 1)");
    assert_eq!(descriptor.solved, Zero::Yes);
}

/// The same constraint twice, with efforts that add up: redundant, and the second multiplier stays free.
#[test]
fn what_follows_from_others_is_no_constraint_and_leaves_a_multiplier_free() {
    let text = r#"
        coordinates = ["x", "a", "b"]
        initial.position = { x = 0, a = 0, b = 0 }
        [port]
        hamiltonian = "x^2/2"
        E = { "x,x" = 1 }
        J = { "x,a" = 1, "x,b" = 2 }
    "#;
    let errors = refusals(text);
    let [DeriveError::Undetermined { coordinates, .. }] = &errors[..] else { panic!("{errors:?}") };
    assert_eq!(coordinates, &["a", "b"]);
    // With a resistance in b it is determined.
    let system = derived(&format!("{text}\nR = {{ \"b,b\" = 1 }}"));
    let (_, descriptor) = state(&system);
    assert_eq!(descriptor.solved, Zero::Yes);
}
