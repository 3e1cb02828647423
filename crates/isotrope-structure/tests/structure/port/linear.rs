//! Linear systems and what is found along energies: quadratic invariants, passivity, storage functions.

use isotrope_algebra::ExprId;
use isotrope_algebra::normal::Zero;
use isotrope_structure::port::{
    Form, Origin, PortKind, Realisation, Relation, Verdict, definite_invariant,
};

use super::{Example, VIV, budget, closed, find};

#[test]
fn undamped_viv_keeps_a_definite_quadratic_exactly_if_the_coupling_is_weak() {
    let equations: Vec<(&str, &str)> =
        VIV[..3].iter().copied().chain([("x4", "-O^2*(1 - A*m)*x3 - A*x1")]).collect();
    for (a, m, o) in
        [(12, 20, 1), (1, 20, 2), (5, 20, 2), (6, 20, 2), (1, 2, 3), (1, 3, 3), (-1, 2, 1)]
    {
        for sharper in [1, 2, 4] {
            let values =
                [("m", format!("1/{m}")), ("O", format!("{o}/{sharper}")), ("A", a.to_string())];
            let values: Vec<(&str, &str)> = values.iter().map(|(n, v)| (*n, v.as_str())).collect();
            let mut example = Example::new(&equations, &values);
            let verdict = definite_invariant(&mut example.pool, &example.problem, &mut budget());
            let holds = verdict.unwrap().unwrap().holds();
            // A m O^2 < (O - 1)^2 with integers: multiply by m d^2.
            let (left, right) = (a * o * o, m * (o - sharper) * (o - sharper));
            assert_eq!(holds, left < right, "A = {a}, m = 1/{m}, O = {o}/{sharper}");
        }
    }
}

#[test]
fn linear_systems_have_energies_by_lyapunov_and_by_positive_realness() {
    // No diagonal storage function: x' = -x + 4 y, y' = -y.
    let mut example = Example::new(&[("x", "-x + 4*y"), ("y", "-y")], &[]);
    let found = example.recover();
    let form = find(&found, |form| form.realisation == Realisation::Closed);
    assert!(form.criteria.passive.holds() && form.criteria.positive.holds());
    // Passive in the output x + 2 y only: Q B = C^T leaves a line of matrices, on which one
    // point is passive, H = x^2 + x y + y^2 with J canonical and R = diag(0, 1).
    let equations = [("x", "x + 2*y"), ("y", "-3*x - 3*y + u")];
    let mut example = Example::with_ports(&equations, &["u"], &["x + 2*y"], &[]);
    let found = example.recover();
    let form = &found.forms[0];
    assert_eq!(form.origin, Origin::PositiveReal);
    assert!(example.equal(form.hamiltonian, "x^2 + x*y + y^2"));
    example.assert_matrix(&form.j, &[&["0", "1"], &["-1", "0"]]);
    example.assert_matrix(&form.r, &[&["0", "0"], &["0", "1"]]);
    let port = form.ports.iter().find(|port| port.kind == PortKind::Input).unwrap().clone();
    assert!(example.equal(port.output, "x + 2*y"));
}

#[test]
fn gyroscopic_forces_and_damping_are_told_apart() {
    // W = 1: a rotating frame with dampers; J has the gyroscopic block, R the damping.
    let equations =
        [("x", "v"), ("v", "-k*x + 2*w*y_ - c*v"), ("y", "y_"), ("y_", "-k*y - 2*w*v - c*y_")];
    let equations: Vec<(&str, &str)> = equations.to_vec();
    let mut example = Example::new(&equations, &[("k", "1"), ("w", "1/3"), ("c", "1/5")]);
    let found = example.recover();
    let form = &found.forms[0];
    assert_eq!((form.origin, form.realisation), (Origin::Mechanical, Realisation::Closed));
    let j: [&[&str]; 4] = [
        &["0", "1", "0", "0"],
        &["-1", "0", "0", "2*w"],
        &["0", "0", "0", "1"],
        &["0", "-2*w", "-1", "0"],
    ];
    example.assert_matrix(&form.j, &j);
    assert!(example.equal(form.r.get(1, 1), "c") && example.equal(form.r.get(3, 3), "c"));
}

