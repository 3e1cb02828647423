//! Lagrangians that are linear in the velocities: orders, forms, long runs.

use isotrope_derive::System;
use isotrope_kernel::integrate::{Compiled, Integration, Tangent};
use isotrope_kernel::stepper::{Field, Measured, Options, StepperError};
use isotrope_tape::backend::Backend;

use super::{begun, first, integrate, made, stepper, stepper_with, system, written};

/// A guiding centre in toroidal coordinates: A and b have no component along r, so half of the
/// coordinates carry all velocities. The field falls as 1/R to first order.
const TOROIDAL: &str = "
    coordinates = [\"theta\", \"phi\", \"r\", \"u\"]
    [parameters]
    mu = \"1/20\"
    [define]
    R = \"1 + r*cos(theta)\"
    along = \"1 - r*cos(theta)\"
    around = \"r/(2*R)\"
    size = \"sqrt(along^2 + around^2)\"
    [lagrangian]
    L = \"(r^2/2 - r^3*cos(theta)/3 + u*r*around/size)*theta' + (u*R*along/size - r^2/4)*phi' \\
         - u^2/2 - mu*size\"
    [initial]
    position = { theta = 0, phi = 0, r = \"1/5\", u = \"1/10\" }
";

fn toroidal() -> (System, Field) {
    written(&TOROIDAL.replace("\\\n", ""))
}

fn positions(problem: &(System, Field), method: &str, step: &str, steps: u64) -> Vec<f64> {
    let stepper = stepper(problem, method, step);
    let n = stepper.layout.dimension;
    integrate(&stepper, steps).unwrap()[..n].to_vec()
}

fn distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

const ORDERS: [(&str, f64); 10] = [
    ("dvi-1", 1.0),
    ("dvi-1-adjoint", 1.0),
    ("dvi-2", 2.0),
    ("dvi-4", 4.0),
    ("projected:variational-midpoint", 2.0),
    ("projected:variational-trapezoid", 2.0),
    ("projected:galerkin-2-gauss2", 4.0),
    ("projected:galerkin-2-lobatto3", 4.0),
    ("rk4", 4.0),
    ("midpoint", 2.0),
];

#[test]
fn orders_are_one_two_and_four() {
    for (problem, end) in [(system("lotka_volterra", vec![]), 1), (toroidal(), 4)] {
        let exact = positions(&problem, "gauss-6", "1/16", 16 * end);
        for (method, order) in ORDERS {
            let errors: Vec<f64> = [("1/16", 16), ("1/32", 32)]
                .map(|(step, steps)| {
                    distance(&positions(&problem, method, step, steps * end), &exact)
                })
                .to_vec();
            let measured = (errors[0] / errors[1]).log2();
            assert!((measured - order).abs() < 0.15, "{method}: {measured}, {errors:?}");
        }
    }
}

/// The equations as one writes them by hand, by the classical method of Runge with small steps.
#[test]
fn gauss_on_the_derived_field_agrees_with_an_integrator_of_three_lines() {
    let (a, b) = (1.0, 2.0);
    let field = |q: [f64; 2]| [q[0] * (a - q[1]), q[1] * (q[0] - b)];
    let along = |q: [f64; 2], h: f64, k: [f64; 2]| [q[0] + h * k[0], q[1] + h * k[1]];
    let (mut q, h) = ([1.0, 0.5], 1.0 / 2048.0);
    for _ in 0..2 * 2048 {
        let first = field(q);
        let second = field(along(q, h / 2.0, first));
        let third = field(along(q, h / 2.0, second));
        let fourth = field(along(q, h, third));
        for (stage, weight) in [(first, 1.0), (second, 2.0), (third, 2.0), (fourth, 1.0)] {
            q = along(q, h * weight / 6.0, stage);
        }
    }
    let found = positions(&system("lotka_volterra", vec![]), "gauss-6", "1/20", 40);
    assert!(distance(&found, &q) < 1e-13, "{found:?} {q:?}");
}

/// The largest entry of DΦᵀ Ω(Φ) DΦ − Ω after some steps; Ω is dq∧dp on p = ϑ(q).
fn form_defect(problem: &(System, Field), method: &str, step: &str) -> f64 {
    let compiled = Compiled::new(stepper(problem, method, step), Backend::Native).unwrap();
    let layout = compiled.stepper.layout;
    let n = layout.dimension;
    let directions: Vec<Vec<f64>> =
        (0..n).map(|i| (0..2 * n).map(|k| f64::from(u8::from(k == i))).collect()).collect();
    let variations = first(&compiled);
    let mut tangent = begun(&variations, &compiled, &directions);
    let form = |tangent: &Tangent<'_>| -> Vec<f64> {
        let pairs = (0..n).flat_map(|a| (0..a).map(move |b| (a, b)));
        let value = |(a, b): (usize, usize)| -> f64 {
            let term = |i: usize| {
                let (q, p) = (layout.position(i), layout.momentum(i));
                tangent.change(q, a) * tangent.change(p, b)
                    - tangent.change(q, b) * tangent.change(p, a)
            };
            (0..n).map(term).sum()
        };
        pairs.map(value).collect()
    };
    let before = form(&tangent);
    assert!(before.iter().any(|entry| entry.abs() > 0.01));
    tangent.advance(5).unwrap();
    distance(&before, &form(&tangent))
}

#[test]
fn the_second_and_fourth_order_keep_the_form_and_runge_kutta_methods_do_not() {
    let particle = system("massless_particle", vec![]);
    for problem in [&system("lotka_volterra", vec![]), &particle, &toroidal()] {
        for method in ["dvi-2", "dvi-4"] {
            let defect = form_defect(problem, method, "1/4");
            assert!(defect < 1e-12, "{method}: {defect:e}");
        }
        for method in ["rk4", "gauss-2", "midpoint", "dvi-1"] {
            let defect = form_defect(problem, method, "1/4");
            assert!(defect > 1e-8, "{method}: {defect:e}");
        }
    }
    // The projection is symmetric, not symplectic: its defect is small and it is there.
    let defect = form_defect(&particle, "projected:variational-midpoint", "1/4");
    assert!((1e-9..1e-3).contains(&defect), "{defect:e}");
}

/// dvi-1 keeps d(ϑ_x − hG)∧dx, its adjoint d(ϑ_x + hG)∧dx: here ϑ_x = −log(y)/x and
/// G = (a − y) log(y)/x − 1 + b/x.
#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a closed form beside the run; last bits do not matter"
)]
fn the_first_order_keeps_a_form_near_by() {
    let problem = system("lotka_volterra", vec![]);
    let h = 0.125;
    for (method, sign) in [("dvi-1", -1.0), ("dvi-1-adjoint", 1.0)] {
        let compiled = Compiled::new(stepper(&problem, method, "1/8"), Backend::Native).unwrap();
        let directions = [vec![1.0, 0.0, 0.0, 0.0], vec![0.0, 1.0, 0.0, 0.0]];
        let variations = first(&compiled);
        let mut tangent = begun(&variations, &compiled, &directions);
        // ∂/∂y of ϑ_x ± hG, times the area.
        let form = |tangent: &Tangent<'_>, h: f64| -> f64 {
            let (x, y) = (tangent.state()[0], tangent.state()[1]);
            let density = -1.0 / (x * y) + sign * h * ((1.0 - y) / (x * y) - y.ln() / x);
            let area = tangent.change(0, 0) * tangent.change(1, 1)
                - tangent.change(0, 1) * tangent.change(1, 0);
            density * area
        };
        let (before, plain) = (form(&tangent, h), form(&tangent, 0.0));
        tangent.advance(20).unwrap();
        assert!((form(&tangent, h) - before).abs() < 1e-12, "{method}");
        assert!((form(&tangent, 0.0) - plain).abs() > 1e-3, "{method}");
    }
}

