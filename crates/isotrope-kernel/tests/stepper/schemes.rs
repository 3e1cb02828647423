//! What the schemes keep, against the published and recomputed numbers.

use isotrope_kernel::stepper::Measured;

use super::{integrate, stepper, system};

/// Largest |φ|, |A v| and energy error.
fn errors(model: &str, method: &str, place: Measured) -> [f64; 3] {
    let stepper = stepper(&system(model, vec![]), method, "1/100");
    let state = integrate(&stepper, 1000).unwrap();
    let layout = stepper.layout;
    [
        state[layout.largest_position_error(place) as usize],
        state[layout.largest_velocity_error(place) as usize],
        state[layout.largest_energy_error(place) as usize],
    ]
}

fn near(found: f64, wanted: f64) -> bool {
    if wanted < 1e-12 { found < 100.0 * wanted } else { (found / wanted - 1.0).abs() < 0.2 }
}

#[test]
fn errors_on_the_pendulum_are_the_recomputed_ones() {
    let rows = [
        ("trapezoid", [9.8e-4, 1.3e-3, 8.3e-7]),
        ("midpoint", [4.9e-4, 8e-15, 3.6e-3]),
        ("lobatto-iiia-iiib-2", [7e-14, 1e-14, 3.6e-3]),
        ("rk4", [7.2e-5, 1.4e-5, 4.7e-4]),
        ("rattle", [2e-16, 8e-16, 3.6e-3]),
        ("dirac-1", [0.75, 8e-16, 6.0]),
        ("dirac-2", [1.6e-3, 5e-16, 5.6]),
        ("ab3", [5.0e-3, 1.1e-3, 1.5e-2]),
    ];
    for (method, wanted) in rows {
        let found = errors("pendulum", method, Measured::Own);
        let agree = found.iter().zip(wanted).all(|(&found, wanted)| near(found, wanted));
        assert!(agree, "{method}: {found:?} instead of {wanted:?}");
    }
}

#[test]
fn errors_on_the_sleigh_are_the_recomputed_ones() {
    let rows = [
        ("trapezoid", [3.1e-5, 1.5e-5]),
        ("midpoint", [5.6e-6, 6.3e-6]),
        ("rk4", [1.9e-10, 2.4e-10]),
        ("dirac-1", [1e-16, 1.0e-2]),
        ("dirac-2", [1e-16, 1.2e-2]),
        ("dla-midpoint", [4e-16, 8.3e-6]),
        ("dla-leapfrog", [5e-16, 8.3e-6]),
        ("ab3", [2.4e-6, 4.0e-6]),
    ];
    for (method, wanted) in rows {
        let found = errors("sleigh", method, Measured::Own);
        let agree = found[1..].iter().zip(wanted).all(|(&found, wanted)| near(found, wanted));
        assert!(agree, "{method}: {found:?} instead of {wanted:?}");
    }
}

/// The published column holds squares.
#[test]
fn energies_on_the_incline_are_the_published_ones() {
    for (method, square) in [
        ("euler-c", 0.3450),
        ("implicit-euler-c", 0.3332),
        ("dirac-1", 0.16024),
        ("dirac-2", 0.0082),
    ] {
        let [_, rate, energy] = errors("sleigh_incline", method, Measured::Own);
        assert!((energy * energy / square - 1.0).abs() < 0.02, "{method} {}", energy * energy);
        assert!(rate < 1e-12, "{method} {rate}");
    }
}

