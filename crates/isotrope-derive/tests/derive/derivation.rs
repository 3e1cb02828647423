//! The derived equations against the formulas on paper, and against themselves.

use crate::support::*;
use isotrope_algebra::calculus::{Substitution, directional_derivative, substitute};
use isotrope_algebra::normal::{Zero, is_zero};
use isotrope_algebra::{Budget, ExprId};
use isotrope_derive::{
    Conserved, ConstraintKind, DeriveError, Hamiltonian, Integrals, LagrangianMechanics, Law,
    Written, analyse, classify, conserve, derive, watched,
};
use isotrope_model::Model;

#[test]
fn the_pendulums_multiplier_is_the_one_on_paper() {
    let mut system = system("pendulum");
    let lambda = parts(&system).eliminated.multipliers[0];
    let paper = "m*(g*y - (x'^2 + y'^2))/(2*(x^2 + y^2))";
    assert_equals(&mut system.model.pool, lambda, paper);
}

#[test]
fn the_sleighs_multiplier_is_the_one_on_paper() {
    // lambda = -[J m u w/(J+ma^2) - m a U_th/(J+ma^2) + cos U_y - sin U_x], u = x' cos + y' sin.
    let mut flat = system("sleigh");
    let lambda = parts(&flat).eliminated.multipliers[0];
    let paper = "-J*m*(x'*cos(theta) + y'*sin(theta))*theta'/(J + m*a^2)";
    assert_equals(&mut flat.model.pool, lambda, paper);
    let mut incline = system("sleigh_incline");
    let lambda = parts(&incline).eliminated.multipliers[0];
    let paper = "-(J*m*(x'*cos(theta) + y'*sin(theta))*theta'/(J + m*a^2) \
                 - m*a*m*g*sin(slope)*a*cos(theta)/(J + m*a^2) + cos(theta)*m*g*sin(slope))";
    assert_equals(&mut incline.model.pool, lambda, paper);
}

#[test]
fn the_sleighs_hamiltonian_is_the_one_on_paper() {
    let mut system = system("sleigh");
    let Hamiltonian::Explicit(hamiltonian) = hamiltonian_of(&mut system) else { panic!() };
    let paper = "(p_x^2 + p_y^2)/(2*m) + (p_theta + a*p_x*sin(theta) - a*p_y*cos(theta))^2/(2*J)";
    assert_equals(&mut system.model.pool, hamiltonian, paper);
}

#[test]
fn the_n_pendulums_mass_matrix_is_the_one_on_paper() {
    let mut system = system("n_pendulum");
    let mass = parts(&system).dynamics.mass.clone();
    for (i, row) in mass.iter().enumerate() {
        for &(j, value) in row {
            let j = j as usize;
            let text = format!("{}*m*l^2*cos(theta[{}] - theta[{}])", 3 - i.max(j), i + 1, j + 1);
            assert_equals(&mut system.model.pool, value, &text);
        }
    }
}

/// d/dt L_v - L_q - F - A^T lambda = 0 and d/dt (A v + b) = 0 along v' = f, with everything
/// differentiated again from L and the constraints themselves.
#[test]
fn the_eliminated_field_satisfies_the_equations_of_every_model() {
    for name in SMALL {
        let mut system = system(name);
        let Some(all) = system.mechanics.lagrangian().cloned() else { continue };
        let LagrangianMechanics { dynamics, rows, multiplier_symbols, eliminated, .. } = all;
        let symbols = system.symbols.clone();
        let Model { pool, forces, .. } = &mut system.model;
        let mut rates = symbols.drift();
        rates.extend(symbols.velocity.iter().copied().zip(eliminated.acceleration.iter().copied()));
        let momenta: Vec<ExprId> = symbols
            .velocity
            .iter()
            .map(|&v| {
                isotrope_algebra::calculus::derivative(pool, dynamics.lagrangian, v, &mut budget())
                    .unwrap()
            })
            .collect();
        let left = directional_derivative(pool, &momenta, &rates, &mut budget()).unwrap();
        for i in 0..symbols.dimension() {
            let q = symbols.position[i];
            let gradient =
                isotrope_algebra::calculus::derivative(pool, dynamics.lagrangian, q, &mut budget())
                    .unwrap();
            let mut terms = vec![pool.neg(left[i]), gradient, forces[i]];
            for (row, &lambda) in rows.matrix.iter().zip(&eliminated.multipliers) {
                for &(k, a) in row {
                    if k as usize == i {
                        terms.push(pool.mul(a, lambda));
                    }
                }
            }
            let residual = pool.sum(&terms);
            let answer = is_zero(pool, residual, &mut budget());
            assert!(answer.is_plausible(), "{name}: equation {i}: {answer:?}");
        }
        let drift =
            directional_derivative(pool, &rows.velocity_level, &rates, &mut budget()).unwrap();
        for (a, rate) in drift.into_iter().enumerate() {
            let answer = is_zero(pool, rate, &mut budget());
            assert!(answer.is_plausible(), "{name}: constraint {a}: {answer:?}");
        }
        assert_eq!(multiplier_symbols.len(), rows.len());
    }
}

