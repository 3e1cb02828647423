//! Derivatives of steps against differences of steps.

use isotrope_kernel::integrate::{Change, Compiled, Integration, Order, Tangent, Variations};
use isotrope_tape::backend::Backend;

use super::{begun, first, stepper, system};

/// q, v and p after two steps from a start with other positions and velocities.
fn moved(compiled: &Compiled, change: &[f64], factor: f64) -> Vec<f64> {
    let mut state = compiled.stepper.initial.clone();
    for (x, y) in state.iter_mut().zip(change) {
        *x += factor * y;
    }
    let parameters = compiled.stepper.parameters.clone();
    let mut integration = Integration::from(compiled, state, parameters).unwrap();
    integration.advance(2).unwrap_or_else(|error| {
        panic!("{:?} {change:?} {factor}: {error:?}", compiled.stepper.names)
    });
    integration.state()[..3 * compiled.stepper.layout.dimension].to_vec()
}

/// Central differences of two sizes, extrapolated.
fn difference(compiled: &Compiled, change: &[f64]) -> Vec<f64> {
    let quotient = |h: f64| -> Vec<f64> {
        let (more, less) = (moved(compiled, change, h), moved(compiled, change, -h));
        more.iter().zip(&less).map(|(x, y)| (x - y) / (2.0 * h)).collect()
    };
    let (coarse, fine) = (quotient(2e-3), quotient(1e-3));
    coarse.iter().zip(&fine).map(|(c, f)| (4.0 * f - c) / 3.0).collect()
}

#[test]
fn tangents_are_derivatives_of_steps() {
    for (model, method) in [
        ("pendulum_angle", "rk4"),
        ("pendulum_angle", "yoshida-6"),
        ("sphere_drift", "rk4"),
        ("sphere_drift", "gauss-2"),
        ("sphere_drift", "midpoint"),
        ("double_pendulum", "lobatto-iiia-iiib-3"),
        ("pendulum", "trapezoid-c"),
        ("sphere_drift", "rattle"),
        ("double_pendulum", "rattle"),
        ("sleigh", "dirac-1"),
        ("sleigh", "dirac-2"),
        ("sleigh", "dla-midpoint"),
        ("henon_heiles", "midpoint"),
        ("kepler", "gauss-3"),
        ("kepler", "variational-midpoint"),
        ("double_pendulum", "galerkin-2-gauss2"),
        ("pendulum", "spark-lobatto-3"),
    ] {
        let stepper = stepper(&system(model, vec![]), method, "1/50");
        let compiled = Compiled::new(stepper, Backend::Native).unwrap();
        let stepper = &compiled.stepper;
        let n = stepper.layout.dimension;
        let variations = first(&compiled);
        let changes = variations.admissible(&stepper.initial, &stepper.parameters).unwrap();
        assert_eq!(
            changes.len(),
            2 * n
                - stepper.layout.constraints
                - if stepper.has_positions { stepper.layout.constraints } else { 0 }
        );
        let mut tangent = begun(&variations, &compiled, &changes);
        tangent.advance(2).unwrap();
        for (k, change) in changes.iter().enumerate() {
            let wanted = difference(&compiled, change);
            for (slot, wanted) in (0u32..).zip(wanted) {
                let found = tangent.change(slot, k);
                let enough = 2e-9 * (1.0 + wanted.abs());
                assert!(
                    (found - wanted).abs() < enough,
                    "{model} {method} {slot}: {found} {wanted}"
                );
            }
        }
    }
}

/// Guesses that are carried along do not count; positions before the last ones do.
#[test]
fn steps_of_one_step_methods_are_maps() {
    let wanted =
        [("rattle", true), ("gauss-2", true), ("rk4", true), ("dirac-1", true), ("dirac-2", false)];
    for (method, one_step) in wanted {
        let stepper = stepper(&system("pendulum", vec![]), method, "1/50");
        assert_eq!(stepper.is_one_step(), one_step, "{method}");
    }
}

/// What a step does to the 2-form dq∧dp on the constraint manifold.
fn form_defect(model: &str, method: &str, step: &str) -> f64 {
    let compiled =
        Compiled::new(stepper(&system(model, vec![]), method, step), Backend::Native).unwrap();
    let stepper = &compiled.stepper;
    let (layout, n) = (stepper.layout, stepper.layout.dimension);
    let variations = first(&compiled);
    let changes = variations.admissible(&stepper.initial, &stepper.parameters).unwrap();
    let mut tangent = begun(&variations, &compiled, &changes);
    let form = |tangent: &Tangent<'_>| -> Vec<f64> {
        let mut all = Vec::new();
        for a in 0..changes.len() {
            for b in 0..a {
                let term = |i: usize| {
                    let (q, p) = (layout.position(i), layout.momentum(i));
                    tangent.change(q, a) * tangent.change(p, b)
                        - tangent.change(q, b) * tangent.change(p, a)
                };
                all.push((0..n).map(term).sum());
            }
        }
        all
    };
    let before = form(&tangent);
    tangent.advance(1).unwrap();
    let after = form(&tangent);
    before.iter().zip(&after).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

