//! Discrete Lagrangians and discrete Dirac structures: formulas on paper, identities.

use isotrope_algebra::calculus::{Substitution, gradient, substitute};
use isotrope_algebra::evaluate::evaluate_balls;
use isotrope_algebra::normal::Zero;
use isotrope_algebra::{Ball, Budget, ExprId, Pool, Precision};
use isotrope_derive::{Analysis, System, analyse, derive};
use isotrope_scheme::{
    DiscreteAction, DiscreteDirac, DiscreteLagrangian, DiscretiseError, FirstDirac, Relation, Side,
};
use rustc_hash::FxHashMap;

use crate::support::{analysed, assert_equals, budget, parsed, parts};

fn action(system: &System, method: &str) -> DiscreteAction {
    made(system, method).unwrap()
}

fn made(system: &System, method: &str) -> Result<DiscreteAction, DiscretiseError> {
    let lagrangian = DiscreteLagrangian::named(method, &mut budget()).unwrap().unwrap();
    DiscreteAction::new(system, &lagrangian, &mut budget())
}

fn written(text: &str) -> (System, Analysis) {
    let mut system = derive(parsed(text), &mut budget()).unwrap();
    let analysis = analyse(&mut system, &budget());
    (system, analysis)
}

#[track_caller]
fn assert_equal(action: &mut DiscreteAction, found: ExprId, wanted: &str) {
    assert_equals(&mut action.pool, found, wanted);
}

const PARTICLE: &str = r#"
    coordinates = ["q"]
    parameters = { m = 2 }
    lagrangian.L = "m/2*q'^2 - q^4/4 + cos(q)"
    initial.position = { q = 1 }
    initial.velocity = { q = 0 }
"#;

/// m(q⁺ − q)/h + (h/2)U'(q_{+½}) = m(q − q⁻)/h − (h/2)U'(q_{−½}), with U' = q³ + sin q.
#[test]
fn the_midpoint_rule_has_the_equation_of_the_books() {
    let (system, _) = written(PARTICLE);
    let mut action = action(&system, "variational-midpoint");
    let list = action.euler_lagrange(&mut budget()).unwrap().unwrap();
    assert_equal(
        &mut action,
        list[0],
        "m*(q - q_prev)/h - h/2*(((q_prev + q)/2)^3 + sin((q_prev + q)/2))
         - m*(q_next - q)/h - h/2*(((q + q_next)/2)^3 + sin((q + q_next)/2))",
    );
}

#[test]
fn the_trapezoid_rule_is_stoermer_and_verlet() {
    let (system, _) = written(PARTICLE);
    let mut action = action(&system, "variational-trapezoid");
    let list = action.euler_lagrange(&mut budget()).unwrap().unwrap();
    assert_equal(&mut action, list[0], "-m*(q_next - 2*q + q_prev)/h - h*(q^3 + sin(q))");
}

/// S = Σ b_i h L(Q(c_i), Q'(c_i)) of a free particle is h m/2 ∫ Q'²: 7, −8, 1 over 3 by hand.
#[test]
fn polynomials_of_degree_two_integrate_squares_of_their_velocities() {
    let (system, _) = written(
        r#"
        coordinates = ["q"]
        lagrangian.L = "q'^2/2"
        initial.position = { q = 1 }
        initial.velocity = { q = 0 }
        "#,
    );
    for method in ["galerkin-2-gauss2", "galerkin-2-gauss3", "galerkin-2-lobatto3"] {
        let mut action = action(&system, method);
        let found = action.action;
        assert_equal(
            &mut action,
            found,
            "(7*q^2 + 16*q_1^2 + 7*q_next^2 - 16*q*q_1 + 2*q*q_next - 16*q_1*q_next)/(6*h)",
        );
    }
}

/// The time of the step before is one step earlier.
#[test]
fn forces_that_depend_on_time_are_taken_in_their_own_step() {
    let (system, _) = written(
        r#"
        coordinates = ["q"]
        lagrangian.L = "q'^2/2 + q*t^2"
        initial.position = { q = 1 }
        initial.velocity = { q = 0 }
        "#,
    );
    let mut action = action(&system, "variational-midpoint");
    let list = action.euler_lagrange(&mut budget()).unwrap().unwrap();
    assert_equal(
        &mut action,
        list[0],
        "(q - q_prev)/h - (q_next - q)/h + h/2*((t - h/2)^2 + (t + h/2)^2)",
    );
    assert_eq!(action.is_self_adjoint(&mut budget()).unwrap(), Zero::Yes);
}

