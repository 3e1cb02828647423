//! Random inputs for the tests of this module, and its ring axioms.

use proptest::prelude::*;

use super::{Monomial, MonomialOrder, Polynomial, PolynomialOver, RationalFunction};
use crate::{Budget, Rational};

/// Large enough for every test, small enough to stop a runaway.
pub(super) fn unlimited() -> Budget {
    Budget::new(200_000_000)
}

pub(super) fn any_polynomial(
    variables: usize,
    degree: u16,
    terms: usize,
) -> impl Strategy<Value = Polynomial> {
    let monomial = proptest::collection::vec(0..=degree, 0..=variables);
    let term = (monomial, -9i64..9, 1i64..5);
    proptest::collection::vec(term, 0..=terms).prop_map(|list| {
        Polynomial::from_terms(list.into_iter().map(|(exponents, n, d)| {
            (Monomial::from_exponents(&exponents), Rational::new(n, d).unwrap())
        }))
    })
}

pub(super) fn any_rational_function() -> impl Strategy<Value = RationalFunction> {
    (any_polynomial(3, 2, 3), any_polynomial(3, 2, 3)).prop_map(|(n, d)| {
        let d = if d.is_zero() { Polynomial::one() } else { d };
        RationalFunction::new(n, d, &mut unlimited()).unwrap().unwrap()
    })
}

pub(super) fn any_over_parameters() -> impl Strategy<Value = PolynomialOver<RationalFunction>> {
    let coefficient = (any_polynomial(2, 1, 2), any_polynomial(2, 1, 2)).prop_map(|(n, d)| {
        let d = if d.is_zero() { Polynomial::one() } else { d };
        RationalFunction::new(n, d, &mut unlimited()).unwrap().unwrap()
    });
    let term = (proptest::collection::vec(0u16..3, 0..=2), coefficient);
    proptest::collection::vec(term, 0..=3).prop_map(|list| {
        let terms = list.into_iter().map(|(e, c)| (Monomial::from_exponents(&e), c));
        PolynomialOver::sum_of_terms(terms, &mut unlimited()).unwrap()
    })
}

/// A polynomial with coefficients of every size, so that all roads are walked.
fn any_wild_polynomial() -> impl Strategy<Value = Polynomial> {
    let coefficient = prop_oneof![
        (-9i64..9, 1i64..5).prop_map(|(n, d)| Rational::new(n, d).unwrap()),
        (any::<i64>(), 1i64..9).prop_map(|(n, d)| Rational::new(n, d).unwrap()),
        any::<i64>().prop_map(|n| Rational::integer(n) * Rational::integer(n)),
    ];
    let index = prop_oneof![Just(1usize), Just(4), Just(30)];
    let exponent = prop_oneof![0u16..3, 0u16..200];
    let term = (proptest::collection::vec((index, exponent), 0..4), coefficient);
    proptest::collection::vec(term, 0..12).prop_map(|list| {
        Polynomial::from_terms(list.into_iter().map(|(powers, c)| {
            let powers = powers.into_iter().map(|(index, e)| Monomial::power(index, e));
            (powers.fold(Monomial::one(), |m, p| m.checked_mul(&p).unwrap()), c)
        }))
    })
}

