//! Steps that balance energy on models given by H: any H(q, p, t), in any units.

use isotrope_derive::System;
use isotrope_kernel::integrate::{Compiled, Integration};
use isotrope_kernel::stepper::{Field, Measured, Options, tolerance};
use isotrope_scheme::Method;
use isotrope_tape::backend::Backend;

use super::{integrate, stepper, stepper_with, written};

/// In natural units: positions Q1, Q2, momenta P1, P2, the time S.
struct Case {
    name: &'static str,
    hamiltonian: &'static str,
    forces: &'static str,
    q: &'static [f64],
    p: &'static [f64],
    smooth: bool,
}

const PLAIN: Case =
    Case { name: "", hamiltonian: "", forces: "", q: &[0.7], p: &[0.9], smooth: true };
const TWO: Case = Case { q: &[0.4, -0.3], p: &[0.6, 0.2], ..PLAIN };

const CASES: [Case; 9] = [
    Case { name: "quartic", hamiltonian: "P1^4/4 + Q1^2/2", ..PLAIN },
    Case { name: "not separable", hamiltonian: "(Q1^2 + 1)*(P1^2 + 1)/2", ..PLAIN },
    Case { name: "relativistic", hamiltonian: "sqrt(1 + P1^2) + Q1^2/2", ..PLAIN },
    Case { name: "not polynomial", hamiltonian: "P1^2/(2 + sin(Q1)) - 2*cos(Q1)", ..PLAIN },
    Case {
        name: "turning",
        hamiltonian: "(P1^2 + P2^2)/2 + P1^4/9 + (P1*Q2 - P2*Q1)/2 + (Q1^2 + 2*Q2^2)/2 + Q1^2*Q2/3",
        ..TWO
    },
    Case {
        name: "magnetic",
        hamiltonian: "(P1 + Q2*Q1/2)^2/2 + (P2 - Q1/2)^2/2 + (Q1^2 + Q2^2)^2/4 + Q1^2/2",
        ..TWO
    },
    Case {
        name: "driven",
        hamiltonian: "P1^4/4 + (1 + Q1^2)*P2^2/2 + P1*P2/3 + Q1^2/2 + Q2^4/4 + S*Q1*Q2/5",
        ..TWO
    },
    Case {
        name: "forced",
        hamiltonian: "P1^4/4 + P2^2/2 + P1^2/2 + Q1^2*Q2^2/2 + cosh(Q1) + Q2^2",
        forces: "-P1/3 + cos(S), Q1*P2/5",
        ..TWO
    },
    Case {
        name: "with a wall",
        hamiltonian: "P1^4/4 + P1^2/2 + Q1^2/2 + 9*max(Q1 - 1/2, 0)^2",
        smooth: false,
        ..PLAIN
    },
];

/// What a length of 1 is for each coordinate, and an energy and a time of 1.
#[derive(Clone, Copy)]
struct Units {
    lengths: [f64; 2],
    energy: f64,
    time: f64,
}

const NATURAL: Units = Units { lengths: [1.0; 2], energy: 1.0, time: 1.0 };
const UNITS: [Units; 3] = [
    NATURAL,
    Units { lengths: [3e-6, 7e5], energy: 2e-4, time: 3e2 },
    Units { lengths: [9e5, 1.1e-6], energy: 6e6, time: 7e-5 },
];