/// Derivatives of S against differences of S, at a point.
#[test]
fn derivatives_are_limits_of_differences() {
    let (system, _) = analysed("kepler");
    let action = action(&system, "galerkin-2-gauss2");
    let precision = Precision::new(256);
    let near = |x: f64| Ball::from_f64(x, precision).unwrap();
    let mut values: FxHashMap<ExprId, Ball> = FxHashMap::default();
    let symbols: Vec<ExprId> = action.points.concat();
    for (k, &symbol) in symbols.iter().enumerate() {
        values.insert(symbol, near(0.7 + 0.03 * k as f64 * k as f64));
    }
    values.insert(action.step, near(0.1));
    values.extend(system.model.parameters.iter().map(|p| (p.symbol, near(1.25))));
    let at = |values: &FxHashMap<ExprId, Ball>, list: &[ExprId]| -> Vec<Ball> {
        evaluate_balls(&action.pool, list, values, precision).unwrap()
    };
    let derivatives = at(&values, &action.derivatives.concat());
    let step = 2f64.powi(-40);
    for (&symbol, derivative) in symbols.iter().zip(&derivatives) {
        let sides = [step, -step].map(|way| {
            let mut moved = values.clone();
            moved.insert(symbol, values[&symbol].add(&near(way)));
            at(&moved, &[action.action]).remove(0)
        });
        let slope = sides[0].sub(&sides[1]).to_f64() / (2.0 * step);
        let error = (slope - derivative.to_f64()).abs();
        assert!(error < 1e-12 * (1.0 + slope.abs()), "{error:e}");
    }
}

#[test]
fn symmetric_methods_are_their_own_adjoints_and_rectangles_are_not() {
    let (system, _) = analysed("double_pendulum");
    for (method, wanted) in [
        ("variational-midpoint", Zero::Yes),
        ("variational-trapezoid", Zero::Yes),
        ("symmetric:variational-euler", Zero::Yes),
        ("variational-euler", Zero::No),
        ("variational-euler-adjoint", Zero::No),
    ] {
        let found = action(&system, method).is_self_adjoint(&mut budget()).unwrap();
        assert_eq!(found, wanted, "{method}");
    }
}

/// Rotations: every discrete Lagrangian by polynomials has them; one that squares x is another.
#[test]
fn rotations_of_kepler_are_kept_unless_the_discrete_lagrangian_breaks_them() {
    let (system, analysis) = analysed("kepler");
    let symmetry = &analysis.conservation.symmetries[0];
    for method in ["variational-midpoint", "galerkin-2-gauss2", "galerkin-3-lobatto4"] {
        let mut action = action(&system, method);
        let answer = action.is_invariant(&system, symmetry, &mut budget()).unwrap();
        assert_eq!(answer, Zero::Yes, "{method}");
    }
    let (system, analysis) = written(
        r#"
        coordinates = ["x", "y"]
        lagrangian.L = "(x'^2 + y'^2)/2 - (x^2 + y^2)/2"
        discrete.L = "((x_next - x)^2 + (y_next - y)^2)/(2*h) - h/2*(x*x_next + y^2)"
        initial.position = { x = 1, y = 0 }
        initial.velocity = { x = 0, y = 1 }
        "#,
    );
    let symmetry = &analysis.conservation.symmetries[0];
    let mut own = action(&system, "variational-own");
    assert_eq!(own.is_invariant(&system, symmetry, &mut budget()).unwrap(), Zero::No);
    assert_eq!(own.is_self_adjoint(&mut budget()).unwrap(), Zero::No);
    let mut both = action(&system, "symmetric:variational-own");
    assert_eq!(both.is_self_adjoint(&mut budget()).unwrap(), Zero::Yes);
}

fn sides(action: &mut DiscreteAction, system: &System, analysis: &Analysis) -> [DiscreteDirac; 2] {
    let structure = analysis.dirac.as_ref().unwrap();
    [Side::Plus, Side::Minus]
        .map(|side| DiscreteDirac::new(action, system, structure, side, &mut budget()).unwrap())
}

const MODELS: [(&str, &str); 5] = [
    ("double_pendulum", "variational-midpoint"),
    ("pendulum", "variational-trapezoid"),
    ("sleigh", "variational-midpoint"),
    ("ziegler_damped", "variational-euler-adjoint"),
    ("rolling_disc", "variational-trapezoid"),
];