/// Measured on the constrained pendulum against a fine solution.
#[test]
fn constrained_forms_have_their_orders() {
    let pendulum = system("pendulum", vec![]);
    let wanted = integrate(&stepper(&pendulum, "gauss-6", "1/100"), 100).unwrap();
    for (method, order) in [
        ("euler-c", 1.0),
        ("implicit-euler-c", 1.0),
        ("symplectic-euler-c", 1.0),
        ("trapezoid-c", 2.0),
        ("rattle", 2.0),
        ("dla-midpoint", 2.0),
        ("dirac-1", 1.0),
        ("dirac-2", 1.0),
        ("dirac-1-position", 1.0),
        ("dirac-2-repaired", 2.0),
        ("dla-leapfrog", 2.0),
        ("ab3", 3.0),
        // The conditions of order four are not enough for index two.
        ("rk4-c", 3.0),
        // Published as of order four: its stages coincide, and it is of order one.
        ("dirac-rk", 1.0),
    ] {
        let error = |step: &str, steps| {
            let found = integrate(&stepper(&pendulum, method, step), steps).unwrap();
            found[..2].iter().zip(&wanted).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
        };
        let slope = (error("1/400", 400) / error("1/800", 800)).log2();
        assert!((slope - order).abs() < 0.2, "{method}: {slope}");
    }
}

#[test]
fn the_position_form_keeps_positions() {
    let [phi, rate, _] = errors("pendulum", "dirac-1-position", Measured::Shifted);
    assert!(phi < 1e-14 && rate > 1e-4, "{phi} {rate}");
}

/// The follower force of the column does work; all second-order schemes balance it so.
#[test]
fn the_energy_balance_has_the_order_of_the_scheme() {
    for method in ["rattle", "dla-midpoint", "dla-leapfrog", "trapezoid-c", "midpoint"] {
        let column = system("ziegler", vec!["P=3"]);
        let error = |step: &str, steps| {
            let stepper = stepper(&column, method, step);
            let state = integrate(&stepper, steps).unwrap();
            state[stepper.layout.largest_energy_error(Measured::Own) as usize]
        };
        let slope = (error("1/50", 200) / error("1/100", 400)).log2();
        assert!((slope - 2.0).abs() < 0.3, "{method}: {slope}");
    }
}

/// The general form of RATTLE, with a mass matrix that varies, on the same pendulum in angles.
#[test]
fn rattle_with_varying_mass_has_order_two() {
    let double = system("double_pendulum", vec![]);
    let end = |method: &str, step: &str, steps| integrate(&stepper(&double, method, step), steps);
    let wanted = end("gauss-6", "1/100", 100).unwrap();
    let error = |step: &str, steps| {
        let found = end("rattle", step, steps).unwrap();
        found[..4].iter().zip(&wanted).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
    };
    let slope = (error("1/100", 100) / error("1/200", 200)).log2();
    assert!((slope - 2.0).abs() < 0.15, "{slope}");
}

/// SHAKE is RATTLE without its last projection, which moves no position.
#[test]
fn shake_has_the_positions_of_rattle() {
    for model in ["pendulum", "three_particles", "sphere_drift"] {
        let system = system(model, vec![]);
        let run = |method: &str| integrate(&stepper(&system, method, "1/50"), 50).unwrap();
        let (found, wanted) = (run("shake"), run("rattle"));
        for (x, y) in
            found[..stepper(&system, "rattle", "1/50").layout.dimension].iter().zip(&wanted)
        {
            assert!((x - y).abs() < 1e-11, "{model}: {x} {y}");
        }
    }
}

/// (q, (q⁺ − q₋)/2h) is right to second order, while the velocities carried along are those of the
/// middle of a step.
#[test]
fn shake_keeps_positions_and_velocities_of_its_pair_to_second_order() {
    let errors = |step: &str, steps| {
        let stepper = stepper(&system("pendulum", vec![]), "shake", step);
        let state = integrate(&stepper, steps).unwrap();
        let layout = stepper.layout;
        let at = |place| {
            [
                state[layout.largest_velocity_error(place) as usize],
                state[layout.largest_energy_error(place) as usize],
            ]
        };
        let phi = state[layout.largest_position_error(Measured::Own) as usize];
        assert!(phi < 1e-14, "{phi}");
        (at(Measured::Own), at(Measured::Shifted))
    };
    let ((own, shifted), (finer, finer_shifted)) = (errors("1/100", 200), errors("1/200", 400));
    for k in 0..2 {
        assert!(((own[k] / finer[k]).log2() - 2.0).abs() < 0.2, "{own:?} {finer:?}");
        assert!(((shifted[k] / finer_shifted[k]).log2() - 1.0).abs() < 0.2, "{shifted:?}");
    }
}
