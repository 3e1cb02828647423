//! Integrals on groups, in state space, under constraints, and of degrees that are asked for.

use crate::first_integrals::*;
use crate::support::*;
use isotrope_derive::{Conserved, Law};

/// Is this, or its negative, among what was found?
#[track_caller]
fn lists(system: &mut isotrope_derive::System, found: &[Conserved], text: &str) -> Law {
    let pool = &mut system.model.pool;
    let expected = isotrope_algebra::syntax::parse_expression(pool, text).unwrap();
    let negative = pool.neg(expected);
    let yes = isotrope_algebra::normal::Zero::Yes;
    let same = found.iter().find(|quantity| {
        [expected, negative].iter().any(|&one| equal(pool, quantity.expression, one) == yes)
    });
    match same {
        Some(quantity) => quantity.law,
        None => {
            let print =
                |id| isotrope_algebra::print::to_text(pool, id, &mut budget()).unwrap_or_default();
            let all: Vec<String> = found.iter().map(|q| print(q.expression)).collect();
            panic!("{text} is not among {all:#?}")
        }
    }
}

/// Borisov and Mamaev 2001: the momentum about the point of contact is fixed in space.
#[test]
fn chaplygins_ball_keeps_its_momentum_about_the_point_of_contact() {
    let (mut system, analysis) = analysed("rolling_ball");
    let found = &analysis.conservation.conserved;
    assert_eq!(found.len(), 4);
    let turned = |k: usize| {
        (1..=3).map(|j| format!("I{j}*R[{k},{j}]*omega[{j}]")).collect::<Vec<_>>().join(" + ")
    };
    for text in [format!("{} - m*r*y'", turned(1)), format!("{} + m*r*x'", turned(2)), turned(3)] {
        assert_eq!(lists(&mut system, found, &text), Law::Noether);
    }
}

/// A homogeneous ball on a table that turns (Fassò and Sansonetto 2016).
#[test]
fn a_ball_on_a_turning_table_keeps_a_moving_energy_and_its_circle() {
    let text = r#"
        coordinates = ["x", "y"]
        parameters = { m = 3, r = 2, I = 5, W = 7 }
        [define]
        W1 = "R[1,1]*omega[1] + R[1,2]*omega[2] + R[1,3]*omega[3]"
        W2 = "R[2,1]*omega[1] + R[2,2]*omega[2] + R[2,3]*omega[3]"
        W3 = "R[3,1]*omega[1] + R[3,2]*omega[2] + R[3,3]*omega[3]"
        [lie_group]
        group = "SO(3)"
        L = "I*(omega[1]^2 + omega[2]^2 + omega[3]^2)/2 + m*(x'^2 + y'^2)/2"
        [constraints]
        roll_x = "x' = r*W2 - W*y"
        roll_y = "y' = -r*W1 + W*x"
    "#;
    let (_, found) = conserved(text);
    let laws: Vec<Law> = found.iter().map(|quantity| quantity.law).collect();
    // w3, two combinations of velocities and positions, and the moving energy.
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(laws.contains(&Law::MovingEnergy));
}

/// Kovalevskaya's top in units where nothing is one.
#[test]
fn kovalevskayas_top_has_an_integral_of_degree_four() {
    let text = r#"
        coordinates = ["m1", "m2", "m3", "g1", "g2", "g3"]
        initial.position = { m1 = 1, m2 = 2, m3 = 3, g1 = 1, g2 = 2, g3 = 2 }
        parameters = { A = 2, k = 5 }
        [poisson]
        hamiltonian = "(m1^2 + m2^2 + 2*m3^2)/(4*A) - k*g1"
        "m1,m2" = "-m3"
        "m1,m3" = "m2"
        "m2,m3" = "-m1"
        "m1,g2" = "-g3"
        "m1,g3" = "g2"
        "m2,g1" = "g3"
        "m2,g3" = "-g1"
        "m3,g1" = "-g2"
        "m3,g2" = "g1"
    "#;
    let (mut system, found) = conserved(text);
    spans(&mut system, &found, 3, &[]);
    let (mut system, found) = of_degree(text, 4);
    let fourth = "(m1^2 - m2^2 + 4*A*k*g1)^2 + (2*m1*m2 + 4*A*k*g2)^2";
    spans(&mut system, &found, 4, &["m1*g1 + m2*g2 + m3*g3", "g1^2 + g2^2 + g3^2", fourth]);
    assert_eq!(found.last().unwrap().law, Law::Direct);
    assert_eq!(found[1].law, Law::Casimir);
}

/// Hénon–Heiles: three integrable cases, one of which needs degree four (Hietarinta 1987).
#[test]
fn the_third_integrable_case_of_henon_heiles_needs_degree_four() {
    let system = |a: &str, b: &str, c: &str| {
        let lagrangian = format!("(x'^2 + y'^2)/2 - ({a}*x^2 + {b}*y^2)/2 - x^2*y - {c}*y^3/3");
        model_text(&["x", "y"], &["A"], &lagrangian, "")
    };
    let (mut third, found) = of_degree(&system("1", "16", "16"), 4);
    spans(&mut third, &found, 2, &[]);
    assert_eq!(found.len(), 2);
    let (mut classical, found) = of_degree(&system("1", "1", "(-1)"), 4);
    spans(&mut classical, &found, 1, &[]);
}