#[test]
fn the_hamiltonian_is_the_energy_through_the_legendre_map() {
    for name in SMALL {
        let mut system = system(name);
        let hamiltonian = hamiltonian_of(&mut system);
        let (energy, momenta) = {
            let p = parts(&system);
            (p.dynamics.energy, p.dynamics.momenta.clone())
        };
        let Hamiltonian::Explicit(hamiltonian) = hamiltonian else { panic!("{name}") };
        let map: Substitution =
            system.symbols.momentum.iter().copied().zip(momenta.iter().copied()).collect();
        let pool = &mut system.model.pool;
        let through = substitute(pool, &[hamiltonian], &map, &mut budget()).unwrap()[0];
        let answer = equal(pool, through, energy);
        assert!(answer.is_plausible(), "{name}: {answer:?}");
    }
}

#[test]
fn frobenius_tells_holonomic_from_nonholonomic() {
    let kinds = |name: &str| {
        let (_, analysis) = analysed(name);
        (analysis.distribution.kinds, analysis.distribution.integrable)
    };
    assert_eq!(kinds("pendulum"), (vec![(ConstraintKind::Holonomic, Some(true))], Some(true)));
    assert_eq!(kinds("sleigh"), (vec![(ConstraintKind::Nonholonomic, Some(false))], Some(false)));
    let (_, disc) = analysed("rolling_disc");
    let flag = disc.distribution.flag.unwrap();
    assert_eq!(flag.growth_vector, [2, 3, 4]);
    assert!(flag.bracket_generating && flag.proved);
}

#[test]
fn a_velocity_form_of_a_circle_is_found_integrable() {
    let text = pendulum_with("rod = \"x*x' + y*y' = 0\"");
    let mut system = derive(parsed(&text), &mut budget()).unwrap();
    let analysis = analyse(&mut system, &budget());
    assert_eq!(analysis.distribution.kinds, [(ConstraintKind::PfaffianIntegrable, Some(true))]);
}

#[test]
fn one_of_two_constraints_may_integrate() {
    // w' = 0 integrates, the contact form z' = x y' does not.
    let text = r#"
        name = "mixed"
        coordinates = ["x", "y", "z", "w"]
        [lagrangian]
        L = "(x'^2 + y'^2 + z'^2 + w'^2)/2 + x*w"
        [constraints]
        contact = "z' = x*y'"
        wall = "w' = 0"
        [initial]
        position = { x = 0, y = 0, z = 0, w = 0 }
        velocity = { x = 0, y = 0, z = 0, w = 0 }
    "#;
    let mut system = derive(parsed(text), &mut budget()).unwrap();
    let analysis = analyse(&mut system, &budget());
    assert_eq!(
        analysis.distribution.kinds,
        [
            (ConstraintKind::Nonholonomic, Some(false)),
            (ConstraintKind::PfaffianIntegrable, Some(true))
        ]
    );
    assert_eq!(analysis.distribution.integrable, Some(false));
    assert_eq!(analysis.distribution.flag.unwrap().growth_vector, [2, 3]);
}

