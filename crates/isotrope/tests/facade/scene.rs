//! What is drawn: declared, or guessed from names, definitions and constraints.

use std::path::Path;

use isotrope::{Host, Model, Overrides, RunRequest, Scene, SceneSource, System};

fn system(name: &str, set: &[&str]) -> System {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    let set = set.iter().map(|&text| text.to_owned()).collect();
    let overrides = Overrides { set, initial: Vec::new() };
    Model::parse(name, &std::fs::read(path).unwrap(), &overrides)
        .unwrap()
        .derive(&Host::new())
        .unwrap()
}

fn scene(name: &str, set: &[&str]) -> Scene {
    (*system(name, set).scene().unwrap()).clone()
}

#[test]
fn a_declared_scene_is_drawn_as_it_is_declared() {
    let scene = scene("pendulum_angle.toml", &["l=2"]);
    assert_eq!(scene.source, SceneSource::Declared);
    assert_eq!(scene.points[0].name, "bob");
    assert_eq!(scene.points[0].at, ["l*sin(theta)", "-l*cos(theta)"]);
    assert_eq!(scene.links, [[0, 1]]);
    let quarter = std::f64::consts::FRAC_PI_2;
    let [x, y, z] = scene.points_at(0.0, &[quarter], &[0.0]).unwrap()[0];
    assert!((x - 2.0).abs() < 1e-15 && y.abs() < 1e-15 && z == 0.0);
}

#[test]
fn rods_are_proved_from_constraints() {
    let pendulum = scene("pendulum.toml", &[]);
    assert_eq!((pendulum.source, &pendulum.links[..]), (SceneSource::Coordinates, &[[0, 1]][..]));
    let chain = scene("chain.toml", &["N=4"]);
    assert_eq!(chain.links, [[0, 1], [1, 2], [2, 3], [3, 4]]);
    let particles = scene("three_particles.toml", &[]);
    assert_eq!((particles.axes.len(), particles.points.len()), (3, 3));
    assert_eq!(particles.links.len(), 1);
    // Kepler's planet is linked to nothing.
    assert!(scene("kepler.toml", &[]).links.is_empty());
}

#[test]
fn a_curve_is_no_rod() {
    let file = br#"
        coordinates = ["x", "y"]
        lagrangian.L = "x'^2/2 + y'^2/2"
        constraints.curve = "x^4 + y^4 = 1"
        initial.position = { x = 1, y = 0 }
        initial.velocity = { x = 0, y = 0 }
    "#;
    let model = Model::parse("curve.toml", file, &Overrides::default()).unwrap();
    assert!(model.derive(&Host::new()).unwrap().scene().unwrap().links.is_empty());
}

#[test]
fn definitions_are_places_and_keep_their_distances() {
    let double = scene("double_pendulum.toml", &[]);
    assert_eq!(double.source, SceneSource::Definitions);
    assert_eq!(double.links, [[0, 1], [1, 2]]);
}

#[test]
fn bodies_of_a_group_are_boxes_and_everything_else_is_a_phase_plane() {
    let body = scene("rigid_body.toml", &[]);
    assert_eq!((body.source, body.bodies.len(), body.axes.len()), (SceneSource::Group, 1, 3));
    let state = scene("equations/lorenz.toml", &[]);
    assert_eq!((state.source, state.is_in_space()), (SceneSource::Phase, false));
    assert_eq!(state.axes.len(), 2);
}

#[test]
fn every_model_has_a_scene_whose_points_have_places_along_a_run() {
    for name in ["sleigh.toml", "double_pendulum.toml", "ziegler_angles.toml", "kepler.toml"] {
        let mut system = system(name, &[]);
        let request = RunRequest { max_steps: Some(5), ..RunRequest::default() };
        let report = system.run(&request).unwrap();
        let scene = system.scene().unwrap();
        let q: Vec<f64> = report.final_state.q.0.iter().map(|entry| entry.1).collect();
        let v: Vec<f64> = report.final_state.v.unwrap().0.iter().map(|entry| entry.1).collect();
        let points = scene.points_at(report.final_state.t, &q, &v).unwrap();
        assert_eq!(points.len(), scene.points.len(), "{name}");
        let json = serde_json::to_value(&*scene).unwrap();
        assert_eq!(json["points"].as_array().unwrap().len(), points.len());
    }
}
