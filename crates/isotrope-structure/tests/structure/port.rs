//! Port-Hamiltonian recovery: what is known of the examples, computed.

use isotrope_algebra::calculus::{Substitution, substitute};
use isotrope_algebra::linear::Matrix;
use isotrope_algebra::normal::{Zero, is_zero};
use isotrope_algebra::print::to_text;
use isotrope_algebra::syntax::parse_expression;
use isotrope_algebra::{Budget, ExprId, Pool};
use isotrope_geometry::DiracStructure;
use isotrope_structure::port::{
    Dissipation, Form, Obstruction, Options, Origin, PortError, PortKind, Problem, Realisation,
    Recovery, Relation, Saved, Values, Verdict, definite_invariant, problem_of, recover, save,
};

struct Example {
    pool: Pool,
    problem: Problem,
}

fn budget() -> Budget {
    Budget::new(200_000_000)
}

impl Example {
    fn with_ports(
        equations: &[(&str, &str)],
        inputs: &[&str],
        outputs: &[&str],
        values: &[(&str, &str)],
    ) -> Self {
        let mut pool = Pool::new();
        let mut read = |text: &str| parse_expression(&mut pool, text).unwrap();
        let states = equations.iter().map(|(x, _)| read(x)).collect();
        let rates = equations.iter().map(|(_, f)| read(f)).collect();
        let inputs = inputs.iter().map(|u| read(u)).collect();
        let outputs = outputs.iter().map(|y| read(y)).collect();
        let values = Values::new(values.iter().map(|(p, v)| (read(p), read(v))).collect());
        let problem =
            Problem::new(&mut pool, states, rates, inputs, outputs, values, &mut budget()).unwrap();
        Self { pool, problem }
    }

    fn new(equations: &[(&str, &str)], values: &[(&str, &str)]) -> Self {
        Self::with_ports(equations, &[], &[], values)
    }

    fn read(&mut self, text: &str) -> ExprId {
        parse_expression(&mut self.pool, text).unwrap()
    }

    fn recover(&mut self) -> Recovery {
        let found = recover(&mut self.pool, &self.problem, &Options::default(), &mut budget());
        let found = found.unwrap();
        for form in &found.forms {
            self.check(form);
        }
        found
    }

    fn given(&mut self, hamiltonian: &str) -> Recovery {
        let hamiltonian = Some(self.read(hamiltonian));
        let options = Options { hamiltonian, ..Options::default() };
        let found = recover(&mut self.pool, &self.problem, &options, &mut budget()).unwrap();
        for form in &found.forms {
            self.check(form);
        }
        found
    }

    /// The second road: the identity f = (J - R) dH + g u with derivatives taken here.
    fn check(&mut self, form: &Form) {
        let pool = &mut self.pool;
        assert_eq!(form.balance, Zero::Yes);
        let n = self.problem.states.len();
        for i in 0..n {
            let mut terms = Vec::new();
            for k in 0..n {
                let x = self.problem.states[k];
                let slope = isotrope_algebra::calculus::derivative(
                    pool,
                    form.hamiltonian,
                    x,
                    &mut budget(),
                )
                .unwrap();
                let entry = pool.sub(form.j.get(i, k), form.r.get(i, k));
                terms.push(pool.mul(entry, slope));
            }
            for port in form.ports.iter().filter(|port| port.kind != PortKind::Resistive) {
                terms.push(pool.mul(port.column[i], port.input));
            }
            let sum = pool.sum(&terms);
            let defect = pool.sub(self.problem.rates[i], sum);
            assert_eq!(is_zero(pool, defect, &mut budget()), Zero::Yes);
        }
        // Q² = 0 and the Courant tensor are two roads to integrability.
        assert_eq!(form.courant.vanishes() == Zero::Yes, form.homological.square_zero == Zero::Yes);
    }

    fn equal(&mut self, value: ExprId, expected: &str) -> bool {
        let expected = self.read(expected);
        let difference = self.pool.sub(value, expected);
        is_zero(&mut self.pool, difference, &mut budget()) == Zero::Yes
    }

