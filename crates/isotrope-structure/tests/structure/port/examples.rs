//! What is known of the examples, computed: their structures, integrals and ports.

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::linear::Matrix;
use isotrope_algebra::normal::{Zero, is_zero};
use isotrope_algebra::{ExprId, Pool};
use isotrope_geometry::DiracStructure;
use isotrope_structure::port::{
    Dissipation, Form, Obstruction, Origin, PortKind, Realisation, Recovery, Relation, Verdict,
};

use super::{Example, LORENZ, SEED, VIV, VIV_VALUES, budget, find};

const DAMPED: [(&str, &str); 2] = [("x", "v"), ("v", "-x - c*v")];

const H2: &str = "A*(x1^2 + x2^2)/2 - m*O^2*(x4^2 + O^2*(1 - A*m)*x3^2)/2 - A*m*O^2*x1*x3";

fn supports(found: &Recovery) -> Vec<Vec<usize>> {
    let mut list: Vec<Vec<usize>> = found
        .forms
        .iter()
        .filter(|form| form.dissipation == Dissipation::Zero)
        .map(|form| form.residual_support.iter().map(|i| i + 1).collect())
        .collect();
    list.sort();
    list.dedup();
    list
}

/// A polynomial of degree two with small coefficients.
fn random_polynomial(pool: &mut Pool, states: &[ExprId], seed: &mut u64) -> ExprId {
    let mut next = || {
        *seed =
            seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(*seed >> 61).unwrap() - 3
    };
    let mut terms = vec![pool.integer(next())];
    for (i, &x) in states.iter().enumerate() {
        let (a, b) = (pool.integer(next()), pool.integer(next()));
        terms.push(pool.mul(a, x));
        terms.push(pool.product(&[b, x, states[(i + 1) % states.len()]]));
    }
    pool.sum(&terms)
}

#[test]
fn the_damped_oscillator_has_one_structure_and_none_without_dissipation() {
    let mut example = Example::new(&DAMPED, &[("c", "1/5")]);
    let found = example.given("(x^2 + v^2)/2");
    let form = &found.forms[0];
    assert_eq!((form.dissipation, form.freedom), (Dissipation::Diagonal, 0));
    example.assert_matrix(&form.j, &[&["0", "1"], &["-1", "0"]]);
    example.assert_matrix(&form.r, &[&["0", "0"], &["0", "c"]]);
    assert_eq!(example.conditions(form), ["c >= 0"]);
    assert!(found.obstruction.is_none());
    // The energy is found, too.
    let found = example.recover();
    assert_eq!(found.forms[0].origin, Origin::Mechanical);
    assert!(example.equal(found.forms[0].hamiltonian, "(x^2 + v^2)/2"));
}

#[test]
fn van_der_pol_splits_into_passive_damping_and_a_port() {
    let mut example = Example::new(&[("x", "v"), ("v", "-x + mu*(1 - x^2)*v")], &[("mu", "1")]);
    let found = example.given("(x^2 + v^2)/2");
    let closed = find(&found, |form| form.realisation == Realisation::Closed);
    example.assert_matrix(&closed.r, &[&["0", "0"], &["0", "mu*(x^2 - 1)"]]);
    assert!(matches!(closed.criteria.passive, Verdict::Never { .. }));
    let split = find(&found, |form| {
        form.dissipation == Dissipation::Diagonal && form.realisation == Realisation::Modulated
    });
    example.assert_matrix(&split.r, &[&["0", "0"], &["0", "mu*x^2"]]);
    let [column] = example.residual(split)[..] else { panic!("one port") };
    let column = column.to_vec();
    assert!(column[0].is_zero() && example.equal(column[1], "mu*v"));
    assert_eq!(example.conditions(split), ["mu >= 0"]);
    // The power is indefinite: a port is mandatory.
    let Obstruction { loses, outside, closed, .. } = found.obstruction.unwrap();
    assert!(matches!(loses, Verdict::Never { .. }) && outside.is_empty() && closed);
}