/// The largest energy error of the first and of the last tenth of a hundred thousand steps.
fn energies(problem: &(System, Field), method: &str, step: &str) -> Option<(f64, f64)> {
    let compiled = Compiled::new(stepper(problem, method, step), Backend::Native).unwrap();
    let slot = compiled.stepper.layout.largest_energy_error(Measured::Own) as usize;
    let mut integration = Integration::new(&compiled).ok()?;
    integration.advance(10_000).ok()?;
    let early = integration.state()[slot];
    integration.advance(90_000).ok()?;
    Some((early, integration.state()[slot]))
}

#[test]
fn energy_stays_near_for_a_hundred_thousand_steps_where_the_form_or_the_symmetry_is_kept() {
    let prey = system("lotka_volterra", vec![]);
    for method in
        ["dvi-1", "dvi-2", "dvi-4", "projected:variational-midpoint", "projected:galerkin-2-gauss2"]
    {
        let (early, late) = energies(&prey, method, "1/10").unwrap();
        assert!(late < 1.2 * early, "{method}: {early:e} {late:e}");
    }
    // The energy of Runge–Kutta methods goes away steadily.
    for method in ["rk4", "gauss-2"] {
        let (early, late) = energies(&prey, method, "1/10").unwrap();
        assert!(late > 5.0 * early, "{method}: {early:e} {late:e}");
    }
}

