//! Everything can be stopped: every computation ends soon after the flag is set.

use std::path::Path;
use std::time::{Duration, Instant};

use isotrope::{
    CompareRequest, ConditionsRequest, ConstructRequest, ConvergenceRequest, DriftRequest, Event,
    Failure, Host, Model, Overrides, PortRequest, RunRequest, Stop, Structured, System,
    conditions_of_class, construct,
};

/// The promise is a fifth of a second; unoptimised builds on a busy machine get some room.
const SOON: Duration = Duration::from_millis(if cfg!(debug_assertions) { 2000 } else { 200 });

fn model(name: &str, set: &[&str]) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    let set = set.iter().map(|&text| text.to_owned()).collect();
    Model::parse(name, &std::fs::read(path).unwrap(), &Overrides { set, initial: Vec::new() })
        .unwrap()
}

/// Sets the flag a little after the work has begun; what is left must end soon.
fn stopped_after<T>(delay: Duration, work: impl FnOnce(&Host) -> T) -> T {
    let stop = Stop::new();
    let host = Host::new().with_stop(stop.clone());
    let (sender, set) = std::sync::mpsc::channel();
    let timer = std::thread::spawn(move || {
        std::thread::sleep(delay);
        stop.set();
        sender.send(Instant::now()).unwrap();
    });
    let done = work(&host);
    let ended = Instant::now();
    timer.join().unwrap();
    let late = ended.saturating_duration_since(set.recv().unwrap());
    assert!(late < SOON, "{late:?} after the flag was set");
    done
}

fn is_interrupted<T>(done: &Result<T, Failure>) -> bool {
    matches!(done, Err(Failure::Interrupted { .. }))
}

const SHORT: Duration = Duration::from_millis(150);

#[test]
fn a_derivation_stops() {
    let chain = model("n_pendulum.toml", &["N=24"]);
    let done =
        stopped_after(SHORT, |host| chain.derive(host).and_then(|mut system| system.derivation()));
    assert!(is_interrupted(&done), "{:?}", done.map(|_| "an answer"));
}

#[test]
fn a_search_for_methods_stops() {
    let asked = ConstructRequest { stages: 3, order: 3, structure: Some(5), ..Default::default() };
    // In the middle of conditions, of bases modulo a prime and over the rationals, of reductions.
    for delay in [10, 50, 150, 600] {
        let delay = Duration::from_millis(delay);
        let done = stopped_after(delay, |host| construct(host, Structured::Generic, &asked));
        assert!(is_interrupted(&done), "{delay:?}");
    }
}

#[test]
fn conditions_stop() {
    let asked = ConditionsRequest { order: 6, given: None };
    let done = stopped_after(SHORT, |host| conditions_of_class(host, "generic", None, &asked));
    assert!(is_interrupted(&done));
}

#[test]
fn a_search_for_ports_stops() {
    let system = |host: &Host| model("poisson/heavy_top.toml", &[]).derive(host);
    let asked = PortRequest { search: true, integrals: Some(12), ..PortRequest::default() };
    let done = stopped_after(SHORT / 10, |host| system(host)?.port(&asked));
    assert!(is_interrupted(&done), "{:?}", done.map(|_| "an answer"));
}

#[test]
fn certificates_stop() {
    // A member of a family whose certificate is not stored.
    let done = stopped_after(SHORT, |host| isotrope::Methods::certificate(host, "rkmk-gauss-8"));
    assert!(is_interrupted(&done));
}

fn derived(host: &Host, name: &str) -> System {
    model(name, &[]).derive(host).unwrap()
}

/// Long runs leave what they have, marked as interrupted.
#[test]
fn runs_leave_what_they_have() {
    let request = RunRequest { time: Some("10000000".into()), ..RunRequest::default() };
    let report = stopped_after(SHORT, |host| derived(host, "pendulum.toml").run(&request)).unwrap();
    assert_eq!(report.outcome.name(), "interrupted");
    let request = DriftRequest {
        methods: Some("midpoint,rk4".into()),
        time: Some("10000000".into()),
        ..DriftRequest::default()
    };
    let report =
        stopped_after(SHORT, |host| derived(host, "pendulum_angle.toml").drift(&request)).unwrap();
    assert!(report.rows.iter().all(|row| row.outcome == "interrupted"));
}

#[test]
fn studies_stop() {
    let request = CompareRequest {
        methods: Some("all".into()),
        time: Some("10".into()),
        ..CompareRequest::default()
    };
    let done = stopped_after(SHORT, |host| {
        let mut system = model("double_pendulum.toml", &[]).derive(host)?;
        system.compare(&request)
    });
    assert!(done.is_ok_and(|comparison| comparison.interrupted));
    let request =
        ConvergenceRequest { methods: Some("all".into()), ..ConvergenceRequest::default() };
    let done = stopped_after(SHORT, |host| {
        let mut system = model("double_pendulum.toml", &[]).derive(host)?;
        system.convergence(&request)
    });
    // Rows that are there are finished: their orders were computed.
    let measured = done.unwrap();
    assert!(measured.interrupted);
    assert!(measured.rows.iter().all(|row| row.computed_order.is_some() || row.steps.is_empty()));
}

#[test]
fn the_watcher_hears_what_is_going_on() {
    let told = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let list = told.clone();
    let host = Host::new().watched(move |event| {
        if let Event::Begin(doing) = event {
            list.lock().unwrap().push(doing.to_owned());
        }
    });
    let mut system = model("pendulum.toml", &[]).derive(&host).unwrap();
    let equations = told.lock().unwrap().clone();
    assert_eq!(equations, ["deriving the equations of motion"]);
    system.conservation().unwrap();
    system.conservation().unwrap();
    let conserved = told.lock().unwrap().clone();
    assert_eq!(conserved[1..], ["looking for what is conserved"]);
    system.analysis().unwrap();
    assert_eq!(told.lock().unwrap()[2..], ["examining the geometry"]);
}

/// Threads may share what the facade gives them.
#[test]
fn everything_may_go_to_another_thread() {
    fn shared<T: Send + Sync>() {}
    shared::<(Host, Model, System, Stop)>();
    shared::<(isotrope::Steps, isotrope::Scene, Failure)>();
}
