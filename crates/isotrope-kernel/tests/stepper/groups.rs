//! Steps on Lie groups.

use isotrope_kernel::integrate::{Compiled, Integration, Outcome};
use isotrope_kernel::stepper::{Measured, StepperError};
use isotrope_scheme::DiscretiseError;
use isotrope_tape::backend::Backend;
use serde_json::Value;

use super::{integrate, made, stepper, system, written};

/// Body momentum and the vertical seen from the body of the heavy top at t = 10.
const TOP: [f64; 6] = [
    -0.391607376208244,
    -0.0851185751357461,
    2.0,
    -0.406756479705483,
    -0.245125012883945,
    0.880035734658683,
];

/// Numbers of a body: quaternion, ω, p.
fn body(state: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let rotation = isotrope_kernel::stepper::Rotation { first: 0, count: 4, rate: 0, shifts: 0 };
    (rotation.matrix(state), state[7..10].to_vec())
}

#[expect(clippy::unwrap_used, reason = "a helper of tests")]
fn top_error(method: &str, step: &str, steps: u64) -> f64 {
    let top = system("heavy_top", vec![]);
    let state = integrate(&stepper(&top, method, step), steps).unwrap();
    let (matrix, momentum) = body(&state);
    let found = momentum.iter().chain(&matrix[6..9]);
    found.zip(&TOP).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

#[test]
fn the_cayley_step_of_the_free_body_is_the_published_one() {
    let fixture: Value = serde_json::from_str(include_str!("../data/cayley_fixture.json")).unwrap();
    let numbers = |key: &str| -> Vec<f64> {
        fixture[key].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
    };
    let state =
        integrate(&stepper(&system("rigid_body", vec![]), "lie-cayley", "1/10"), 10).unwrap();
    let (matrix, _) = body(&state);
    let found = matrix.iter().chain(&state[4..7]);
    for (found, wanted) in found.zip(numbers("R").iter().chain(&numbers("omega"))) {
        assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
    }
}

#[test]
fn measured_orders_on_the_heavy_top() {
    for (method, order, coarse, fine) in [
        ("lie-cayley", 2.0, ("1/100", 1000), ("1/200", 2000)),
        ("lie-exp", 2.0, ("1/100", 1000), ("1/200", 2000)),
        ("lie-poisson", 2.0, ("1/100", 1000), ("1/200", 2000)),
        ("lie-midpoint", 2.0, ("1/100", 1000), ("1/200", 2000)),
        ("lie-cayley-4", 4.0, ("1/40", 400), ("1/80", 800)),
        ("lie-exp-4", 4.0, ("1/40", 400), ("1/80", 800)),
        ("lie-cayley-6", 6.0, ("1/40", 400), ("1/80", 800)),
        ("lie-exp-6", 6.0, ("1/20", 200), ("1/40", 400)),
        ("rkmk-rk4", 4.0, ("1/80", 800), ("1/160", 1600)),
        ("rkmk-gauss-2", 4.0, ("1/40", 400), ("1/80", 800)),
    ] {
        let (first, second) =
            (top_error(method, coarse.0, coarse.1), top_error(method, fine.0, fine.1));
        let slope = (first / second).log2();
        assert!((slope - order).abs() < 0.15, "{method}: {slope} ({first:e}, {second:e})");
    }
}

#[test]
fn gauss_in_the_algebra_reproduces_the_reference_of_the_heavy_top() {
    assert!(top_error("rkmk-gauss-3", "1/50", 500) < 1e-10);
}

#[test]
fn space_keeps_its_momentum_and_rotations_stay_rotations() {
    for method in ["lie-cayley", "lie-exp", "lie-poisson", "lie-cayley-4", "lie-exp-6"] {
        let stepper = stepper(&system("rigid_body", vec![]), method, "1/10");
        let state = integrate(&stepper, 10_000).unwrap();
        let (layout, own) = (stepper.layout, Measured::Own);
        for j in 0..layout.momenta {
            let error = state[layout.largest_momentum_error(own, j) as usize];
            assert!(error < 1e-13, "{method}: {} {error:e}", stepper.conserved_names[j]);
        }
        assert_eq!(layout.momenta, 3);
        let orthogonal = state[layout.largest_position_error(own) as usize];
        assert!(orthogonal < 2e-15, "{method}: {orthogonal:e}");
    }
}

#[test]
fn the_reduced_midpoint_rule_keeps_the_energy_of_a_free_body_and_the_variational_one_oscillates() {
    let body = system("rigid_body", vec![]);
    let energy = |method: &str| {
        let stepper = stepper(&body, method, "1/10");
        let state = integrate(&stepper, 2_000).unwrap();
        state[stepper.layout.largest_energy_error(Measured::Own) as usize]
    };
    assert!(energy("lie-poisson") < 1e-12);
    assert!((1e-5..1e-2).contains(&energy("lie-cayley")));
}

/// Energy errors of a variational scheme stay, those of a Runge–Kutta method in the algebra grow.
#[test]
fn the_energy_of_the_top_does_not_drift() {
    let top = system("heavy_top", vec![]);
    let error = |method: &str, steps: u64| {
        let stepper = stepper(&top, method, "1/20");
        let compiled = Compiled::new(stepper.clone(), Backend::Native).unwrap();
        let mut integration = Integration::new(&compiled).unwrap();
        integration.advance(steps).unwrap();
        integration.number(stepper.layout.largest_energy_error(Measured::Own))
    };
    let (short, long) = (error("lie-cayley", 10_000), error("lie-cayley", 1_000_000));
    assert!(long < 1.05 * short, "{short:e} {long:e}");
    let (short, long) = (error("rkmk-rk4", 1_000), error("rkmk-rk4", 10_000));
    assert!(long > 5.0 * short, "{short:e} {long:e}");
}

#[test]
fn half_a_turn_in_a_step_is_refused_with_its_reason() {
    for method in ["lie-cayley", "lie-exp", "lie-midpoint", "rkmk-rk4"] {
        let stepper = stepper(&system("rigid_body", vec![]), method, "4");
        let compiled = Compiled::new(stepper, Backend::Native).unwrap();
        let mut integration = Integration::new(&compiled).unwrap();
        let failure = integration.advance(100).unwrap_err();
        let told = failure.outcome == Outcome::StepLimit && failure.reason.contains("half a turn");
        // Where the equations of the step have no solution at all, that is reported instead.
        let unsolved = matches!(failure.outcome, Outcome::NewtonStalled | Outcome::Singular);
        assert!(told || unsolved, "{method}: {failure:?}");
    }
}

#[test]
fn a_body_at_rest_stays_at_rest() {
    let (system, field) = written(
        "lie_group = { group = \"SO(3)\", inertia = [1, 2, 3] }\n\
         initial.velocity = { \"omega[i]\" = 0 }",
    );
    for method in ["lie-cayley", "lie-exp", "lie-midpoint", "rkmk-gauss-2"] {
        let made = made((&system, &field), method).unwrap();
        let state = integrate(&made, 10).unwrap();
        assert_eq!(state[..10], [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], "{method}");
    }
}

/// The satellite on SE(3): attitude and orbit by different maps, one solution.
#[test]
fn methods_on_motions_of_space_agree_and_keep_the_momentum_of_the_whole() {
    let satellite = system("satellite", vec![]);
    let end = |method: &str, step: &str, steps: u64| {
        let stepper = stepper(&satellite, method, step);
        let state = integrate(&stepper, steps).unwrap();
        (state[..13].to_vec(), stepper, state)
    };
    let (wanted, ..) = end("rkmk-gauss-3", "1/50", 50);
    let distance = |found: &[f64]| -> f64 {
        found.iter().zip(&wanted).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
    };
    for method in ["lie-cayley", "lie-exp", "lie-midpoint"] {
        let (coarse, stepper, state) = end(method, "1/100", 100);
        let (fine, ..) = end(method, "1/200", 200);
        let slope = (distance(&coarse) / distance(&fine)).log2();
        assert!((slope - 2.0).abs() < 0.15, "{method}: {slope}");
        if method != "lie-midpoint" {
            for j in 0..stepper.layout.momenta {
                let name = &stepper.conserved_names[j];
                let slot = stepper.layout.largest_momentum_error(Measured::Own, j);
                assert!(state[slot as usize] < 1e-13, "{method}: {name} {}", state[slot as usize]);
            }
        }
    }
}

#[test]
fn nonholonomic_bodies_keep_their_constraints_and_have_order_two() {
    for (model, numbers) in [("suslov", 7), ("rolling_ball", 11)] {
        let body = system(model, vec![]);
        let end = |method: &str, step: &str, steps: u64| {
            let stepper = stepper(&body, method, step);
            let state = integrate(&stepper, steps).unwrap();
            let slot = stepper.layout.largest_velocity_error(Measured::Own);
            let energy = state[stepper.layout.largest_energy_error(Measured::Own) as usize];
            (state[..numbers].to_vec(), state[slot as usize], energy)
        };
        let (wanted, ..) = end("rkmk-gauss-3", "1/50", 100);
        let distance = |found: &[f64]| -> f64 {
            found.iter().zip(&wanted).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
        };
        let (coarse, kept, energy) = end("lie-cayley", "1/50", 100);
        let (fine, ..) = end("lie-cayley", "1/100", 200);
        let slope = (distance(&coarse) / distance(&fine)).log2();
        assert!((slope - 2.0).abs() < 0.15, "{model}: {slope}");
        assert!(kept < 1e-13, "{model}: {kept:e}");
        assert!(energy < 1e-2, "{model}: {energy:e}");
        // Methods of the field are brought back onto the constraints at the end of every step.
        for (method, order) in [("lie-midpoint", 2.0), ("rkmk-rk4", 4.0), ("rkmk-gauss-2", 4.0)] {
            let (coarse, kept, _) = end(method, "1/10", 20);
            let (fine, ..) = end(method, "1/20", 40);
            let slope = (distance(&coarse) / distance(&fine)).log2();
            assert!((slope - order).abs() < 0.3, "{model}, {method}: {slope}");
            assert!(kept < 1e-13, "{model}, {method}: {kept:e}");
        }
    }
}

/// A ball on a turntable: the table does work −λ·b on the ball, which the balance of energy counts.
#[test]
fn the_work_of_moving_constraints_belongs_to_the_balance_of_energy() {
    let table = written(
        "coordinates = [\"x\", \"y\"]\n\
         lie_group = { group = \"SO(3)\", L = \"(0.4*omega[1]^2 + 0.5*omega[2]^2 + 0.6*omega[3]^2)/2 + (x'^2 + y'^2)/2 - 0.3*x\" }\n\
         constraints.a = \"x' = R[2,1]*omega[1] + R[2,2]*omega[2] + R[2,3]*omega[3] - 0.7*y\"\n\
         constraints.b = \"y' = 0.7*x - R[1,1]*omega[1] - R[1,2]*omega[2] - R[1,3]*omega[3]\"\n\
         initial.position = { x = 0.3, y = -0.4 }\n\
         initial.velocity = { \"omega[1]\" = 0.5, \"omega[2]\" = 1, \"omega[3]\" = 0.2, x = 1.28, y = -0.29 }",
    );
    let energy = |method: &str, step: &str, steps: u64| {
        let stepper = stepper(&table, method, step);
        let state = integrate(&stepper, steps).unwrap();
        state[stepper.layout.largest_energy_error(Measured::Own) as usize]
    };
    assert!(energy("rkmk-gauss-3", "1/50", 100) < 1e-12);
    for (method, order) in [("lie-cayley", 2.0), ("lie-midpoint", 2.0), ("rkmk-rk4", 4.0)] {
        let (coarse, fine) = (energy(method, "1/20", 40), energy(method, "1/40", 80));
        let slope = (coarse / fine).log2();
        assert!(slope > order - 0.3, "{method}: {coarse:e} {fine:e}");
    }
}

/// A turn by π or more in one step is a turn the other way round: it is refused. Below that exp is right about an
/// axis of inertia, and what is left of cay is its order.
#[test]
fn turns_by_half_a_turn_and_more_in_a_step_are_refused() {
    let methods = [
        "lie-cayley",
        "lie-exp",
        "lie-exp-4",
        "lie-poisson",
        "rkmk-rk4",
        "rkmk-gauss-2",
        "lie-midpoint",
    ];
    // Steps of a body that turns at the rate 1: 0.9 π, 0.99 π; π, 1.1 π, 2 π + 0.1.
    for (step, refused) in [
        ("2.827433", false),
        ("3.110176", false),
        ("3.141593", true),
        ("3.455752", true),
        ("6.383185", true),
    ] {
        for start in [["0", "0", "1"], ["0.096", "0.028", "0.995"]] {
            let body = written(&format!(
                "lie_group = {{ group = \"SO(3)\", inertia = [1, 2, 3] }}\n\
                 initial.velocity = {{ \"omega[1]\" = \"{}\", \"omega[2]\" = \"{}\", \"omega[3]\" = \"{}\" }}",
                start[0], start[1], start[2]
            ));
            for method in methods {
                let made = stepper(&body, method, step);
                let end = integrate(&made, 3);
                let about_axis = start[0] == "0";
                // A body that wobbles turns a little less than its rate says.
                let refused = refused && (about_axis || step != "3.141593");
                match (end, refused) {
                    (Ok(_), true) => panic!("{method} with {step} is silently wrong"),
                    (Ok(state), false)
                        if about_axis && !matches!(method, "lie-cayley" | "lie-poisson") =>
                    {
                        let angle = 1.5 * step.parse::<f64>().unwrap();
                        let (sin, cos) =
                            isotrope_tape::math::sincos(&mut isotrope_tape::math::Numbers, angle);
                        let wrong = (state[0] - cos).abs().max((state[3] - sin).abs());
                        assert!(wrong < 1e-13, "{method} {step}: {wrong:e}");
                    }
                    _ => {}
                }
            }
        }
    }
}

#[test]
fn plane_groups_agree_with_the_same_system_in_coordinates() {
    // A disc with a pendulum's potential, on SO(2), and the angle itself.
    let (group, field) = written(
        "lie_group = { group = \"SO(2)\", inertia = 2, potential = \"3*(1 - R[1,1])\" }\n\
         initial.rotation = { angle = 1 }\n\
         initial.velocity = { omega = \"1/2\" }",
    );
    let state = integrate(
        &super::stepper_with(
            (&group, &field),
            "rkmk-gauss-3",
            &isotrope_kernel::stepper::Options::new("1/50".parse().unwrap()),
        ),
        100,
    )
    .unwrap();
    let (angle, field) = written(
        "coordinates = [\"theta\"]\n\
         lagrangian.L = \"theta'^2 - 3*(1 - cos(theta))\"\n\
         initial.position = { theta = 1 }\n\
         initial.velocity = { theta = \"1/2\" }",
    );
    let other = integrate(
        &super::stepper_with(
            (&angle, &field),
            "gauss-3",
            &isotrope_kernel::stepper::Options::new("1/50".parse().unwrap()),
        ),
        100,
    )
    .unwrap();
    let (sin, cos) = isotrope_tape::math::sincos(&mut isotrope_tape::math::Numbers, other[0]);
    assert!((state[0] - cos).abs() < 1e-10);
    assert!((state[1] - sin).abs() < 1e-10);
    assert!((state[2] - other[1]).abs() < 1e-10);
}

#[test]
fn methods_for_coordinates_and_for_groups_refuse_each_other() {
    let body = system("rigid_body", vec![]);
    let pendulum = system("pendulum", vec![]);
    for (system, method) in [(&body, "gauss-2"), (&body, "rattle"), (&pendulum, "lie-cayley")] {
        let refused = made((&system.0, &system.1), method);
        let expected =
            matches!(refused, Err(StepperError::Discretise(DiscretiseError::NotApplicable { .. })));
        assert!(expected, "{method}");
    }
}