#[test]
fn the_almost_dirac_structure_is_isotropic_of_half_dimension() {
    for name in ["pendulum", "sleigh", "rolling_disc", "knife_edge", "double_pendulum"] {
        let (mut system, analysis) = analysed(name);
        let dirac = analysis.dirac.unwrap();
        let pool = &mut system.model.pool;
        assert_eq!(dirac.is_isotropic(pool, &mut budget()), Zero::Yes, "{name}");
        let rank = dirac.rank(pool, &mut budget()).unwrap();
        assert_eq!(rank.rank, 2 * system.symbols.dimension(), "{name}");
    }
}

#[test]
fn the_sleigh_conserves_energy_and_no_momentum() {
    let (system, analysis) = analysed("sleigh");
    let names: Vec<_> = analysis.conservation.conserved.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["energy"]);
    assert_eq!(analysis.conservation.conserved[0].proof, Zero::Yes);
    // x is cyclic in L all the same, and its momentum is lost to the blade.
    let x = system.symbols.position[0];
    assert!(!system.model.pool.depends_on(parts(&system).dynamics.lagrangian, &[x]));
    let lost: Vec<_> = analysis.conservation.lost.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(lost, ["p_x", "p_y"]);
}

#[test]
fn the_sleigh_reduces_to_its_two_equations() {
    let (mut system, analysis) = analysed("sleigh");
    let reduction = analysis.reduction.unwrap().unwrap();
    let pool = &mut system.model.pool;
    let names: Vec<_> =
        reduction.quasi_velocities.iter().map(|&w| pool.name_of(w).unwrap().to_owned()).collect();
    assert_eq!(names, ["u", "omega"]);
    assert!(reduction.shape.is_empty());
    assert_equals(pool, reduction.rates[0], "a*omega^2");
    assert_equals(pool, reduction.rates[1], "-m*a*u*omega/(J + m*a^2)");
    let (mut system, analysis) = analysed("sleigh_incline");
    let reduction = analysis.reduction.unwrap().unwrap();
    let pool = &mut system.model.pool;
    // u' = a w^2 - (U_x cos + U_y sin)/m, w' = -(m a u w + U_th)/(J + m a^2)
    assert_equals(pool, reduction.rates[0], "a*omega^2 - g*sin(slope)*sin(theta)");
    let paper = "-(m*a*u*omega + m*g*sin(slope)*a*cos(theta))/(J + m*a^2)";
    assert_equals(pool, reduction.rates[1], paper);
}

#[test]
fn momenta_of_symmetric_systems_are_found() {
    let found = |name: &str| -> Vec<String> {
        let (_, analysis) = analysed(name);
        for quantity in &analysis.conservation.conserved {
            assert_eq!(quantity.proof, Zero::Yes, "{name}: {}", quantity.name);
        }
        analysis.conservation.conserved.iter().map(|c| c.name.clone()).collect()
    };
    assert_eq!(found("spherical_pendulum"), ["energy", "L_z"]);
    assert_eq!(found("kepler"), ["energy", "L_z", "integral"]);
    let three = found("three_particles");
    for name in ["energy", "P_x", "P_y", "P_z", "L_x", "L_y", "L_z"] {
        assert!(three.iter().any(|found| found == name), "{name}");
    }
    assert_eq!(found("henon_heiles"), ["energy"]);
    assert_eq!(found("ziegler"), Vec::<String>::new());
}

#[test]
fn a_wrong_conserved_quantity_would_be_noticed() {
    // The proof is a computation: p_x of the pendulum does not pass it.
    let (mut system, _) = analysed("pendulum");
    let p = parts(&system);
    let (p_x, f) = (p.dynamics.momenta[0], p.eliminated.acceleration.clone());
    let mut rates = system.symbols.drift();
    rates.extend(system.symbols.velocity.iter().copied().zip(f));
    let pool = &mut system.model.pool;
    let rate = directional_derivative(pool, &[p_x], &rates, &mut budget()).unwrap()[0];
    assert_eq!(is_zero(pool, rate, &mut budget()), Zero::No);
}