impl Case {
    /// The model in units.
    fn model(&self, units: Units) -> (System, Field) {
        let n = self.q.len();
        let Units { lengths, energy, time } = units;
        let natural = |text: &str| {
            let mut text = text.replace('S', "(t/T)");
            for i in 1..=n {
                text = text.replace(&format!("Q{i}"), &format!("(q{i}/a{i})"));
                text = text.replace(&format!("P{i}"), &format!("(p_q{i}*a{i}/(W*T))"));
            }
            text
        };
        let names: Vec<String> = (1..=n).map(|i| format!("q{i}")).collect();
        let list = |values: &[f64], unit: &dyn Fn(usize) -> f64| {
            let entry = |i: usize| format!("{} = \"{:e}\"", names[i], values[i] * unit(i));
            (0..n).map(entry).collect::<Vec<_>>().join(", ")
        };
        let forces: Vec<String> = self
            .forces
            .split(", ")
            .zip(&names)
            .enumerate()
            .filter(|(_, (force, _))| !force.is_empty())
            .map(|(i, (force, name))| format!("{name} = \"W/a{}*({})\"\n", i + 1, natural(force)))
            .collect();
        let lengths_given: String =
            (0..n).map(|i| format!("a{} = \"{:e}\"\n", i + 1, lengths[i])).collect();
        let forces = if forces.is_empty() {
            String::new()
        } else {
            format!("[forces]\n{}", forces.concat())
        };
        written(&format!(
            "coordinates = {names:?}\n[parameters]\nW = \"{energy:e}\"\nT = \"{time:e}\"\n{lengths_given}\
             [hamiltonian]\nH = \"W*({})\"\n{forces}[initial]\nposition = {{ {} }}\nmomentum = {{ {} }}\n",
            natural(self.hamiltonian),
            list(self.q, &|i| lengths[i]),
            list(self.p, &|i| energy * time / lengths[i]),
        ))
    }
}

/// (q, p) in natural units after some steps, and the largest error of the energy balance relative to the energy.
fn run(case: &Case, units: Units, method: &str, (step, steps): (f64, u64)) -> (Vec<f64>, f64) {
    let (system, field) = case.model(units);
    let budget = &mut isotrope_algebra::Budget::new(1_000_000_000);
    let named = Method::named(method, budget).unwrap().unwrap();
    let step = format!("{:e}", step * units.time).parse().unwrap();
    let options = Options { tolerance: tolerance(&named, &system), ..Options::new(step) };
    let made = stepper_with((&system, &field), method, &options);
    let layout = made.layout;
    let compiled = Compiled::new(made, Backend::Native).unwrap();
    let mut integration = Integration::new(&compiled).unwrap();
    integration
        .advance(steps)
        .unwrap_or_else(|failure| panic!("{method} on {}: {failure:?}", case.name));
    let state = integration.state();
    let n = layout.dimension;
    let q = (0..n).map(|i| state[i] / units.lengths[i]);
    let momenta = &state[layout.all_momenta()];
    let p = (0..n).map(|i| momenta[i] * units.lengths[i] / (units.energy * units.time));
    let error = integration.number(layout.largest_energy_error(Measured::Own));
    (q.chain(p).collect(), error / units.energy)
}

fn distance(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).fold(0.0, |most: f64, (x, y)| most.max((x - y).abs()))
}

const BALANCED: [&str; 6] =
    ["avf", "avf-4", "avf-6", "discrete-gradient", "itoh-abe", "itoh-abe-2"];

#[test]
fn every_hamiltonian_has_its_energy_balanced_in_every_unit_with_the_same_motion() {
    for case in &CASES {
        for method in BALANCED {
            let (natural, _) = run(case, NATURAL, method, (0.125, 80));
            for units in UNITS {
                let (end, error) = run(case, units, method, (0.125, 80));
                assert!(error < 4e-14, "{method} on {}: energy {error:e}", case.name);
                let moved = distance(&end, &natural);
                assert!(moved < 1e-11, "{method} on {}: moved {moved:e}", case.name);
            }
        }
    }
}

#[test]
fn methods_that_balance_energy_have_their_orders_on_every_smooth_hamiltonian() {
    for case in CASES.iter().filter(|case| case.smooth) {
        let (exact, _) = run(case, NATURAL, "gauss-6", (1.0 / 40.0, 40));
        // Of a sum of functions of one coordinate each, differences of H along coordinates are its means.
        let apart = ["quartic", "relativistic"].contains(&case.name);
        let orders = [
            ("avf", 2.0),
            ("avf-4", 4.0),
            ("discrete-gradient", 2.0),
            ("itoh-abe", if apart { 2.0 } else { 1.0 }),
            ("itoh-abe-2", 2.0),
        ];
        for (method, order) in orders {
            let error = |step: f64, steps: u64| {
                distance(&run(case, NATURAL, method, (step, steps)).0, &exact)
            };
            let seen = (error(1.0 / 16.0, 16) / error(1.0 / 32.0, 32)).log2();
            assert!((seen - order).abs() < 0.3, "{method} on {}: {seen}", case.name);
        }
    }
}

