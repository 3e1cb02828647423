//! What normal forms cost.

use super::{AngleSplitting, Generators, Zero, is_zero, simplify};
use crate::functions::Function;
use crate::pool::{ExprId, Pool};
use crate::{Budget, Rational};

#[test]
fn what_stands_inside_of_a_sine_is_no_generator() {
    let mut pool = Pool::new();
    let mut nested = pool.symbol("x");
    for _ in 0..500 {
        nested = pool.call(Function::Sin, nested);
    }
    let square = pool.powi(nested, 2);
    for splitting in [AngleSplitting::Whole, AngleSplitting::Split] {
        let budget = &mut Budget::new(100);
        let mut generators = Generators::new(&mut pool, &[square], splitting, budget).unwrap();
        generators.fractions(&mut pool, &[square], budget).unwrap().unwrap();
        // The cosine and the sine of what is inside.
        assert_eq!(generators.expressions().len(), 2);
    }
}

#[test]
fn multiples_of_angles_that_are_out_of_reach_are_not_begun() {
    let mut pool = Pool::new();
    let x = pool.symbol("x");
    let cosine = |pool: &mut Pool, multiple: i64| {
        let angle = pool.scale(&Rational::integer(multiple), x);
        pool.call(Function::Cos, angle)
    };
    let (near, far) = (cosine(&mut pool, 30), cosine(&mut pool, 3000));
    let mut split = |of: ExprId| {
        let budget = &mut Budget::new(1_000_000);
        Generators::new(&mut pool, &[of], AngleSplitting::Split, budget).map(|_| ())
    };
    assert!(split(near).is_ok());
    assert!(split(far).is_err());
    // It stays as it is.
    assert_eq!(simplify(&mut pool, far, &mut Budget::new(1_000_000)), far);
}

/// A product of n cosines of different angles is a sum of 2ⁿ⁻¹, which is not written.
#[test]
fn long_products_of_cosines_stay_products() {
    let mut pool = Pool::new();
    let factors: Vec<ExprId> = (0..200)
        .map(|k| {
            let angle = pool.symbol(&format!("a{k}"));
            pool.call(Function::Cos, angle)
        })
        .collect();
    let product = pool.product(&factors);
    let budget = &mut Budget::new(1_000_000);
    assert_eq!(simplify(&mut pool, product, budget), product);
    assert!(budget.spent() < 100_000, "{}", budget.spent());
}

/// The moment of the forces between bodies vanishes pair by pair: their common denominator is never formed.
#[test]
fn moments_of_many_bodies_vanish_pair_by_pair() {
    const BODIES: usize = 10;
    let mut pool = Pool::new();
    let g = pool.symbol("G");
    let [x, y] = ["x", "y"].map(|name| -> Vec<ExprId> {
        (0..BODIES).map(|k| pool.symbol(&format!("{name}{k}"))).collect()
    });
    let mut moment = Vec::new();
    for i in 0..BODIES {
        let (mut across, mut along) = (Vec::new(), Vec::new());
        for j in (0..BODIES).filter(|&j| j != i) {
            let (u, v) = (pool.sub(x[i], x[j]), pool.sub(y[i], y[j]));
            let (u2, v2) = (pool.powi(u, 2), pool.powi(v, 2));
            let square = pool.add(u2, v2);
            let exponent = pool.ratio(-3, 2);
            let weight = pool.power(square, exponent);
            across.push(pool.mul(u, weight));
            along.push(pool.mul(v, weight));
        }
        // The force as it is printed: a factor before a sum.
        let (across, along) = (pool.sum(&across), pool.sum(&along));
        moment.push(pool.product(&[g, x[i], along]));
        let other = pool.product(&[g, y[i], across]);
        moment.push(pool.neg(other));
    }
    let whole = pool.sum(&moment);
    assert_eq!(is_zero(&mut pool, whole, &mut Budget::new(500_000)), Zero::Yes);
    let part = pool.sum(&moment[2..]);
    assert_eq!(is_zero(&mut pool, part, &mut Budget::new(500_000)), Zero::No);
}