#[test]
fn symplectic_steps_keep_the_form_to_rounding() {
    for (model, method) in [
        ("henon_heiles", "midpoint"),
        ("henon_heiles", "yoshida-8"),
        ("double_pendulum", "rattle"),
        ("sphere_drift", "rattle"),
        ("pendulum", "rattle"),
    ] {
        let defect = form_defect(model, method, "1/50");
        assert!(defect < 1e-13, "{model} {method}: {defect}");
    }
}

/// On the sphere of the drift test the defects of one step have these powers of h.
#[test]
fn defects_of_the_form_have_their_powers() {
    for (method, power) in [("midpoint", 3.0), ("rk4", 5.0), ("lobatto-iiia-iiib-3", 5.0)] {
        let defect = |step: &str| form_defect("sphere_drift", method, step);
        let found = (defect("1/50") / defect("1/100")).log2();
        assert!((found - power).abs() < 0.25, "{method}: {found}");
    }
}

/// q, v and p after two steps, with changes of positions, velocities and parameters.
fn end(compiled: &Compiled, changes: &[(&Change, f64)]) -> Vec<f64> {
    let (mut state, mut parameters) =
        (compiled.stepper.initial.clone(), compiled.stepper.parameters.clone());
    for (change, factor) in changes {
        state.iter_mut().zip(&change.state).for_each(|(x, y)| *x += factor * y);
        parameters.iter_mut().zip(&change.parameters).for_each(|(x, y)| *x += factor * y);
    }
    let mut integration = Integration::from(compiled, state, parameters).unwrap();
    integration.advance(2).unwrap();
    integration.state()[..3 * compiled.stepper.layout.dimension].to_vec()
}

/// Second variations in the state and in all parameters against differences of differences, and the
/// same in both orders; first ones in parameters on the way.
#[test]
fn second_variations_are_second_derivatives_and_symmetric() {
    for (model, method) in [
        ("pendulum_angle", "rk4"),
        ("pendulum_angle", "variational-midpoint"),
        ("pendulum_angle", "galerkin-2-gauss2"),
        ("kepler", "gauss-2"),
        ("double_pendulum", "rattle"),
        ("sleigh", "dla-midpoint"),
        ("sleigh", "dirac-1"),
    ] {
        let stepper = stepper(&system(model, vec![]), method, "1/20");
        let compiled = Compiled::new(stepper, Backend::Native).unwrap();
        let stepper = &compiled.stepper;
        let all: Vec<u32> = (0u32..).take(stepper.parameters.len()).collect();
        let variations =
            Variations::new(&compiled, Order::Second, 2, &all, Backend::Native).unwrap();
        let basis = variations.admissible(&stepper.initial, &stepper.parameters).unwrap();
        let mut changes: Vec<Change> = basis
            .iter()
            .take(2)
            .map(|state| Change { state: state.clone(), parameters: vec![] })
            .collect();
        // Parameters that no constraint contains.
        let free = stepper.layout.constraints == 0;
        for k in (0..all.len()).filter(|_| free) {
            let unit = all.iter().map(|&j| f64::from(j == all[k])).collect();
            changes.push(Change { state: vec![], parameters: unit });
        }
        let (initial, parameters) = (&stepper.initial, &stepper.parameters);
        let mut tangent = Tangent::new(&variations, initial, parameters, &changes).unwrap();
        tangent.advance(2).unwrap();
        let mut swapped_changes = changes.clone();
        swapped_changes.reverse();
        let mut swapped = Tangent::new(&variations, initial, parameters, &swapped_changes).unwrap();
        swapped.advance(2).unwrap();
        let h = 2e-4;
        let last = changes.len() - 1;
        for (i, one) in changes.iter().enumerate() {
            let (more, less) = (end(&compiled, &[(one, h)]), end(&compiled, &[(one, -h)]));
            for slot in 0..3 * stepper.layout.dimension {
                let wanted = (more[slot] - less[slot]) / (2.0 * h);
                let found = tangent.change(slot as u32, i);
                assert!(
                    (found - wanted).abs() < 1e-6 * (1.0 + wanted.abs()),
                    "{model} {method} {i} {slot}: {found} {wanted}"
                );
            }
            for (j, other) in changes.iter().enumerate() {
                let at = |a: f64, b: f64| end(&compiled, &[(one, a), (other, b)]);
                let (pp, pm, mp, mm) = (at(h, h), at(h, -h), at(-h, h), at(-h, -h));
                for slot in 0..3 * stepper.layout.dimension {
                    let wanted = (pp[slot] - pm[slot] - mp[slot] + mm[slot]) / (4.0 * h * h);
                    let found = tangent.second(slot as u32, i, j);
                    assert!(
                        (found - wanted).abs() < 2e-6 * (1.0 + wanted.abs()),
                        "{model} {method} {i} {j} {slot}: {found} {wanted}"
                    );
                    let reversed = swapped.second(slot as u32, last - i, last - j);
                    let close = 1e-13 * (1.0 + found.abs());
                    assert!((found - reversed).abs() < close, "{model} {method}: not symmetric");
                }
            }
        }
    }
}