/// (q, p) at the end.
fn end(model: &(System, Field), method: &str) -> Vec<f64> {
    let options = Options { tolerance: 1e-14, ..Options::new("1/10".parse().unwrap()) };
    let made = stepper_with((&model.0, &model.1), method, &options);
    let layout = made.layout;
    let state = integrate(&made, 60).unwrap();
    [&state[..layout.dimension], &state[layout.all_momenta()]].concat()
}

#[test]
fn the_average_vector_field_of_h_is_that_of_its_lagrangian() {
    // The mean of ∇H along the chord in (q, p) is the same for both: with a varying mass they are written apart.
    let pairs = [
        ("(1 + x^2)*x'^2/2 - cos(x)", "p_x^2/(2*(1 + x^2)) + cos(x)", "13/10", "13/10*(1 + 1/4)"),
        ("x'^2/2 + 2*cos(x)", "p_x^2/2 - 2*cos(x)", "3/5", "3/5"),
        ("x'^2/2 - x^4/4 - x^2", "p_x^2/2 + x^4/4 + x^2", "3/5", "3/5"),
    ];
    for (lagrangian, hamiltonian, v, p) in pairs {
        let given = |table: &str, function: &str, rate: &str, value: &str| {
            written(&format!(
                "coordinates = [\"x\"]\n[{table}]\n{function} \n[initial]\nposition = {{ x = \"1/2\" }}\n\
                 {rate} = {{ x = \"{value}\" }}\n"
            ))
        };
        let one = given("lagrangian", &format!("L = \"{lagrangian}\""), "velocity", v);
        let other = given("hamiltonian", &format!("H = \"{hamiltonian}\""), "momentum", p);
        let error = distance(&end(&one, "avf"), &end(&other, "avf"));
        assert!(error < 1e-12, "avf on {lagrangian}: {error:e}");
    }
}

#[test]
fn hamiltons_equations_are_a_poisson_system_with_the_canonical_bracket() {
    let hamiltonian = "P^4/4 + (1 + Q^2)*P^2/3 + cosh(Q)";
    let given = written(&format!(
        "coordinates = [\"q\"]\n[hamiltonian]\nH = \"{}\"\n[initial]\nposition = {{ q = \"1/2\" }}\n\
         momentum = {{ q = \"2/3\" }}\n",
        hamiltonian.replace('P', "p_q").replace('Q', "q"),
    ));
    let bracket = written(&format!(
        "coordinates = [\"q\", \"p\"]\n[poisson]\nhamiltonian = \"{}\"\n\"q,p\" = \"1\"\n\
         [initial]\nposition = {{ q = \"1/2\", p = \"2/3\" }}\n",
        hamiltonian.replace('P', "p").replace('Q', "q"),
    ));
    for method in BALANCED {
        let options = Options { tolerance: 1e-14, ..Options::new("1/10".parse().unwrap()) };
        let made = stepper_with((&bracket.0, &bracket.1), method, &options);
        let wanted = integrate(&made, 60).unwrap()[..2].to_vec();
        let error = distance(&end(&given, method), &wanted);
        assert!(error < 1e-12, "{method}: {error:e}");
    }
}

/// A system with a resistance and a port, its coordinates in units of their own.
fn port(sizes: [f64; 3]) -> (System, Field) {
    let [a, b, c] = sizes;
    written(&format!(
        "coordinates = [\"x\", \"y\", \"z\"]\ninputs.u = \"cos(3*t)\"\n[parameters]\na = \"{a:e}\"\nb = \"{b:e}\"\n\
         c = \"{c:e}\"\n[port]\n\
         hamiltonian = \"((x/a)^2 + 2*(y/b)^2 + (z/c)^2)/2 + (x/a)*(y/b)*(z/c)/2 + (x/a)^2*(z/c)^2/4 + cos(y/b)\"\n\
         J = {{ \"x,y\" = \"a*b*(1 + (z/c)^2)\", \"y,z\" = \"b*c*x/a\" }}\n\
         R = {{ \"x,x\" = \"a^2*(x/a)^2\", \"z,z\" = \"c^2/5\" }}\ng = {{ u = {{ y = \"b\", z = \"c*x/a\" }} }}\n\
         [initial]\nposition = {{ x = \"{:e}\", y = \"{:e}\", z = \"{:e}\" }}\n",
        a / 2.0,
        -b / 3.0,
        c,
    ))
}