proptest! {
    #[test]
    fn polynomials_are_a_commutative_ring(
        a in any_wild_polynomial(), b in any_wild_polynomial(), c in any_wild_polynomial()
    ) {
        let budget = &mut unlimited();
        let (ab, ba) = (a.mul(&b, budget).unwrap(), b.mul(&a, budget).unwrap());
        prop_assert_eq!(&ab, &ba);
        let left = a.mul(&b.add(&c, budget).unwrap(), budget).unwrap();
        let ac = a.mul(&c, budget).unwrap();
        prop_assert_eq!(left, ab.add(&ac, budget).unwrap());
        prop_assert_eq!(ab.mul(&c, budget).unwrap(), a.mul(&b.mul(&c, budget).unwrap(), budget).unwrap());
        prop_assert!(a.sub(&a, budget).unwrap().is_zero());
        if !b.is_zero() {
            prop_assert_eq!(ab.checked_div_exact(&b, budget).unwrap(), Some(a.clone()));
            let off = ab.add(&Polynomial::variable(2), budget).unwrap();
            if !b.is_constant() {
                prop_assert_eq!(off.checked_div_exact(&b, budget).unwrap(), None);
            }
        }
    }

    #[test]
    fn the_integer_roads_agree_with_the_schoolbook(
        a in any_wild_polynomial(), b in any_wild_polynomial()
    ) {
        let mut products = Vec::new();
        for (m, c) in a.terms() {
            for (n, d) in b.terms() {
                products.push((m.checked_mul(n).unwrap(), c * d));
            }
        }
        prop_assert_eq!(a.mul(&b, &mut unlimited()).unwrap(), Polynomial::from_terms(products));
    }

    #[test]
    fn evaluation_is_a_homomorphism(
        a in any_polynomial(3, 3, 8), b in any_polynomial(3, 3, 8), p in -5i64..5, q in -5i64..5
    ) {
        let budget = &mut unlimited();
        let point = [Rational::integer(p), Rational::new(q, 3).unwrap(), Rational::integer(2)];
        let (x, y) = (a.evaluate(&point, budget).unwrap(), b.evaluate(&point, budget).unwrap());
        let product = a.mul(&b, budget).unwrap();
        prop_assert_eq!(product.evaluate(&point, budget).unwrap(), &x * &y);
        prop_assert_eq!(a.add(&b, budget).unwrap().evaluate(&point, budget).unwrap(), &x + &y);
        let prime = crate::modular::PRIME;
        let residues: Vec<u64> = point.iter().map(|c| c.modulo(prime).unwrap()).collect();
        prop_assert_eq!(product.evaluate_modulo(&residues, prime), (&x * &y).modulo(prime));
        // Substituting b for variable 1 and evaluating is evaluating at b's value.
        let composed = a.substitute(1, &b, budget).unwrap().evaluate(&point, budget).unwrap();
        let inner = [point[0].clone(), y, point[2].clone()];
        prop_assert_eq!(composed, a.evaluate(&inner, budget).unwrap());
    }

    #[test]
    fn the_derivative_obeys_leibniz(a in any_polynomial(3, 3, 6), b in any_polynomial(3, 3, 6)) {
        let budget = &mut unlimited();
        let left = a.mul(&b, budget).unwrap().derivative(1, budget).unwrap();
        let first = a.derivative(1, budget).unwrap().mul(&b, budget).unwrap();
        let second = a.mul(&b.derivative(1, budget).unwrap(), budget).unwrap();
        prop_assert_eq!(left, first.add(&second, budget).unwrap());
    }

    #[test]
    fn coefficients_in_a_variable_add_up(a in any_polynomial(3, 4, 8)) {
        let budget = &mut unlimited();
        let coefficients = a.coefficients_in(1);
        prop_assert!(coefficients.windows(2).all(|w| w[0].0 > w[1].0));
        prop_assert_eq!(Polynomial::from_coefficients_in(1, &coefficients, budget).unwrap(), a);
    }

    #[test]
    fn division_by_a_list_adds_up_and_leaves_nothing_divisible(
        f in any_polynomial(3, 4, 8), g in any_polynomial(3, 2, 3), h in any_polynomial(3, 2, 3)
    ) {
        let budget = &mut unlimited();
        use MonomialOrder::{GradedLex, GradedReverseLex, Lex};
        for order in [GradedReverseLex, Lex, GradedLex] {
            let divisors = [g.clone(), h.clone()];
            let (quotients, remainder) = f.div_rem_by_all(&divisors, order, budget).unwrap();
            prop_assert_eq!(&f.normal_form(&divisors, order, budget).unwrap(), &remainder);
            let mut sum = remainder.clone();
            for (quotient, divisor) in quotients.iter().zip(&divisors) {
                sum = sum.add(&quotient.mul(divisor, budget).unwrap(), budget).unwrap();
                if let Some((lead, _)) = divisor.leading_term_in(order) {
                    prop_assert!(remainder.terms().iter().all(|(m, _)| !lead.divides(m)));
                }
            }
            prop_assert_eq!(&sum, &f);
        }
    }
}

#[test]
fn running_out_of_budget_or_of_exponents_is_an_error() {
    let x = Polynomial::variable(0).add(&Polynomial::variable(1), &mut unlimited()).unwrap();
    assert!(x.powi(200, &mut Budget::new(1000)).is_err());
    let high = Polynomial::term(Monomial::power(0, 60_000), Rational::ONE);
    assert!(high.mul(&high, &mut unlimited()).is_err());
    let high = high.add(&x, &mut unlimited()).unwrap();
    let stop = high.powi(2, &mut unlimited()).unwrap_err();
    assert_eq!(stop.doing, "raising a variable to a power above 65535");
}