#[test]
fn a_charge_in_a_magnetic_field_conserves_gauge_momenta() {
    let text = r#"
        name = "charge"
        coordinates = ["x", "y"]
        parameters = { B = 1 }
        [lagrangian]
        L = "(x'^2 + y'^2)/2 + B*(x*y' - y*x')/2"
        [initial]
        position = { x = 0, y = 0 }
        velocity = { x = 1, y = 0 }
    "#;
    let mut system = derive(parsed(text), &mut budget()).unwrap();
    let analysis = analyse(&mut system, &budget());
    // Two translations up to a gauge term, one rotation, the energy.
    assert_eq!(analysis.conservation.conserved.len(), 4);
    assert!(analysis.conservation.conserved.iter().all(|c| c.proof == Zero::Yes));
}

fn pendulum_with(constraint: &str) -> String {
    format!(
        r#"
        name = "pendulum"
        coordinates = ["x", "y"]
        parameters = {{ g = 9.81, a = "1/10" }}
        [lagrangian]
        L = "(x'^2 + y'^2)/2 - g*y"
        [constraints]
        {constraint}
        [initial]
        position = {{ x = 0, y = -1 }}
        velocity = {{ x = 1, y = 0 }}
        "#
    )
}

#[test]
fn moving_constraints_are_rheonomic_and_do_work() {
    let text = pendulum_with("rod = \"(x - a*sin(t))^2 + y^2 = 1\"");
    let mut system = derive(parsed(&text), &mut budget()).unwrap();
    let analysis = analyse(&mut system, &budget());
    assert_eq!(analysis.distribution.kinds[0].0, ConstraintKind::Holonomic);
    assert!(analysis.distribution.extended);
    assert!(analysis.conservation.conserved.is_empty());
    let rate = analysis.conservation.energy_rate.unwrap();
    assert_equals(&mut system.model.pool, rate, "2*lambda_rod*a*cos(t)*(x - a*sin(t))");
}

#[test]
fn affine_constraints_are_named_affine() {
    let text = pendulum_with("belt = \"x' - y*y' = a\"");
    let mut system = derive(parsed(&text), &mut budget()).unwrap();
    assert_eq!(parts(&system).rows.written, [Written::Affine]);
    let analysis = analyse(&mut system, &budget());
    assert_eq!(analysis.distribution.kinds[0].0, ConstraintKind::Affine);
    // x' - y y' - a is the total derivative of x - y^2/2 - a t.
    assert_eq!(analysis.distribution.integrable, Some(true));
}

#[test]
fn homogeneous_chetaev_constraints_conserve_energy() {
    let text = r#"
        name = "Appell-Hamel"
        coordinates = ["x", "y", "z"]
        parameters = { g = 9.81 }
        [lagrangian]
        L = "(x'^2 + y'^2 + z'^2)/2 - g*z"
        [constraints]
        cone = { equation = "x'^2 + y'^2 = z'^2", chetaev = true }
        [initial]
        position = { x = 0, y = 0, z = 0 }
        velocity = { x = 3, y = 4, z = -5 }
    "#;
    let mut system = derive(parsed(text), &mut budget()).unwrap();
    assert_eq!(parts(&system).rows.written, [Written::Chetaev]);
    let analysis = analyse(&mut system, &budget());
    assert_eq!(analysis.distribution.kinds[0].0, ConstraintKind::Chetaev);
    assert_eq!(analysis.conservation.conserved[0].name, "energy");
    let plain = text.replace(", chetaev = true", "");
    assert!(matches!(refusals(&plain)[..], [DeriveError::NonlinearConstraint { .. }]));
}

#[test]
fn velocities_that_cancel_do_not_make_a_constraint_nonlinear() {
    let text = pendulum_with("rod = \"(x' + 1)^2 - x'^2 - 1 + y' = 0\"");
    let system = derive(parsed(&text), &mut budget()).unwrap();
    assert_eq!(parts(&system).rows.written, [Written::Linear]);
}

