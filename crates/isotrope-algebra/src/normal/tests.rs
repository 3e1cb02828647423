//! What normal forms cost.

use super::{AngleSplitting, Generators, simplify};
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
