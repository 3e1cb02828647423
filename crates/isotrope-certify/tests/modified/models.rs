//! Modified equations and Hamiltonians of models.

use isotrope_algebra::calculus::{gradient, substitute};
use isotrope_algebra::evaluate::BallProgram;
use isotrope_algebra::normal::{Zero, is_zero};
use isotrope_algebra::syntax::parse_expression;
use isotrope_algebra::{Ball, ExprId, Precision, Rational, print};
use isotrope_certify::modified::{
    ModifiedEquation, ModifiedField, NoHamiltonian, Numbers, constraint_rates, energy_rate,
    modified_defect, modified_hamiltonian,
};
use isotrope_certify::{LocalMethod, ProblemSizes};
use isotrope_derive::System;
use isotrope_methods::trees::Family;

use crate::support::{beta, budget, derived, system, table, trees};

struct Found {
    system: System,
    equations: Vec<ModifiedEquation>,
    hamiltonian: Result<Vec<ExprId>, NoHamiltonian>,
}

fn modified(method: &str, model: &str, order: usize) -> Found {
    modified_system(method, system(model), order)
}

fn modified_system(method: &str, mut system: System, order: usize) -> Found {
    let table = table(method);
    let trees = trees(&Family::nystrom(), order);
    let beta = beta(&table, &trees);
    let numbers = Numbers::new(&table, &system.model.pool);
    let budget = &mut budget();
    let mut field =
        ModifiedField::new(&mut system, &trees, order, &beta, &numbers, budget).unwrap();
    let hamiltonian = modified_hamiltonian(&mut system, &mut field, order, budget).unwrap();
    Found { equations: field.equations.clone(), system, hamiltonian }
}

fn vanishes(system: &mut System, expression: ExprId) -> bool {
    is_zero(&mut system.model.pool, expression, &mut budget()) == Zero::Yes
}

fn text(system: &System, expression: ExprId) -> String {
    print::to_text(&system.model.pool, expression, &mut budget()).unwrap()
}

/// q' = ∂H/∂p and M v' = -∂H/∂q at p = M v, power by power: the sum over elementary Hamiltonians
/// against the sum over elementary differentials.
fn is_the_field_of_its_hamiltonian(method: &str, model: &str, order: usize) {
    let Found { mut system, equations, hamiltonian } = modified(method, model, order);
    let hamiltonian = hamiltonian.unwrap();
    let dynamics = system.mechanics.lagrangian().unwrap().dynamics.clone();
    let n = system.symbols.dimension();
    let symbols = system.symbols.clone();
    let momenta = symbols.momentum.iter().copied().zip(dynamics.momenta).collect();
    for (power, &term) in hamiltonian.iter().enumerate() {
        let pool = &mut system.model.pool;
        let by_p = gradient(pool, term, &symbols.momentum, &mut budget()).unwrap();
        let by_q = gradient(pool, term, &symbols.position, &mut budget()).unwrap();
        let both = [by_p, by_q].concat();
        let both = substitute(pool, &both, &momenta, &mut budget()).unwrap();
        for i in 0..n {
            let pool = &mut system.model.pool;
            let first = pool.sub(equations[i].powers[power], both[i]);
            let mut terms = vec![both[n + i]];
            for &(j, mass) in &dynamics.mass[i] {
                terms.push(pool.mul(mass, equations[n + j as usize].powers[power]));
            }
            let second = pool.sum(&terms);
            assert!(vanishes(&mut system, first), "{method} {model} h^{power}: q{i}");
            assert!(vanishes(&mut system, second), "{method} {model} h^{power}: v{i}");
        }
    }
}

#[test]
fn modified_equations_of_symplectic_methods_are_hamiltonian() {
    is_the_field_of_its_hamiltonian("midpoint", "pendulum_angle", 5);
    is_the_field_of_its_hamiltonian("verlet", "pendulum_angle", 5);
    is_the_field_of_its_hamiltonian("symplectic-euler", "henon_heiles", 4);
    is_the_field_of_its_hamiltonian("yoshida-4", "henon_heiles", 5);
    is_the_field_of_its_hamiltonian("verlet", "kepler", 3);
    is_the_field_of_its_hamiltonian("gauss-2", "henon_heiles", 5);
}

