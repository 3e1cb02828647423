//! The functions of two arguments that have a value in double precision.
//!
//! They are not part of the table: in the algebra `atan2` is a node of its own and a power is a
//! factor of a product.

use std::fmt::{self, Display, Formatter};

use super::one_nan;

/// A function of two arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BinaryFunction {
    /// `atan2(y, x)`, the angle of the point (x, y).
    Atan2,
    /// A power, base first.
    Pow,
}

impl BinaryFunction {
    /// All functions of two arguments.
    pub const ALL: [Self; 2] = [Self::Atan2, Self::Pow];

    /// Its name in texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Atan2 => "atan2",
            Self::Pow => "pow",
        }
    }

    /// Its value in double precision, with the same bits on every machine.
    pub fn evaluate(self, a: f64, b: f64) -> f64 {
        one_nan(match self {
            Self::Atan2 => libm::atan2(a, b),
            Self::Pow => libm::pow(a, b),
        })
    }

    /// [`BinaryFunction::evaluate`] with the calling convention of C, for compiled code.
    pub fn entry(self) -> extern "C" fn(f64, f64) -> f64 {
        extern "C" fn atan2(y: f64, x: f64) -> f64 {
            BinaryFunction::Atan2.evaluate(y, x)
        }
        extern "C" fn pow(base: f64, exponent: f64) -> f64 {
            BinaryFunction::Pow.evaluate(base, exponent)
        }
        match self {
            Self::Atan2 => atan2,
            Self::Pow => pow,
        }
    }
}

impl Display for BinaryFunction {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
