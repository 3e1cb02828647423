//! Theorems about ideals, with known answers.

use super::*;
use crate::Rational;

/// Polynomials in x, y, z, w = variables 0, 1, 2, 3.
pub(super) fn polynomials(texts: &[&str]) -> Vec<Polynomial> {
    texts.iter().map(|text| read(text)).collect()
}

/// Sums of products of integers and powers: enough for tests.
fn read(text: &str) -> Polynomial {
    let budget = &mut Budget::unlimited();
    let spaced = text.replace(' ', "").replace('-', "+-");
    let mut sum = Polynomial::zero();
    for term in spaced.split('+').filter(|t| !t.is_empty()) {
        let (sign, term) = term.strip_prefix('-').map_or((1, term), |rest| (-1, rest));
        let mut product = Polynomial::integer(sign);
        for factor in term.split('*') {
            let (base, power) =
                factor.split_once('^').map_or((factor, 1), |(b, p)| (b, p.parse().unwrap()));
            let base = match ["x", "y", "z", "w"].iter().position(|&v| v == base) {
                Some(variable) => Polynomial::variable(variable),
                None => Polynomial::constant(base.parse::<Rational>().unwrap()),
            };
            product = product.mul(&base.powi(power, budget).unwrap(), budget).unwrap();
        }
        sum = sum.add(&product, budget).unwrap();
    }
    sum
}

fn ideal(texts: &[&str], variables: usize) -> Ideal {
    Ideal::new(polynomials(texts), variables, &F4::unlimited(), &mut Budget::unlimited()).unwrap()
}

#[test]
fn the_twisted_cubic_is_a_curve() {
    let curve = ideal(&["x*z - y^2", "y*w - z^2", "x*w - y*z"], 4);
    assert_eq!(curve.dimension(), Some(2));
    assert!(curve.is_exact());
    assert!(curve.contains(&read("y^3*w - y^2*z^2"), &mut Budget::unlimited()).unwrap());
    assert!(!curve.contains(&read("x - y"), &mut Budget::unlimited()).unwrap());
}

#[test]
fn two_roads_lead_to_the_same_leading_monomials() {
    let systems: [&[&str]; 3] = [
        &["x*z - y^2 - 1", "y*w - z^2 + x", "x*w - y*z + 3*w"],
        &["x^2 + y^2 + z^2 - 1", "x*y + z - 2", "x^3 - y*z"],
        &["x + y + z + w", "x*y + y*z + z*w + w*x", "x*y*z + y*z*w + z*w*x + w*x*y", "x*y*z*w - 1"],
    ];
    for texts in systems {
        let generators = polynomials(texts);
        let found = ideal(texts, 4);
        assert!(found.is_exact(), "{texts:?}");
        let leads: Vec<_> = found.basis().iter().map(leading).collect();
        assert_eq!(leads, buchberger::leading_monomials(&generators, 2_147_483_629), "{texts:?}");
    }
}

#[test]
fn parallel_lines_do_not_meet() {
    let empty = ideal(&["x + y - 1", "x + y - 2"], 2);
    assert!(!empty.is_consistent());
    assert_eq!(empty.dimension(), None);
    assert!(empty.is_exact());
}

#[test]
fn a_cube_vanishes_where_its_root_does() {
    let budget = &mut Budget::unlimited();
    let thick = ideal(&["x^3"], 1);
    assert!(!thick.contains(&read("x"), budget).unwrap());
    assert!(thick.vanishes_on_zeros(&read("x"), &F4::unlimited(), budget).unwrap());
    assert!(!thick.vanishes_on_zeros(&read("x - 1"), &F4::unlimited(), budget).unwrap());
}

#[test]
fn a_plane_and_a_line_come_apart() {
    let budget = &mut Budget::unlimited();
    let parts = ideal(&["x*y", "x*z"], 3).components(&F4::unlimited(), budget).unwrap();
    let mut dimensions: Vec<_> = parts.components.iter().map(|c| c.ideal.dimension()).collect();
    dimensions.sort();
    assert_eq!(dimensions, [Some(1), Some(2)]);
    assert!(parts.complete && parts.components.iter().all(Component::is_graph));
}

#[test]
fn real_points_are_found_and_complex_ones_left_out() {
    let budget = &mut Budget::unlimited();
    // x⁴ = 1 has two real points; with y = x² both have y = 1.
    let points = ideal(&["x^4 - 1", "y - x^2"], 2).real_points(&F4::unlimited(), budget).unwrap();
    assert_eq!(points.len(), 2);
    assert!(points.iter().all(RealPoint::is_rational));
    // The intersection of a circle and a hyperbola: x y = 1, x² + y² = 4.
    let points =
        ideal(&["x*y - 1", "x^2 + y^2 - 4"], 2).real_points(&F4::unlimited(), budget).unwrap();
    assert_eq!(points.len(), 4);
    for point in &points {
        let values: Vec<f64> =
            point.coordinates.iter().map(|x| point.field.to_f64(x).unwrap()).collect();
        assert!((values[0] * values[1] - 1.0).abs() < 1e-12);
        assert!((values[0] * values[0] + values[1] * values[1] - 4.0).abs() < 1e-12);
    }
}

#[test]
fn multiple_points_are_counted_once() {
    let budget = &mut Budget::unlimited();
    let points =
        ideal(&["x^2 - 2*x*y + y^2", "y^2 - y"], 2).real_points(&F4::unlimited(), budget).unwrap();
    assert_eq!(points.len(), 2);
}

#[test]
fn the_zero_ideal_is_everything() {
    let all = ideal(&[], 3);
    assert_eq!(all.dimension(), Some(3));
    assert!(all.is_exact());
}

#[test]
fn squares_hide_factors_and_are_found() {
    let budget = &mut Budget::unlimited();
    let product = read("x^2*y^2 - 2*x*y*z^2 + z^4 - 4*w^2");
    let found = factors(&product, budget).unwrap();
    assert_eq!(found.len(), 2);
    let back = found[0].polynomial.mul(&found[1].polynomial, budget).unwrap();
    assert_eq!(back.primitive_part(), product.primitive_part());
    let sum_of_squares = factors(&read("x^2 + y^2"), budget).unwrap();
    assert_eq!(sum_of_squares.len(), 1);
    assert!(sum_of_squares[0].irreducible);
}
