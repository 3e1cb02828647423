//! Lagrangians that are linear in the velocities.

use isotrope_algebra::calculus::{jacobian, substitute};
use isotrope_algebra::normal::{Zero, is_zero};
use isotrope_derive::{Degenerate, DeriveError, NotPolarised, System, derive};

use super::support::{analysed, assert_equals, budget, equal, parsed, refusals, system};

fn degenerate(system: &System) -> Degenerate {
    let Some(degenerate) = system.mechanics.degenerate() else { panic!("not of first order") };
    degenerate.clone()
}

#[test]
fn predator_and_prey_have_the_equations_of_lotka_and_volterra() {
    let mut system = system("lotka_volterra");
    let found = degenerate(&system);
    let pool = &mut system.model.pool;
    assert_equals(pool, found.velocity[0], "x*(a - y)");
    assert_equals(pool, found.velocity[1], "y*(x - b)");
    assert_equals(pool, found.form[0][1], "1/(x*y)");
    assert_equals(pool, found.dynamics.energy, "x - b*log(x) + y - a*log(y)");
    let split = found.polarisation.unwrap();
    assert_eq!((split.base, split.fibre), (vec![0], vec![1]));
    assert!(split.gauge.is_zero());
}

#[test]
fn a_particle_without_mass_drifts_with_e_cross_b() {
    let mut system = system("massless_particle");
    let found = degenerate(&system);
    let pool = &mut system.model.pool;
    let field = "(A0*(1 + 2*x^2 + 2*y^2))";
    assert_equals(pool, found.velocity[0], &format!("-E0*cos(y)/{field}"));
    assert_equals(pool, found.velocity[1], &format!("-E0*sin(x)/{field}"));
}

/// Momenta move by a gradient, so that their form is the same: -∂ϑ_x/∂y = Ω_xy.
#[test]
fn a_total_derivative_takes_all_velocities_of_one_half_and_keeps_the_form() {
    let mut system = system("massless_particle");
    let found = degenerate(&system);
    let split = found.polarisation.clone().unwrap();
    let symbols = system.symbols.clone();
    let pool = &mut system.model.pool;
    let y = symbols.position[split.fibre[0]];
    let slope = jacobian(pool, &split.potential, &[y], &mut budget()).unwrap()[0][0].1;
    let minus = pool.neg(slope);
    assert_eq!(equal(pool, minus, found.form[split.base[0]][split.fibre[0]]), Zero::Yes);
    // What is left with dy: ϑ_y + ∂g/∂y = 0.
    let gained = jacobian(pool, &[split.gauge], &[y], &mut budget()).unwrap()[0][0].1;
    let left = pool.add(found.dynamics.momenta[split.fibre[0]], gained);
    assert_eq!(is_zero(pool, left, &mut budget()), Zero::Yes);
}

/// The velocities solve the Euler–Lagrange equations: two, four and six coordinates, with time in ϑ and
/// H and with a force that is linear in the velocities.
#[test]
fn velocities_solve_the_equations_they_come_from() {
    let six = "
        coordinates = [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\"]
        lagrangian.L = \"b*a' + d*c' + f*e' + a*c*d'/3 - (a^2 + b^2*c^2 + d^2 + e*f^2 + a*f)/2\"
        initial.position = { a = 1, b = 1, c = 1, d = 1, e = 1, f = 1 }
    ";
    let driven = "
        coordinates = [\"x\", \"y\"]
        lagrangian.L = \"(y + t*x^2*y + t)*x' - x*y^2*y' - cos(x*y)*(1 + t^2)\"
        forces.x = \"-x'/5 + sin(t)\"
        initial.position = { x = 1, y = 1 }
    ";
    let shipped = ["lotka_volterra", "massless_particle", "guiding_centre"].map(system);
    let written = [six, driven].map(|text| derive(parsed(text), &mut budget()).unwrap());
    for mut system in shipped.into_iter().chain(written) {
        let found = degenerate(&system);
        let symbols = system.symbols.clone();
        let pool = &mut system.model.pool;
        let map = symbols.velocity.iter().copied().zip(found.velocity.iter().copied()).collect();
        for residual in substitute(pool, &found.residual, &map, &mut budget()).unwrap() {
            assert_eq!(is_zero(pool, residual, &mut budget()), Zero::Yes, "{}", system.model.name);
        }
    }
}

#[test]
fn the_toroidal_momentum_of_a_guiding_centre_is_found_and_proved() {
    let (mut system, analysis) = analysed("guiding_centre");
    let conserved = &analysis.conservation.conserved;
    let names: Vec<&str> = conserved.iter().map(|quantity| quantity.name.as_str()).collect();
    assert_eq!(names, ["energy", "p_phi"]);
    assert!(conserved.iter().all(|quantity| quantity.proof == Zero::Yes));
    let found = degenerate(&system);
    let pool = &mut system.model.pool;
    assert_eq!(equal(pool, conserved[1].expression, found.dynamics.momenta[2]), Zero::Yes);
    // A + u b has all components, and ω vanishes on no half of (R, Z, phi, u).
    assert!(matches!(found.polarisation, Err(NotPolarised::NoLeaves { .. })));
}

fn refusal(lagrangian: &str, coordinates: &str, more: &str) -> DeriveError {
    let names: Vec<String> = coordinates.split(' ').map(|name| format!("\"{name}\"")).collect();
    let zeros: Vec<String> = coordinates.split(' ').map(|name| format!("{name} = 1")).collect();
    let text = format!(
        "coordinates = [{}]\nlagrangian.L = \"{lagrangian}\"\n{more}\ninitial.position = {{ {} }}",
        names.join(", "),
        zeros.join(", ")
    );
    refusals(&text).swap_remove(0)
}

/// With a kernel there are constraints on positions: here p = θ, and y = z.
#[test]
fn a_form_with_a_kernel_is_a_singular_lagrangian() {
    let text =
        "coordinates = [\"x\", \"y\", \"z\"]\n[lagrangian]\nL = \"y*x' + z*x' - x^2 - z^2\"\n";
    let system = derive(parsed(text), &mut budget()).unwrap();
    let chain = system.mechanics.chain().unwrap();
    assert_eq!((chain.last, chain.classes.second.len()), (2, 4));
    // Nothing has a motion whose kernel moves a linear function.
    let error = refusal("y*x' + z*x' - x^2 - z", "x y z", "");
    let DeriveError::NoSolution { first_order: true, .. } = &error else { panic!("{error}") };
    assert_eq!(error.code().text(), "ISO-DERIVE-010");
}

#[test]
fn constraints_and_forces_that_are_not_linear_are_refused() {
    let error = refusal("y*x' - x^2 - y^2", "x y", "constraints.c = \"x' = y'\"");
    assert!(matches!(error, DeriveError::DegenerateLagrangian { constraints: 1, .. }));
    let error = refusal("y*x' - x^2 - y^2", "x y", "forces.x = \"-x'^3\"");
    assert_eq!(error.code().text(), "ISO-DERIVE-011");
    // x' of a force cancels that of the form.
    let error = refusal("y*x' - x^2 - y^2", "x y", "forces.x = \"y'\"");
    assert_eq!(error.code().text(), "ISO-DERIVE-011");
}
