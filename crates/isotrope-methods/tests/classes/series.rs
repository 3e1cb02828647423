//! The algebras problems are evaluated in: axioms on random elements.

use isotrope_algebra::modular::{PRIME, Random};
use isotrope_algebra::{Precision, Rational};
use isotrope_methods::classes::{
    Algebra, Enclosures, Jets, Nilpotents, PrimeField, Residue, Scalars,
};
use proptest::prelude::*;

const SMALL: u64 = (1 << 31) - 1;

fn random_element<A>(algebra: &A, random: &mut Random) -> Vec<Residue>
where
    A: Algebra<Scalars = PrimeField>,
{
    (0..algebra.dimension()).map(|_| algebra.scalars().random(random)).collect()
}

/// Associative, distributive, inverses, and exp(x + y) = exp(x) exp(y).
fn is_a_local_algebra<A: Algebra<Scalars = PrimeField>>(algebra: &A, seed: u64) {
    let random = &mut Random::new(seed);
    let [x, y, z] = [(); 3].map(|()| random_element(algebra, random));
    let mul = |x: &Vec<Residue>, y: &Vec<Residue>| algebra.mul(x, y);
    assert_eq!(mul(&x, &y), mul(&y, &x));
    assert_eq!(mul(&mul(&x, &y), &z), mul(&x, &mul(&y, &z)));
    assert_eq!(mul(&x, &algebra.add(&y, &z)), algebra.add(&mul(&x, &y), &mul(&x, &z)));
    let one = algebra.constant(&algebra.scalars().one());
    assert_eq!(mul(&x, &one), x);
    assert_eq!(mul(&x, &algebra.inverse(&x).unwrap()), one);
    let nilpotent = |mut x: Vec<Residue>| {
        x[0] = algebra.scalars().zero();
        x
    };
    let (x, y) = (nilpotent(x), nilpotent(y));
    let product = mul(&algebra.exponential(&x), &algebra.exponential(&y));
    assert_eq!(algebra.exponential(&algebra.add(&x, &y)), product);
    assert!(algebra.inverse(&x).is_none());
}