#[test]
fn the_bare_variational_step_is_unstable_and_the_projected_one_is_not() {
    let particle = system("massless_particle", vec![]);
    assert_eq!(energies(&particle, "twostep:variational-midpoint", "1/2"), None);
    let (early, late) = energies(&particle, "projected:variational-midpoint", "1/2").unwrap();
    assert!(late < 1.2 * early && late < 0.01);
}

#[test]
fn projected_steps_keep_the_momenta_of_translations() {
    let problem = system("guiding_centre", vec![]);
    // Velocities of 1e-6 are far below the size of the positions that the tolerance is relative to.
    let mut options = Options::new("400".parse().unwrap());
    options.tolerance = 1e-18;
    let stepper =
        stepper_with((&problem.0, &problem.1), "projected:variational-midpoint", &options);
    let compiled = Compiled::new(stepper, Backend::Native).unwrap();
    let layout = compiled.stepper.layout;
    let mut integration = Integration::new(&compiled).unwrap();
    integration.advance(5_000).unwrap();
    let state = integration.state();
    assert!(state[layout.largest_momentum_error(Measured::Own, 0) as usize] < 1e-13);
    assert!(state[layout.largest_energy_error(Measured::Own) as usize] < 2e-10);
    assert!(state[layout.largest_legendre_error(Measured::Own) as usize] < 1e-15);
}

#[test]
fn what_does_not_apply_says_why() {
    let reason = |problem: &(System, Field), method: &str| -> String {
        match made((&problem.0, &problem.1), method) {
            Err(StepperError::Discretise(error)) => error.to_string(),
            other => panic!("{method}: {other:?}"),
        }
    };
    let prey = system("lotka_volterra", vec![]);
    assert!(reason(&prey, "variational-midpoint").contains("projected:NAME"));
    assert!(reason(&prey, "galerkin-2-gauss2").contains("parasitic"));
    assert!(reason(&prey, "rattle").contains("no masses"));
    assert!(reason(&prey, "yoshida-4").contains("accelerations"));
    assert!(made((&prey.0, &prey.1), "dop853").is_ok());
    assert!(reason(&prey, "symplectic-euler").contains("one equation"));
    assert!(reason(&prey, "projected:variational-euler").contains("dvi-1"));
    assert!(reason(&system("guiding_centre", vec![]), "dvi-2").contains("half of the coordinates"));
    let pendulum = system("pendulum_angle", vec![]);
    assert!(reason(&pendulum, "dvi-1").contains("not linear in the velocities"));
    assert!(reason(&pendulum, "projected:variational-midpoint").contains("momenta are free"));
}