#[test]
fn lotka_and_volterra_have_no_polynomial_integral_but_darboux_polynomials() {
    let equations = [("x", "x*(alpha - beta*y)"), ("y", "-y*(gamma - delta*x)")];
    let values = [("alpha", "1"), ("beta", "2"), ("gamma", "3"), ("delta", "1/2")];
    let mut example = Example::new(&equations, &values);
    let found = example.recover();
    assert!(found.notes.iter().any(|n| n == "no polynomial first integral of degree at most 4"));
    let form = find(&found, |form| form.origin == Origin::Multiplier);
    example.assert_matrix(&form.j, &[&["0", "x*y"], &["-x*y", "0"]]);
    let h = "alpha*log(y) - beta*y + gamma*log(x) - delta*x";
    assert!(example.equal(form.hamiltonian, h));
    assert!(form.r.entries().iter().all(|entry| entry.is_zero()));
    assert_eq!(form.courant.vanishes(), Zero::Yes);
    let note = found.notes.iter().find(|n| n.starts_with("Darboux")).unwrap();
    assert_eq!(note.matches("the exponent 1").count(), 2);
    assert!(found.is_closed());
}

#[test]
fn lorenz_is_passive_in_the_distance_exactly_if_4s_is_at_least_the_square_of_s_plus_r() {
    let mut example = Example::new(&LORENZ, &[("s", "10"), ("r", "28"), ("b", "8/3")]);
    let found = example.given("(x^2 + y^2 + z^2)/2");
    let form = find(&found, |form| form.dissipation == Dissipation::Full);
    let m = "-(s + r)/2";
    example.assert_matrix(&form.r, &[&["s", m, "0"], &[m, "1", "0"], &["0", "0", "b"]]);
    let Verdict::Under { conditions, sharp, at_values } = &form.criteria.passive else {
        panic!("conditions")
    };
    assert!(*sharp && *at_values == Some(false) && conditions.len() == 2);
    let (first, second) = (conditions[0], conditions[1]);
    assert_eq!(first.relation, Relation::NotNegative);
    assert!(example.equal(first.expression, "4*s - (s + r)^2"));
    assert!(example.equal(second.expression, "b"));
}

#[test]
fn lorenz_with_shifted_energy_is_passive_with_a_constant_port() {
    let mut example = Example::new(&LORENZ, &[("s", "10"), ("r", "28"), ("b", "8/3")]);
    let h = "(x^2 + y^2 + (z - r - s)^2)/2";
    let found = example.given(h);
    let form = find(&found, |form| {
        form.realisation == Realisation::Modulated && form.dissipation == Dissipation::Diagonal
    });
    example.assert_matrix(&form.r, &[&["s", "0", "0"], &["0", "1", "0"], &["0", "0", "b"]]);
    example.assert_matrix(&form.j, &[&["0", "s", "0"], &["-s", "0", "-x"], &["0", "x", "0"]]);
    let column = example.residual(form)[0].to_vec();
    assert!(column[0].is_zero() && column[1].is_zero());
    assert!(example.equal(column[2], "-b*(r + s)"));
    // Without a port there is nothing: at (0, 0, r + s) the energy is critical and z is not.
    let obstruction = found.obstruction.clone().unwrap();
    assert_eq!(obstruction.outside.iter().map(|part| part.state).collect::<Vec<_>>(), [2]);
    let point = obstruction.critical.unwrap();
    assert!(example.equal(point[2].1, "r + s"));
    assert!(!found.is_closed());
    // And this energy is found without being given, up to a constant.
    let found = example.recover();
    let form = find(&found, |form| form.origin == Origin::Storage);
    let difference = example.read(h);
    let difference = example.pool.sub(form.hamiltonian, difference);
    assert!(example.equal(difference, "-(r + s)^2/2"));
}

