//! Theorems about greatest common divisors, and hard examples that have to be quick.

use proptest::prelude::*;

use super::super::strategies::{any_polynomial, unlimited};
use super::remainder_sequence::gcd_by_remainders;
use super::*;

fn product(a: &Polynomial, b: &Polynomial) -> Polynomial {
    a.mul(b, &mut unlimited()).unwrap()
}

/// A polynomial with random terms of bounded total degree.
fn random_polynomial(
    random: &mut Random,
    variables: usize,
    degree: u64,
    terms: usize,
    size: u64,
) -> Polynomial {
    let list = (0..terms).map(|_| {
        let mut exponents = vec![0u16; variables];
        for _ in 0..random.below(degree + 1) {
            exponents[random.below(variables as u64) as usize] += 1;
        }
        let value = random.below(2 * size + 1) as i64 - size as i64;
        (Monomial::from_exponents(&exponents), Rational::integer(value))
    });
    Polynomial::from_terms(list.collect::<Vec<_>>())
}

/// The budget counts operations, so "quick" means the same on every machine.
fn check_hard(name: &str, f: &Polynomial, g: &Polynomial, h: &Polynomial) {
    let (a, b) = (product(f, h), product(g, h));
    let mut budget = Budget::new(5_000_000);
    let found = gcd(&a, &b, &mut budget);
    let (left, right) = (a.len(), b.len());
    println!("{name}: {left} and {right} terms, {} operations", budget.spent());
    assert_eq!(found.unwrap(), h.primitive_part(), "{name}");
}

