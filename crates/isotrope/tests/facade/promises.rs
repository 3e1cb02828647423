//! A promise is called broken where it is, and never for rounding that adds up.

use isotrope::{Host, Model, Overrides, RunRequest, System};

use super::same_bits::{model, models};

/// Methods that promise something on models of some kind; on the others they do not apply.
const PROMISING: [&str; 17] = [
    "avf",
    "avf-4",
    "avf-6",
    "discrete-gradient",
    "itoh-abe",
    "itoh-abe-2",
    "rattle",
    "spark-lobatto-3",
    "rkd-midpoint",
    "rkd-lobatto",
    "dla-midpoint",
    "dirac-2",
    "project:rk4",
    "lie-poisson",
    "lie-cayley",
    "lie-midpoint",
    "gauss-2",
];

/// Steps of each run; a hundred thousand with `ISOTROPE_LONG`.
fn steps() -> u32 {
    if std::env::var_os("ISOTROPE_LONG").is_some() { 100_000 } else { 100 }
}

fn outcome(system: &mut System, method: &str, step: &str) -> &'static str {
    let request = RunRequest {
        method: Some(method.to_owned()),
        step: Some(step.to_owned()),
        time: Some(format!("{}*({step})", steps())),
        ..RunRequest::default()
    };
    system.run(&request).unwrap().outcome.name()
}

#[test]
fn no_promise_is_called_broken_on_any_model() {
    let mut completed = 0;
    for path in models() {
        let mut system = model(&path).derive(&Host::new()).unwrap();
        let first = RunRequest { max_steps: Some(1), ..RunRequest::default() };
        let step = format!("{:e}", system.run(&first).unwrap().step);
        for method in PROMISING {
            let found = outcome(&mut system, method, &step);
            assert_ne!(found, "promise-broken", "{} with {method}", path.display());
            completed += usize::from(found == "completed");
        }
    }
    // Most methods are for one kind of models.
    assert!(completed > 300, "{completed}");
}

#[test]
fn no_promise_is_called_broken_in_other_units() {
    for unit in ["1e-9", "1", "1e9"] {
        let text = format!(
            "coordinates = [\"x\", \"y\"]\nparameters = {{ s = \"{unit}\" }}\n\
             lagrangian.L = \"(x'^2 + y'^2)/2 - s*y\"\nconstraints.rod = \"x^2 + y^2 = s^2\"\n\
             initial.position = {{ x = \"s\", y = 0 }}\ninitial.velocity = {{ x = 0, y = \"s/2\" }}\n"
        );
        let parsed = Model::parse("rod.toml", text.as_bytes(), &Overrides::default()).unwrap();
        let mut system = parsed.derive(&Host::new()).unwrap();
        for method in ["avf", "discrete-gradient", "rattle", "spark-lobatto-3", "rkd-midpoint"] {
            assert_eq!(outcome(&mut system, method, "1/50"), "completed", "{unit} {method}");
        }
    }
}

/// A step from a place off the constraints returns to them, and their reactions do work: nothing was promised.
#[test]
fn a_start_off_the_constraints_is_promised_nothing() {
    let text = "coordinates = [\"x\", \"y\"]\nlagrangian.L = \"(x'^2 + y'^2)/2 - y\"\n\
                constraints.rod = \"x^2 + y^2 = 1\"\ninitial.position = { x = 1.001, y = 0 }\n\
                initial.velocity = { x = 0.2, y = 0.3 }\n";
    let parsed = Model::parse("rod.toml", text.as_bytes(), &Overrides::default()).unwrap();
    let mut system = parsed.derive(&Host::new()).unwrap();
    for method in ["avf", "discrete-gradient", "rattle", "rkd-midpoint"] {
        let request = RunRequest {
            method: Some(method.to_owned()),
            step: Some("1/50".to_owned()),
            time: Some("1".to_owned()),
            ..RunRequest::default()
        };
        let report = system.run(&request).unwrap();
        assert_eq!(report.outcome.name(), "completed", "{method}: {:?}", report.failure);
        assert_eq!(report.consistent, Some(false), "{method}");
        // The same start, repaired.
        let request = RunRequest { project: true, ..request };
        let report = system.run(&request).unwrap();
        assert_eq!(report.outcome.name(), "completed", "{method}: {:?}", report.failure);
        assert_eq!(report.consistent, Some(true), "{method}");
    }
}
