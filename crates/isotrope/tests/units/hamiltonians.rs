//! Models given by H: sections, critical values and contacts.

use isotrope::{DriftRequest, Host, Model, Overrides, RunRequest, StabilityRequest};

use super::kinds::{Body, Case};
use super::rescaled::{Units, close};

fn case(h: &str, names: &[&'static str], initial: &[(f64, f64)]) -> Case {
    Case {
        name: "hamiltonian".to_owned(),
        names: names.to_vec(),
        body: Body::Hamiltonian(h.to_owned()),
        initial: initial.to_vec(),
        methods: "",
    }
}

#[test]
fn sections_of_hamiltonians_are_crossed_at_the_same_times_in_all_units() {
    let h = "(@p_x^2 + @p_y^2 + @x^2 + @y^2)/2 + @x^2*@y - @y^3/3";
    let case = case(h, &["x", "y"], &[(0.0, 0.35), (0.1, 0.0)]);
    let found = |units: &Units| {
        let request = DriftRequest {
            methods: Some("gauss-2,rk4".to_owned()),
            steps: vec![case.steps(units, 2)],
            time: Some(case.steps(units, 1000)),
            section: Some("x".to_owned()),
        };
        case.system(units).drift(&request).unwrap().rows
    };
    let own = found(&Units::own(2));
    for seed in 1..4 {
        let units = Units::random(2, seed);
        for (a, b) in own.iter().zip(found(&units)) {
            assert_eq!((a.drifts, a.is_rounding, a.wanders), (b.drifts, b.is_rounding, b.wanders));
            let crossings = [a.crossings.clone().unwrap(), b.crossings.unwrap()];
            assert!(crossings[0].len() > 5 && crossings[0].len() == crossings[1].len());
            for (a, b) in crossings[0].iter().zip(&crossings[1]) {
                assert!(close(a.t, b.t / units.time, 1e-8), "{a:?} {b:?}");
            }
        }
    }
}

#[test]
fn hamiltonians_lose_stability_at_the_same_value_in_all_units() {
    for h in [
        "@p_x^2/2 - P/u_P*sin(@x)^2/2 - cos(@x)",
        "(1 + @x^2)*@p_x^2/2 + (1 - P/u_P)*@x^2/2 + @x^4/4",
        "sqrt(1 + @p_x^2) + (1 - P/u_P)*@x^2/2 + @x^4/4",
    ] {
        let case = case(h, &["x"], &[(0.2, 0.0)]);
        for seed in 0..4 {
            let units = if seed == 0 { Units::own(1) } else { Units::random(1, seed) };
            let unit = units.parameter;
            let given = format!("[parameters]\nu_P = {unit:e}\nP = {unit:e}\n");
            let text = case.text(&units).replace("[parameters]\n", &given);
            let model = Model::parse("case.toml", text.as_bytes(), &Overrides::default()).unwrap();
            let vary = format!("P={:e}..{:e}", 0.5 * unit, 3.0 * unit);
            let request = StabilityRequest { vary, ..StabilityRequest::default() };
            let found = model.stability(&Host::new(), &request).unwrap();
            assert_eq!(found.critical.len(), 1, "{h} {}", found.to_text());
            assert!(close(found.critical[0].value, unit, 1e-9 * unit), "{h} {}", found.to_text());
        }
    }
}

/// Contacts, under every method that balances energy.
#[test]
fn contacts_are_balanced_in_all_units() {
    let h = "@p_x^2/2 + 20*((@x + abs(@x))/2)^2 + @x^2";
    let case = case(h, &["x"], &[(-0.6, 0.8)]);
    for seed in 0..4 {
        let units = if seed == 0 { Units::own(1) } else { Units::random(1, seed) };
        let mut system = case.system(&units);
        for method in ["avf", "avf-4", "avf-6", "discrete-gradient", "itoh-abe", "itoh-abe-2"] {
            let request = RunRequest {
                method: Some(method.to_owned()),
                step: Some(case.steps(&units, 1)),
                time: Some(case.steps(&units, 400)),
                ..RunRequest::default()
            };
            let run = system.run(&request).unwrap();
            assert!(run.outcome.is_success(), "{method} {units:?}: {:?}", run.failure);
            let error = run.errors.energy_max.unwrap() / units.energy;
            assert!(error < 1e-12, "{method} {units:?}: {error}");
        }
    }
}