    fn assert_matrix(&mut self, matrix: &Matrix, expected: &[&[&str]]) {
        for (i, row) in expected.iter().enumerate() {
            for (j, entry) in row.iter().enumerate() {
                let value = matrix.get(i, j);
                let text = to_text(&self.pool, value, &mut budget()).unwrap();
                assert!(self.equal(value, entry), "entry {i},{j} is {text}, not {entry}");
            }
        }
    }

    fn conditions(&self, form: &Form) -> Vec<String> {
        let text = |e| to_text(&self.pool, e, &mut budget()).unwrap();
        form.conditions
            .iter()
            .map(|c| format!("{} {} 0", text(c.expression), c.relation.sign()))
            .collect()
    }

    fn residual<'a>(&self, form: &'a Form) -> Vec<&'a [ExprId]> {
        let residual = form.ports.iter().filter(|port| port.kind == PortKind::Residual);
        residual.map(|port| port.column.as_slice()).collect()
    }
}

fn find(found: &Recovery, test: impl Fn(&Form) -> bool) -> &Form {
    found.forms.iter().find(|form| test(form)).expect("a form of this kind")
}

const DAMPED: [(&str, &str); 2] = [("x", "v"), ("v", "-x - c*v")];

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

const LORENZ: [(&str, &str); 3] = [("x", "s*(y - x)"), ("y", "r*x - y - x*z"), ("z", "x*y - b*z")];

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

const VIV: [(&str, &str); 4] = [
    ("x1", "x2"),
    ("x2", "-x1 + m*O^2*x3"),
    ("x3", "x4"),
    ("x4", "-O^2*(1 - A*m)*x3 + eps*(1 - x3^2)*x4 - A*x1"),
];
const VIV_VALUES: [(&str, &str); 4] = [("m", "1/20"), ("O", "1"), ("A", "12"), ("eps", "3/10")];
const SEED: &str = "(x1^2 + x2^2 + O^2*(1 - A*m)*x3^2 + x4^2)/2";
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
fn a_rate_outside_the_ideal_is_an_obstruction_and_not_a_wrong_answer() {
    let mut example = Example::new(&[("x", "1 - x"), ("y", "-y")], &[]);
    let found = example.given("(x^2 + y^2)/2");
    assert!(!found.is_closed());
    let obstruction = found.obstruction.clone().unwrap();
    assert_eq!(obstruction.outside.len(), 1);
    assert!(example.equal(obstruction.outside[0].remainder, "1"));
    assert!(obstruction.critical.unwrap().iter().all(|(_, value)| value.is_zero()));
    // Over the field of the parameters c x lies in the ideal of x; over the ring it would not.
    let mut example = Example::new(&[("x", "y"), ("y", "-x")], &[]);
    assert!(example.given("c*(x^2 + y^2)/2").is_closed());
}

#[test]
fn functions_beyond_polynomials_are_generators() {
    let mut example = Example::new(&[("q", "p"), ("p", "-sin(q) - c*p")], &[("c", "1")]);
    let found = example.given("p^2/2 - cos(q)");
    let form = &found.forms[0];
    example.assert_matrix(&form.j, &[&["0", "1"], &["-1", "0"]]);
    example.assert_matrix(&form.r, &[&["0", "0"], &["0", "c"]]);
    let found = example.recover();
    assert!(example.equal(found.forms[0].hamiltonian, "p^2/2 - cos(q)"));
}