#[test]
fn a_motor_has_a_gyrator_and_two_resistors() {
    let equations = [("phi", "-Ra*phi/L - K*p/Jm + u"), ("p", "K*phi/L - b*p/Jm")];
    let values = [("Ra", "1"), ("L", "1/2"), ("K", "2"), ("Jm", "3"), ("b", "1/10")];
    let mut example = Example::with_ports(&equations, &["u"], &["phi/L"], &values);
    let found = example.given("phi^2/(2*L) + p^2/(2*Jm)");
    let form = &found.forms[0];
    example.assert_matrix(&form.j, &[&["0", "-K"], &["K", "0"]]);
    example.assert_matrix(&form.r, &[&["Ra", "0"], &["0", "b"]]);
    let port = form.ports.iter().find(|port| port.kind == PortKind::Input).unwrap().clone();
    assert_eq!(port.column, [ExprId::ONE, ExprId::ZERO]);
    assert!(example.equal(port.output, "phi/L"));
    assert_eq!(form.courant.vanishes(), Zero::Yes);
    // Nothing given: the same energy, by storage or from Q B = C^T.
    let found = example.recover();
    assert!(example.equal(found.forms[0].hamiltonian, "phi^2/(2*L) + p^2/(2*Jm)"));
}

#[test]
fn the_rigid_body_has_two_integrals_and_a_line_of_linear_poisson_structures() {
    let equations = [("x", "y*z*(1/C - 1/B)"), ("y", "z*x*(1/A - 1/C)"), ("z", "x*y*(1/B - 1/A)")];
    let mut example = Example::new(&equations, &[("A", "1"), ("B", "2"), ("C", "3")]);
    let found = example.recover();
    let words = "the polynomial first integrals of degree at most 2 are polynomials in 2, of the degrees 2, 2; all others are functions of these";
    assert!(found.notes.iter().any(|note| note == words));
    let found = example.given("x^2/(2*A) + y^2/(2*B) + z^2/(2*C)");
    let form = find(&found, |form| form.dissipation == Dissipation::Zero);
    // A constant J does not exist (degree 0 failed); the linear ones are a line.
    assert_eq!((form.criteria.degree, form.freedom), (1, 1));
    // Every one is Poisson: J + t dJ with a symbol t.
    let t = example.read("tau");
    let (direction, _) = &form.directions[0];
    let mut family = Matrix::zero(3, 3);
    for i in 0..3 {
        for k in 0..3 {
            let change = example.pool.mul(t, direction.get(i, k));
            let value = example.pool.add(form.j.get(i, k), change);
            family.set(i, k, value);
        }
    }
    let graph = DiracStructure::graph_of_bivector(&example.problem.states, &family);
    let tensor = graph.courant_tensor(&mut example.pool, &mut budget()).unwrap();
    assert_eq!(tensor.vanishes(), Zero::Yes);
    // so(3)* is among them: J_xy = -z for some t.
    let entry = family.get(0, 1);
    let slope = isotrope_algebra::calculus::derivative(&mut example.pool, entry, t, &mut budget());
    assert!(!slope.unwrap().is_zero() || example.equal(entry, "-z"));
}

#[test]
fn the_circuit_has_a_constant_poisson_structure() {
    let equations = [("q", "phi1/L1 - phi2/L2"), ("phi1", "-q/C"), ("phi2", "q/C")];
    let mut example = Example::new(&equations, &[("L1", "1"), ("L2", "2"), ("C", "3")]);
    let h = "q^2/(2*C) + phi1^2/(2*L1) + phi2^2/(2*L2)";
    let found = example.given(h);
    let form = &found.forms[0];
    example.assert_matrix(&form.j, &[&["0", "1", "-1"], &["-1", "0", "0"], &["1", "0", "0"]]);
    assert_eq!((form.dissipation, form.courant.vanishes()), (Dissipation::Zero, Zero::Yes));
    let found = example.recover();
    assert!(example.equal(found.forms[0].hamiltonian, h));
}

