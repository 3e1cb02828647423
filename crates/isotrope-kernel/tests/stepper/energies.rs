//! Steps that keep the energy.

use super::projections::{BREATHING, MIXED, TURNING, kept, slope};
use super::{integrate, stepper, system, written};

const METHODS: [&str; 2] = ["avf", "discrete-gradient"];

/// Relative to the energies that are exchanged: the arms of the double pendulum fall by 3 g.
#[test]
fn the_energy_is_kept_to_rounding() {
    for (model, scale) in [
        ("pendulum", 1.0),
        ("sleigh", 1.0),
        ("double_pendulum", 30.0),
        ("henon_heiles", 1.0),
        ("nonholonomic_oscillator", 1.0),
    ] {
        let system = system(model, vec![]);
        for method in METHODS {
            let [phi, rate, energy] = kept(&system, method, "1/100", 10_000);
            assert!(energy < 1e-12 * scale, "{method} on {model}: {energy}");
            assert!(phi < 1e-13 && rate < 1e-2, "{method} on {model}: {phi} {rate}");
        }
    }
}

#[test]
fn they_have_order_two() {
    let systems = [
        ("pendulum", system("pendulum", vec![])),
        ("sleigh", system("sleigh", vec![])),
        ("double_pendulum", system("double_pendulum", vec![])),
        ("henon_heiles", system("henon_heiles", vec![])),
        ("rolling_disc", system("rolling_disc", vec![])),
        ("breathing", written(BREATHING)),
        ("turning", written(TURNING)),
        ("mixed", written(MIXED)),
    ];
    for (name, system) in &systems {
        for method in METHODS {
            let slope = slope(system, method, 200);
            assert!((slope - 2.0).abs() < 0.2, "{method} on {name}: {slope}");
        }
    }
}

/// Forces, moving constraints and time: what changes the energy is the work, exactly.
#[test]
fn the_balance_of_energy_is_exact() {
    for system in [
        written(BREATHING),
        written(TURNING),
        written(MIXED),
        system("ziegler_angles", vec!["P=3"]),
    ] {
        for method in METHODS {
            let energy = kept(&system, method, "1/20", 200)[2];
            assert!(energy < 1e-12, "{method}: {energy}");
        }
    }
}

/// At rest the correction of the midpoint gradient is 0/0.
#[test]
fn a_system_at_rest_stays_at_rest() {
    let text = r#"
        coordinates = ["x", "y"]
        lagrangian.L = "(x'^2 + y'^2)/2 + cos(x) - y^4"
        initial.position = { x = 0, y = 0 }
        initial.velocity = { x = 0, y = 0 }
    "#;
    let system = written(text);
    for method in METHODS {
        let state = integrate(&stepper(&system, method, "1/10"), 100).unwrap();
        assert_eq!(&state[..4], &[0.0; 4], "{method}");
    }
}

/// Near rest the difference of two energies would be rounding.
#[test]
fn small_oscillations_are_those_of_a_line() {
    let text = r#"
        coordinates = ["x"]
        lagrangian.L = "x'^2/2 + cos(x) - x^4 + 1000"
        initial.position = { x = 1e-9 }
        initial.velocity = { x = 0 }
    "#;
    let system = written(text);
    for method in METHODS {
        let state = integrate(&stepper(&system, method, "1/10"), 1000).unwrap();
        // The midpoint rule turns by (1 + ih/2)/(1 − ih/2).
        let (cosine, sine) = ((1.0 - 0.0025) / 1.0025, 0.1 / 1.0025);
        let turn = |(x, y): (f64, f64), _| (cosine * x - sine * y, sine * x + cosine * y);
        let wanted = (0..1000).fold((1e-9, 0.0), turn).0;
        assert!((state[0] - wanted).abs() < 1e-20, "{method}: {} {wanted}", state[0]);
    }
}
