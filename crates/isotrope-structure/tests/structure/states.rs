//! Systems in state space, examined and joined.

use isotrope_algebra::normal::Zero;
use isotrope_derive::derive;
use isotrope_model::{ModelText, parse_model};
use isotrope_structure::connect::{Component, Join, connect};
use isotrope_structure::geometry::examine_model;
use isotrope_structure::port::{PortError, problem_of};

use super::support::{analysed, budget, parsed};

#[test]
fn a_joined_component_with_a_matrix_is_a_block_of_the_whole() {
    let source = r#"
        coordinates = ["phi"]
        inputs.e = 0
        initial.position = { phi = 1 }
        [port]
        hamiltonian = "phi^2/2"
        g = { e = { phi = 1 } }
    "#;
    let network =
        std::fs::read(format!("{}/../../models/port/rc_network.toml", env!("CARGO_MANIFEST_DIR")));
    let network = parse_model(&ModelText::new("rc.toml", &network.unwrap())).unwrap();
    let coil = parsed(source);
    let parts =
        [Component { name: "coil", model: &coil }, Component { name: "rc", model: &network }];
    let text = connect("both", &parts, &[Join::read("coil.e,rc.i").unwrap()]).unwrap();
    let system = derive(parsed(&text), &mut budget()).unwrap();
    let Some(found) = system.mechanics.state() else { panic!("no state") };
    let descriptor = found.descriptor.as_ref().unwrap();
    assert_eq!(descriptor.index, 1);
    assert_eq!(found.structure.as_ref().unwrap().balance, Zero::Yes);
    assert_eq!(descriptor.kernel.len(), 2);
}

#[test]
fn other_commands_say_that_there_is_a_matrix() {
    let (mut system, analysis) = analysed("port/pendulum_multiplier");
    let refused = examine_model(&mut system, &analysis, &mut budget()).unwrap_err();
    assert!(refused.to_string().contains("matrix E"), "{refused}");
    let refused = problem_of(&mut system, &[], &mut budget()).unwrap_err();
    assert_eq!(refused, PortError::Descriptor);
    assert!(analysis.conservation.conserved.is_empty());
}

#[test]
fn the_geometry_of_a_bracket_is_that_of_its_bivector() {
    let (mut system, analysis) = analysed("poisson/heavy_top");
    let report = examine_model(&mut system, &analysis, &mut budget()).unwrap();
    let dirac = report.dirac.unwrap();
    assert_eq!((dirac.is_dirac(), dirac.leaf_dimension), (Some(true), Some(4)));
    assert_eq!(dirac.casimirs.unwrap().functions.len(), 2);
    assert_eq!(report.homological.unwrap().square_zero, Zero::Yes);
}