#[test]
fn a_linear_integral_is_no_reason_to_find_nothing() {
    // Diffusion on three nodes: H = |x|^2/2 with the Laplacian as R, though a + b + c is kept.
    let mut example = Example::new(&[("a", "b - a"), ("b", "a - 2*b + c"), ("c", "b - c")], &[]);
    let found = example.recover();
    let form = closed(&found, |form| form.origin == Origin::Distance).unwrap();
    let laplacian: [&[&str]; 3] = [&["1", "-1", "0"], &["-1", "2", "-1"], &["0", "-1", "1"]];
    example.assert_matrix(&form.r, &laplacian);
    assert!(form.criteria.passive.holds() && form.criteria.positive.holds());
    // It is a gradient flow, too, of which R is the identity.
    let form = closed(&found, |form| form.origin == Origin::Gradient).unwrap();
    example.assert_matrix(&form.r, &[&["1", "0", "0"], &["0", "1", "0"], &["0", "0", "1"]]);
    // A + B <=> C keeps a + c and b + c; the sum of all is kept in an epidemic.
    let reaction = [("a", "k2*c - k1*a*b"), ("b", "k2*c - k1*a*b"), ("c", "k1*a*b - k2*c")];
    let mut example = Example::new(&reaction, &[("k1", "1"), ("k2", "2")]);
    assert!(closed(&example.recover(), |form| form.criteria.passive.holds()).is_some());
    let epidemic = [("s", "-be*s*i"), ("i", "be*s*i - ga*i"), ("r", "ga*i")];
    let mut example = Example::new(&epidemic, &[("be", "2"), ("ga", "1")]);
    assert!(closed(&example.recover(), |form| form.criteria.passive.holds()).is_some());
}

#[test]
fn integrals_of_higher_degree_are_found_beside_linear_ones() {
    // The circuit with a nonlinear capacitor keeps phi1 + phi2, and an energy of degree 4.
    let circuit = [("q", "phi1/L1 - phi2/L2"), ("phi1", "-q/C - k*q^3"), ("phi2", "q/C + k*q^3")];
    let values = [("C", "1"), ("k", "1/10"), ("L1", "1"), ("L2", "2")];
    let mut example = Example::new(&circuit, &values);
    let found = example.recover();
    let form = &found.forms[0];
    assert_eq!((form.courant.vanishes(), form.realisation), (Zero::Yes, Realisation::Closed));
    assert!(form.criteria.positive.holds());
    let h = "(q^2/(2*C) + k*q^4/4 + phi1^2/(2*L1) + phi2^2/(2*L2))*2*C*L1*L2";
    assert!(example.equal(form.hamiltonian, h));
    // Three species: x + y + z with quadratic J, and x y z, which is not a polynomial in it.
    let mut example =
        Example::new(&[("x", "x*(y - z)"), ("y", "y*(z - x)"), ("z", "z*(x - y)")], &[]);
    let found = example.recover();
    let sum = found.forms.iter().find(|f| example.equal(f.hamiltonian, "x + y + z"));
    assert_eq!(sum.unwrap().criteria.degree, 2);
    assert!(found.forms.iter().any(|f| example.equal(f.hamiltonian, "x*y*z")));
}

#[test]
fn equal_frequencies_keep_a_definite_quadratic_exactly_if_they_are_semisimple() {
    let verdict = |equations: &[(&str, &str)], values: &[(&str, &str)]| {
        let mut example = Example::new(equations, values);
        definite_invariant(&mut example.pool, &example.problem, &mut budget()).unwrap().unwrap()
    };
    let equal = [("x", "u"), ("u", "-x"), ("y", "v"), ("v", "-y")];
    assert_eq!(verdict(&equal, &[]), Verdict::Always);
    // A Jordan block: the amplitude grows.
    let block = [("x", "u"), ("u", "-x + y"), ("y", "v"), ("v", "-y")];
    assert!(matches!(verdict(&block, &[]), Verdict::Never { .. }));
    // With symbols the conditions are not called necessary, and the values are decided.
    let symbols = [("x", "u"), ("u", "-a*x"), ("y", "v"), ("v", "-b*y")];
    for (a, b, holds) in [("1", "1", true), ("1", "2", true), ("1", "-1", false)] {
        let found = verdict(&symbols, &[("a", a), ("b", b)]);
        assert!(matches!(found, Verdict::Under { sharp: false, .. }));
        assert_eq!(found.holds(), holds, "{a}, {b}");
    }
}

