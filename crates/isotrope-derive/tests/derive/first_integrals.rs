//! Symmetries of the action with time, gauge terms and parameters, and integrals without symmetries: what is conserved,
//! and how much of it.

use crate::support::*;
use isotrope_algebra::Budget;
use isotrope_algebra::calculus::gradient;
use isotrope_algebra::evaluate::{Fidelity, FieldPlan, GaussianField};
use isotrope_algebra::linear::Echelon;
use isotrope_algebra::modular::Random;
use isotrope_algebra::normal::Zero;
use isotrope_algebra::syntax::parse_expression;
use isotrope_derive::{Conserved, Integrals, Law, System, classify, conserve, derive};
use rustc_hash::FxHashMap;

pub fn conserved(text: &str) -> (System, Vec<Conserved>) {
    asked(text, Integrals::default())
}

/// What is conserved, with polynomials of a degree.
pub fn of_degree(text: &str, degree: u32) -> (System, Vec<Conserved>) {
    asked(text, Integrals { degree: Some(degree), time: 0 })
}

pub fn asked(text: &str, asked: Integrals) -> (System, Vec<Conserved>) {
    let mut system = derive(parsed(text), &mut budget()).unwrap();
    let report = classify(&mut system, &mut budget());
    let found = conserve(&mut system, &report, asked, &mut Budget::new(20_000_000_000));
    assert!(found.searched.iter().all(|search| search.complete), "{:?}", found.searched);
    (system, found.conserved)
}

/// A Lagrangian model without initial values.
pub fn model_text(
    coordinates: &[&str],
    parameters: &[&str],
    lagrangian: &str,
    more: &str,
) -> String {
    let parameters: Vec<String> =
        parameters.iter().enumerate().map(|(k, name)| format!("{name} = {}", 2 * k + 3)).collect();
    format!(
        "coordinates = {coordinates:?}\n[parameters]\n{}\n[lagrangian]\nL = \"{lagrangian}\"\n{more}",
        parameters.join("\n")
    )
}

/// The rank of the gradients of quantities, at a random point.
fn rank(system: &mut System, quantities: &[Conserved], also: &[&str]) -> usize {
    let pool = &mut system.model.pool;
    let mut all: Vec<_> = quantities.iter().map(|quantity| quantity.expression).collect();
    all.extend(also.iter().map(|text| parse_expression(pool, text).unwrap()));
    let mut variables = system.symbols.position.clone();
    variables.extend(&system.symbols.velocity);
    variables.push(system.symbols.time);
    let mut slopes = Vec::new();
    for quantity in all {
        slopes.extend(gradient(pool, quantity, &variables, &mut budget()).unwrap());
    }
    let plan = FieldPlan::new(pool, &slopes, Fidelity::Generic, &mut budget()).unwrap();
    let random = &mut Random::new(5);
    let values = (0..64)
        .find_map(|_| plan.evaluate_with_roots(pool, random, &FxHashMap::default()))
        .unwrap();
    let mut space = Echelon::new(variables.len());
    for row in values.chunks(variables.len()) {
        let Ok(_) = space.insert(&mut GaussianField(FieldPlan::PRIME), row.to_vec());
    }
    space.rank()
}

/// These are among the functions of what was found, and what was found has this rank.
pub fn spans(system: &mut System, found: &[Conserved], expected: usize, quantities: &[&str]) {
    let names: Vec<&str> = found.iter().map(|quantity| quantity.name.as_str()).collect();
    assert_eq!(rank(system, found, &[]), expected, "{names:?}");
    for quantity in quantities {
        assert_eq!(rank(system, found, &[quantity]), expected, "{quantity} beside {names:?}");
    }
    assert!(found.iter().all(|quantity| quantity.proof != Zero::No));
}

#[test]
fn a_screw_is_a_symmetry_with_a_parameter() {
    let text = model_text(
        &["x", "y", "z"],
        &["m", "k", "a"],
        "m/2*(x'^2 + y'^2 + z'^2) - k*(x*cos(z/a) + y*sin(z/a))",
        "",
    );
    let (mut system, found) = conserved(&text);
    assert_eq!(found.len(), 2, "energy and the momentum of the screw");
    assert_eq!(found[1].proof, Zero::Yes);
    let paper = "m*(x*y' - y*x') + a*m*z'";
    assert_equals(&mut system.model.pool, found[1].expression, paper);
}

