//! The table of functions.
//!
//! Each file holds everything about a function or a small family: its names, canonical
//! forms, derivative, series, enclosure, value in double precision, notation (the `Descriptor`).
//! The list below is the only place that names them all. Grammar, calculus, normal forms, balls,
//! prime fields, printing, the tape with its back ends and derivatives, and the tests over random
//! expressions follow from it.

mod absolute_value;
mod circular;
mod descriptor;
mod error_function;
mod exponential;
mod hyperbolic;
mod inverse_circular;
mod sign;
#[cfg(test)]
mod tests;
mod two_arguments;
mod unit_step;

use std::fmt::{self, Display, Formatter};

pub(crate) use descriptor::{
    Circular, Descriptor, Hyperbolic, Notation, Parity, Relation, SeriesRule,
};

pub use descriptor::Smoothness;
pub use two_arguments::BinaryFunction;

use crate::number::{Ball, EvaluationError, Rational};
use crate::pool::{ExprId, Pool};

/// Declares [`Function`] from lines of name, meaning and descriptor.
macro_rules! functions {
    ($($name:ident: $meaning:literal, $descriptor:path;)+) => {
        /// A function of one argument. Square roots are powers; `atan2` is a node of its own.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Function {
            $(#[doc = $meaning] $name,)+
        }

        impl Function {
            /// All functions.
            pub const ALL: [Self; [$($meaning),+].len()] = [$(Self::$name),+];

            pub(crate) fn descriptor(self) -> &'static Descriptor {
                match self {
                    $(Self::$name => &$descriptor,)+
                }
            }

            /// What it is, in words.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(Self::$name => $meaning,)+
                }
            }

            /// [`Function::evaluate`] with the calling convention of C, for compiled code.
            pub fn entry(self) -> extern "C" fn(f64) -> f64 {
                match self {
                    $(Self::$name => {
                        extern "C" fn entry(x: f64) -> f64 {
                            Function::$name.evaluate(x)
                        }
                        entry
                    })+
                }
            }
        }
    };
}

// New functions go to the end: values over the prime field depend on the position.
functions! {
    Sin: "Sine.", circular::SINE;
    Cos: "Cosine.", circular::COSINE;
    Tan: "Tangent.", circular::TANGENT;
    Asin: "Inverse sine, in [-pi/2, pi/2].", inverse_circular::INVERSE_SINE;
    Acos: "Inverse cosine, in [0, pi].", inverse_circular::INVERSE_COSINE;
    Atan: "Inverse tangent, in (-pi/2, pi/2).", inverse_circular::INVERSE_TANGENT;
    Sinh: "Hyperbolic sine.", hyperbolic::SINE;
    Cosh: "Hyperbolic cosine.", hyperbolic::COSINE;
    Tanh: "Hyperbolic tangent.", hyperbolic::TANGENT;
    Exp: "Exponential.", exponential::EXPONENTIAL;
    Log: "Natural logarithm.", exponential::LOGARITHM;
    Abs: "Absolute value.", absolute_value::ABSOLUTE_VALUE;
    Heaviside: "The unit step: 1 from zero on, 0 before.", unit_step::UNIT_STEP;
    Erf: "Error function, 2/sqrt(pi) times the integral of exp(-t^2) from 0.", error_function::ERROR_FUNCTION;
    Sign: "The sign: 1 above zero, -1 below, 0 at zero.", sign::SIGN;
}

impl Function {
    /// The name used in texts.
    pub fn name(self) -> &'static str {
        self.descriptor().name
    }

    /// The function with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.name() == name)
    }

    /// Does `f(-x) = -f(x)` hold?
    pub fn is_odd(self) -> bool {
        self.descriptor().parity == Parity::Odd
    }

    /// Does `f(-x) = f(x)` hold?
    pub fn is_even(self) -> bool {
        self.descriptor().parity == Parity::Even
    }

    /// Is it a function of the point of the unit circle at its argument, an angle?
    pub fn is_circular(self) -> bool {
        matches!(self.descriptor().relation, Relation::Circle(_))
    }

    /// Where it has derivatives.
    pub fn smoothness(self) -> Smoothness {
        self.descriptor().smoothness
    }

    /// `f'(u)`, given `u` and `f(u)`.
    pub fn derivative(self, pool: &mut Pool, u: ExprId, value: ExprId) -> ExprId {
        (self.descriptor().derivative)(pool, u, value)
    }

    /// A rigorous enclosure of its value.
    pub fn ball(self, x: &Ball) -> Result<Ball, EvaluationError> {
        (self.descriptor().ball)(x)
    }

    /// Its value in double precision, with the same bits on every machine.
    pub fn evaluate(self, x: f64) -> f64 {
        one_nan((self.descriptor().double)(x))
    }

    /// Its derivative in double precision, given the argument and the value there.
    pub fn slope(self, x: f64, value: f64) -> f64 {
        (self.descriptor().slope)(x, value)
    }

    /// An interval inside its domain, for tests.
    pub fn samples(self) -> (i64, i64) {
        self.descriptor().samples
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Sign and payload of a NaN depend on the machine; a call gives only one.
fn one_nan(value: f64) -> f64 {
    if value.is_nan() { f64::NAN } else { value }
}

/// `1 + sign x²`.
fn one_plus_square(pool: &mut Pool, sign: i64, x: ExprId) -> ExprId {
    let square = pool.powi(x, 2);
    pool.linear_combination(&[(Rational::ONE, ExprId::ONE), (Rational::integer(sign), square)])
}
