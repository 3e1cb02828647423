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