proptest! {
    #[test]
    fn a_common_factor_is_found(
        a in any_polynomial(4, 2, 5), b in any_polynomial(4, 2, 5), g in any_polynomial(4, 2, 4)
    ) {
        let budget = &mut unlimited();
        let found = gcd(&product(&a, &g), &product(&b, &g), budget).unwrap();
        let expected = product(&gcd(&a, &b, budget).unwrap(), &g).primitive_part();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn cofactors_multiply_back_and_are_coprime(
        a in any_polynomial(3, 3, 5), b in any_polynomial(3, 3, 5), g in any_polynomial(3, 2, 3)
    ) {
        let budget = &mut unlimited();
        let (a, b) = (product(&a, &g), product(&b, &g));
        let parts = gcd_with_cofactors(&a, &b, budget).unwrap();
        prop_assert_eq!(&product(&parts.gcd, &parts.first), &a);
        prop_assert_eq!(&product(&parts.gcd, &parts.second), &b);
        let rest = gcd(&parts.first, &parts.second, budget).unwrap();
        prop_assert!(rest.is_one() || rest.is_zero() || a.is_zero() || b.is_zero());
    }

    #[test]
    fn interpolation_and_remainder_sequence_agree(
        a in any_polynomial(3, 2, 4), b in any_polynomial(3, 2, 4), g in any_polynomial(3, 2, 3)
    ) {
        let budget = &mut unlimited();
        let (a, b) = (product(&a, &g), product(&b, &g));
        if a.degree_in(0) > 0 && b.degree_in(0) > 0 {
            let p = primitive_part_in(&a, 0, budget).unwrap();
            let q = primitive_part_in(&b, 0, budget).unwrap();
            let slow = gcd_by_remainders(&p, &q, 0, budget).unwrap();
            prop_assert_eq!(gcd(&p, &q, budget).unwrap(), slow);
        }
    }
}

#[test]
fn large_coefficients_need_several_primes() {
    let random = &mut Random::new(5);
    let budget = &mut unlimited();
    let big = Rational::integer(i64::MAX).pow(7, 10_000).unwrap();
    for _ in 0..10 {
        let mut draw = || random_polynomial(random, 3, 4, 8, 1 << 60);
        let (a, b, g) = (draw(), draw(), draw());
        let g = g.add(&Polynomial::constant(big.clone()), budget).unwrap();
        let found = gcd(&product(&a, &g), &product(&b, &g), budget).unwrap();
        assert_eq!(found, g.primitive_part());
    }
}

#[test]
fn coefficients_divisible_by_the_primes_do_no_harm() {
    let budget = &mut unlimited();
    let (x, y) = (Polynomial::variable(0), Polynomial::variable(1));
    let mut prime = Polynomial::integer(crate::modular::PRIME as i64);
    for field in prime_field::Primes::new().take(2) {
        prime = product(&prime, &Polynomial::integer(field.prime() as i64));
    }
    let g = product(&prime, &x).add(&y, budget).unwrap();
    let a = product(&prime, &product(&x, &y)).add(&Polynomial::one(), budget).unwrap();
    let b = product(&prime, &x).sub(&y, budget).unwrap();
    assert_eq!(gcd(&product(&a, &g), &product(&b, &g), budget).unwrap(), g);
    assert!(gcd(&a, &b, budget).unwrap().is_one());
}

#[test]
fn a_variable_that_only_the_contents_have_does_no_harm() {
    let budget = &mut unlimited();
    let [x, y, z] = [0, 1, 2].map(Polynomial::variable);
    let one = Polynomial::one();
    let content = product(&y, &z).add(&one, budget).unwrap();
    let g = product(&content, &product(&x, &x).add(&y, budget).unwrap());
    let a = product(&g, &x.add(&y, budget).unwrap());
    let b = product(&g, &x.sub(&y, budget).unwrap());
    assert_eq!(gcd(&a, &b, budget).unwrap(), g);
}

#[test]
fn constants_zero_and_monomials() {
    let budget = &mut unlimited();
    let (zero, six) = (Polynomial::zero(), Polynomial::integer(6));
    let x = Polynomial::variable(0);
    assert!(gcd(&zero, &zero, budget).unwrap().is_zero());
    assert!(gcd(&zero, &six, budget).unwrap().is_one());
    let square = product(&product(&x, &x), &six.negate());
    assert_eq!(gcd(&square, &product(&six, &x), budget).unwrap(), x);
    assert_eq!(gcd(&zero, &square, budget).unwrap(), product(&x, &x));
}

#[test]
fn random_sparse_examples_in_many_variables_are_quick() {
    let random = &mut Random::new(1);
    for (variables, degree, terms) in
        [(1, 40, 30), (2, 20, 40), (3, 10, 30), (5, 7, 25), (6, 10, 30), (9, 8, 40), (15, 6, 30)]
    {
        let mut draw = |size| random_polynomial(random, variables, degree, terms, size);
        let (f, g, h) = (draw(99), draw(99), draw(99));
        check_hard(&format!("sparse, {variables} variables"), &f, &g, &h);
    }
}

#[test]
fn dense_and_fateman_like_examples_are_quick() {
    let budget = &mut unlimited();
    // Powers of 1 + x + y + z + ... : dense, with equal factors on both sides.
    let mut sum = Polynomial::one();
    for index in 0..4 {
        sum = sum.add(&Polynomial::variable(index), budget).unwrap();
    }
    let two = sum.add(&Polynomial::one(), budget).unwrap();
    let three = two.add(&Polynomial::variable(2), budget).unwrap();
    let h = sum.powi(5, budget).unwrap();
    check_hard("powers", &two.powi(5, budget).unwrap(), &three.powi(5, budget).unwrap(), &h);
    let random = &mut Random::new(2);
    let mut draw = || random_polynomial(random, 3, 8, 400, 99);
    let (f, g, h) = (draw(), draw(), draw());
    check_hard("dense, 3 variables", &f, &g, &h);
    let mut draw = || random_polynomial(random, 5, 5, 250, 99);
    let (f, g, h) = (draw(), draw(), draw());
    check_hard("dense, 5 variables", &f, &g, &h);
}

#[test]
fn a_leading_coefficient_that_is_not_constant_in_any_variable_is_quick() {
    // Every variable has a leading coefficient with many terms (a "non-monic" gcd).
    let random = &mut Random::new(3);
    let budget = &mut unlimited();
    let mut draw = |terms: usize| {
        let mut total = Polynomial::zero();
        for index in 0..5 {
            let coefficient = random_polynomial(random, 5, 3, terms, 9);
            let without = coefficient.substitute(index, &Polynomial::one(), budget).unwrap();
            let power = Polynomial::term(Monomial::power(index, 4), Rational::ONE);
            total = total.add(&product(&without, &power), budget).unwrap();
        }
        total
    };
    let (f, g, h) = (draw(6), draw(6), draw(6));
    check_hard("non-monic", &f, &g, &h);
}

#[test]
fn coprime_pairs_are_recognised_at_once() {
    let random = &mut Random::new(4);
    let a = random_polynomial(random, 6, 12, 2000, 99);
    let b = random_polynomial(random, 6, 12, 2000, 99);
    assert!(gcd(&a, &b, &mut Budget::new(200_000)).unwrap().is_one());
}
