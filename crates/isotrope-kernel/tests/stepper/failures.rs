//! A step that fails is reported; what is not a number never passes for a result.

use isotrope_algebra::{Budget, Rational};
use isotrope_certify::method_names;
use isotrope_derive::derive;
use isotrope_kernel::integrate::{Compiled, Integration};
use isotrope_kernel::stepper::{Field, Measured, Options, StepperError, stepper};
use isotrope_model::{ModelText, parse_model};
use isotrope_scheme::DiscretiseError;
use isotrope_scheme::Method;
use isotrope_tape::backend::Backend;

fn compiled(model: &str, method: &str, step: &str) -> Option<Compiled> {
    let budget = &mut Budget::new(1_000_000_000);
    let model = parse_model(&ModelText::new("model", model.as_bytes())).unwrap();
    let system = derive(model, budget).unwrap();
    let field = Field::new(&system, &[]).unwrap();
    let method = Method::named(method, budget).unwrap()?;
    let options = Options::new(step.parse::<Rational>().unwrap());
    let stepper = match stepper(&method, &system, &field, &options, budget) {
        Err(StepperError::Discretise(DiscretiseError::NotApplicable { .. })) => return None,
        made => made.unwrap(),
    };
    Some(Compiled::new(stepper, Backend::Native).unwrap())
}

/// A pendulum with a force that has no value after the time τ.
const ENDING: &str = r#"
    coordinates = ["x", "y"]
    parameters = { tau = 1, tiny = 1e-30 }
    lagrangian.L = "(x'^2 + y'^2)/2 - y"
    constraints.rod = "x^2 + y^2 = 1"
    forces.x = "tiny*log(tau - t)"
    initial.position = { x = 1, y = 0 }
    initial.velocity = { x = 0, y = 0 }
"#;

#[test]
fn no_method_completes_after_the_force_has_ended() {
    let mut names = method_names();
    names.push("rattle".to_owned());
    let mut methods = 0;
    for name in names {
        let Some(compiled) = compiled(ENDING, &name, "1/100") else { continue };
        methods += 1;
        for n in 1..=200u32 {
            let tau = (f64::from(n) - 0.5) / 100.0;
            let stepper = &compiled.stepper;
            let mut parameters = stepper.parameters.clone();
            parameters[0] = tau;
            let mut integration =
                Integration::from(&compiled, stepper.initial.clone(), parameters).unwrap();
            let failure = integration.advance(205).expect_err(&name);
            // The step that contains τ, or a later one for methods that use its beginning
            // only; the compositions of Yoshida reach up to five steps ahead.
            let ahead = u64::from(n).saturating_sub(failure.step + 1);
            let late = (failure.step + 1).saturating_sub(u64::from(n));
            assert!(late <= 1, "{name}: {n} {failure:?}");
            let reach = if name.starts_with("yoshida") { 5 } else { 0 };
            assert!(ahead <= reach, "{name}: {n} {failure:?}");
            assert!(integration.state().iter().all(|x| x.is_finite()), "{name}");
            assert_eq!(integration.steps, failure.step);
        }
    }
    assert!(methods > 60, "{methods}");
}

const STIFF: &str = r#"
    coordinates = ["x"]
    parameters = { k = 1e6 }
    lagrangian.L = "x'^2/2 - k*x^2/2"
    initial.position = { x = 1 }
    initial.velocity = { x = 0 }
"#;

/// h²k/4 = 2500: the fixed-point iteration diverges, Newton's method does not; midpoint keeps
/// quadratic invariants.
#[test]
fn newton_takes_over_where_fixed_points_diverge() {
    for method in ["midpoint", "gauss-2", "gauss-4"] {
        let compiled = compiled(STIFF, method, "1/10").unwrap();
        let mut integration = Integration::new(&compiled).unwrap();
        integration.advance(3000).unwrap();
        assert!(integration.newton_steps > 2500, "{method}: {}", integration.newton_steps);
        let state = integration.state();
        let energy = state[1] * state[1] / 2.0 + 5e5 * state[0] * state[0];
        assert!((energy / 5e5 - 1.0).abs() < 1e-10, "{method}: {energy}");
    }
}

/// Two bodies that meet: r = 0 at a finite time.
const COLLISION: &str = r#"
    coordinates = ["x"]
    lagrangian.L = "x'^2/2 + 1/x"
    initial.position = { x = 1 }
    initial.velocity = { x = 0 }
"#;

/// A step may jump over the collision; then the energy shows it.
#[test]
fn a_collision_does_not_pass_in_silence() {
    // The motion ends at t = π/√8 = 1.1107.
    for method in ["rk4", "gauss-4", "rattle", "dirac-1"] {
        let compiled = compiled(COLLISION, method, "1/1000").unwrap();
        let mut integration = Integration::new(&compiled).unwrap();
        match integration.advance(1200) {
            Err(failure) => assert!((failure.time - 1.1107).abs() < 0.1, "{failure:?}"),
            Ok(()) => {
                let layout = compiled.stepper.layout;
                let error = integration.number(layout.largest_energy_error(Measured::Own));
                assert!(error > 1.0, "{method} {error}");
            }
        }
    }
}