#[test]
fn the_sparsest_residuals_of_viv() {
    let mut example = Example::new(&VIV, &VIV_VALUES);
    let found = example.given(SEED);
    assert_eq!(supports(&found), [vec![2, 4], vec![3, 4]]);
    // The structure without ports divides by 1 - A m.
    let closed = find(&found, |form| form.realisation == Realisation::Closed);
    assert_eq!(example.conditions(closed), ["A*m - 1 != 0"]);
    let found = example.given(H2);
    assert_eq!(supports(&found), [vec![4]]);
}

#[test]
fn four_forms_of_viv() {
    let mut example = Example::new(&VIV, &VIV_VALUES);
    let found = example.recover();
    let of = |example: &mut Example, h: &str, test: &dyn Fn(&Form) -> bool| {
        let mut list = found.forms.iter().filter(|form| test(form));
        list.find(|form| example.equal(form.hamiltonian, h)).expect("the form").clone()
    };
    let zero = Dissipation::Zero;
    let components = |example: &mut Example, form: &Form, expected: &[([usize; 3], &str)]| {
        assert_eq!(form.courant.components.len(), expected.len());
        for (part, (indices, value)) in form.courant.components.iter().zip(expected) {
            assert_eq!(part.indices.map(|i| i + 1), *indices);
            assert!(example.equal(part.value, value));
        }
    };
    // V1, the form of the source; T = {D,D}/2.
    let v1 = of(&mut example, SEED, &|f| {
        f.dissipation == zero
            && f.realisation == Realisation::Modulated
            && f.residual_support == [1, 3]
    });
    let block: [&[&str]; 4] = [
        &["0", "1", "0", "0"],
        &["-1", "0", "0", "0"],
        &["0", "0", "0", "1"],
        &["0", "0", "-1", "0"],
    ];
    example.assert_matrix(&v1.j, &block);
    let column = example.residual(&v1)[0].to_vec();
    assert!(example.equal(column[1], "m*O^2*x3"));
    assert!(example.equal(column[3], "eps*(1 - x3^2)*x4 - A*x1"));
    assert!(example.equal(v1.power, "m*O^2*x3*x2 - A*x1*x4 + eps*(1 - x3^2)*x4^2"));
    components(&mut example, &v1, &[([2, 4, 5], "A + m*O^2"), ([3, 4, 5], "eps*(1 - x3^2)")]);
    let d: [&[&str]; 5] = [
        &["0", "-1", "0", "0", "0"],
        &["1", "0", "0", "0", "-m*O^2*x3"],
        &["0", "0", "0", "-1", "0"],
        &["0", "0", "1", "0", "-eps*(1 - x3^2)*x4 + A*x1"],
        &["0", "m*O^2*x3", "0", "eps*(1 - x3^2)*x4 - A*x1", "0"],
    ];
    example.assert_matrix(&v1.bivector, &d);
    // The corrected Q.
    let q = |name: &str, odd: &[&str]| -> ExprId {
        let (_, value) = v1.homological.field.iter().find(|(x, _)| x == name).expect("component");
        value.iter().find(|term| term.odd == odd).map_or(ExprId::ZERO, |term| term.coefficient)
    };
    let expected = [
        ("x1", vec!["p_x2"], "-1"),
        ("x2", vec!["p_x1"], "1"),
        ("x2", vec!["p_x5"], "-m*O^2*x3"),
        ("x3", vec!["p_x4"], "-1"),
        ("x4", vec!["p_x3"], "1"),
        ("x4", vec!["p_x5"], "-(eps*(1 - x3^2)*x4 - A*x1)"),
        ("x5", vec!["p_x2"], "m*O^2*x3"),
        ("x5", vec!["p_x4"], "eps*(1 - x3^2)*x4 - A*x1"),
        ("p_x1", vec!["p_x4", "p_x5"], "A"),
        ("p_x3", vec!["p_x2", "p_x5"], "-m*O^2"),
        ("p_x3", vec!["p_x4", "p_x5"], "2*eps*x3*x4"),
        ("p_x4", vec!["p_x4", "p_x5"], "-eps*(1 - x3^2)"),
    ];
    for (name, odd, value) in &expected {
        let found = q(name, odd);
        assert!(example.equal(found, value), "Q({name}) at {odd:?}");
    }
    let terms: usize = v1.homological.field.iter().map(|(_, value)| value.len()).sum();
    assert_eq!(terms, expected.len());
    // Poisson without damping and with antisymmetric coupling only.
    let special: Substitution = [("eps", "0"), ("A", "-m*O^2")]
        .map(|(name, value)| (example.read(name), example.read(value)))
        .into_iter()
        .collect();
    for part in &v1.courant.components {
        let value =
            substitute(&mut example.pool, &[part.value], &special, &mut budget()).unwrap()[0];
        assert_eq!(is_zero(&mut example.pool, value, &mut budget()), Zero::Yes);
    }
    // V2: the other energy, one modulated port.
    let v2 =
        of(&mut example, H2, &|f| f.dissipation == zero && f.realisation == Realisation::Modulated);
    let blocks: [&[&str]; 4] = [
        &["0", "1/A", "0", "0"],
        &["-1/A", "0", "0", "0"],
        &["0", "0", "0", "-1/(m*O^2)"],
        &["0", "0", "1/(m*O^2)", "0"],
    ];
    example.assert_matrix(&v2.j, &blocks);
    assert_eq!(v2.residual_support, [3]);
    components(&mut example, &v2, &[([3, 4, 5], "-eps*(1 - x3^2)/(m*O^2)")]);
    // V3: the seed's energy with constant ports at 2 and 4: Dirac.
    let v3 = of(&mut example, SEED, &|f| {
        f.dissipation == zero
            && f.realisation == Realisation::Constant
            && f.residual_support == [1, 3]
    });
    assert_eq!((v3.courant.vanishes(), v3.homological.square_zero), (Zero::Yes, Zero::Yes));
    // V4: the other energy with one constant resistive port: Dirac.
    let v4 = of(&mut example, H2, &|f| f.realisation == Realisation::Closed);
    example.assert_matrix(&v4.j, &blocks);
    assert!(example.equal(v4.r.get(3, 3), "eps*(1 - x3^2)/(m*O^2)"));
    assert_eq!(v4.r.entries().iter().filter(|entry| !entry.is_zero()).count(), 1);
    assert_eq!((v4.courant.vanishes(), v4.homological.square_zero), (Zero::Yes, Zero::Yes));
}