#[test]
fn a_singular_mass_matrix_is_regular_on_the_kernel_of_the_constraint() {
    // y has no inertia, but the constraint ties it to x.
    let text = r#"
        name = "massless slider"
        coordinates = ["x", "y"]
        [lagrangian]
        L = "x'^2/2 - x^2/2 - y"
        [constraints]
        tie = "y = x"
        [initial]
        position = { x = 1, y = 1 }
        velocity = { x = 0, y = 0 }
    "#;
    let mut system = derive(parsed(text), &mut budget()).unwrap();
    let p = parts(&system);
    let (acceleration, lambda) = (p.eliminated.acceleration.clone(), p.eliminated.multipliers[0]);
    let pool = &mut system.model.pool;
    assert_equals(pool, acceleration[0], "-x - 1");
    assert_equals(pool, acceleration[1], "-x - 1");
    assert_equals(pool, lambda, "1");
    assert_eq!(hamiltonian_of(&mut system), Hamiltonian::Singular);
}

#[test]
fn dependent_constraints_are_named() {
    let against = pendulum_with("rod = \"x^2 + y^2 = 1\"\nagain = \"2*x^2 + 2*y^2 = 3\"");
    assert!(matches!(&refusals(&against)[..],
        [DeriveError::InconsistentConstraints { name, .. }] if name == "again"));
    let hidden = pendulum_with("rod = \"x^2 + y^2 = 1\"\nagain = \"x*x' + y*y' = 0\"");
    assert!(matches!(&refusals(&hidden)[..], [DeriveError::RedundantConstraint { .. }]));
}

/// What is set aside, what it follows from, and whether numbers suffice for that.
fn set_aside(text: &str) -> Vec<(String, Vec<String>, bool)> {
    let system = derive(parsed(text), &mut budget()).unwrap();
    let rows = &parts(&system).rows;
    let redundant = rows.redundant.iter();
    let told = redundant
        .map(|row| (row.name.clone(), row.follows_from.clone(), row.coefficients.is_some()));
    told.collect()
}

fn told(name: &str, from: &[&str], numbers: bool) -> (String, Vec<String>, bool) {
    (name.to_owned(), from.iter().map(|&name| name.to_owned()).collect(), numbers)
}

#[test]
fn constraints_on_positions_that_follow_from_others_are_set_aside() {
    let rod = "rod = \"x^2 + y^2 = 1\"";
    let twice = pendulum_with(&format!("{rod}\nagain = \"2*x^2 + 2*y^2 = 2\""));
    assert_eq!(set_aside(&twice), [told("again", &["rod"], true)]);
    // Of the fourth degree: (x² + y² − 1)(x² + y² + 1).
    let square = pendulum_with(&format!("{rod}\nagain = \"(x^2 + y^2)^2 = 1\""));
    assert_eq!(set_aside(&square), [told("again", &["rod"], false)]);
    // It vanishes where the rod does and has no differential there: the rod is not implied by it.
    let flat = pendulum_with(&format!("{rod}\nagain = \"(x^2 + y^2 - 1)^2 = 0\""));
    assert_eq!(set_aside(&flat), [told("again", &["rod"], false)]);
    // The same zeros near the start only: not proved, not set aside.
    let other = pendulum_with(&format!("{rod}\nagain = \"sqrt(x^2 + y^2) = 1\""));
    assert!(matches!(&refusals(&other)[..], [DeriveError::RedundantConstraint { .. }]));
    // Three in a row, two of which say it all.
    let text = r#"
        coordinates = ["x", "y", "z"]
        [lagrangian]
        L = "(x'^2 + y'^2 + z'^2)/2 - z"
        [constraints]
        a = "x = y"
        b = "y = z"
        c = "2*x = 2*z"
        [initial]
        position = { x = 0, y = 0, z = 0 }
        velocity = { x = 0, y = 0, z = 0 }
    "#;
    assert_eq!(set_aside(text), [told("c", &["a", "b"], true)]);
    let bytes =
        std::fs::read(format!("{}/../../models/parallelogram.toml", env!("CARGO_MANIFEST_DIR")));
    let linkage = String::from_utf8(bytes.unwrap()).unwrap();
    let wanted = told("crank2", &["crank1", "length", "level"], false);
    assert_eq!(set_aside(&linkage), [wanted]);
    // With a second crank of another length nothing follows, and nothing can move.
    let longer = linkage.replace("+ y2^2 = l^2", "+ y2^2 = 2*l^2");
    assert!(matches!(&refusals(&longer)[..], [DeriveError::NoMotion { .. }]));
}

