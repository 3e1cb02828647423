//! Models that are given by H run in (q, p), and Lagrangians do where they are asked to.

use isotrope_derive::System;
use isotrope_kernel::stepper::{Field, Measured};

use super::{integrate, made, stepper, written};

/// q' and p' of a Hamiltonian, for the second road.
type Rates = fn(&[f64], &[f64], f64) -> (Vec<f64>, Vec<f64>);

struct Case {
    hamiltonian: &'static str,
    rates: Rates,
    q: &'static [f64],
    p: &'static [f64],
}

const NONSEPARABLE: Case = Case {
    hamiltonian: "(q1^2 + 1)*(p_q1^2 + 1)/2",
    rates: |q, p, _| (vec![(q[0] * q[0] + 1.0) * p[0]], vec![-q[0] * (p[0] * p[0] + 1.0)]),
    q: &[0.3],
    p: &[0.5],
};
const QUARTIC: Case = Case {
    hamiltonian: "p_q1^4/4 + q1^2/2",
    rates: |q, p, _| (vec![p[0] * p[0] * p[0]], vec![-q[0]]),
    q: &[0.7],
    p: &[0.9],
};
/// With time, p⁴ and a product of positions and momenta, two degrees of freedom.
const DRIVEN: Case = Case {
    hamiltonian: "p_q1^4/4 + (1 + q1^2)*p_q2^2/2 + p_q1*p_q2/3 + q1^2/2 + q2^4/4 + t*q1*q2/5",
    rates: |q, p, t| {
        (
            vec![p[0] * p[0] * p[0] + p[1] / 3.0, (1.0 + q[0] * q[0]) * p[1] + p[0] / 3.0],
            vec![
                -(q[0] * p[1] * p[1] + q[0] + t * q[1] / 5.0),
                -(q[1] * q[1] * q[1] + t * q[0] / 5.0),
            ],
        )
    },
    q: &[0.4, -0.3],
    p: &[0.6, 0.2],
};
const CASES: [&Case; 3] = [&NONSEPARABLE, &QUARTIC, &DRIVEN];

fn model(case: &Case, q: &[f64], p: &[f64]) -> (System, Field) {
    let names: Vec<String> = (1..=q.len()).map(|k| format!("q{k}")).collect();
    let list = |values: &[f64]| {
        let pairs = names.iter().zip(values).map(|(name, x)| format!("{name} = \"{x:.20}\""));
        pairs.collect::<Vec<_>>().join(", ")
    };
    written(&format!(
        "coordinates = {names:?}\n[hamiltonian]\nH = \"{}\"\n[initial]\nposition = {{ {} }}\nmomentum = {{ {} }}\n",
        case.hamiltonian,
        list(q),
        list(p),
    ))
}

/// (q, p) after some steps.
fn end((system, field): &(System, Field), method: &str, step: &str, steps: u64) -> Vec<f64> {
    let stepper = stepper(&(system.clone(), field.clone()), method, step);
    let layout = stepper.layout;
    let state = integrate(&stepper, steps).unwrap();
    let q = 0..layout.dimension;
    [&state[q], &state[layout.all_momenta()]].concat()
}

fn distance(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).fold(0.0, |most: f64, (x, y)| most.max((x - y).abs()))
}

/// A name with the matrices for q and p, and the weights.
type Partitioned<'a> = (&'a str, &'a [&'a [f64]], &'a [&'a [f64]], &'a [f64]);

/// A partitioned Runge–Kutta step on (q, p) by simple iteration, in doubles.
fn by_hand(
    case: &Case,
    (a, abar, b): (&[&[f64]], &[&[f64]], &[f64]),
    h: f64,
    steps: u64,
) -> Vec<f64> {
    let (mut q, mut p) = (case.q.to_vec(), case.p.to_vec());
    let n = q.len();
    for k in 0..steps {
        let t = k as f64 * h;
        let mut rates: Vec<(Vec<f64>, Vec<f64>)> = vec![(case.rates)(&q, &p, t); b.len()];
        for _ in 0..200 {
            rates = (0..b.len())
                .map(|i| {
                    let moved = |start: &[f64], row: &[f64], part: &dyn Fn(usize, usize) -> f64| {
                        (0..n)
                            .map(|c| {
                                start[c]
                                    + h * (0..b.len()).map(|j| row[j] * part(j, c)).sum::<f64>()
                            })
                            .collect::<Vec<f64>>()
                    };
                    let at_q = moved(&q, a[i], &|j, c| rates[j].0[c]);
                    let at_p = moved(&p, abar[i], &|j, c| rates[j].1[c]);
                    (case.rates)(&at_q, &at_p, t + h * a[i].iter().sum::<f64>())
                })
                .collect();
        }
        for c in 0..n {
            q[c] += h * (0..b.len()).map(|j| b[j] * rates[j].0[c]).sum::<f64>();
            p[c] += h * (0..b.len()).map(|j| b[j] * rates[j].1[c]).sum::<f64>();
        }
    }
    [q, p].concat()
}

