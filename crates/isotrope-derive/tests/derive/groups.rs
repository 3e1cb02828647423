//! Systems on Lie groups against their equations on paper.

use isotrope_algebra::calculus::{directional_derivative, jacobian};
use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Budget, ExprId};
use isotrope_derive::{GroupMechanics, System};

use super::support::{analysed, assert_equals, budget, equal, parsed};

fn mechanics(system: &System) -> GroupMechanics {
    system.mechanics.group().expect("a system on a group").clone()
}

fn names(analysis: &isotrope_derive::Analysis) -> Vec<String> {
    analysis.conservation.conserved.iter().map(|quantity| quantity.name.clone()).collect()
}

#[test]
fn the_free_body_obeys_eulers_equations_and_space_keeps_its_momentum() {
    let (mut system, analysis) = analysed("rigid_body");
    let found = mechanics(&system);
    let pool = &mut system.model.pool;
    // Indices of names are symbols like any other here.
    let omega = |pool: &mut isotrope_algebra::Pool, k: usize| pool.symbol(&format!("omega[{k}]"));
    for (k, (i, j)) in [(1, (2, 3)), (2, (3, 1)), (3, (1, 2))] {
        let (a, b) = (omega(pool, i), omega(pool, j));
        let moments: Vec<ExprId> =
            [i, j, k].iter().map(|n| pool.symbol(&format!("I{n}"))).collect();
        let difference = pool.sub(moments[0], moments[1]);
        let product = pool.product(&[difference, a, b]);
        let expected = pool.div(product, moments[2]);
        assert_eq!(equal(pool, found.eliminated.acceleration[k - 1], expected), Zero::Yes);
    }
    assert_eq!(names(&analysis), ["energy", "spatial[1]", "spatial[2]", "spatial[3]"]);
}

#[test]
fn what_nothing_acts_on_is_conserved() {
    for (model, expected) in [
        ("heavy_top", vec!["energy", "spatial[3]", "p_omega[3]"]),
        ("satellite", vec!["energy", "spatial[1]", "spatial[2]", "spatial[3]", "p_omega[3]"]),
        ("suslov", vec!["energy"]),
        (
            "rolling_ball",
            vec!["energy", "spatial[3]", "momentum of a symmetry 1", "momentum of a symmetry 2"],
        ),
    ] {
        let (_, analysis) = analysed(model);
        assert_eq!(names(&analysis), expected, "{model}");
    }
}

/// Neither body keeps its momentum, both together do.
#[test]
fn two_bodies_that_act_on_each_other_keep_their_total_momentum() {
    let inner: Vec<String> = (1..=3).map(|k| format!("R1[{k},1]*R2[{k},1]")).collect();
    let text = format!(
        "lie_group.group = [\"SO(3)\", \"SO(3)\"]\n\
         lie_group.L = \"omega1[1]^2/2 + omega1[2]^2 + omega1[3]^2 + omega2[1]^2 + omega2[2]^2/2 + omega2[3]^2 - \
         ({})\"\ninitial.velocity = {{ \"omega1[i]\" = 1, \"omega2[i]\" = 2 }}\n",
        inner.join(" + ")
    );
    let mut system = isotrope_derive::derive(parsed(&text), &mut budget()).unwrap();
    let analysis = isotrope_derive::analyse(&mut system, &budget());
    // The first body is symmetric about the axis by which they act on each other.
    let expected = ["energy", "spatial[1]", "spatial[2]", "spatial[3]", "p_omega1[1]"];
    assert_eq!(names(&analysis), expected);
}

/// The second road: along ξ' = f and g' = g ξ, written with quaternions, they do not change.
#[test]
fn conserved_quantities_do_not_change_along_the_field() {
    for model in ["rigid_body", "heavy_top", "suslov"] {
        let (mut system, analysis) = analysed(model);
        let found = mechanics(&system);
        let velocity = system.symbols.velocity.clone();
        let pool = &mut system.model.pool;
        let budget = &mut budget();
        let mut rates: Vec<(ExprId, ExprId)> =
            found.numbers.iter().copied().zip(found.kinematics(pool, &velocity)).collect();
        let field = found.in_numbers(pool, &found.eliminated.acceleration, budget).unwrap();
        rates.extend(velocity.iter().copied().zip(field));
        // A constraint that is kept takes its velocity out.
        for quantity in &analysis.conservation.conserved {
            let written = found.in_numbers(pool, &[quantity.expression], budget).unwrap();
            let rate = directional_derivative(pool, &written, &rates, budget).unwrap()[0];
            let rate = match model {
                "suslov" => {
                    let map = [(velocity[2], ExprId::ZERO)].into_iter().collect();
                    isotrope_algebra::calculus::substitute(pool, &[rate], &map, budget).unwrap()[0]
                }
                _ => rate,
            };
            assert_eq!(equal(pool, rate, ExprId::ZERO), Zero::Yes, "{model} {}", quantity.name);
        }
    }
}

