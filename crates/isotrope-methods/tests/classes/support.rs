//! The methods the tests speak of, by their exact tables.

use isotrope_algebra::modular::{self, PRIME, Random};
use isotrope_algebra::{Budget, Rational};
use isotrope_methods::classes::{
    Class, Conditions, Defects, Part, PrimeField, Residue, Scalars, Structure, conditions, measure,
};
use isotrope_methods::table::Coefficients;

/// A table of exact rationals.
pub type Exact = Coefficients<Rational>;

/// "1/2 0; 1 0" as rows.
pub fn matrix(text: &str) -> Vec<Vec<Rational>> {
    text.split(';').map(vector).collect()
}

/// "1/2 1/2" as numbers.
pub fn vector(text: &str) -> Vec<Rational> {
    text.split_whitespace().map(|x| x.parse().unwrap()).collect()
}

/// One table for all three groups.
pub fn one(a: &str, b: &str) -> Exact {
    let (a, b) = (matrix(a), vector(b));
    Coefficients { abar: a.clone(), bbar: b.clone(), btil: b.clone(), a, b }
}

/// Tables for positions and velocities, common weights.
pub fn pair(a: &str, abar: &str, b: &str) -> Exact {
    Coefficients { abar: matrix(abar), ..one(a, b) }
}

pub fn euler() -> Exact {
    one("0", "1")
}

pub fn symplectic_euler() -> Exact {
    pair("1", "0", "1")
}

pub fn symplectic_euler_adjoint() -> Exact {
    pair("0", "1", "1")
}

pub fn midpoint() -> Exact {
    one("1/2", "1")
}

pub fn heun() -> Exact {
    one("0 0; 1 0", "1/2 1/2")
}

pub fn ps3() -> Exact {
    one("0 0 0; 1/2 0 0; 0 1 0", "1/4 1/2 1/4")
}

pub fn verlet() -> Exact {
    pair("0 0; 1 0", "1/2 0; 1/2 0", "1/2 1/2")
}

pub fn sphere_explicit() -> Exact {
    let weights = vector("3/4 1/4");
    Coefficients { bbar: weights.clone(), btil: weights, ..pair("1 0; 0 1", "0 0; 1 0", "1/2 1/2") }
}

pub fn one_implicit_stage() -> Exact {
    one("0 0; 1/3 1/3", "1/4 3/4")
}

pub fn kutta3() -> Exact {
    one("0 0 0; 1/2 0 0; -1 2 0", "1/6 2/3 1/6")
}

pub fn radau2() -> Exact {
    one("5/12 -1/12; 3/4 1/4", "3/4 1/4")
}

pub fn rk4() -> Exact {
    one("0 0 0 0; 1/2 0 0 0; 0 1/2 0 0; 0 0 1 0", "1/6 1/3 1/3 1/6")
}

pub fn lobatto3() -> Exact {
    pair("0 0 0; 5/24 1/3 -1/24; 1/6 2/3 1/6", "1/6 -1/6 0; 1/6 1/3 0; 1/6 5/6 0", "1/6 2/3 1/6")
}

pub fn field() -> PrimeField {
    PrimeField::new(PRIME).unwrap()
}

/// The image of an exact table over a field.
pub fn over<S: Scalars>(scalars: &S, table: &Exact) -> Coefficients<S::Element> {
    table.map(|x| scalars.rational(x).unwrap())
}

pub fn defects(table: &Exact, class: Class, max_order: usize) -> Defects {
    let field = field();
    measure(&field, &over(&field, table), class, max_order, 2, &mut Random::new(11)).unwrap()
}

/// The conditions of a class from the usual seed.
pub fn computed(class: Class, structure: Structure, order: usize) -> Conditions {
    let budget = &mut Budget::new(10_000_000_000);
    conditions(class, structure, order, &mut Random::new(1), budget, &mut |_| {}).unwrap()
}

/// Number of conditions at h, h², …
pub fn ranks(found: &Conditions, part: Part) -> Vec<usize> {
    (1..=found.max_order()).map(|order| found.at(part, order).len()).collect()
}

/// Number of conditions at h^j for methods of order j − 1.
pub fn given_ranks(found: &Conditions, part: Part) -> Vec<usize> {
    let budget = &mut Budget::new(1_000_000_000);
    (1..=found.max_order())
        .map(|order| found.given(part, order, order - 1, budget).unwrap().len())
        .collect()
}

/// A field in which the nodes of Gauss's methods with two and three stages exist: both 3 and 15
/// are squares, and -1 is not.
pub fn gauss_field() -> PrimeField {
    PrimeField::new((1 << 31) - 69).unwrap()
}

/// Gauss with two or three stages, by collocation at 1/2 ± √3/6, or 1/2 and 1/2 ± √15/10.
pub fn gauss(field: &PrimeField, stages: usize) -> Coefficients<Residue> {
    let number = |n: i64, d: i64| field.rational(&Rational::new(n, d).unwrap()).unwrap();
    let root = |n: u64| field.element(modular::sqrt(n, field.prime()).unwrap());
    let half = number(1, 2);
    let (distance, middle) = match stages {
        2 => (field.mul(&root(3), &number(1, 6)), None),
        _ => (field.mul(&root(15), &number(1, 10)), Some(half)),
    };
    let mut nodes = vec![field.sub(&half, &distance)];
    nodes.extend(middle);
    nodes.push(field.add(&half, &distance));
    collocation(field, &nodes)
}

/// Collocation: a_ij is the integral of the j-th Lagrange polynomial from 0 to c_i.
pub fn collocation(field: &PrimeField, nodes: &[Residue]) -> Coefficients<Residue> {
    let integrals = |x: &Residue| -> Vec<Residue> {
        (0..nodes.len()).map(|j| integral(field, &lagrange(field, nodes, j), x)).collect()
    };
    let a: Vec<Vec<Residue>> = nodes.iter().map(integrals).collect();
    let b = integrals(&field.one());
    Coefficients { abar: a.clone(), bbar: b.clone(), btil: b.clone(), a, b }
}

/// Coefficients of the polynomial that is one at node j and zero at the others.
fn lagrange(field: &PrimeField, nodes: &[Residue], j: usize) -> Vec<Residue> {
    let mut polynomial = vec![field.one()];
    for (_, node) in nodes.iter().enumerate().filter(|(k, _)| *k != j) {
        let scale = field.inverse(&field.sub(&nodes[j], node)).unwrap();
        let mut next = vec![field.zero(); polynomial.len() + 1];
        for (i, coefficient) in polynomial.iter().enumerate() {
            let coefficient = field.mul(coefficient, &scale);
            next[i + 1] = field.add(&next[i + 1], &coefficient);
            next[i] = field.sub(&next[i], &field.mul(node, &coefficient));
        }
        polynomial = next;
    }
    polynomial
}

fn integral(field: &PrimeField, polynomial: &[Residue], x: &Residue) -> Residue {
    let mut power = field.one();
    let mut sum = field.zero();
    for (i, coefficient) in polynomial.iter().enumerate() {
        power = field.mul(&power, x);
        let inverse = field.inverse(&field.element(i as u64 + 1)).unwrap();
        sum = field.add(&sum, &field.mul(&field.mul(coefficient, &power), &inverse));
    }
    sum
}
