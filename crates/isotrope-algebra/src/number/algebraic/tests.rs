//! Theorems about algebraic numbers.

use proptest::prelude::*;

use super::*;

fn budget() -> Budget {
    Budget::new(1_000_000_000)
}

fn sqrt(n: i64) -> AlgebraicNumber {
    AlgebraicNumber::from(Rational::from(n)).sqrt(&mut budget()).unwrap()
}

fn rational(n: i64, d: i64) -> Rational {
    Rational::new(n, d).unwrap()
}

fn polynomial(coefficients: &[i64]) -> IntegerPolynomial {
    IntegerPolynomial::from_integers(coefficients)
}

#[test]
fn square_roots_multiply_and_add() {
    let product = sqrt(2).mul(&sqrt(3), &mut budget()).unwrap();
    assert_eq!(product, sqrt(6));
    assert_eq!(product.minimal_polynomial(), &polynomial(&[-6, 0, 1]));
    let sum = sqrt(2).add(&sqrt(3), &mut budget()).unwrap();
    assert_eq!(sum.minimal_polynomial(), &polynomial(&[1, 0, -10, 0, 1]));
    assert_eq!(sum.root_number(), 4);
    assert!(sqrt(2).mul(&sqrt(2), &mut budget()).unwrap().is_rational());
    assert!(sqrt(8).sub(&sqrt(2).scale(&rational(2, 1)), &mut budget()).unwrap().is_zero());
}

#[test]
fn golden_ratio_identities() {
    let mut b = budget();
    let golden = sqrt(5).shift(&Rational::ONE).scale(&rational(1, 2));
    assert_eq!(golden.minimal_polynomial(), &polynomial(&[-1, -1, 1]));
    assert_eq!(golden.mul(&golden, &mut b).unwrap(), golden.shift(&Rational::ONE));
    assert_eq!(golden.recip(&mut b).unwrap(), golden.shift(&rational(-1, 1)));
    assert_eq!(
        golden.powi(5, &mut b).unwrap(),
        golden.scale(&rational(5, 1)).shift(&rational(3, 1))
    );
    assert_eq!(golden.powi(-1, &mut b).unwrap(), golden.recip(&mut b).unwrap());
    assert_eq!(golden.to_f64(), 1.618_033_988_749_895);
}

#[test]
fn nested_radicals_simplify() {
    let mut b = budget();
    // sqrt(3 + 2 sqrt 2) = 1 + sqrt 2.
    let nested = sqrt(2).scale(&rational(2, 1)).shift(&rational(3, 1)).sqrt(&mut b).unwrap();
    assert_eq!(nested, sqrt(2).shift(&Rational::ONE));
    // Ramanujan: cbrt(cbrt 2 - 1) = (1 - cbrt 2 + cbrt 4) / cbrt 9.
    let cbrt =
        |n: i64, b: &mut Budget| AlgebraicNumber::from(Rational::from(n)).nth_root(3, b).unwrap();
    let two = cbrt(2, &mut b);
    let left = two.shift(&rational(-1, 1)).nth_root(3, &mut b).unwrap();
    let numerator = two.apply(&[rational(1, 1), rational(-1, 1), rational(1, 1)], &mut b).unwrap();
    let right = numerator.div(&cbrt(9, &mut b), &mut b).unwrap();
    assert_eq!(left, right);
}

#[test]
fn legendre_roots_of_degree_eight_sum_to_zero() {
    let mut b = budget();
    let roots = AlgebraicNumber::roots(&IntegerPolynomial::legendre(8), &mut b).unwrap();
    assert_eq!(roots.len(), 8);
    for (left, right) in roots.iter().zip(roots.iter().rev()) {
        assert!(left.add(right, &mut b).unwrap().is_zero());
        assert_eq!(left.neg(), *right);
    }
    // Two different nodes: a number of degree 24.
    let sum = roots[0].add(&roots[1], &mut b).unwrap();
    assert_eq!(sum.degree(), 24);
    assert!(sum.sub(&roots[1], &mut Budget::new(10)).is_err());
}

