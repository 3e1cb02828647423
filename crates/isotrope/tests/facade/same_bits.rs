//! One way in, one answer: the same request has the same bits, whatever the front end.

use std::path::{Path, PathBuf};

use isotrope::{CompareRequest, DriftRequest, Host, Model, Overrides, RunRequest, System};

/// Every model of the repository that can be run, without tables, groups and geometry files.
pub fn models() -> Vec<PathBuf> {
    fn collect(folder: &Path, list: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let skipped = ["tables", "groups", "geometry"];
            if path.is_dir() {
                if !path.file_name().is_some_and(|name| skipped.iter().any(|other| name == *other))
                {
                    collect(&path, list);
                }
            } else if path.extension().is_some_and(|extension| extension == "toml") {
                list.push(path);
            }
        }
    }
    let mut list = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models"), &mut list);
    list.sort();
    assert!(list.len() > 50, "{}", list.len());
    list
}

pub fn model(path: &Path) -> Model {
    let name = path.file_name().unwrap().to_string_lossy();
    Model::parse(&name, &std::fs::read(path).unwrap(), &Overrides::default()).unwrap()
}

const STEP: &str = "1/64";
const TIME: &str = "1/8";

/// Runs methods one by one and side by side; whatever is not a time has to be the same.
fn agree(system: &mut System, methods: &str) {
    let request = CompareRequest {
        methods: Some(methods.into()),
        steps: vec![STEP.into()],
        time: Some(TIME.into()),
        ..CompareRequest::default()
    };
    let comparison = system.compare(&request).unwrap();
    assert_eq!(comparison.rows.len(), methods.split(',').count());
    for row in comparison.rows {
        let request = RunRequest {
            method: Some(row.run.method.clone()),
            step: Some(STEP.into()),
            time: Some(TIME.into()),
            ..RunRequest::default()
        };
        let alone = system.run(&request).unwrap();
        let place = format!("{} with {}", system.name(), row.run.method);
        assert_eq!(alone.outcome, row.run.outcome, "{place}");
        assert_eq!(alone.final_state, row.run.final_state, "{place}");
        assert_eq!(alone.cost.newton_iterations, row.run.cost.newton_iterations, "{place}");
        if alone.steps_done > 0 {
            assert_eq!(alone.errors, row.run.errors, "{place}");
            assert_eq!(alone.errors_shifted, row.run.errors_shifted, "{place}");
        }
    }
}

#[test]
fn run_and_compare_give_the_same_bits_on_every_model() {
    for path in models() {
        let mut system = model(&path).derive(&Host::new()).unwrap();
        agree(&mut system, "rk4,gauss-2,lobatto-iiia-iiib-2,dop853");
    }
}

#[test]
fn schemes_give_the_same_bits_where_they_apply() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let cases = [
        ("pendulum.toml", "rattle,dirac-2,variational-midpoint"),
        ("sleigh.toml", "dla-midpoint,dirac-1"),
        ("equations/van_der_pol.toml", "avf"),
        ("port/dc_motor.toml", "avf,discrete-gradient"),
        ("poisson/rigid_body.toml", "lie-poisson"),
        ("rigid_body.toml", "lie-cayley"),
    ];
    for (file, methods) in cases {
        let mut system = model(&root.join(file)).derive(&Host::new()).unwrap();
        agree(&mut system, methods);
    }
}

#[test]
fn a_list_means_the_same_to_every_request() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut system = model(&root.join("port/lc_circuit.toml")).derive(&Host::new()).unwrap();
    let request = DriftRequest {
        methods: Some("state".into()),
        steps: vec!["1/100".into()],
        time: Some("1".into()),
        ..DriftRequest::default()
    };
    let report = system.drift(&request).unwrap();
    let names: Vec<&str> = report.rows.iter().map(|row| row.method.as_str()).collect();
    assert_eq!(names, isotrope::Methods::names("state"));
    assert!(report.rows.iter().any(|row| row.outcome == "completed"));
}
