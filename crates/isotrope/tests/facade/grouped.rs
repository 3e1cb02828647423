//! Methods with tables for groups, through the facade: constructed, saved, certified, run, measured.

use std::collections::BTreeMap;

use isotrope::rooms::certify::DefectOrder;
use isotrope::{
    Answer as _, Certification, ConstructRequest, ConvergenceRequest, Failure, FileError, Files,
    Host, Methods, Model, Overrides, RunRequest, Structured, construct,
};

/// Files in memory.
#[derive(Default)]
struct Memory(BTreeMap<String, Vec<u8>>);

impl Files for Memory {
    fn read(&self, name: &str) -> Result<Vec<u8>, FileError> {
        match self.0.get(name) {
            Some(bytes) => Ok(bytes.clone()),
            None => isotrope::NoFiles.read(name),
        }
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FileError> {
        isotrope::NoFiles.write(name, bytes)
    }
}

const PROBLEMS: [(&str, &str, &str); 3] = [
    (
        "damped oscillator",
        include_str!("../../../../models/groups/damped_oscillator.toml"),
        include_str!("../../../../models/equations/damped_oscillator.toml"),
    ),
    (
        "pendulum",
        include_str!("../../../../models/groups/pendulum.toml"),
        include_str!("../../../../models/equations/pendulum.toml"),
    ),
    (
        "circuit",
        include_str!("../../../../models/groups/rlc.toml"),
        include_str!("../../../../models/port/rlc.toml"),
    ),
];

/// A method of two stages and order 2 that keeps the structure of a problem to O(h³).
fn saved(problem: &str) -> String {
    let asked = ConstructRequest {
        stages: 2,
        order: 2,
        structure: Some(3),
        methods: 1,
        ..ConstructRequest::default()
    };
    let from = Structured::Groups("problem.toml".into(), problem.as_bytes().to_vec());
    let construction = construct(&Host::new(), from, &asked).unwrap();
    construction.saved().unwrap().unwrap()
}

fn host(file: &str) -> Host {
    let files = BTreeMap::from([("m.toml".to_owned(), file.as_bytes().to_vec())]);
    Host::new().with_files(Memory(files))
}

#[test]
fn what_is_constructed_is_certified_run_and_measured() {
    for (name, problem, model) in PROBLEMS {
        let file = saved(problem);
        let host = host(&file);
        let mut certified = Methods::certify(&host, "m.toml", file.as_bytes()).unwrap();
        assert!(!certified.is_negative(), "{name}: {}", certified.text(80));
        let Certification::Grouped(summary) = &certified else { panic!("{name}") };
        assert_eq!(summary.order.order, 2, "{name}");
        let Some(DefectOrder::Exactly(structure)) = summary.structure else { panic!("{name}") };
        let model = Model::parse(name, model.as_bytes(), &Overrides::default()).unwrap();
        let mut system = model.derive(&host).unwrap();
        let run = RunRequest {
            method: Some("grouped:m.toml".into()),
            step: Some("1/100".into()),
            time: Some("1".into()),
            ..RunRequest::default()
        };
        let report = system.run(&run).unwrap();
        assert!(report.outcome.is_success(), "{name}");
        assert!(!report.errors.structure_max.unwrap().0.is_empty(), "{name}");
        let asked = ConvergenceRequest {
            methods: Some("grouped:m.toml".into()),
            ..ConvergenceRequest::default()
        };
        let measured = system.convergence(&asked).unwrap();
        let row = &measured.rows[0];
        assert_eq!(row.computed_order, Some(2), "{name}");
        assert!((row.global.solution.unwrap() - 2.0).abs() < 0.2, "{name}: {:?}", row.global);
        // After a fixed time one power less than in one step; and the step shows the certified one.
        let slope = row.global.structure.unwrap();
        assert!(slope > structure as f64 - 1.2, "{name}: {slope}");
        assert_eq!(row.local.m, Some(DefectOrder::Exactly(structure)), "{name}");
    }
}

#[test]
fn groups_that_do_not_share_out_the_variables_are_refused_at_their_place() {
    let (_, problem, _) = PROBLEMS[0];
    let file = saved(problem);
    let (_, _, circuit) = PROBLEMS[2];
    let model = Model::parse("rlc", circuit.as_bytes(), &Overrides::default()).unwrap();
    let host = host(&file);
    let mut system = model.derive(&host).unwrap();
    let run = RunRequest { method: Some("grouped:m.toml".into()), ..RunRequest::default() };
    let Err(Failure::Refused(refusal)) = system.run(&run) else { panic!("not refused") };
    let diagnostic = &refusal.diagnostics[0];
    assert_eq!(diagnostic.code.text(), "ISO-TABLE-020");
    let place = diagnostic.place.unwrap();
    assert_eq!(&file[place.start..place.end], "\"p\"");
    assert!(diagnostic.hint.as_ref().unwrap().contains("phi"));
}

#[test]
fn classes_that_do_not_fit_the_groups_are_refused() {
    let file = |class: &str, matrix: &str| {
        format!(
            "name = \"x\"\ngroups.q = {{ variables = [\"x\"], {matrix} b = [1] }}\n\
             groups.p = {{ variables = [\"y\"], a = [[0]], b = [1] }}\n[declared]\nclass = \"{class}\"\norder = 1\n"
        )
    };
    for (class, matrix, code) in [
        ("unheard-of", "a = [[0]],", "ISO-TABLE-022"),
        ("u=v; v=u", "a = [[0]],", "ISO-TABLE-022"),
        ("q=p; p=q", "", "ISO-TABLE-021"),
    ] {
        let refused = Methods::certify(&Host::new(), "m.toml", file(class, matrix).as_bytes());
        let Err(Failure::Refused(refusal)) = refused else { panic!("{class}: not refused") };
        assert_eq!(refusal.diagnostics[0].code.text(), code, "{class}");
    }
}

#[test]
fn momenta_and_velocities_are_variables_of_mechanical_models() {
    // Störmer–Verlet as tables for groups: explicit on T(p) + U(q), of order 2.
    let tables = |second: &str| {
        format!(
            "name = \"verlet\"\ngroups.q = {{ variables = [\"x\"], a = [[0, 0], [\"1/2\", \"1/2\"]], b = [\"1/2\", \
             \"1/2\"] }}\ngroups.p = {{ variables = [\"{second}\"], a = [[\"1/2\", 0], [\"1/2\", 0]], b = [\"1/2\", \
             \"1/2\"] }}\n"
        )
    };
    let models = [
        (
            "p_x",
            "coordinates = [\"x\"]\nhamiltonian.H = \"p_x^2/2 - cos(x)\"\ninitial = { position = { x = 1 }, momentum = { x = 0 } }",
        ),
        (
            "x'",
            "coordinates = [\"x\"]\nlagrangian.L = \"x'^2/2 + cos(x)\"\ninitial = { position = { x = 1 }, velocity = { x = 0 } }",
        ),
    ];
    let mut ends = Vec::new();
    for (second, model) in models {
        let file = tables(second);
        let host = host(&file);
        let model = Model::parse("pendulum", model.as_bytes(), &Overrides::default()).unwrap();
        let mut system = model.derive(&host).unwrap();
        let run = |method: &str| RunRequest {
            method: Some(method.into()),
            step: Some("1/10".into()),
            time: Some("1".into()),
            ..RunRequest::default()
        };
        let report = system.run(&run("grouped:m.toml")).unwrap();
        let known = system.run(&run("sv")).unwrap();
        let (one, other) =
            (report.final_state.q.get("x").unwrap(), known.final_state.q.get("x").unwrap());
        assert!((one - other).abs() < 1e-13, "{second}: {one} {other}");
        ends.push(one);
        let asked = ConvergenceRequest {
            methods: Some("grouped:m.toml".into()),
            ..ConvergenceRequest::default()
        };
        let row = &system.convergence(&asked).unwrap().rows[0];
        assert_eq!(row.computed_order, Some(2), "{second}");
        assert!((row.global.solution.unwrap() - 2.0).abs() < 0.2, "{second}");
    }
    assert!((ends[0] - ends[1]).abs() < 1e-13);
}

#[test]
fn an_order_is_judged_on_the_class_that_a_file_declares() {
    let ruth = |class: &str| {
        format!(
            "name = \"ruth\"\na = [[\"7/24\", 0, 0], [\"7/24\", \"3/4\", 0], [\"7/24\", \"3/4\", \"-1/24\"]]\n\
             b = [\"7/24\", \"3/4\", \"-1/24\"]\nabar = [[0, 0, 0], [\"2/3\", 0, 0], [\"2/3\", \"-2/3\", 0]]\n\
             bbar = [\"2/3\", \"-2/3\", 1]\nbtil = [\"2/3\", \"-2/3\", 1]\n[declared]\norder = 3\n{class}"
        )
    };
    let judge = |text: &str| Methods::certify(&Host::new(), "ruth.toml", text.as_bytes()).unwrap();
    assert!(judge(&ruth("")).is_negative());
    let mut on_class = judge(&ruth("class = \"symplectic\"\n"));
    assert!(!on_class.is_negative(), "{}", on_class.text(80));
    assert!(
        on_class.text(80).contains("declared order on the class symplectic: 3; computed 3: holds")
    );
}