/// The weights 2 / ((1 - x^2) P'(x)^2) of Gauss-Legendre quadrature sum to two.
#[test]
fn gauss_weights_live_in_the_field_of_their_node() {
    let mut b = budget();
    let p = IntegerPolynomial::legendre(4);
    // 8 P_4 = 35 x^4 - 30 x^2 + 3, so (1 - x^2) (8 P')^2 = (1 - x^2) (140 x^3 - 60 x)^2.
    let slope = p.derivative();
    let square = slope.mul(&slope).mul(&polynomial(&[1, 0, -1]));
    let coefficients: Vec<Rational> =
        square.coefficients().iter().map(|c| Rational::from(c.clone())).collect();
    let weights: Vec<AlgebraicNumber> = AlgebraicNumber::roots(&p, &mut b)
        .unwrap()
        .iter()
        .map(|node| {
            let value = node.apply(&coefficients, &mut b).unwrap();
            value.recip(&mut b).unwrap().scale(&rational(128, 1))
        })
        .collect();
    assert_eq!(weights[0].to_string(), "1/2-sqrt(30)/36");
    assert_eq!(weights[1].to_string(), "1/2+sqrt(30)/36");
    let sum = weights[0].add(&weights[1], &mut b).unwrap();
    assert_eq!(sum.as_rational(), Some(&Rational::ONE));
    assert_eq!(weights[0], weights[3]);
}

#[test]
fn text_is_readable() {
    let mut b = budget();
    let third = sqrt(3).scale(&rational(1, 6)).shift(&rational(1, 2));
    assert_eq!(third.to_string(), "1/2+sqrt(3)/6");
    assert_eq!(third.neg().to_string(), "-1/2-sqrt(3)/6");
    assert_eq!(sqrt(12).to_string(), "2*sqrt(3)");
    assert_eq!(sqrt(2).neg().to_string(), "-sqrt(2)");
    assert_eq!(AlgebraicNumber::from(rational(-3, 4)).to_string(), "-3/4");
    let node = AlgebraicNumber::root(&IntegerPolynomial::legendre(5), 4, &mut b).unwrap();
    assert_eq!(node.to_string(), "root(63*x^4-70*x^2+15,3)");
    let cube = AlgebraicNumber::from(rational(2, 1)).nth_root(3, &mut b).unwrap();
    assert_eq!(cube.to_string(), "2^(1/3)");
    assert_eq!(cube.scale(&rational(-1, 3)).to_string(), "-(2/27)^(1/3)");
}

#[test]
fn what_does_not_exist_is_refused() {
    let mut b = budget();
    let p = polynomial(&[1, 0, 1]);
    assert_eq!(
        AlgebraicNumber::root(&p, 1, &mut b),
        Err(AlgebraicError::NoSuchRoot { wanted: 1, count: 0 })
    );
    let zero = AlgebraicNumber::from(Rational::ZERO);
    assert_eq!(sqrt(2).div(&zero, &mut b), Err(AlgebraicError::DivisionByZero));
    assert_eq!(sqrt(2).neg().sqrt(&mut b), Err(AlgebraicError::NotReal { degree: 2 }));
    let cube = AlgebraicNumber::from(rational(-8, 1)).nth_root(3, &mut b).unwrap();
    assert_eq!(cube.as_rational(), Some(&rational(-2, 1)));
}

#[test]
fn rounding_to_double_is_correct_even_close_to_a_tie() {
    // m = 2^53 + 1 lies halfway between two doubles; sqrt(m^2 - 1) and sqrt(m^2 + 1) differ
    // from it by less than 2^-53, one on each side.
    let square: Rational = "81129638414606699710187514626049".parse().unwrap();
    let root = |value| AlgebraicNumber::from(value).sqrt(&mut budget()).unwrap().to_f64();
    assert_eq!(root(&square - &Rational::ONE), 9_007_199_254_740_992.0);
    assert_eq!(root(&square + &Rational::ONE), 9_007_199_254_740_994.0);
    let tie = AlgebraicNumber::from(rational((1 << 53) + 1, 1));
    assert_eq!(tie.to_f64(), 9_007_199_254_740_992.0);
    // Tiny and huge numbers keep their relative accuracy.
    let tiny: Rational = "2e-200".parse().unwrap();
    let tiny = AlgebraicNumber::from(tiny).sqrt(&mut budget()).unwrap();
    assert_eq!(tiny.to_f64(), 1.414_213_562_373_095e-100);
    assert!(tiny.enclosure(Precision::new(128)).accuracy() > 120);
}