#[test]
fn vortices_as_a_bracket_keep_their_impulses() {
    let mut bracket = String::new();
    let mut energy = Vec::new();
    for i in 1..=3 {
        bracket.push_str(&format!("\"x{i},y{i}\" = \"1/G{i}\"\n"));
        energy.extend(
            (1..i).map(|j| format!("-G{i}*G{j}*log((x{i} - x{j})^2 + (y{i} - y{j})^2)/(4*pi)")),
        );
    }
    let text = format!(
        "coordinates = [\"x1\", \"y1\", \"x2\", \"y2\", \"x3\", \"y3\"]\n\
         parameters = {{ G1 = 1, G2 = 2, G3 = 3 }}\n\
         initial.position = {{ x1 = 0, y1 = 0, x2 = 1, y2 = 0, x3 = 0, y3 = 2 }}\n\
         [poisson]\nhamiltonian = \"{}\"\n{bracket}",
        energy.join(" ")
    );
    let (mut system, found) = conserved(&text);
    let sum = |q: &str| (1..=3).map(|k| format!("G{k}*{q}{k}")).collect::<Vec<_>>().join(" + ");
    let squares = (1..=3).map(|k| format!("G{k}*(x{k}^2 + y{k}^2)")).collect::<Vec<_>>();
    spans(&mut system, &found, 4, &[&sum("x"), &sum("y"), &squares.join(" + ")]);
}

/// Damping that is linear in the velocity: no symmetry of an action, but an integral.
#[test]
fn a_damped_body_keeps_what_it_loses_in_speed() {
    let (mut system, found) =
        conserved(&model_text(&["x"], &["m", "c"], "m*x'^2/2", "[forces]\nx = \"-c*x'\"\n"));
    assert_eq!(found.len(), 1);
    lists(&mut system, &found, "m*x' + c*x");
}

/// Plain equations have integrals, too.
#[test]
fn equations_of_euler_keep_two_squares() {
    let text = r#"
        coordinates = ["u", "v", "w"]
        parameters = { A = 2, B = 3, C = 5 }
        initial.position = { u = 1, v = 1, w = 1 }
        [equations]
        "u'" = "(B - C)*v*w/A"
        "v'" = "(C - A)*w*u/B"
        "w'" = "(A - B)*u*v/C"
    "#;
    let (mut system, found) = conserved(text);
    spans(&mut system, &found, 2, &["A*u^2 + B*v^2 + C*w^2", "A^2*u^2 + B^2*v^2 + C^2*w^2"]);
}

/// A linear bracket [e_i, e_j] = Σ c_k e_k without a Hamiltonian worth mentioning.
fn lie_poisson(dimension: usize, brackets: &[(usize, usize, String)], more: &str) -> String {
    let names: Vec<String> = (1..=dimension).map(|k| format!("e{k}")).collect();
    let start: Vec<String> = names.iter().map(|name| format!("{name} = 1")).collect();
    let entries: Vec<String> =
        brackets.iter().map(|(i, j, value)| format!("\"e{i},e{j}\" = \"{value}\"")).collect();
    // An energy that depends on everything and is no integral of degree four by accident.
    let energy: Vec<String> =
        names.iter().enumerate().map(|(k, name)| format!("{}*{name}^5", k + 2)).collect();
    format!(
        "coordinates = {names:?}\n{more}\ninitial.position = {{ {} }}\n[poisson]\nhamiltonian = \"{}\"\n{}\n",
        start.join(", "),
        energy.join(" + "),
        entries.join("\n")
    )
}

/// Rotations of n dimensions: e_ab with a < b, [e_ab, e_bc] = e_ac.
fn rotations(n: usize) -> (usize, Vec<(usize, usize, String)>) {
    let pairs: Vec<(usize, usize)> = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect();
    let generator = |a: usize, b: usize| match a.cmp(&b) {
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Less => Some((1, pairs.iter().position(|&p| p == (a, b)).unwrap() + 1)),
        std::cmp::Ordering::Greater => {
            Some((-1, pairs.iter().position(|&p| p == (b, a)).unwrap() + 1))
        }
    };
    let mut brackets = Vec::new();
    for (i, &(a, b)) in pairs.iter().enumerate() {
        for (j, &(c, d)) in pairs.iter().enumerate().skip(i + 1) {
            // [L_ab, L_cd] = δ_bc L_ad − δ_ac L_bd − δ_bd L_ac + δ_ad L_bc.
            let mut terms = Vec::new();
            for (meet, sign, left, right) in
                [(b == c, 1, a, d), (a == c, -1, b, d), (b == d, -1, a, c), (a == d, 1, b, c)]
            {
                if let (true, Some((own, k))) = (meet, generator(left, right)) {
                    terms.push(format!("{}e{k}", if sign * own > 0 { "+" } else { "-" }));
                }
            }
            if !terms.is_empty() {
                let sum = terms.concat();
                brackets.push((i + 1, j + 1, sum.trim_start_matches('+').to_owned()));
            }
        }
    }
    (pairs.len(), brackets)
}

