//! Zeros, infinities, NaN.

use isotrope_tape::math::{Numbers, exp, log, sincos};
use isotrope_tape::{BinaryFunction, Function};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

const INFINITY: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

#[test]
fn special_values_are_those_of_ieee_754() {
    let table: [(Function, &[(f64, f64)]); 11] = [
        (Function::Sin, &[(0.0, 0.0), (-0.0, -0.0), (INFINITY, NAN), (-INFINITY, NAN)]),
        (Function::Cos, &[(0.0, 1.0), (-0.0, 1.0), (INFINITY, NAN), (-INFINITY, NAN)]),
        (Function::Tan, &[(0.0, 0.0), (-0.0, -0.0), (INFINITY, NAN), (-INFINITY, NAN)]),
        (Function::Asin, &[(0.0, 0.0), (-0.0, -0.0), (1.0, FRAC_PI_2), (1.1, NAN), (-1.1, NAN)]),
        (Function::Acos, &[(1.0, 0.0), (-1.0, PI), (0.0, FRAC_PI_2), (1.1, NAN), (INFINITY, NAN)]),
        (Function::Atan, &[(0.0, 0.0), (-0.0, -0.0), (INFINITY, FRAC_PI_2), (1.0, FRAC_PI_4)]),
        (
            Function::Sinh,
            &[
                (0.0, 0.0),
                (-0.0, -0.0),
                (INFINITY, INFINITY),
                (-INFINITY, -INFINITY),
                (-711.0, -INFINITY),
            ],
        ),
        (Function::Cosh, &[(0.0, 1.0), (-0.0, 1.0), (INFINITY, INFINITY), (-INFINITY, INFINITY)]),
        (
            Function::Tanh,
            &[(0.0, 0.0), (-0.0, -0.0), (INFINITY, 1.0), (-INFINITY, -1.0), (1e9, 1.0)],
        ),
        (
            Function::Exp,
            &[
                (0.0, 1.0),
                (-0.0, 1.0),
                (INFINITY, INFINITY),
                (-INFINITY, 0.0),
                (709.8, INFINITY),
                (-745.13, 5e-324),
                (-745.14, 0.0),
                (-1e300, 0.0),
            ],
        ),
        (
            Function::Log,
            &[
                (1.0, 0.0),
                (0.0, -INFINITY),
                (-0.0, -INFINITY),
                (INFINITY, INFINITY),
                (-INFINITY, NAN),
                (-1.0, NAN),
                (-5e-324, NAN),
                (f64::MIN, NAN),
            ],
        ),
    ];
    for (function, values) in table {
        for &(x, expected) in values {
            let value = function.evaluate(x);
            assert_eq!(value.to_bits(), expected.to_bits(), "{function:?}({x}) = {value}");
        }
        assert_eq!(function.evaluate(NAN).to_bits(), NAN.to_bits(), "{function:?}");
        assert_eq!(function.evaluate(-NAN).to_bits(), NAN.to_bits(), "{function:?}");
    }
}

#[test]
fn expansions_and_calls_agree_on_special_values() {
    let values = [0.0, -0.0, INFINITY, -INFINITY, NAN, -NAN, 5e-324, f64::MAX, f64::MIN, -5e-324];
    for x in values {
        let (sine, cosine) = sincos(&mut Numbers, x);
        let pairs = [
            (Function::Sin, sine),
            (Function::Cos, cosine),
            (Function::Exp, exp(&mut Numbers, x)),
            (Function::Log, log(&mut Numbers, x)),
        ];
        for (function, value) in pairs {
            assert_eq!(value.to_bits(), function.evaluate(x).to_bits(), "{function:?}({x})");
        }
    }
}

#[test]
fn angles_have_the_signs_of_zeros() {
    let table = [
        (0.0, 1.0, 0.0),
        (-0.0, 1.0, -0.0),
        (0.0, -1.0, PI),
        (-0.0, -1.0, -PI),
        (0.0, 0.0, 0.0),
        (-0.0, 0.0, -0.0),
        (0.0, -0.0, PI),
        (-0.0, -0.0, -PI),
        (1.0, 0.0, FRAC_PI_2),
        (-1.0, -0.0, -FRAC_PI_2),
        (INFINITY, INFINITY, FRAC_PI_4),
        (INFINITY, -INFINITY, 3.0 * FRAC_PI_4),
        (1.0, INFINITY, 0.0),
        (-1.0, -INFINITY, -PI),
        (-INFINITY, 5.0, -FRAC_PI_2),
        (NAN, 1.0, NAN),
        (1.0, NAN, NAN),
    ];
    for (y, x, expected) in table {
        let value = BinaryFunction::Atan2.evaluate(y, x);
        assert_eq!(value.to_bits(), expected.to_bits(), "atan2({y}, {x}) = {value}");
    }
}

#[test]
fn powers_are_those_of_ieee_754() {
    let table = [
        (0.0, 0.0, 1.0),
        (NAN, 0.0, 1.0),
        (1.0, NAN, 1.0),
        (-0.0, 3.0, -0.0),
        (-0.0, 2.0, 0.0),
        (-0.0, -1.0, -INFINITY),
        (0.0, -2.0, INFINITY),
        (-2.0, 3.0, -8.0),
        (-2.0, 0.5, NAN),
        (-1.0, INFINITY, 1.0),
        (0.5, INFINITY, 0.0),
        (0.5, -INFINITY, INFINITY),
        (-INFINITY, 3.0, -INFINITY),
        (INFINITY, -0.5, 0.0),
        (2.0, -1074.0, 5e-324),
        (2.0, -1080.0, 0.0),
        (2.0, 1024.0, INFINITY),
        (NAN, 1.0, NAN),
        (2.0, NAN, NAN),
    ];
    for (base, exponent, expected) in table {
        let value = BinaryFunction::Pow.evaluate(base, exponent);
        assert_eq!(value.to_bits(), expected.to_bits(), "{base}^{exponent} = {value}");
    }
}