/// Bodies that attract each other, in the plane or in space, with masses as symbols.
fn bodies(count: usize, axes: &[&str]) -> String {
    let names = |k: usize| axes.iter().map(move |axis| format!("{axis}{k}"));
    let coordinates: Vec<String> = (1..=count).flat_map(names).collect();
    let coordinates: Vec<&str> = coordinates.iter().map(String::as_str).collect();
    let masses: Vec<String> = (1..=count).map(|k| format!("m{k}")).collect();
    let mut parameters: Vec<&str> = masses.iter().map(String::as_str).collect();
    parameters.push("k");
    let mut terms = Vec::new();
    for i in 1..=count {
        let squares: Vec<String> = axes.iter().map(|axis| format!("{axis}{i}'^2")).collect();
        terms.push(format!("m{i}/2*({})", squares.join(" + ")));
        for j in 1..i {
            let square = |axis: &&str| format!("({axis}{i} - {axis}{j})^2");
            let squares: Vec<String> = axes.iter().map(square).collect();
            terms.push(format!("k*m{i}*m{j}/sqrt({})", squares.join(" + ")));
        }
    }
    model_text(&coordinates, &parameters, &terms.join(" + "), "")
}

fn sum(count: usize, term: impl Fn(usize) -> String) -> String {
    (1..=count).map(term).collect::<Vec<_>>().join(" + ")
}

#[test]
fn two_bodies_keep_momenta_boosts_energy_and_a_runge_lenz_vector() {
    let (mut system, found) = conserved(&bodies(2, &["x", "y"]));
    let boost = sum(2, |k| format!("m{k}*(y{k} - t*y{k}')"));
    spans(&mut system, &found, 7, &[&boost]);
    assert_eq!(found.iter().filter(|quantity| quantity.name.starts_with("boost_")).count(), 2);
    assert!(found.iter().any(|quantity| quantity.law == Law::Gauge));
}

#[test]
fn three_bodies_in_space_keep_the_ten_classical_integrals() {
    let (mut system, found) = conserved(&bodies(3, &["x", "y", "z"]));
    let momentum = sum(3, |k| format!("m{k}*x{k}'"));
    let turning = sum(3, |k| format!("m{k}*(x{k}*y{k}' - y{k}*x{k}')"));
    let other = sum(3, |k| format!("m{k}*(z{k}*y{k}' - y{k}*z{k}')"));
    let boost = sum(3, |k| format!("m{k}*(z{k} - t*z{k}')"));
    spans(&mut system, &found, 10, &[&momentum, &turning, &other, &boost]);
    assert_eq!(found.len(), 10);
}

#[test]
fn six_bodies_in_space_keep_the_ten_classical_integrals() {
    let (mut system, found) = conserved(&bodies(6, &["x", "y", "z"]));
    let turning = sum(6, |k| format!("m{k}*(x{k}*y{k}' - y{k}*x{k}')"));
    let boost = sum(6, |k| format!("m{k}*(z{k} - t*z{k}')"));
    spans(&mut system, &found, 10, &[&turning, &boost]);
    let names: Vec<&str> = found.iter().map(|quantity| quantity.name.as_str()).collect();
    for name in ["energy", "P_x", "P_y", "P_z", "L_x", "L_y", "L_z", "boost_x", "boost_z"] {
        assert!(names.contains(&name), "{names:?}");
    }
}

#[test]
fn an_inverse_square_potential_scales() {
    let text = model_text(&["x", "y"], &["m", "k"], "m/2*(x'^2 + y'^2) + k/(x^2 + y^2)", "");
    let (mut system, found) = conserved(&text);
    let energy = "(m/2*(x'^2 + y'^2) - k/(x^2 + y^2))";
    let scaling = format!("2*t*{energy} - m*(x*x' + y*y')");
    let expansion = format!("t^2*{energy} - t*m*(x*x' + y*y') + m/2*(x^2 + y^2)");
    spans(&mut system, &found, 3, &["x*y' - y*x'", energy, &scaling, &expansion]);
}

