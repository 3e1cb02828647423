//! What a call executes: the same code for every back end.

use crate::Function;
use crate::math::{Numbers, exp, hyperbolic, log, sincos};

/// The value of a function of one argument; NaN for a function of two.
///
/// Where a function has an expansion, this is its value, so it does not matter whether a back end
/// expands or calls.
#[must_use]
pub fn evaluate(function: Function, x: f64) -> f64 {
    let value = match function {
        Function::Sin if x.abs() <= sincos::BOUND => sincos::expansion(&mut Numbers, x).0,
        Function::Cos if x.abs() <= sincos::BOUND => sincos::expansion(&mut Numbers, x).1,
        Function::Exp if x.abs() <= exp::BOUND => exp::expansion(&mut Numbers, x),
        Function::Log if x.abs() <= log::BOUND => log::expansion(&mut Numbers, x),
        Function::Sin => libm::sin(x),
        Function::Cos => libm::cos(x),
        Function::Exp => libm::exp(x),
        Function::Log => libm::log(x),
        Function::Tan => libm::tan(x),
        Function::Asin => libm::asin(x),
        Function::Acos => libm::acos(x),
        Function::Atan => libm::atan(x),
        Function::Sinh => hyperbolic::sinh(x),
        Function::Cosh => hyperbolic::cosh(x),
        Function::Tanh => hyperbolic::tanh(x),
        Function::Atan2 | Function::Pow => f64::NAN,
    };
    one_nan(value)
}

/// The value of a function of two arguments (`Atan2` takes `y` first); NaN for a function of one.
#[must_use]
pub fn evaluate2(function: Function, a: f64, b: f64) -> f64 {
    one_nan(match function {
        Function::Atan2 => libm::atan2(a, b),
        Function::Pow => libm::pow(a, b),
        _ => f64::NAN,
    })
}

/// Sign and payload of a NaN depend on the machine; a call gives only one.
fn one_nan(value: f64) -> f64 {
    if value.is_nan() { f64::NAN } else { value }
}
