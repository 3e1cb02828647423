//! Normal forms: an expression as a quotient of polynomials in its generators.
//!
//! The generators are the symbols and whatever is not rational in them: sines and cosines
//! (with `s^2 = 1 - c^2`), exponentials, roots (with `r^q = u`), absolute values, unknown
//! functions. Equal rational functions of the generators get equal normal forms, so a zero
//! normal form proves that the expression is zero.

mod factor;
mod fourier;
mod fraction;
mod generators;
mod simplify;
mod zero;

pub use factor::factor_common;
pub use fraction::Fraction;
pub use generators::{AngleSplitting, Generators};
pub use simplify::{expand, normalise, simplify, size};
pub use zero::{Zero, is_zero};