/// `a + b sqrt(d)` for small `a`, `b`, `d`.
fn any_quadratic() -> impl Strategy<Value = AlgebraicNumber> {
    (-6i64..6, 1i64..4, -6i64..6, 1i64..4, 2i64..12)
        .prop_map(|(a, b, c, d, n)| sqrt(n).scale(&rational(c, d)).shift(&rational(a, b)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn algebraic_numbers_are_a_field(
        a in any_quadratic(), b in any_quadratic(), c in any_quadratic()
    ) {
        let mut w = budget();
        let add = |x: &AlgebraicNumber, y: &AlgebraicNumber, w: &mut Budget| x.add(y, w).unwrap();
        let mul = |x: &AlgebraicNumber, y: &AlgebraicNumber, w: &mut Budget| x.mul(y, w).unwrap();
        prop_assert_eq!(add(&a, &b, &mut w), add(&b, &a, &mut w));
        prop_assert_eq!(mul(&a, &b, &mut w), mul(&b, &a, &mut w));
        let left = mul(&a, &add(&b, &c, &mut w), &mut w);
        let (ab, ac) = (mul(&a, &b, &mut w), mul(&a, &c, &mut w));
        prop_assert_eq!(&left, &add(&ab, &ac, &mut w));
        prop_assert!(a.sub(&a, &mut w).unwrap().is_zero());
        if !b.is_zero() {
            let quotient = a.div(&b, &mut w).unwrap();
            prop_assert_eq!(mul(&quotient, &b, &mut w), a.clone());
        }
    }

    #[test]
    fn comparisons_and_operations_agree_with_balls(a in any_quadratic(), b in any_quadratic()) {
        let mut w = budget();
        let p = Precision::new(128);
        let (x, y) = (a.enclosure(p), b.enclosure(p));
        match x.compare(&y) {
            Some(order) => prop_assert_eq!(a.cmp(&b), order),
            None => prop_assert_eq!(&a, &b),
        }
        prop_assert_eq!(a.is_negative(), x.is_negative());
        prop_assert!(a.add(&b, &mut w).unwrap().enclosure(p).overlaps(&x.add(&y)));
        let product = a.mul(&b, &mut w).unwrap();
        prop_assert!(product.enclosure(p).overlaps(&x.mul(&y).unwrap()));
        if product.sign() == Ordering::Greater {
            let root = product.sqrt(&mut w).unwrap();
            prop_assert!(root.enclosure(p).overlaps(&x.mul(&y).unwrap().sqrt().unwrap()));
            prop_assert_eq!(root.mul(&root, &mut w).unwrap(), product);
        }
    }

    #[test]
    fn the_value_of_a_polynomial_agrees_with_repeated_operations(
        c in prop::collection::vec(-5i64..5, 1..5), number in 1usize..=2
    ) {
        let mut w = budget();
        // x^3 - 3 x + 1 has three real roots.
        let root = AlgebraicNumber::root(&polynomial(&[1, -3, 0, 1]), number, &mut w).unwrap();
        let coefficients: Vec<Rational> = c.iter().map(|&c| c.into()).collect();
        let value = root.apply(&coefficients, &mut w).unwrap();
        let mut horner = AlgebraicNumber::from(Rational::ZERO);
        for c in coefficients.iter().rev() {
            horner = horner.mul(&root, &mut w).unwrap().shift(c);
        }
        prop_assert_eq!(value, horner);
    }
}