#[test]
fn discrete_dirac_structures_are_isotropic_and_of_half_rank() {
    for (model, method) in MODELS {
        let (system, analysis) = analysed(model);
        let mut action = action(&system, method);
        for scheme in sides(&mut action, &system, &analysis) {
            let structure = &scheme.structure;
            assert_eq!(structure.is_isotropic(&mut action.pool, &mut budget()), Zero::Yes);
            let rank = structure.rank(&mut action.pool, &mut budget()).unwrap();
            assert_eq!(rank.rank, structure.base.len(), "{model}");
        }
    }
}

/// The velocity form is the discrete Dirac differential: p = ∂l/∂v and h ∂l/∂q by the derivatives of
/// L_d in its two points, with forces.
#[test]
fn the_scheme_in_q_v_p_has_the_legendre_transforms() {
    for (model, method) in MODELS {
        let (system, analysis) = analysed(model);
        let mut action = action(&system, method);
        let [before, after] = [action.momenta_before(), action.momenta_after()];
        for scheme in sides(&mut action, &system, &analysis) {
            let (from, to) = (action.points[0].clone(), action.points[1].clone());
            let mut map = Substitution::default();
            for ((&a, &b), &v) in from.iter().zip(&to).zip(&system.symbols.velocity) {
                let way = action.pool.mul(action.step, v);
                match scheme.side {
                    Side::Plus => map.insert(b, action.pool.add(a, way)),
                    Side::Minus => map.insert(a, action.pool.sub(b, way)),
                };
            }
            let moved = |action: &mut DiscreteAction, list: &[ExprId]| {
                substitute(&mut action.pool, list, &map, &mut budget()).unwrap()
            };
            let before = moved(&mut action, &before);
            let after = moved(&mut action, &after);
            for i in 0..from.len() {
                let wanted = if scheme.side == Side::Plus { after[i] } else { before[i] };
                let difference = action.pool.sub(scheme.momentum[i], wanted);
                assert_eq!(action.vanishes(difference), Zero::Yes, "{model} {method}");
                // p⁺ − p = −β_q.
                let push = action.pool.sub(after[i], before[i]);
                let sum = action.pool.add(scheme.covector[i], push);
                assert_eq!(action.vanishes(sum), Zero::Yes, "{model} {method}");
            }
        }
    }
}

/// d(p⁺·q⁺ − L_d) = p·dq + q⁺·dp⁺ with p = −D₁L_d, p⁺ = D₂L_d, as forms in (q, q⁺): the generating
/// function of the (+)-structure, in coordinates of the pair; and −d(p·q + L_d) = −q·dp − p⁺·dq⁺.
#[test]
fn legendre_transforms_of_the_discrete_lagrangian_generate_both_structures() {
    let (system, _) = analysed("double_pendulum");
    let mut action = action(&system, "variational-midpoint");
    let (q, next) = (action.points[0].clone(), action.points[1].clone());
    let (p, p_next) = (action.momenta_before(), action.momenta_after());
    let pool = &mut action.pool;
    let dot = |pool: &mut Pool, a: &[ExprId], b: &[ExprId]| {
        let terms: Vec<ExprId> = a.iter().zip(b).map(|(&a, &b)| pool.mul(a, b)).collect();
        pool.sum(&terms)
    };
    let arriving = dot(pool, &p_next, &next);
    let right = pool.sub(arriving, action.action);
    let leaving = dot(pool, &p, &q);
    let left = pool.add(leaving, action.action);
    let variables: Vec<ExprId> = q.iter().chain(&next).copied().collect();
    let mut zeros = Vec::new();
    for (k, &variable) in variables.iter().enumerate() {
        let slope = |pool: &mut Pool, list: &[ExprId]| -> Vec<ExprId> {
            list.iter()
                .map(|&x| gradient(pool, x, &[variable], &mut budget()).unwrap()[0])
                .collect()
        };
        let n = q.len();
        let of_p_next = slope(pool, &p_next);
        let wanted = dot(pool, &next, &of_p_next);
        let wanted = if k < n { pool.add(wanted, p[k]) } else { wanted };
        let found = slope(pool, &[right])[0];
        zeros.push(pool.sub(found, wanted));
        let of_p = slope(pool, &p);
        let wanted = dot(pool, &q, &of_p);
        let wanted = if k < n { wanted } else { pool.add(wanted, p_next[k - n]) };
        let found = slope(pool, &[left])[0];
        zeros.push(pool.sub(found, wanted));
    }
    assert_eq!(action.all_vanish(&zeros), Zero::Yes);
}