#[test]
fn multipliers_of_least_norm_have_the_reactions_of_the_others() {
    // c = 2a + 2b: λ = B w, (1 + CᵀC) w = (λ_a, λ_b) with C = (2, 2).
    let text = r#"
        coordinates = ["x", "y", "z"]
        [lagrangian]
        L = "(x'^2 + 2*y'^2 + 3*z'^2)/2 - z"
        [constraints]
        a = "x = y"
        b = "y = z"
        c = "2*x = 2*z"
        [initial]
        position = { x = 0, y = 0, z = 0 }
        velocity = { x = 0, y = 0, z = 0 }
    "#;
    let mut system = derive(parsed(text), &mut budget()).unwrap();
    let p = parts(&system);
    let (lambda, all) = (p.eliminated.multipliers.clone(), p.eliminated.all_multipliers.clone());
    let pool = &mut system.model.pool;
    // 6 x'' = -1: λ_a = x'' = -1/6, -λ_a + λ_b = 2 x''.
    assert_equals(pool, lambda[0], "-1/6");
    assert_equals(pool, lambda[1], "-1/2");
    // w = (5λ_a − 4λ_b, 5λ_b − 4λ_a)/9, and 2(w_a + w_b) for c.
    assert_equals(pool, all[0], "7/54");
    assert_equals(pool, all[1], "-11/54");
    assert_equals(pool, all[2], "-8/54");
}

#[test]
fn a_hamiltonian_without_velocities_keeps_hamiltons_equations() {
    let text = r#"
        name = "Lotka-Volterra"
        coordinates = ["q"]
        [hamiltonian]
        H = "exp(q) - q + exp(p_q) - p_q"
        [initial]
        position = { q = 1 }
        momentum = { q = 0 }
    "#;
    let mut system = derive(parsed(text), &mut budget()).unwrap();
    let field = system.mechanics.hamiltonian_field().unwrap().clone();
    let pool = &mut system.model.pool;
    assert_equals(pool, field.position_rate[0], "exp(p_q) - 1");
    assert_equals(pool, field.momentum_rate[0], "1 - exp(q)");
    let analysis = analyse(&mut system, &budget());
    assert_eq!(analysis.conservation.conserved[0].name, "energy");
}