#[test]
fn a_damped_oscillator_in_a_growing_action_keeps_its_energy() {
    let text = model_text(&["x"], &["c", "W"], "exp(c*t)*(x'^2 - W^2*x^2)/2", "");
    let (mut system, found) = conserved(&text);
    spans(&mut system, &found, 1, &["exp(c*t)*(x'^2 + W^2*x^2 + c*x*x')"]);
}

#[test]
fn a_monopole_keeps_three_momenta_with_gauge_terms() {
    let force = |a: &str, b: &str| format!("e*({a}'*{b} - {b}'*{a})/(x^2 + y^2 + z^2)^(3/2)");
    let forces = format!(
        "[forces]\nx = \"{}\"\ny = \"{}\"\nz = \"{}\"\n",
        force("y", "z"),
        force("z", "x"),
        force("x", "y")
    );
    let text = model_text(&["x", "y", "z"], &["m", "e"], "m/2*(x'^2 + y'^2 + z'^2)", &forces);
    let (mut system, found) = conserved(&text);
    let kept = |a: &str, b: &str, c: &str| {
        format!("m*({a}*{b}' - {b}*{a}') - e*{c}/sqrt(x^2 + y^2 + z^2)")
    };
    // r² is a polynomial of degree two in time, as of a free body: scaling and expansion are conserved, too, and all
    // is a function of five.
    let three = [kept("x", "y", "z"), kept("y", "z", "x"), kept("z", "x", "y")];
    let gauge = found.iter().filter(|quantity| quantity.name.starts_with("momentum")).count();
    assert_eq!(gauge, 3);
    spans(&mut system, &found, 5, &[&three[0], &three[1], &three[2], "x'^2 + y'^2 + z'^2"]);
}

#[test]
fn vortices_keep_their_impulses() {
    let text = model_text(
        &["x1", "y1", "x2", "y2"],
        &["a", "b"],
        "a*x1*y1' + b*x2*y2' + a*b*log((x1 - x2)^2 + (y1 - y2)^2)",
        "",
    );
    let (mut system, found) = conserved(&text);
    let squares = "a*(x1^2 + y1^2) + b*(x2^2 + y2^2)";
    spans(&mut system, &found, 3, &["a*x1 + b*x2", "a*y1 + b*y2", squares]);
}

#[test]
fn an_affine_constraint_keeps_a_moving_energy() {
    let more = "[constraints]\nbelt = \"z' - y*x' = W\"\n";
    let text =
        model_text(&["x", "y", "z"], &["k", "W"], "(x'^2 + y'^2 + z'^2)/2 - k*x^4 - k*y^2*x", more);
    let (mut system, found) = conserved(&text);
    let moving = "(x'^2 + y'^2 + z'^2)/2 + k*x^4 + k*y^2*x - W*z'";
    let [quantity] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(quantity.law, Law::MovingEnergy);
    let opposite = format!("-({moving})");
    assert_equals(&mut system.model.pool, quantity.expression, &opposite);
}

#[test]
fn a_general_potential_keeps_the_energy_alone() {
    let text = model_text(
        &["x", "y"],
        &["m", "a", "b"],
        "m/2*(x'^2 + y'^2) - a*x^4 - b*x*y^3 - x^2*y^2 - y",
        "",
    );
    let (_, found) = conserved(&text);
    assert_eq!(found.len(), 1);
}