/// H + h²(vᵀU''v/12 - U'ᵀM⁻¹U'/24).
#[test]
fn verlet_has_the_known_modified_hamiltonian() {
    let Found { mut system, hamiltonian, .. } = modified("verlet", "pendulum_angle", 3);
    let hamiltonian = hamiltonian.unwrap();
    let known = "p_theta^2/(m*l^2)^2*m*g*l*cos(theta)/12 - (m*g*l*sin(theta))^2/(m*l^2)/24";
    let known = parse_expression(&mut system.model.pool, known).unwrap();
    let difference = system.model.pool.sub(hamiltonian[2], known);
    assert!(vanishes(&mut system, difference));
    assert!(hamiltonian[1].is_zero());
}

/// Euler's modified equation of the harmonic part: dE/dt = h (m l² θ'² ...) has a known first term,
/// h/2 (θ'² U'' + U'²/(m l²)): the energy of small oscillations grows.
#[test]
fn euler_gains_energy() {
    let Found { mut system, equations, .. } = modified("euler", "pendulum_angle", 2);
    let rate = energy_rate(&mut system, &equations, &mut budget()).unwrap();
    assert!(rate[0].is_zero());
    let known = "(theta'^2*m*g*l*cos(theta) + (m*g*l*sin(theta))^2/(m*l^2))/2";
    let known = parse_expression(&mut system.model.pool, known).unwrap();
    let difference = system.model.pool.sub(rate[1], known);
    assert!(vanishes(&mut system, difference), "{}", text(&system, rate[1]));
}

#[test]
fn models_that_have_no_modified_hamiltonian_here() {
    let reason = |model: &str| modified("midpoint", model, 1).hamiltonian.unwrap_err();
    assert_eq!(reason("pendulum"), NoHamiltonian::Constraints);
    assert_eq!(reason("double_pendulum"), NoHamiltonian::Mass);
    assert_eq!(reason("ziegler_angles"), NoHamiltonian::Forces);
}

/// The midpoint rule keeps bilinear constraints, xx' + yy' among them, exactly, and so does its
/// modified field; φ = x² + y² - l² it does not keep.
#[test]
fn the_modified_field_of_midpoint_keeps_bilinear_constraints() {
    let Found { mut system, equations, .. } = modified("midpoint", "pendulum", 5);
    let rates = constraint_rates(&mut system, &equations, &mut budget()).unwrap();
    let [position, velocity] = rates.as_slice() else { unreachable!() };
    assert!(position.on_positions && !velocity.on_positions);
    assert_eq!(velocity.powers.len(), 5);
    assert!(velocity.powers.iter().all(|&power| vanishes(&mut system, power)));
    assert!(!vanishes(&mut system, position.powers[2]));
    // On the constraints the rate is short; found by hand with xx' + yy' = 0 from the long one.
    assert_eq!(text(&system, position.powers[2]), "g*y'/2");
}