/// The midpoint rule on q' = p, p' = -q is Cayley's map: its derivative is known, and has no second.
#[test]
fn the_step_of_the_oscillator_has_the_derivative_of_cayleys_map() {
    let text = "name = \"oscillator\"\ncoordinates = [\"x\"]\n[lagrangian]\n\
                L = \"x'^2/2 - x^2/2\"\n[initial]\nposition = { x = \"3/5\" }\n\
                velocity = { x = \"1/7\" }\n";
    let system = super::written(text);
    for method in ["midpoint", "variational-midpoint", "gauss-1"] {
        let compiled = Compiled::new(stepper(&system, method, "1/10"), Backend::Native).unwrap();
        let variations =
            Variations::new(&compiled, Order::Second, 2, &[], Backend::Native).unwrap();
        let basis = [vec![1.0, 0.0], vec![0.0, 1.0]];
        let mut tangent = begun(&variations, &compiled, &basis);
        tangent.advance(1).unwrap();
        let (h, layout) = (0.1, compiled.stepper.layout);
        let divisor = 1.0 + h * h / 4.0;
        let wanted = [[1.0 - h * h / 4.0, -h], [h, 1.0 - h * h / 4.0]];
        for (k, column) in wanted.iter().enumerate() {
            for (slot, entry) in [layout.position(0), layout.momentum(0)].into_iter().zip(column) {
                assert!((tangent.change(slot, k) - entry / divisor).abs() < 1e-15, "{method}");
                for other in 0..2 {
                    assert!(tangent.second(slot, k, other).abs() < 1e-15, "{method}");
                }
            }
        }
    }
}

/// The two ways through an iteration meet: rates of a contraction in its loop, and those of Newton's
/// method at its solution.
#[test]
fn contractions_and_newtons_method_have_the_same_rates() {
    use isotrope_tape::interpret::{Scratch, step};
    use isotrope_tape::variation::{Directions, Iteration, differentiate};
    let stepper = stepper(&system("kepler", vec![]), "gauss-2", "1/50");
    let newton = stepper.newton.clone().unwrap();
    assert!(stepper.contracts);
    let n = stepper.layout.dimension as u32;
    let mut ends = Vec::new();
    for (program, iteration) in
        [(&newton, Iteration::Newton), (&stepper.program, Iteration::Contraction)]
    {
        let directions = Directions {
            slots: (0..3 * n).collect(),
            count: 2,
            pairs: vec![(0, 1), (1, 1)],
            parameters: vec![],
            iteration,
        };
        let with_rates = differentiate(program, &directions).unwrap();
        let mut state = stepper.initial.clone();
        stepper.scaling.fill(&mut state, &stepper.parameters);
        let start = &stepper.start;
        assert!(
            step(start, &mut state, &stepper.parameters, &mut Scratch::new(start)).is_complete()
        );
        let size = program.state;
        state.resize(with_rates.state as usize, 0.0);
        for k in 0..2 {
            state[directions.rate(size, k, k) as usize] = 1.0;
        }
        let mut scratch = Scratch::new(&with_rates);
        assert!(step(&with_rates, &mut state, &stepper.parameters, &mut scratch).is_complete());
        ends.push(state.split_off(size as usize));
    }
    let size = ends[0].iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    for (x, y) in ends[0].iter().zip(&ends[1]) {
        assert!((x - y).abs() < 1e-11 * size, "{x} {y}");
    }
}