#[test]
fn definite_energies_ask_squares_not_to_vanish() {
    // H = v^2/2 + w^2 x^2/2 is definite exactly if w is not zero.
    for (w, holds) in [("0", false), ("2", true)] {
        let mut example =
            Example::new(&[("x", "v"), ("v", "-w^2*x - c^2*v")], &[("w", w), ("c", "1")]);
        let found = example.given("v^2/2 + w^2*x^2/2");
        let positive = &found.forms[0].criteria.positive;
        let Verdict::Under { conditions, sharp: true, .. } = positive else { panic!("conditions") };
        assert_eq!(conditions.len(), 1);
        assert_eq!(conditions[0].relation, Relation::NotZero);
        assert_eq!(positive.holds(), holds);
    }
    // Duffing's energy needs one of its two coefficients to be positive.
    for (a, b, holds) in [("0", "0", false), ("0", "1", true), ("1", "0", true)] {
        let mut example = Example::new(&[("x", "v"), ("v", "-a*x - b*x^3")], &[("a", a), ("b", b)]);
        let found = example.given("v^2/2 + a*x^2/2 + b*x^4/4");
        assert_eq!(found.forms[0].criteria.positive.holds(), holds, "{a}, {b}");
    }
    // What has no real zero is not a condition.
    let mut example = Example::new(&[("x", "-(c^2 + 4)*x")], &[("c", "1")]);
    let found = example.given("x^2/2");
    assert_eq!(found.forms[0].criteria.passive, Verdict::Always);
}

#[test]
fn damped_systems_with_symbols_keep_the_forms_that_are_found() {
    // Gyroscopic forces, and two masses with one damper.
    let gyro = [("x", "u"), ("u", "-k1*x + 2*w*v - c*u"), ("y", "v"), ("v", "-k2*y - 2*w*u - c*v")];
    let mut example = Example::new(&gyro, &[("k1", "1"), ("k2", "2"), ("w", "1/3"), ("c", "1/10")]);
    let found = example.recover();
    let form = closed(&found, |form| form.origin == Origin::Mechanical).unwrap();
    assert!(form.criteria.passive.holds());
    let coupled = [
        ("x", "u"),
        ("u", "(-k1*x - k*(x - y))/m1"),
        ("y", "v"),
        ("v", "(-k2*y + k*(x - y) - c*v)/m2"),
    ];
    let values = [("k1", "1"), ("k2", "2"), ("k", "3"), ("m1", "2"), ("m2", "5"), ("c", "1/10")];
    let mut example = Example::new(&coupled, &values);
    let found = example.recover();
    let form = closed(&found, |form| form.criteria.passive.holds()).unwrap();
    // Denominators of the equations are conditions of the form.
    let conditions = example.conditions(form);
    assert!(conditions.iter().any(|c| c == "m1 != 0") && conditions.iter().any(|c| c == "m2 != 0"));
}