/// Verlet's method on the Hénon–Heiles system in doubles: for a long time the energy oscillates
/// with h², and H + h² H₃ with h⁴.
#[test]
fn the_modified_hamiltonian_is_kept_better_than_the_energy() {
    let Found { system, hamiltonian, .. } = modified("verlet", "henon_heiles", 3);
    let precision = Precision::new(96);
    let mut program = BallProgram::new(precision);
    for &symbol in system.symbols.position.iter().chain(&system.symbols.momentum) {
        program.input(symbol);
    }
    program.outputs(&system.model.pool, &hamiltonian.unwrap()).unwrap();
    let energies = |state: [f64; 4], h: f64| -> [f64; 2] {
        let ball = |x: f64| Ball::from_rational(&Rational::from_f64(x).unwrap(), precision);
        let values = program.run(&state.map(ball)).unwrap();
        let [first, .., last] = values.as_slice() else { unreachable!() };
        let correction = last.mul(&ball(h * h)).unwrap();
        [first.to_f64(), first.add(&correction).to_f64()]
    };
    let changes = |h: f64| -> [f64; 2] {
        let mut state = [0.1, 0.2, 0.3, -0.1];
        let kick = |[x, y, u, v]: [f64; 4]| {
            [x, y, u - h / 2.0 * (x + 2.0 * x * y), v - h / 2.0 * (y + x * x - y * y)]
        };
        let start = energies(state, h);
        let mut largest = [0.0_f64; 2];
        for _ in 0..(200.0 / h) as usize {
            let [x, y, u, v] = kick(state);
            state = kick([x + h * u, y + h * v, u, v]);
            let now = energies(state, h);
            largest = [0, 1].map(|k| largest[k].max((now[k] - start[k]).abs()));
        }
        largest
    };
    let (large, small) = (changes(1.0 / 8.0), changes(1.0 / 16.0));
    let slopes = [0, 1].map(|k| (large[k] / small[k]).log2());
    assert!((slopes[0] - 2.0).abs() < 0.1, "{slopes:?}");
    assert!((slopes[1] - 4.0).abs() < 0.2, "{slopes:?}");
}

fn slope(method: &str, model: &str, order: usize) -> f64 {
    slope_on(method, system(model), order)
}

fn slope_on(method: &str, system: System, order: usize) -> f64 {
    let Found { system, equations, .. } = modified_system(method, system, order);
    let table = table(method);
    let letter = None;
    let method = LocalMethod::Table(&table);
    let defect = modified_defect(
        &system,
        method,
        &equations,
        letter,
        &ProblemSizes::default(),
        &mut budget(),
    )
    .unwrap();
    assert!(defect.errors.windows(2).all(|pair| pair[1] < pair[0]));
    defect.slope.unwrap()
}

/// Truncated after h^(r-1), the modified equation is missed by O(h^(r+1)); by one more where the
/// next power is odd and the method symmetric.
#[test]
fn steps_are_the_flow_of_the_modified_equation() {
    let cases = [
        ("euler", "pendulum_angle", 1, 2.0),
        ("euler", "pendulum_angle", 4, 5.0),
        ("heun", "kepler", 3, 4.0),
        ("verlet", "henon_heiles", 4, 5.0),
        ("verlet", "henon_heiles", 3, 5.0),
        ("midpoint", "pendulum", 3, 5.0),
        ("symplectic-euler", "sleigh", 2, 3.0),
        ("yoshida-4", "pendulum_angle", 5, 7.0),
        ("sdirk-crouzeix-2", "pendulum_angle", 4, 5.0),
    ];
    for (method, model, order, expected) in cases {
        let slope = slope(method, model, order);
        assert!((slope - expected).abs() < 0.05, "{method} {model} {order}: {slope}");
    }
}

/// Time is one more variable, also in a constraint that moves.
#[test]
fn equations_may_depend_on_the_time() {
    let file = br#"
        coordinates = ["x", "y"]
        lagrangian.L = "x'^2/2 + y'^2/2 - y*cos(2*t)"
        constraints.rail = "y = x^2 + sin(t)"
        initial.position = { x = 1, y = 1 }
        initial.velocity = { x = 0, y = 1 }
    "#;
    for (method, order, expected) in [("heun", 3, 4.0), ("verlet", 3, 5.0)] {
        let slope = slope_on(method, derived(file), order);
        assert!((slope - expected).abs() < 0.05, "{method} {order}: {slope}");
    }
}

/// A wrong coefficient is seen: the equation of another method has the slope of its error only.
#[test]
fn the_equation_of_another_method_does_not_fit() {
    let Found { system, equations, .. } = modified("heun", "pendulum_angle", 3);
    let other = table("explicit-midpoint");
    let method = LocalMethod::Table(&other);
    let defect =
        modified_defect(&system, method, &equations, None, &ProblemSizes::default(), &mut budget())
            .unwrap();
    assert!((defect.slope.unwrap() - 3.0).abs() < 0.05);
}