#[test]
fn a_long_chain_stays_sparse() {
    let bytes =
        std::fs::read(format!("{}/../../models/chain.toml", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let nodes = |links: &str| {
        let mut text = isotrope_model::ModelText::new("chain", &bytes);
        text.set = vec![links];
        let model = isotrope_model::parse_model(&text).unwrap();
        let mut budget = Budget::new(50_000_000);
        let system = derive(model, &mut budget).unwrap();
        assert!(!parts(&system).eliminated.explicit);
        (system.model.pool.len(), budget.spent())
    };
    let (small, large) = (nodes("N=50"), nodes("N=200"));
    // Linear in N: four times the links, at most five times the nodes and operations.
    assert!(large.0 < 5 * small.0 && large.1 < 5 * small.1, "{small:?} {large:?}");
}

#[test]
fn a_momentum_without_reaction_is_conserved_under_constraints() {
    // z' = y x' - x y' on a free particle: lambda = 0, so nothing is lost.
    let text = r#"
        name = "Heisenberg"
        coordinates = ["x", "y", "z"]
        [lagrangian]
        L = "(x'^2 + y'^2 + z'^2)/2"
        [constraints]
        c = "z' = y*x' - x*y'"
        [initial]
        position = { x = 1, y = 0, z = 0 }
        velocity = { x = 1, y = 0, z = 0 }
    "#;
    let mut system = derive(parsed(text), &mut budget()).unwrap();
    let analysis = analyse(&mut system, &budget());
    assert!(analysis.conservation.lost.is_empty());
    let names: Vec<_> = analysis.conservation.conserved.iter().map(|c| c.name.as_str()).collect();
    for name in ["energy", "p_x", "p_y", "p_z"] {
        assert!(names.contains(&name), "{names:?}");
    }
}

#[test]
fn an_undecided_power_is_not_called_zero() {
    // The damping acts only beyond x = 2; random points near zero do not see it.
    let text = r#"
        name = "contact"
        coordinates = ["x"]
        [lagrangian]
        L = "x'^2/2"
        [forces]
        x = "-x'*(abs(x-2) + x - 2)"
        [initial]
        position = { x = 3 }
        velocity = { x = 1 }
    "#;
    let mut system = derive(parsed(text), &mut budget()).unwrap();
    let analysis = analyse(&mut system, &budget());
    // What the damping takes is a function of x, which the momentum and it add up to.
    let names: Vec<_> = analysis.conservation.conserved.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["momentum of a symmetry"]);
    assert!(analysis.conservation.energy_rate.is_some());
}

#[test]
fn a_coordinate_named_like_a_multiplier_stays_apart_from_it() {
    let text = r#"
        name = "clash"
        coordinates = ["lambda_c", "y"]
        [lagrangian]
        L = "(lambda_c'^2 + y'^2)/2 - lambda_c*y"
        [constraints]
        c = "y' = lambda_c*lambda_c'"
        [initial]
        position = { lambda_c = 1, y = 0 }
        velocity = { lambda_c = 0, y = 0 }
    "#;
    let mut system = derive(parsed(text), &mut budget()).unwrap();
    let p = parts(&system);
    let (symbol, residual) = (p.multiplier_symbols[0], p.residual[1]);
    assert_ne!(symbol, system.symbols.position[0]);
    let name = system.model.pool.name_of(symbol).unwrap().to_owned();
    let text = format!("y'' + lambda_c - {name}");
    assert_equals(&mut system.model.pool, residual, &text);
}

#[test]
fn the_rolling_discs_horizontal_momentum_is_conserved() {
    let (_, analysis) = analysed("rolling_disc");
    let names: Vec<_> = analysis.conservation.conserved.iter().map(|c| c.name.as_str()).collect();
    // The centre of the circle that the disc describes, and the angles about it.
    let others = ["integral 1", "integral 2", "integral 3"];
    assert_eq!(names[..5], ["energy", "p_phi", "p_theta", "J_1", "boost_phi"]);
    assert_eq!(names[5..], others);
}

#[test]
fn forces_of_a_hamiltonian_model_become_functions_of_velocities() {
    let text = r#"
        name = "damped"
        coordinates = ["x"]
        parameters = { m = 2 }
        [hamiltonian]
        H = "p_x^2/(2*m) + x^2/2"
        [forces]
        x = "-p_x"
        [initial]
        position = { x = 1 }
        momentum = { x = 0 }
    "#;
    let mut system = derive(parsed(text), &mut budget()).unwrap();
    let acceleration = parts(&system).eliminated.acceleration[0];
    assert_equals(&mut system.model.pool, acceleration, "-x/m - x'");
}

/// Two roads: the short one of runs finds what the whole search finds beside the energy and symmetries with time.
#[test]
fn runs_watch_the_momenta_that_the_whole_search_finds() {
    let mut short = 0;
    for name in SMALL {
        let (_, analysis) = analysed(name);
        let mut alone = system(name);
        let Some(watched) = watched(&mut alone, &mut budget()) else { continue };
        short += 1;
        // The whole search knows of which momenta and boosts these are functions.
        let derived = |quantity: &Conserved| quantity.name.starts_with("momentum of a linear");
        let told = |list: &[Conserved]| -> Vec<(String, bool)> {
            let momenta = list
                .iter()
                .filter(|quantity| quantity.name != "energy" && quantity.generator.is_none())
                .filter(|quantity| quantity.law != Law::Direct && !derived(quantity));
            momenta.map(|quantity| (quantity.name.clone(), quantity.strict)).collect()
        };
        let all = &analysis.conservation.conserved;
        assert_eq!(told(&watched.conserved), told(all), "{name}");
        // Every momentum is kept by the flow, shown by the whole search in the pool of the short one.
        let report = classify(&mut alone, &mut budget());
        let proved = conserve(&mut alone, &report, Integrals::default(), &mut budget());
        for quantity in watched.conserved.iter().filter(|quantity| !derived(quantity)) {
            let same = proved.conserved.iter().find(|other| other.name == quantity.name).unwrap();
            assert_eq!(same.expression, quantity.expression, "{name}: {}", quantity.name);
        }
    }
    assert!(short >= 15, "{short} models");
}
