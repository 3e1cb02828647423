//! Random arguments of all exponents, and of the sizes that occur.

use isotrope_algebra::modular::Random;
use isotrope_tape::{BinaryFunction, Function};

use crate::support::{Worst, any_exponent, count, sized, uniform};

/// Thirds: any exponent, small numbers, and the interval given.
fn measure(function: Function, low: f64, high: f64, bound: f64) {
    let mut random = Random::new(function as u64);
    let mut worst = Worst::default();
    for _ in 0..count(30_000) {
        worst.measure(function, any_exponent(&mut random));
        worst.measure(function, sized(&mut random, -20, 10));
        worst.measure(function, uniform(&mut random, low, high));
    }
    worst.assert_below(&format!("{function:?}"), bound, count(30_000));
}

#[test]
fn sin_and_cos_are_within_one_ulp() {
    measure(Function::Sin, -10.0, 10.0, 1.0);
    measure(Function::Cos, -10.0, 10.0, 1.0);
}

#[test]
fn sin_and_cos_are_within_one_ulp_where_they_are_expanded() {
    for function in [Function::Sin, Function::Cos] {
        let mut random = Random::new(3);
        let mut worst = Worst::default();
        for _ in 0..count(30_000) {
            worst.measure(function, uniform(&mut random, -1.1, 1.1));
            worst.measure(function, uniform(&mut random, -1_048_576.0, 1_048_576.0));
        }
        worst.assert_below(&format!("{function:?} expanded"), 1.0, count(60_000));
    }
}

#[test]
fn exp_is_within_one_ulp() {
    measure(Function::Exp, -750.0, 750.0, 1.0);
}

#[test]
fn exp_is_within_one_ulp_where_it_is_subnormal() {
    let mut random = Random::new(1);
    let mut worst = Worst::default();
    for _ in 0..count(10_000) {
        worst.measure(Function::Exp, uniform(&mut random, -746.0, -707.0));
    }
    worst.assert_below("Exp, subnormal", 1.0, count(10_000));
}

#[test]
fn log_is_within_one_ulp() {
    measure(Function::Log, 0.4, 2.5, 1.0);
}

#[test]
fn called_functions_are_within_two_ulps() {
    measure(Function::Tan, -10.0, 10.0, 2.0);
    measure(Function::Asin, -1.0, 1.0, 2.0);
    measure(Function::Acos, -1.0, 1.0, 2.0);
    measure(Function::Atan, -3.0, 3.0, 2.0);
}

#[test]
fn erf_is_within_two_ulps() {
    // Its enclosures are slow: fewer samples.
    let mut random = Random::new(14);
    let mut worst = Worst::default();
    for _ in 0..count(3_000) {
        worst.measure(Function::Erf, any_exponent(&mut random));
        worst.measure(Function::Erf, uniform(&mut random, -4.0, 4.0));
    }
    worst.assert_below("Erf", 2.0, count(3_000));
}

#[test]
fn hyperbolic_functions_are_within_one_ulp() {
    measure(Function::Sinh, -2.0, 2.0, 1.0);
    measure(Function::Cosh, -2.0, 2.0, 1.0);
    measure(Function::Tanh, -2.0, 2.0, 1.0);
}

#[test]
fn atan2_is_within_two_ulps() {
    let mut random = Random::new(12);
    let mut worst = Worst::default();
    for _ in 0..count(30_000) {
        let (y, x) = (any_exponent(&mut random), any_exponent(&mut random));
        worst.measure2(BinaryFunction::Atan2, y, x);
        let (y, x) = (sized(&mut random, -3, 3), sized(&mut random, -3, 3));
        worst.measure2(BinaryFunction::Atan2, y, x);
        let (y, x) = (uniform(&mut random, -1.0, 1.0), uniform(&mut random, -1.0, 1.0));
        worst.measure2(BinaryFunction::Atan2, y, x);
    }
    worst.assert_below("Atan2", 2.0, count(90_000));
}

#[test]
fn pow_is_within_one_ulp() {
    let mut random = Random::new(13);
    let mut worst = Worst::default();
    for _ in 0..count(30_000) {
        // Exponents for which the result is about 2^-1100 to 2^1100.
        let base = any_exponent(&mut random).abs();
        let doublings = uniform(&mut random, -1100.0, 1100.0);
        worst.measure2(BinaryFunction::Pow, base, doublings / libm::log2(base));
        let base = uniform(&mut random, 0.5, 2.0);
        worst.measure2(BinaryFunction::Pow, base, uniform(&mut random, -20.0, 20.0));
        let base = sized(&mut random, -10, 10).abs();
        worst.measure2(BinaryFunction::Pow, base, (random.below(13) as f64 - 6.0) / 2.0);
    }
    worst.assert_below("Pow", 1.0, count(80_000));
}
