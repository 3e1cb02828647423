//! Order conditions as polynomials.

use isotrope_algebra::polynomial::Polynomial;
use isotrope_algebra::{Budget, Rational};
use isotrope_scheme::construct::numeric::{NumericSolution, Standing};
use isotrope_scheme::construct::{SymbolicTables, tree_weights};
use isotrope_scheme::methods::trees::{Family, Trees};

pub fn budget() -> Budget {
    Budget::new(100_000_000_000)
}

/// Which entries of a matrix are unknowns; the others are zero.
#[derive(Clone, Copy, PartialEq)]
pub enum Shape {
    Full,
    StrictlyLower,
}

/// One table with unknowns: the entries of a by rows, then b. Gives the number of unknowns.
pub fn one_table(stages: usize, shape: Shape) -> (SymbolicTables, usize) {
    let mut unknowns = 0;
    let mut next = || {
        unknowns += 1;
        Polynomial::variable(unknowns - 1)
    };
    let matrix: Vec<Vec<Polynomial>> = (0..stages)
        .map(|i| {
            let inside = |j: usize| shape == Shape::Full || j < i;
            (0..stages).map(|j| if inside(j) { next() } else { Polynomial::zero() }).collect()
        })
        .collect();
    let weights = (0..stages).map(|_| next()).collect();
    (SymbolicTables { matrices: vec![matrix], weights: vec![weights] }, unknowns)
}

/// Tables (a,b), (abar,bbar), btil with unknowns, in this order.
pub fn three_tables(stages: usize, shape: Shape) -> (SymbolicTables, usize) {
    let (one, count) = one_table(stages, shape);
    let shifted = |p: &Polynomial, by: usize| {
        p.as_variable().map_or(Polynomial::zero(), |index| Polynomial::variable(index + by))
    };
    let shift = |row: &Vec<Polynomial>, by: usize| row.iter().map(|p| shifted(p, by)).collect();
    let second: Vec<Vec<Polynomial>> = one.matrices[0].iter().map(|r| shift(r, count)).collect();
    let weights = vec![
        one.weights[0].clone(),
        shift(&one.weights[0], count),
        shift(&one.weights[0], count + stages),
    ];
    let matrices = vec![one.matrices[0].clone(), second, Vec::new()];
    (SymbolicTables { matrices, weights }, 2 * count + stages)
}

/// w(t) − 1/γ(t) through an order.
pub fn order_conditions(family: &Family, tables: &SymbolicTables, order: usize) -> Vec<Polynomial> {
    let budget = &mut budget();
    let trees = Trees::up_to(family, order, budget).unwrap();
    let weights = tree_weights(&trees, tables, budget).unwrap();
    trees
        .ids()
        .zip(weights)
        .map(|(tree, weight)| {
            let exact = trees.gamma(tree).recip().unwrap();
            weight.sub(&Polynomial::constant(exact), budget).unwrap()
        })
        .collect()
}

/// The coordinates of a proved solution as text.
pub fn proved(solution: &NumericSolution) -> Vec<String> {
    let Standing::Proved(point) = &solution.standing else {
        panic!("not proved: {:?}", solution.standing)
    };
    let text = |value| point.field.to_algebraic(value, &mut budget()).unwrap().to_string();
    point.values.iter().map(text).collect()
}

/// Rational coordinates of a proved solution.
pub fn rational(solution: &NumericSolution) -> Vec<Rational> {
    let Standing::Proved(point) = &solution.standing else {
        panic!("not proved: {:?}", solution.standing)
    };
    point.values.iter().map(|value| value.as_rational().unwrap().clone()).collect()
}