/// SE(2) with a blade is the sleigh: accelerations of the reduced velocities are those on paper.
#[test]
fn the_sleigh_on_the_motions_of_the_plane_is_the_sleigh() {
    let model = parsed(
        r#"
        [parameters]
        m = 1
        a = 1
        J = 1
        [lie_group]
        group = "SE(2)"
        L = "m/2*(v[1]^2 + (v[2] + a*omega)^2) + J/2*omega^2"
        [constraints]
        blade = "v[2] = 0"
        [initial]
        velocity = { omega = 1, "v[1]" = 1, "v[2]" = 0 }
        "#,
    );
    let mut system = isotrope_derive::derive(model, &mut Budget::new(10_000_000)).unwrap();
    let found = mechanics(&system);
    let velocity = system.symbols.velocity.clone();
    let pool = &mut system.model.pool;
    let u = pool.symbol("u");
    let map = [(velocity[1], u), (velocity[2], ExprId::ZERO)].into_iter().collect();
    let field = isotrope_algebra::calculus::substitute(
        pool,
        &found.eliminated.acceleration,
        &map,
        &mut budget(),
    )
    .unwrap();
    assert_equals(pool, field[0], "-m*a*u*omega/(J + m*a^2)");
    assert_equals(pool, field[1], "a*omega^2");
    assert_equals(pool, field[2], "0");
}

#[test]
fn the_mass_matrix_is_the_derivative_of_the_momenta() {
    let (mut system, _) = analysed("rolling_ball");
    let found = mechanics(&system);
    let velocity = system.symbols.velocity.clone();
    let pool = &mut system.model.pool;
    let rows = jacobian(pool, &found.dynamics.momenta, &velocity, &mut budget()).unwrap();
    assert_eq!(rows, found.dynamics.mass);
    assert_eq!(found.rows.names, ["roll_x", "roll_y"]);
}

/// A knife edge or a rolling ball does not integrate; turning about a fixed axis does.
#[test]
fn frobenius_decides_in_a_left_invariant_frame() {
    for (model, integrable) in [("suslov", false), ("rolling_ball", false)] {
        let (_, analysis) = analysed(model);
        assert_eq!(analysis.distribution.integrable, Some(integrable), "{model}");
    }
    let model = parsed(
        r#"
        [lie_group]
        group = "SO(3)"
        inertia = [1, 2, 3]
        [constraints]
        first = "omega[1] = 0"
        second = "R[1,2]*omega[1] + omega[2] = 0"
        [initial]
        velocity = { "omega[1]" = 0, "omega[2]" = 0, "omega[3]" = 1 }
        "#,
    );
    let mut system = isotrope_derive::derive(model, &mut Budget::new(10_000_000)).unwrap();
    let analysis = isotrope_derive::analyse(&mut system, &budget());
    assert_eq!(analysis.distribution.integrable, Some(true));
}

/// Of several constraints those integrate that all brackets of admissible fields satisfy.
#[test]
fn one_of_two_constraints_integrates() {
    let model = parsed(
        r#"
        coordinates = ["s", "z"]
        [lie_group]
        group = "SO(3)"
        L = "(omega[1]^2 + omega[2]^2 + omega[3]^2 + s'^2 + z'^2)/2"
        [constraints]
        rail = "s' = 0"
        edge = "omega[3] = 0"
        [initial]
        position = { s = 0, z = 0 }
        velocity = { "omega[1]" = 1, "omega[2]" = 0, "omega[3]" = 0, s = 0, z = 1 }
        "#,
    );
    let mut system = isotrope_derive::derive(model, &mut Budget::new(10_000_000)).unwrap();
    let analysis = isotrope_derive::analyse(&mut system, &budget());
    let own: Vec<Option<bool>> = analysis.distribution.kinds.iter().map(|kind| kind.1).collect();
    assert_eq!(own, [Some(true), Some(false)]);
    assert_eq!(analysis.distribution.integrable, Some(false));
    // Rolling is a matter of both.
    let (_, analysis) = analysed("rolling_ball");
    assert!(analysis.distribution.kinds.iter().all(|kind| kind.1 == Some(false)));
}
