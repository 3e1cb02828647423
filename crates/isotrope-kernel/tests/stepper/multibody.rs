//! What multibody codes use: stabilisation and damping.

use isotrope_kernel::stepper::StepperError;

use super::projections::{BREATHING, MIXED, TURNING, kept, kept_by, slope};
use super::{made, system, written};

#[test]
fn multibody_schemes_have_their_orders() {
    let systems = [
        ("pendulum", system("pendulum", vec![])),
        ("sleigh", system("sleigh", vec![])),
        ("double_pendulum", system("double_pendulum", vec![])),
        ("ziegler", system("ziegler", vec!["P=3"])),
        ("breathing", written(BREATHING)),
        ("turning", written(TURNING)),
        ("mixed", written(MIXED)),
    ];
    for (name, system) in &systems {
        for (method, order, coarse) in [
            ("baumgarte", 4.0, 40),
            ("baumgarte:heun", 2.0, 100),
            ("baumgarte:gauss-2", 4.0, 20),
            ("ggl", 3.0, 40),
            ("ggl-1", 1.0, 400),
            ("ggl-3", 5.0, 20),
            ("generalized-alpha", 2.0, 200),
            ("generalized-alpha-1", 2.0, 200),
            ("generalized-alpha-0", 2.0, 200),
        ] {
            if *name == "double_pendulum" && !method.starts_with("generalized") {
                continue;
            }
            let slope = slope(system, method, coarse);
            assert!((slope - order).abs() < 0.2, "{method} on {name}: {slope}");
        }
    }
}

#[test]
fn ggl_keeps_both_levels_and_generalized_alpha_one() {
    for system in
        [system("pendulum", vec![]), system("three_particles", vec![]), written(BREATHING)]
    {
        let [phi, rate, _] = kept(&system, "ggl", "1/100", 1000);
        assert!(phi < 1e-13 && rate < 1e-12, "{phi} {rate}");
        let [phi, rate, _] = kept(&system, "generalized-alpha", "1/100", 1000);
        assert!(phi < 1e-13 && rate > 1e-9, "{phi} {rate}");
    }
    for system in [system("sleigh", vec![]), system("rolling_disc", vec![]), written(TURNING)] {
        for method in ["ggl", "generalized-alpha"] {
            let [_, rate, _] = kept(&system, method, "1/100", 1000);
            assert!(rate < 1e-12, "{method}: {rate}");
        }
    }
}

/// Without stabilisation the drift grows; with it, it stays.
#[test]
fn baumgarte_stays_near_the_constraints() {
    let pendulum = system("pendulum", vec![]);
    let drift = |method: &str, steps| kept(&pendulum, method, "1/100", steps)[0];
    let (free, bound) = (drift("rk4", 20_000), drift("baumgarte", 20_000));
    assert!(bound < free / 100.0, "{bound} {free}");
    assert!(bound < 2.0 * drift("baumgarte", 1000));
    // α = 5/T, and T is √(l/g) ≈ 0.3 here: it pulls more than 10 and less than 20. With so long steps stronger ones err more.
    let [two, ten, usual, twenty] = ["baumgarte-2", "baumgarte-10", "baumgarte", "baumgarte-20"]
        .map(|method| drift(method, 1000));
    assert!(two < ten && ten < usual && usual < twenty, "{two} {ten} {usual} {twenty}");
    assert_eq!(drift("baumgarte:rk4", 1000), drift("baumgarte", 1000));
}

/// Work of forces, of moving constraints and of time.
#[test]
fn the_balance_of_energy_closes_with_the_order() {
    for system in [written(BREATHING), written(TURNING), system("ziegler", vec!["P=3"])] {
        for (method, order) in [("baumgarte", 4.0), ("ggl", 3.0), ("generalized-alpha", 2.0)] {
            let errors = [("1/40", 40), ("1/80", 80)].map(|(h, n)| kept(&system, method, h, n)[2]);
            let slope = (errors[0] / errors[1]).log2();
            assert!(slope > order - 0.5, "{method}: {slope} {errors:?}");
        }
    }
}

/// Every scheme of these families makes steps on every model, or says why it does not.
#[test]
fn every_model_is_integrated_or_refused() {
    let names = [
        "project:rk4",
        "symproject:midpoint",
        "baumgarte",
        "ggl",
        "generalized-alpha",
        "avf",
        "discrete-gradient",
    ];
    for model in [
        "chain",
        "double_pendulum",
        "henon_heiles",
        "kepler",
        "knife_edge",
        "n_pendulum",
        "nonholonomic_oscillator",
        "pendulum",
        "pendulum_angle",
        "rolling_disc",
        "sleigh",
        "sleigh_incline",
        "sphere_drift",
        "spherical_pendulum",
        "three_particles",
        "ziegler",
        "ziegler_angles",
    ] {
        let (system, field) = system(model, vec![]);
        for method in names {
            match made((&system, &field), method) {
                Ok(stepper) => {
                    println!("{method} on {model}");
                    let error = kept_by(&stepper, 10)[2];
                    assert!(error < 1e-3, "{method} on {model}: {error}");
                }
                Err(StepperError::Discretise(reason)) => {
                    assert!(reason.to_string().contains("constraints"), "{method}: {reason}");
                }
                Err(error) => panic!("{method} on {model}: {error}"),
            }
        }
    }
}

#[test]
fn what_does_not_apply_says_why() {
    let (free, field) = system("henon_heiles", vec![]);
    for method in ["baumgarte", "ggl"] {
        let error = made((&free, &field), method).unwrap_err().to_string();
        assert_eq!(error, "there are no constraints to stabilise");
    }
    let (pendulum, field) = system("pendulum", vec![]);
    for (method, reason) in [
        ("generalized-alpha-2", "the spectral radius at infinity is between 0 and 1"),
        ("baumgarte--1", "α must not be negative: motions would be pushed off the constraints"),
    ] {
        assert_eq!(made((&pendulum, &field), method).unwrap_err().to_string(), reason);
    }
}
