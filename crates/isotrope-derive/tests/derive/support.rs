//! Shared by the derivation tests: models from the repository, exact comparisons.

use isotrope_algebra::normal::{Zero, is_zero};
use isotrope_algebra::syntax::parse_expression;
use isotrope_algebra::{Budget, ExprId, Pool, print};
use isotrope_derive::{
    Analysis, ConstraintRows, DeriveError, Dynamics, Eliminated, Hamiltonian, LagrangianMechanics,
    System, analyse, derive, hamiltonian,
};
use isotrope_model::{Model, ModelText, parse_model};

/// Every shipped model small enough to be inspected.
pub const SMALL: &[&str] = &[
    "double_pendulum",
    "henon_heiles",
    "kepler",
    "knife_edge",
    "n_pendulum",
    "nonholonomic_oscillator",
    "pendulum",
    "pendulum_angle",
    "rolling_disc",
    "sleigh",
    "sleigh_incline",
    "sphere_drift",
    "spherical_pendulum",
    "three_particles",
    "ziegler",
    "ziegler_angles",
    "ziegler_damped",
];

pub fn budget() -> Budget {
    Budget::new(200_000_000)
}

pub fn model(name: &str) -> Model {
    let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).unwrap();
    parse_model(&ModelText::new(name, &bytes)).unwrap()
}

pub fn parsed(text: &str) -> Model {
    parse_model(&ModelText::new("test.toml", text.as_bytes())).unwrap()
}

pub fn system(name: &str) -> System {
    derive(model(name), &mut budget()).unwrap()
}

pub fn refusals(text: &str) -> Vec<DeriveError> {
    derive(parsed(text), &mut budget()).unwrap_err()
}

pub fn analysed(name: &str) -> (System, Analysis) {
    let mut system = system(name);
    let analysis = analyse(&mut system, &budget());
    (system, analysis)
}

/// The parts of a Lagrangian system.
pub struct Parts<'s> {
    pub dynamics: &'s Dynamics,
    pub rows: &'s ConstraintRows,
    pub multiplier_symbols: &'s [ExprId],
    pub residual: &'s [ExprId],
    pub eliminated: &'s Eliminated,
}

pub fn parts(system: &System) -> Parts<'_> {
    let LagrangianMechanics { dynamics, rows, multiplier_symbols, residual, eliminated } =
        system.mechanics.lagrangian().expect("a Lagrangian system");
    Parts { dynamics, rows, multiplier_symbols, residual, eliminated }
}

pub fn hamiltonian_of(system: &mut System) -> Hamiltonian {
    hamiltonian(system, &mut budget()).expect("a Lagrangian system")
}

/// Are two expressions equal, proved exactly?
pub fn equal(pool: &mut Pool, a: ExprId, b: ExprId) -> Zero {
    let difference = pool.sub(a, b);
    is_zero(pool, difference, &mut budget())
}

/// Asserts that an expression equals a text, proved exactly.
#[track_caller]
pub fn assert_equals(pool: &mut Pool, expression: ExprId, text: &str) {
    let other = parse_expression(pool, text).unwrap();
    let printed = print::to_text(pool, expression, &mut Budget::new(100_000)).unwrap();
    assert_eq!(equal(pool, expression, other), Zero::Yes, "{printed} is not {text}");
}