/// Affine fields stay affine in other coordinates: what is found does not depend on the choice of them.
#[test]
fn linear_changes_of_coordinates_lose_nothing() {
    let kinetic = "m/2*(x'^2 + y'^2 + z'^2)";
    let models = [
        (format!("{kinetic} + k/(x^2 + y^2 + z^2)"), 5),
        (format!("{kinetic} - k*(x*cos(z/a) + y*sin(z/a))"), 2),
        (format!("{kinetic} - k*z"), 6),
        (format!("{kinetic} + k*(x*y' - y*x') - a*z^2"), 4),
        (format!("{kinetic} - k*(x^2 + 3*y^2)^2 - a*z"), 3),
    ];
    let cases = if std::env::var_os("ISOTROPE_LONG").is_some() { 40 } else { 3 };
    let random = &mut Random::new(11);
    for (lagrangian, expected) in &models {
        for case in 0..cases {
            // Rows of a matrix with determinant one, so that no direction is lost.
            let mut rows = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
            for _ in 0..3 * usize::from(case > 0) {
                let (i, j) = (random.below(3) as usize, random.below(3) as usize);
                let factor = random.below(5) as i64 - 2;
                if i != j {
                    let row = rows[j];
                    rows[i].iter_mut().zip(row).for_each(|(a, b)| *a += factor * b);
                }
            }
            let define = |(name, row): (&str, &[i64; 3])| {
                let sum: Vec<String> =
                    row.iter().zip(["u", "v", "w"]).map(|(c, q)| format!("{c}*{q}")).collect();
                let rate: Vec<String> =
                    row.iter().zip(["u", "v", "w"]).map(|(c, q)| format!("{c}*{q}'")).collect();
                [(format!("{name}'"), rate.join(" + ")), (name.to_owned(), sum.join(" + "))]
            };
            let mut text = lagrangian.clone();
            for (name, value) in ["x", "y", "z"].into_iter().zip(&rows).flat_map(define) {
                // No other name in these models contains x, y or z but the exponents' neighbours.
                text = text.replace(&name, &format!("({value})"));
            }
            let text = model_text(&["u", "v", "w"], &["m", "k", "a"], &text, "");
            let (mut system, found) = conserved(&text);
            spans(&mut system, &found, *expected, &[]);
        }
    }
}

#[test]
fn the_kepler_problem_keeps_its_runge_lenz_vector() {
    let text = model_text(&["x", "y"], &["m", "k"], "m/2*(x'^2 + y'^2) + k/sqrt(x^2 + y^2)", "");
    let (mut system, found) = conserved(&text);
    let r = "sqrt(x^2 + y^2)";
    let one = format!("m*y'*(x*y' - y*x') - k*x/{r}");
    let other = format!("m*x'*(x*y' - y*x') + k*y/{r}");
    spans(&mut system, &found, 3, &[&one, &other]);
    let last = found.last().unwrap();
    assert_eq!((last.law, last.proof), (Law::Direct, Zero::Yes));
}

/// Hénon–Heiles: integrable with a quadratic integral where all coefficients are equal (Bountis, Segur, Vivaldi 1982),
/// not in the classical case.
#[test]
fn integrable_cases_of_henon_heiles_have_a_second_integral() {
    let system = |a: &str, b: &str, c: &str| {
        let lagrangian = format!("(x'^2 + y'^2)/2 - ({a}*x^2 + {b}*y^2)/2 - x^2*y - {c}*y^3/3");
        conserved(&model_text(&["x", "y"], &["A"], &lagrangian, ""))
    };
    let (mut integrable, found) = system("A", "A", "1");
    spans(&mut integrable, &found, 2, &["x'*y' + A*x*y + x^3/3 + x*y^2"]);
    let (mut integrable, found) = system("1", "4", "6");
    spans(&mut integrable, &found, 2, &[]);
    let (mut classical, found) = system("1", "1", "(-1)");
    spans(&mut classical, &found, 1, &[]);
}

/// A separable potential: the energies of the coordinates.
#[test]
fn a_separable_system_keeps_the_energies_of_its_coordinates() {
    let text = model_text(&["x", "y"], &["k"], "x'^2 + y'^2/2 - k*x^4 - sin(y)", "");
    let (mut system, found) = conserved(&text);
    spans(&mut system, &found, 2, &["x'^2 + k*x^4", "y'^2/2 + sin(y)"]);
}

/// With equal masses there are linear symmetries whose momenta are functions of momenta and boosts: these are listed, not those.
#[test]
fn equal_bodies_keep_momenta_and_boosts_and_nothing_twice() {
    let mut text = bodies(3, &["x", "y", "z"]);
    for k in 1..=3 {
        text = text.replace(&format!("m{k}"), "m");
    }
    let text = text.replace("m = 3\nm = 5\nm = 7", "m = 3");
    let (mut system, found) = conserved(&text);
    let names: Vec<&str> = found.iter().map(|quantity| quantity.name.as_str()).collect();
    let expected =
        ["energy", "P_x", "P_y", "P_z", "L_z", "L_y", "L_x", "boost_x", "boost_y", "boost_z"];
    assert_eq!(names, expected);
    spans(&mut system, &found, 10, &[]);
}
