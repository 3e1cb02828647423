//! Critical values, and what methods make of them.

use isotrope::rooms::study::stability::StabilityReport;
use isotrope::{Host, StabilityRequest};

use crate::rescaled::{CARTESIAN, COLUMN, Mechanics, Units, close};

fn report(problem: &Mechanics, units: &Units, methods: &str) -> StabilityReport {
    let request = StabilityRequest {
        vary: format!("P={:e}..{:e}", units.parameter, 3.0 * units.parameter),
        points: 21,
        methods: methods.split(',').map(str::to_owned).collect(),
        ..StabilityRequest::default()
    };
    problem.model(units).stability(&Host::new(), &request).unwrap()
}

fn agree(problem: &Mechanics, methods: &str, seed: u64) {
    let count = problem.coordinates.len();
    let units = Units::random(count, seed);
    let own = report(problem, &Units::own(count), methods);
    let other = report(problem, &units, methods);
    let place = format!("{units:?}\n{}\n{}", own.to_text(), other.to_text());
    assert_eq!(own.state, other.state, "{place}");
    assert_eq!(own.nonconservativity.degree, other.nonconservativity.degree, "{place}");
    for (q, (a, b)) in own.equilibrium.0.iter().zip(&other.equilibrium.0).enumerate() {
        assert!(close(a.1, b.1 / units.coordinates[q], 1e-12), "{place}");
    }
    for (a, b) in own.eigenvalues.iter().zip(&other.eigenvalues) {
        assert!(close(a.re, b.re * units.time, 1e-7), "{place}");
        assert!(close(a.im, b.im * units.time, 1e-7), "{place}");
    }
    assert_eq!(own.critical.len(), other.critical.len(), "{place}");
    for (a, b) in own.critical.iter().zip(&other.critical) {
        assert_eq!((a.kind, a.unstable), (b.kind, b.unstable), "{place}");
        assert_eq!(a.constraint.is_some(), b.constraint.is_some(), "{place}");
        assert!(close(a.value, b.value / units.parameter, 1e-9), "{place}");
    }
    for (a, b) in own.methods.iter().zip(&other.methods) {
        assert_eq!((&a.method, a.outcome), (&b.method, b.outcome), "{place}");
        assert_eq!(a.principal.is_some(), b.principal.is_some(), "{place}");
        let [value, shift] = [(a.value, b.value), (a.shift, b.shift)]
            .map(|(a, b)| a.zip(b).is_none_or(|(a, b)| close(a, b / units.parameter, 1e-5)));
        assert!(value && shift, "{place}");
        for (a, b) in a.growth.iter().zip(&b.growth) {
            let same = a.zip(*b).is_none_or(|(a, b)| close(a, b * units.time, 1e-6));
            assert!(same, "{place}");
        }
    }
}

#[test]
fn a_column_in_angles_loses_stability_at_the_same_load_in_all_units() {
    for seed in 0..4 {
        agree(&COLUMN, "rk4,midpoint,euler,dirac-1", seed);
    }
}

#[test]
fn a_column_with_constraints_loses_stability_at_the_same_load_in_all_units() {
    for seed in 4..7 {
        agree(&CARTESIAN, "rk4,rattle,midpoint", seed);
    }
}