#[test]
fn steps_are_those_of_an_implementation_by_hand() {
    let root = 3.0_f64.sqrt() / 6.0;
    let gauss: [&[f64]; 2] = [&[0.25, 0.25 - root], &[0.25 + root, 0.25]];
    let iiia: [&[f64]; 2] = [&[0.0, 0.0], &[0.5, 0.5]];
    let iiib: [&[f64]; 2] = [&[0.5, 0.0], &[0.5, 0.0]];
    let halves: &[f64] = &[0.5, 0.5];
    for case in CASES {
        let here = model(case, case.q, case.p);
        let tables: [Partitioned<'_>; 4] = [
            ("gauss-2", &gauss, &gauss, halves),
            ("verlet", &iiia, &iiib, halves),
            ("symplectic-euler", &[&[1.0]], &[&[0.0]], &[1.0]),
            ("symplectic-euler-adjoint", &[&[0.0]], &[&[1.0]], &[1.0]),
        ];
        for (name, a, abar, b) in tables {
            let wanted = by_hand(case, (a, abar, b), 0.05, 40);
            for name in [name.to_owned(), format!("canonical:{name}")] {
                let error = distance(&end(&here, &name, "1/20", 40), &wanted);
                assert!(error < 3e-13, "{name} on {}: {error:e}", case.hamiltonian);
            }
        }
    }
}

/// dΦᵀ J dΦ − J of one step of length 1/10, by differences of the map.
fn form_defect(case: &Case, method: &str) -> f64 {
    const DELTA: f64 = 1e-4;
    let n = case.q.len();
    let column = |k: usize| -> Vec<f64> {
        let there = |factor: f64| {
            let (mut q, mut p) = (case.q.to_vec(), case.p.to_vec());
            if k < n {
                q[k] += factor * DELTA
            } else {
                p[k - n] += factor * DELTA
            }
            end(&model(case, &q, &p), method, "1/10", 1)
        };
        let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(there);
        (0..2 * n).map(|i| (8.0 * (c[i] - b[i]) - (d[i] - a[i])) / (12.0 * DELTA)).collect()
    };
    let columns: Vec<Vec<f64>> = (0..2 * n).map(column).collect();
    let mut most: f64 = 0.0;
    for (a, one) in columns.iter().enumerate() {
        for (b, other) in columns.iter().enumerate() {
            let value: f64 = (0..n).map(|i| one[i] * other[n + i] - one[n + i] * other[i]).sum();
            let canonical = f64::from(b == a + n) - f64::from(a == b + n);
            most = most.max((value - canonical).abs());
        }
    }
    most
}

#[test]
fn symplectic_tables_keep_the_form_of_every_hamiltonian_and_others_do_not() {
    let symplectic =
        ["gauss-1", "gauss-2", "verlet", "symplectic-euler", "lobatto-iiia-iiib-3", "yoshida-4"];
    for case in CASES {
        for method in symplectic {
            let defect = form_defect(case, method);
            assert!(defect < 1e-10, "{method} on {}: {defect:e}", case.hamiltonian);
        }
        let defect = form_defect(case, "rk4");
        assert!(defect > 1e-8, "rk4 on {}: {defect:e}", case.hamiltonian);
    }
    // Its table leaves open which of two equal velocities moves positions; in (q, p) they differ.
    assert!(form_defect(&NONSEPARABLE, "sv") < 1e-10);
}

#[test]
fn orders_are_those_of_the_tables() {
    for case in [&NONSEPARABLE, &DRIVEN] {
        let here = model(case, case.q, case.p);
        let exact = end(&here, "gauss-6", "1/40", 40);
        for (method, order) in [
            ("symplectic-euler", 1.0),
            ("verlet", 2.0),
            ("rk4", 4.0),
            ("gauss-2", 4.0),
            ("yoshida-4", 4.0),
        ] {
            let coarse = distance(&end(&here, method, "1/20", 20), &exact);
            let fine = distance(&end(&here, method, "1/40", 40), &exact);
            let seen = (coarse / fine).log2();
            assert!((seen - order).abs() < 0.35, "{method} on {}: {seen}", case.hamiltonian);
        }
        let adaptive = end(&here, "dop853", "1/40", 40);
        assert!(distance(&adaptive, &exact) < 1e-8, "{}", case.hamiltonian);
    }
}

#[test]
fn separable_hamiltonians_have_explicit_steps() {
    let separable = model(&QUARTIC, QUARTIC.q, QUARTIC.p);
    for method in ["verlet", "symplectic-euler", "symplectic-euler-adjoint", "yoshida-4", "rk4"] {
        assert!(stepper(&separable, method, "1/10").program.variables.is_empty(), "{method}");
    }
    assert_eq!(stepper(&separable, "gauss-2", "1/10").program.variables.len(), 2);
    let other = model(&NONSEPARABLE, NONSEPARABLE.q, NONSEPARABLE.p);
    assert_eq!(stepper(&other, "verlet", "1/10").program.variables.len(), 2);
}

