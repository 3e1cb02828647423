//! Normal forms: an expression as a quotient of polynomials in its generators.
//!
//! The generators are the symbols and whatever is not rational in them: sines and cosines
//! (with `s^2 = 1 - c^2`), exponentials, roots (with `r^q = u`), absolute values, unknown
//! functions. Equal rational functions of the generators get equal normal forms, so a zero
//! normal form proves that the expression is zero.
//!
//! Relations are rewriting rules on powers of one generator. Sums and multiples of angles are split
//! over the base angles, which decides trigonometric identities; angles may also stay whole where
//! that gives shorter results. Common factors are removed by a gcd that interpolates modular images
//! (Zippel) and verifies its result by division.
//!
//! `is_zero` asks the prime field (or balls) first, which settles most expressions that are not
//! zero, and then computes the normal form. A random value that vanishes is evidence and is
//! reported as such.
//!
//! `simplify` computes several equal forms and keeps the shortest: normal forms with angles whole
//! or split, with sines or cosines kept, and *Fourier sums* (`fourier.rs`), in which products of
//! sines and cosines become sines and cosines of whole angles. That is how the mass matrix of a
//! double pendulum comes to contain cos(θ₁ − θ₂).

mod factor;
mod fourier;
mod fraction;
mod generators;
mod half_angles;
mod simplify;
#[cfg(test)]
mod tests;
mod zero;

pub use factor::factor_common;
pub use fraction::Fraction;
pub use generators::{AngleSplitting, Generators};
pub use half_angles::{distinct_zeros, without_common_factors};
pub use simplify::{expand, normalise, simplify, size};
pub use zero::{Zero, is_zero};