/// {D,D} = {J,J} - 2 sum (L_g J) p_a + 2 sum [g_a, g_b] p_a p_b for D = -(J + sum g_a ^ d_a): the
/// graph is Dirac exactly if J is Poisson, the g_a are Poisson vector fields, and they commute.
#[test]
fn the_schouten_bracket_of_a_structure_with_ports() {
    let mut seed = 7;
    for _ in 0..6 {
        let mut pool = Pool::new();
        let states: Vec<ExprId> = ["x", "y", "z"].map(|x| pool.symbol(x)).to_vec();
        let ports: Vec<ExprId> = ["w1", "w2"].map(|x| pool.symbol(x)).to_vec();
        let base: Vec<ExprId> = states.iter().chain(&ports).copied().collect();
        let (mut j, mut d) = (Matrix::zero(3, 3), Matrix::zero(5, 5));
        let put = |pool: &mut Pool, matrix: &mut Matrix, i, k, value| {
            matrix.set(i, k, value);
            let opposite = pool.neg(value);
            matrix.set(k, i, opposite);
        };
        for (i, k) in [(0, 1), (0, 2), (1, 2)] {
            let value = random_polynomial(&mut pool, &states, &mut seed);
            put(&mut pool, &mut j, i, k, value);
            put(&mut pool, &mut d, k, i, value);
        }
        let mut columns = Vec::new();
        for a in 0..2 {
            let column: Vec<ExprId> =
                (0..3).map(|_| random_polynomial(&mut pool, &states, &mut seed)).collect();
            for (i, &value) in column.iter().enumerate() {
                put(&mut pool, &mut d, 3 + a, i, value);
            }
            columns.push(column);
        }
        let slope = |pool: &mut Pool, f, l: usize| {
            isotrope_algebra::calculus::derivative(pool, f, states[l], &mut budget()).unwrap()
        };
        let graph = DiracStructure::graph_of_bivector(&base, &d);
        let own = DiracStructure::graph_of_bivector(&states, &j);
        let agree = |pool: &mut Pool, indices: [usize; 3], expected: ExprId| {
            // The tensor is half of the bracket.
            let value = graph.courant_component(pool, indices, &mut budget()).unwrap();
            let difference = pool.sub(value, expected);
            assert_eq!(is_zero(pool, difference, &mut budget()), Zero::Yes, "{indices:?}");
        };
        let expected = own.courant_component(&mut pool, [0, 1, 2], &mut budget()).unwrap();
        agree(&mut pool, [0, 1, 2], expected);
        for (a, g) in columns.iter().enumerate() {
            for (i, k) in [(0, 1), (0, 2), (1, 2)] {
                // -(L_g J)^ik.
                let mut terms = Vec::new();
                for l in 0..3 {
                    let along = slope(&mut pool, j.get(i, k), l);
                    let along = pool.mul(g[l], along);
                    terms.push(pool.neg(along));
                    let (first, second) = (slope(&mut pool, g[i], l), slope(&mut pool, g[k], l));
                    terms.push(pool.mul(j.get(l, k), first));
                    terms.push(pool.mul(j.get(i, l), second));
                }
                let expected = pool.sum(&terms);
                agree(&mut pool, [i, k, 3 + a], expected);
            }
        }
        for i in 0..3 {
            let (g, h) = (&columns[0], &columns[1]);
            let mut terms = Vec::new();
            for l in 0..3 {
                let (first, second) = (slope(&mut pool, h[i], l), slope(&mut pool, g[i], l));
                terms.push(pool.mul(g[l], first));
                let back = pool.mul(h[l], second);
                terms.push(pool.neg(back));
            }
            let expected = pool.sum(&terms);
            agree(&mut pool, [i, 3, 4], expected);
        }
    }
}

