//! Systems in state space.

use isotrope_kernel::integrate::{Compiled, Integration};
use isotrope_kernel::stepper::Measured;
use isotrope_tape::backend::Backend;

use super::{stepper, system, written};

/// An oscillator with an input that is a ramp and then stays: x'' = u - x is solved by formulas.
const RAMP: &str = r#"
    coordinates = ["x", "p"]
    inputs.u = { table = [[0, 0], [1, 1], [4, 1]] }
    initial.position = { x = 0, p = 0 }
    [port]
    hamiltonian = "x^2/2 + p^2/2"
    J = { "x,p" = 1 }
    g = { u = { p = 1 } }
"#;

fn end(model: &str, method: &str, step: &str, steps: u64) -> (Vec<f64>, f64) {
    let parts = if model.contains('\n') { written(model) } else { system(model, vec![]) };
    let made = stepper(&parts, method, step);
    let layout = made.layout;
    let compiled = Compiled::new(made, Backend::Native).unwrap();
    let mut integration = Integration::new(&compiled).unwrap();
    integration.advance(steps).unwrap();
    let error = integration.number(layout.largest_energy_error(Measured::Own));
    (integration.state()[..layout.dimension].to_vec(), error)
}

/// x = t - sin(t) on the ramp; at its end x = 1 - sin 1, x' = 1 - cos 1, and then 1 + a cos + b sin.
#[test]
#[expect(clippy::disallowed_methods, reason = "reference values, to 1e-9")]
fn every_kind_of_runge_kutta_method_runs_on_a_state_with_a_table() {
    let (s, c) = (1f64.sin(), 1f64.cos());
    let (a, b) = (-s, 1.0 - c);
    let wanted = 1.0 + a * 3f64.cos() + b * 3f64.sin();
    for (method, tolerance) in
        [("rk4", 1e-8), ("gauss-3", 1e-12), ("midpoint", 1e-5), ("dop853", 1e-9)]
    {
        let (state, balance) = end(RAMP, method, "1/100", 400);
        let error = (state[0] - wanted).abs();
        assert!(error < tolerance, "{method}: {error:e}");
        // The balance of power, by the quadrature of the method.
        assert!(balance < tolerance, "{method}: {balance:e}");
    }
}

/// |M|² and H are quadratic: Gauss methods keep them, explicit ones do not.
#[test]
fn gauss_methods_keep_quadratic_casimir_functions() {
    for (method, kept) in [("midpoint", true), ("gauss-2", true), ("rk4", false)] {
        let parts = system("poisson/rigid_body", vec![]);
        let made = stepper(&parts, method, "1/2");
        let layout = made.layout;
        let compiled = Compiled::new(made, Backend::Native).unwrap();
        let mut integration = Integration::new(&compiled).unwrap();
        integration.advance(1000).unwrap();
        let casimir = integration.number(layout.largest_momentum_error(Measured::Own, 0));
        assert_eq!(casimir < 1e-12, kept, "{method}: {casimir:e}");
    }
}