#[test]
fn steps_in_state_space_do_not_depend_on_the_unit_of_a_coordinate() {
    let methods = ["discrete-gradient", "avf", "avf-4", "itoh-abe", "itoh-abe-2"];
    for method in methods {
        let at = |sizes: [f64; 3]| {
            let (system, field) = port(sizes);
            let options = Options { tolerance: 1e-14, ..Options::new("1/8".parse().unwrap()) };
            let state = integrate(&stepper_with((&system, &field), method, &options), 80).unwrap();
            (0..3).map(|i| state[i] / sizes[i]).collect::<Vec<f64>>()
        };
        let natural = at([1.0; 3]);
        for sizes in [[3e-6, 1.0, 7e5], [2e4, 5e-6, 1.1e-3], [1e6, 1e6, 1e-6]] {
            let moved = distance(&at(sizes), &natural);
            assert!(moved < 1e-11, "{method} in {sizes:?}: {moved:e}");
        }
    }
}

#[test]
fn values_inside_of_steps_are_those_of_the_motion_to_the_sixth_order() {
    for case in CASES.iter().filter(|case| case.smooth && case.name != "forced") {
        let model = case.model(NATURAL);
        // States inside of a step of gauss-6, against steps that end there.
        let error = |step: &str, part: &str| {
            let options = Options { dense: 3, ..Options::new(step.parse().unwrap()) };
            let made = stepper_with((&model.0, &model.1), "canonical:gauss-6", &options);
            let layout = made.layout;
            let state = integrate(&made, 1).unwrap();
            let mut inside = state.clone();
            let program = &made.dense[0];
            isotrope_tape::interpret::step(
                program,
                &mut inside,
                &made.parameters,
                &mut isotrope_tape::interpret::Scratch::new(program),
            );
            let end = integrate(&stepper(&model, "canonical:gauss-6", part), 1).unwrap();
            let seen = [&inside[..layout.dimension], &inside[layout.all_momenta()]].concat();
            let wanted = [&end[..layout.dimension], &end[layout.all_momenta()]].concat();
            let v = layout.velocities();
            assert!(distance(&inside[v.clone()], &end[v]) < 1e-3);
            distance(&seen, &wanted)
        };
        let (coarse, fine) = (error("3/5", "1/5"), error("3/10", "1/10"));
        let order = (coarse / fine).log2();
        assert!(order > 5.4 && coarse < 1e-3, "{}: {coarse:e} {fine:e} {order}", case.name);
    }
}

#[test]
fn jacobians_of_corrections_are_finite() {
    // Of sums with next to nothing in them: its denominator squared was infinite in double precision.
    for (model, method) in [
        ("port/dc_motor", "discrete-gradient"),
        ("port/dc_motor", "avf-4"),
        ("pendulum_angle", "discrete-gradient"),
    ] {
        let made = stepper(&super::system(model, vec![]), method, "1/256");
        let careful = made.careful.as_ref().unwrap();
        let mut state = made.initial.clone();
        made.scaling.fill(&mut state, &made.parameters);
        let extra = 2 * careful.weights.len() + careful.pattern.len();
        state.resize(state.len() + extra, 0.0);
        for program in [&careful.guess, &careful.evaluate] {
            let scratch = &mut isotrope_tape::interpret::Scratch::new(program);
            let done =
                isotrope_tape::interpret::step(program, &mut state, &made.parameters, scratch);
            assert!(done.is_complete(), "{method} on {model}");
        }
    }
}