fn casimirs(text: &str, degree: u32) -> usize {
    let (_, found) = of_degree(text, degree);
    found.iter().filter(|quantity| quantity.law == Law::Casimir).count()
}

/// Degrees of generators of invariants: 2, 2 for so(4); 2, 4 for so(5); 2, 2 for e(3); 2, 3 for sl(3).
#[test]
fn casimir_functions_of_lie_algebras_have_the_degrees_of_their_invariants() {
    let (n, brackets) = rotations(4);
    let so4 = lie_poisson(n, &brackets, "");
    assert_eq!((casimirs(&so4, 1), casimirs(&so4, 2)), (0, 2));
    let (n, brackets) = rotations(5);
    let so5 = lie_poisson(n, &brackets, "");
    assert_eq!((casimirs(&so5, 3), casimirs(&so5, 4)), (1, 2));
    // sl(3) in the basis of units E_ab and E_11 − E_22, E_22 − E_33.
    let units = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)];
    let matrix = |k: usize| {
        let mut m = [[0_i32; 3]; 3];
        match k {
            6 | 7 => {
                m[k - 6][k - 6] = 1;
                m[k - 5][k - 5] = -1;
            }
            _ => m[units[k].0][units[k].1] = 1,
        }
        m
    };
    let mut brackets = Vec::new();
    for i in 0..8 {
        for j in i + 1..8 {
            let (a, b) = (matrix(i), matrix(j));
            let mut c = [[0; 3]; 3];
            for p in 0..3 {
                for q in 0..3 {
                    c[p][q] = (0..3).map(|r| a[p][r] * b[r][q] - b[p][r] * a[r][q]).sum();
                }
            }
            let mut terms: Vec<String> = units
                .iter()
                .enumerate()
                .filter(|(_, (p, q))| c[*p][*q] != 0)
                .map(|(k, &(p, q))| format!("({})*e{}", c[p][q], k + 1))
                .collect();
            for (k, value) in [(7, c[0][0]), (8, -c[2][2])] {
                if value != 0 {
                    terms.push(format!("({value})*e{k}"));
                }
            }
            if !terms.is_empty() {
                brackets.push((i + 1, j + 1, terms.join(" + ")));
            }
        }
    }
    let sl3 = lie_poisson(8, &brackets, "");
    assert_eq!((casimirs(&sl3, 2), casimirs(&sl3, 3)), (1, 2));
}

/// A Lie algebra without polynomial invariants.
#[test]
fn a_solvable_bracket_has_a_product_of_powers() {
    let brackets = [(1, 3, "e1".to_owned()), (2, 3, "a*e2".to_owned())];
    let (mut system, found) = conserved(&lie_poisson(3, &brackets, "parameters.a = \"7/3\""));
    assert_eq!(lists(&mut system, &found, "e2*e1^(-a)"), Law::Casimir);
}

#[test]
fn integrable_constraints_get_their_function() {
    let more = "[constraints]\nc = \"y*z*x' + 2*x*z*y' + 3*x*y*z' = 0\"\n";
    let kinetic = "(x'^2 + y'^2 + z'^2)/2 - x^4*y - z^3*y^2 - x*z";
    let (mut system, found) = conserved(&model_text(&["x", "y", "z"], &[], kinetic, more));
    lists(&mut system, &found, "x*y^2*z^3");
    // With exponents that are parameters.
    let more = "[constraints]\nc = \"a*y*x' + b*x*y' = 0\"\n";
    let (mut system, found) = conserved(&model_text(&["x", "y", "z"], &["a", "b"], kinetic, more));
    lists(&mut system, &found, "x^a*y^b");
    // A form that is exact with a sine.
    let more = "[constraints]\nc = \"cos(x)*x' + 2*y*y' = z'\"\n";
    let (mut system, found) = conserved(&model_text(&["x", "y", "z"], &[], kinetic, more));
    lists(&mut system, &found, "sin(x) + y^2 - z");
}

/// Lotka and Volterra, in the plane and with three species.
#[test]
fn populations_keep_logarithms_and_products() {
    let text = r#"
        coordinates = ["x", "y"]
        parameters = { a = 2, b = 3, c = 5, d = 7 }
        initial.position = { x = 1, y = 2 }
        [equations]
        "x'" = "x*(a - b*y)"
        "y'" = "y*(c*x - d)"
    "#;
    let (mut system, found) = conserved(text);
    lists(&mut system, &found, "a*log(y) + d*log(x) - b*y - c*x");
    let text = r#"
        coordinates = ["x", "y", "z"]
        parameters = { A = 2, B = 3, C = 5 }
        initial.position = { x = 1, y = 2, z = 1 }
        [equations]
        "x'" = "x*(A*y - B*z)"
        "y'" = "y*(C*z - A*x)"
        "z'" = "z*(B*x - C*y)"
    "#;
    let (mut system, found) = conserved(text);
    lists(&mut system, &found, "x + y + z");
    lists(&mut system, &found, "x^C*y^B*z^A");
}
