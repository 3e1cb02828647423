//! Lie groups of mechanics: rotations and motions of the plane and of space, translations, products.
//!
//! An element is a list of numbers: for a rotation of the plane (cos, sin), for one of space a unit
//! quaternion, which has neither singular places nor six conditions to keep; then the translation.
//! An element of the algebra is (ω, v), left-trivialised: g' = g ξ, so ω and v are seen from the body.
//! Everything is an expression and holds identically where the numbers of rotations have norm 1.

mod angle;
mod factor;
mod product;
mod retraction;
#[cfg(test)]
mod tests;
mod vector;

pub use angle::Series;
pub use factor::Factor;
pub use product::Group;
pub use retraction::{Retraction, Side};