/// dq∧dp on admissible variations changes by Λ α([X, Y]), the Courant tensor: zero where constraints
/// integrate.
#[test]
fn the_form_changes_by_the_bracket_that_does_not_close() {
    for (model, method) in [("sleigh", "variational-midpoint"), ("knife_edge", "variational-euler")]
    {
        let (system, analysis) = analysed(model);
        let obstruction = analysis.distribution.obstruction.clone().unwrap();
        let mut action = action(&system, method);
        for scheme in sides(&mut action, &system, &analysis) {
            let defects = scheme.form_defects(&mut action, &mut budget()).unwrap();
            let wanted_fields = (obstruction.first, obstruction.second);
            let found = defects.iter().find(|defect| defect.fields == wanted_fields).unwrap().value;
            let at = if scheme.side == Side::Plus { 0 } else { 1 };
            let map: Substitution =
                action.points[0].iter().copied().zip(action.points[at].clone()).collect();
            let value =
                substitute(&mut action.pool, &[obstruction.value], &map, &mut budget()).unwrap()[0];
            let impulse = action.impulses[at][obstruction.form];
            let wanted = action.pool.mul(impulse, value);
            let difference = action.pool.sub(found, wanted);
            assert_eq!(action.vanishes(difference), Zero::Yes, "{model}");
        }
    }
    for (model, method) in
        [("pendulum", "variational-midpoint"), ("double_pendulum", "variational-euler")]
    {
        let (system, analysis) = analysed(model);
        let mut action = action(&system, method);
        for scheme in sides(&mut action, &system, &analysis) {
            assert_eq!(scheme.form_defects(&mut action, &mut budget()).unwrap(), [], "{model}");
        }
    }
}

fn first(model: &str, method: &str) -> (System, DiscreteAction, FirstDirac) {
    let (system, analysis) = analysed(model);
    let mut action = action(&system, method);
    let structure = analysis.dirac.as_ref().unwrap();
    let found = FirstDirac::new(&mut action, &system, structure, &mut budget()).unwrap();
    (system, action, found)
}

#[test]
fn dirac_1_is_the_plus_scheme_of_the_rectangle() {
    for model in ["double_pendulum", "pendulum", "sleigh", "sleigh_incline", "ziegler_damped"] {
        let (.., found) = first(model, "variational-euler");
        assert_eq!(found.is_rectangle, Zero::Yes, "{model}");
        assert_eq!(found.relation, Relation::Same, "{model}");
        assert!(matches!(found.is_symplectic_euler, Some(Zero::Yes) | None), "{model}");
    }
}

/// T(v) − U(q): the trapezoid differs by the total difference of −h U/2, and p by its gradient.
#[test]
fn the_trapezoid_has_the_positions_of_dirac_1_and_shifted_momenta() {
    let (_, mut action, found) = first("pendulum_angle", "variational-trapezoid");
    let Relation::Shifted(shift) = found.relation else { panic!("{:?}", found.relation) };
    assert_equal(&mut action, shift[0], "-h/2*g*l*m*sin(theta)");
    let (_, mut action, found) = first("pendulum_angle", "variational-euler-adjoint");
    let Relation::Shifted(shift) = found.relation else { panic!("{:?}", found.relation) };
    assert_equal(&mut action, shift[0], "-h*g*l*m*sin(theta)");
    let (.., found) = first("pendulum_angle", "variational-midpoint");
    assert!(matches!(found.relation, Relation::Different { coordinate: 0, .. }));
    // With a mass matrix that varies the rectangles are not so close.
    let (.., found) = first("double_pendulum", "variational-trapezoid");
    assert!(matches!(found.relation, Relation::Different { .. }));
    let (.., found) = first("pendulum_angle", "galerkin-2-gauss2");
    assert_eq!(found.relation, Relation::InnerPoints);
}

/// φ(q + h v) = φ(q) + h A v + h²|v|².
#[test]
fn dirac_1_leaves_the_circle_by_the_square_of_the_velocity() {
    let (_, mut action, found) = first("pendulum", "variational-trapezoid");
    let [excess] = found.conditions[..] else { panic!() };
    assert_equal(&mut action, excess, "h^2*(x'^2 + y'^2)");
}

#[test]
fn what_makes_no_step_has_no_action_either() {
    let (sleigh, _) = analysed("sleigh");
    for method in ["dirac-variational-2", "galerkin-3-gauss2", "variational-own"] {
        let refused = made(&sleigh, method);
        assert!(matches!(refused, Err(DiscretiseError::NotApplicable { .. })), "{method}");
    }
    let stopped = DiscreteAction::new(
        &sleigh,
        &DiscreteLagrangian::named("galerkin-3-gauss3", &mut budget()).unwrap().unwrap(),
        &mut Budget::new(100),
    );
    assert!(stopped.is_err());
    assert!(!parts(&sleigh).rows.is_empty());
}
