//! Random graded functions and fields.

use isotrope_algebra::modular::Random;
use isotrope_algebra::{Budget, Rational};
use isotrope_geometry::calculus::{Chart, Form, Multivector, Vector};
use isotrope_geometry::graded::{Element, GradedAlgebra, GradedField, Monomial, Polynomials};

pub type Poly = GradedAlgebra<Polynomials>;
pub type Function = Element<Rational>;

/// Runs a property on ten thousand random cases, a hundred thousand with `ISOTROPE_LONG`. The
/// number of a failing case is its seed.
pub fn cases(mut property: impl FnMut(&mut Random)) {
    let count = if std::env::var_os("ISOTROPE_LONG").is_some() { 100_000 } else { 10_000 };
    for seed in 0..count {
        let report = Reporter(seed);
        property(&mut Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5eed));
        std::mem::forget(report);
    }
}

struct Reporter(u64);

impl Drop for Reporter {
    fn drop(&mut self) {
        eprintln!("case {} failed", self.0);
    }
}

pub fn algebra(list: &[(&str, i32)]) -> Poly {
    let list = list.iter().map(|(name, degree)| ((*name).to_owned(), *degree));
    GradedAlgebra::new(list, Polynomials, Budget::unlimited()).unwrap()
}

pub fn small(random: &mut Random) -> Rational {
    let value = random.below(7) as i64 - 3;
    let denominator = if random.below(8) == 0 { 2 } else { 1 };
    Rational::new(value, denominator).unwrap()
}

/// A few terms of the given degree, coordinates of degree 0 to powers up to 2.
pub fn function(algebra: &mut Poly, degree: i32, random: &mut Random) -> Function {
    let mut terms = Vec::new();
    for _ in 0..1 + random.below(3) {
        for _ in 0..20 {
            let mut monomial = algebra.coordinates().one();
            for (bit, _) in algebra.coordinates().odd().iter().enumerate() {
                monomial.odd |= u128::from(random.below(2) as u32) << bit;
            }
            for field in 0..algebra.coordinates().even().len() {
                let exponent = [0, 0, 0, 1, 1, 2][random.below(6) as usize];
                monomial.even = monomial.even.with(field, exponent).unwrap();
            }
            if algebra.coordinates().degree_of(&monomial) == degree {
                terms.push((monomial, small(random)));
                break;
            }
        }
    }
    algebra.from_terms(terms).unwrap()
}

/// A polynomial in the coordinates of degree 0.
pub fn base_function(algebra: &mut Poly, random: &mut Random) -> Function {
    let mut terms = Vec::new();
    for _ in 0..random.below(3) {
        let mut monomial: Monomial = algebra.coordinates().one();
        for (field, index) in algebra.coordinates().even().iter().enumerate() {
            if algebra.coordinates().degrees()[*index] == 0 {
                let exponent = [0, 0, 1, 2][random.below(4) as usize];
                monomial.even = monomial.even.with(field, exponent).unwrap();
            }
        }
        terms.push((monomial, small(random)));
    }
    algebra.from_terms(terms).unwrap()
}

pub fn field(algebra: &mut Poly, degree: i32, random: &mut Random) -> GradedField<Rational> {
    let degrees = algebra.coordinates().degrees().to_vec();
    let parts = degrees.iter().map(|own| function(algebra, degree + own, random)).collect();
    algebra.field(degree, parts).unwrap()
}

pub fn chart(dimension: usize) -> Chart<Polynomials> {
    let names: Vec<String> =
        ["x", "y", "z", "w", "u", "v"][..dimension].iter().map(|name| (*name).to_owned()).collect();
    Chart::new(&names, Polynomials, Budget::unlimited()).unwrap()
}

pub fn form(chart: &mut Chart<Polynomials>, degree: i32, random: &mut Random) -> Form<Rational> {
    Form::from_element(function(chart.algebra(), degree, random))
}

pub fn multivector(
    chart: &mut Chart<Polynomials>,
    degree: i32,
    random: &mut Random,
) -> Multivector<Rational> {
    Multivector::from_element(function(chart.algebra(), degree, random))
}

pub fn vector(chart: &mut Chart<Polynomials>, random: &mut Random) -> Vector<Rational> {
    let parts = (0..chart.dimension()).map(|_| base_function(chart.algebra(), random)).collect();
    Vector::new(parts)
}

/// A random matrix of polynomials, antisymmetric.
pub fn antisymmetric(algebra: &mut Poly, n: usize, random: &mut Random) -> Vec<Vec<Function>> {
    let mut matrix = vec![vec![Element::zero(); n]; n];
    for i in 0..n {
        for j in i + 1..n {
            let value = base_function(algebra, random);
            matrix[j][i] = algebra.negate(&value);
            matrix[i][j] = value;
        }
    }
    matrix
}
