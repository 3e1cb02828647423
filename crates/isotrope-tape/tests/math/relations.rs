//! Identities between values.

use isotrope_algebra::modular::Random;
use isotrope_tape::math::{Numbers, exp, log, sincos};
use isotrope_tape::{BinaryFunction, Function};
use std::f64::consts::FRAC_PI_4;

use crate::support::{any_exponent, count, neighbours, sized, uniform};

#[test]
fn odd_functions_are_odd_and_even_ones_even_to_the_bit() {
    let mut random = Random::new(21);
    for _ in 0..count(100_000) {
        for x in [any_exponent(&mut random), sized(&mut random, -10, 30)] {
            for function in Function::ALL.into_iter().filter(|function| function.is_odd()) {
                let (value, mirror) = (function.evaluate(x), function.evaluate(-x));
                assert!(
                    value.is_nan() && mirror.is_nan() || mirror.to_bits() == (-value).to_bits(),
                    "{function:?}({x})"
                );
            }
            for function in Function::ALL.into_iter().filter(|function| function.is_even()) {
                let (value, mirror) = (function.evaluate(x), function.evaluate(-x));
                assert_eq!(mirror.to_bits(), value.to_bits(), "{function:?}({x})");
            }
            let y = sized(&mut random, -10, 30);
            let value = BinaryFunction::Atan2.evaluate(y, x);
            assert_eq!(BinaryFunction::Atan2.evaluate(-y, x).to_bits(), (-value).to_bits());
        }
    }
}

#[test]
fn ties_of_the_reduction_are_mirrored_too() {
    // Arguments whose quotient by π/2 is a half-integer before rounding.
    for numerator in (1..20_001_i32).step_by(2) {
        let x = f64::from(numerator) * FRAC_PI_4;
        for x in neighbours(x, 2) {
            let (sine, cosine) = sincos(&mut Numbers, x);
            assert_eq!(sincos(&mut Numbers, -x), (-sine, cosine));
        }
    }
}

#[test]
fn squares_of_sine_and_cosine_add_to_one() {
    let mut random = Random::new(22);
    for _ in 0..count(100_000) {
        for x in [any_exponent(&mut random), uniform(&mut random, -100.0, 100.0)] {
            let (sine, cosine) = sincos(&mut Numbers, x);
            let square = sine.mul_add(sine, cosine * cosine);
            assert!((square - 1.0).abs() <= 2.0 * f64::EPSILON, "{x}: {square}");
        }
    }
}

#[test]
fn sines_and_exponentials_never_leave_their_range() {
    let mut random = Random::new(23);
    for _ in 0..count(100_000) {
        let x = any_exponent(&mut random);
        let (sine, cosine) = sincos(&mut Numbers, x);
        assert!(sine.abs() <= 1.0 && cosine.abs() <= 1.0, "{x}");
        assert!(exp(&mut Numbers, x) >= 0.0, "{x}");
        assert!(Function::Tanh.evaluate(x).abs() <= 1.0, "{x}");
        assert!(Function::Cosh.evaluate(x) >= 1.0, "{x}");
    }
    for numerator in 0..20_000 {
        for x in neighbours(f64::from(numerator) * std::f64::consts::FRAC_PI_2, 3) {
            let (sine, cosine) = sincos(&mut Numbers, x);
            assert!(sine.abs() <= 1.0 && cosine.abs() <= 1.0, "{x}");
        }
    }
}

#[test]
fn exponentials_of_large_numbers_are_infinite_or_zero() {
    let mut random = Random::new(25);
    for _ in 0..count(100_000) {
        let x = any_exponent(&mut random).abs();
        for x in [x, uniform(&mut random, 745.2, 1000.0)].into_iter().filter(|&x| x > 745.2) {
            assert_eq!(exp(&mut Numbers, x), f64::INFINITY, "{x}");
            assert_eq!(exp(&mut Numbers, -x).to_bits(), 0, "{x}");
        }
        for x in [x, uniform(&mut random, 710.476, 720.0)].into_iter().filter(|&x| x > 710.476) {
            assert_eq!(Function::Sinh.evaluate(-x), f64::NEG_INFINITY, "{x}");
            assert_eq!(Function::Cosh.evaluate(-x), f64::INFINITY, "{x}");
        }
    }
}

#[test]
fn log_undoes_exp_and_exp_undoes_log() {
    let mut random = Random::new(24);
    for _ in 0..count(100_000) {
        let x = uniform(&mut random, -708.0, 708.0);
        let back = exp(&mut Numbers, x);
        let back = log(&mut Numbers, back);
        assert!((back - x).abs() <= f64::EPSILON * (1.0 + x.abs()), "{x}: {back}");

        let x = f64::from_bits(random.next_u64() >> 1);
        if x.is_normal() {
            let size = log(&mut Numbers, x);
            let back = exp(&mut Numbers, size);
            assert!((back / x - 1.0).abs() <= f64::EPSILON * (2.0 + size.abs()), "{x}: {back}");
        }
    }
}

#[test]
fn powers_of_two_have_their_exponent_as_logarithm() {
    for exponent in -1074..1024 {
        let power = libm::ldexp(1.0, exponent);
        let expected = f64::from(exponent) * std::f64::consts::LN_2;
        let value = log(&mut Numbers, power);
        assert!((value - expected).abs() <= f64::EPSILON * expected.abs(), "2^{exponent}");
        assert_eq!(BinaryFunction::Pow.evaluate(2.0, f64::from(exponent)), power);
    }
}

/// Exponential, logarithm and the others do not decrease from one number to the next where the
/// reduction or the method changes.
#[test]
fn monotonic_functions_stay_so_where_the_method_changes() {
    let ln2 = std::f64::consts::LN_2;
    let half_steps: Vec<f64> = (-1020..1020).map(|k| (f64::from(k) + 0.5) * ln2).collect();
    let roots: Vec<f64> = (-1060..1023).map(|k| libm::ldexp(std::f64::consts::SQRT_2, k)).collect();
    let exponentials: Vec<f64> =
        half_steps.iter().copied().chain([708.0, -708.0, -709.0, -740.0, 0.0]).collect();
    let logarithms: Vec<f64> =
        roots.iter().copied().chain([1.0, 2.0, f64::MIN_POSITIVE, 0.5, 1e-310]).collect();
    let cases: [(Function, &[f64]); 6] = [
        (Function::Exp, &exponentials),
        (Function::Log, &logarithms),
        (Function::Sinh, &[1.0, -1.0, 0.0]),
        (Function::Tanh, &[0.25, -0.25, 22.0]),
        (Function::Atan, &[0.4375, 0.6875, 1.1875, 2.4375]),
        (Function::Sin, &[FRAC_PI_4, -FRAC_PI_4, 0.0]),
    ];
    for (function, points) in cases {
        for &point in points {
            let mut last = f64::NEG_INFINITY;
            for x in neighbours(point, 100) {
                let value = function.evaluate(x);
                assert!(value >= last, "{function:?} falls at {x:?}: {last:?} to {value:?}");
                last = value;
            }
        }
    }
}