#[test]
fn a_constant_mass_makes_both_kinds_of_variables_the_same() {
    let here = written(
        "coordinates = [\"x\", \"y\"]\n[lagrangian]\nL = \"x'^2 + x'*y'/2 + 3*y'^2/2 - x^4 - x*y - y^2\"\n\
         [initial]\nposition = { x = 1, y = \"1/3\" }\nvelocity = { x = \"1/5\", y = 0 }\n",
    );
    for method in ["gauss-2", "verlet", "rk4", "yoshida-6", "lobatto-iiia-iiib-3"] {
        let one = end(&here, method, "1/50", 100);
        let other = end(&here, &format!("canonical:{method}"), "1/50", 100);
        assert!(distance(&one, &other) < 2e-13, "{method}: {:e}", distance(&one, &other));
    }
}

#[test]
fn a_lagrangian_has_the_steps_of_its_hamiltonian() {
    // A varying mass matrix with a vector potential; and one that is not quadratic in the velocities.
    let pairs = [
        (
            "x'^2/(2*(1 + x^2)) + y'^2/2 + x'*y*x - x^2/2 - y^2",
            "(1 + x^2)*(p_x - x*y)^2/2 + p_y^2/2 + x^2/2 + y^2",
            ["1/5", "-1/3"],
        ),
        (
            "-sqrt(1 - x'^2 - y'^2) - x^2/2 - y^4/4 - x*y*t/9",
            "sqrt(1 + p_x^2 + p_y^2) + x^2/2 + y^4/4 + x*y*t/9",
            ["1/5", "-1/3"],
        ),
    ];
    for (lagrangian, hamiltonian, [px, py]) in pairs {
        let given = |table: &str, function: &str, rates: String| {
            written(&format!(
                "coordinates = [\"x\", \"y\"]\n[{table}]\n{function}\n[initial]\n\
                 position = {{ x = \"1/2\", y = \"2/5\" }}\n{rates}\n"
            ))
        };
        let momenta = format!("momentum = {{ x = \"{px}\", y = \"{py}\" }}");
        let one = given("hamiltonian", &format!("H = \"{hamiltonian}\""), momenta);
        // v = H_p at the start, as the other model has it.
        let start = stepper(&one, "gauss-2", "1/20");
        let begun = integrate(&start, 0).unwrap();
        let v = &begun[start.layout.velocities()];
        let velocities = format!("velocity = {{ x = \"{:.25}\", y = \"{:.25}\" }}", v[0], v[1]);
        let other = given("lagrangian", &format!("L = \"{lagrangian}\""), velocities);
        for method in ["gauss-2", "verlet", "symplectic-euler", "rk4"] {
            let wanted = end(&one, method, "1/20", 40);
            let found = end(&other, &format!("canonical:{method}"), "1/20", 40);
            let error = distance(&found, &wanted);
            assert!(error < 1e-12, "{method} on {lagrangian}: {error:e}");
        }
    }
}

#[test]
fn energy_and_its_balance_are_those_of_h() {
    let error = |case: &Case, step: &str, steps: u64| {
        let stepper = stepper(&model(case, case.q, case.p), "gauss-4", step);
        let state = integrate(&stepper, steps).unwrap();
        let layout = stepper.layout;
        let number = |slot: u32| state[slot as usize];
        assert_eq!(number(layout.largest_legendre_error(Measured::Own)), 0.0);
        number(layout.largest_energy_error(Measured::Own))
    };
    assert!(error(&QUARTIC, "1/20", 200) < 1e-10);
    // H depends on time: its change is the work.
    assert!(error(&DRIVEN, "1/40", 40) < 1e-11);
}

#[test]
fn what_does_not_apply_says_why() {
    let quartic = model(&QUARTIC, QUARTIC.q, QUARTIC.p);
    for method in ["rattle", "variational-midpoint", "dirac-2"] {
        let refused = made((&quartic.0, &quartic.1), method).unwrap_err().to_string();
        assert!(refused.contains("needs a Lagrangian") && refused.contains("(q, p)"), "{refused}");
    }
    let pendulum = super::system("pendulum", vec![]);
    let refused = made((&pendulum.0, &pendulum.1), "canonical:gauss-2").unwrap_err().to_string();
    assert!(refused.contains("constraints"), "{refused}");
}

/// A step of eighteen digits is a step of three digits, all but moved: numbers with long denominators are rounded once.
#[test]
fn compositions_take_steps_of_many_digits() {
    for case in CASES {
        let system = model(case, case.q, case.p);
        for method in ["yoshida-4", "yoshida-6", "suzuki-umeno-8", "gauss-4", "lobatto-iiia-iiib-4"]
        {
            let short = end(&system, method, "52345678901/1000000000000", 3);
            let long = end(&system, method, "523456789012345678/10000000000000000000", 3);
            assert!(distance(&short, &long) < 1e-11, "{method}: {short:?} {long:?}");
        }
    }
}
