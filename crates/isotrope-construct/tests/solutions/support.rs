//! Order conditions as polynomials.

use isotrope_algebra::modular::Random;
use isotrope_algebra::polynomial::Polynomial;
use isotrope_algebra::{Budget, Rational};
use isotrope_construct::numeric::{NumericSolution, Standing};
use isotrope_construct::{SymbolicTables, tree_weights};
use isotrope_methods::classes::{Class, Part, Structure, conditions};
use isotrope_methods::trees::{Family, Trees};

pub fn budget() -> Budget {
    Budget::new(100_000_000_000)
}

/// Which entries of a matrix are unknowns; the others are zero.
#[derive(Clone, Copy, PartialEq)]
pub enum Shape {
    Full,
    Lower,
    StrictlyLower,
}

impl Shape {
    fn has(self, row: usize, column: usize) -> bool {
        match self {
            Self::Full => true,
            Self::Lower => column <= row,
            Self::StrictlyLower => column < row,
        }
    }
}

/// Names unknowns one after the other.
struct Unknowns(usize);

impl Unknowns {
    fn next(&mut self) -> Polynomial {
        self.0 += 1;
        Polynomial::variable(self.0 - 1)
    }

    fn matrix(&mut self, stages: usize, shape: Shape) -> Vec<Vec<Polynomial>> {
        let mut entry = |i, j| if shape.has(i, j) { self.next() } else { Polynomial::zero() };
        (0..stages).map(|i| (0..stages).map(|j| entry(i, j)).collect()).collect()
    }

    fn weights(&mut self, stages: usize) -> Vec<Polynomial> {
        (0..stages).map(|_| self.next()).collect()
    }
}

/// One table with unknowns: the entries of a by rows, then b. Gives the number of unknowns.
pub fn one_table(stages: usize, shape: Shape) -> (SymbolicTables, usize) {
    let mut unknowns = Unknowns(0);
    let matrices = vec![unknowns.matrix(stages, shape)];
    let weights = vec![unknowns.weights(stages)];
    (SymbolicTables { matrices, weights }, unknowns.0)
}

/// Tables with unknowns a, b, abar, bbar, btil, in this order.
pub fn three_tables(stages: usize, a: Shape, abar: Shape) -> (SymbolicTables, usize) {
    let mut unknowns = Unknowns(0);
    let (a, b) = (unknowns.matrix(stages, a), unknowns.weights(stages));
    let (abar, bbar) = (unknowns.matrix(stages, abar), unknowns.weights(stages));
    let btil = unknowns.weights(stages);
    let tables =
        SymbolicTables { matrices: vec![a, abar, Vec::new()], weights: vec![b, bbar, btil] };
    (tables, unknowns.0)
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
    point.coordinates.iter().map(text).collect()
}

/// Rational coordinates of a proved solution.
pub fn rational(solution: &NumericSolution) -> Vec<Rational> {
    let Standing::Proved(point) = &solution.standing else {
        panic!("not proved: {:?}", solution.standing)
    };
    point.coordinates.iter().map(|value| value.as_rational().unwrap().clone()).collect()
}

/// The conditions for defects O(h^m) on a class, for methods of an order.
pub fn structure_conditions(
    class: Class,
    tables: &SymbolicTables,
    order: usize,
    exponent: usize,
) -> Vec<Polynomial> {
    let budget = &mut budget();
    let random = &mut Random::new(7);
    let structure = Structure::Submanifold;
    let found = conditions(class, structure, exponent - 1, random, budget, &mut |_| {}).unwrap();
    let weights = tree_weights(found.trees(), tables, budget).unwrap();
    let mut polynomials = Vec::new();
    for power in order + 1..exponent {
        for condition in found.given(Part::All, power, order, budget).unwrap() {
            let mut sum = Polynomial::zero();
            for (forest, coefficient) in &condition.terms {
                let mut product = Polynomial::constant(coefficient.clone());
                for tree in forest.trees() {
                    product = product.mul(&weights[tree.index()], budget).unwrap();
                }
                sum = sum.add(&product, budget).unwrap();
            }
            polynomials.push(sum);
        }
    }
    polynomials
}