/// Random systems x' = (J - R) Q x + B u, y = B^T Q x are passive, and an energy is found.
#[test]
fn passive_linear_systems_are_recognised() {
    let mut seed: u64 = 3;
    let mut next = |range: i64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(seed >> 33).unwrap().rem_euclid(2 * range + 1) - range
    };
    for round in 0..24 {
        let n = 2 + round % 2;
        let rank = if round % 4 < 2 { n } else { 1 };
        let product = |a: &[Vec<i64>], b: &[Vec<i64>]| -> Vec<Vec<i64>> {
            let columns = b[0].len();
            let entry = |row: &Vec<i64>, j: usize| (0..b.len()).map(|k| row[k] * b[k][j]).sum();
            a.iter().map(|row| (0..columns).map(|j| entry(row, j)).collect()).collect()
        };
        let transposed = |a: &[Vec<i64>]| -> Vec<Vec<i64>> {
            (0..a[0].len()).map(|j| a.iter().map(|row| row[j]).collect()).collect()
        };
        let mut l = vec![vec![0; n]; n];
        for (i, row) in l.iter_mut().enumerate() {
            row[..i].iter_mut().for_each(|entry| *entry = next(2));
            row[i] = 1 + next(1).abs();
        }
        let q = product(&l, &transposed(&l));
        let mut m = vec![vec![0; n]; n];
        for (i, j) in [(1, 0), (2, 0), (2, 1)].into_iter().filter(|&(i, _)| i < n) {
            m[i][j] = next(3);
            m[j][i] = -m[i][j];
        }
        let g: Vec<Vec<i64>> = (0..n).map(|_| (0..rank).map(|_| next(1)).collect()).collect();
        let r = product(&g, &transposed(&g));
        for (row, lost) in m.iter_mut().zip(&r) {
            row.iter_mut().zip(lost).for_each(|(entry, value)| *entry -= value);
        }
        let mut b: Vec<Vec<i64>> = (0..n).map(|_| vec![next(1)]).collect();
        b[0][0] = 1;
        let (a, c) = (product(&m, &q), product(&transposed(&b), &q));
        let names = ["x0", "x1", "x2"];
        let sum = |row: &[i64]| -> String {
            row.iter().zip(names).map(|(v, x)| format!("({v})*{x}")).collect::<Vec<_>>().join(" + ")
        };
        let rates: Vec<String> =
            (0..n).map(|i| format!("{} + ({})*u", sum(&a[i]), b[i][0])).collect();
        let equations: Vec<(&str, &str)> =
            names.iter().copied().zip(rates.iter().map(String::as_str)).collect();
        let output = sum(&c[0]);
        let mut example = Example::with_ports(&equations, &["u"], &[&output], &[]);
        let found = example.recover();
        let matches = |form: &&Form| {
            form.realisation == Realisation::Closed
                && form.criteria.passive.holds()
                && form.criteria.positive.holds()
        };
        let outputs: Vec<ExprId> = found
            .forms
            .iter()
            .filter(matches)
            .flat_map(|form| form.ports.iter().filter(|port| port.kind == PortKind::Input))
            .map(|port| port.output)
            .collect();
        let fits = outputs.into_iter().any(|y| example.equal(y, &output));
        assert!(fits, "{equations:?}, y = {output}: {:?}", found.notes);
    }
}

#[test]
fn linear_systems_that_are_not_passive_are_told() {
    // The gain at rest is negative: C A^-1 B > 0 excludes every Q.
    let equations = [("x", "-x + u"), ("y", "-2*y + u")];
    let mut example = Example::with_ports(&equations, &["u"], &["x - 3*y"], &[]);
    let found = example.recover();
    let note = found.notes.iter().find(|note| note.starts_with("Kalman")).unwrap();
    assert!(note.contains("not passive"), "{note}");
}

#[test]
fn what_holds_at_the_values_only_is_called_so() {
    let mut example = Example::new(&[("x", "v"), ("v", "-x - (x^2 + e)*v")], &[("e", "-1")]);
    let found = example.given("(x^2 + v^2)/2");
    let loses = found.obstruction.unwrap().loses;
    assert!(matches!(loses, Verdict::Never { at_values: true, .. }));
    let mut example = Example::new(&[("x", "v"), ("v", "-x + v")], &[]);
    let found = example.given("(x^2 + v^2)/2");
    let loses = found.obstruction.unwrap().loses;
    assert!(matches!(loses, Verdict::Never { at_values: false, .. }));
}

/// A damped lamina, a = b + c: weights between the directions of the family are positive, kinetic energy among them.
#[test]
fn storage_functions_are_searched_between_directions() {
    let body = [
        ("w1", "(b - c)/a*w2*w3 - d*w1/a"),
        ("w2", "(c - a)/b*w3*w1 - d*w2/b"),
        ("w3", "(a - b)/c*w1*w2"),
    ];
    let mut example = Example::new(&body, &[("a", "5"), ("b", "2"), ("c", "3"), ("d", "1/10")]);
    let found = example.recover();
    let form = closed(&found, |form| form.origin == Origin::Storage).unwrap();
    assert!(form.criteria.passive.holds() && form.criteria.positive.holds());
}
