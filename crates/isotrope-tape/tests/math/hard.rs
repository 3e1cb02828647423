//! Arguments chosen to be difficult.

use isotrope_algebra::modular::Random;
use isotrope_algebra::number::{Ball, Precision};
use isotrope_tape::{BinaryFunction, Function};
use std::f64::consts::FRAC_PI_4;

use crate::support::{Worst, count, neighbours};

/// The number nearest to `numerator π/4`.
fn quarter_turns(numerator: i64) -> f64 {
    let precision = Precision::new(256);
    let product = Ball::pi(precision).mul(&Ball::integer(numerator, precision)).unwrap();
    product.shift(-2).unwrap().to_f64()
}

#[test]
fn sin_and_cos_hold_next_to_multiples_of_quarter_turns() {
    let mut random = Random::new(5);
    let mut worst = Worst::default();
    let most = count(2_000);
    let numerators = (0..most as i64)
        // Those below the bound of the expansion, and a hundred times above it.
        .chain((0..most).map(|_| random.below(1_335_088) as i64).collect::<Vec<_>>())
        .chain((0..most).map(|_| random.below(133_508_800) as i64).collect::<Vec<_>>());
    for numerator in numerators {
        for x in neighbours(quarter_turns(numerator), 1) {
            worst.measure(Function::Sin, x);
            worst.measure(Function::Cos, x);
            worst.measure(Function::Tan, x);
        }
    }
    worst.assert_below("next to quarter turns", 1.0, 20_000);
}

#[test]
fn sin_and_cos_hold_where_a_power_of_two_times_a_quarter_turn_cancels_completely() {
    let mut worst = Worst::default();
    for exponent in 0..900 {
        let x = libm::ldexp(std::f64::consts::FRAC_PI_2, exponent);
        for x in neighbours(x, 2) {
            worst.measure(Function::Sin, x);
            worst.measure(Function::Cos, -x);
        }
    }
    worst.assert_below("complete cancellation", 1.0, 9_000);
}

#[test]
fn sin_and_cos_hold_for_huge_arguments() {
    // The double that comes closest to a multiple of π/2, relatively: 6381956970095103 · 2^797.
    let closest = libm::ldexp(6_381_956_970_095_103.0, 797);
    let mut worst = Worst::default();
    for x in [closest, 1e22, 1e300, 1.5e308, 1_048_576.0, 1.0e15, 4_503_599_627_370_496.0] {
        for x in neighbours(x, 50) {
            for function in [Function::Sin, Function::Cos, Function::Tan] {
                worst.measure(function, x);
                worst.measure(function, -x);
            }
        }
    }
    worst.measure(Function::Sin, f64::MAX);
    worst.measure(Function::Cos, f64::MIN);
    worst.assert_below("huge", 1.0, 4_000);
}

#[test]
fn every_function_holds_where_its_method_changes() {
    let breaks: [(Function, &[f64]); 11] = [
        (Function::Sin, &[FRAC_PI_4, 1_048_576.0, 2.0e-8, 1.0e-154]),
        (Function::Cos, &[FRAC_PI_4, 1_048_576.0, 2.0e-8, 1.0e-154]),
        (Function::Tan, &[0.67434, FRAC_PI_4, 1_647_099.0, 1.0e-154]),
        (Function::Asin, &[0.5, 0.975, 1.0 - 1e-12, 2.0e-8]),
        (Function::Acos, &[0.5, -0.5, 1.0 - 1e-12, 1e-12 - 1.0]),
        (Function::Atan, &[0.4375, 0.6875, 1.1875, 2.4375, 7.0e19, 2.0e-8]),
        (Function::Sinh, &[1.0, 709.782_712_893_384, 710.475_860_073_943_9, 710.5, 1e-154]),
        (Function::Cosh, &[1.0e-8, 0.346_573_590_279_972_65, 710.475_860_073_943_9, 710.5]),
        (Function::Tanh, &[0.25, 19.061_547, 22.0, 1.0e-154]),
        (Function::Exp, &[0.346_573_590_279_972_65, 708.0, 709.7827, -708.3964, -744.44, 1e-17]),
        (Function::Log, &[1.0, 0.5, 2.0, std::f64::consts::SQRT_2, f64::MIN_POSITIVE, 1e-310]),
    ];
    for (function, points) in breaks {
        let mut worst = Worst::default();
        for &point in points {
            for x in neighbours(point, 500) {
                worst.measure(function, x);
                worst.measure(function, -x);
            }
        }
        worst.assert_below(&format!("{function:?} at changes"), 1.0, 2_000);
    }
}

#[test]
fn the_largest_and_the_smallest_numbers_hold() {
    for function in [
        Function::Sin,
        Function::Cos,
        Function::Tan,
        Function::Asin,
        Function::Acos,
        Function::Atan,
        Function::Sinh,
        Function::Cosh,
        Function::Tanh,
        Function::Exp,
        Function::Log,
    ] {
        let mut worst = Worst::default();
        for exponent in -1074..-1000 {
            let x = libm::ldexp(1.0, exponent);
            for x in [x, x * 1.75, -x] {
                worst.measure(function, x);
            }
        }
        for x in [1e-300, f64::MIN_POSITIVE, 5e-324, 1e-308] {
            worst.measure(function, x);
            worst.measure(function, -x);
        }
        worst.assert_below(&format!("{function:?} of subnormals"), 1.0, 100);
    }
    let mut worst = Worst::default();
    for x in neighbours(f64::MAX.next_down(), 1) {
        worst.measure(Function::Log, x);
        worst.measure(Function::Atan, x);
        worst.measure(Function::Tanh, x);
    }
    worst.assert_below("largest", 1.0, 9);
}

#[test]
fn powers_of_numbers_next_to_one_hold() {
    let mut worst = Worst::default();
    let mut random = Random::new(8);
    for _ in 0..count(5_000) {
        let distance = libm::ldexp(random.below(1 << 20) as f64, -52 + random.below(8) as i32);
        let exponent = libm::ldexp(1.0 + random.below(1 << 30) as f64, random.below(8) as i32);
        worst.measure2(BinaryFunction::Pow, 1.0 + distance, exponent);
        worst.measure2(BinaryFunction::Pow, 1.0 - distance, exponent);
    }
    worst.assert_below("powers next to one", 1.0, count(9_000));
}
