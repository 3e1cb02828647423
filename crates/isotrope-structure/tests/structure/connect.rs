//! Port systems connected to one.

use isotrope_algebra::normal::Zero;
use isotrope_algebra::print::to_text;
use isotrope_algebra::{Budget, ExprId};
use isotrope_derive::{System, derive};
use isotrope_model::{Model, ModelText, parse_model};
use isotrope_structure::connect::{Component, Join, connect};

fn model(text: &str) -> Model {
    parse_model(&ModelText::new("part.toml", text.as_bytes())).unwrap()
}

fn system(text: &str) -> System {
    derive(model(text), &mut Budget::new(100_000_000)).unwrap()
}

/// A coil with a voltage, and a mass on a stiffening spring with a force.
const COIL: &str = r#"
    coordinates = ["phi"]
    parameters = { L = 2, r = "1/3" }
    inputs = { u = "sin(t)", e = 0 }
    outputs.voltage = "u + e"
    initial.position = { phi = 1 }
    run = { step = "1/10", time = 1 }
    [port]
    hamiltonian = "phi^2/(2*L)"
    R = { "phi,phi" = "r" }
    g = { u = { phi = 1 }, e = { phi = 1 } }
"#;
const MASS: &str = r#"
    coordinates = ["x", "p"]
    parameters.k = 3
    inputs.force = 0
    initial.position = { x = 0, p = "1/2" }
    [port]
    hamiltonian = "p^2/2 + k*x^2/2 + x^4"
    J = { "x,p" = 1 }
    g = { force = { p = "1 + x^2" } }
"#;
const TOGETHER: &str = r#"
    coordinates = ["a_phi", "b_x", "b_p"]
    parameters = { a_L = 2, a_r = "1/3", b_k = 3 }
    inputs.a_u = "sin(t)"
    initial.position = { a_phi = 1, b_x = 0, b_p = "1/2" }
    [port]
    hamiltonian = "a_phi^2/(2*a_L) + b_p^2/2 + b_k*b_x^2/2 + b_x^4"
    J = { "a_phi,b_p" = "-5/2*(1 + b_x^2)", "b_x,b_p" = 1 }
    R = { "a_phi,a_phi" = "a_r" }
    g = { a_u = { a_phi = 1 } }
"#;

fn joined() -> String {
    let (coil, mass) = (model(COIL), model(MASS));
    let components = [Component { name: "a", model: &coil }, Component { name: "b", model: &mass }];
    connect("both", &components, &[Join::read("a.e, b.force = 5/2").unwrap()]).unwrap()
}

#[test]
fn joined_systems_are_those_written_by_hand() {
    let texts = [joined(), TOGETHER.to_owned()].map(|text| {
        let system = system(&text);
        let Some(state) = system.mechanics.state() else { panic!("in state space") };
        let structure = state.structure.as_ref().unwrap();
        assert_eq!((structure.balance, structure.jacobi), (Zero::Yes, Zero::Yes));
        let all = state.rate.iter().chain(&state.energy).chain(&structure.outputs);
        let print = |&id: &ExprId| to_text(&system.model.pool, id, &mut Budget::new(1_000_000));
        all.map(|id| print(id).unwrap()).collect::<Vec<String>>()
    });
    assert_eq!(texts[0], texts[1]);
    assert_eq!(texts[0].len(), 5);
}

/// u + e of the coil, where e = -5/2 y of the mass.
#[test]
fn outputs_see_what_is_joined() {
    let system = system(&joined());
    let state = system.model.system.state().unwrap();
    let output = &state.outputs[0];
    let text = to_text(&system.model.pool, output.value, &mut Budget::new(1_000_000)).unwrap();
    assert_eq!(output.name, "a_voltage");
    assert!(text.contains("a_u") && text.contains("b_p") && !text.contains("a_e"), "{text}");
}

#[test]
fn joins_of_nothing_are_refused() {
    let (coil, mass) = (model(COIL), model(MASS));
    let components = [Component { name: "a", model: &coil }, Component { name: "b", model: &mass }];
    let refused = |join: &str| {
        let joins = [Join::read(join).unwrap()];
        connect("both", &components, &joins).unwrap_err().code().text()
    };
    assert_eq!(refused("a.e,b.u"), "ISO-CONNECT-003");
    assert_eq!(refused("a.e,a.e"), "ISO-CONNECT-003");
    for text in ["a.e", "a.e,b", "a.e,b.u=x"] {
        assert_eq!(Join::read(text).unwrap_err().code().text(), "ISO-CONNECT-001");
    }
    let twice = [components[0], components[0]];
    assert_eq!(connect("x", &twice, &[]).unwrap_err().code().text(), "ISO-CONNECT-001");
}