proptest! {
    #[test]
    fn residues_are_a_field(a: u64, b: u64, large: bool) {
        let prime = if large { PRIME } else { SMALL };
        let field = PrimeField::new(prime).unwrap();
        let (x, y) = (field.element(a), field.element(b));
        let (a, b) = (a % prime, b % prime);
        let product = (u128::from(a) * u128::from(b) % u128::from(prime)) as u64;
        prop_assert_eq!(field.residue(field.mul(&x, &y)), product);
        prop_assert_eq!(field.residue(field.add(&x, &y)), (a + b) % prime);
        prop_assert_eq!(field.sub(&field.add(&x, &y), &y), x);
        prop_assert_eq!(field.add(&x, &field.neg(&x)), field.zero());
        if let Some(inverse) = field.inverse(&x) {
            prop_assert_eq!(field.mul(&x, &inverse), field.one());
        }
        let many = vec![x; 40];
        let sum = field.sum_of_products(40, |i| (&many[i], &y));
        prop_assert_eq!(sum, field.mul(&field.element(40), &field.mul(&x, &y)));
    }

    #[test]
    fn series_are_a_local_algebra(seed: u64, order in 0usize..7, tangents in 0usize..3) {
        let field = PrimeField::new(SMALL).unwrap();
        is_a_local_algebra(&Jets::new(&field, order, tangents).unwrap(), seed);
    }

    #[test]
    fn nilpotents_are_a_local_algebra(seed: u64, generators in 0u32..5) {
        let field = PrimeField::new(PRIME).unwrap();
        is_a_local_algebra(&Nilpotents::new(&field, generators), seed);
    }

    #[test]
    fn tangents_of_series_are_derivatives(seed: u64, order in 0usize..5) {
        // Polarise: the tangent of a product of series is that of x + s u for a number s, to
        // first order in s. In characteristic p, the derivative of a quadratic polynomial in s
        // is half the difference between s = 1 and s = -1.
        let field = PrimeField::new(PRIME).unwrap();
        let jets = Jets::new(&field, order, 1).unwrap();
        let plain = Jets::new(&field, order, 0).unwrap();
        let random = &mut Random::new(seed);
        let (x, y) = (random_element(&jets, random), random_element(&jets, random));
        let part = |x: &Vec<Residue>, part: usize| -> Vec<Residue> {
            (0..=order).map(|power| *jets.coefficient(x, power, part).unwrap()).collect()
        };
        let at = |s: &Residue| {
            let moved = |x: &Vec<Residue>| {
                let step = part(x, 1).iter().map(|u| field.mul(s, u)).collect();
                plain.add(&part(x, 0), &step)
            };
            plain.mul(&moved(&x), &moved(&y))
        };
        let half = field.rational(&Rational::new(1, 2).unwrap()).unwrap();
        let difference = plain.sub(&at(&field.one()), &at(&field.neg(&field.one())));
        let derivative: Vec<Residue> = difference.iter().map(|x| field.mul(&half, x)).collect();
        prop_assert_eq!(part(&jets.mul(&x, &y), 1), derivative);
    }

    #[test]
    fn nilpotents_compute_mixed_derivatives(a in -50i64..50, u in -9i64..9, w in -9i64..9) {
        // The third derivative of x^4 along u, w, w is 24 x u w w; of 1/x it is -6 u w w/x^4.
        let field = PrimeField::new(PRIME).unwrap();
        let algebra = Nilpotents::new(&field, 3);
        let number = |x: i64| field.rational(&Rational::from(x)).unwrap();
        let mut x = algebra.constant(&number(a));
        x[1] = number(u);
        x[2] = number(w);
        x[4] = number(w);
        let square = algebra.mul(&x, &x);
        let fourth = algebra.mul(&square, &square);
        prop_assert_eq!(fourth[7], number(24 * a * u * w * w));
        if a != 0 {
            let value = Rational::new(-6 * u * w * w, a * a * a * a).unwrap();
            prop_assert_eq!(algebra.inverse(&x).unwrap()[7], field.rational(&value).unwrap());
        }
    }
}

#[test]
fn truncations_and_integrals() {
    let field = PrimeField::new(PRIME).unwrap();
    let jets = Jets::new(&field, 5, 1).unwrap();
    let random = &mut Random::new(1);
    let (x, y) = (random_element(&jets, random), random_element(&jets, random));
    let lower = jets.truncated(3);
    let cut = lower.mul(&lower.resize(&x), &lower.resize(&y));
    assert_eq!(cut, lower.resize(&jets.mul(&x, &y)));
    // The exponential of h is its own integral plus one.
    let mut h = jets.zero();
    h[2] = field.one();
    let exponential = jets.exponential(&h);
    let one = jets.constant(&field.one());
    assert_eq!(jets.add(&one, &jets.integral(&exponential)), exponential);
    assert_eq!(jets.shift(&one), h);
    assert_eq!(lower.order(), 3);
}

#[test]
fn characteristics_below_the_order_are_refused() {
    let field = PrimeField::new(5).unwrap();
    assert!(Jets::new(&field, 4, 0).is_some());
    assert!(Jets::new(&field, 5, 0).is_none());
    assert!(PrimeField::new(2).is_none() && PrimeField::new(1 << 62).is_none());
    assert!(PrimeField::new(u64::MAX).is_none());
}

#[test]
fn balls_give_the_coefficients_of_the_exponential() {
    let reals = Enclosures::new(Precision::new(128));
    let jets = Jets::new(&reals, 6, 0).unwrap();
    let mut h = jets.zero();
    h[1] = reals.one();
    let exponential = jets.exponential(&h);
    let mut factorial = 1;
    for (n, coefficient) in exponential.iter().enumerate() {
        factorial *= n.max(1) as i64;
        let ball = coefficient.0.as_ref().unwrap();
        assert!(ball.contains(&Rational::new(1, factorial).unwrap()) && ball.accuracy() > 100);
    }
}