#[test]
fn the_heavy_top_has_a_poisson_structure_in_its_family() {
    let equations = [
        ("m1", "m2*m3/I3 - m2*m3/I2"),
        ("m2", "m1*m3/I1 - m1*m3/I3"),
        ("m3", "m1*m2/I2 - m1*m2/I1"),
        ("g1", "g2*m3/I3 - g3*m2/I2"),
        ("g2", "g3*m1/I1 - g1*m3/I3"),
        ("g3", "g1*m2/I2 - g2*m1/I1"),
    ];
    // Without weight first; the weight turns the momenta.
    let with: Vec<(&str, String)> = equations
        .iter()
        .map(|&(x, f)| match x {
            "m1" => (x, format!("{f} + w*g2")),
            "m2" => (x, format!("{f} - w*g1")),
            _ => (x, f.to_owned()),
        })
        .collect();
    let with: Vec<(&str, &str)> = with.iter().map(|(x, f)| (*x, f.as_str())).collect();
    let values = [("I1", "1"), ("I2", "2"), ("I3", "3"), ("w", "1")];
    let mut example = Example::new(&with, &values);
    let found = example.given("m1^2/(2*I1) + m2^2/(2*I2) + m3^2/(2*I3) + w*g3");
    let form = &found.forms[0];
    assert_eq!((form.dissipation, form.courant.vanishes()), (Dissipation::Zero, Zero::Yes));
    let j = form.j.clone();
    for (row, column, entry) in [(0, 1, "-m3"), (0, 2, "m2"), (1, 2, "-m1"), (0, 4, "-g3")] {
        let value = j.get(row, column);
        let opposite = example.pool.neg(value);
        assert!(example.equal(value, entry) || example.equal(opposite, entry), "{row}, {column}");
    }
}