#[test]
fn what_has_no_form_is_refused_with_a_reason() {
    let mut pool = Pool::new();
    let mut read = |text: &str| parse_expression(&mut pool, text).unwrap();
    let (x, u, t) = (read("x"), read("u"), read("t"));
    let (square, driven) = (read("-x + u^2"), read("-x + sin(t)"));
    let _ = t;
    let new = |pool: &mut Pool, rate| {
        Problem::new(pool, vec![x], vec![rate], vec![u], vec![], Values::default(), &mut budget())
    };
    assert!(matches!(new(&mut pool, square), Err(PortError::NotAffine { .. })));
    assert!(matches!(new(&mut pool, driven), Err(PortError::Time { .. })));
    assert!(matches!(new(&mut pool, ExprId::UNDEFINED), Err(PortError::Undefined)));
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
fn budgets_end_the_search_with_a_reason() {
    let mut example = Example::new(&VIV, &VIV_VALUES);
    let hamiltonian = Some(example.read(SEED));
    let options = Options { hamiltonian, ..Options::default() };
    for limit in [0, 10, 1000] {
        let found = recover(&mut example.pool, &example.problem, &options, &mut Budget::new(limit));
        assert!(matches!(found, Err(PortError::OutOfBudget(_))), "{limit}");
    }
    // With more there may be an answer, with fewer forms and a note; what is said stays true.
    for limit in [20_000, 200_000] {
        let found = recover(&mut example.pool, &example.problem, &options, &mut Budget::new(limit));
        match found {
            Ok(found) => assert!(found.forms.iter().all(|form| form.balance != Zero::No)),
            Err(error) => {
                assert!(matches!(error, PortError::OutOfBudget(_) | PortError::Geometry(_)))
            }
        }
    }
    let names: Vec<String> = (0..11).map(|i| format!("z{i}")).collect();
    let states: Vec<ExprId> = names.iter().map(|name| example.pool.symbol(name)).collect();
    let many = Problem::new(
        &mut example.pool,
        states.clone(),
        states,
        vec![],
        vec![],
        Values::default(),
        &mut budget(),
    );
    assert!(matches!(many, Err(PortError::TooManyStates { .. })));
}

/// A model from a text, derived.
fn derived(name: &str, text: &str) -> isotrope_derive::System {
    let source = isotrope_model::ModelText {
        name,
        bytes: text.as_bytes(),
        set: Vec::new(),
        initial: Vec::new(),
    };
    let model = isotrope_model::parse_model(&source).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let derived = isotrope_derive::derive(model, &mut budget());
    derived.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// Every form of a model as a file: derived again, its power balance is proved and its rates, inputs put in, are those of
/// the source. How many forms there are.
fn saved_forms_are_the_model(name: &str, text: &str) -> usize {
    let mut system = derived(name, text);
    let (problem, own) = problem_of(&mut system, &[], &mut budget()).unwrap();
    let options = Options { hamiltonian: own, ..Options::default() };
    let found = recover(&mut system.model.pool, &problem, &options, &mut budget()).unwrap();
    let Some(source) = system.mechanics.state() else { panic!("{name}: no state space") };
    for number in 1..=found.forms.len() {
        let saved = Saved { number, source: name };
        let text = save(&system.model, &problem, &found, &saved, &mut budget()).unwrap();
        let again = derived(name, &text);
        let Some(state) = again.mechanics.state() else { panic!("{name}: no state space") };
        let structure = state.structure.as_ref().unwrap();
        assert_eq!(structure.balance, Zero::Yes, "{text}");
        assert_eq!(again.model.run.method, system.model.run.method);
        assert_eq!(again.model.parameters.len(), system.model.parameters.len());
        assert_eq!(state.outputs.len(), source.outputs.len());
        let pool = &mut again.model.pool.clone();
        // States of second order have other names in the file.
        let names: Substitution = system
            .symbols
            .position
            .iter()
            .zip(&again.symbols.position)
            .map(|(&old, &new)| {
                let old = to_text(&system.model.pool, old, &mut budget()).unwrap();
                (pool.symbol(&old), new)
            })
            .collect();
        for (&new, &old) in state.rate.iter().zip(&source.rate) {
            let old = to_text(&system.model.pool, old, &mut budget()).unwrap();
            let old = parse_expression(pool, &old.replace("q'", "q_dot")).unwrap();
            let old = substitute(pool, &[old], &names, &mut budget()).unwrap()[0];
            let difference = pool.sub(new, old);
            assert_eq!(is_zero(pool, difference, &mut budget()), Zero::Yes, "{name}\n{text}");
        }
    }
    found.forms.len()
}

#[test]
fn every_form_of_the_examples_is_a_model_with_the_same_rates() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    for (name, least) in [
        ("viv", 13),
        ("equations/lorenz", 4),
        ("equations/van_der_pol", 3),
        ("equations/dc_motor", 1),
        ("equations/lc_circuit", 1),
        ("equations/predator_prey", 1),
        ("poisson/heavy_top", 1),
        ("port/van_der_pol", 1),
    ] {
        let text = std::fs::read_to_string(folder.join(format!("{name}.toml"))).unwrap();
        let forms = saved_forms_are_the_model(name, &text);
        assert!(forms >= least, "{name}: {forms}");
    }
}

/// Velocities get names of their own, tables of inputs become formulas.
#[test]
fn second_order_and_tables_are_saved() {
    let text = r#"
        name = "driven"
        coordinates = ["q"]
        parameters.c = "1/10"
        equations."q''" = "-q - c*q' + u"
        inputs.u = { table = [[0, 0], [1, 2.5], [4, 0]], between = "linear" }
        outputs.speed = "q'"
        [initial]
        position.q = 1
        velocity.q = 0
    "#;
    assert!(saved_forms_are_the_model("driven", text) > 0);
}

#[test]
fn forms_that_are_not_there_are_not_saved() {
    let text = r#"
        coordinates = ["x", "y"]
        parameters.k = 0
        equations."x'" = "x*(1 - y)"
        equations."y'" = "y*(x - 1)"
        initial.position = { x = -1, y = 1 }
    "#;
    let mut system = derived("file", text);
    let (problem, _) = problem_of(&mut system, &[], &mut budget()).unwrap();
    let found = recover(&mut system.model.pool, &problem, &Options::default(), &mut budget());
    let found = found.unwrap();
    let refused = |number: usize| {
        let saved = Saved { number, source: "file" };
        save(&system.model, &problem, &found, &saved, &mut budget()).unwrap_err()
    };
    let forms = found.forms.len();
    for number in [0, forms + 1] {
        assert_eq!(refused(number), PortError::NoForm { number, forms });
    }
    // log(x) at x = -1.
    let condition = "x > 0".to_owned();
    assert_eq!(refused(1), PortError::Violated { number: 1, condition });
}

fn closed(found: &Recovery, test: impl Fn(&Form) -> bool) -> Option<&Form> {
    found.forms.iter().find(|form| form.realisation == Realisation::Closed && test(form))
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
    // Three species: x + y + z with quadratic J, and x y z, which is no polynomial in it.
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
    // What has no real zero is no condition.
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
fn long_energies_are_refused_and_not_expanded_for_ever() {
    let mut example = Example::new(&LORENZ, &[("s", "10"), ("r", "28"), ("b", "8/3")]);
    let hamiltonian = Some(example.read("(x + y + z)^200"));
    let options = Options { hamiltonian, ..Options::default() };
    let found = recover(&mut example.pool, &example.problem, &options, &mut budget());
    let error = found.unwrap_err();
    assert!(matches!(error.code().text(), "ISO-PORT-005" | "ISO-PORT-007"), "{error}");
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
fn trivial_forms_come_last() {
    let mut example = Example::new(&[("x", "y^9 - x"), ("y", "-x*y^6")], &[]);
    let found = example.recover();
    let trivial: Vec<bool> = found.forms.iter().map(|form| form.criteria.trivial).collect();
    assert!(!trivial[0] && trivial.is_sorted());
    assert!(found.notes.iter().any(|note| note.contains("a larger --degree")));
    // With that degree there is one without ports.
    let hamiltonian = Some(example.read("(x^2 + y^2)/2"));
    let options = Options { hamiltonian, degree: Some(8), ..Options::default() };
    let found = recover(&mut example.pool, &example.problem, &options, &mut budget()).unwrap();
    assert!(found.is_closed());
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
fn steps_are_not_conserved() {
    // heaviside(x) has the derivative zero, and changes when x changes its sign.
    let mut example = Example::new(&[("x", "y"), ("y", "-heaviside(x)*x")], &[]);
    let found = example.recover();
    let step = example.read("heaviside(x)");
    let with = |form: &&Form| {
        let nodes = example.pool.reachable(&[form.hamiltonian]);
        form.origin == Origin::FirstIntegral && nodes.contains(&step)
    };
    assert_eq!(found.forms.iter().filter(with).count(), 0);
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
