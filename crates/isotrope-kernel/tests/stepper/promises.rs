//! What a method promises and does not keep ends a run at the step that broke it; and initial values are brought onto
//! constraints.

use isotrope_algebra::Stop;
use isotrope_kernel::integrate::{
    Compiled, Crew, Failure, Integration, Kept, Member, Outcome, project, run_ensemble,
};
use isotrope_kernel::stepper::Measured;
use isotrope_tape::backend::Backend;

use super::{stepper, system, written};

fn promising(model: &str, method: &str, promises: Vec<Kept>) -> Compiled {
    let stepper = stepper(&system(model, vec![]), method, "1/50");
    let mut compiled = Compiled::new(stepper, Backend::Native).unwrap();
    compiled.promises = promises;
    compiled
}

/// `rk4` loses energy and leaves the rod: a promise to the contrary is refuted at the first step that shows it, however
/// the steps are cut into calls, alone and in an ensemble.
#[test]
fn a_broken_promise_is_found_at_its_step() {
    for kept in [Kept::Energy, Kept::Positions, Kept::Velocities] {
        let compiled = promising("pendulum", "rk4", vec![kept]);
        let mut whole = Integration::new(&compiled).unwrap();
        let failure = whole.advance(5000).unwrap_err();
        assert_eq!(failure.outcome, Outcome::PromiseBroken, "{kept:?}");
        assert_eq!(failure.step, whole.steps);
        let mut single = Integration::new(&compiled).unwrap();
        let other = (0..5000).find_map(|_| single.advance(1).err()).unwrap();
        // What rounding explains is estimated at the ends of calls.
        let facts = |failure: &Failure| (failure.outcome, failure.step, failure.residual);
        assert_eq!(facts(&failure), facts(&other), "{kept:?}");
        assert_eq!(whole.state(), single.state());
        let plain = promising("pendulum", "rk4", vec![]);
        let mut plain = Integration::new(&plain).unwrap();
        plain.advance(failure.step).unwrap();
        assert_eq!(whole.state(), plain.state());
        let member = Member {
            state: compiled.stepper.initial.clone(),
            parameters: compiled.stepper.parameters.clone(),
        };
        let stop = Stop::new();
        let crew = Crew { steps: 5000, threads: 1, stop: &stop, made: &|_| {}, watch: None };
        for end in run_ensemble(&compiled, &vec![member; 5], crew) {
            assert_eq!(end.failure.as_ref().map(facts), Some(facts(&failure)));
        }
    }
}

/// What is kept is never called broken: constraints under `rattle`, over many steps.
#[test]
fn a_promise_that_is_kept_is_not_called_broken() {
    let compiled = promising("pendulum", "rattle", vec![Kept::Positions, Kept::Velocities]);
    Integration::new(&compiled).unwrap().advance(1_000_000).unwrap();
}

/// Steps that return to the constraints leave no more of them after many steps than after one: a defect of 1e-9 that
/// a late step measures is a broken promise. Where defects add up it is not.
#[test]
fn constraints_to_which_every_step_returns_are_held_to_one_step() {
    for (model, method, kept, noticed) in [
        ("pendulum", "rattle", Kept::Positions, true),
        ("pendulum", "rattle", Kept::Velocities, true),
        ("pendulum", "project:rk4", Kept::Positions, true),
        ("heavy_top", "lie-cayley", Kept::Positions, true),
        ("pendulum", "avf", Kept::Energy, false),
    ] {
        let compiled = promising(model, method, vec![kept]);
        let mut integration = Integration::new(&compiled).unwrap();
        integration.advance(20_000).unwrap();
        let layout = compiled.stepper.layout;
        let slot = match kept {
            Kept::Positions => layout.relative_position_error(),
            Kept::Velocities => layout.relative_velocity_error(),
            _ => layout.largest_energy_error(Measured::Own),
        };
        let mut state = integration.state().to_vec();
        assert!(state[slot as usize] < 1e-9, "{method} {}", state[slot as usize]);
        state[slot as usize] = 1e-9;
        integration.resume(state, 20_000);
        let found = integration.advance(1).err().map(|failure| failure.outcome);
        assert_eq!(found, noticed.then_some(Outcome::PromiseBroken), "{method} {kept:?}");
    }
}

/// A rod that `rk4` leaves beside a plane that it keeps: the promise breaks at the same step whatever factors the
/// constraints are written with.
#[test]
fn each_constraint_is_compared_with_its_own_size() {
    let broken_at = |rod: &str, plane: &str| {
        let text = format!(
            "coordinates = [\"x\", \"y\", \"z\"]\nlagrangian.L = \"(x'^2 + y'^2 + z'^2)/2 - y\"\n\
             constraints.rod = \"{rod}*(x^2 + y^2) = {rod}\"\nconstraints.plane = \"{plane}*z = 0\"\n\
             initial.position = {{ x = 1, y = 0, z = 0 }}\n\
             initial.velocity = {{ x = 0, y = 1, z = 0 }}\n"
        );
        let stepper = stepper(&written(&text), "rk4", "1/50");
        let mut compiled = Compiled::new(stepper, Backend::Native).unwrap();
        compiled.promises = vec![Kept::Positions, Kept::Velocities];
        let failure = Integration::new(&compiled).unwrap().advance(5000).unwrap_err();
        assert_eq!(failure.outcome, Outcome::PromiseBroken);
        failure.step
    };
    let own = broken_at("1", "1");
    assert_eq!(broken_at("1e-9", "1e9"), own);
    assert_eq!(broken_at("1e9", "1e-9"), own);
}

/// Positions first, then velocities, by the shortest way in the metric of the mass matrix: on a circle along the radius
/// where masses are equal, elsewhere along M⁻¹∇φ at every step of Newton's method.
#[test]
fn projected_values_satisfy_both_levels_of_constraints() {
    for (masses, unit) in [(["1", "1"], 1.0), (["1", "3"], 1.0), (["1", "1"], 1e-9)] {
        let [m, n] = masses;
        let text = format!(
            "coordinates = [\"x\", \"y\"]\nparameters = {{ s = \"{unit}\" }}\n\
             lagrangian.L = \"({m}*x'^2 + {n}*y'^2)/2\"\nconstraints.rod = \"x^2 + y^2 = s^2\"\n\
             initial.position = {{ x = \"7/10*s\", y = \"8/10*s\" }}\n\
             initial.velocity = {{ x = \"s\", y = \"s\" }}\n"
        );
        let compiled =
            Compiled::new(stepper(&written(&text), "rk4", "1/50"), Backend::Native).unwrap();
        let parameters = compiled.stepper.parameters.clone();
        let mut state = compiled.stepper.initial.clone();
        project(&compiled, &mut state, &parameters).unwrap();
        let found: Vec<f64> = state[..4].iter().map(|x| x / unit).collect();
        let [x, y, v, w] = found[..] else { panic!() };
        assert!((x * x + y * y - 1.0).abs() < 1e-14);
        assert!((x * v + y * w).abs() < 1e-14);
        if m == n {
            assert!((x * 0.8 - y * 0.7).abs() < 1e-9);
        }
        // What was taken from the velocity is M⁻¹ times a multiple of the radius.
        let [m, n] = masses.map(|mass| mass.parse::<f64>().unwrap());
        assert!((m * (v - 1.0) * y - n * (w - 1.0) * x).abs() < 1e-12);
        let integration = Integration::from(&compiled, state, parameters).unwrap();
        assert_eq!(integration.residuals().consistent, Some(true));
        assert_eq!(Integration::new(&compiled).unwrap().residuals().consistent, Some(false));
    }
}