#[test]
fn a_gradient_flow_has_its_potential_as_energy() {
    let mut example = Example::new(&[("x", "-4*x*(x^2 - 1) - y"), ("y", "-2*y - x")], &[]);
    let found = example.recover();
    let form = &found.forms[0];
    assert_eq!(form.origin, Origin::Gradient);
    assert!(example.equal(form.hamiltonian, "(x^2 - 1)^2 + x*y + y^2 - 1"));
    example.assert_matrix(&form.r, &[&["1", "0"], &["0", "1"]]);
}

#[test]
fn the_graph_of_the_source_has_rank_5_and_its_matrix_rank_4() {
    let mut example = Example::new(&VIV, &VIV_VALUES);
    let found = example.given(SEED);
    let form = find(&found, |f| {
        f.dissipation == Dissipation::Zero
            && f.realisation == Realisation::Modulated
            && f.residual_support == [1, 3]
    });
    let rank = isotrope_algebra::linear::rank(&mut example.pool, &form.bivector, &mut budget());
    assert_eq!((rank.unwrap().rank, form.base.len()), (4, 5));
    // The graph is spanned by the columns of (D, 1): always as many as there are coordinates.
    let n = form.base.len();
    let mut graph = Matrix::zero(n, 2 * n);
    for i in 0..n {
        for k in 0..n {
            graph.set(i, k, form.bivector.get(k, i));
        }
        graph.set(i, n + i, ExprId::ONE);
    }
    let rank = isotrope_algebra::linear::rank(&mut example.pool, &graph, &mut budget());
    assert_eq!(rank.unwrap().rank, 5);
}

/// FitzHugh and Nagumo: a constant structure with R ⪰ 0 exactly if eps b² ≥ 1, and a storage function with pure fourth
/// powers in its rate whatever the parameters are.
#[test]
fn fitzhugh_and_nagumo_have_a_constant_structure() {
    let equations = [("v", "v - v^3/3 - w + I"), ("w", "eps*(v + a - b*w)")];
    let values = [("eps", "2"), ("a", "7/10"), ("b", "4/5"), ("I", "1/2")];
    let mut example = Example::new(&equations, &values);
    let found = example.recover();
    let form = find(&found, |form| form.origin == Origin::Constant);
    assert!(form.j.entries().iter().chain(form.r.entries()).all(|&entry| {
        ["v", "w"].iter().all(|name| {
            let symbol = example.pool.find_symbol(name).unwrap();
            !example.pool.depends_on(entry, &[symbol])
        })
    }));
    let constant = found.forms.iter().filter(|form| form.origin == Origin::Constant);
    let conditions: Vec<Vec<String>> = constant.map(|form| example.conditions(form)).collect();
    assert!(form.criteria.passive.holds(), "{conditions:?}");
    // The best of them is as good as there is.
    let sharp = |one: &String| one == "eps*(b^2*eps - 1) >= 0";
    assert!(conditions.iter().any(|list| list.iter().any(sharp)), "{conditions:?}");
    let storage = find(&found, |form| form.origin == Origin::Storage);
    let h = storage.hamiltonian;
    assert!(example.equal(h, "v^2/2 + w^2/(2*eps)") || example.equal(h, "eps*v^2/2 + w^2/2"));
}

/// Three species: a sum of logarithms of Darboux polynomials is an energy.
#[test]
fn three_species_have_an_energy_with_logarithms() {
    let equations = [("x", "x*(A*y - B*z)"), ("y", "y*(C*z - A*x)"), ("z", "z*(B*x - C*y)")];
    let mut example = Example::new(&equations, &[("A", "2"), ("B", "3"), ("C", "5")]);
    let found = example.recover();
    let form = find(&found, |form| form.origin == Origin::Darboux);
    assert!(form.r.entries().iter().all(|entry| entry.is_zero()));
    let h = form.hamiltonian;
    assert!(example.equal(h, "C*log(x) + B*log(y) + A*log(z)"));
}
